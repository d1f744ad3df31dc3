// How nodes are made, moved and dropped. See ast.h.
#include "frontend/ast/ast.h"

namespace wave::frontend {

TypeExpr::TypeExpr() = default;
TypeExpr::~TypeExpr() = default;

Expr::Expr() = default;
Expr::~Expr() = default;

Statement::Statement() = default;
Statement::~Statement() = default;

Item::Item() = default;
Item::~Item() = default;

Module::Module() = default;
Module::~Module() = default;

}  // namespace wave::frontend
