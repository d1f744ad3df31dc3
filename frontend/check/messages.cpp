// Processes: messages and their peers, sweeps, and calls of procedures and collectives.
#include "frontend/ast/walk.h"
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Whether all processes have to reach a statement of the block. The bodies of procedures that it calls do not count,
// nor do collectives of a part of the grid.
bool takes_all(const Block& block) {
  return std::any_of(block.begin(), block.end(), [](const auto& s) {
    if (std::holds_alternative<statement::Sweep>(s->node)) return true;
    if (const auto* call = std::get_if<statement::Call>(&s->node)) {
      if (call->among != statement::Call::Among::all) return false;
      const auto* name = std::get_if<expr::Name>(&call->callee->node);
      const auto* global = name ? std::get_if<target::Global>(&name->target) : nullptr;
      return global && std::holds_alternative<item::Collective>(global->item->node);
    }
    bool found = false;
    for_each_block(*s, [&](const Block& inner) { found = found || takes_all(inner); });
    return found;
  });
}

}  // namespace

void Processes::check_message(Statement& statement, statement::Message& message) {
  ProcessContext& process = *context_.process;
  if (process.without_protocols) {
    reports_
        .add(DiagnosticKind::no_machine, statement.location,
             "the machine `" + process.without_protocols->name.text + "` has no protocol for messages", "this message")
        .labels.push_back({process.without_protocols->name.location, "declared here"});
    process.without_protocols = nullptr;
  }
  if (message.size) expressions_.expect(*message.size, data_type(), {statement.location, ""});
  if (message.tag) expressions_.expect(*message.tag, int_type());
  if (message.handle && message.handle->location.known()) process.handles.push_back(*message.handle);
  check_peer(message.peer);
}

void Processes::check_sweep(Statement& statement, statement::Sweep& sweep) {
  ProcessContext& process = *context_.process;
  forbid_index_condition(statement.location, "a sweep");
  if (process.in_sweep) {
    reports_.add(DiagnosticKind::misplaced_statement, statement.location, "a sweep inside a sweep",
                 "the one around it is not finished");
  }
  const bool turns = references_.follows_index([&] {
    if (sweep.order) expressions_.expect(*sweep.order, order_type());
    for (ExprPtr& corner : sweep.corners) expressions_.expect(*corner, corner_type());
  });
  if (const std::size_t axes = process.axes.size(); axes > 0) {
    for (const ExprPtr& corner : sweep.corners) calls_.check_corner(*corner, axes);
    if (sweep.order) calls_.check_corner(*sweep.order, axes);
  }
  const bool counts = references_.follows_index([&] {
    if (sweep.tiles) expressions_.expect(*sweep.tiles, int_type(), {statement.location, ""});
  });
  if (turns || counts) {
    const Location where = !turns        ? sweep.tiles->location
                           : sweep.order ? sweep.order->location
                                         : sweep.corners.front()->location;
    reports_
        .add(DiagnosticKind::index_condition, where,
             std::string("the ") +
                 (!turns        ? "number of tiles"
                  : sweep.order ? "order"
                                : "corners") +
                 " of a sweep would differ between processes",
             "this depends on the place in the grid")
        .help.push_back("all processes of the grid take part in a sweep, in the same one");
  }
  LocalScope scope(context_);
  for (const auto& [name, type] : {std::pair("tile", int_type()), std::pair("corner", corner_type())}) {
    LocalName given{name, type, statement.location};
    given.of_sweep = true;
    context_.locals.push_back(std::move(given));
  }
  const bool outer = std::exchange(process.in_sweep, true);
  check_block(sweep.body);
  process.in_sweep = outer;
}

void Processes::require_level(const Identifier& level) {
  if (names_.asks(level.text, "level")) return;
  const ProcessContext& process = *context_.process;
  const auto* grid = process.grid_item ? std::get_if<item::Grid>(&process.grid_item->node) : nullptr;
  if (!grid || !process.grid_known) return;
  std::vector<std::string> levels;
  for (const item::GridLevel& one : grid->levels) {
    levels.push_back(one.name.text);
    if (one.name.text == level.text) names_.refer(level.location, one.name.location);
  }
  if (std::find(levels.begin(), levels.end(), level.text) != levels.end()) return;
  names_.report_unknown_level(
      level, levels,
      "the grid `" + process.grid + "` does not say which processes share the level `" + level.text + "`");
}

