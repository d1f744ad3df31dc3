// Which functions are worth care, and LLVM's list of passes down to an object.
#include "backend/jit/code_generation.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace wave::jit {

namespace {

bool is_quick(const llvm::Function& function) {
  if (function.isDeclaration() || !function.hasFnAttribute(runs_rarely)) return false;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> loops;
  llvm::FindFunctionBackedges(function, loops);
  return loops.empty();
}

}  // namespace

std::string make_object(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  llvm::MCContext* context = nullptr;
  const bool cannot = machine.addPassesToEmitMC(passes, context, stream, /*DisableVerify=*/true);
  if (cannot) return {};
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<llvm::Module> take_quick(llvm::Module& module) {
  llvm::ValueToValueMapTy copies;
  auto quick = llvm::CloneModule(module, copies, [](const llvm::GlobalValue* value) {
    const auto* const function = llvm::dyn_cast<llvm::Function>(value);
    return function && is_quick(*function);
  });
  for (llvm::Function& function : module) {
    if (is_quick(function)) function.deleteBody();
  }
  return quick;
}

}  // namespace wave::jit
