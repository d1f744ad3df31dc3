// Descends along the variables from many starts. From a point, the search tries all points that differ from it in one
// variable (by one place in its list, by two, four and so on), or in two of which one rises as the other falls. It goes
// on from the best of them. If none is better, it draws another start. The way may lead through points that break
// constraints until one is found that does not. See oracle.h.
#include "analysis/optimize/oracle.h"
#include "analysis/optimize/problem.h"
#include "analysis/optimize/random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wave::analysis {
namespace {

constexpr std::size_t drawn = 32;              // a start is the best of this many points
constexpr std::uint64_t whole_list = 24;       // lists up to this length are tried value by value
constexpr std::size_t fruitless_starts = 60;   // after this many the search ends
constexpr std::size_t most_known = 2'000'000;  // points whose costs are remembered
constexpr std::size_t most_pairs = 60;

using Coordinates = std::vector<double>;

// How good a point is: first how far it is from satisfying the constraints, then what it costs.
struct Standing {
  double violation = infinity;
  double cost = infinity;
  bool better_than(const Standing& other) const {
    return violation != other.violation ? violation < other.violation : cost < other.cost;
  }
};

class LocalSearch {
 public:
  explicit LocalSearch(Oracle& oracle)
      : oracle_(oracle),
        problem_(oracle.problem()),
        box_(problem_.whole()),
        random_(oracle.options().seed),
        weights_(oracle.goals(), 1) {}

  void run() {
    if (problem_.size() == 0) return;
    std::size_t fruitless = 0;
    while (fruitless < fruitless_starts && !oracle_.ended()) {
      const double before = oracle_.best.least();
      const std::size_t front_before = oracle_.best.sorted().size();
      draw_weights();
      descend(draw_start());
      const bool found =
          oracle_.goals() == 1 ? oracle_.best.least() < before : oracle_.best.sorted().size() > front_before;
      fruitless = found ? 0 : fruitless + 1;
    }
  }

 private:
  // With several goals, each start looks for the best of another mixture of them.
  void draw_weights() {
    if (weights_.size() == 1) return;
    for (double& one : weights_) one = random_.part();
    // The ends of the front.
    if (random_.below(4) == 0) {
      std::fill(weights_.begin(), weights_.end(), 1e-6);
      weights_[random_.below(weights_.size())] = 1;
    }
  }

  double mixed(std::span<const double> costs) {
    if (costs.size() == 1) return costs[0];
    double sum = 0;
    scale_.resize(costs.size(), 0);
    for (std::size_t k = 0; k < costs.size(); ++k) {
      if (scale_[k] == 0 && std::isfinite(costs[k])) scale_[k] = std::max(std::fabs(costs[k]), 1e-300);
      sum += weights_[k] * costs[k] / (scale_[k] == 0 ? 1 : scale_[k]);
    }
    return sum;
  }

  double draw(std::size_t i) {
    if (problem_.domains[i].is_interval) return box_.low[i] + random_.part() * (box_.high[i] - box_.low[i]);
    return static_cast<double>(random_.below(problem_.domains[i].size()));
  }

  // Asks about the points that are not known yet, and returns the best of all.
  std::pair<Coordinates, Standing> ask(const std::set<Coordinates>& points) {
    Points unknown(box_.low.size());
    std::vector<const Coordinates*> asked;
    std::pair<Coordinates, Standing> best;
    const auto consider = [&](const Coordinates& at, const Standing& standing) {
      if (best.first.empty() || standing.better_than(best.second)) best = {at, standing};
    };
    for (const Coordinates& at : points) {
      const auto known = known_.find(at);
      if (known != known_.end()) {
        Standing standing{known->second.violation, known->second.costs.empty() ? infinity : mixed(known->second.costs)};
        consider(at, standing);
      } else {
        unknown.add(at);
        asked.push_back(&at);
      }
    }
    Assessed assessed;
    oracle_.ask(unknown, &assessed);
    const std::size_t count = oracle_.goals();
    if (known_.size() > most_known) known_.clear();
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Known one{assessed.violations[i].amount, {}};
      const std::span<const double> costs(assessed.costs.data() + i * count, count);
      if (!std::isnan(costs[0]))
        one.costs.assign(costs.begin(), costs.end());
      else if (one.violation == 0)
        one.violation = 1e300;  // it fails, which is no better than any constraint
      consider(*asked[i], {one.violation, one.costs.empty() ? infinity : mixed(one.costs)});
      known_.emplace(*asked[i], std::move(one));
    }
    return best;
  }

