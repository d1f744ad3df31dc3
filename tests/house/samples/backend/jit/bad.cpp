#include "backend/engine.h"

#include <antlr4-runtime.h>             // breach
#include <llvm/IR/Module.h>
#include <nlohmann/json.hpp>            // breach
