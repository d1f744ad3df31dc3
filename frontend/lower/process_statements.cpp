// Processes: blocks, plain statements, loops and conditions.
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

constexpr std::size_t most_statements = 200'000;  // of a process, after everything has been written out

void collect_phases(const Block& block, std::set<std::string>& into) {
  for (const auto& statement : block) {
    if (const auto* phase = std::get_if<statement::Phase>(&statement->node)) into.insert(phase->name.text);
    for_each_block(*statement, [&](const Block& inner) { collect_phases(inner, into); });
  }
}

// Each process of a model has draws of its own.
double place_of_process(const Item& process) {
  std::size_t number = 0;
  for (const auto& item : *check::members_of(*process.owner)) {
    number += std::holds_alternative<item::Process>(item->node);
    if (item.get() == &process) break;
  }
  return place_inside(0, number);
}

}  // namespace

ProcessLowering::ProcessLowering(const Parts& parts, std::string name, ir::FrameId frame, ir::SpaceId space,
                                 Location location)
    : parts_(parts), axes_(parts.b.system()[space].axes) {
  process_.name = std::move(name);
  process_.frame = frame;
  process_.space = space;
  process_.location = location;
}

void ProcessLowering::run_process(const item::Process& node, Instance& instance, const Item& item) {
  Body body;
  body.scope = parts_.instances.scope_of(instance);
  body.view = whole_grid(node.grid.text);
  body.declaration = &item;
  body.place = place_of_process(item);
  const Scope scope = body.scope;
  bind_axes(body);
  const ValuePtr machine = parts_.expressions.evaluate(*node.net, body.scope);
  collect_phases(node.body, written_phases_);
  ir::Block block;
  requirements_ = b_.boolean(true);
  lower_with(machine, {{}, node.net.get(), scope}, node.body, body, block, requirements_);
  process_.body = add_block(std::move(block));
  check_matches();
}

// Lowers the program for each machine that may carry the messages; for all of them at once where the place says which.
// `required` becomes what they require before they are used.
void ProcessLowering::lower_with(const ValuePtr& machine, Kinds kinds, const Block& program, Body body, ir::Block& into,
                                 ValueId& required) {
  const Location location = kinds.choice->location;
  const auto* choice = as<value::Select>(machine);
  if (choice && varies(choice->condition) == 0) {
    ValueId first = required;
    ValueId second = required;
    branch(
        choice->condition, location,
        [&](ir::Block& block) { lower_with(choice->if_true, kinds, program, body, block, first); },
        [&](ir::Block& block) { lower_with(choice->if_false, kinds, program, body, block, second); }, into);
    required = b_.select(choice->condition, first, second);
    return;
  }
  if (const auto* failure = as<value::Failure>(machine)) return fail(failure->site, location, into);
  if (const auto* lifted = as<value::Lifted>(machine)) {
    const ValuePtr settled = parts_.lifting.settle(*lifted, body.scope, location);
    if (settled && !as<value::Lifted>(settled))
      return lower_with(settled, std::move(kinds), program, std::move(body), into, required);
  }
  find_kinds(machine, kinds);
  if (kinds.machines.empty())
    parts_.sites.abandon(DiagnosticKind::not_expressible, location, "no place has a machine here");
  for (Instance* const one : kinds.machines) {
    const ValueId own = parts_.instances.requirements(*one);
    required = one == kinds.machines.front() ? own : b_.logical_and(required, own);
  }
  body.machine = kinds.machines.front();
  if (kinds.machines.size() > 1) body.kinds = std::make_shared<const Kinds>(std::move(kinds));
  lower(program, std::move(body), into);
}

void ProcessLowering::run_algorithm(const Item& collective, Instance& machine, const Scope& scope) {
  const auto& node = std::get<item::Collective>(collective.node);
  Body body;
  body.scope = scope;
  body.view = whole_grid(node.grid.text);
  for (std::size_t i = 0; i < node.axes.size(); ++i) body.view.names[i] = node.axes[i].first.text;
  body.declaration = &collective;
  body.machine = &machine;
  body.context = context_of(collective);
  bind_axes(body);
  inlined_.push_back(&collective);
  ir::Block block;
  lower(node.algorithm, body, block);
  process_.body = add_block(std::move(block));
  check_matches();
}