// An axis that wraps has no end to start from.
void Processes::require_swept_axis(const Identifier& axis) {
  names_.require_axis(axis);
  const ProcessContext& process = *context_.process;
  const auto* grid = process.grid_item ? std::get_if<item::Grid>(&process.grid_item->node) : nullptr;
  if (!grid) return;
  for (const item::GridAxis& known : grid->axes) {
    if (known.name.text != axis.text || !known.wrap) continue;
    reports_
        .add(DiagnosticKind::swept_wrapped_axis, axis.location,
             "the axis `" + axis.text + "` wraps, so it cannot be swept",
             "there is no end that a sweep could start from")
        .labels.push_back({known.name.location, "wraps here"});
  }
}

void Processes::check_peer(Neighbourhood& peer) {
  const ProcessContext& process = *context_.process;
  switch (peer.kind) {
    case Neighbourhood::Kind::upwind:
    case Neighbourhood::Kind::downwind: {
      const std::string word = peer.kind == Neighbourhood::Kind::upwind ? "upwind" : "downwind";
      if (!process.in_sweep) {
        reports_
            .add(DiagnosticKind::no_wind, peer.location, "`" + word + "` outside a sweep",
                 "there is no direction to come from")
            .help.push_back("write a neighbour as an offset, as in `[i-1, j]`");
      }
      for (const Identifier& axis : peer.axes) require_swept_axis(axis);
      return require_once(peer.axes);
    }
    case Neighbourhood::Kind::offset: return check_offset(peer);
    case Neighbourhood::Kind::absolute: break;
  }
  if (names_.asks(peer.grid.text, "grid")) return;
  if (peer.grid.text == process.grid) names_.refer(peer.grid.location, process.grid_location);
  if (peer.grid.text != process.grid) {
    reports_
        .add(DiagnosticKind::unknown_name, peer.grid.location,
             "this process runs on `" + process.grid + "`, not on `" + peer.grid.text + "`",
             "messages stay inside a grid")
        .help.push_back("write `" + process.grid + "[...]`");
  } else {
    check_peer_indices(peer);
  }
  for (ExprPtr& index : peer.indices) expressions_.expect(*index, int_type());
}

void Processes::check_peer_indices(const Neighbourhood& peer) {
  const ProcessContext& process = *context_.process;
  if (!process.grid_known || peer.indices.size() == process.axes.size()) return;
  const std::size_t axes = process.axes.size();
  reports_.add(DiagnosticKind::wrong_index, peer.location,
               "`" + process.grid + "` has " + counted(axes, "axis", "axes") + ", but " +
                   counted(peer.indices.size(), "index is", "indices are") + " given",
               "one index for each axis is expected");
}

Processes::Callee Processes::find_collective(const std::string& name) {
  const ProcessContext& process = *context_.process;
  std::vector<TypeRef> nets;
  if (process.net) nets.push_back(process.net);
  if (process.kind == ProcessContext::Kind::procedure && context_.owner) {
    // The processes of its model use a procedure, so their machine is meant.
    for (const auto& item : *members_of(*context_.owner)) {
      auto* other = std::get_if<item::Process>(&mutable_item(*item).node);
      if (!other || !other->net) continue;
      ContextSwitch there(context_, *item);
      LocalScope scope(context_);
      ProcessContext of_other;
      open_choice(of_other, *other);
      nets.push_back(expressions_.check(*other->net));
    }
  }
  for (const TypeRef& net : nets) {
    const auto* machine = as<types::Machine>(net);
    const Item* item = machine ? names_.member(*machine->declaration, name) : nullptr;
    if (item && is_any_of<item::Collective>(*item)) return {item};
    const bool hides = machine ? has_unknown_base(*machine->declaration) : is_unknown(net);
    if (hides || (item && is_unknown(*item))) return {nullptr, true};
  }
  return {};
}

