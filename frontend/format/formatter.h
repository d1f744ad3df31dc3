// `wave fmt`: spaces, indentation and blank lines of a module; never its tokens, comments or line breaks.
//
// - Two spaces of indentation a brace. A line that continues the one before keeps its distance to the first line
//   of its statement, or stays under the token that it stood under.
// - One space, or none, between two tokens. Arithmetic operators keep what their author chose (`i-1`, `a + b`).
// - What was aligned with the line above or below stays aligned. A comment at the end of a line stays in its
//   column where the code leaves it room, and under the comment before it.
// - At most one blank line in a row, none at the beginning and the end of a block.
#pragma once

#include "frontend/source/diagnostics.h"

#include <optional>
#include <string>

namespace wave::frontend {

// Nothing, with diagnostics, if the file has syntax errors. format(format(x)) == format(x).
std::optional<std::string> format(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics);

}  // namespace wave::frontend
