// A problem to optimise: variables with their possible values, goals, and constraints. Its implementation has the
// model. It says what points cost and, if that can be proved, the least that any point of a box can cost.
#pragma once

#include "analysis/value_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

struct Range {
  double low = 0, high = 0;
};

// What holds at every point of a box.
struct BoxBounds {
  std::vector<Range> goals;    // each finite value lies in here; empty (low > high): each point fails
  std::uint64_t violated = 0;  // constraints that hold nowhere in the box
  bool fails = false;          // every point of it fails
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

}  // namespace wave::analysis
