// What must hold of a program, whoever made it.
#pragma once

#include "backend/processes/program/bytecode.h"

#include <string>

namespace wave::backend::processes::program {

// The first thing that does not hold; empty: all does. Jumps stay in the program, which ends with EndOfProgram;
// operands and slots are those that it has.
std::string find_breach(const Bytecode& program);

}  // namespace wave::backend::processes::program
