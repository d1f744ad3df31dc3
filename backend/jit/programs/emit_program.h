// The machine code of a program of processes: a function that takes one process from where it stands to where it waits
// (backend/processes/engine/layout.h).
#pragma once

#include "backend/jit/module_emitter.h"
#include "backend/jit/programs/program.h"

namespace wave::jit::programs {

void emit_program(ModuleEmitter& module, const ProcessProgram& program, llvm::Function* function);

}  // namespace wave::jit::programs
