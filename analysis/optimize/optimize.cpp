// Decides which method to use, and what it proves. See optimize.h.
#include "analysis/optimize/optimize.h"

#include "analysis/optimize/oracle.h"
#include "analysis/optimize/problem.h"
#include "analysis/optimize/random.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace wave::analysis {
namespace {

// If all points take no longer than this, they are evaluated without looking for bounds.
constexpr double quick_seconds = 3;
// Parts of the time: for a first guess to compare boxes with, and for all points if there are no bounds.
constexpr double part_of_guess = 0.15, part_of_all = 0.9;
constexpr std::size_t polished = 24;
constexpr std::uint64_t seed_of_sample = 0x9e3779b97f4a7c15;

class Optimizer {
 public:
  Optimizer(Problem& problem, const SearchOptions& options)
      : problem_(problem), options_(options), oracle_(problem, options) {}

  SearchOutcome run() {
    Method method = options_.method;
    if (problem_.size() > 0) {
      if (method == Method::exhaustive && problem_.has_intervals()) method = Method::automatic;
      if (method == Method::automatic) method = choose();
      if (method == Method::exhaustive)
        run_all();
      else if (method == Method::bounds)
        run_bounds();
      else
        run_search();
    }
    SearchOutcome outcome = std::move(oracle_.outcome);
    if (problem_.size() == 0) outcome.proof = Proof::all_points;
    outcome.method = method;
    outcome.best = oracle_.best.sorted();
    outcome.more_equals = oracle_.best.more_equals();
    if (oracle_.best.overflowed()) outcome.proof = Proof::none;
    if (outcome.proof != Proof::none && problem_.given_up() > 0) {
      outcome.proof = Proof::none;
      outcome.ending = Ending::given_up;
    }
    if (outcome.proof != Proof::none) outcome.ending = Ending::complete;
    return outcome;
  }

 private:
  Method choose() {
    take_sample();
    const bool has_bounds = are_bounds_useful();
    if (!problem_.has_intervals()) {
      const double all = seconds_for_all();
      if (all <= std::min(quick_seconds, oracle_.seconds_left()) &&
          problem_.size() <= static_cast<double>(options_.most_points)) {
        return Method::exhaustive;
      }
      if (has_bounds) return Method::bounds;
      if (all <= part_of_all * oracle_.seconds_left()) return Method::exhaustive;
      return Method::search;
    }
    return has_bounds && oracle_.goals() == 1 ? Method::bounds : Method::search;
  }

  std::vector<double> draw_point(SearchRandom& random) const {
    const Box box = problem_.whole();
    std::vector<double> at;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      const Domain& domain = problem_.domains[i];
      at.push_back(domain.is_interval ? box.low[i] + random.part() * (box.high[i] - box.low[i])
                                      : static_cast<double>(random.below(domain.size())));
    }
    return at;
  }

  // Some points all over, which tell how long one takes and how many satisfy the constraints. They are evaluated again
  // later.
  void take_sample() {
    SearchRandom random(seed_of_sample);
    const auto draw = [&](std::size_t count) {
      Points points(problem_.domains.size());
      for (std::size_t k = 0; k < count; ++k) points.add(draw_point(random));
      return points;
    };
    constexpr double enough_seconds = 0.2;
    SearchOptions quiet = options_;
    quiet.progress = nullptr;
    Oracle sample(problem_, quiet);
    for (std::size_t count = 1; count <= 4096 && sample.seconds() < enough_seconds; count *= 8) {
      if (static_cast<double>(count) > problem_.size() || !sample.ask(draw(count))) break;
    }
    // Hardly any point satisfies the constraints, so the time of a point is measured whether it does or not.
    const bool none_good = sample.outcome.evaluated == 0;
    if (none_good) sample.measure(draw(1));
    sampled_constrain_ = sample.seconds_to_constrain();
    sampled_evaluate_ = sample.seconds_to_evaluate();
    const double asked = static_cast<double>(sample.outcome.constrained);
    // If none of a few points satisfies the constraints, others still may.
    sampled_good_ = asked == 0 ? 1 : none_good ? 1 / asked : static_cast<double>(sample.outcome.evaluated) / asked;
  }

