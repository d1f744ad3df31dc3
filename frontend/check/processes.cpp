// Processes, procedures and the algorithms of collectives: what every processor does.
#include "frontend/check/checker.h"

#include <algorithm>

namespace wave::frontend::check {

void Checker::open_grid(ProcessContext& process, const Identifier& grid) {
  process.grid = grid.text;
  const Item* item = context_.owner ? member(*context_.owner, grid.text) : nullptr;
  const auto* node = item ? std::get_if<item::Grid>(&item->node) : nullptr;
  if (!node) {
    report_no_grid(grid, item);
    process.grid_known = false;
    return;
  }
  depends_on(item);
  process.grid_item = item;
  for (const item::GridAxis& axis : node->axes) {
    process.axes.push_back(axis.name.text);
    const Local own{axis.name.text, int_type(), axis.name.place, true};
    // Wherever the grid stands, it is the parameter that has to give way.
    if (const Local* parameter = find_local(own.name)) report_declared_twice(*parameter, own);
    context_.locals.push_back(own);
  }
}

// `on R[r: p]`: the processes that take part, under names of its own.
void Checker::open_own_grid(ProcessContext& process, const Identifier& grid,
                            std::vector<std::pair<Identifier, ExprPtr>>& axes) {
  process.grid = grid.text;
  for (auto& [axis, extent] : axes) {
    if (auto* name = extent ? std::get_if<expr::Name>(&extent->node) : nullptr) {
      if (!in_scope(name->text)) context_.locals.push_back({name->text, int_type(), extent->place});
    }
    if (extent) expect(*extent, int_type());
  }
  for (auto& [axis, extent] : axes) {
    process.axes.push_back(axis.text);
    declare_local({axis.text, int_type(), axis.place, true});
  }
}

void Checker::check_process(Item& item, item::Process& node) {
  ProcessContext process;
  LocalScope scope(context_.locals);
  if (node.net) {
    process.net = check(*node.net);
    if (!is_unknown(process.net) && !as<types::Machine>(process.net)) {
      Diagnostic& d = report(DiagnosticKind::type_mismatch, node.net->place,
                             "`using` takes a machine, not " + quoted(process.net), "this is " + quoted(process.net));
      explain(d, *node.net);
      process.net = unknown_type();
    }
    if (const auto* machine = as<types::Machine>(process.net); machine && is_machine(*machine->declaration)) {
      const bool has_none = protocols_of(*machine->declaration).empty() && !may_have_more(*machine->declaration);
      if (has_none) process.without_protocols = machine->declaration;
    }
  }
  open_grid(process, node.grid);
  context_.process = &process;
  check_block(node.body);
  check_handles(process);
  context_.process = nullptr;
  (void)item;
}

void Checker::check_procedure(Item& item, item::Procedure& node) {
  ProcessContext process;
  process.kind = ProcessContext::Kind::procedure;
  LocalScope scope(context_.locals);
  open_parameters(node.parameters, "a parameter of a procedure");
  if (node.axes.empty())
    open_grid(process, node.grid);
  else
    open_own_grid(process, node.grid, node.axes);
  context_.process = &process;
  check_block(node.body);
  check_handles(process);
  context_.process = nullptr;
  (void)item;
}

void Checker::check_algorithm(Item&, item::Collective& node) {
  ProcessContext process;
  process.kind = ProcessContext::Kind::algorithm;
  LocalScope scope(context_.locals);
  open_own_grid(process, node.grid, node.axes);
  context_.process = &process;
  check_block(node.algorithm);
  check_handles(process);
  context_.process = nullptr;
}

void Checker::check_handles(ProcessContext& process) {
  std::vector<std::string> names;
  for (const Identifier& handle : process.handles) names.push_back(handle.text);
  for (const Identifier& wait : process.waits) {
    if (std::find(names.begin(), names.end(), wait.text) != names.end()) continue;
    Diagnostic& d = report(DiagnosticKind::unknown_name, wait.place, "no operation is called `" + wait.text + "`",
                           "waited for here");
    if (const std::string near = nearest(wait.text, names); !near.empty())
      d.help.push_back("did you mean `" + near + "`?");
    else
      d.help.push_back("`isend ... as " + wait.text + "` names an operation that can be waited for");
  }
}

void Checker::check_block(Block& block) {
  LocalScope scope(context_.locals);
  for (auto& statement : block) check_statement(*statement);
}

void Checker::check_statement(Statement& statement) {
  struct Visitor {
    Checker& c;
    Statement& s;
    void operator()(statement::Let& n) { c.check_local_statement(n); }
    void operator()(statement::Compute& n) { c.expect(*n.time, time_type(), {s.place, ""}); }
    void operator()(statement::Message& n) { c.check_message(s, n); }
    void operator()(statement::Wait& n) { c.context_.process->waits.push_back(n.handle); }
    void operator()(statement::WaitAll&) {}
    void operator()(statement::Sweep& n) { c.check_sweep(s, n); }
    void operator()(statement::Repeat& n) { c.check_repeat(n); }
    void operator()(statement::For& n) { c.check_for(n); }
    void operator()(statement::If& n) { c.check_conditional(n); }
    void operator()(statement::Phase& n) { c.check_block(n.body); }
    void operator()(statement::Call& n) { c.check_statement_call(s, n); }
    void operator()(statement::Busy&) { misplaced("`busy`", "a process computes with `compute(t)`"); }
    void operator()(statement::Emit&) { misplaced("`emit`", "a process sends with `send`"); }
    void operator()(statement::Await&) { misplaced("`await`", "a process receives with `recv`"); }
    void operator()(statement::Acquire&) { misplaced("`acquire`", "a process computes with `compute(t)`"); }
    void operator()(statement::Arrival&) { misplaced("`on arrival`", "a process receives with `recv`"); }
    void operator()(statement::Assign&) { misplaced("an assignment", "a name for a value is given by `let`"); }
    void operator()(statement::Evaluate&) { misplaced("an expression", "a process consists of statements"); }
    void misplaced(const char* what, const char* help) {
      c.report(DiagnosticKind::misplaced_statement, s.place, std::string(what) + " cannot stand in a process",
               "not here")
          .help.push_back(help);
    }
  };
  std::visit(Visitor{*this, statement}, statement.node);
}

void Checker::check_local_statement(statement::Let& let) {
  index_read_ = false;
  TypeRef type;
  if (let.type) {
    type = resolve(*let.type);
    expect(*let.value, type, {let.type->place, "`" + let.name.text + "` is declared as " + quoted(type) + " here"});
  } else {
    type = without_zero(check(*let.value));
    require_known(let.name, *let.value);
  }
  declare_local({let.name.text, type, let.name.place, index_read_});
}

void Checker::check_message(Statement& statement, statement::Message& message) {
  ProcessContext& process = *context_.process;
  if (process.without_protocols) {
    report(DiagnosticKind::no_machine, statement.place,
           "the machine `" + process.without_protocols->name.text + "` has no protocol for messages", "this message")
        .labels.push_back({process.without_protocols->name.place, "declared here"});
    process.without_protocols = nullptr;
  }
  if (message.size) expect(*message.size, data_type(), {statement.place, ""});
  if (message.tag) expect(*message.tag, int_type());
  if (message.handle) process.handles.push_back(*message.handle);
  check_peer(message.peer);
}

void Checker::check_repeat(statement::Repeat& repeat) {
  const bool varies = follows_index([&] { expect(*repeat.count, int_type()); });
  if (varies) context_.process->index_conditions.push_back(repeat.count->place);
  check_block(repeat.body);
  if (varies) context_.process->index_conditions.pop_back();
}

void Checker::check_for(statement::For& loop) {
  TypeRef list;
  const bool varies = follows_index([&] { list = check(*loop.list); });
  TypeRef element = element_of(list);
  if (!element) {
    element = unknown_type();
    if (!is_unknown(list)) {
      Diagnostic& d = report(DiagnosticKind::type_mismatch, loop.list->place,
                             "`for` needs a list to go over, not " + quoted(list), "this is " + quoted(list));
      explain(d, *loop.list);
    }
  }
  LocalScope scope(context_.locals);
  context_.locals.push_back({loop.variable.text, element, loop.variable.place, varies});
  if (varies) context_.process->index_conditions.push_back(loop.list->place);
  check_block(loop.body);
  if (varies) context_.process->index_conditions.pop_back();
}

void Checker::check_conditional(statement::If& node) {
  const bool varies = follows_index([&] { expect(*node.condition, bool_type()); });
  if (varies) context_.process->index_conditions.push_back(node.condition->place);
  check_block(node.then_body);
  check_block(node.else_body);
  if (varies) context_.process->index_conditions.pop_back();
}

bool Checker::follows_index(const std::function<void()>& check) {
  index_read_ = false;
  check();
  return index_read_;
}

void Checker::forbid_index_condition(Place place, const char* what) {
  const ProcessContext& process = *context_.process;
  if (process.index_conditions.empty()) return;
  report(DiagnosticKind::index_condition, place,
         std::string(what) + " under a condition that differs between processes",
         "all processes of the grid take part in it, or none")
      .labels.push_back({process.index_conditions.back(), "this depends on the place in the grid"});
}

}  // namespace wave::frontend::check
