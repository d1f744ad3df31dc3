#include "WaveParser.h"                 // breach
#include "antlr4-runtime/Parser.h"      // breach
#include "backend/engine.h"             // breach
#include "cli/session.h"                // breach
#include "frontend/ast/ast.h"
#include "ir/system.h"
#include "names.h"                      // breach
#include "stdlib/standard_library.h"

#include <antlr4-runtime.h>             // breach
