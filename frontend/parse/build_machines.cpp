// Grids and what runs on them: machines with their resources, protocols and collectives, and processes.
#include "frontend/parse/tree_builder.h"

namespace wave::frontend {

item::Grid TreeBuilder::grid(Grammar::Grid_itemContext* context) {
  item::Grid result;
  for (auto* axis : context->grid_axis())
    result.axes.push_back({identifier(axis->name()), expression(axis->expression()), axis->WRAP() != nullptr});
  if (context->NODES() != nullptr) {
    const Identifier node{"node", location(context->NODES())};
    result.levels.push_back({node, expressions(context->grid_blocks()->expression()), nullptr});
  } else if (context->grid_levels() != nullptr) {
    for (auto* level : context->grid_levels()->grid_level()) {
      item::GridLevel built{identifier(level->name()), {}, optional(level->expression())};
      if (level->grid_blocks() != nullptr) built.blocks = expressions(level->grid_blocks()->expression());
      result.levels.push_back(std::move(built));
    }
  }
  return result;
}

item::Resource TreeBuilder::resource(Grammar::Resource_itemContext* context) {
  item::Resource result;
  const auto names = context->name();
  std::size_t next = 1, bound = 0;
  if (context->LBRACKET() != nullptr) {
    result.index = identifier(names[next++]);
    result.count = expression(context->expression(bound++));
  }
  if (context->PROCESS() == nullptr) result.level = identifier(names[next]);
  if (context->SERVERS() != nullptr) result.servers = expression(context->expression(bound));
  return result;
}

item::Machine TreeBuilder::machine(Grammar::Machine_itemContext* context) {
  item::Machine result;
  const auto paths = context->path();
  std::size_t next = 0;
  if (context->COLON() != nullptr) result.interface = path(paths[next++]);
  if (context->EXTENDS() != nullptr) result.base = path(paths[next]);
  return with_members(std::move(result), context->members()->items(), Owner::machine);
}

decltype(Item::node) TreeBuilder::protocol(Grammar::Protocol_itemContext* context) {
  item::Protocol result;
  result.parameters = parameters(context->parameters());
  for (auto* clause : context->protocol_clause()) {
    ExprPtr& slot = clause->WINDOW() != nullptr ? result.window : result.condition;
    if (slot != nullptr)
      report(DiagnosticKind::repeated_clause, location(clause), "a second `" + text(location(clause->getStart())) + "`",
             "given before");
    else
      slot = expression(clause->expression());
  }
  bool sender = false, receiver = false;
  for (auto* end : context->protocol_end()) {
    if (broken(end) || end->SEMICOLON() != nullptr) continue;
    const bool sends = end->SENDER() != nullptr;
    if (std::exchange(sends ? sender : receiver, true)) {
      report(DiagnosticKind::repeated_clause, location(end->getStart()),
             "a second `" + text(location(end->getStart())) + "`", "given before");
      continue;
    }
    (sends ? result.sender : result.receiver) = block(end->block(), BlockKind::protocol);
  }
  if (sender && receiver) return result;
  const std::string word = sender ? "receiver" : "sender";
  report(DiagnosticKind::unexpected_token, location(context->name()), "this protocol has no `" + word + "`",
         "needs both ends")
      .help.push_back("write `" + word + " { ... }` in it");
  return item::Unknown{};
}

item::Collective TreeBuilder::collective(Grammar::Collective_itemContext* context) {
  item::Collective result;
  if (context->ROOT() != nullptr)
    result.root = context->FROM() != nullptr ? item::Collective::Root::from : item::Collective::Root::to;
  result.parameters = parameters(context->parameters());
  if (context->type() != nullptr) result.result = type(context->type());
  if (context->ASSIGN() != nullptr) result.cost = expression(context->expression());
  if (context->ON() == nullptr) return result;
  result.has_algorithm = true;
  result.grid = identifier(context->name(1));
  result.axes = axes(context->axes());
  result.algorithm = block(context->block(), BlockKind::process);
  return result;
}

item::Process TreeBuilder::process(Grammar::Process_itemContext* context) {
  return {identifier(context->name(1)), expression(context->expression()), block(context->block(), BlockKind::process)};
}

item::Procedure TreeBuilder::procedure(Grammar::Procedure_itemContext* context) {
  return {parameters(context->parameters()), identifier(context->name(1)), axes(context->axes()),
          block(context->block(), BlockKind::process)};
}

}  // namespace wave::frontend
