// `///` comments and the declarations that they document.
#pragma once

#include "frontend/parse/prepare.h"

namespace wave::frontend {

// On a line of its own, a comment documents the declaration after it; at the end of a line, the declaration
// begun last; before `wave 1` or the first import, the module. What documents nothing is reported.
void attach_documentation(Module& module, const Lexed& lexed, Preparation& preparation);

}  // namespace wave::frontend
