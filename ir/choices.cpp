// Gives recurrences a second form. A condition that is the same everywhere may decide whether the costs look at
// indices, as `D > 1 and (i - 2) div D == (i - 1) div D` does for D processes on a node. Then there is a second
// recurrence for the case in which they do not, and a read takes the one that applies.
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/rewrite.h"
#include "ir/schedule.h"
#include "ir/visit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace wave::ir {

namespace {

// What a condition is taken to be, and whether its checks have to be asked first.
struct Answer {
  bool is_true = false;
  bool has_checks = false;
};
using Choices = std::map<ValueId, Answer>;
using Versions = std::unordered_map<EventId, EventId>;  // the second form of events

// Rewrites values under choices.
class ChoiceCopier {
 public:
  ChoiceCopier(Builder& builder, const Choices& choices, const Versions& versions)
      : builder_(builder), choices_(choices), versions_(versions) {}

  ValueId copy(ValueId value) {
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const ValueId result = compute(value);
    return known_[value] = result;
  }

 private:
  ValueId compute(ValueId value) {
    if (const auto choice = choices_.find(value); choice != choices_.end())
      return builder_.boolean(choice->second.is_true);
    Node node = builder_.system()[value].node;
    const ScalarType type = builder_.type(value);
    bool is_changed = false;
    if (auto* neighbour = std::get_if<Neighbour>(&node)) {
      const auto version = versions_.find(neighbour->event);
      if (version == versions_.end()) return value;
      neighbour->event = version->second;
      return builder_.node(std::move(node), type);
    }
    for_each_operand(node, [&](ValueId& operand) {
      const ValueId copied = copy(operand);
      is_changed = is_changed || copied != operand;
      operand = copied;
    });
    if (!is_changed) return value;
    // A failing check shows the sides of its comparison, so the comparison is kept.
    if (std::holds_alternative<Check>(node)) return builder_.node(std::move(node), type);
    return rebuild(builder_, std::move(node), type);
  }

  Builder& builder_;
  const Choices& choices_;
  const Versions& versions_;
  std::unordered_map<ValueId, ValueId> known_;
};

// Which indices values look at under choices.
class Simplified {
 public:
  Simplified(const System& system, const FreeBinders& binders, const Choices& choices)
      : system_(system), binders_(binders), choices_(choices) {}

  std::set<BinderId> of(ValueId value) { return look_at(value).binders; }

 private:
  struct Look {
    std::optional<bool> truth;
    std::set<BinderId> binders;
  };

  const Look& look_at(ValueId value) {
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    Look look = compute(value);
    return known_[value] = std::move(look);
  }

  Look compute(ValueId value) {
    if (const auto choice = choices_.find(value); choice != choices_.end()) return {choice->second.is_true, {}};
    const std::vector<BinderId>& all = binders_.of(value);
    if (all.empty()) return {};
    const Node& node = system_[value].node;
    if (const auto* n = std::get_if<Binary>(&node);
        n && (n->op == BinaryOp::logical_and || n->op == BinaryOp::logical_or)) {
      const Look left = look_at(n->left);
      if (left.truth == (n->op == BinaryOp::logical_or)) return {left.truth, {}};
      if (left.truth) return look_at(n->right);
    }
    if (const auto* n = std::get_if<Unary>(&node); n && n->op == UnaryOp::logical_not) {
      const Look operand = look_at(n->operand);
      if (operand.truth) return {!*operand.truth, {}};
    }
    if (const auto* n = std::get_if<Select>(&node)) {
      if (const auto truth = look_at(n->condition).truth) return look_at(*truth ? n->if_true : n->if_false);
    }
    Look look;
    if (std::holds_alternative<Reduce>(node) || std::holds_alternative<Neighbour>(node) ||
        std::holds_alternative<Index>(node)) {
      look.binders.insert(all.begin(), all.end());
      return look;
    }
    for_each_operand(node, [&](ValueId operand) {
      const Look& inner = look_at(operand);
      look.binders.insert(inner.binders.begin(), inner.binders.end());
    });
    return look;
  }

  const System& system_;
  const FreeBinders& binders_;
  const Choices& choices_;
  std::unordered_map<ValueId, Look> known_;
};

// Whether the node is an operator that fails only where an operand does.
bool is_total_operator(const System& system, const Node& node) {
  if (const auto* unary = std::get_if<Unary>(&node)) return !operation(unary->op).can_fail(system[unary->operand].type);
  const auto* binary = std::get_if<Binary>(&node);
  return binary && !operation(binary->op).can_fail(system[binary->left].type);
}

// Conditions in which nothing but checks can fail. A read may ask such a condition: whether the checks hold, and then
// what it says without them.
class Checked {
 public:
  Checked(const System& system, const Effects& effects) : system_(system), effects_(effects) {}

