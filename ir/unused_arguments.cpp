// Arguments that no body looks at. What remains of `W(i - 1, j)`, where `W` is the same for all processors, then looks
// at no index, and everything that asks what a value depends on sees it.
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/small_indices.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::ir {

namespace {

using Frames = std::vector<std::vector<ParameterId>>;  // the parameters of each

Frames parameters_of(const System& system) {
  Frames result(system.frames.size());
  for (std::uint32_t i = 0; i < system.parameters.size(); ++i)
    result[system.parameters[i].frame.index].push_back(ParameterId{i});
  return result;
}

// Calls `f` with everything that definitions, spaces, events, processes, ends and roots hold.
template <class Function>
void for_each_start(const System& system, Function&& f) {
  for (const Definition& definition : system.definitions) {
    if (definition.body.valid()) f(definition.body);
  }
  for (const Space& space : system.spaces) {
    for (const Axis& axis : space.axes) f(axis.first), f(axis.last);
  }
  for (const Event& event : system.events) for_each_value(event, f);
  for (const Process& process : system.processes) for_each_value_of_process(process, f);
  for (const MessageEnds& ends : system.ends) for_each_value_of_ends(ends, f);
  for (const Root& root : system.roots) for_each_value_of_root(root, f);
}

// Parameters that something looks at: not only to hand them on to where nothing does.
class Used {
 public:
  // `is_free`: an argument whose evaluation nobody would miss.
  template <class Test>
  Used(const System& system, const Frames& frames, Test&& is_free) : used(system.parameters.size(), false) {
    for (const MessageEnds& ends : system.ends) used[ends.size.index] = used[ends.local.index] = true;
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<bool> seen(system.values.size(), false);
      for_each_start(system, [&](ValueId start) { changed = walk(system, frames, start, seen, is_free) || changed; });
    }
  }
  std::vector<bool> used;

 private:
  template <class Test>
  bool walk(const System& system, const Frames& frames, ValueId start, std::vector<bool>& seen, Test& is_free) {
    bool changed = false;
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (seen[value.index]) continue;
      seen[value.index] = true;
      const Node& node = system[value].node;
      if (const auto* parameter = std::get_if<Parameter>(&node); parameter && !used[parameter->parameter.index]) {
        used[parameter->parameter.index] = changed = true;
      }
      const auto* call = std::get_if<Call>(&node);
      std::size_t number = 0;
      for_each_operand(node, [&](ValueId operand) {
        const ParameterId formal = call ? frames[call->frame.index][number++] : ParameterId{};
        if (call && !used[formal.index]) {
          if (is_free(operand)) return;
          used[formal.index] = changed = true;
        }
        pending.push_back(operand);
      });
    }
    return changed;
  }
};

// The system with only these parameters, and with values of other numbers.
System without_others(const System& system, const Frames& frames, const std::vector<bool>& used) {
  System result = system;
  result.parameters.clear();
  std::vector<ParameterId> renumbered(used.size());
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    renumbered[i] = ParameterId{static_cast<std::uint32_t>(result.parameters.size())};
    result.parameters.push_back(system.parameters[i]);
  }
  for (Value& value : result.values) {
    if (auto* parameter = std::get_if<Parameter>(&value.node)) {
      // If it was only handed on, nothing refers to it any more.
      const ParameterId number = renumbered[parameter->parameter.index];
      if (number.valid())
        parameter->parameter = number;
      else
        value.node = Constant{value.type == ScalarType::real      ? Scalar::of(0.0)
                              : value.type == ScalarType::integer ? Scalar::of(std::int64_t{0})
                                                                  : Scalar::of(false)};
    }
    if (auto* call = std::get_if<Call>(&value.node)) {
      std::vector<ValueId> kept;
      for (std::size_t i = 0; i < call->arguments.size(); ++i) {
        if (used[frames[call->frame.index][i].index]) kept.push_back(call->arguments[i]);
      }
      call->arguments = std::move(kept);
    }
  }
  for (MessageEnds& ends : result.ends) {
    ends.size = renumbered[ends.size.index];
    ends.local = renumbered[ends.local.index];
  }
  return result;
}

}  // namespace

System drop_unused_arguments(const System& system) {
  const Frames frames = parameters_of(system);
  const auto are_all = [](const std::vector<bool>& used) {
    return std::find(used.begin(), used.end(), false) == used.end();
  };
  if (are_all(Used(system, frames, [](ValueId) { return true; }).used)) return system;
  const Effects effects(system);
  const SmallIndices indices(system);
  const Used found(system, frames, [&](ValueId argument) {
    if (effects.is_of_cell(argument)) return false;
    return !effects.may_fail(argument) || indices.is_near(argument);
  });
  if (are_all(found.used)) return system;
  const System dropped = without_others(system, frames, found.used);
  return rewrite(
      dropped,
      [&](Builder& builder, ValueId old, Node node, RulePlace) {
        return builder.node(std::move(node), dropped[old].type);
      },
      EventShapes::may_change);
}

}  // namespace wave::ir
