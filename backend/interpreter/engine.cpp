// Rows of roots, evaluated on a large stack.
#include "backend/interpreter/engine.h"

#include "backend/batch.h"
#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_batch.h"
#include "backend/interpreter/kernel_table.h"
#include "backend/interpreter/scope.h"
#include "backend/limits.h"
#include "base/big_stack.h"
#include "ir/arithmetic.h"

namespace wave::backend {

namespace interpreter {

Evaluator::Evaluator(const PreparedSystem& prepared, KernelTable& table, const std::vector<Binding>& bindings,
                     const Limits& limits)
    : prepared_(prepared),
      table_(table),
      system_(prepared.system),
      limits_(limits),
      here_(&root_),
      binder_values_(system_.binders.size(), 0),
      binder_moved_(system_.binders.size(), 0) {
  root_.frame = ir::System::root_frame;
  for (Memories& memories : root_.memory) memories = Memories(prepared.memories);
  if (!prepared.definitions_in.empty()) root_.definitions.resize(prepared.definitions_in[ir::System::root_frame.index]);
  for (const auto& [definition, value] : bindings) {
    root_.definitions[prepared.definition_slot[definition.index]] = {Progress::done, value};
  }
}

ir::Scalar Evaluator::definition(ir::DefinitionId id) { return reference(id); }

std::vector<EventReport> Evaluator::reports_on_replaced(const Activation& owner) const {
  if (!prepared_.symbolic) return {};
  const auto activation = [&](ir::FrameId frame) {
    const Activation* found = &owner;
    while (found->frame != frame) found = found->outer;
    return found;
  };
  const auto definition = [&](ir::DefinitionId id) -> std::optional<ir::Scalar> {
    const DefinitionState& state = activation(system_[id].frame)->definitions[prepared_.definition_slot[id.index]];
    return state.progress == Progress::done ? std::optional(state.value) : std::nullopt;
  };
  const auto parameter = [&](ir::ParameterId id) {
    return activation(system_[id].frame)->arguments[prepared_.parameter_slot[id.index]];
  };
  return closed_form::report_replaced(*prepared_.symbolic, owner.frame, {definition, parameter});
}

std::vector<EventReport> Evaluator::reports() const {
  std::vector<EventReport> all = reports_;
  for (EventReport& report : reports_on_replaced(root_)) all.push_back(std::move(report));
  return all;
}

void Evaluator::rows_as_they_are(const ir::RowBlock& block, Rows& rows) {
  run(block.levels, [&] {
    for (const ir::ValueId column : block.columns) {
      ir::Scalar value = evaluate_present(column);
      if (value.type == ir::ScalarType::real) value.real = ir::arithmetic::canonical(value.real);
      rows.cells.push_back(value);
    }
    if (rows.cells.size() * sizeof(ir::Scalar) + memory_.used > limits_.memory_bytes)
      throw Failed{rows_exceed_memory(limits_)};
    return Loop::go_on;
  });
}

namespace {

class EvaluatorEvaluation final : public Evaluation {
 public:
  EvaluatorEvaluation(const PreparedSystem& prepared, KernelTable& table, const std::vector<Binding>& bindings,
                      const Limits& limits)
      : evaluator_(prepared, table, bindings, limits) {}

  Outcome evaluate(ir::RootId root) override {
    return guarded([&] { return evaluator_.rows(root); });
  }
  Outcome evaluate(ir::DefinitionId definition) override {
    return guarded([&] {
      ir::Scalar value = evaluator_.definition(definition);
      if (value.type == ir::ScalarType::real) value.real = ir::arithmetic::canonical(value.real);
      return Rows{1, {value}};
    });
  }
  std::vector<EventReport> reports() const override { return evaluator_.reports(); }

 private:
  template <class Function>
  Outcome guarded(Function&& function) {
    Outcome outcome;
    run_on_big_stack([&](std::size_t stack_bytes) {
      evaluator_.set_deepest(stack_bytes / stack_bytes_per_level);
      try {
        outcome = function();
      } catch (const Failed& failed) {
        outcome = failed.failure;
      }
    });
    return outcome;
  }

  Evaluator evaluator_;
};

class EvaluatorEngine final : public Engine {
 public:
  EvaluatorEngine(const ir::System& system, const EngineOptions& options, kernels::Policy policy,
                  kernels::Provider provider)
      : system_(system),
        symbolic_(options.shortcuts ? std::optional(closed_form::replace_recurrences(system)) : std::nullopt),
        prepared_(symbolic_ ? symbolic_->system : system, options),
        table_(prepared_, policy, std::move(provider)) {
    if (symbolic_) prepared_.symbolic = &*symbolic_;
  }
  const char* name() const override {
    return table_.has_kernels() || table_.policy() == kernels::Policy::always ? "jit" : "interpreter";
  }
  std::unique_ptr<Evaluation> start(const std::vector<Binding>& bindings, const Limits& limits) override {
    return std::make_unique<EvaluatorEvaluation>(prepared_, table_, bindings, limits);
  }
  std::unique_ptr<Batch> batch(const std::vector<ir::DefinitionId>& parameters,
                               const std::vector<Wanted>& wanted) override {
    return make_kernel_batch(*this, table_, system_, parameters, wanted);
  }
  JitCounts counts() const { return table_.counts(); }
  KernelSource source() const { return {table_.policy(), table_.provider()}; }

 private:
  const ir::System& system_;
  const std::optional<closed_form::Symbolic> symbolic_;
  PreparedSystem prepared_;
  KernelTable table_;
};

}  // namespace
}  // namespace interpreter

std::unique_ptr<Batch> Engine::batch(const std::vector<ir::DefinitionId>&,
                                     const std::vector<std::variant<ir::DefinitionId, ir::RootId>>&) {
  return nullptr;
}

std::unique_ptr<Engine> make_evaluator(const ir::System& system, const EngineOptions& options, kernels::Policy policy,
                                       kernels::Provider provider) {
  return std::make_unique<interpreter::EvaluatorEngine>(system, options, policy, std::move(provider));
}

JitCounts kernel_counts(const Engine& engine) {
  const auto* const evaluator = dynamic_cast<const interpreter::EvaluatorEngine*>(&engine);
  return evaluator ? evaluator->counts() : JitCounts{};
}

KernelSource kernel_source(const Engine& engine) {
  const auto* const evaluator = dynamic_cast<const interpreter::EvaluatorEngine*>(&engine);
  return evaluator ? evaluator->source() : KernelSource{};
}

std::vector<std::pair<std::string, kernels::Excerpt>> kernel_excerpts(const ir::System& system,
                                                                      const EngineOptions& options) {
  const std::optional<closed_form::Symbolic> symbolic =
      options.shortcuts ? std::optional(closed_form::replace_recurrences(system)) : std::nullopt;
  std::vector<std::pair<std::string, kernels::Excerpt>> all;
  run_on_big_stack([&](std::size_t) {
    const interpreter::PreparedSystem prepared(symbolic ? symbolic->system : system, options);
    all = interpreter::KernelTable(prepared, kernels::Policy::always, {}).all_excerpts();
  });
  return all;
}

std::unique_ptr<Engine> make_interpreter(const ir::System& system, const EngineOptions& options) {
  return make_evaluator(system, options, kernels::Policy::never, {});
}

}  // namespace wave::backend