ir::ProcessId ProcessLowering::finish() {
  for (const std::string& name : written_phases_) phase_id(name);  // also those in branches that are never taken
  add_levels();
  return b_.process(std::move(process_));
}

View ProcessLowering::whole_grid(const std::string& name) const {
  View view;
  view.grid = name;
  for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
    view.names.push_back(axes_[axis].name);
    view.axes.push_back(axis);
  }
  return view;
}

void ProcessLowering::bind_axes(Body& body) {
  for (std::size_t i = 0; i < body.view.names.size(); ++i) {
    const ValueId index = body.view.group     ? body.view.group->rank
                          : body.view.by_rank ? rank(process_.location)
                                              : own_index(body.view.axes[i]);
    const ValueId along = body.view.group     ? body.view.group->participants
                          : body.view.by_rank ? participants({}, process_.location)
                                              : extent(body.view.axes[i]);
    body.scope = bind_local(body.scope, body.view.names[i], make(value::Axis{i, index, along}));
  }
}

ValueId ProcessLowering::own_index(std::uint32_t axis) const { return b_.index(axes_[axis].binder); }

void ProcessLowering::spend() {
  if (++statements_ <= most_statements) return;
  parts_.sites.abandon(DiagnosticKind::structure_too_large, process_.location,
                       "this process unfolds into too many statements", fmt::format("more than {}", most_statements),
                       "loops over `1..n` are not written out");
}

void ProcessLowering::add(ir::Block& into, ir::Statement statement) {
  spend();
  into.push_back(std::move(statement));
}

std::uint64_t ProcessLowering::varies(ValueId value) {
  if (!value.valid()) return 0;
  const auto& free = parts_.facts.of(value).free;
  std::uint64_t axes = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (std::binary_search(free.begin(), free.end(), axes_[axis].binder)) axes |= std::uint64_t{1} << (axis % 64);
  }
  return axes;
}

std::uint64_t ProcessLowering::varies(const Iteration& iteration) {
  std::uint64_t axes = iteration.guard ? varies(*iteration.guard) : 0;
  for (const ir::Level& level : iteration.levels)
    ir::for_each_value_of_level(level, [&](ValueId value) { axes |= varies(value); });
  return axes;
}

bool ProcessLowering::differs_among(const Strides& group, ValueId value) {
  std::vector<ValueId> pending{value};
  std::set<ValueId> seen;
  while (!pending.empty()) {
    const ValueId one = pending.back();
    pending.pop_back();
    if (one == group.participants || !seen.insert(one).second || varies(one) == 0) continue;
    const ir::Node& node = b_.system()[one].node;
    if (std::holds_alternative<ir::Index>(node)) return true;
    ir::for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
  }
  return false;
}

bool ProcessLowering::differs_among(const Strides& group, const Iteration& iteration) {
  bool differs = iteration.guard && differs_among(group, *iteration.guard);
  for (const ir::Level& level : iteration.levels) {
    ir::for_each_value_of_level(level, [&](ValueId value) { differs = differs || differs_among(group, value); });
  }
  return differs;
}

void ProcessLowering::require_all(const Body& body, Location location, const char* what, const Part& part) {
  const bool is_of_group = part.group && part.group == body.view.group;
  const std::uint64_t axes = part.line ? std::uint64_t{1} << (*part.line % 64) : ~std::uint64_t{0};
  const auto found = std::find_if(body.divided.begin(), body.divided.end(), [&](const Body::Divided& one) {
    return is_of_group ? one.divides_group : (one.axes & axes) != 0;
  });
  if (found == body.divided.end()) return;
  const char* whole = is_of_group ? "group" : part.line ? "line" : "grid";
  Diagnostic& d = parts_.diagnostics.add(
      DiagnosticKind::index_condition, location,
      std::string(what) + " under a condition that differs between processes",
      fmt::format("all processes of {} {} take part in it, or none", is_of_group || part.line ? "a" : "the", whole));
  d.labels.push_back({found->location, "this depends on the place in the grid"});
  d.help.emplace_back("move it out of the condition, and leave in it what only some processes do");
  throw Abandoned{DiagnosticKind::index_condition};
}