  bool may_be_asked(ValueId value, int depth = 0) const {
    if (effects_.is_of_cell(value)) return false;
    if (!effects_.may_fail(value)) return true;
    if (depth == deepest) return false;
    const Node& node = system_[value].node;
    if (const auto* reference = std::get_if<Reference>(&node)) {
      const Definition& definition = system_[reference->definition];
      return !definition.bindable && may_be_asked(definition.body, depth + 1);
    }
    bool result = is_total_operator(system_, node) || std::holds_alternative<Check>(node);
    for_each_operand(node, [&](ValueId operand) { result = result && may_be_asked(operand, depth + 1); });
    return result;
  }

  struct Form {
    ValueId holds, value;
  };
  Form form(Builder& builder, ValueId value) const {
    if (!effects_.may_fail(value)) return {builder.boolean(true), value};
    Node node = system_[value].node;
    const ScalarType type = system_[value].type;
    if (const auto* reference = std::get_if<Reference>(&node))
      return form(builder, system_[reference->definition].body);
    if (const auto* check = std::get_if<Check>(&node)) {
      const Form condition = form(builder, check->condition), rest = form(builder, check->value);
      const ValueId holds = builder.logical_and(condition.holds, condition.value);
      return {builder.logical_and(holds, rest.holds), rest.value};
    }
    ValueId holds = builder.boolean(true);
    for_each_operand(node, [&](ValueId& operand) {
      const Form one = form(builder, operand);
      holds = builder.logical_and(holds, one.holds);
      operand = one.value;
    });
    return {holds, rebuild(builder, std::move(node), type)};
  }

 private:
  static constexpr int deepest = 8;

  const System& system_;
  const Effects& effects_;
};

// Finds conditions of a group's weights that are the same in all cells, with the answer under which fewer indices are
// looked at.
class ChoiceFinder {
 public:
  ChoiceFinder(const System& system, const FreeBinders& binders, const Effects& effects, const Space& space)
      : system_(system), binders_(binders), effects_(effects) {
    for (const Axis& axis : space.axes) evaluates(axis.first), evaluates(axis.last);
  }

  void look_at(ValueId start) {
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (is_same_everywhere(value) || !seen_.insert(value).second) continue;
      const Node& node = system_[value].node;
      if (const auto* n = std::get_if<Binary>(&node)) {
        if (n->op == BinaryOp::logical_and) choose(n->left, false);
        if (n->op == BinaryOp::logical_or) choose(n->left, true);
      } else if (const auto* choice = std::get_if<Select>(&node)) {
        const bool is_first = is_same_everywhere(choice->if_true);
        if (is_first != is_same_everywhere(choice->if_false)) choose(choice->condition, is_first);
      }
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
    }
  }

  Choices found;

 private:
  bool is_same_everywhere(ValueId value) const { return binders_.of(value).empty(); }

  void choose(ValueId condition, bool answer) {
    const bool is_constant = std::holds_alternative<Constant>(system_[condition].node);
    if (is_constant || !is_same_everywhere(condition)) return;
    if (has_value(condition))
      found.try_emplace(condition, Answer{answer, false});
    else if (Checked(system_, effects_).may_be_asked(condition))
      found.try_emplace(condition, Answer{answer, true});
  }

  // A read of the event may evaluate the condition first. So it must not fail, or only as the extents do, which a read
  // evaluates anyway.
  bool has_value(ValueId value) const {
    if (effects_.is_of_cell(value)) return false;
    if (!effects_.may_fail(value) || evaluated_.count(value)) return true;
    const Node& node = system_[value].node;
    bool result = is_total_operator(system_, node);
    for_each_operand(node, [&](ValueId operand) { result = result && has_value(operand); });
    return result;
  }

  // Notes what is certainly evaluated together with `value`.
  void evaluates(ValueId value) {
    if (!evaluated_.insert(value).second) return;
    const Node& node = system_[value].node;
    if (const auto* check = std::get_if<Check>(&node)) {
      evaluates(check->condition);
      evaluates(check->value);
    } else if (const auto* choice = std::get_if<Select>(&node)) {
      evaluates(choice->condition);
    } else if (const auto* binary = std::get_if<Binary>(&node)) {
      evaluates(binary->left);
      if (binary->op != BinaryOp::logical_and && binary->op != BinaryOp::logical_or) evaluates(binary->right);
    } else if (const auto* unary = std::get_if<Unary>(&node)) {
      evaluates(unary->operand);
    }
  }

