// Two target machines that differ in their level of optimization.
#include "backend/jit/code_generation.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace wave::jit {

namespace {

constexpr const char* quick_name = "wave, quick";

class TwoSpeedCompiler final : public llvm::orc::IRCompileLayer::IRCompiler {
 public:
  TwoSpeedCompiler(std::unique_ptr<llvm::TargetMachine> quick, std::unique_ptr<llvm::TargetMachine> careful)
      : IRCompiler(llvm::orc::irManglingOptionsFromTargetOptions(careful->Options)),
        quick_(std::move(quick)),
        careful_(std::move(careful)) {}

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> operator()(llvm::Module& module) override {
    const bool is_quick = module.getModuleIdentifier() == quick_name;
    return llvm::orc::SimpleCompiler(is_quick ? *quick_ : *careful_)(module);
  }

 private:
  std::unique_ptr<llvm::TargetMachine> quick_, careful_;
};

bool is_quick(const llvm::Function& function) {
  if (function.isDeclaration() || !function.hasFnAttribute(runs_rarely)) return false;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>> loops;
  llvm::FindFunctionBackedges(function, loops);
  return loops.empty();
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> make_code_generator(
    llvm::orc::JITTargetMachineBuilder machine) {
  auto careful = machine.createTargetMachine();
  if (!careful) return careful.takeError();
  auto quick = machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::None).createTargetMachine();
  if (!quick) return quick.takeError();
  return std::make_unique<TwoSpeedCompiler>(std::move(*quick), std::move(*careful));
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
  quick->setModuleIdentifier(quick_name);
  return quick;
}

}  // namespace wave::jit
