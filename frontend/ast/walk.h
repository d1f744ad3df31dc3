// Walks through the tree. Each calls a function with what is directly inside a node, in the order in which it is
// written.
#pragma once

#include "frontend/ast/ast.h"

#include <functional>

namespace wave::frontend {

using ExprVisitor = std::function<void(const Expr&)>;

// The expressions in an expression. Those of a flop count are the ones of its statements.
void for_each_child(const Expr& e, const ExprVisitor& visit);
// The blocks directly inside a statement.
void for_each_block(const Statement& statement, const std::function<void(const Block&)>& visit);
// The expressions in a declaration, but not those in its members.
void for_each_expression(const Item& item, const ExprVisitor& visit);

}  // namespace wave::frontend
