// The passes that compiled code goes through: a short list in place of -O3, which takes twice as long.
#pragma once

#include "backend/jit/wanted.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <string>

namespace wave::jit {

// Quick code gets only what makes it small. From `give_up` on passes are left out.
void optimize(llvm::Module& module, llvm::TargetMachine& target, Care care, GiveUp give_up = {});

// The relocatable object of a module. The module is of no use after that.
std::string make_object(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace wave::jit
