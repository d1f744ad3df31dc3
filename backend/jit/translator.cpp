// From a layout to LLVM IR, passes, machine code.
#include "backend/jit/translator.h"

#include "backend/jit/module_emitter.h"
#include "backend/jit/passes.h"
#include "backend/jit/sweep/emit_strip.h"
#include "backend/jit/target.h"
#include "backend/jit/thresholds.h"

#include <fmt/format.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace wave::jit {

namespace {

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

bool is_late(GiveUp give_up) { return give_up && std::chrono::steady_clock::now() >= *give_up; }

Code given_up() {
  Code code = Code::refused("compiling it would take most of the time that is left");
  code.is_given_up = true;
  return code;
}

void emit_wanted(ModuleEmitter& emitter, const Wanted& wanted) {
  switch (wanted.kind) {
    case Wanted::rows: emitter.rows(); break;
    case Wanted::definition: emitter.definition(ir::DefinitionId{wanted.id}); break;
    case Wanted::value: emitter.value(ir::ValueId{wanted.id}); break;
    case Wanted::group: emitter.kernel(wanted.id); break;
    case Wanted::batch: emitter.batch(wanted.columns); break;
    case Wanted::program: emitter.program(*wanted.processes); break;
    case Wanted::reduction: emitter.reduction(ir::ValueId{wanted.id}, wanted.frame, wanted.shape.lanes); break;
    case Wanted::strips: emitter.strips(wanted.id, wanted.shape); break;
  }
}

class LlvmTranslator final : public Translator {
 public:
  LlvmTranslator(std::unique_ptr<llvm::TargetMachine> careful, std::unique_ptr<llvm::TargetMachine> quick)
      : careful_(std::move(careful)),
        quick_(std::move(quick)),
        vectors_{doubles_in_a_vector(*careful_), vector_registers(*careful_)} {}

  Vectors vectors() const override { return vectors_; }

  std::string machine() const override {
    return Writer()
        .put(careful_->getTargetTriple().str())
        .put(careful_->getTargetCPU())
        .put(careful_->getTargetFeatureString())
        .bytes;
  }

  Code translate(const Layout& layout, const Wanted& wanted, const CompiledFunctions& compiled) override {
    const InsideLlvm inside;
    llvm::LLVMContext context;
    Code code;
    ModuleEmitter emitter(context, layout, compiled);
    prepare(*emitter.module);
    emit_wanted(emitter, wanted);
    emitter.emit_all();
    if (!emitter.refusal().empty()) return Code::refused(emitter.refusal());
    if (is_late(wanted.give_up)) return given_up();
    if (const std::string problem = verify(*emitter.module); !problem.empty())
      return Code::refused("wrong code: " + problem);
    code.defined.assign(emitter.defined().begin(), emitter.defined().end());
    return add(code, *emitter.module, wanted.care, wanted.give_up) ? code : given_up();
  }

  Code translate(const sweep::Plan& plan, const std::vector<sweep::Shape>& shapes) override {
    const InsideLlvm inside;
    llvm::LLVMContext context;
    llvm::Module module("sweep", context);
    prepare(module);
    Code code;
    for (const sweep::Shape& shape : shapes) {
      code.defined.push_back(shape.symbol());
      sweep::emit_strip(module, code.defined.back(), plan, shape);
    }
    if (const std::string problem = verify(module); !problem.empty()) return Code::refused("wrong code: " + problem);
    add(code, module, Care::full);
    return code;
  }

 private:
  void prepare(llvm::Module& module) const {
    module.setDataLayout(careful_->createDataLayout());
    module.setTargetTriple(careful_->getTargetTriple().str());
  }

  // A module without functions gives no object.
  // False: it would come too late.
  bool add(Code& code, llvm::Module& module, Care care, GiveUp give_up = {}) const {
    const auto has_body = [](const llvm::Function& function) { return !function.isDeclaration(); };
    if (std::none_of(module.begin(), module.end(), has_body)) return true;
    const auto is_large = [](const llvm::Function& function) { return function.size() > most_blocks_with_care; };
    if (std::any_of(module.begin(), module.end(), is_large)) care = Care::quick;
    llvm::TargetMachine& machine = care == Care::full ? *careful_ : *quick_;
    optimize(module, machine, care, give_up);
    if (is_late(give_up)) return false;
    code.objects.push_back(make_object(module, machine));
    return true;
  }