  double seconds_for_all() const { return problem_.size() * (sampled_constrain_ + sampled_good_ * sampled_evaluate_); }

  // Bounds of the whole box or, if that is too wide to say anything, of points all over it.
  bool are_bounds_useful() {
    SearchRandom random(seed_of_sample);
    Box box = problem_.whole();
    constexpr int tries = 12;
    for (int i = 0; i < tries; ++i) {
      const auto bounds = problem_.bound(box);
      if (!bounds) return false;
      if (bounds->violated == 0 && !bounds->fails) {
        bool known = true;
        for (std::size_t k = 0; k < bounds->goals.size(); ++k) {
          known = known && (problem_.maximize[k] ? -bounds->goals[k].high : bounds->goals[k].low) > -infinity;
        }
        if (known || i > 0) return known;
      }
      const std::vector<double> at = draw_point(random);
      box = {at, at};
    }
    return true;
  }

  void run_all() {
    if (evaluate_all(oracle_)) oracle_.outcome.proof = Proof::all_points;
  }

  void run_bounds() {
    // The guess is a search of its own. Its finds only serve for comparison and are found again, so that ties are
    // counted correctly.
    Best known(oracle_.goals(), options_.top);
    {
      SearchOptions first = options_;
      if (options_.seconds < infinity)
        first.seconds = options_.seconds * part_of_guess;
      else
        first.seconds = quick_seconds;
      first.most_points = options_.most_points / 4;
      Oracle guess(problem_, first);
      run_search_with(guess, true);
      const bool exact = !problem_.has_intervals();
      known = std::move(guess.best);
      add_counts(guess.outcome);
      if (!exact) oracle_.best.merge(known);
    }
    const Best nothing(oracle_.goals(), options_.top);
    const auto end = branch_and_bound(oracle_, problem_.has_intervals() ? nothing : known);
    if (end.complete) {
      const double least = oracle_.best.least();
      const bool proved = !problem_.has_intervals() || end.lower >= least;
      // Boxes may be left that are too narrow to be divided, but whose bounds say too little: near a pole, say.
      const bool nearly = least < infinity && end.lower >= least - options_.tolerance * std::fabs(least);
      oracle_.outcome.proof = proved ? Proof::bounds : nearly ? Proof::within_tolerance : Proof::none;
      if (oracle_.outcome.proof == Proof::none) oracle_.outcome.ending = Ending::too_narrow;
    } else {
      oracle_.best.merge(known);
    }
    if (oracle_.goals() == 1 && end.lower > -infinity && !(end.complete && end.lower == infinity)) {
      oracle_.outcome.lower = std::min(end.lower, oracle_.best.least());
    }
  }

  void add_counts(const SearchOutcome& other) {
    oracle_.outcome.constrained += other.constrained;
    oracle_.outcome.evaluated += other.evaluated;
    oracle_.outcome.failed += other.failed;
    oracle_.outcome.broken += other.broken;
    oracle_.outcome.satisfying += other.satisfying;
    if (!oracle_.outcome.nearest) oracle_.outcome.nearest = other.nearest;
  }

  void run_search() { run_search_with(oracle_, false); }

