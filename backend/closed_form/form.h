// An event in the form of a maximum of bounds, however it is written.
#pragma once

#include "backend/closed_form/cell_function.h"
#include "ir/schedule.h"

namespace wave::backend::closed_form {

// E(p) >= E(p + offset) + summands, or E(p) >= summands, where the guard holds and p + offset is in the space.
struct Bound {
  bool has_source = false;
  std::vector<std::int32_t> offset;
  std::vector<Summand> summands;
  ir::ValueId guard;  // or none
};

// The event is the maximum of the bounds that are present, and `otherwise` if none is; or the negative of all that.
struct Form {
  std::vector<Bound> bounds;
  std::vector<Summand> otherwise;
  bool has_otherwise = false;
  bool negated = false;
};

// Nothing if the group is not a single event of this form, or if it reads other events by offsets.
std::optional<Form> find_form(const ir::System& system, const ir::EventGroup& group);

}  // namespace wave::backend::closed_form
