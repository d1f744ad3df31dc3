// From LLVM IR to machine code at two speeds: what runs rarely is translated quickly, loops and what they call with
// care. Most functions run once in an evaluation, and care takes six times as long.
#pragma once

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Module.h>

#include <memory>

namespace wave::jit {

// An attribute of functions that nothing repeats.
inline constexpr const char* runs_rarely = "wave-runs-rarely";

// Translates a module that `take_quick` gave quickly, others with care.
llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> make_code_generator(
    llvm::orc::JITTargetMachineBuilder machine);

// Moves the functions that run rarely and have no loop to a module of their own.
std::unique_ptr<llvm::Module> take_quick(llvm::Module& module);

}  // namespace wave::jit
