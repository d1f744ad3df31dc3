// An event as a maximum of bounds, whatever it is written as.
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

// The event is the maximum of the bounds that are there, and `otherwise` where none is; or minus all that.
struct Form {
  std::vector<Bound> bounds;
  std::vector<Summand> otherwise;
  bool has_otherwise = false;
  bool negated = false;
};

// Nothing where the group is not one event of this form, or reads other events by offsets.
std::optional<Form> find_form(const ir::System& system, const ir::EventGroup& group);

}  // namespace wave::backend::closed_form
