// Scalar nodes, definitions and calls.
#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_table.h"
#include "backend/interpreter/scope.h"
#include "backend/interpreter/thresholds.h"
#include "backend/limits.h"
#include "backend/thresholds.h"
#include "ir/evaluate.h"
#include "ir/table.h"

#include <bit>
#include <stdexcept>

namespace wave::backend::interpreter {

using ir::Scalar;

void internal_error(const char* what) { throw std::logic_error(what); }

// Numbers as a domain: what is absent is missing, and what fails is thrown.
struct Evaluator::Visit : ir::Numbers {
  Evaluator& self;
  ir::ValueId id;
  const ir::Value& value;

  Presence evaluate(ir::ValueId operand) const { return self.evaluate(operand); }

  using ir::Numbers::of;
  Presence of(const ir::Parameter& n) const {
    const ir::FrameId frame = self.system_[n.parameter].frame;
    return self.activation(frame).arguments[self.prepared_.parameter_slot[n.parameter.index]];
  }
  Presence of(const ir::Index& n) const { return Scalar::of(self.binder_values_[n.binder.index]); }
  Presence of(const ir::Reference& n) const { return self.reference(n.definition); }
  Presence of(const ir::Reduce& n) const { return self.reduce(id, n, value.type); }
  Presence of(const ir::Neighbour& n) const { return self.neighbour(n); }

  Presence unary(const ir::Unary& n, const Scalar& x) const {
    if (n.op == ir::UnaryOp::quantize) {
      const double quantum = self.cell_ ? self.cell_->group->exactness.quantum : 0;
      return given(ir::arithmetic::quantize(x.real, quantum), n.site, {x});
    }
    return given(ir::arithmetic::unary(n.op, x), n.site, {x});
  }
  Presence binary(const ir::Binary& n, const Scalar& a, const Presence& b) const {
    if (!b) return b;
    return given(ir::arithmetic::binary(n.op, a, *b), n.site, {a, *b});
  }
  Presence call(const ir::Call& n, std::vector<Scalar> arguments) const {
    return self.call(n.definition, std::move(arguments), n.site);
  }
  Presence read(const ir::Read& n, const std::vector<Scalar>& indices) const { return self.read(n, indices); }
  Presence measure(const ir::Measure& n, const std::vector<Scalar>& indices) const { return self.measure(n, indices); }
  Presence lookup(const ir::Lookup& n, const std::array<Scalar, 2>& keys) const {
    const double at[] = {keys[0].real, keys[1].real};
    const auto found = ir::lookup(self.system_[n.table], at);
    if (n.keys.size() == 1) return given(found, n.site, {keys[0]});
    return given(found, n.site, {keys[0], keys[1]});
  }
  Presence fail(const ir::Fail& n) const { self.fail(self.system_[n.site].kind, n.site); }
  // With the two sides, where the condition compares.
  Presence fail(const ir::Check& n) const {
    const ir::FailureKind kind = self.system_[n.site].kind;
    const auto* compares = std::get_if<ir::Binary>(&self.system_[n.condition].node);
    if (!compares || compares->op == ir::BinaryOp::logical_and || compares->op == ir::BinaryOp::logical_or) {
      self.fail(kind, n.site);
    }
    const Presence left = evaluate(compares->left), right = evaluate(compares->right);
    self.fail(kind, n.site, {*left, *right});
  }