  const System& system_;
  const FreeBinders& binders_;
  const Effects& effects_;
  std::unordered_set<ValueId> evaluated_, seen_;
};

class Splitter {
 public:
  explicit Splitter(System& system) : system_(system), binders_(system), effects_(system) {}

  void run() {
    for (const EventGroup& group : event_groups(system_)) {
      if (const Choices choices = choices_of(group); !choices.empty()) add_version(group, choices);
    }
    if (versions_.empty()) return;
    const auto has_version = [&](ValueId value) {
      const auto* read = std::get_if<Read>(&system_[value].node);
      return read && versions_.count(read->event) > 0;
    };
    rewrite_in_place(system_, has_version, [&](Builder& builder, ValueId old, Node node, RulePlace) {
      const ScalarType type = system_[old].type;
      if (!has_version(old)) return builder.node(std::move(node), type);
      Read other = std::get<Read>(node);
      const ValueId condition = builder.reference(conditions_.at(other.event));
      other.event = versions_.at(other.event);
      const ValueId if_true = builder.node(std::move(other), type), if_false = builder.node(std::move(node), type);
      return builder.node(Select{condition, if_true, if_false}, type);
    });
  }

 private:
  // Its own choices, if they make a difference to its weights, and those of the events that its cells look at.
  Choices choices_of(const EventGroup& group) {
    if (group.reads_itself || schedule(system_, group).kind == ScheduleKind::on_demand) return {};
    Choices result;
    for (const EventId id : group.events) {
      const Event& event = system_[id];
      for (const Dependence& dependence : dependences(system_, id)) {
        const auto of_source = choices_.find(dependence.source);
        if (of_source != choices_.end()) result.insert(of_source->second.begin(), of_source->second.end());
      }
      if (event.general()) continue;
      ChoiceFinder finder(system_, binders_, effects_, system_[event.space]);
      for_each_value(event, [&](ValueId value) { finder.look_at(value); });
      if (!finder.found.empty() && is_worth_it(event, finder.found))
        result.insert(finder.found.begin(), finder.found.end());
    }
    return result;
  }

  // Whether some weight looks at fewer indices.
  bool is_worth_it(const Event& event, const Choices& choices) const {
    Simplified simplified(system_, binders_, choices);
    bool result = false;
    for_each_value(event,
                   [&](ValueId value) { result = result || simplified.of(value).size() < binders_.of(value).size(); });
    return result;
  }

  void add_version(const EventGroup& group, const Choices& choices) {
    if (!builder_) builder_.emplace(system_);
    ValueId condition = builder_->boolean(true);
    for (const auto& [value, answer] : choices) {
      ValueId asked = value;
      if (answer.has_checks) {
        const Checked::Form form = Checked(system_, effects_).form(*builder_, value);
        condition = builder_->logical_and(condition, form.holds);
        asked = form.value;
      }
      condition = builder_->logical_and(condition, answer.is_true ? asked : builder_->logical_not(asked));
    }
    const Event first = system_[group.events.front()];
    const DefinitionId definition = builder_->define(group.frame, first.name + ": simple", condition, first.location);
    for (const EventId id : group.events) versions_[id] = builder_->event(system_[id]);
    ChoiceCopier copier(*builder_, choices, versions_);
    for (const EventId id : group.events) {
      Event event = system_[id];
      for_each_value(event, [&](ValueId& value) { value = copier.copy(value); });
      for (Constraint& constraint : event.constraints) {
        const auto version = versions_.find(constraint.source);
        if (version != versions_.end()) constraint.source = version->second;
      }
      system_[versions_.at(id)] = std::move(event);
      choices_[id] = choices;
      conditions_[id] = definition;
    }
  }

  System& system_;
  const FreeBinders binders_;
  const Effects effects_;
  std::optional<Builder> builder_;  // from the first version on
  Versions versions_;
  std::unordered_map<EventId, Choices> choices_;
  std::unordered_map<EventId, DefinitionId> conditions_;
};

}  // namespace

System split_choices(System system) {
  const auto decides = [](const Value& value) {
    const auto* binary = std::get_if<Binary>(&value.node);
    return std::holds_alternative<Select>(value.node) ||
           (binary && (binary->op == BinaryOp::logical_and || binary->op == BinaryOp::logical_or));
  };
  if (system.events.empty() || std::none_of(system.values.begin(), system.values.end(), decides)) return system;
  Splitter(system).run();
  return system;
}

}  // namespace wave::ir
