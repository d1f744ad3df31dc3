// Declarations without what they do, as `wave doc` and editors show them.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/sources.h"

#include <string>
#include <string_view>

namespace wave::frontend {

// A text on one line, with single spaces.
std::string one_line(std::string_view text);

// A declaration's head as its author wrote it: `fn o(s: data): time`.
std::string signature(const Sources& sources, const Item& item);

}  // namespace wave::frontend
