// Gives the values of a recurrence without evaluating its cells, if a proof covers it (docs/shortcuts.md).
#pragma once

#include "backend/closed_form/scalars.h"
#include "backend/closed_form/thresholds.h"
#include "ir/schedule.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wave::backend::closed_form {

struct Problem {
  const ir::System& system;
  const ir::EventGroup& group;
  std::vector<std::int64_t> first, last;  // of the group's space
  double quantum = 0;                     // the group is exact
  Surroundings surroundings;
  // Expressions are not looked into for what repeats along an index where it has fewer values than this.
  std::int64_t shortest = shortest_extent_looked_into;
  double memory_bytes = 0x1p33;  // limits what is tabulated
  // The cells that an engine evaluates in the time of one operation on one value of an index; costs are tabulated only
  // where that is quicker.
  double cells_per_operation = cells_per_operation_as_they_are;
};

// The values of the group's event, anywhere in its space: the bits that evaluating the cells would give. No cell fails.
// One thread at a time.
class Solution {
 public:
  virtual ~Solution() = default;
  virtual double at(std::span<const std::int64_t> indices) const = 0;
  virtual double seconds_per_read() const = 0;       // about, at most
  const std::string& name() const { return name_; }  // of the proof: "equal paths"

 protected:
  explicit Solution(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// Whether it is worth asking: the group has the form of one that may be covered, and other events read it at points
// only. `followed`: ir::followed_events.
bool may_apply(const ir::System& system, const ir::EventGroup& group, const std::vector<bool>& followed);

// Points of the event that are read from outside, as far as the system says: a read at a computed index counts for all.
double points_read(const Problem& problem, const std::vector<ir::ReadPattern>& patterns);

// Null if no proof covers the recurrence. Failures during the search are ignored. What the surroundings throw goes
// through.
std::unique_ptr<Solution> solve(const Problem& problem);

}  // namespace wave::backend::closed_form
