// The passes that compiled code goes through: a short list in place of -O3, which takes twice as long.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace wave::jit {

enum class Care {
  little,  // for code that runs rarely: what makes it small
  full,
};

void optimize(llvm::Module& module, llvm::TargetMachine& target, Care care);

}  // namespace wave::jit
