#include "WaveLexer.h"
#include "WaveParser.h"
#include "frontend/ast/ast.h"

#include <antlr4-runtime.h>
#include <boost/multiprecision/cpp_int.hpp>
