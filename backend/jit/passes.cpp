// The list of passes. None may reassociate, contract or speculate what traps: no fast-math flags are ever set, so
// LLVM keeps every rounding as written.
#include "backend/jit/passes.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace wave::jit {

namespace {

void add_loop_passes(llvm::FunctionPassManager& passes) {
  passes.addPass(llvm::InstCombinePass());
  llvm::LoopPassManager loop_passes;
  loop_passes.addPass(llvm::LoopRotatePass());
  loop_passes.addPass(llvm::LICMPass(llvm::LICMOptions()));  // rounding of weights that do not change
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
}

}  // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& target, Care care, GiveUp give_up) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [give_up](llvm::StringRef, llvm::Any) { return !give_up || std::chrono::steady_clock::now() < *give_up; });
  llvm::PassBuilder builder(&target, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));  // accumulators into registers
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::SimplifyCFGPass());  // known presence folds away
  if (care == Care::full) add_loop_passes(passes);
  llvm::ModulePassManager manager;
  manager.addPass(llvm::AlwaysInlinerPass());  // messages of programs, where they are few
  manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  manager.run(module, modules);
}

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

}  // namespace wave::jit
