// Bounds the columns of a system while its parameters range over a box. Scalars are bounded by intervals (Moore 1966),
// recurrences and processes from below.
#pragma once

#include "ir/interval.h"

#include <span>
#include <vector>

namespace wave::analysis {

class SystemBounds {
 public:
  // `variables` are definitions of the root frame. Each of `roots` has one block without levels. The system outlives
  // the object.
  SystemBounds(const ir::System& system, std::vector<ir::DefinitionId> variables, std::vector<ir::RootId> roots);

  // The bounds of all columns of all roots, one after the other. A column with an empty interval fails everywhere in
  // the box.
  std::vector<ir::Interval> bound(std::span<const ir::Interval> box) const;

 private:
  const ir::System& system_;
  const std::vector<ir::DefinitionId> variables_;
  const std::vector<ir::RootId> roots_;
};

// Whether a root reads more than scalars: a recurrence or a process.
bool reads_events(const ir::System& system, ir::RootId root);

}  // namespace wave::analysis