  // With intervals NLopt finishes what the descent begins, or does all of it where the other variables have few
  // choices.
  void run_search_with(Oracle& oracle, bool is_guess) {
    if (!problem_.has_intervals()) return search_locally(oracle);
    if (oracle.goals() > 1) oracle.set_end(oracle.seconds_left() / 4);
    Points middle(problem_.domains.size());
    const Box box = problem_.whole();
    std::vector<double> at;
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      at.push_back(problem_.domains[i].is_interval ? (box.low[i] + box.high[i]) / 2
                                                   : std::floor((box.low[i] + box.high[i]) / 2));
    }
    middle.add(at);
    oracle.ask(middle);
    if (oracle.goals() == 1 && can_search_each(oracle)) return search_each(oracle);
    oracle.set_end(oracle.options().seconds < infinity ? oracle.seconds_left() / 2 : infinity);
    search_locally(oracle);
    oracle.set_end(infinity);
    if (oracle.goals() > 1 && can_search_each(oracle)) return search_each(oracle);
    auto found = oracle.best.sorted();
    if (found.size() > (is_guess ? 4 : polished)) found.resize(is_guess ? 4 : polished);
    for (const Candidate& one : found) {
      for (std::size_t k = 0; k < oracle.goals(); ++k) {
        std::vector<double> weights(oracle.goals(), 0);
        weights[k] = 1;
        if (!oracle.ended()) search_intervals(oracle, one.at, weights);
      }
    }
  }

  Problem& problem_;
  const SearchOptions& options_;
  Oracle oracle_;
  double sampled_constrain_ = 0, sampled_evaluate_ = 0, sampled_good_ = 1;
};

}  // namespace

SearchOutcome optimize(Problem& problem, const SearchOptions& options) { return Optimizer(problem, options).run(); }

namespace {

constexpr double part_of_interval = 1e-3;

// The place of the next larger (or smaller) value. Nothing if there is none.
std::optional<double> next_place(const Domain& domain, double at, bool larger) {
  if (domain.is_interval) {
    const double step = part_of_interval * (domain.high - domain.low);
    const double to = larger ? std::min(at + step, domain.high) : std::max(at - step, domain.low);
    return to == at ? std::nullopt : std::optional(to);
  }
  const double value = domain.value(at);
  std::optional<double> best;
  for (std::uint64_t i = 0; i < domain.size(); ++i) {
    const double other = domain.value(static_cast<double>(i));
    const bool is_beyond = larger ? other > value : other < value;
    const bool is_nearer = !best || (larger ? other < domain.value(*best) : other > domain.value(*best));
    if (is_beyond && is_nearer) best = static_cast<double>(i);
  }
  return best;
}

bool is_better(std::span<const double> a, std::span<const double> b) {
  return a.size() == 1 ? a[0] < b[0] : dominates(a, b);
}

}  // namespace

LimitedBy find_limits(Problem& problem, const Candidate& candidate) {
  struct Neighbour {
    std::size_t variable;
    bool larger;
  };
  Points points(candidate.at.size());
  std::vector<Neighbour> neighbours;
  std::vector<Neighbour> missing;
  for (std::size_t i = 0; i < candidate.at.size(); ++i) {
    if (!problem.domains[i].is_number) continue;
    for (const bool larger : {false, true}) {
      const auto place = next_place(problem.domains[i], candidate.at[i], larger);
      if (!place) {
        missing.push_back({i, larger});
        continue;
      }
      auto at = candidate.at;
      at[i] = *place;
      points.add(at);
      neighbours.push_back({i, larger});
    }
  }
  LimitedBy result;
  if (points.empty()) return result;
  std::vector<Violation> early(points.size()), late;
  if (problem.constraints > 0) problem.constrain(points, early);
  std::vector<double> costs;
  problem.evaluate(points, costs, late);
  const std::size_t goals = problem.maximize.size();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (problem.maximize[i % goals]) costs[i] = -costs[i];
    if (!std::isfinite(costs[i])) costs[i] = infinity;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::span<const double> own(costs.data() + i * goals, goals);
    if (own[0] == infinity) continue;
    if (is_better(own, candidate.costs)) {
      const std::uint64_t broken = early[i].constraints | late[i].constraints;
      result.constraints |= broken;
      result.has_better_neighbour = result.has_better_neighbour || broken == 0;
    }
    // The goals get worse away from this end, so they may get better beyond it.
    for (const Neighbour& end : missing) {
      const bool is_opposite = end.variable == neighbours[i].variable && end.larger != neighbours[i].larger;
      if (is_opposite && is_better(candidate.costs, own)) result.ends.push_back({end.variable, end.larger});
    }
  }
  return result;
}

}  // namespace wave::analysis
