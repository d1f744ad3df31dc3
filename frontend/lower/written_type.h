// Types where only their text is at hand: enough to know whether an int widens to a real.
#pragma once

#include "frontend/ast/ast.h"

namespace wave::frontend::lowering {

// Real for `real` and every quantity, Int for `int`, Bool for `bool`; null for everything else.
TypeRef written_number(const TypeExpr* type);

}  // namespace wave::frontend::lowering