  std::pair<Coordinates, Standing> draw_start() {
    std::set<Coordinates> points;
    // One in each part of every variable (a Latin square), so that none is left out by chance.
    std::vector<std::vector<double>> columns(box_.low.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (std::size_t k = 0; k < drawn; ++k) {
        const double width = box_.high[i] - box_.low[i] + (problem_.domains[i].is_interval ? 0 : 1);
        const double part = (static_cast<double>(k) + random_.part()) / static_cast<double>(drawn);
        double at = box_.low[i] + part * width;
        if (!problem_.domains[i].is_interval) at = std::min(std::floor(at), box_.high[i]);
        columns[i].push_back(std::min(at, box_.high[i]));
      }
      random_.shuffle(columns[i]);
    }
    for (std::size_t k = 0; k < drawn; ++k) {
      Coordinates at;
      for (const auto& column : columns) at.push_back(column[k]);
      points.insert(std::move(at));
    }
    return ask(points);
  }

  void descend(std::pair<Coordinates, Standing> present) {
    double reach = 0.25;  // of steps along intervals, relative to them
    while (!present.first.empty() && !oracle_.ended()) {
      auto next = ask(neighbours(present.first, reach));
      if (!next.first.empty() && next.second.better_than(present.second)) {
        present = std::move(next);
      } else if (problem_.has_intervals() && reach > 1e-7) {
        reach /= 4;
      } else {
        return;
      }
    }
  }

  void add_step(std::set<Coordinates>& points, const Coordinates& at, std::size_t i, double to) {
    if (to < box_.low[i] || to > box_.high[i] || to == at[i]) return;
    Coordinates other = at;
    other[i] = to;
    points.insert(std::move(other));
  }

  std::set<Coordinates> neighbours(const Coordinates& at, double reach) {
    std::set<Coordinates> points;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Domain& domain = problem_.domains[i];
      if (domain.is_interval) {
        const double step = reach * (box_.high[i] - box_.low[i]);
        for (const double sign : {-1.0, 1.0})
          add_step(points, at, i, std::clamp(at[i] + sign * step, box_.low[i], box_.high[i]));
        add_step(points, at, i, draw(i));
      } else if (domain.size() <= whole_list || !domain.is_number) {
        for (std::uint64_t k = 0; k < std::min<std::uint64_t>(domain.size(), 256); ++k)
          add_step(points, at, i, static_cast<double>(k));
      } else {
        for (double step = 1; step <= box_.high[i]; step *= 2) {
          add_step(points, at, i, at[i] - step);
          add_step(points, at, i, at[i] + step);
        }
        // The next few values, too, in case the value must divide something.
        for (double step = 3; step <= 12; ++step) {
          add_step(points, at, i, at[i] - step);
          add_step(points, at, i, at[i] + step);
        }
      }
    }
    add_pairs(points, at);
    return points;
  }

  // Points at which one variable rises and another falls, by a place or so that their product stays the same.
  void add_pairs(std::set<Coordinates>& points, const Coordinates& at) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = 0; j < at.size(); ++j) {
        const bool both = problem_.domains[i].is_number && problem_.domains[j].is_number;
        if (i != j && both && !problem_.domains[i].is_interval && !problem_.domains[j].is_interval)
          pairs.emplace_back(i, j);
      }
    }
    random_.shuffle(pairs);
    if (pairs.size() > most_pairs) pairs.resize(most_pairs);
    for (const auto& [i, j] : pairs) {
      for (const auto& [up, down] : {std::pair(at[i] + 1, at[j] - 1), std::pair(near(i, at[i], 2), near(j, at[j], 0.5)),
                                     std::pair(near(i, at[i], 3), near(j, at[j], 1.0 / 3)),
                                     std::pair(at[i] + 1, at[j] + 1), std::pair(at[i] - 1, at[j] - 1)}) {
        if (up < box_.low[i] || up > box_.high[i] || down < box_.low[j] || down > box_.high[j]) continue;
        Coordinates other = at;
        other[i] = up;
        other[j] = down;
        points.insert(std::move(other));
      }
    }
  }

  // In a list that rises or falls, the place whose value is nearest to a multiple of the present one.
  double near(std::size_t i, double at, double factor) const {
    const Domain& domain = problem_.domains[i];
    const double wanted = domain.value(at) * factor;
    const bool rises = domain.value(box_.high[i]) >= domain.value(0);
    double low = 0, high = box_.high[i];
    while (low < high) {
      const double middle = std::floor((low + high) / 2);
      if (rises ? domain.value(middle) < wanted : domain.value(middle) > wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  struct Known {
    double violation = 0;
    std::vector<double> costs;
  };

  Oracle& oracle_;
  Problem& problem_;
  const Box box_;
  SearchRandom random_;
  std::vector<double> weights_, scale_;
  std::map<Coordinates, Known> known_;
};

}  // namespace

void search_locally(Oracle& oracle) { LocalSearch(oracle).run(); }

}  // namespace wave::analysis
