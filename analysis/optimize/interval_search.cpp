// Searches intervals of reals by NLopt, without derivatives: DIRECT-L over all of them (Gablonsky and Kelley 2001),
// then Subplex (Rowan 1990) from the best points and, if no constraint is near, BOBYQA (Powell 2009). See oracle.h.
#include "analysis/optimize/oracle.h"
#include "analysis/optimize/problem.h"

#include <algorithm>
#include <cmath>
#include <nlopt.hpp>

namespace wave::analysis {
namespace {

constexpr int global_points = 400, local_points = 250, try_points = 80;  // for each variable
constexpr std::size_t tries = 10;                                        // points from which a descent begins
constexpr double apart = 0.04;    // how far these differ in some variable, relative to its interval
constexpr double finest = 1e-13;  // steps of the last search, relative to the interval
constexpr int most_rounds = 400;
constexpr double most_choices = 100'000;

class IntervalSearch {
 public:
  IntervalSearch(Oracle& oracle, std::span<const double> at, const std::vector<double>& weights)
      : oracle_(oracle), problem_(oracle.problem()), at_(at.begin(), at.end()), weights_(weights) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const Domain& one = problem_.domains[i];
      if (!one.is_interval) continue;
      if (one.low < one.high)
        free_.push_back(i);
      else
        at_[i] = one.low;
    }
  }

  void run() {
    const auto count = static_cast<unsigned>(free_.size());
    best_.assign(count, 0.5);
    evaluate(best_);
    if (count == 0) return;
    try_corners();
    is_global_ = true;
    search(nlopt::GN_ORIG_DIRECT_L, global_points * static_cast<int>(count), 0);
    is_global_ = false;
    if (best_cost_ < infinity) {
      for (const auto& start : starts()) search(nlopt::LN_SBPLX, try_points * static_cast<int>(count), 1e-6, &start);
      search(nlopt::LN_SBPLX, local_points * static_cast<int>(count), 1e-12);
      if (!met_infeasible_) search(nlopt::LN_BOBYQA, local_points * static_cast<int>(count), 1e-12);
    }
    step_down();
  }

 private:
  // `unit` counts in lengths of the intervals, so that variables of all dimensions are alike.
  double evaluate(const std::vector<double>& unit) {
    if (oracle_.ended()) throw nlopt::forced_stop();
    std::vector<double> at = at_;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Domain& one = problem_.domains[free_[k]];
      at[free_[k]] = std::clamp(unit[k] == 1 ? one.high : one.low + unit[k] * (one.high - one.low), one.low, one.high);
    }
    Points points(at.size());
    points.add(at);
    Assessed assessed;
    oracle_.ask(points, &assessed);
    double cost = 0;
    for (std::size_t k = 0; k < weights_.size(); ++k) cost += weights_[k] == 0 ? 0 : weights_[k] * assessed.costs[k];
    if (!std::isfinite(cost)) {
      met_infeasible_ = true;
      return infinity;
    }
    if (is_global_) seen_.emplace_back(cost, unit);
    if (cost < best_cost_) {
      best_cost_ = cost;
      best_ = unit;
    }
    return cost;
  }

  // Many costs are least at an end of an interval, which no method reaches exactly.
  void try_corners() {
    constexpr std::size_t most = 6;
    if (free_.size() > most) return;
    for (std::size_t corner = 0; corner < std::size_t{1} << free_.size(); ++corner) {
      std::vector<double> unit;
      for (std::size_t k = 0; k < free_.size(); ++k) unit.push_back(static_cast<double>(corner >> k & 1));
      evaluate(unit);
    }
  }

  // The best points that lie apart from each other. Of many minima, the lowest need not be next to the best point so
  // far.
  std::vector<std::vector<double>> starts() {
    std::sort(seen_.begin(), seen_.end());
    std::vector<std::vector<double>> result;
    for (const auto& [cost, unit] : seen_) {
      const auto is_near = [&, &at = unit](const std::vector<double>& other) {
        for (std::size_t k = 0; k < other.size(); ++k) {
          if (std::fabs(other[k] - at[k]) > apart) return false;
        }
        return true;
      };
      if (std::none_of(result.begin(), result.end(), is_near)) result.push_back(unit);
      if (result.size() == tries) break;
    }
    return result;
  }

  void search(nlopt::algorithm algorithm, int most, double tolerance, const std::vector<double>* start = nullptr) {
    nlopt::opt method(algorithm, static_cast<unsigned>(free_.size()));
    method.set_lower_bounds(0.0);
    method.set_upper_bounds(1.0);
    method.set_maxeval(most);
    if (tolerance > 0) method.set_xtol_abs(tolerance);
    if (start != nullptr) method.set_initial_step(apart);  // to the minimum that is near
    const auto call = [](const std::vector<double>& x, std::vector<double>&, void* self) {
      const double cost = static_cast<IntervalSearch*>(self)->evaluate(x);
      // None of the methods takes NaN or infinity as a cost, but all take a large number. Only DIRECT knows infinity,
      // as "no value here".
      return cost < infinity ? cost : static_cast<IntervalSearch*>(self)->instead_;
    };
    instead_ = algorithm == nlopt::GN_ORIG_DIRECT_L ? infinity : 1e300;
    method.set_min_objective(call, this);
    std::vector<double> x = start != nullptr ? *start : best_;
    double value = 0;
    try {
      method.optimize(x, value);
    } catch (const nlopt::forced_stop&) {
      throw;
    } catch (const std::exception&) {
      // NLopt gives up on rounding errors, on a start at a bound, and if nothing satisfies the constraints. What it has
      // found so far is kept.
    }
  }

  // Goes along each variable and along each two of them by halves, and so reaches constraints and ends exactly.
  void step_down() {
    if (best_cost_ == infinity) return;
    int rounds = 0;
    for (double step = 0.01; step > finest && rounds < most_rounds; ++rounds) {
      const double before = best_cost_;
      for (std::size_t k = 0; k < free_.size(); ++k) {
        for (const double sign : {-1.0, 1.0}) {
          auto next = best_;
          next[k] = std::clamp(next[k] + sign * step, 0.0, 1.0);
          if (next != best_) evaluate(next);
        }
      }
      if (!(best_cost_ < before)) step /= 2;
    }
  }

  Oracle& oracle_;
  Problem& problem_;
  std::vector<double> at_;
  const std::vector<double> weights_;
  std::vector<std::size_t> free_;
  std::vector<double> best_;
  double best_cost_ = infinity;
  double instead_ = infinity;
  bool met_infeasible_ = false;
  bool is_global_ = false;
  std::vector<std::pair<double, std::vector<double>>> seen_;
};

