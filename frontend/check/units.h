// Dimensions of units by their names.
#pragma once

#include "frontend/ast/ast.h"

#include <optional>
#include <string>

namespace wave::frontend::check {

// `us/B` is time/data; nothing for a name that is no unit.
std::optional<Dimension> dimension_of_unit(const Unit& unit);
// The same for a text, as in the header of a data file.
std::optional<Dimension> dimension_of_unit(const std::string& text);

}  // namespace wave::frontend::check
