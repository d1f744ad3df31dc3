// Walks through the tree: calls a function with the expressions directly inside of a node, in the order in which they
// are written.
#pragma once

#include "frontend/ast/ast.h"

#include <functional>

namespace wave::frontend {

using ExprVisitor = std::function<void(const Expr&)>;

// Of a flop count, those of its statements.
void for_each_child(const Expr& e, const ExprVisitor& visit);
// Also those of the statements inside of it.
void for_each_expression(const Statement& statement, const ExprVisitor& visit);
// The blocks directly inside of it.
void for_each_block(const Statement& statement, const std::function<void(const Block&)>& visit);
// Not those of its members.
void for_each_expression(const Item& item, const ExprVisitor& visit);

}  // namespace wave::frontend
