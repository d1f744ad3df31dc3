// See scan.h.
#include "analysis/optimize/scan.h"

#include "analysis/optimize/oracle.h"
#include "analysis/optimize/problem.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

constexpr std::size_t most_runs = 100'000;
constexpr std::size_t most_pending = 1 << 14;

SearchOptions search_options(const ScanOptions& options) {
  SearchOptions result;
  result.seconds = infinity;
  result.stop = options.stop;
  result.progress = options.progress;
  return result;
}

// What is proved once a scan has come to its end: nothing of points that were given up.
void conclude(const Problem& problem, bool done, ScanOutcome& outcome) {
  outcome.complete = done;
  outcome.search.proof = done ? Proof::all_points : Proof::none;
  if (problem.given_up() == 0) return;
  outcome.complete = false;
  outcome.search.proof = Proof::none;
  if (outcome.search.ending == Ending::complete) outcome.search.ending = Ending::given_up;
}

class Scan {
 public:
  Scan(Problem& problem, const ScanOptions& options)
      : problem_(problem),
        options_(options),
        search_(search_options(options)),
        oracle_(problem, search_),
        pending_(problem.domains.size()) {}

  ScanOutcome run() {
    const bool done = problem_.size() == 0 || (visit(problem_.whole()) && flush());
    outcome_.search = std::move(oracle_.outcome);
    conclude(problem_, done, outcome_);
    return std::move(outcome_);
  }

 private:
  static double points_of(const Box& box) {
    double points = 1;
    for (std::size_t i = 0; i < box.low.size(); ++i) points *= box.high[i] - box.low[i] + 1;
    return points;
  }

  // The size of a box whose points take no longer than another look at bounds.
  double leaf_size() const {
    const double point = oracle_.seconds_to_evaluate();
    if (!has_bounds_) return 4096;
    if (point <= 0) return 16;
    return std::clamp(4 * bound_seconds_ / std::max(1.0, static_cast<double>(bounds_)) / point, 1.0, 4096.0);
  }

  // False if the scan has to end here.
  bool visit(const Box& box) {
    if (oracle_.ended()) return false;
    if (has_bounds_) {
      const double begin = oracle_.seconds();
      const auto bounds = problem_.bound(box);
      bound_seconds_ += oracle_.seconds() - begin;
      ++bounds_;
      has_bounds_ = bounds.has_value();
      ++oracle_.outcome.boxes;
      if (bounds && bounds->violated != 0) {
        oracle_.exclude(points_of(box), bounds->violated);
        return true;
      }
    }
    if (points_of(box) <= leaf_size()) return add(box);
    // The first variable changes slowest, so both halves keep the order.
    std::size_t axis = 0;
    while (box.low[axis] == box.high[axis]) ++axis;
    const double middle = std::floor((box.low[axis] + box.high[axis]) / 2);
    Box low = box, high = box;
    low.high[axis] = middle;
    high.low[axis] = middle + 1;
    return visit(low) && visit(high);
  }

  bool add(const Box& box) {
    std::vector<double> at = box.low;
    while (true) {
      pending_.add(at);
      std::size_t i = at.size();
      while (i-- > 0 && at[i] == box.high[i]) at[i] = box.low[i];
      if (i == static_cast<std::size_t>(-1)) break;
      at[i] += 1;
    }
    // Slow points are evaluated immediately, since the first may be all that the user wants.
    const double seconds = oracle_.seconds_to_evaluate();
    const bool is_slow = seconds <= 0 || seconds * static_cast<double>(pending_.size()) > 0.02;
    return pending_.size() < most_pending && !is_slow ? true : flush();
  }

  bool flush() {
    Assessed assessed;
    const bool done = oracle_.ask(pending_, &assessed);
    // If the scan was stopped on the way, nothing is known of the points that it has not looked at.
    const std::size_t known = done ? pending_.size() : 0;
    for (std::size_t row = 0; row < known; ++row) {
      if (assessed.violations[row].constraints == 0 && !take(pending_[row])) return false;
    }
    pending_.clear();
    return done;
  }

