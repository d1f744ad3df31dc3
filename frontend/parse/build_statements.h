// Statements of processes and protocols.
#pragma once

#include "frontend/parse/build_expressions.h"

namespace wave::frontend {

class StatementBuilder : public ExpressionBuilder {
 public:
  using ExpressionBuilder::ExpressionBuilder;

 protected:
  enum class BlockKind { process, protocol };

  Block block(Grammar::BlockContext* context, BlockKind kind);

 private:
  std::unique_ptr<Statement> statement(Grammar::StatementContext* context, BlockKind kind);
  decltype(Statement::node) nested(Grammar::StatementContext* context, BlockKind kind);
  decltype(Statement::node) simple(Grammar::StatementContext* context);
  decltype(Statement::node) called(Grammar::CallContext* context);
  decltype(Statement::node) arrival(Grammar::StatementContext* context);
  void check_place(Grammar::StatementContext* context, BlockKind kind);
  statement::Message message(Grammar::MessageContext* context);
  Neighbourhood peer(Grammar::PeerContext* context);
  statement::Sweep sweep(Grammar::StatementContext* context, BlockKind kind);
  statement::If condition(Grammar::ConditionContext* context, BlockKind kind);
  statement::Call call(Grammar::CallContext* context);
};

}  // namespace wave::frontend
