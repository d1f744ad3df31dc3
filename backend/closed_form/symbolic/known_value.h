// The value of a small scalar from what is known.
#pragma once

#include "backend/closed_form/symbolic/symbolic.h"

namespace wave::backend::closed_form {

// Follows references to definitions that are not known. Nothing: something else than an operator is met, or a failure.
std::optional<ir::Scalar> known_value(const ir::System& system, ir::ValueId value, const Knowledge& known);

}  // namespace wave::backend::closed_form
