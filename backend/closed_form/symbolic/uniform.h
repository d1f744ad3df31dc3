// Recurrences whose costs are the same everywhere: E(p) = max over d of E(p - d) + w(d), with steps d of 0 and 1 along
// the axes (or against them), no weight that looks at an index, and no guard; and events that follow E at the same
// place, F(p) = max over its constraints of E(p) + v, through which the steps may go. docs/shortcuts.md has the proofs.
#pragma once

#include "ir/schedule.h"
#include "ir/system.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wave::ir {
class Effects;
class FreeBinders;
}  // namespace wave::ir

namespace wave::backend::closed_form {

// The constraints with one offset: the dearest of them counts.
struct UniformStep {
  std::vector<std::uint32_t> axes;         // along which it goes; several: a diagonal
  std::vector<std::uint32_t> constraints;  // by their numbers in the event
};

struct UniformGroup {
  std::vector<ir::EventId> events;       // as the group has them: a follower after what it follows
  ir::EventId main;                      // the others follow it
  std::vector<bool> rises;               // per axis: distances count from the first index, not back from the last
  std::vector<UniformStep> straight;     // at most one per axis
  std::vector<UniformStep> diagonal;     // on axes that no other diagonal has; all of them have a straight step, or
                                         // (but for recurrences with constants) none of them
  std::vector<std::uint32_t> constants;  // constraints without a source: a path may begin anywhere
};

// A quick look at the event's constraints, but not at weights.
bool may_be_uniform(const ir::System& system, ir::EventId event);

// The group, where it is of this form.
std::optional<UniformGroup> find_uniform(const ir::System& system, const ir::EventGroup& group,
                                         const ir::FreeBinders& binders, const ir::Effects& effects);

}  // namespace wave::backend::closed_form
