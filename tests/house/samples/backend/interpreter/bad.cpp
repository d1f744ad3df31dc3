#include "backend/engine.h"
#include "frontend/source/sources.h"    // breach
#include "ir/system.h"

#include <boost/rational.hpp>           // breach
#include <llvm/IR/Module.h>             // breach

#include <pthread.h>