// Searches the intervals for one choice after the other of the variables with lists.
template <class Function>
void for_each_choice(Problem& problem, Function function) {
  const Box box = problem.whole();
  std::vector<double> at = box.low;
  while (true) {
    function(at);
    std::size_t i = at.size();
    while (i-- > 0) {
      if (problem.domains[i].is_interval) continue;
      if (at[i] < box.high[i]) {
        at[i] += 1;
        break;
      }
      at[i] = box.low[i];
    }
    if (i == static_cast<std::size_t>(-1)) return;
  }
}

}  // namespace

void search_intervals(Oracle& oracle, std::span<const double> at, const std::vector<double>& weights) {
  try {
    IntervalSearch(oracle, at, weights).run();
  } catch (const nlopt::forced_stop&) {
    // Time is up. The oracle keeps what was found.
  }
}

bool can_search_each(Oracle& oracle) {
  double choices = 1, intervals = 0;
  for (const Domain& one : oracle.problem().domains) {
    if (one.is_interval)
      ++intervals;
    else
      choices *= static_cast<double>(one.size());
  }
  const double points =
      choices * intervals * (global_points + 2 * local_points + static_cast<double>(tries) * try_points);
  return choices <= most_choices && points * oracle.seconds_to_evaluate() < 0.7 * oracle.seconds_left();
}

void search_each(Oracle& oracle) {
  const std::size_t goals = oracle.goals();
  std::vector<std::vector<double>> mixtures;
  // With several goals, searches for the ends of the front and for mixtures between them, relative to their costs in
  // the middle.
  if (goals == 1) mixtures.push_back({1});
  std::vector<double> scale(goals, 1);
  if (goals > 1) {
    for (const Candidate& one : oracle.best.sorted()) {
      for (std::size_t k = 0; k < goals; ++k) scale[k] = std::max(std::fabs(one.costs[k]), 1e-300);
    }
    constexpr int steps = 10;
    for (std::size_t a = 0; a < goals; ++a) {
      for (std::size_t b = a + 1; b < goals; ++b) {
        for (int step = 0; step <= steps; ++step) {
          std::vector<double> weights(goals, 0);
          weights[a] = (1 - static_cast<double>(step) / steps) / scale[a];
          weights[b] = static_cast<double>(step) / steps / scale[b];
          mixtures.push_back(weights);
        }
      }
    }
  }
  for_each_choice(oracle.problem(), [&](const std::vector<double>& at) {
    for (const auto& weights : mixtures) {
      if (!oracle.ended()) search_intervals(oracle, at, weights);
    }
  });
}

}  // namespace wave::analysis
