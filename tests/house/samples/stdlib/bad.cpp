#include "stdlib/standard_library.h"
#include "frontend/ast/ast.h"           // breach
