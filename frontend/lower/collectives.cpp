// Calls in processes: procedures; collectives as costs; and collectives as algorithms, which are written out. Also the
// time that an algorithm takes by itself.
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

namespace {

bool has_parameter(const Item& item, const std::string& name) {
  const auto& parameters = parameters_of(item);
  return std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& one) { return one.name.text == name; });
}

// The argument for `p`, by name or by position; null if it is not given.
const Named* given_p(const Item& item, const std::vector<Named>& arguments) {
  const auto& parameters = parameters_of(item);
  std::size_t p = 0;
  while (p < parameters.size() && parameters[p].name.text != "p")
    ++p;  // if `p` is not declared, it comes after all others
  std::size_t position = 0;
  for (const Named& argument : arguments) {
    if (argument.first == "p" || (argument.first.empty() && position == p)) return &argument;
    position += argument.first.empty();
  }
  return nullptr;
}

// The name that stands for the extent of an own axis, `p` in `on R[r: p]`, if nothing else has that name.
const expr::Name* extent_name(const Item& item, const Expr& extent) {
  const auto* name = std::get_if<expr::Name>(&extent.node);
  const bool local = name && (std::holds_alternative<target::Local>(name->target) ||
                              std::holds_alternative<target::Unresolved>(name->target));
  return local && !has_parameter(item, name->text) ? name : nullptr;
}

bool is_data(const TypeExpr* type) {
  const auto* const product = type ? std::get_if<type_expr::Product>(&type->node) : nullptr;
  if (!product || product->factors.size() != 1) return false;
  const type_expr::Power& factor = product->factors.front();
  return factor.exponent == 1 && factor.path.size() == 1 && factor.path.front().text == "data";
}

// `fn(from: int, to: int): data`.
bool is_size_between(const TypeExpr* type) {
  const auto* const function = type ? std::get_if<type_expr::Function>(&type->node) : nullptr;
  return function && function->parameters.size() == 2 && is_data(function->result.get());
}

ir::Collective::Root root_of(item::Collective::Root root) {
  switch (root) {
    case item::Collective::Root::none: return ir::Collective::Root::none;
    case item::Collective::Root::from: return ir::Collective::Root::from;
    case item::Collective::Root::to: return ir::Collective::Root::to;
  }
  return ir::Collective::Root::none;
}

}  // namespace

ValuePtr ProcessLowering::callee(const statement::Call& node, const Body& body) {
  const auto* name = std::get_if<expr::Name>(&node.callee->node);
  const auto* global = name ? std::get_if<target::Global>(&name->target) : nullptr;
  // The checker has found it in the machine's type. What counts here is the machine itself.
  if (global && std::holds_alternative<item::Collective>(global->item->node)) {
    return parts_.instances.member(*body.machine, name->text, node.callee->location, false);
  }
  return parts_.expressions.evaluate(*node.callee, body.scope);
}

void ProcessLowering::call(const Statement& s, const statement::Call& node, const ValuePtr& callee, const Body& body,
                           ir::Block& into) {
  if (const auto* failure = as<value::Failure>(callee)) return fail(failure->site, s.location, into);
  if (const auto* choice = as<value::Select>(callee)) {
    return branch(
        choice->condition, s.location, [&](ir::Block& block) { call(s, node, choice->if_true, body, block); },
        [&](ir::Block& block) { call(s, node, choice->if_false, body, block); }, into);
  }
  const auto* function = as<value::Function>(callee);
  if (function && std::holds_alternative<item::Procedure>(function->declaration->node)) {
    return procedure(s, node, *function, body, into);
  }
  if (function && std::holds_alternative<item::Collective>(function->declaration->node)) {
    const bool is_of_own_machine = std::holds_alternative<expr::Name>(node.callee->node);
    if (body.kinds && is_of_own_machine)
      return collective_of_kinds(s, node, function->declaration->name.text, body, into);
    Body named = body;  // `other.allreduce(8 B)` runs on that machine, whichever one a process has
    named.kinds = nullptr;
    return collective(s, node, {*function}, named, into);
  }
  parts_.sites.abandon(DiagnosticKind::misplaced_statement, s.location, "a process calls procedures and collectives",
                       "neither of them");
}