ir::BlockId ProcessLowering::add_block(ir::Block block) {
  process_.blocks.push_back(std::move(block));
  return ir::BlockId{static_cast<std::uint32_t>(process_.blocks.size() - 1)};
}

void ProcessLowering::lower(const Block& block, Body body, ir::Block& into) {
  const Location end = block.empty() ? Location{} : block.back()->location;
  const double place = body.place;
  std::size_t number = 0;
  for (const auto& statement : block) {
    body.place = place_inside(place, ++number);
    const std::size_t first = into.size();
    std::vector<ir::HeldId> before = std::exchange(held_, {});
    lower(*statement, body, into);
    if (into.size() > first)
      say_held(std::move(before), first, into);
    else
      held_.insert(held_.begin(), before.begin(), before.end());
  }
  if (held_.empty()) return;
  add(into, {ir::Branch{b_.boolean(true), {}, {}}, end, {}});
  say_held(std::exchange(held_, {}), into.size() - 1, into);
}

void ProcessLowering::say_held(std::vector<ir::HeldId> held, std::size_t first, ir::Block& into) {
  std::vector<ir::HeldId>& said = into[first].held;
  said.insert(said.begin(), held.begin(), held.end());
}

void ProcessLowering::hold(const statement::Hold& node, Location location, const Body& body) {
  not_in_task(body, location, node.is_released ? "memory that is given back" : "memory that is held");
  const std::string& name = node.memory.text;
  auto& names = process_.memories;
  const auto memory = static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (memory == names.size()) names.push_back(name);
  const ValueId size = parts_.expressions.real(*node.size, body.scope);
  const char* const what = node.is_released ? "what `release` gives back" : "what `hold` takes";
  process_.held.push_back({ir::MemoryId{memory},
                           parts_.processes.not_negative(size, node.size->location, check::data_type(), what),
                           node.is_released, parts_.sites.site(FailureKind::released_more, location, name)});
  held_.push_back({static_cast<std::uint32_t>(process_.held.size() - 1)});
}

void ProcessLowering::lower(const Statement& s, Body& body, ir::Block& into) {
  std::visit(
      Overloaded{
          [&](const statement::Let& n) { body.scope = bind_later(body.scope, n.name, n.type.get(), *n.value, true); },
          [&](const statement::Compute& n) { compute(s, n, body, into); },
          [&](const statement::Hold& n) { hold(n, s.location, body); },
          [&](const statement::Message& n) { message(s, n, body, into); },
          [&](const statement::Wait& n) { wait(s, {n.handle}, false, body, into); },
          [&](const statement::WaitAll&) { wait(s, {}, false, body, into); },
          [&](const statement::WaitAny& n) { wait(s, n.handles, true, body, into); },
          [&](const statement::Ready& n) { ready(s, n, body, into); },
          [&](const statement::Task& n) { task(s, n, body, into); },
          [&](const statement::Sweep& n) { sweep(s, n, body, into); },
          [&](const statement::Repeat& n) { repeat(s, n, body, into); },
          [&](const statement::For& n) { loop(s, n, body, into); },
          [&](const statement::If& n) { conditional(s, n, body, into); },
          [&](const statement::Phase& n) { phase(s, n, body, into); },
          [&](const statement::Call& n) { call(s, n, callee(n, body), body, into); },
          [&]<OneOf<statement::Busy, statement::Emit, statement::Await, statement::Sent, statement::Acquire,
                    statement::Arrival, statement::Assign, statement::Evaluate>
                  Node>(const Node&) {
            parts_.sites.abandon(DiagnosticKind::misplaced_statement, s.location,
                                 "this statement has no place in a process");
          },
      },
      s.node);
}

