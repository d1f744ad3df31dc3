// The value of a small scalar from definitions that are known.
#pragma once

#include "ir/system.h"

#include <functional>
#include <optional>

namespace wave::backend::closed_form {

// Follows references to definitions that are not known. Nothing: something else than an operator is met, or a failure.
std::optional<ir::Scalar> known_value(const ir::System& system, ir::ValueId value,
                                      const std::function<std::optional<ir::Scalar>(ir::DefinitionId)>& known);

}  // namespace wave::backend::closed_form