std::vector<Named> ProcessLowering::arguments_of(const statement::Call& node, const Body& body) {
  std::vector<Named> arguments;
  for (const Argument& argument : node.arguments) {
    ValuePtr value = parts_.expressions.evaluate_named(*argument.value, body.scope, {});
    arguments.emplace_back(argument.name ? argument.name->text : "", std::move(value));
  }
  return arguments;
}

std::optional<std::uint32_t> ProcessLowering::line_of(const statement::Call& node, const Body& body) {
  if (axes_.size() == 1) return std::nullopt;
  if (node.among == statement::Call::Among::along) return static_cast<std::uint32_t>(axis_of(node.of, body));
  const bool line = body.view.names.size() == 1 && !body.view.by_rank;
  return line ? std::optional(body.view.axes[0]) : std::nullopt;
}

ProcessLowering::Part ProcessLowering::part_of(const statement::Call& node, const Body& body, Location location) {
  using Among = statement::Call::Among;
  if (node.among != Among::within && node.among != Among::across) return {line_of(node, body), body.view.group};
  // By rank without a group, it is the whole grid that an algorithm numbers.
  const bool is_whole = body.view.by_rank || body.view.names.size() == axes_.size();
  if (!grid_ || body.view.group || !is_whole) {
    parts_.sites.abandon(DiagnosticKind::not_expressible, location,
                         "groups of a level are those of the whole grid, and only a part of it takes part here",
                         "called on a part of the grid");
  }
  return {std::nullopt,
          parts_.levels.group_of(own_place(), node.of, node.among == Among::within, process_.frame, location)};
}

View ProcessLowering::own_view(const Item& item, const Identifier& grid, const OwnAxes& axes, const Part& part,
                               Location location) const {
  View view;
  const auto& line = part.line;
  view.grid = grid.text;
  for (const auto& [name, extent] : axes) view.names.push_back(name.text);
  if (part.group) {
    view.group = part.group;
    view.by_rank = true;
  } else if (line) {
    view.axes = {*line};
  } else if (axes.size() == axes_.size()) {
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) view.axes.push_back(axis);
  } else {
    view.by_rank = true;
  }
  if (view.by_rank ? axes.size() != 1 : axes.size() != view.axes.size()) {
    parts_.sites.abandon(DiagnosticKind::wrong_index, location,
                         fmt::format("`{}` is for a grid of {} axes, not for {}", item.name.text, axes.size(),
                                     part.group ? "a group of processes"
                                     : line     ? "a line along one"
                                                : fmt::format("one of {}", axes_.size())),
                         "called here");
  }
  return view;
}

// Binds the names of the axes and of their extents. An extent that differs from the number of processes that take part
// is an error.
void ProcessLowering::open_own_grid(const Item& item, const OwnAxes& axes, const Part& part, Location location,
                                    Body& body, ir::Block& into) {
  const auto actual = [&](std::size_t i) {
    return body.view.by_rank ? participants(part, location) : extent(body.view.axes[i]);
  };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto* name = extent_name(item, *axes[i].second);
    if (name) body.scope = bind_local(body.scope, name->text, number(actual(i)));
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const ValueId written = parts_.expressions.integer(*axes[i].second, body.scope);
    if (written == actual(i)) continue;
    const ir::SiteId other = parts_.sites.requirement(
        location, fmt::format("`{}` is for another number of processes than takes part here", item.name.text),
        "names as extents take what there is, as in `on R[r: p]`");
    demand(b_.equal(written, actual(i)), other, location, into);
  }
  bind_axes(body);
}