void ProcessLowering::compute(const Statement& s, const statement::Compute& node, const Body& body, ir::Block& into) {
  const ValueId time = parts_.expressions.real(*node.time, body.scope);
  const ir::SiteId infinite = parts_.sites.site(FailureKind::weight_not_finite, s.location, process_.name);
  const ValueId work =
      parts_.processes.not_negative(time, node.time->location, check::time_type(), "the time of `compute`");
  add(into, {ir::Compute{computed(work, s.location, body)}, s.location, infinite});
}

void ProcessLowering::wait(const Statement& s, const std::vector<Identifier>& names, bool is_any, const Body& body,
                           ir::Block& into) {
  ir::Wait wait{{}, is_any};
  for (const Identifier& name : names) wait.handles.push_back(handle(body, name.text));
  add(into, {std::move(wait), s.location, {}});
}

void ProcessLowering::ready(const Statement& s, const statement::Ready& node, const Body& body, ir::Block& into) {
  not_in_task(body, s.location, "a list of tasks");
  ir::Block tasks;
  lower(node.body, body, tasks);
  add(into, {ir::Ready{add_block(std::move(tasks))}, s.location, {}});
}

void ProcessLowering::task(const Statement& s, const statement::Task& node, const Body& body, ir::Block& into) {
  Body inside = body;
  inside.in_task = inside.waits_as_task = true;
  ir::Block receives, block;
  lower(node.receives, inside, receives);
  inside.waits_as_task = false;
  const ValueId priority = node.priority ? parts_.expressions.real(*node.priority, body.scope) : b_.real(0);
  lower(node.body, inside, block);
  add(into, {ir::Task{add_block(std::move(receives)), priority, add_block(std::move(block))}, s.location, {}});
}

void ProcessLowering::not_in_task(const Body& body, Location location, const char* what) {
  if (!body.in_task) return;
  parts_.sites.abandon(DiagnosticKind::misplaced_statement, location, std::string(what) + " inside a task",
                       "when it comes depends on what is ready",
                       "a task computes, and sends and receives; let the rest stand before or after the list");
}

void ProcessLowering::repeat(const Statement& s, const statement::Repeat& node, const Body& body, ir::Block& into) {
  const ir::SiteId negative = parts_.sites.site(FailureKind::negative_count, node.count->location, "repetitions");
  const ValueId count = parts_.expressions.integer(*node.count, body.scope);
  ir::Level level;
  level.binder = b_.binder("repeat");
  level.first = level.step = b_.integer(1);
  level.last = b_.check(b_.less_equal(b_.integer(0), count), count, negative);
  level.site = parts_.sites.site(FailureKind::no_progress, node.count->location);
  Body inside = body;
  inside.rounds.push_back(b_.index(level.binder));
  divide(inside, count, node.count->location);
  ir::Block block;
  lower(node.body, inside, block);
  add(into, {ir::Loop{{level}, add_block(std::move(block))}, s.location, {}});
}

void ProcessLowering::loop(const Statement& s, const statement::For& node, const Body& body, ir::Block& into) {
  const ValuePtr list = parts_.expressions.evaluate(*node.list, body.scope);
  if (const auto* failure = as<value::Failure>(list)) return fail(failure->site, node.list->location, into);
  std::size_t number = 0;
  for (const Iteration& one : parts_.lists.enumerate(list, false, node.list->location)) {
    if (one.levels.size() == 1) b_.system().binders[one.levels[0].binder.index].name = node.variable.text;
    spend();
    Body inside = body;
    enter_round(one, ++number, inside.rounds);
    divide(inside, one, node.list->location);
    inside.scope = bind_local(body.scope, node.variable.text, one.element);
    ir::Block block;
    lower(node.body, inside, block);
    iterate(one, s.location, std::move(block), into);
  }
}

