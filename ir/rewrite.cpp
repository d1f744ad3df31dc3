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
  explicit ShapesOfEvents(const System& system)
      : system_(system), binders_(system), effects_(system), events_read_(system) {}

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
           events_read_.of(id) == other.events_read_.of(id);
  }

 private:
  const System& system_;
  FreeBinders binders_;
  Effects effects_;
  EventsRead events_read_;
};

// From values of one system to values that its builder makes, perhaps in the same system.
class Mapping {
 public:
  // Values for which `is_mapped` does not hold stay as they are; without it, all are mapped.
  Mapping(const System& from, Builder& builder, const std::vector<bool>* is_mapped = nullptr)
      : from_(from), builder_(builder), is_mapped_(is_mapped) {}

  ValueId map(ValueId start, RulePlace where, const Rule& rule) {
    if (stays(start)) return start;
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
        if (stays(operand) || known.count(operand)) return;
        is_ready = false;
        pending.push_back(operand);
      });
      if (!is_ready) continue;
      const auto result_of = [&](ValueId operand) { return stays(operand) ? operand : known.at(operand); };
      Node node = from_[value].node;
      for_each_operand(node, [&](ValueId& operand) { operand = result_of(operand); });
      keep_sides(value, node, result_of);
      known[value] = rule(builder_, value, std::move(node), where);
      pending.pop_back();
    }
    return known.at(start);
  }

  // What is mapped in events from now on is mapped anew.
  void forget_events() { known_[1].clear(); }

 private:
  bool stays(ValueId value) const { return is_mapped_ && !(*is_mapped_)[value.index]; }

  static bool shows_sides(const Node& condition) {
    const auto* const compares = std::get_if<Binary>(&condition);
    return compares && compares->op != BinaryOp::logical_and && compares->op != BinaryOp::logical_or;
  }

  // A failing check shows the two sides of its comparison, and nothing if its condition is not one. So a comparison
  // stays one, although it may have been folded or moved into a definition, and other conditions do not become one.
  template <class ResultOf>
  void keep_sides(ValueId old, Node& node, const ResultOf& result_of) {
    auto* const check = std::get_if<Check>(&node);
    if (!check) return;
    const auto condition = builder_.as_constant(check->condition);
    const Node before = from_[std::get<Check>(from_[old].node).condition].node;
    const bool shows_now = shows_sides(builder_.system()[check->condition].node);
    if (shows_sides(before) == shows_now || (condition && condition->boolean)) return;
    Binary kept{BinaryOp::logical_and, builder_.boolean(true), check->condition, {}};
    if (!shows_now) {
      kept = std::get<Binary>(before);
      kept.left = result_of(kept.left);
      kept.right = result_of(kept.right);
    }
    check->condition = builder_.node(kept, ScalarType::boolean);
  }

  const System& from_;
  Builder& builder_;
  const std::vector<bool>* is_mapped_;
  std::unordered_map<FrameId, std::unordered_map<ValueId, ValueId>> known_[2];  // outside events, inside events
};

void map_event(Event& event, Mapping& mapping, const Rule& rule) {
  for_each_value(event, [&](ValueId& value) { value = mapping.map(value, {event.frame, true}, rule); });
}

// Everything that refers to values. Definitions that the rule adds refer to new ones already.
void map_all(System& system, Mapping& mapping, const Rule& rule) {
  for (std::size_t i = 0, count = system.definitions.size(); i < count; ++i) {
    const Definition& old = system.definitions[i];
    if (!old.body.valid()) continue;
    const ValueId body = mapping.map(old.body, {old.frame, false}, rule);
    system.definitions[i].body = body;
  }
  for (Root& root : system.roots) {
    for_each_value_of_root(root,
                           [&](ValueId& value) { value = mapping.map(value, {System::root_frame, false}, rule); });
  }
  for (Space& space : system.spaces) {
    for (Axis& axis : space.axes) {
      axis.first = mapping.map(axis.first, {space.frame, false}, rule);
      axis.last = mapping.map(axis.last, {space.frame, false}, rule);
    }
  }
  for (Event& event : system.events) map_event(event, mapping, rule);
  for (Process& process : system.processes) {
    for_each_value_of_process(process,
                              [&](ValueId& value) { value = mapping.map(value, {process.frame, false}, rule); });
  }
  for (MessageEnds& ends : system.ends) {
    for_each_value_of_ends(ends, [&](ValueId& value) { value = mapping.map(value, {ends.frame, false}, rule); });
  }
}

// Definitions may no longer have a reason to read an event either, so all events are looked at.
void restore_events_of_other_shape(const System& from, System& to, Mapping& mapping) {
  const ShapesOfEvents before(from), after(to);
  std::vector<EventId> changed;
  for (std::uint32_t i = 0; i < from.events.size(); ++i) {
    if (!before.is_same(EventId{i}, after)) changed.push_back(EventId{i});
  }
  mapping.forget_events();
  const Rule copy = [&](Builder& builder, ValueId old, Node node, RulePlace) {
    return builder.node(std::move(node), from[old].type);
  };
  for (const EventId id : changed) {
    to[id] = from[id];
    map_event(to[id], mapping, copy);
  }
}

}  // namespace

System rewrite(const System& system, const Rule& rule) {
  System result = system;
  result.values.clear();
  Builder builder(result);
  Mapping mapping(system, builder);
  map_all(result, mapping, rule);
  restore_events_of_other_shape(system, result, mapping);
  return result;
}

void rewrite_in_place(System& system, const std::function<bool(ValueId)>& is_changed, const Rule& rule) {
  // Operands come before their users, as a builder makes them.
  std::vector<bool> is_mapped(system.values.size());
  for (std::uint32_t i = 0; i < is_mapped.size(); ++i) {
    bool is_affected = is_changed(ValueId{i});
    for_each_operand(system.values[i].node, [&](ValueId operand) { is_affected |= is_mapped[operand.index]; });
    is_mapped[i] = is_affected;
  }
  Builder builder(system);
  Mapping mapping(system, builder, &is_mapped);
  map_all(system, mapping, rule);
}

ValueId rebuild(Builder& builder, Node node, ScalarType type) { return std::visit(Folding{builder, type}, node); }

}  // namespace wave::ir
