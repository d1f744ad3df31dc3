// Processors by name, and what LLVM says of their vectors.
#include "backend/jit/target.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace wave::jit {

namespace {

using llvm::orc::JITTargetMachineBuilder;

thread_local int inside_llvm = 0;
std::new_handler handler_before = nullptr;

[[noreturn, gnu::noinline]] void refuse() { throw std::bad_alloc(); }
[[noreturn]] void end_without_unwinding() noexcept { refuse(); }

void memory_is_out() {
  if (inside_llvm > 0) end_without_unwinding();
  if (handler_before == nullptr) refuse();
  handler_before();
}

void initialize_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Otherwise LLVM aborts where memory is out.
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { end_without_unwinding(); });
    handler_before = std::set_new_handler(memory_is_out);
  });
}

JITTargetMachineBuilder host() {
  auto found = JITTargetMachineBuilder::detectHost();
  if (found) return std::move(*found);
  llvm::consumeError(found.takeError());
  return JITTargetMachineBuilder(llvm::Triple(LLVM_HOST_TRIPLE));
}

std::unique_ptr<llvm::MCSubtargetInfo> describe(const llvm::Triple& triple, const std::string& cpu) {
  std::string error;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  return std::unique_ptr<llvm::MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple.str(), cpu, "")
                                                       : nullptr);
}

// The processors whose names differ least from what was written.
std::string nearest_names(const llvm::MCSubtargetInfo& any, llvm::StringRef wanted) {
  std::vector<std::pair<unsigned, std::string>> names;
  for (const llvm::SubtargetSubTypeKV& known : any.getAllProcessorDescriptions()) {
    const llvm::StringRef name(known.Key);
    const bool begins = wanted.size() > 2 && name.starts_with_insensitive(wanted);
    names.emplace_back(begins ? 0 : name.edit_distance_insensitive(wanted), name.str());
  }
  std::sort(names.begin(), names.end());
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(4, names.size()); ++i) text += ", `" + names[i].second + "`";
  return text;
}

// Features that the system says this machine does not have; what it says nothing of is tuning.
std::string features_lacking(const llvm::MCSubtargetInfo& wanted) {
  const auto here = llvm::sys::getHostCPUFeatures();
  std::string lacking;
  for (const llvm::SubtargetFeatureKV& feature : wanted.getEnabledProcessorFeatures()) {
    const auto found = here.find(feature.Key);
    if (found == here.end() || found->second) continue;
    lacking += (lacking.empty() ? "" : ", ") + std::string(feature.Key);
  }
  return lacking;
}

llvm::TargetTransformInfo vectors_of(const llvm::TargetMachine& machine, llvm::Function& function) {
  function.getParent()->setDataLayout(machine.createDataLayout());
  use_widest_vectors(function);
  return machine.getTargetTransformInfo(function);
}

template <class Ask>
auto ask(const llvm::TargetMachine& machine, Ask about) {
  llvm::LLVMContext context;
  llvm::Module module("machine", context);
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* const function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "any", module);
  return about(vectors_of(machine, *function), context);
}

}  // namespace

InsideLlvm::InsideLlvm() { ++inside_llvm; }
InsideLlvm::~InsideLlvm() { --inside_llvm; }

std::variant<CodeTarget, std::string> find_target(const std::string& cpu) {
  initialize_once();
  CodeTarget machine{host(), {}};
  machine.builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;  // no contraction
  machine.builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  machine.builder.setRelocationModel(llvm::Reloc::PIC_);  // what it calls may be far away
  machine.builder.setCodeModel(llvm::CodeModel::Small);
  if (cpu.empty() || cpu == "native" || cpu == machine.builder.getCPU()) return machine;
  const llvm::Triple& triple = machine.builder.getTargetTriple();
  const auto any = describe(triple, "");
  if (!any) return "LLVM knows no processors of the kind " + triple.str();
  if (!any->isCPUStringValid(cpu))
    return "no processor is called `" + cpu + "`; `native`" + nearest_names(*any, cpu) + " are some";
  machine.lacking = features_lacking(*describe(triple, cpu));
  machine.builder.setCPU(cpu);
  machine.builder.getFeatures() = llvm::SubtargetFeatures();
  return machine;
}

unsigned doubles_in_a_vector(const llvm::TargetMachine& machine) {
  return ask(machine, [](const llvm::TargetTransformInfo& vectors, llvm::LLVMContext&) {
    const auto bits = vectors.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    return std::max(2U, static_cast<unsigned>(bits / 64));
  });
}

unsigned vector_registers(const llvm::TargetMachine& machine) {
  return ask(machine, [](const llvm::TargetTransformInfo& vectors, llvm::LLVMContext& context) {
    return vectors.getNumberOfRegisters(vectors.getRegisterClassForType(true, llvm::Type::getDoubleTy(context)));
  });
}

void use_widest_vectors(llvm::Function& function) {
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

}  // namespace wave::jit
