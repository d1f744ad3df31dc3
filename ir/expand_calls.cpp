// Writes out functions of several indices in the costs of a recurrence. `W(i, j) = w * f(i) * g(j)` looks at both
// indices, but its parts look at one each. They can be evaluated along their axis, fall into classes, and can be seen
// by proofs.
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/small_indices.h"
#include "ir/visit.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace wave::ir {

namespace {

constexpr std::size_t most_nodes_inlined = 400;  // of one body, and of what it calls

class Expander {
 public:
  explicit Expander(const System& system) : system_(system), binders_(system), effects_(system), indices_(system) {}

  bool has_work() const {
    return std::any_of(system_.events.begin(), system_.events.end(), [&](const Event& event) {
      bool found = false;
      if (!event.general()) for_each_value(event, [&](ValueId value) { found = found || has_call(value); });
      return found;
    });
  }

  // In the system that is being built; `call` is an old value, `arguments` are new ones.
  std::optional<ValueId> expand(Builder& builder, const Call& old, const std::vector<ValueId>& arguments) const {
    const auto is_harmless = [&](ValueId argument) {
      const bool may_fail = effects_.may_fail(argument) && !indices_.is_near(argument);
      return !may_fail && !effects_.is_of_cell(argument);
    };
    if (!std::all_of(old.arguments.begin(), old.arguments.end(), is_harmless)) return std::nullopt;
    std::size_t nodes = 0;
    if (!can_be_written_out(old, nodes)) return std::nullopt;
    return write_out(builder, old.frame, old.definition, arguments);
  }

  bool looks_at_several(ValueId value) const { return binders_.of(value).size() > 1; }

 private:
  bool has_call(ValueId start) const {
    bool found = false;
    std::vector<ValueId> pending{start};
    std::set<ValueId> seen;
    while (!pending.empty() && !found) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!looks_at_several(value) || !seen.insert(value).second) continue;
      found = std::holds_alternative<Call>(system_[value].node);
      for_each_operand(system_[value].node, [&](ValueId operand) { pending.push_back(operand); });
    }
    return found;
  }

  // No recursion, no loop, nothing that only an activation has, and not too long.
  bool can_be_written_out(const Call& call, std::size_t& nodes) const {
    return !effects_.is_deep(call.frame) && is_plain(system_[call.definition].body, call.frame, nodes);
  }

  bool is_plain(ValueId value, FrameId frame, std::size_t& nodes) const {
    if (++nodes > most_nodes_inlined) return false;
    const Node& node = system_[value].node;
    if (std::holds_alternative<Reduce>(node) || std::holds_alternative<Neighbour>(node)) return false;
    if (const auto* read = std::get_if<Read>(&node); read && encloses(system_, frame, system_[read->event].frame))
      return false;
    if (const auto* measure = std::get_if<Measure>(&node);
        measure && encloses(system_, frame, system_[measure->process].frame))
      return false;
    if (const auto* reference = std::get_if<Reference>(&node);
        reference && system_[reference->definition].frame == frame) {
      return is_plain(system_[reference->definition].body, frame, nodes);
    }
    if (const auto* call = std::get_if<Call>(&node)) {
      if (encloses(system_, frame, call->frame) || !can_be_written_out(*call, nodes)) return false;
    }
    bool plain = true;
    for_each_operand(node, [&](ValueId operand) { plain = plain && is_plain(operand, frame, nodes); });
    return plain;
  }

  ValueId write_out(Builder& builder, FrameId frame, DefinitionId definition,
                    const std::vector<ValueId>& arguments) const {
    std::unordered_map<ParameterId, ValueId> given;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < system_.parameters.size(); ++i) {
      if (system_.parameters[i].frame == frame) given[ParameterId{i}] = arguments[next++];
    }
    std::unordered_map<ValueId, ValueId> known;
    return copy(builder, system_[definition].body, frame, given, known);
  }

  ValueId copy(Builder& builder, ValueId value, FrameId frame, const std::unordered_map<ParameterId, ValueId>& given,
               std::unordered_map<ValueId, ValueId>& known) const {
    if (const auto found = known.find(value); found != known.end()) return found->second;
    Node node = system_[value].node;
    const auto of = [&](ValueId operand) { return copy(builder, operand, frame, given, known); };
    ValueId result;
    if (const auto* parameter = std::get_if<Parameter>(&node); parameter && given.count(parameter->parameter)) {
      result = given.at(parameter->parameter);
    } else if (const auto* reference = std::get_if<Reference>(&node);
               reference && system_[reference->definition].frame == frame) {
      result = of(system_[reference->definition].body);
    } else {
      for_each_operand(node, [&](ValueId& operand) { operand = of(operand); });
      const auto* call = std::get_if<Call>(&node);
      const bool is_again = call && indices_in(builder.system(), call->arguments).size() > 1 &&
                            are_harmless(builder.system(), call->arguments);
      if (is_again)
        result = write_out(builder, call->frame, call->definition, call->arguments);
      else
        result = builder.node(std::move(node), system_[value].type);
    }
    return known[value] = result;
  }

  // Of values that are made of arguments: indices, constants and what does not fail.
  bool are_harmless(const System& system, const std::vector<ValueId>& arguments) const {
    return std::all_of(arguments.begin(), arguments.end(), [&](ValueId argument) {
      const Node& node = system[argument].node;
      if (const auto* reference = std::get_if<Reference>(&node))
        return !effects_.may_fail(system_[reference->definition].body);
      return std::holds_alternative<Constant>(node) || std::holds_alternative<Parameter>(node) ||
             indices_.is_near(system, argument);
    });
  }

  static std::set<BinderId> indices_in(const System& system, const std::vector<ValueId>& values) {
    std::set<BinderId> result;
    std::vector<ValueId> pending = values;
    std::set<ValueId> seen;
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (!seen.insert(value).second) continue;
      if (const auto* index = std::get_if<Index>(&system[value].node)) result.insert(index->binder);
      for_each_operand(system[value].node, [&](ValueId operand) { pending.push_back(operand); });
    }
    return result;
  }

  const System& system_;
  const FreeBinders binders_;
  const Effects effects_;
  const SmallIndices indices_;
};

}  // namespace

System expand_calls(const System& system) {
  const bool has_calls = std::any_of(system.values.begin(), system.values.end(),
                                     [](const Value& value) { return std::holds_alternative<Call>(value.node); });
  if (system.events.empty() || !has_calls) return system;
  const Expander expander(system);
  if (!expander.has_work()) return system;
  return rewrite(
      system,
      [&](Builder& builder, ValueId old, Node node, RulePlace where) {
        const auto* call = std::get_if<Call>(&node);
        if (call && where.in_event && expander.looks_at_several(old)) {
          if (const auto written = expander.expand(builder, std::get<Call>(system[old].node), call->arguments))
            return *written;
        }
        return builder.node(std::move(node), system[old].type);
      },
      EventShapes::may_change);
}

}  // namespace wave::ir
