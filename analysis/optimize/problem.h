// A problem to optimise: variables with their possible values, goals and constraints, and the best points found. The
// implementation of a problem knows the model. It says what points cost and, where it can prove it, the least that any
// point of a box can cost.
#pragma once

#include "analysis/value_table.h"
#include "ir/interval.h"

#include <atomic>
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
  ColumnValues values;  // of a list, in its order; labels are given by their ordinals
  bool is_interval = false;
  double low = 0, high = 0;  // of an interval
  // Neighbours in the list are close to each other. False for words, machines and truth values.
  bool is_number = true;

  std::uint64_t size() const;     // of a list
  double value(double at) const;  // the number at this position; of an interval `at` itself
};

// Points, one after the other. A coordinate is a position (from 0) in the list of its variable, or the value itself if
// the variable has an interval. So points compare in the order in which a product lists them.
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

// How a point breaks constraints: a bit for each of them, and by how much in all, relative to the numbers that they
// compare. 0 if it breaks none.
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
  // The constraint that a point breaks if the model fails there, where there is such a constraint.
  std::optional<std::size_t> failing;
  // Once it is set, evaluations end early, and what they return is of no use.
  const std::atomic<bool>* stop = nullptr;

  // Which constraints each point breaks. A constraint that fails at a point is broken there.
  virtual void constrain(const Points& points, std::vector<Violation>& violations) = 0;
  // The goals of each point, point by point; a goal that is no finite number means that the point fails. Also which
  // constraints the point breaks of those that are too costly to be asked about before.
  virtual void evaluate(const Points& points, std::vector<double>& goals, std::vector<Violation>& violations) = 0;
  // Nothing if there are no bounds.
  virtual std::optional<BoxBounds> bound(const Box&) { return std::nullopt; }

  // How many evaluations were given up because they took too much time or memory. Nothing is known of these points.
  virtual std::uint64_t given_up() const { return 0; }

  // The number of points; infinite if there are intervals.
  double size() const;
  // The box of all points.
  Box whole() const;
  bool has_intervals() const;
  bool is_stopped() const { return stop != nullptr && *stop; }
};

// The best points so far: the best few with one goal; with several, those that no other dominates.

struct Candidate {
  std::vector<double> at;     // coordinates, see Points
  std::vector<double> costs;  // the goals, those to be large negated
  std::uint64_t equals = 0;   // in a front, other points with the same costs
};

// Whether `a` is nowhere worse and somewhere better.
bool dominates(std::span<const double> a, std::span<const double> b);

// Points are ordered by cost, and those of equal cost by their place in the product, so that the order in which they
// are found does not matter.
class Best {
 public:
  // With one goal, `most` points are kept; with several, all of them up to `most_of_front`. Coordinates of `intervals`
  // do not tell points apart: of two points that differ in nothing else, the better one is kept.
  Best(std::size_t goals, std::size_t most, std::vector<bool> intervals = {});

  // Offer each point once, so that `equals` counts correctly. All costs are finite.
  void offer(std::span<const double> at, std::span<const double> costs);
  void merge(const Best& other);

  // The list or, with several goals, the front by its first goal.
  std::vector<Candidate> sorted() const;
  bool empty() const { return list_.empty(); }
  // With one goal, how many points are as good as the last of a full list, but not in it.
  std::uint64_t more_equals() const { return more_equals_; }
  // Whether points that cost at least this in each goal are of no interest. Ties are of interest.
  bool excludes(std::span<const double> lower) const;
  // With one goal, the largest cost that is still of interest; infinite while the list is not full.
  double threshold() const;
  double least() const;  // cost of the first goal; infinite if nothing was found
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

// Tells why nothing satisfies all constraints: because one alone excludes every point, or because two together do.

class Exclusion {
 public:
  explicit Exclusion(std::size_t constraints)
      : met_with_(constraints, 0), none_(constraints == 0 ? 0 : (std::uint64_t{1} << constraints) - 1) {}

  // Adds a point, or a box all of whose points break these constraints.
  void add(std::uint64_t violated);
  // The constraints that every point breaks of those that were added. None if nothing was added.
  std::vector<std::size_t> alone() const;
  // The first two constraints that no point satisfies together, unless one alone excludes everything.
  std::optional<std::pair<std::size_t, std::size_t>> pair() const;

 private:
  std::vector<std::uint64_t> met_with_;  // by constraint: what was satisfied along with it somewhere
  std::uint64_t none_;                   // broken everywhere
  bool has_any_ = false;
};

}  // namespace wave::analysis
