// Goes over the values until nothing changes. Everything may fail until it is shown that it cannot.
#include "ir/effects.h"

#include "ir/operations.h"
#include "ir/visit.h"
#include "ir/walk.h"

#include <set>
#include <utility>

namespace wave::ir {

namespace {

constexpr int most_sweeps = 12;  // definitions that are far out of order stay "may fail"

bool is_constant(const System& system, ValueId value, bool (*holds)(Scalar)) {
  const auto* constant = std::get_if<Constant>(&system[value].node);
  return constant && holds(constant->value);
}

bool is_safe_divisor(Scalar x) { return x.type == ScalarType::real ? x.real != 0 : x.integer != 0 && x.integer != -1; }

bool is_extremum(ReduceKind kind) {
  return kind == ReduceKind::maximum || kind == ReduceKind::minimum || kind == ReduceKind::arg_min ||
         kind == ReduceKind::arg_max;
}

}  // namespace

bool may_be_absent(const Node& node) {
  const auto* reduce = std::get_if<Reduce>(&node);
  const auto* read = std::get_if<Read>(&node);
  return std::holds_alternative<Neighbour>(node) || (read && !read->site.valid()) ||
         (reduce && is_extremum(reduce->kind));
}

bool may_be_absent(const System& system, ValueId value) {
  return any_reachable(system, value, [](const Node& node) { return may_be_absent(node); });
}

Effects::Effects(const System& system)
    : system_(system),
      may_fail_(system.values.size(), true),
      is_of_cell_(system.values.size(), false),
      is_deep_(system.frames.size(), false) {
  find_deep_frames();
  find_of_cell();
  find_failing();
}

// Which frames lead to which: by a call, or as the owner of what something inside them needs. A frame is deep if a
// cycle leads to it: what nothing leads to is taken away, again and again, and what is left is deep.
void Effects::find_deep_frames() {
  std::vector<std::vector<ValueId>> inside(system_.frames.size());
  const auto add = [&](FrameId frame) {
    return [&to = inside[frame.index]](ValueId value) {
      if (value.valid()) to.push_back(value);
    };
  };
  for (const Definition& definition : system_.definitions) add(definition.frame)(definition.body);
  for (const Space& space : system_.spaces) {
    for (const Axis& axis : space.axes) add(space.frame)(axis.first), add(space.frame)(axis.last);
  }
  for (const Event& event : system_.events) for_each_value(event, add(event.frame));
  for (const Process& process : system_.processes) for_each_value_of_process(process, add(process.frame));
  for (const MessageEnds& ends : system_.ends) for_each_value_of_ends(ends, add(ends.frame));

  std::vector<std::set<std::uint32_t>> leads_to(system_.frames.size());
  std::vector<std::uint32_t> seen_from(system_.values.size(), FrameId{}.index);  // the last frame that met a value
  for (std::uint32_t frame = 1; frame < inside.size(); ++frame) {
    for (std::vector<ValueId>& pending = inside[frame]; !pending.empty();) {
      const ValueId value = pending.back();
      pending.pop_back();
      if (std::exchange(seen_from[value.index], frame) == frame) continue;
      const Node& node = system_[value].node;
      const auto* call = std::get_if<Call>(&node);
      const auto* reference = std::get_if<Reference>(&node);
      const auto* read = std::get_if<Read>(&node);
      const auto* measure = std::get_if<Measure>(&node);
      const FrameId other = reference ? system_[reference->definition].frame
                            : read    ? system_[read->event].frame
                            : measure ? system_[measure->process].frame
                                      : FrameId{frame};
      if (call) leads_to[frame].insert(call->frame.index);
      if (other.index != frame && other != System::root_frame) leads_to[frame].insert(other.index);
      for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
    }
  }
  std::vector<std::size_t> led_to_by(leads_to.size(), 0);
  for (const auto& others : leads_to) {
    for (const std::uint32_t other : others) ++led_to_by[other];
  }
  std::vector<std::uint32_t> pending;
  for (std::uint32_t frame = 1; frame < leads_to.size(); ++frame) {
    is_deep_[frame] = led_to_by[frame] > 0;
    if (!is_deep_[frame]) pending.push_back(frame);
  }
  while (!pending.empty()) {
    const std::uint32_t frame = pending.back();
    pending.pop_back();
    for (const std::uint32_t other : leads_to[frame]) {
      if (--led_to_by[other] > 0) continue;
      is_deep_[other] = false;
      pending.push_back(other);
    }
  }
}

void Effects::find_of_cell() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < system_.values.size(); ++i) {
      if (is_of_cell_[i]) continue;
      const Node& node = system_.values[i].node;
      const auto* unary = std::get_if<Unary>(&node);
      bool found = may_be_absent(node) || (unary && unary->op == UnaryOp::quantize);
      for_each_operand(node, [&](ValueId operand) { found = found || is_of_cell_[operand.index]; });
      if (found) is_of_cell_[i] = changed = true;
    }
  }
}

// Whether the node can fail although its operands do not.
bool Effects::own_failure(const Value& value) const {
  const Node& node = value.node;
  if (const auto* n = std::get_if<Unary>(&node)) return operation(n->op).can_fail(system_[n->operand].type);
  if (const auto* n = std::get_if<Binary>(&node)) {
    const bool divides = n->op == BinaryOp::divide || n->op == BinaryOp::floor_divide || n->op == BinaryOp::modulo;
    if (divides && is_constant(system_, n->right, is_safe_divisor)) return false;
    return operation(n->op).can_fail(system_[n->left].type);
  }
  if (const auto* n = std::get_if<Reference>(&node)) {
    const ValueId body = system_[n->definition].body;
    return !body.valid() || may_fail_[body.index];
  }
  if (const auto* n = std::get_if<Call>(&node)) {
    return is_deep_[n->frame.index] || may_fail_[system_[n->definition].body.index];
  }
  if (const auto* n = std::get_if<Reduce>(&node)) {
    const bool adds = n->kind == ReduceKind::sum || n->kind == ReduceKind::product;
    if (adds ? value.type != ScalarType::real : is_extremum(n->kind) || n->kind == ReduceKind::nth) return true;
    for (const Level& level : n->levels) {
      const auto progresses = [](Scalar step) { return step.integer != 0; };
      if (level.geometric || !is_constant(system_, level.step, progresses)) return true;
    }
    return false;
  }
  return std::holds_alternative<Check>(node) || std::holds_alternative<Fail>(node) ||
         std::holds_alternative<Read>(node) || std::holds_alternative<Neighbour>(node) ||
         std::holds_alternative<Lookup>(node) || std::holds_alternative<Measure>(node);
}

void Effects::find_failing() {
  bool changed = true;
  for (int sweep = 0; changed && sweep < most_sweeps; ++sweep) {
    changed = false;
    for (std::size_t i = 0; i < system_.values.size(); ++i) {
      if (!may_fail_[i]) continue;
      bool fails = own_failure(system_.values[i]);
      for_each_operand(system_.values[i].node, [&](ValueId operand) { fails = fails || may_fail_[operand.index]; });
      if (!fails) {
        may_fail_[i] = false;
        changed = true;
      }
    }
  }
}

}  // namespace wave::ir
