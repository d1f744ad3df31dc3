// A problem to optimise: variables with their possible values, goals, and constraints. Its implementation has the
// model. It says what points cost and, if that can be proved, the least that any point of a box can cost.
#pragma once

#include "analysis/value_table.h"
#include "ir/interval.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis {

// What one variable may be: a list of values, or every real between two.
struct Domain {
  std::string name;
  ColumnValues values;  // of a list, in its order; of labels their ordinals
  bool is_interval = false;
  double low = 0, high = 0;  // of an interval
  // Numbers, whose neighbours in the list are neighbours. Else words, machines, truth values.
  bool is_number = true;

  std::uint64_t size() const;     // of a list
  double value(double at) const;  // the number at this position; of an interval `at` itself
};

// Points, one after the other. A coordinate is a position in the list of its variable (from 0), or the value itself
// where that is an interval; so points compare in the order in which a product lists them.
class Points {
 public:
  explicit Points(std::size_t width) : width_(width) {}
  std::size_t width() const { return width_; }
  std::size_t size() const { return at_.size() / width_; }
  bool empty() const { return at_.empty(); }
  std::span<const double> operator[](std::size_t i) const { return {at_.data() + i * width_, width_}; }
  void add(std::span<const double> point) { at_.insert(at_.end(), point.begin(), point.end()); }
  void clear() { at_.clear(); }
  Points part(std::size_t begin, std::size_t end) const;

 private:
  std::size_t width_;
  std::vector<double> at_;
};

// Coordinates from `low` to `high`, both included.
struct Box {
  std::vector<double> low, high;
};

// What holds at every point of a box.
struct BoxBounds {
  std::vector<ir::Interval> goals;  // each finite value lies in here; empty (low > high): each point fails
  std::uint64_t violated = 0;       // constraints that hold nowhere in the box
  bool fails = false;               // every point of it fails
};

// How a point breaks constraints: a bit for each, and by how much in all, relative to what they compare; 0 if it breaks
// none.
struct Violation {
  std::uint64_t constraints = 0;
  double amount = 0;
};

inline constexpr std::size_t most_constraints = 63;

class Problem {
 public:
  virtual ~Problem() = default;

  std::vector<Domain> domains;
  std::vector<bool> maximize;  // for each goal; else it is to be small
  std::size_t constraints = 0;
  // The one that a point breaks at which the model fails, where there is such a constraint.
  std::optional<std::size_t> failing;

  // Of each point, in their order. One at which a constraint fails breaks it.
  virtual void constrain(const Points& points, std::vector<Violation>& violations) = 0;
  // The goals of each point, point by point; no finite number: it fails. And the constraints that it breaks of those
  // that were too costly to be asked before.
  virtual void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) = 0;
  // Nothing: there are no bounds.
  virtual std::optional<BoxBounds> bound(const Box&) { return std::nullopt; }

  // How many evaluations were given up, as they took too long or too much: nothing is known of these points.
  virtual std::uint64_t given_up() const { return 0; }

  // The number of points as a double; of intervals infinite.
  double size() const;
  // All that may be chosen.
  Box whole() const;
  bool has_intervals() const;
};

// The best points so far: the best few with one goal; with several, those that no other dominates.

struct Candidate {
  std::vector<double> at;     // coordinates, see Points
  std::vector<double> costs;  // the goals, those to be large negated
  std::uint64_t equals = 0;   // of a front: other points with the same costs
};

// `a` is nowhere worse and somewhere better.
bool dominates(std::span<const double> a, std::span<const double> b);

// Ordered by cost, equal ones by their place in the product, so that it does not matter in which order they are found.
class Best {
 public:
  // `most` are kept of one goal; of several goals all (at most `most_of_front`). Coordinates of `intervals` do not tell
  // points apart: of points that differ in nothing else the better one is kept.
  Best(std::size_t goals, std::size_t most, std::vector<bool> intervals = {});

  // Each point is offered once, if `equals` are to be counted right. All costs are finite.
  void offer(std::span<const double> at, std::span<const double> costs);
  void merge(const Best& other);

  // With one goal the list; else the front by its first goal.
  std::vector<Candidate> sorted() const;
  bool empty() const { return list_.empty(); }
  // With one goal: points that are as good as the last of a full list, and not in it.
  std::uint64_t more_equals() const { return more_equals_; }
  // No point at which each goal costs at least this can be of interest. Ties are.
  bool excludes(std::span<const double> lower) const;
  // With one goal: a cost that what is still of interest does not exceed; infinite while the list is not full.
  double threshold() const;
  double least() const;  // of the first goal; infinite: nothing was found
  bool overflowed() const { return overflowed_; }

  static constexpr std::size_t most_of_front = 100'000;

 private:
  bool same_place(const Candidate& a, std::span<const double> at) const;
  void offer_to_list(Candidate&& one);
  void offer_to_front(Candidate&& one);

  std::size_t goals_, most_;
  std::vector<bool> intervals_;
  bool has_intervals_ = false;
  std::vector<Candidate> list_;
  std::uint64_t more_equals_ = 0;
  bool overflowed_ = false;
};

// Infinity stands for an unknown bound, the cost of an impossible point, and the absence of a time limit.

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// Tells why nothing satisfies all constraints: one alone excludes every point, or two together do.

class Exclusion {
 public:
  explicit Exclusion(std::size_t constraints)
      : met_with_(constraints, 0), none_(constraints == 0 ? 0 : (std::uint64_t{1} << constraints) - 1) {}

  // A point, or a box of which all points break these constraints.
  void add(std::uint64_t violated);
  // Constraints that each point breaks, of those that were added; nothing was: none.
  std::vector<std::size_t> alone() const;
  // The first two that no point satisfies both, where none does so alone.
  std::optional<std::pair<std::size_t, std::size_t>> pair() const;

 private:
  std::vector<std::uint64_t> met_with_;  // of each: what was satisfied along with it somewhere
  std::uint64_t none_;                   // broken everywhere
  bool has_any_ = false;
};

}  // namespace wave::analysis
