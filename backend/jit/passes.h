// The passes that compiled code goes through: a short list in place of -O3, which takes twice as long.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace wave::jit {

void optimize(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace wave::jit
