// Flop counts: statements as in C.
#include "frontend/parse/tree_builder.h"

namespace wave::frontend {

namespace {

std::unique_ptr<Statement> wrap(Place where, decltype(Statement::node) node) {
  auto result = std::make_unique<Statement>();
  result->place = where;
  result->node = std::move(node);
  return result;
}

}  // namespace

Block TreeBuilder::flops(Grammar::Flops_blockContext* context) {
  const bool outside = !std::exchange(in_flops_, true);
  Block result;
  for (auto* child : context->flops_statements()->flops_statement()) {
    if (auto built = flops_statement(child)) result.push_back(std::move(built));
  }
  if (outside) in_flops_ = false;
  return result;
}

std::unique_ptr<Statement> TreeBuilder::flops_statement(Grammar::Flops_statementContext* context) {
  if (broken(context)) return nullptr;
  const Place where = place(context);
  if (context->FOR() != nullptr)
    return wrap(where, statement::For{identifier(context->name()), expression(context->expression()),
                                      flops(context->flops_block())});
  if (context->flops_condition() != nullptr) return wrap(where, flops_condition(context->flops_condition()));
  const auto parts = context->flops_simple()->expression();
  if (parts.size() == 1) return wrap(where, statement::Evaluate{expression(parts[0])});
  ExprPtr target = expression(parts[0]);
  const bool is_place =
      std::holds_alternative<expr::Name>(target->node) || std::holds_alternative<expr::Index>(target->node);
  if (!is_place) {
    report(DiagnosticKind::unexpected_token, target->place, "only a variable or an element can be assigned to",
           "not assignable")
        .help.emplace_back("the left side of `=` is a name or `A[i]`; `==` compares");
    return nullptr;
  }
  return wrap(where, statement::Assign{std::move(target), expression(parts[1])});
}

Block TreeBuilder::flops_branch(Grammar::Flops_blockContext* block, Grammar::Flops_assignmentContext* single) {
  if (block != nullptr) return flops(block);
  Block result;
  if (single != nullptr) result.push_back(assignment(single));
  return result;
}

statement::If TreeBuilder::flops_condition(Grammar::Flops_conditionContext* context) {
  statement::If result;
  result.condition = expression(context->expression());
  // The branches in the order written; the first is the `then`.
  std::vector<Rule*> branches;
  for (auto* child : context->children) {
    auto* rule = dynamic_cast<Rule*>(child);
    if (rule != nullptr && rule != context->expression()) branches.push_back(rule);
  }
  const auto build = [&](Rule* branch) {
    if (auto* nested = dynamic_cast<Grammar::Flops_conditionContext*>(branch)) {
      Block block;
      block.push_back(wrap(place(nested), flops_condition(nested)));
      return block;
    }
    return flops_branch(dynamic_cast<Grammar::Flops_blockContext*>(branch),
                        dynamic_cast<Grammar::Flops_assignmentContext*>(branch));
  };
  result.then_body = build(branches[0]);
  if (branches.size() > 1) result.else_body = build(branches[1]);
  return result;
}

std::unique_ptr<Statement> TreeBuilder::assignment(Grammar::Flops_assignmentContext* context) {
  auto* target = context->flops_target();
  const Place name = place(target->IDENTIFIER());
  ExprPtr assigned = make(name, expr::Name{text(name), {}});
  const auto closers = target->RBRACKET();
  const auto indices = target->arguments();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Place where = cover(name, place(closers[i]));
    assigned = make(where, expr::Index{std::move(assigned), arguments(indices[i])});
  }
  return wrap(place(context), statement::Assign{std::move(assigned), expression(context->expression())});
}

}  // namespace wave::frontend
