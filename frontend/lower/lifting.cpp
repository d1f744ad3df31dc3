// Machines and models whose parameters depend on a loop.
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <unordered_map>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

namespace {

std::vector<ValueId> captures_of(const Parts& parts, const value::Lifted& lifted) {
  std::vector<ValueId> captures;
  parts.values.visit_leaves(make(lifted), [&](ValueId id) {
    const bool known = std::find(captures.begin(), captures.end(), id) != captures.end();
    if (!known && !parts.facts.of(id).closed()) captures.push_back(id);
  });
  return captures;
}

bool within(const std::vector<ValueId>& some, const std::vector<ValueId>& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](ValueId id) { return std::find(all.begin(), all.end(), id) != all.end(); });
}

}  // namespace

Lifting::LiftedFrame& Lifting::lifted_frame(const value::Lifted& lifted, std::vector<ValueId> captures,
                                            Location location) {
  // What is not captured must be visible where the frame is declared.
  const ValuePtr fixed =
      values_.map_leaves(make(lifted), [&](ValueId id) { return facts_.of(id).closed() ? id : b_.integer(0); });
  const ir::FrameId parent = values_.deepest_frame(fixed);
  std::string identity = values_.key(make(value::Lifted{lifted.declaration, lifted.given, {}, lifted.call}));
  identity += fmt::format(" in {}", parent.index);
  for (const ValueId id : captures) identity += fmt::format(",{}", id.index);
  auto& slot = lifted_frames_[identity];
  if (slot) return *slot;
  if (lifted_frames_.size() > Bounds::specialisations) {
    sites_.abandon(DiagnosticKind::structure_too_large, location, "too many different machines and models",
                   fmt::format("more than {}", Bounds::specialisations));
  }
  slot = std::make_unique<LiftedFrame>();
  LiftedFrame& made = *slot;
  made.captures = std::move(captures);
  made.recipe = make(lifted);
  made.parent = parent;
  made.frame = b_.frame(lifted.declaration->name.text, parent);
  for (const ValueId id : made.captures) {
    const auto parameter = b_.parameter(made.frame, fmt::format("p{}", made.inside.size() + 1), b_.type(id));
    made.inside.push_back(b_.parameter_value(parameter));
  }
  return made;
}

ValuePtr Lifting::settle(const value::Lifted& lifted, const Scope& scope, Location location) {
  const auto depends = [&](const Named& one) { return values_.depends_on_loop(one.second); };
  if (std::any_of(lifted.given.begin(), lifted.given.end(), depends)) return nullptr;
  ValuePtr result = instances_.instantiate(*lifted.declaration, lifted.given, lifted.call, nullptr);
  for (const LiftedStep& one : lifted.steps) result = apply_step(result, one, scope, location);
  return result;
}

ValuePtr Lifting::lift(const value::Lifted& lifted, LiftedStep step, const Scope& outside_scope, Location location) {
  value::Lifted extended = lifted;
  extended.steps.push_back(std::move(step));
  if (const ValuePtr settled = settle(extended, outside_scope, location)) return settled;
  const auto own = captures_of(parts_, value::Lifted{lifted.declaration, lifted.given, {}, lifted.call});
  const auto all = captures_of(parts_, extended);
  LiftedFrame& frame = lifted_frame(extended, within(all, own) ? own : all, location);
  const ValuePtr inside = values_.map_leaves(make(extended), [&](ValueId id) {
    const auto captured = std::find(frame.captures.begin(), frame.captures.end(), id);
    return captured == frame.captures.end() ? id
                                            : frame.inside[static_cast<std::size_t>(captured - frame.captures.begin())];
  });
  const auto* recipe = as<value::Lifted>(inside);
  Scope scope;
  scope.frame = frame.frame;
  ValuePtr result = instances_.instantiate(*recipe->declaration, recipe->given, recipe->call, nullptr);
  for (const LiftedStep& one : recipe->steps) result = apply_step(result, one, scope, location);
  std::unordered_map<const Value*, ValuePtr> left;
  const ValuePtr outside = leave_frame(result, frame, location, left);
  return outside ? outside : make(std::move(extended));
}

