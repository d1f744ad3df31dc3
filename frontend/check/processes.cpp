// Processes, procedures and algorithms: their grids and their statements.
#include "base/overloaded.h"
#include "frontend/ast/walk.h"
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace wave::frontend::check {

void Processes::open_grid(ProcessContext& process, const Identifier& grid) {
  process.grid = grid.text;
  process.grid_item = names_.find_grid(grid);
  process.grid_known = process.grid_item != nullptr;
  if (process.grid_item) process.grid_location = process.grid_item->name.location;
  if (!process.grid_known) return;
  for (const item::GridAxis& axis : std::get<item::Grid>(process.grid_item->node).axes) {
    process.axes.push_back(axis.name.text);
    const LocalName own{axis.name.text, axis_type(), axis.name.location, true};
    // The parameter needs another name, wherever the grid is declared.
    if (const LocalName* parameter = names_.find_local(own.name)) names_.report_declared_twice(*parameter, own);
    context_.locals.push_back(own);
  }
}

// `on R[r: p]` gives the processes that take part names of its own.
void Processes::open_own_grid(ProcessContext& process, const Identifier& grid, Axes& axes) {
  process.grid = grid.text;
  process.grid_location = grid.location;
  for (auto& [axis, extent] : axes) {
    if (auto* name = extent ? std::get_if<expr::Name>(&extent->node) : nullptr) {
      if (!names_.in_scope(name->text)) context_.locals.push_back({name->text, int_type(), extent->location});
    }
    if (extent) expressions_.expect(*extent, int_type());
  }
  for (auto& [axis, extent] : axes) {
    process.axes.push_back(axis.text);
    names_.declare_local({axis.text, axis_type(), axis.location, true});
  }
}

static bool is_choice(const Expr& net) {
  bool found = std::holds_alternative<expr::If>(net.node) || std::holds_alternative<expr::When>(net.node);
  for_each_child(net, [&](const Expr& child) { found = found || is_choice(child); });
  return found;
}

// Whether an axis stands in it that is no other name.
bool Processes::reads_place(const Expr& net, const item::Grid& grid) const {
  const auto* name = std::get_if<expr::Name>(&net.node);
  const auto is_it = [&](const item::GridAxis& axis) { return axis.name.text == name->text; };
  bool found = name && std::ranges::any_of(grid.axes, is_it) && !names_.in_scope(name->text);
  for_each_child(net, [&](const Expr& child) { found = found || reads_place(child, grid); });
  return found;
}

// Only what looks at the place knows the axes: in `1 GB/s`, an axis `s` would be in the way. Returns whether it does.
bool Processes::open_choice(ProcessContext& process, const item::Process& node) {
  if (!node.net) return false;
  const Item* const item = context_.owner ? names_.member(*context_.owner, node.grid.text) : nullptr;
  const auto* const grid = item ? std::get_if<item::Grid>(&item->node) : nullptr;
  const bool is_by_place = is_choice(*node.net) || (grid && reads_place(*node.net, *grid));
  if (is_by_place) open_grid(process, node.grid);
  return is_by_place;
}

void Processes::check_process(item::Process& node) {
  ProcessContext process;
  LocalScope scope(context_);
  const bool is_by_place = open_choice(process, node);
  if (node.net) process.net = check_net(process, *node.net);
  if (!is_by_place) open_grid(process, node.grid);
  check_program(process, node.body);
}

TypeRef Processes::check_net(ProcessContext& process, Expr& net) {
  const auto* name = std::get_if<expr::Name>(&net.node);
  if (name && names_.asks(name->text, "net")) return unknown_type();
  const TypeRef type = expressions_.check(net);
  if (is_unknown(type)) return type;
  const auto* machine = as<types::Machine>(type);
  if (!machine) {
    Diagnostic& d = reports_.add(DiagnosticKind::type_mismatch, net.location,
                                 "`using` takes a machine, not " + quoted(type), "this is " + quoted(type));
    types_.explain(d, net);
    return unknown_type();
  }
  const Item& declaration = *machine->declaration;
  const bool has_none = is_machine(declaration) && protocols_of(declaration).empty() && !may_have_more(declaration);
  if (has_none) process.without_protocols = &declaration;
  return type;
}

void Processes::check_procedure(item::Procedure& node) {
  ProcessContext process;
  process.kind = ProcessContext::Kind::procedure;
  LocalScope scope(context_);
  functions_.open_parameters(node.parameters, "a parameter of a procedure", true);
  if (node.axes.empty())
    open_grid(process, node.grid);
  else
    open_own_grid(process, node.grid, node.axes);
  check_program(process, node.body);
}

void Processes::check_algorithm(item::Collective& node) {
  ProcessContext process;
  process.kind = ProcessContext::Kind::algorithm;
  LocalScope scope(context_);
  open_own_grid(process, node.grid, node.axes);
  check_program(process, node.algorithm);
}

void Processes::check_program(ProcessContext& process, Block& program) {
  context_.process = &process;
  check_block(program);
  check_handles(process);
  context_.process = nullptr;
}

void Processes::check_handles(ProcessContext& process) {
  std::vector<std::string> names;
  // Operations of one name are waited for together: the first stands for them.
  std::unordered_map<std::string_view, Location> first;
  for (const Identifier& handle : process.handles) {
    const auto [found, is_new] = first.try_emplace(handle.text, handle.location);
    if (is_new)
      names.push_back(handle.text);
    else
      names_.refer(handle.location, found->second);
  }
  for (const Identifier& wait : process.waits) {
    if (names_.asks(wait.text, "handle")) continue;
    const auto found = first.find(wait.text);
    if (found != first.end()) {
      names_.refer(wait.location, found->second);
      continue;
    }
    Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, wait.location,
                                 "no operation is called `" + wait.text + "`", "waited for here");
    if (suggest_nearest(d, wait.text, names)) continue;
    d.help.push_back("`isend ... as " + wait.text + "` names an operation that can be waited for here");
    d.help.push_back(
        "a name belongs to the body in which it is written: what a procedure has left, `waitall` waits for");
  }
}

