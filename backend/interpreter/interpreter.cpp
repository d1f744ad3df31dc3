// The interpreter as an engine: rows of roots, evaluated on a large stack.
#include "backend/batch.h"
#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/engine.h"
#include "backend/interpreter/big_stack.h"
#include "backend/interpreter/calls.h"
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/scope.h"
#include "backend/limits.h"
#include "ir/arithmetic.h"

namespace wave::backend {

namespace interpreter {

Evaluator::Evaluator(const PreparedSystem& prepared, const std::vector<Binding>& bindings, const Limits& limits)
    : prepared_(prepared),
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

ir::Scalar Evaluator::call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) {
  return activate(definition, arguments, site);
}

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

Rows Evaluator::rows(const ir::Root& root) {
  const Scope scope(*this, root_, nullptr);
  Rows rows;
  if (root.precondition.valid()) evaluate_present(root.precondition);
  for (const ir::RowBlock& block : root.blocks) {
    rows.columns = block.columns.size();
    run(block.levels, [&] {
      for (const ir::ValueId column : block.columns) {
        ir::Scalar value = evaluate_present(column);
        if (value.type == ir::ScalarType::real) value.real = ir::arithmetic::canonical(value.real);
        rows.cells.push_back(value);
      }
      if (rows.cells.size() * sizeof(ir::Scalar) + bytes_used_ > limits_.memory_bytes)
        throw Failed{rows_exceed_memory(limits_)};
      return Loop::go_on;
    });
  }
  return rows;
}

namespace {

class InterpreterEvaluation final : public CallableEvaluation {
 public:
  InterpreterEvaluation(const PreparedSystem& prepared, const std::vector<Binding>& bindings, const Limits& limits)
      : prepared_(prepared), evaluator_(prepared, bindings, limits) {}

  Outcome evaluate(ir::RootId root) override {
    return guarded([&] { return evaluator_.rows(prepared_.system[root]); });
  }
  Outcome evaluate(ir::DefinitionId definition) override {
    return guarded([&] {
      ir::Scalar value = evaluator_.definition(definition);
      if (value.type == ir::ScalarType::real) value.real = ir::arithmetic::canonical(value.real);
      return Rows{1, {value}};
    });
  }
  Outcome call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) override {
    return guarded([&] { return Rows{1, {evaluator_.call(definition, arguments, site)}}; });
  }
  Outcome measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) override {
    const auto ask = [&] { return Rows{1, {evaluator_.measure(what, indices)}}; };
    if (!evaluator_.has_evaluated(what.process)) return guarded(ask);
    try {
      return ask();
    } catch (const Failed& failed) {
      return failed.failure;
    }
  }
  std::vector<EventReport> reports() const override { return evaluator_.reports(); }
  void be_patient_for(double seconds) override { evaluator_.be_patient_for(seconds); }

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

  const PreparedSystem& prepared_;
  Evaluator evaluator_;
};

class Interpreter final : public Engine {
 public:
  Interpreter(const ir::System& system, const EngineOptions& options, processes::SweepKernels* kernels)
      : symbolic_(options.shortcuts ? std::optional(closed_form::replace_recurrences(system)) : std::nullopt),
        prepared_(symbolic_ ? symbolic_->system : system, options, kernels) {
    if (symbolic_) prepared_.symbolic = &*symbolic_;
  }
  const char* name() const override { return "interpreter"; }
  std::unique_ptr<Evaluation> start(const std::vector<Binding>& bindings, const Limits& limits) override {
    return std::make_unique<InterpreterEvaluation>(prepared_, bindings, limits);
  }

 private:
  const std::optional<closed_form::Symbolic> symbolic_;
  PreparedSystem prepared_;
};

}  // namespace
}  // namespace interpreter

Outcome Evaluation::measure(const ir::Measure&, const std::vector<std::int64_t>&) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::no_value;
  return failure;
}

std::unique_ptr<Batch> Engine::batch(const std::vector<ir::DefinitionId>&,
                                     const std::vector<std::variant<ir::DefinitionId, ir::RootId>>&) {
  return nullptr;
}

std::unique_ptr<Engine> make_interpreter(const ir::System& system, const EngineOptions& options,
                                         processes::SweepKernels* kernels) {
  return std::make_unique<interpreter::Interpreter>(system, options, kernels);
}

}  // namespace wave::backend