ValuePtr Lifting::apply_step(const ValuePtr& object, const LiftedStep& step, const Scope& scope, Location location) {
  switch (step.kind) {
    case LiftedStep::Kind::member: return instances_.member_of(object, step.name, scope, location);
    case LiftedStep::Kind::call: return calls_.apply(object, step.arguments, scope, location);
    case LiftedStep::Kind::count: return number(lists_.count(object, location));
    case LiftedStep::Kind::measure:
    case LiftedStep::Kind::index: break;
  }
  std::vector<ValuePtr> indices;
  for (const Named& argument : step.arguments) indices.push_back(argument.second);
  if (step.kind == LiftedStep::Kind::measure) {
    return values_.distribute(object, [&](const ValuePtr& one) -> ValuePtr {
      if (const auto* process = as<value::Process>(one))
        return processes_.measure(*process, step.name, step.phase, step.over, indices, location);
      return as<value::Lifted>(one) ? lift(*as<value::Lifted>(one), step, scope, location)
                                    : instances_.member_of(one, step.name, scope, location);
    });
  }
  return values_.distribute(object, [&](const ValuePtr& one) -> ValuePtr {
    if (const auto* event = as<value::Event>(one)) return recurrences_.read(*event, indices, scope, location);
    if (const auto* series = as<value::Series>(one)) return lists_.read_series(*series, indices, location);
    ValuePtr element = one;
    for (const ValuePtr& position : indices)
      element = lists_.index(element, values_.scalar_of(position, ir::ScalarType::integer, location), location);
    return element;
  });
}

// The value as seen from outside the frame; null if it is more than scalars and things that are known.
// `left`: the parts that have been seen, which several may share.
ValuePtr Lifting::leave_frame(const ValuePtr& value, LiftedFrame& frame, Location location,
                              std::unordered_map<const Value*, ValuePtr>& left) {
  const ir::SiteId deep = sites_.site(FailureKind::recursion_too_deep, location);
  const auto leave = [&](ValueId id) {
    const Facts& known = facts_.of(id);
    if (known.closed() && facts_.depth(known.deepest) <= facts_.depth(frame.parent)) return id;
    auto [definition, is_new] = frame.results.try_emplace(id);
    if (is_new)
      definition->second = b_.define(frame.frame, fmt::format("result{}", frame.results.size()), id, location);
    return b_.call(frame.frame, definition->second, frame.captures, deep);
  };
  if (const auto* scalar = as<value::Scalar>(value)) return number(leave(scalar->id));
  if (const auto* range = as<value::Range>(value)) {
    value::Range outside = *range;
    outside.first = leave(range->first), outside.last = leave(range->last), outside.step = leave(range->step);
    return make(outside);
  }
  if (const auto* choice = as<value::Select>(value)) {
    const ValuePtr if_true = leave_frame(choice->if_true, frame, location, left);
    const ValuePtr if_false = leave_frame(choice->if_false, frame, location, left);
    return if_true && if_false ? values_.select(leave(choice->condition), if_true, if_false) : nullptr;
  }
  const auto* record = as<value::Record>(value);
  const auto* list = as<value::List>(value);
  if (record || list) {
    const auto seen = left.find(value.get());
    if (seen != left.end()) return seen->second;
    std::vector<ValuePtr> parts;
    for (const ValuePtr& part : record ? record->fields : list->elements) {
      parts.push_back(leave_frame(part, frame, location, left));
      if (!parts.back()) return nullptr;
    }
    return left[value.get()] = record ? make(value::Record{record->declaration, std::move(parts)})
                                      : make(value::List{std::move(parts)});
  }
  const bool known = as<value::Corner>(value) || as<value::Table>(value) || as<value::Builtin>(value) ||
                     as<value::Declaration>(value) || as<value::Failure>(value);
  return known ? value : nullptr;
}

}  // namespace wave::frontend::lowering
