// The passes at the end of lowering that deal with calls in the costs of a recurrence.
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/system.h"
#include "ir/visit.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace wave::ir {

namespace {

// --- sums of an index and a constant that do not overflow, whatever the extents ---

// Finds indices of loops that begin at a small constant and go in small steps. Such a loop never comes near the place
// where adding a small constant overflows.
class SmallIndices {
 public:
  explicit SmallIndices(const System& system) : system_(system) {
    for (const Space& space : system.spaces) {
      for (const Axis& axis : space.axes) add(axis.binder, is_small(system, axis.first));
    }
    for (const Value& value : system.values) {
      if (const auto* reduce = std::get_if<Reduce>(&value.node)) add(reduce->levels);
    }
    for (const Root& root : system.roots) {
      for (const RowBlock& block : root.blocks) add(block.levels);
    }
    for (const Process& process : system.processes) add_loops(process);
  }

  // Whether a value is an index, plus or minus small constants.
  bool is_near(ValueId value) const { return is_near(system_, value); }
  // The same for a value of another system that has the same binders.
  bool is_near(const System& system, ValueId value) const {
    const Node& node = system[value].node;
    if (const auto* index = std::get_if<Index>(&node)) {
      const auto known = small_.find(index->binder);
      return known != small_.end() && known->second;
    }
    const auto* sum = std::get_if<Binary>(&node);
    if (!sum || (sum->op != BinaryOp::add && sum->op != BinaryOp::subtract)) return false;
    if (is_near(system, sum->left) && is_small(system, sum->right)) return true;
    return sum->op == BinaryOp::add && is_small(system, sum->left) && is_near(system, sum->right);
  }

 private:
  // A loop that reaches the place where such sums overflow has more than 2^40 iterations.
  static bool is_small(const System& system, ValueId value) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    const auto* constant = std::get_if<Constant>(&system[value].node);
    return constant && constant->value.type == ScalarType::integer && constant->value.integer >= -most &&
           constant->value.integer <= most;
  }

  void add(BinderId binder, bool is_small) {
    const auto [known, is_new] = small_.try_emplace(binder, is_small);
    if (!is_new) known->second = known->second && is_small;
  }

  void add(const std::vector<Level>& levels) {
    for (const Level& level : levels)
      add(level.binder, !level.geometric && is_small(system_, level.first) && is_small(system_, level.step));
  }

  void add_loops(const Process& process) {
    for (const Block& block : process.blocks) {
      for (const Statement& statement : block) {
        if (const auto* loop = std::get_if<Loop>(&statement.node)) add(loop->levels);
        if (const auto* sweep = std::get_if<Sweep>(&statement.node)) add(sweep->tile, true);
      }
    }
  }

  const System& system_;
  std::unordered_map<BinderId, bool> small_;
};

}  // namespace

// Writes out functions of several indices in the costs of a recurrence. `W(i, j) = w * f(i) * g(j)` looks at both
// indices, but its parts look at one each. They can be evaluated along their axis, fall into classes, and can be seen
// by proofs.

namespace {

constexpr std::size_t most_nodes_inlined = 400;  // for one body and what it calls

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

  // Works in the system that is being built; `call` is an old value, and `arguments` are new ones.
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

  // Whether a function can be written out: no recursion, no loop, nothing that only an activation has, and not too
  // long.
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

  // Whether all arguments are indices, constants or other values that do not fail.
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

bool is_call(const Value& value) { return std::holds_alternative<Call>(value.node); }

}  // namespace

System expand_calls(System system) {
  if (system.events.empty() || std::none_of(system.values.begin(), system.values.end(), is_call)) return system;
  const Expander expander(system);
  if (!expander.has_work()) return system;
  const auto is_expanded = [&](ValueId value) { return is_call(system[value]) && expander.looks_at_several(value); };
  rewrite_in_place(system, is_expanded, [&](Builder& builder, ValueId old, Node node, RulePlace where) {
    if (where.in_event && is_expanded(old)) {
      const Call before = std::get<Call>(system[old].node);  // a copy, since the builder adds values
      if (const auto written = expander.expand(builder, before, std::get<Call>(node).arguments)) return *written;
    }
    return builder.node(std::move(node), system[old].type);
  });
  return system;
}

// Finds arguments that no body looks at. If `W` is the same for all processors, `W(i - 1, j)` then looks at no index,
// and everything that asks what a value depends on sees that.

namespace {

using Frames = std::vector<std::vector<ParameterId>>;  // the parameters of each frame

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

// Finds parameters that something looks at. Handing a parameter on to a place where nothing looks at it does not count.
class Used {
 public:
  // `is_free`: nobody would miss the evaluation of the argument.
  template <class Test>
  Used(const System& system, const Frames& frames, Test&& is_free) : used(system.parameters.size(), false) {
    for (const MessageEnds& ends : system.ends) {
      for (const ParameterId id : {ends.size, ends.within, ends.sender, ends.receiver}) used[id.index] = true;
    }
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

// Leaves only these parameters, which get new numbers. Says of each value whether it has become another.
std::vector<bool> drop_others(System& system, const Frames& frames, const std::vector<bool>& used) {
  std::vector<ParameterId> renumbered(used.size());
  std::vector<FrameParameter> kept_parameters;
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    renumbered[i] = ParameterId{static_cast<std::uint32_t>(kept_parameters.size())};
    kept_parameters.push_back(std::move(system.parameters[i]));
  }
  system.parameters = std::move(kept_parameters);
  std::vector<bool> has_changed(system.values.size(), false);
  for (std::size_t i = 0; i < system.values.size(); ++i) {
    Value& value = system.values[i];
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
      for (std::size_t argument = 0; argument < call->arguments.size(); ++argument) {
        if (used[frames[call->frame.index][argument].index]) kept.push_back(call->arguments[argument]);
      }
      has_changed[i] = kept.size() < call->arguments.size();
      call->arguments = std::move(kept);
    }
  }
  for (MessageEnds& ends : system.ends) {
    for (ParameterId* id : {&ends.size, &ends.within, &ends.sender, &ends.receiver}) *id = renumbered[id->index];
  }
  return has_changed;
}

}  // namespace

System drop_unused_arguments(System system) {
  const Frames frames = parameters_of(system);
  const auto are_all = [](const std::vector<bool>& used) {
    return std::find(used.begin(), used.end(), false) == used.end();
  };
  if (are_all(Used(system, frames, [](ValueId) { return true; }).used)) return system;
  const Used found = [&] {
    const Effects effects(system);
    const SmallIndices indices(system);
    return Used(system, frames, [&](ValueId argument) {
      if (effects.is_of_cell(argument)) return false;
      return !effects.may_fail(argument) || indices.is_near(argument);
    });
  }();
  if (are_all(found.used)) return system;
  const std::vector<bool> has_changed = drop_others(system, frames, found.used);
  // Calls that differed in what nothing looked at are one now.
  rewrite_in_place(
      system, [&](ValueId value) { return has_changed[value.index]; },
      [&](Builder& builder, ValueId old, Node node, RulePlace) {
        return builder.node(std::move(node), system[old].type);
      });
  return system;
}

}  // namespace wave::ir