void ProcessLowering::iterate(const Iteration& iteration, Location location, ir::Block block, ir::Block& into) {
  if (!iteration.levels.empty()) {
    const ir::BlockId body = add_block(std::move(block));
    block.clear();
    add(block, {ir::Loop{iteration.levels, body}, location, {}});
  }
  const auto append = [&](ir::Block& to) {
    for (ir::Statement& statement : block) to.push_back(std::move(statement));
  };
  if (iteration.guard)
    branch(*iteration.guard, location, append, nullptr, into);
  else
    append(into);
}

void ProcessLowering::conditional(const Statement& s, const statement::If& node, const Body& body, ir::Block& into) {
  const ValueId condition = parts_.expressions.boolean(*node.condition, body.scope);
  Body inside = body;
  divide(inside, condition, node.condition->location);
  branch(
      condition, s.location, [&](ir::Block& block) { lower(node.then_body, inside, block); },
      node.else_body.empty() ? Fill() : [&](ir::Block& block) {
        inside.place = place_inside(body.place, 0);
        lower(node.else_body, inside, block);
      },
      into);
}

void ProcessLowering::branch(ValueId condition, Location location, const Fill& if_true, const Fill& if_false,
                             ir::Block& into) {
  if (const auto known = b_.as_constant(condition)) {
    const Fill& taken = known->boolean ? if_true : if_false;
    if (taken) taken(into);
    return;
  }
  const auto block = [&](const Fill& fill) {
    if (!fill) return ir::BlockId{};
    ir::Block filled;
    fill(filled);
    return filled.empty() ? ir::BlockId{} : add_block(std::move(filled));
  };
  const ir::BlockId first = block(if_true);
  add(into, {ir::Branch{condition, first, block(if_false)}, location, {}});
}

void ProcessLowering::fail(ir::SiteId site, Location location, ir::Block& into) {
  add(into, {ir::Branch{b_.fail(site, ScalarType::boolean), {}, {}}, location, {}});
}

void ProcessLowering::demand(ValueId condition, ir::SiteId site, Location location, ir::Block& into) {
  const ValueId checked = b_.check(condition, b_.boolean(true), site);
  if (!b_.as_constant(checked)) add(into, {ir::Branch{checked, {}, {}}, location, {}});
}

void ProcessLowering::phase(const Statement& s, const statement::Phase& node, const Body& body, ir::Block& into) {
  const ir::PhaseId id = phase_id(node.name.text);
  ir::Block block;
  lower(node.body, body, block);
  add(into, {ir::Phase{id, add_block(std::move(block))}, s.location, {}});
}

ir::PhaseId ProcessLowering::phase_id(const std::string& name) {
  const auto [known, is_new] =
      phases_.try_emplace(name, ir::PhaseId{static_cast<std::uint32_t>(process_.phases.size())});
  if (is_new) process_.phases.push_back(name);
  return known->second;
}

// A name belongs to the block in which it is written, however often that block is called.
ir::HandleId ProcessLowering::handle(const Body& body, const std::string& name) {
  const ir::HandleId next{static_cast<std::uint32_t>(process_.handles.size())};
  const auto [known, is_new] = handles_.try_emplace({body.declaration, name}, next);
  if (is_new) process_.handles.push_back(name);
  return known->second;
}

void ProcessLowering::run_inlined(const Item& item, const Block& block, Body body, Location location, ir::Block& into) {
  if (inlined_.size() >= Bounds::inlined) {
    parts_.sites.abandon(DiagnosticKind::endless_expansion, location,
                         fmt::format("the calls of `{}` unfold without end", item.name.text),
                         fmt::format("more than {} inside each other", Bounds::inlined),
                         "a procedure that calls itself needs a case in which it does not, known before the run");
  }
  spend();
  collect_phases(block, written_phases_);
  inlined_.push_back(&item);
  lower(block, std::move(body), into);
  inlined_.pop_back();
}

}  // namespace wave::frontend::lowering
