// The pipeline, and the passes that are rules for single values.
#include "ir/passes.h"

#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/rewrite.h"
#include "ir/visit.h"

#include <optional>
#include <set>

namespace wave::ir {

const std::vector<Pass>& pipeline() {
  static const std::vector<Pass> passes = {
      {"fold", "fold operations on constants and share equal nodes", fold_and_share},
      {"inline-definitions", "put trivial definitions in the place of references to them", inline_definitions},
      {"inline-calls", "put small functions that cannot fail in the place of their calls", inline_calls},
      {"fold", "fold what inlining has made constant", fold_and_share},
      {"hoist", "evaluate once what looks at no index", hoist_invariants},
  };
  return passes;
}

const std::vector<Pass>& end_of_lowering() {
  static const std::vector<Pass> passes = {
      {"drop-arguments", "drop arguments that nothing looks at", drop_unused_arguments},
      {"expand", "write out functions of several indices in the costs of recurrences", expand_calls},
      {"split", "give recurrences a second form where a choice makes costs the same everywhere", split_choices},
  };
  return passes;
}

static System run(const std::vector<Pass>& passes, System system) {
  for (const Pass& pass : passes) system = pass.run(std::move(system));
  return system;
}

System end_lowering(System system) { return run(end_of_lowering(), std::move(system)); }

System run_passes(const System& system) { return run(pipeline(), system); }

System fold_and_share(const System& system) {
  return rewrite(system, [&](Builder& builder, ValueId old, Node node, RulePlace) {
    if (const auto* n = std::get_if<Reference>(&node)) {
      const Definition& definition = system[n->definition];
      const auto* constant = std::get_if<Constant>(&system[definition.body].node);
      if (constant && !definition.bindable) return builder.constant(constant->value);
    }
    return rebuild(builder, std::move(node), system[old].type);
  });
}

namespace {

bool is_leaf(const Node& node) {
  return std::holds_alternative<Constant>(node) || std::holds_alternative<Parameter>(node) ||
         std::holds_alternative<Reference>(node);
}

bool is_trivial(const System& system, ValueId value) {
  const Node& node = system[value].node;
  if (std::holds_alternative<Unary>(node) || std::holds_alternative<Binary>(node)) {
    bool has_leaves = true;
    for_each_operand(node, [&](ValueId operand) { has_leaves = has_leaves && is_leaf(system[operand].node); });
    return has_leaves;
  }
  return is_leaf(node);
}

// Copies an expression from a definition into the system that is being built.
class BodyInserter {
 public:
  BodyInserter(const System& from, Builder& to, std::vector<ValueId> arguments, FrameId callee)
      : from_(from), to_(to), arguments_(std::move(arguments)), callee_(callee) {}

  ValueId copy(ValueId value) {
    if (const auto* n = std::get_if<Parameter>(&from_[value].node); n && from_[n->parameter].frame == callee_) {
      return arguments_[number(n->parameter)];
    }
    Node node = from_[value].node;
    for_each_operand(node, [&](ValueId& operand) { operand = copy(operand); });
    return rebuild(to_, std::move(node), from_[value].type);
  }

 private:
  std::size_t number(ParameterId parameter) const {
    std::size_t result = 0;
    for (std::uint32_t i = 0; i < parameter.index; ++i) result += from_.parameters[i].frame == callee_ ? 1 : 0;
    return result;
  }

  const System& from_;
  Builder& to_;
  std::vector<ValueId> arguments_;
  FrameId callee_;
};

constexpr std::size_t most_inlined_nodes = 40;

// The number of nodes of a body that can replace a call: a tree of operations on the frame's parameters and what is
// visible outside it. Nothing if it is not such a tree, or too large.
std::optional<std::size_t> inlined_size(const System& system, ValueId value, FrameId frame, std::size_t depth = 0) {
  if (depth > most_inlined_nodes) return std::nullopt;
  const Node& node = system[value].node;
  const auto* reference = std::get_if<Reference>(&node);
  if (reference && encloses(system, frame, system[reference->definition].frame)) return std::nullopt;
  if (std::holds_alternative<Reduce>(node) || std::holds_alternative<Call>(node)) return std::nullopt;
  std::optional<std::size_t> size = 1;
  for_each_operand(node, [&](ValueId operand) {
    if (!size || *size > most_inlined_nodes) return;
    const auto inner = inlined_size(system, operand, frame, depth + 1);
    size = inner ? std::optional(*size + *inner) : std::nullopt;
  });
  return size && *size <= most_inlined_nodes ? size : std::nullopt;
}

}  // namespace

System inline_definitions(const System& system) {
  const Effects effects(system);
  return rewrite(system, [&](Builder& builder, ValueId old, Node node, RulePlace) {
    const auto* n = std::get_if<Reference>(&node);
    if (n && !system[n->definition].bindable) {
      const ValueId body = system[n->definition].body;
      if (is_trivial(system, body) && !effects.may_fail(body)) return BodyInserter(system, builder, {}, {}).copy(body);
    }
    return rebuild(builder, std::move(node), system[old].type);
  });
}

System inline_calls(const System& system) {
  const Effects effects(system);
  return rewrite(system, [&](Builder& builder, ValueId old, Node node, RulePlace where) {
    const auto* call = std::get_if<Call>(&node);
    if (call && !effects.is_deep(where.frame) && !effects.is_deep(call->frame)) {
      const ValueId body = system[call->definition].body;
      bool is_plain = !effects.may_fail(body) && !effects.is_of_cell(body) && inlined_size(system, body, call->frame);
      for_each_operand(system[old].node, [&](ValueId argument) {
        is_plain = is_plain && !effects.may_fail(argument) && !effects.is_of_cell(argument);
      });
      if (is_plain) return BodyInserter(system, builder, call->arguments, call->frame).copy(body);
    }
    return rebuild(builder, std::move(node), system[old].type);
  });
}

System hoist_invariants(const System& system) {
  const Effects effects(system);
  const FreeBinders binders(system);
  std::set<ValueId> invariant;
  const auto consider = [&](ValueId value) {
    const Node& node = system[value].node;
    const bool is_worth_it = !is_leaf(node) && !std::holds_alternative<Index>(node);
    if (is_worth_it && binders.of(value).empty() && !effects.may_fail(value) && !effects.is_of_cell(value))
      invariant.insert(value);
  };
  // The sides of a check's comparison are worth it, but not the comparison itself, since a failing check shows its
  // sides.
  const auto consider_check = [&](const Check& check) {
    const Node& condition = system[check.condition].node;
    if (std::holds_alternative<Binary>(condition))
      for_each_operand(condition, consider);
    else
      consider(check.condition);
    consider(check.value);
  };
  for (std::uint32_t i = 0; i < system.values.size(); ++i) {
    const Node& node = system.values[i].node;
    if (const auto* reduce = std::get_if<Reduce>(&node)) {
      if (reduce->body.valid()) consider(reduce->body);
      for (const Level& level : reduce->levels) {
        if (level.filter.valid()) consider(level.filter);
      }
    }
    if (binders.of(ValueId{i}).empty()) continue;
    if (const auto* check = std::get_if<Check>(&node))
      consider_check(*check);
    else
      for_each_operand(node, consider);
  }
  return rewrite(system, [&](Builder& builder, ValueId old, Node node, RulePlace where) {
    const ValueId value = rebuild(builder, std::move(node), system[old].type);
    if (where.in_event || !invariant.count(old) || builder.as_constant(value)) return value;
    const std::string name = "invariant " + std::to_string(builder.system().definitions.size());
    return builder.reference(builder.define(where.frame, name, value));
  });
}

}  // namespace wave::ir