void ProcessLowering::procedure(const Statement& s, const statement::Call& node, const value::Function& callee,
                                const Body& body, ir::Block& into) {
  const Item& item = *callee.declaration;
  const auto& procedure = std::get<item::Procedure>(item.node);
  const auto bound = parts_.functions.bind_arguments(callee, arguments_of(node, body), s.location);
  Body inside = body;
  inside.declaration = &item;
  inside.corner = nullptr;
  inside.scope = callee.self ? parts_.instances.scope_of(*callee.self) : Scope{};
  inside.scope.module = item.module;
  inside.scope.frame = process_.frame;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    inside.scope = bind_local(inside.scope, procedure.parameters[i].name.text, bound[i]);
  }
  if (procedure.axes.empty()) {
    inside.view = whole_grid(procedure.grid.text);
    bind_axes(inside);
  } else {
    const Part part = part_of(node, body, s.location);
    inside.view = own_view(item, procedure.grid, procedure.axes, part, s.location);
    inside.view.wraps = body.view.wraps && !part.group;
    open_own_grid(item, procedure.axes, part, s.location, inside, into);
  }
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const auto* axis = as<value::Axis>(bound[i]);
    if (!axis) continue;
    inside.scope = bind_local(inside.scope, procedure.parameters[i].name.text, passed(*axis, body, inside, s.location));
  }
  run_inlined(item, procedure.body, std::move(inside), s.location, into);
}

void ProcessLowering::collective(const Statement& s, const statement::Call& node,
                                 const std::vector<value::Function>& callees, const Body& body, ir::Block& into) {
  not_in_task(body, s.location, "a collective");
  const value::Function& callee = callees.front();
  const Item& item = *callee.declaration;
  const bool is_algorithm = std::get<item::Collective>(item.node).has_algorithm;
  const Part part = part_of(node, body, s.location);
  if (!is_algorithm && part.group) {
    parts_.sites.abandon(
        DiagnosticKind::not_expressible, s.location,
        fmt::format("`{}` is a cost of this machine, and what it costs a group is not known", item.name.text),
        "called among those that share a level",
        "write it as an algorithm, `collective name(s: data) on R[r: p] { ... }`");
  }
  require_all(body, s.location, "a collective", is_algorithm ? part : Part{});
  std::vector<Named> arguments = arguments_of(node, body);
  const ValueId taking_part = participants(part, s.location);
  if (const Named* given = given_p(item, arguments)) {
    const ir::SiteId other = parts_.sites.requirement(
        s.location, fmt::format("`p` of `{}` is not the number of processes that take part", item.name.text),
        "leave `p` out: it is filled in");
    demand(b_.equal(parts_.values.scalar_of(given->second, ir::ScalarType::integer, s.location), taking_part), other,
           s.location, into);
    arguments.erase(arguments.begin() + (given - arguments.data()));
  }
  if (has_parameter(item, "p")) arguments.emplace_back("p", number(taking_part));
  const std::size_t first = into.size();
  if (is_algorithm)
    algorithm(s, callee, arguments, part, body, into);
  else
    cost(s, callees, arguments, part.line, into);
  const bool is_of_program = body.context == 0;
  if (is_of_program) note_call(callee, arguments, part, taking_part, s.location, first, into);
}

void ProcessLowering::note_call(const value::Function& callee, const std::vector<Named>& arguments, const Part& part,
                                ValueId participants, Location location, std::size_t first, ir::Block& into) {
  ir::CollectiveCall call;
  call.name = (callee.self ? callee.self->title : "") + callee.declaration->name.text;
  call.location = location;
  call.participants = participants;
  const ValueId one = b_.integer(1);
  if (part.group) {
    call.is_first = {b_.equal(part.group->rank, one)};
  } else {
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
      if (!part.line || *part.line == axis) call.is_first.push_back(b_.equal(own_index(axis), one));
    }
  }
  call.size = size_of_call(callee, arguments, part, participants, location);
  // A process may have nothing to do in an algorithm.
  if (into.size() == first) add(into, {ir::Branch{b_.boolean(true), {}, {}}, location, {}});
  into[first].call = {static_cast<std::uint32_t>(process_.calls.size())};
  process_.calls.push_back(std::move(call));
}