void Processes::check_call(Statement& statement, statement::Call& call) {
  if (call.among == statement::Call::Among::along) names_.require_axis(call.of);
  if (call.among > statement::Call::Among::along) require_level(call.of);
  auto* name = std::get_if<expr::Name>(&call.callee->node);
  if (name && names_.asks(name->text, "statement")) return;
  const Item* item = references_.module_item(*call.callee);
  if (!item) item = name ? names_.look_up(name->text).item : called_member(*call.callee);
  bool may_be_any = item && is_unknown(*item);
  if (name && !may_be_any && (!item || !is_any_of<item::Procedure, item::Collective>(*item))) {
    const Callee found = find_collective(name->text);
    if (found.item) item = found.item;
    may_be_any = found.may_be_any || (!item && names_.look_up(name->text).missing);
  }
  if (!item || may_be_any) {
    if (name && !may_be_any) report_unknown_call(*name, call.callee->location);
    calls_.check_arguments_blindly(call.arguments);
    return;
  }
  if (name) names_.refer(call.callee->location, item->name.location);
  if (name)
    name->target =
        item->owner == context_.owner && context_.owner ? Target{target::Member{}} : Target{target::Global{item}};
  dependences_.depends_on(item);
  call.callee->type = unknown_type();
  if (const auto* procedure = std::get_if<item::Procedure>(&item->node)) {
    check_procedure_call(statement, call, *item, *procedure);
  } else if (std::holds_alternative<item::Collective>(item->node)) {
    // Of a part of the grid, all that take part have to agree, which is found when the process is lowered.
    if (call.among == statement::Call::Among::all) forbid_index_condition(statement.location, "a collective");
    Signature signature = functions_.signature_of(*item);
    for (auto& parameter : signature.parameters) {
      if (parameter.name == "p") parameter.optional = true;  // the number of processes that take part is filled in
    }
    Expr result;
    result.location = statement.location;
    result.node = expr::Boolean{};
    calls_.call_signature(result, call.arguments, signature);
  } else {
    reports_
        .add(DiagnosticKind::misplaced_statement, statement.location,
             "`" + item->name.text + "` is " + with_article(kind_of(*item)) +
                 "; a process calls procedures and collectives",
             "called here")
        .labels.push_back({item->name.location, "declared here"});
    calls_.check_arguments_blindly(call.arguments);
  }
}

// `net.allreduce(8 B)` as a statement.
const Item* Processes::called_member(Expr& callee) {
  auto* node = std::get_if<expr::Member>(&callee.node);
  if (!node) {
    reports_.add(DiagnosticKind::misplaced_statement, callee.location, "a process calls procedures and collectives",
                 "neither of them");
    return nullptr;
  }
  const Item* item = nullptr;
  callee.type = references_.check_member_of(*node, references_.check_object(*node->object), &item);
  return item;
}

void Processes::report_unknown_call(const expr::Name& name, Location location) {
  if (reports_.lacks_names()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, location,
                               "unknown procedure or collective `" + name.text + "`", "not declared here");
  if (name.text == "hold" || name.text == "release") {
    d.help.push_back("`" + name.text + "` takes a size and a name in quotes, as in `" + name.text +
                     "(8 MB, \"buffers\")`");
    return;
  }
  reports_.answer(d, name.text, [&] {
    std::vector<std::string> names = names_.names_in_scope();
    if (const auto* machine = as<types::Machine>(context_.process->net)) {
      for (std::string& one : member_names(*machine->declaration)) names.push_back(std::move(one));
    }
    return names;
  });
}

void Processes::check_procedure_call(Statement& statement, statement::Call& call, const Item& item,
                                     const item::Procedure& procedure) {
  Signature signature{item.name.text, {}, nullptr, item.name.location, nullptr};
  {
    ContextSwitch there(context_, item);
    for (const Parameter& parameter : procedure.parameters) {
      signature.parameters.push_back({parameter.name.text, types_.resolve_of_procedure(parameter),
                                      parameter.default_value != nullptr, parameter.name.location});
    }
  }
  const ProcessContext& process = *context_.process;
  const bool other_grid = procedure.axes.empty() ? procedure.grid.text != process.grid
                                                 : procedure.axes.size() != process.axes.size() &&
                                                       call.among == statement::Call::Among::all;
  if (other_grid && process.grid_known) {
    reports_
        .add(DiagnosticKind::wrong_index, statement.location,
             "`" + item.name.text + "` is for another grid than that of this process",
             "this process runs on `" + process.grid + "`")
        .labels.push_back({procedure.grid.location, "its grid"});
  }
  declarations_.check_early(item);
  const bool is_of_part = call.among != statement::Call::Among::all;
  if (is_of_part && procedure.axes.empty()) {
    reports_
        .add(DiagnosticKind::wrong_index, statement.location,
             "`" + item.name.text + "` is for the whole grid `" + procedure.grid.text + "`, not for a part of it",
             "called on a part of the grid")
        .help.push_back("a procedure for parts names the places itself: `procedure " + item.name.text +
                        "(...) on R[r: p] { ... }`");
  }
  // Of a part of the grid, all that take part have to agree, which is found when the process is lowered.
  if (!is_of_part && takes_all(procedure.body))
    forbid_index_condition(statement.location, "a procedure with a sweep or a collective");
  Expr result;
  result.location = statement.location;
  result.node = expr::Boolean{};
  calls_.call_signature(result, call.arguments, signature);
}

}  // namespace wave::frontend::check
