// How nodes are made, moved and dropped. See ast.h.
#include "frontend/ast/ast.h"

namespace wave::frontend {

TypeExpr::TypeExpr() = default;
TypeExpr::TypeExpr(TypeExpr&&) noexcept = default;
TypeExpr& TypeExpr::operator=(TypeExpr&&) noexcept = default;
TypeExpr::~TypeExpr() = default;

Expr::Expr() = default;
Expr::Expr(Expr&&) noexcept = default;
Expr& Expr::operator=(Expr&&) noexcept = default;
Expr::~Expr() = default;

Statement::Statement() = default;
Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;

Item::Item() = default;
Item::Item(Item&&) noexcept = default;
Item& Item::operator=(Item&&) noexcept = default;
Item::~Item() = default;

Module::Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;
Module::~Module() = default;

}  // namespace wave::frontend
