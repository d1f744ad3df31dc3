#include "frontend/ast/ast.h"           // breach
#include "stdlib/standard_library.h"
