#include "backend/engine.h"
#include "ir/system.h"
#include "frontend/source/sources.h"    // breach
#include <llvm/IR/Module.h>             // breach
#include <boost/rational.hpp>           // breach
#include <pthread.h>
