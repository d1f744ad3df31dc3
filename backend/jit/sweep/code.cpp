// LLVM's side of compiled sweeps.
#include "backend/jit/sweep/code.h"

#include "backend/jit/code_generation.h"
#include "backend/jit/machine.h"
#include "backend/jit/passes.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>

namespace wave::jit::sweep {

struct CodeFactory::Session {
  std::unique_ptr<llvm::TargetMachine> machine;      // for the passes
  std::unique_ptr<llvm::orc::LLJIT> jit;
  int strips = 0;

  Session(const std::string& cpu, int widest) {
    auto found = find_machine(cpu);
    if (!std::holds_alternative<Machine>(found)) return;
    auto builder = std::get<Machine>(found).builder;
    if (widest < 8) builder.addFeatures({"-avx512f", "-evex512"});
    if (widest < 4) builder.addFeatures({"-avx"});
    auto target = builder.createTargetMachine();
    if (!target) {
      llvm::consumeError(target.takeError());
      return;
    }
    auto made = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(builder))
                    .setCompileFunctionCreator(make_code_generator)
                    .create();
    if (!made) {
      llvm::consumeError(made.takeError());
      return;
    }
    machine = std::move(*target);
    jit = std::move(*made);
  }

  // The names of the functions are `names`.
  std::unique_ptr<llvm::Module> emit(llvm::LLVMContext& context, const Plan& plan, const std::vector<Shape>& shapes,
                                     std::vector<std::string>& names) {
    auto module = std::make_unique<llvm::Module>("sweep", context);
    module->setDataLayout(jit->getDataLayout());
    module->setTargetTriple(jit->getTargetTriple().str());
    for (const Shape& shape : shapes) {
      names.push_back("strip_" + std::to_string(strips++));
      emit_strip(*module, names.back(), plan, shape);
      use_widest_vectors(*module->getFunction(names.back()));
    }
    if (llvm::verifyModule(*module, nullptr)) return nullptr;
    optimize(*module, *machine, Care::full);
    return module;
  }
};

CodeFactory::CodeFactory(const std::string& cpu, int widest) : session_(std::make_unique<Session>(cpu, widest)) {
  if (!session_->machine) return;
  vectors_ = {static_cast<int>(doubles_in_a_vector(*session_->machine)), static_cast<int>(vector_registers(*session_->machine))};
}

CodeFactory::~CodeFactory() = default;

std::vector<StripFunction> CodeFactory::translate(const Plan& plan, const std::vector<Shape>& shapes) {
  if (!session_->jit) return {};
  auto context = std::make_unique<llvm::LLVMContext>();
  std::vector<std::string> names;
  auto module = session_->emit(*context, plan, shapes, names);
  if (!module) return {};
  if (auto failed = session_->jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context)))) {
    llvm::consumeError(std::move(failed));
    return {};
  }
  std::vector<StripFunction> functions;
  for (const std::string& name : names) {
    auto address = session_->jit->lookup(name);
    if (!address) {
      llvm::consumeError(address.takeError());
      return {};
    }
    functions.push_back(address->toPtr<StripFunction>());
  }
  return functions;
}

}  // namespace wave::jit::sweep
