// Rewrites operands before their users, with an explicit stack, since expressions may be deep.
#include "ir/rewrite.h"

#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <unordered_map>

namespace wave::ir {

namespace {

struct Folding {
  Builder& b;
  ScalarType type;

  ValueId operator()(Unary& n) const { return b.unary(n.op, n.operand, n.site); }
  ValueId operator()(Binary& n) const { return b.binary(n.op, n.left, n.right, n.site); }
  ValueId operator()(Maximum& n) const { return b.maximum(std::move(n.operands)); }
  ValueId operator()(Minimum& n) const { return b.minimum(std::move(n.operands)); }
  ValueId operator()(Select& n) const {
    return n.is_shortcut ? b.node(n, type) : b.select(n.condition, n.if_true, n.if_false);
  }
  ValueId operator()(Check& n) const { return b.check(n.condition, n.value, n.site); }
  template <class Other>
  ValueId operator()(Other& n) const {
    return b.node(std::move(n), type);
  }
};

// What groups, schedules, hoisted scalars and bounds depend on.
class ShapesOfEvents {
 public:
  explicit ShapesOfEvents(const System& system) : system_(system), binders_(system), effects_(system) {}

  bool is_same(EventId id, const ShapesOfEvents& other) const {
    std::vector<ValueId> own, others;
    for_each_value(system_[id], [&](ValueId value) { own.push_back(value); });
    for_each_value(other.system_[id], [&](ValueId value) { others.push_back(value); });
    for (std::size_t i = 0; i < own.size(); ++i) {
      const bool is_same_value = binders_.of(own[i]) == other.binders_.of(others[i]) &&
                                 effects_.is_of_cell(own[i]) == other.effects_.is_of_cell(others[i]);
      if (!is_same_value) return false;
    }
    return dependences(system_, id) == dependences(other.system_, id) &&
           events_read(system_, id) == events_read(other.system_, id);
  }

 private:
  const System& system_;
  FreeBinders binders_;
  Effects effects_;
};

class Rewriter {
 public:
  Rewriter(const System& from, const Rule& rule)
      : from_(from), rule_(rule), to_(copy_without_values(from)), builder_(to_) {}

  System run(EventShapes shapes) {
    for (std::size_t i = 0; i < from_.definitions.size(); ++i) {
      const Definition& old = from_.definitions[i];
      if (!old.body.valid()) continue;
      const ValueId body = map(old.body, {old.frame, false}, rule_);
      to_.definitions[i].body = body;
    }
    for (Root& root : to_.roots) {
      for_each_value_of_root(root, [&](ValueId& value) { value = map(value, {System::root_frame, false}, rule_); });
    }
    for (Space& space : to_.spaces) {
      for (Axis& axis : space.axes) {
        axis.first = map(axis.first, {space.frame, false}, rule_);
        axis.last = map(axis.last, {space.frame, false}, rule_);
      }
    }
    for (Event& event : to_.events) map_values(event, rule_);
    for (Process& process : to_.processes) {
      for_each_value_of_process(process, [&](ValueId& value) { value = map(value, {process.frame, false}, rule_); });
    }
    for (MessageEnds& ends : to_.ends) {
      for_each_value_of_ends(ends, [&](ValueId& value) { value = map(value, {ends.frame, false}, rule_); });
    }
    if (shapes == EventShapes::stay) restore_events_of_other_shape();
    return std::move(to_);
  }

 private:
  static System copy_without_values(const System& from) {
    System result = from;
    result.values.clear();
    return result;
  }

  void map_values(Event& event, const Rule& rule) {
    for_each_value(event, [&](ValueId& value) { value = map(value, {event.frame, true}, rule); });
  }

  // Definitions may no longer have a reason to read an event either, so all events are looked at.
  void restore_events_of_other_shape() {
    const ShapesOfEvents before(from_), after(to_);
    std::vector<EventId> changed;
    for (std::uint32_t i = 0; i < from_.events.size(); ++i) {
      if (!before.is_same(EventId{i}, after)) changed.push_back(EventId{i});
    }
    known_[1].clear();
    const Rule copy = [&](Builder& builder, ValueId old, Node node, RulePlace) {
      return builder.node(std::move(node), from_[old].type);
    };
    for (const EventId id : changed) {
      to_[id] = from_[id];
      map_values(to_[id], copy);
    }
  }

  ValueId map(ValueId start, RulePlace where, const Rule& rule) {
    auto& known = known_[where.in_event][where.frame];
    std::vector<ValueId> pending{start};
    while (!pending.empty()) {
      const ValueId value = pending.back();
      if (known.count(value)) {
        pending.pop_back();
        continue;
      }
      bool is_ready = true;
      for_each_operand(from_[value].node, [&](ValueId operand) {
        if (known.count(operand)) return;
        is_ready = false;
        pending.push_back(operand);
      });
      if (!is_ready) continue;
      Node node = from_[value].node;
      for_each_operand(node, [&](ValueId& operand) { operand = known.at(operand); });
      keep_sides(value, node, known);
      known[value] = rule(builder_, value, std::move(node), where);
      pending.pop_back();
    }
    return known.at(start);
  }

  static bool shows_sides(const Node& condition) {
    const auto* const compares = std::get_if<Binary>(&condition);
    return compares && compares->op != BinaryOp::logical_and && compares->op != BinaryOp::logical_or;
  }

  // A failing check shows the two sides of its comparison, and nothing if its condition is not one. So a comparison
  // stays one, although it may have been folded or moved into a definition, and other conditions do not become one.
  void keep_sides(ValueId old, Node& node, const std::unordered_map<ValueId, ValueId>& known) {
    auto* const check = std::get_if<Check>(&node);
    if (!check) return;
    const auto condition = builder_.as_constant(check->condition);
    const Node& before = from_[std::get<Check>(from_[old].node).condition].node;
    const bool shows_now = shows_sides(builder_.system()[check->condition].node);
    if (shows_sides(before) == shows_now || (condition && condition->boolean)) return;
    Binary kept{BinaryOp::logical_and, builder_.boolean(true), check->condition, {}};
    if (!shows_now) {
      kept = std::get<Binary>(before);
      kept.left = known.at(kept.left);
      kept.right = known.at(kept.right);
    }
    check->condition = builder_.node(kept, ScalarType::boolean);
  }

  const System& from_;
  const Rule& rule_;
  System to_;
  Builder builder_;
  std::unordered_map<FrameId, std::unordered_map<ValueId, ValueId>> known_[2];  // outside events, inside events
};

}  // namespace

System rewrite(const System& system, const Rule& rule, EventShapes shapes) {
  return Rewriter(system, rule).run(shapes);
}

ValueId rebuild(Builder& builder, Node node, ScalarType type) { return std::visit(Folding{builder, type}, node); }

}  // namespace wave::ir
