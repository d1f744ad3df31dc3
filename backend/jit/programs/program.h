// What the machine code of a program of processes depends on.
#pragma once

#include "backend/processes/engine/programs.h"

#include <string>

namespace wave::jit::programs {

using backend::processes::engine::ProcessProgram;

// Of its function. Programs of equal names have equal code, if the values of their operands have, which are the columns
// of an excerpt. The levels of its rows bind what the operands look at, in the order of `Bytecode::binders`.
std::string symbol_of(const ProcessProgram& program);

}  // namespace wave::jit::programs
