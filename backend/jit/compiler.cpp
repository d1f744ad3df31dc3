// ORC: one LLJIT per engine, host functions as absolute symbols.
#include "backend/jit/compiler.h"

#include "backend/jit/code_generation.h"
#include "backend/jit/host_functions.h"
#include "backend/jit/machine.h"
#include "backend/jit/module_emitter.h"
#include "backend/jit/passes.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <fmt/format.h>

namespace wave::jit {

namespace {

using llvm::orc::ThreadSafeModule;

std::string text_of(llvm::Error error) { return llvm::toString(std::move(error)); }

}  // namespace

std::string Wanted::symbol() const {
  switch (kind) {
    case root: return fmt::format("root_{}", id);
    case definition: return fmt::format("definition_{}", id);
    case value: return fmt::format("value_{}_{}", id, frame.index);
  }
  return {};
}

struct Compiler::Session {
  std::unique_ptr<llvm::TargetMachine> machine;   // for the passes
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string error;                              // why there is no session
  std::unordered_set<std::string> compiled;
  std::unordered_map<std::string, void*> addresses;

  explicit Session(const std::string& cpu) {
    auto found = find_machine(cpu);
    if (auto* const unknown = std::get_if<std::string>(&found)) { error = *unknown; return; }
    auto builder = std::get<Machine>(found).builder;
    auto target = builder.createTargetMachine();
    if (!target) { error = text_of(target.takeError()); return; }
    machine = std::move(*target);
    auto made = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(builder))
                    .setCompileFunctionCreator(make_code_generator)
                    .create();
    if (!made) { error = text_of(made.takeError()); return; }
    jit = std::move(*made);
    llvm::orc::SymbolMap symbols;
    for (const auto& [name, address] : host_functions()) {
      symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    if (auto failed = jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
      error = text_of(std::move(failed));
    }
  }
};

Compiler::Compiler(const Layout& layout, std::string cpu) : layout_(layout), cpu_(std::move(cpu)) {}
Compiler::~Compiler() = default;

void* Compiler::find(const std::string& symbol) {
  if (!session_ || !session_->compiled.contains(symbol)) return nullptr;
  if (const auto known = session_->addresses.find(symbol); known != session_->addresses.end()) return known->second;
  auto address = session_->jit->lookup(symbol);
  if (!address) {
    session_->error = text_of(address.takeError());
    return nullptr;
  }
  return session_->addresses[symbol] = address->toPtr<void*>();
}

namespace {

void emit_wanted(ModuleEmitter& emitter, const Wanted& wanted) {
  switch (wanted.kind) {
    case Wanted::root: emitter.root(ir::RootId{wanted.id}); break;
    case Wanted::definition: emitter.definition(ir::DefinitionId{wanted.id}); break;
    case Wanted::value: emitter.value(ir::ValueId{wanted.id}, wanted.frame); break;
  }
}

std::string verify(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  return llvm::verifyModule(module, &stream) ? problem : std::string();
}

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

}  // namespace

std::string Compiler::compile(const Wanted& wanted) {
  if (!session_) session_ = std::make_unique<Session>(cpu_);
  if (!session_->jit) return session_->error;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::unordered_set<std::string> defined;
  try {
    ModuleEmitter emitter(*context, layout_, session_->compiled);
    emitter.module->setDataLayout(session_->jit->getDataLayout());
    emitter.module->setTargetTriple(session_->jit->getTargetTriple().str());
    emit_wanted(emitter, wanted);
    emitter.emit_all();
    module = std::move(emitter.module);
    defined = emitter.defined();
  } catch (const NotCompiled& error) {
    return error.what();
  }
  if (std::string problem = verify(*module); !problem.empty()) return "wrong code: " + problem;
  std::unique_ptr<llvm::Module> quick = take_quick(*module);
  optimize(*module, *session_->machine, Care::full);
  optimize(*quick, *session_->machine, Care::little);
  const llvm::orc::ThreadSafeContext shared(std::move(context));
  for (auto* const part : {&module, &quick}) {
    if (auto failed = session_->jit->addIRModule(ThreadSafeModule(std::move(*part), shared))) {
      return text_of(std::move(failed));
    }
  }
  session_->compiled.merge(defined);
  ++compilations_;
  return find(wanted.symbol()) ? std::string() : session_->error;
}

std::string dump(const Layout& layout, const std::string& cpu) {
  const std::unordered_set<std::string> nothing;
  llvm::LLVMContext context;
  auto found = find_machine(cpu);
  if (const auto* const unknown = std::get_if<std::string>(&found)) return "; " + *unknown + "\n";
  auto machine = std::get<Machine>(found).builder.createTargetMachine();
  if (!machine) return "; " + text_of(machine.takeError()) + "\n";
  ModuleEmitter emitter(context, layout, nothing);
  emitter.module->setDataLayout((*machine)->createDataLayout());
  emitter.module->setTargetTriple((*machine)->getTargetTriple().str());
  try {
    for (std::uint32_t root = 0; root < layout.system.roots.size(); ++root) emitter.root(ir::RootId{root});
    emitter.emit_all();
  } catch (const NotCompiled& error) {
    return fmt::format("; {}\n", error.what());
  }
  std::string text = "; --- as emitted ---\n" + print(*emitter.module);
  if (const std::string problem = verify(*emitter.module); !problem.empty()) return text + "; wrong: " + problem;
  optimize(*emitter.module, **machine, Care::full);
  return text + "\n; --- after the passes ---\n" + print(*emitter.module);
}

}  // namespace wave::jit