 private:
  template <class T>
  Presence given(ir::arithmetic::Result<T> result, ir::SiteId site, std::initializer_list<Scalar> operands) const {
    if (result.failed) self.fail(result.kind, site, operands);
    if constexpr (std::is_same_v<T, Scalar>) {
      return result.value;
    } else {
      return Scalar::of(result.value);
    }
  }
};

Presence Evaluator::compute(ir::ValueId value) {
  return ir::evaluate_node(Visit{{}, *this, value, system_[value]}, system_[value].node);
}

bool Evaluator::is_fresh(const Memories& memories, const Memory& memory, ir::ValueId value) const {
  if (!memories.holds(memory)) return false;
  for (const ir::BinderId binder : prepared_.binders.of(value)) {
    if (binder_moved_[binder.index] > memory.at) return false;
  }
  return true;
}

Presence Evaluator::evaluate(ir::ValueId value) {
  const Nesting nesting(*this);
  if (++ticks_ % cells_between_clock_reads == 0) look_at_clock();
  const std::uint32_t number = prepared_.memory_number[value.index];
  if (number == PreparedSystem::not_remembered) return compute(value);
  Memories& memories = here_->memory[cell_ != nullptr];
  Memory& memory = memories.of(number);
  if (is_fresh(memories, memory, value)) return memory.value;
  const Presence result = compute(value);
  memory = {clock_, result};
  return result;
}

Scalar Evaluator::evaluate_present(ir::ValueId value) {
  const Presence result = evaluate(value);
  if (!result) internal_error("absent outside an event");
  return *result;
}

Activation& Evaluator::activation(ir::FrameId frame) {
  Activation* found = here_;
  while (found && found->frame != frame) found = found->outer;
  if (!found) internal_error("a frame that does not enclose its use");
  return *found;
}

Scalar Evaluator::reference(ir::DefinitionId id) {
  Activation& owner = activation(system_[id].frame);
  DefinitionState& state = owner.definitions[prepared_.definition_slot[id.index]];
  if (state.progress == Progress::done) return state.value;
  if (state.progress == Progress::running) fail_with_cycle(id);
  state.progress = Progress::running;
  try {
    const Scope scope(*this, owner, nullptr);
    std::optional<Unwatched> unwatched;
    if (&owner == &root_) unwatched.emplace(*this);
    state.value = evaluate_present(system_[id].body);
    state.progress = Progress::done;
  } catch (Failed& failed) {
    state.progress = Progress::none;
    failed.pass(id, system_[id].name);
    throw;
  } catch (...) {
    state.progress = Progress::none;
    throw;
  }
  return state.value;
}

Scalar Evaluator::call(ir::DefinitionId definition, std::vector<Scalar> arguments, ir::SiteId site) {
  if (!prepared_.is_long_function[system_[definition].frame.index])
    return activate(definition, std::move(arguments), site);
  std::vector<std::uint64_t> key{definition.index};
  for (const Scalar& argument : arguments) {
    const bool is_real = argument.type == ir::ScalarType::real;
    key.push_back(is_real ? std::bit_cast<std::uint64_t>(argument.real) : static_cast<std::uint64_t>(argument.integer));
  }
  const auto known = remembered_calls_.find(key);
  if (known != remembered_calls_.end() && activations_ <= known->second.activations) return known->second.result;
  const Scalar result = activate(definition, std::move(arguments), site);
  if (remembered_calls_.size() < most_remembered_calls)
    remembered_calls_.insert_or_assign(std::move(key), RememberedCall{result, activations_});
  return result;
}

Scalar Evaluator::activate(ir::DefinitionId definition, std::vector<Scalar> arguments, ir::SiteId site) {
  if (activations_ >= max_activations) fail(ir::FailureKind::recursion_too_deep, site);
  if (table_.is_used()) {
    if (const auto result = call_hot(definition, arguments)) return *result;
  }
  Activation callee;
  callee.arguments = std::move(arguments);
  callee.frame = system_[definition].frame;
  callee.outer = &activation(system_[callee.frame].parent);
  callee.definitions.resize(prepared_.definitions_in[callee.frame.index]);
  const ActiveCall active(*this, callee);
  const Scope scope(*this, callee, nullptr);
  const Scalar result = reference(definition);
  for (EventReport& report : reports_on_replaced(callee)) add_report(std::move(report));
  return result;
}

void Evaluator::fail(ir::FailureKind kind, ir::SiteId site, std::initializer_list<Scalar> values, Location location) {
  ir::Failure failure;
  failure.location = location;
  failure.kind = kind;
  failure.site = site;
  failure.values = values;
  failure.indices = indices_of_scope();
  failed_in_ = scopes_;
  throw Failed{std::move(failure)};
}

void Evaluator::fail_with_cycle(ir::DefinitionId id) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::cyclic_definition;
  failure.location = system_[id].location;
  failure.detail = system_[id].name;
  throw Failed{std::move(failure), id};
}

void Evaluator::look_at_clock() {
  if (is_over(limits_)) throw Failed{deadline_passed(limits_)};
}

}  // namespace wave::backend::interpreter
