// Finds comments that look like divisions. Other languages read `N // p` as a division, and Wave reads `N` and a
// comment.
#pragma once

#include "frontend/parse/prepare.h"

namespace wave::frontend {

// Warns of comments after an expression, on its line, that read as a whole like a divisor: an integer, or arithmetic
// with numbers and names that the file declares. So prose is not taken for one, nor `// (6)`, the number of an
// equation, nor `// 4 KiB`, which says a value in other words.
void warn_of_divisions(const Module& module, const Lexed& lexed, Preparation& preparation);

}  // namespace wave::frontend
