// The words of reductions.
#pragma once

#include "frontend/ast/ast.h"

namespace wave::frontend {

const char* name_of(ReduceOperator op);

}  // namespace wave::frontend
