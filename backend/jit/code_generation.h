// Turns LLVM IR into machine code at two levels of care. Functions that run rarely are translated quickly; loops, and
// what they call, are optimised. Most functions run once in an evaluation, and optimising takes six times as long.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace wave::jit {

// An attribute of functions that nothing repeats.
inline constexpr const char* runs_rarely = "wave-runs-rarely";

// The relocatable object of a module. The module is of no use after that.
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine);

// Moves the functions that run rarely and have no loop to a module of their own, to be translated quickly.
std::unique_ptr<llvm::Module> take_quick(llvm::Module& module);

}  // namespace wave::jit