// The first argument of dimension data; of sizes from one to another, what this process sends to all.
ValueId ProcessLowering::size_of_call(const value::Function& callee, const std::vector<Named>& arguments,
                                      const Part& part, ValueId participants, Location location) {
  const auto real = [&](const ValuePtr& size) { return parts_.values.scalar_of(size, ir::ScalarType::real, location); };
  const auto& formals = parameters_of(*callee.declaration);
  const auto bound = parts_.functions.bind_arguments(callee, arguments, location);
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (is_data(formals[i].type.get())) return real(bound[i]);
    const auto* const sizes = as<value::Function>(bound[i]);
    if (!sizes || !is_size_between(formals[i].type.get())) continue;
    const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
    const ir::BinderId to = b_.binder("to");
    const ValueId own = part.group  ? part.group->rank
                        : part.line ? own_index(*part.line)
                                    : b_.add(rank(location), b_.integer(1), overflow);
    const Scope scope{nullptr, sizes->self, sizes->declaration->module, process_.frame, nullptr};
    const ValuePtr size =
        parts_.functions.call_function(*sizes, {{"", number(own)}, {"", number(b_.index(to))}}, scope, location);
    const ir::SiteId no_progress = parts_.sites.site(FailureKind::no_progress, location);
    const ir::Level level{to, b_.integer(1), participants, b_.integer(1), false, {}, no_progress};
    return b_.reduce(ir::ReduceKind::sum, {level}, real(size), {}, overflow);
  }
  return {};
}

void ProcessLowering::cost(const Statement& s, const std::vector<value::Function>& callees,
                           const std::vector<Named>& arguments, std::optional<std::uint32_t> line, ir::Block& into) {
  const value::Function& callee = callees.front();
  const std::string& name = callee.declaration->name.text;
  std::vector<ValueId> costs;
  for (const value::Function& one : callees) {
    const Scope scope{nullptr, one.self, one.declaration->module, process_.frame, nullptr};
    const ValuePtr cost = parts_.functions.call_function(one, arguments, scope, s.location);
    costs.push_back(parts_.processes.not_negative(parts_.values.scalar_of(cost, ir::ScalarType::real, s.location),
                                                  s.location, check::time_type(),
                                                  fmt::format("the cost of `{}`", name)));
  }
  ir::Collective collective;
  collective.name = (callee.self ? callee.self->title : "") + name;
  collective.cost = costs.size() == 1 ? costs.front() : b_.maximum(costs);
  collective.root = root_of(std::get<item::Collective>(callee.declaration->node).root);
  collective.along = line;
  add(into, {std::move(collective), s.location,
             parts_.sites.site(FailureKind::weight_not_finite, s.location, process_.name)});
}

void ProcessLowering::algorithm(const Statement& s, const value::Function& callee, std::vector<Named> arguments,
                                const Part& part, const Body& body, ir::Block& into) {
  const Item& item = *callee.declaration;
  const auto& node = std::get<item::Collective>(item.node);
  const auto bound = parts_.functions.bind_arguments(callee, arguments, s.location);
  Body inside;
  inside.declaration = &item;
  inside.machine = callee.self;
  inside.kinds = body.kinds;
  inside.is_kind_known = body.is_kind_known;
  inside.context = context_of(item);
  inside.divided = body.divided;  // which may be among others than those that take part
  inside.in_sweep = body.in_sweep;
  inside.place = body.place;
  inside.rounds = body.rounds;
  inside.scope = parts_.instances.scope_of(*callee.self);
  inside.scope.module = item.module;
  inside.scope.frame = process_.frame;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    inside.scope = bind_local(inside.scope, node.parameters[i].name.text, bound[i]);
  }
  if (callee.guarded) {
    demand(parts_.instances.requirements(*callee.self), parts_.sites.site(FailureKind::require_failed, s.location),
           s.location, into);
  }
  inside.view = own_view(item, node.grid, node.axes, part, s.location);
  inside.view.wraps = false;
  open_own_grid(item, node.axes, part, s.location, inside, into);
  run_inlined(item, node.algorithm, std::move(inside), s.location, into);
}

