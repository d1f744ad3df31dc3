#include "backend/engine.h"
#include <llvm/IR/Module.h>
#include <antlr4-runtime.h>             // breach
#include <nlohmann/json.hpp>            // breach