  const std::unique_ptr<llvm::TargetMachine> careful_, quick_;
  const Vectors vectors_;
};

// Recurrences, rows, a reduction or a call: whatever the system is an excerpt for.
void emit_all_of(ModuleEmitter& emitter, const Layout& layout) {
  const ir::System& system = layout.system;
  for (GroupIndex group = 0; group < layout.groups.size(); ++group) {
    const ir::Event& first = system[layout.groups[group].events.front()];
    const bool is_outside = first.general() && std::holds_alternative<ir::Constant>(system[first.body].node);
    if (!is_outside) emitter.kernel(group);
  }
  if (!system.roots.empty()) emitter.rows();
  for (const ir::Definition& definition : system.definitions) {
    const bool is_result = definition.frame == ir::System::root_frame && !definition.bindable;
    if (is_result) emitter.value(definition.body);
  }
}

std::string dump_for(const Layout& layout, llvm::TargetMachine& machine, const lanes::BatchShape* batch) {
  const CompiledFunctions nothing;
  llvm::LLVMContext context;
  ModuleEmitter emitter(context, layout, nothing);
  emitter.module->setDataLayout(machine.createDataLayout());
  emitter.module->setTargetTriple(machine.getTargetTriple().str());
  if (batch) {
    lanes::BatchShape shape = *batch;
    shape.lanes = doubles_in_a_vector(machine);
    emitter.batch(shape);
  } else {
    emit_all_of(emitter, layout);
  }
  emitter.emit_all();
  if (!emitter.refusal().empty()) return fmt::format("; {}\n", emitter.refusal());
  std::string text = "; --- as emitted ---\n" + print(*emitter.module);
  if (const std::string problem = verify(*emitter.module); !problem.empty()) return text + "; wrong: " + problem;
  optimize(*emitter.module, machine, Care::full);
  return text + "\n; --- after the passes ---\n" + print(*emitter.module);
}

using MadeTranslator = std::unique_ptr<Translator>;

// Translators that nobody uses now, of all processors: at most as many as were used at once.
struct Unused {
  std::mutex mutex;
  std::multimap<std::pair<std::string, int>, MadeTranslator> translators;
};

// Engines may outlive whatever is destroyed at the end of the program.
Unused& unused() {
  static Unused& all = *new Unused;
  return all;
}

std::pair<std::string, int> key_of(const Processor& processor) { return {processor.cpu, processor.widest}; }

std::variant<MadeTranslator, std::string> make_translator(const Processor& processor) {
  const InsideLlvm inside;
  auto found = find_target(processor.cpu);
  if (auto* const unknown = std::get_if<std::string>(&found)) return std::move(*unknown);
  auto& [builder, lacking] = std::get<CodeTarget>(found);
  if (!lacking.empty())
    return fmt::format("this machine cannot run code for `{}`: it lacks {}", processor.cpu, lacking);
  if (processor.widest < 8) builder.addFeatures({"-avx512f", "-evex512"});
  if (processor.widest < 4) builder.addFeatures({"-avx"});
  auto careful = builder.createTargetMachine();
  if (!careful) return llvm::toString(careful.takeError());
  auto quick = builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::None).createTargetMachine();
  if (!quick) return llvm::toString(quick.takeError());
  return std::make_unique<LlvmTranslator>(std::move(*careful), std::move(*quick));
}

}  // namespace

void GiveBack::operator()(Translator* translator) const {
  MadeTranslator owned(translator);
  const std::lock_guard lock(unused().mutex);
  unused().translators.emplace(key_of(processor), std::move(owned));
}

std::variant<LentTranslator, std::string> lend_translator(const Processor& processor) {
  {
    const std::lock_guard lock(unused().mutex);
    if (auto found = unused().translators.extract(key_of(processor)))
      return LentTranslator(found.mapped().release(), GiveBack{processor});
  }
  auto made = make_translator(processor);
  if (auto* const why_not = std::get_if<std::string>(&made)) return std::move(*why_not);
  return LentTranslator(std::get<MadeTranslator>(made).release(), GiveBack{processor});
}

std::variant<std::string, std::string> dump(const Layout& layout, const std::string& cpu,
                                            const lanes::BatchShape* batch) {
  using Dump = std::variant<std::string, std::string>;
  auto found = find_target(cpu);
  if (const auto* const unknown = std::get_if<std::string>(&found)) return Dump(std::in_place_index<1>, *unknown);
  auto machine = std::get<CodeTarget>(found).builder.createTargetMachine();
  if (!machine) return Dump(std::in_place_index<1>, llvm::toString(machine.takeError()));
  return Dump(std::in_place_index<0>, dump_for(layout, **machine, batch));
}

}  // namespace wave::jit