  bool take(std::span<const double> at) {
    ++outcome_.holding;
    outcome_.last.assign(at.begin(), at.end());
    if (outcome_.points.size() < options_.most_kept) outcome_.points.push_back(outcome_.last);
    if (at.size() == 1) {
      auto& runs = outcome_.runs;
      if (!runs.empty() && runs.back().second + 1 == at[0])
        runs.back().second = at[0];
      else if (runs.size() < most_runs)
        runs.emplace_back(at[0], at[0]);
      else
        outcome_.has_more_runs = true;
    }
    return !options_.first;
  }

  Problem& problem_;
  const ScanOptions& options_;
  const SearchOptions search_;
  Oracle oracle_;
  Points pending_;
  ScanOutcome outcome_;
  bool has_bounds_ = true;
  double bound_seconds_ = 0;
  std::uint64_t bounds_ = 0;
};

}  // namespace

ScanOutcome scan(Problem& problem, const ScanOptions& options) { return Scan(problem, options).run(); }

ScanOutcome scan_interval(Problem& problem, const ScanOptions& options, std::size_t samples) {
  const SearchOptions search = search_options(options);
  Oracle oracle(problem, search);
  ScanOutcome outcome;
  const Domain& domain = problem.domains.front();
  const auto holds = [&](double at) {
    Points one(1);
    one.add(std::vector<double>{at});
    Assessed assessed;
    return oracle.ask(one, &assessed) && assessed.violations[0].constraints == 0;
  };
  const auto take = [&](double at) {
    outcome.last = {at};
    if (outcome.points.size() < options.most_kept) outcome.points.push_back(outcome.last);
  };
  // Where the conditions cease to hold, between a place where they do and one where they do not.
  const auto edge = [&](double inside, double outside) {
    while (!oracle.ended()) {
      const double middle = inside + (outside - inside) / 2;
      if (middle == inside || middle == outside) break;
      (holds(middle) ? inside : outside) = middle;
    }
    return inside;
  };
  const std::size_t count = domain.low == domain.high ? 1 : std::max<std::size_t>(samples, 2);
  std::optional<double> begin;
  double before = domain.low;
  for (std::size_t i = 0; i < count && !oracle.ended(); ++i) {
    const double part = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
    const double at = i + 1 == count ? domain.high : domain.low + part * (domain.high - domain.low);
    const bool is_in = holds(at);
    if (is_in && !begin) {
      begin = i == 0 ? at : edge(at, before);
      take(*begin);
    } else if (!is_in && begin) {
      outcome.runs.emplace_back(*begin, edge(before, at));
      take(outcome.runs.back().second);
      begin.reset();
      if (options.first) break;
    }
    outcome.holding += is_in ? 1 : 0;
    before = at;
  }
  if (begin) {
    outcome.runs.emplace_back(*begin, before);
    take(before);
  }
  const bool done = oracle.outcome.ending == Ending::complete && !(options.first && !outcome.runs.empty());
  outcome.search = std::move(oracle.outcome);
  conclude(problem, done, outcome);
  outcome.search.proof = Proof::none;  // nobody looked between the samples
  return outcome;
}

// Every point, in the order of the product. See oracle.h.

namespace {

constexpr std::size_t points_at_once = 1 << 16;

// Goes to the next point. False after the last one.
bool advance(std::vector<double>& at, const Box& box) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (at[i] < box.high[i]) {
      at[i] += 1;
      return true;
    }
    at[i] = box.low[i];
  }
  return false;
}

}  // namespace

bool evaluate_all(Oracle& oracle) {
  if (oracle.problem().size() == 0) return true;
  const Box box = oracle.problem().whole();
  std::vector<double> at = box.low;
  Points points(at.size());
  for (bool more = true; more;) {
    points.clear();
    while (more && points.size() < points_at_once) {
      points.add(at);
      more = advance(at, box);
    }
    if (!oracle.ask(points)) return false;
  }
  return true;
}

}  // namespace wave::analysis