void Processes::check_block(Block& block) {
  LocalScope scope(context_);
  for (auto& statement : block) check_statement(*statement);
}

// `compute(t)`, `hold(s, "name")` and `release(s, "name")` call a procedure of that name where one can be seen.
void Processes::prefer_own(Statement& statement) {
  auto* const compute = std::get_if<statement::Compute>(&statement.node);
  auto* const hold = std::get_if<statement::Hold>(&statement.node);
  if (!compute && !hold) return;
  const std::string word = compute ? "compute" : hold->is_released ? "release" : "hold";
  const Item* item = names_.look_up(word).item;
  if (!item || !is_any_of<item::Procedure>(*item)) return;
  const auto make = [](Location location, auto node) {
    auto made = std::make_unique<Expr>();
    made->location = location;
    made->node = std::move(node);
    return made;
  };
  const Location whole = statement.location;
  const Location name{whole.file, whole.begin, whole.begin + static_cast<std::uint32_t>(word.size())};
  statement::Call call{make(name, expr::Name{word, {}}), {}, statement::Call::Among::all, {}};
  call.arguments.push_back({std::nullopt, std::move(compute ? compute->time : hold->size)});
  if (hold) call.arguments.push_back({std::nullopt, make(hold->memory.location, expr::String{hold->memory.text})});
  statement.node = std::move(call);
}

void Processes::check_ready(const Statement& statement, statement::Ready& list) {
  ProcessContext::Tasks& tasks = context_.process->tasks;
  if (tasks != ProcessContext::Tasks::none)
    reports_.add(DiagnosticKind::misplaced_statement, statement.location, "a list of tasks inside another",
                 "the one around it is not finished");
  const auto before = std::exchange(tasks, ProcessContext::Tasks::listed);
  check_block(list.body);
  tasks = before;
}

void Processes::check_task(const Statement& statement, statement::Task& task) {
  ProcessContext::Tasks& tasks = context_.process->tasks;
  if (tasks != ProcessContext::Tasks::listed)
    reports_
        .add(DiagnosticKind::misplaced_statement, statement.location, "a task outside of a list",
             tasks == ProcessContext::Tasks::inside ? "inside another task" : "nothing says what it is chosen from")
        .help.emplace_back("tasks stand in `ready { ... }`, also in its loops and conditions");
  const auto before = std::exchange(tasks, ProcessContext::Tasks::inside);
  check_block(task.receives);
  if (task.priority) expressions_.expect(*task.priority, real_type());
  check_block(task.body);
  tasks = before;
}

