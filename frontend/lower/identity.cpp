// Which values are the same, and where what they are made of lives.
#include "frontend/ast/operators.h"
#include "frontend/lower/facts.h"
#include "frontend/lower/overloaded.h"
#include "frontend/lower/values.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

// The frames in which the instances of a value live.
void visit_instances(const Symbolic& value, const std::function<void(const Instance&)>& visit) {
  const auto optional = [&](const Instance* instance) {
    if (instance) visit(*instance);
  };
  if (const auto* node = as<value::Object>(value)) optional(node->instance);
  if (const auto* node = as<value::Function>(value)) optional(node->self);
  if (const auto* node = as<value::Derived>(value)) optional(node->machine);
  if (const auto* node = as<value::Grid>(value)) optional(node->self);
  if (const auto* node = as<value::Series>(value)) optional(node->self);
  if (const auto* node = as<value::Point>(value)) optional(node->self);
  if (const auto* node = as<value::Event>(value)) optional(node->recurrence->self);
  if (const auto* node = as<value::Process>(value)) optional(node->process->self);
  const auto part = [&](const Symbolic& one) { visit_instances(one, visit); };
  for_each_part(*value, part, [](ValueId) {});
  if (const auto* node = as<value::Comprehension>(value)) {
    optional(node->scope.self);
    for_each_local(node->scope.locals.get(), part);
  }
}

}  // namespace

ir::FrameId Values::deepest_frame(const Symbolic& value) {
  ir::FrameId deepest = ir::System::root_frame;
  visit_leaves(value, [&](ValueId id) { deepest = facts_.deeper(deepest, facts_.of(id).deepest); });
  visit_instances(value, [&](const Instance& instance) { deepest = facts_.deeper(deepest, instance.frame); });
  return deepest;
}

std::string Values::key(const Symbolic& value) const {
  const auto pointer = [](const void* address) { return fmt::format("{}", fmt::ptr(address)); };
  const auto named = [&](const std::vector<Named>& values) {
    std::string text;
    for (const Named& one : values) text += one.first + "=" + key(one.second) + ",";
    return text;
  };
  const auto all = [&](char tag, const std::vector<Symbolic>& values) {
    std::string text(1, tag);
    for (const Symbolic& one : values) text += key(one) + ",";
    return text + ")";
  };
  return std::visit(
      Overloaded{
          [&](const value::Scalar& node) { return fmt::format("s{}", node.id.index); },
          [&](const value::Record& node) { return pointer(node.declaration) + all('r', node.fields); },
          [&](const value::List& node) { return all('l', node.elements); },
          [&](const value::Range& node) {
            return fmt::format("R{}.{}.{}.{}{}", node.first.index, node.last.index, node.step.index, node.geometric,
                               node.widen);
          },
          [&](const value::Comprehension& node) {
            return fmt::format("C{}.{}.{}{}", fmt::ptr(node.node), fmt::ptr(node.scope.locals.get()),
                               fmt::ptr(node.scope.self), node.widen);
          },
          [&](const value::Select& node) {
            return fmt::format("?{}({},{})", node.condition.index, key(node.if_true), key(node.if_false));
          },
          [&](const value::Corner& node) {
            std::string text = "c";
            for (const bool rising : node.rising) text += rising ? '+' : '-';
            return text;
          },
          [&](const value::Function& node) {
            return fmt::format("f{}.{}{}", fmt::ptr(node.declaration), fmt::ptr(node.self), node.guarded);
          },
          [&](const value::Builtin& node) { return std::string("b") + name_of(node.function); },
          [&](const value::Derived& node) {
            return fmt::format("d{}.{}{}", node.end, fmt::ptr(node.machine), node.guarded);
          },
          [&](const value::Declaration& node) { return "D" + pointer(node.item); },
          [&](const value::Table& node) { return fmt::format("T{}", node.table.index); },
          [&](const value::Event& node) { return fmt::format("E{}{}", fmt::ptr(node.recurrence), node.guarded); },
          [&](const value::Grid& node) {
            return fmt::format("G{}.{}", fmt::ptr(node.declaration), fmt::ptr(node.self));
          },
          [&](const value::Point& node) {
            std::string text = fmt::format("P{}.{}", fmt::ptr(node.grid), fmt::ptr(node.self));
            for (const ValueId id : node.indices) text += fmt::format(",{}", id.index);
            return text;
          },
          [&](const value::Process& node) { return fmt::format("p{}{}", fmt::ptr(node.process), node.guarded); },
          [&](const value::Series& node) { return fmt::format("S{}.{}", fmt::ptr(node.output), fmt::ptr(node.self)); },
          [&](const value::Failure& node) { return fmt::format("!{}", node.site.index); },
          [&](const value::Object& node) { return "o" + pointer(node.instance); },
          [&](const value::ModuleName& node) { return "m" + pointer(node.module); },
          [&](const value::Lifted& node) {
            std::string text = "L" + pointer(node.declaration) + "(" + named(node.given) + ")";
            for (const LiftedStep& step : node.steps) {
              text += fmt::format(".{}{}{}/{}({})", static_cast<int>(step.kind), step.name,
                                  step.phase ? " in \"" + *step.phase + "\"" : "", static_cast<int>(step.over),
                                  named(step.arguments));
            }
            return text;
          },
      },
      value->node);
}

}  // namespace wave::frontend::lowering