ValueId ProcessLowering::participants(const Part& part, Location location) {
  if (part.group) return part.group->participants;
  if (part.line) return extent(*part.line);
  ValueId all = extent(0);
  const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
  for (std::uint32_t axis = 1; axis < axes_.size(); ++axis) all = b_.multiply(all, extent(axis), overflow);
  return all;
}

ValueId ProcessLowering::rank(Location location) {
  const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
  const ValueId one = b_.integer(1);
  ValueId rank = own_index(0);
  for (std::uint32_t axis = 1; axis < axes_.size(); ++axis) {
    const ValueId before = b_.multiply(b_.subtract(rank, one, overflow), extent(axis), overflow);
    rank = b_.add(before, own_index(axis), overflow);
  }
  return rank;
}

std::uint32_t ProcessLowering::context_of(const Item& collective) {
  return contexts_.try_emplace(&collective, static_cast<std::uint32_t>(contexts_.size() + 1)).first->second;
}

ValuePtr Processes::call_algorithm(const value::Function& function, const std::vector<Named>& arguments,
                                   Location location) {
  const Item& item = *function.declaration;
  const auto& node = std::get<item::Collective>(item.node);
  Instance& machine = *function.self;
  // If `p` is not among the parameters, it is one more.
  std::vector<Named> declared = arguments;
  ValuePtr taking_part;
  if (!has_parameter(item, "p")) {
    const Named* given = given_p(item, arguments);
    if (!given)
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("how many take part in `{}` is not said", item.name.text), "`p` is missing");
    taking_part = given->second;
    declared.erase(declared.begin() + (given - arguments.data()));
  }
  std::vector<ValuePtr> bound = functions_.bind_arguments(function, declared, location);
  std::vector<std::string> names;
  for (const Parameter& parameter : node.parameters) names.push_back(parameter.name.text);
  if (taking_part) {
    bound.push_back(taking_part);
    for (const auto& [axis, extent] : node.axes) {
      const auto* name = extent_name(item, *extent);
      if (name && names.size() < bound.size()) names.push_back(name->text);
    }
    if (names.size() < bound.size() || node.axes.size() != 1) {
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("`p` does not say on which grid `{}` runs", item.name.text));
    }
  }
  const auto body = [&](const std::vector<ValuePtr>& inside, ir::FrameId frame) -> ValuePtr {
    Scope scope = instances_.scope_of(machine);
    scope.module = item.module;
    scope.frame = frame;
    for (std::size_t i = 0; i < inside.size(); ++i) scope = bind_local(scope, names[i], inside[i]);
    ir::Space space{machine.title + node.grid.text, frame, {}};
    for (const auto& [axis, extent] : node.axes) {
      space.axes.push_back({axis.text, b_.binder(axis.text), b_.integer(1), expressions_.integer(*extent, scope), false,
                            extent->location,
                            sites_.site(FailureKind::extent_not_positive, extent->location, axis.text)});
    }
    ProcessLowering lowering(parts_, machine.title + item.name.text, frame, b_.space(std::move(space)),
                             item.name.location);
    lowering.run_algorithm(item, machine, scope);
    return number(b_.measure({lowering.finish(), ir::Metric::time, {}, {}, {}}));
  };
  const auto otherwise = [&]() -> ValuePtr {
    sites_.abandon(DiagnosticKind::not_expressible, location,
                   fmt::format("`{}` cannot be evaluated with these arguments", item.name.text));
  };
  return functions_.call_framed(machine.title + item.name.text,
                                fmt::format("algorithm.{}.{}", fmt::ptr(&item), fmt::ptr(&machine)), machine.frame,
                                names, bound, check::time_type(), body, otherwise, location);
}

}  // namespace wave::frontend::lowering
