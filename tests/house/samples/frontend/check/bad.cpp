#include "frontend/ast/ast.h"
#include "ir/system.h"
#include "stdlib/standard_library.h"
#include "backend/engine.h"             // breach
#include "cli/session.h"                // breach
#include "names.h"                      // breach
#include "WaveParser.h"                 // breach
#include <antlr4-runtime.h>             // breach
#include "antlr4-runtime/Parser.h"      // breach