// What stands in a list beside its tasks only says which tasks there are.
void Processes::check_listed(const Statement& statement) {
  const bool is_said = std::visit(
      [](const auto& node) {
        using Node = std::remove_cvref_t<decltype(node)>;
        return OneOf<Node, statement::Task, statement::Let, statement::Repeat, statement::For, statement::If,
                     statement::Ready>;
      },
      statement.node);
  if (context_.process->tasks != ProcessContext::Tasks::listed || is_said) return;
  reports_
      .add(DiagnosticKind::misplaced_statement, statement.location, "a statement beside the tasks of a list",
           "in no task")
      .help.emplace_back(
          "`ready { ... }` holds tasks, in loops and conditions; other statements stand inside a task, or "
          "before the list");
}

void Processes::check_statement(Statement& statement) {
  prefer_own(statement);
  check_listed(statement);
  std::visit(Overloaded{
                 [&](statement::Let& n) { functions_.check_local(n.name, n.type, *n.value); },
                 [&](statement::Compute& n) { expressions_.expect(*n.time, time_type(), {statement.location, ""}); },
                 [&](statement::Hold& n) { expressions_.expect(*n.size, data_type(), {statement.location, ""}); },
                 [&](statement::Message& n) { check_message(statement, n); },
                 [&](statement::Wait& n) {
                   if (n.handle.location.known()) context_.process->waits.push_back(n.handle);
                 },
                 [&](statement::WaitAny& n) {
                   auto& waits = context_.process->waits;
                   waits.insert(waits.end(), n.handles.begin(), n.handles.end());
                 },
                 [&](statement::Ready& n) { check_ready(statement, n); },
                 [&](statement::Task& n) { check_task(statement, n); },
                 [&](statement::Sweep& n) { check_sweep(statement, n); },
                 [&](statement::Repeat& n) { check_repeat(n); },
                 [&](statement::For& n) { check_for(n); },
                 [&](statement::If& n) { check_conditional(n); },
                 [&](statement::Phase& n) { check_block(n.body); },
                 [&](statement::Call& n) { check_call(statement, n); },
                 // `waitall`, and what belongs to a protocol or to `flops`, which the parser has said.
                 []<OneOf<statement::WaitAll, statement::Busy, statement::Emit, statement::Await, statement::Sent,
                          statement::Acquire, statement::Arrival, statement::Assign, statement::Evaluate>
                        Node>(Node&) {},
             },
             statement.node);
}

// `varies` says that whether or how often the block runs depends on the place in the grid.
void Processes::check_block_under(const Expr& condition, bool varies, Block& block) {
  std::vector<Location>& conditions = context_.process->index_conditions;
  if (varies) conditions.push_back(condition.location);
  check_block(block);
  if (varies) conditions.pop_back();
}

void Processes::check_repeat(statement::Repeat& repeat) {
  const bool varies = references_.follows_index([&] { expressions_.expect(*repeat.count, int_type()); });
  check_block_under(*repeat.count, varies, repeat.body);
}

void Processes::check_for(statement::For& loop) {
  TypeRef list;
  const bool varies = references_.follows_index([&] { list = expressions_.check(*loop.list); });
  const TypeRef element = collections_.element_in(*loop.list, list, "for");
  LocalScope scope(context_);
  context_.locals.push_back({loop.variable.text, element, loop.variable.location, varies});
  check_block_under(*loop.list, varies, loop.body);
}

void Processes::check_conditional(statement::If& node) {
  const bool varies = references_.follows_index([&] { expressions_.expect(*node.condition, bool_type()); });
  check_block_under(*node.condition, varies, node.then_body);
  check_block_under(*node.condition, varies, node.else_body);
}

void Processes::forbid_index_condition(Location location, const char* what) {
  const ProcessContext& process = *context_.process;
  if (process.index_conditions.empty()) return;
  Diagnostic& report = reports_.add(DiagnosticKind::index_condition, location,
                                    std::string(what) + " under a condition that differs between processes",
                                    "all processes of the grid take part in it, or none");
  report.labels.push_back({process.index_conditions.back(), "this depends on the place in the grid"});
  report.help.emplace_back("move it out of the condition, and leave in it what only some processes do");
}

}  // namespace wave::frontend::check
