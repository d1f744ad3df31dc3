// Machines with their protocols and collectives, processes, procedures, studies, tests.
#include "frontend/parse/tree_builder.h"

namespace wave::frontend {

item::Machine TreeBuilder::machine(Grammar::Machine_itemContext* context) {
  item::Machine result;
  const auto paths = context->path();
  std::size_t next = 0;
  if (context->COLON() != nullptr) result.interface = path(paths[next++]);
  if (context->EXTENDS() != nullptr) result.base = path(paths[next]);
  result.members = items(context->members()->items(), Owner::machine);
  return result;
}

decltype(Item::node) TreeBuilder::protocol(Grammar::Protocol_itemContext* context) {
  item::Protocol result;
  result.parameters = parameters(context->parameters());
  for (auto* clause : context->protocol_clause()) {
    ExprPtr& slot = clause->WINDOW() != nullptr ? result.window : result.condition;
    if (slot != nullptr)
      report(DiagnosticKind::repeated_clause, place(clause), "a second `" + text(place(clause->getStart())) + "`",
             "given before");
    else
      slot = expression(clause->expression());
  }
  bool sender = false, receiver = false;
  for (auto* end : context->protocol_end()) {
    if (broken(end) || end->SEMICOLON() != nullptr) continue;
    const bool sends = end->SENDER() != nullptr;
    if (std::exchange(sends ? sender : receiver, true)) {
      report(DiagnosticKind::repeated_clause, place(end->getStart()), "a second `" + text(place(end->getStart())) + "`",
             "given before");
      continue;
    }
    (sends ? result.sender : result.receiver) = block(end->block(), BlockKind::protocol);
  }
  if (sender && receiver) return result;
  const std::string word = sender ? "receiver" : "sender";
  report(DiagnosticKind::unexpected_token, place(context->name()), "this protocol has no `" + word + "`",
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

item::Study TreeBuilder::study(Grammar::Study_itemContext* context) {
  item::Study result;
  result.model = path(context->path());
  for (auto* clause : context->study_clause()) {
    if (!broken(clause)) study_clause(result, clause);
  }
  return result;
}

item::Study::Vary TreeBuilder::vary(Grammar::PathContext* path, Grammar::ExpressionContext* values) {
  return {.name = joined(path), .values = values != nullptr ? expression(values) : nullptr, .type = nullptr};
}

item::Study::Show TreeBuilder::show(Grammar::ShownContext* context) {
  std::optional<Identifier> name;
  if (context->name() != nullptr) name = identifier(context->name());
  return {name, expression(context->expression()), context->unit() != nullptr ? unit(context->unit()) : std::nullopt};
}

void TreeBuilder::study_clause(item::Study& study, Grammar::Study_clauseContext* context) {
  const auto names = context->name();
  if (context->VARY() != nullptr) study.vary.push_back(vary(context->path(), context->expression()));
  for (auto* setting : context->setting())
    study.set.push_back({identifier(setting->name()), expression(setting->expression())});
  for (auto* shown : context->shown()) study.show.push_back(show(shown));
  if (context->PLOT() != nullptr) {
    item::Study::Plot plot{uncertain(context->uncertain(0)), uncertain(context->uncertain(1)), {}, {}};
    std::size_t next = 0;
    if (context->BY() != nullptr) plot.by = identifier(names[next++]);
    for (; next < names.size(); ++next) plot.scales.push_back(identifier(names[next]));
    study.plot.push_back(std::move(plot));
  }
  if (context->MEASURED() != nullptr) study.measured.push_back({string(context->STRING()), identifier(names[0])});
}

item::Test TreeBuilder::test(Grammar::Test_itemContext* context) {
  item::Test result;
  for (auto* step : context->test_step()) {
    if (step->local_let() != nullptr) {
      LocalLet let = local_let(step->local_let());
      if (!let.name.text.empty()) result.lets.push_back(std::move(let));
    }
    auto* expectation = step->expectation();
    if (broken(step) || expectation == nullptr) continue;
    const auto values = expectation->expression();
    result.expects.push_back({place(expectation), expression(values[0]),
                              values.size() > 1 ? expression(values[1]) : nullptr, binders(expectation->binder())});
  }
  return result;
}

}  // namespace wave::frontend
