// Expressions, with the flop counts among them. After syntax errors the parse tree has holes: what is missing becomes
// an expression or a name with an empty text, which later stages pass over in silence.
#pragma once

#include "frontend/parse/build_types.h"

namespace wave::frontend {

class ExpressionBuilder : public TypeBuilder {
 public:
  using TypeBuilder::TypeBuilder;

  ExprPtr expression(Grammar::ExpressionContext* context);

 protected:
  template <class Kind>
  ExprPtr make(Place where, Kind node) const;
  ExprPtr missing(Place where) const;
  ExprPtr uncertain(Grammar::UncertainContext* context);
  std::vector<Argument> arguments(Grammar::ArgumentsContext* context);
  std::vector<Binder> binders(const std::vector<Grammar::BinderContext*>& contexts);
  std::vector<ExprPtr> expressions(const std::vector<Grammar::ExpressionContext*>& contexts);
  // Null where the clause is absent.
  ExprPtr optional(Grammar::ExpressionContext* context) { return context != nullptr ? expression(context) : nullptr; }
  LocalLet local_let(Grammar::Local_letContext* context);
  std::optional<Unit> unit(Grammar::UnitContext* context);

 private:
  ExprPtr binary(BinaryOperator op, Place op_place, ExprPtr left, ExprPtr right) const;
  ExprPtr disjunction(Grammar::DisjunctionContext* context);
  ExprPtr conjunction(Grammar::ConjunctionContext* context);
  ExprPtr negation(Grammar::NegationContext* context);
  ExprPtr comparison(Grammar::ComparisonContext* context);
  ExprPtr range(Grammar::RangeContext* context);
  ExprPtr sum(Grammar::SumContext* context);
  ExprPtr product(Grammar::ProductContext* context);
  ExprPtr factor(Grammar::FactorContext* context);
  ExprPtr conversion(Grammar::ConversionContext* context);
  ExprPtr power(Grammar::PowerContext* context);
  ExprPtr postfix(Grammar::PostfixContext* context);
  ExprPtr suffix(ExprPtr object, Grammar::SuffixContext* context);
  ExprPtr reduction(ExprPtr callee, Grammar::ReductionContext* context, Place where);
  Binder binder(Grammar::BinderContext* context);
  ExprPtr primary(Grammar::PrimaryContext* context);
  ExprPtr literal(Node* node);
  ExprPtr number(Place where);
  ExprPtr list(Grammar::ListContext* context);
  ExprPtr when(Grammar::PrimaryContext* context);
  ExprPtr table_literal(Grammar::PrimaryContext* context);
  ExprPtr table_file(Grammar::PrimaryContext* context);
  Identifier column(Grammar::ColumnContext* context);

  // Blocks of which the operations are counted.
  Block flops(Grammar::Flops_blockContext* context);
  std::unique_ptr<Statement> flops_statement(Grammar::Flops_statementContext* context);
  statement::If flops_condition(Grammar::Flops_conditionContext* context);
  std::unique_ptr<Statement> assignment(Grammar::Flops_assignmentContext* context);
  Block flops_branch(Grammar::Flops_blockContext* block, Grammar::Flops_assignmentContext* single);

  bool in_flops_ = false;
};

template <class Kind>
ExprPtr ExpressionBuilder::make(Place where, Kind node) const {
  auto result = std::make_unique<Expr>();
  result->place = where;
  result->node = std::move(node);
  return result;
}

}  // namespace wave::frontend
