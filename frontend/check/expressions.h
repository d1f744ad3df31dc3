// The type of an expression. The kinds of expressions that need more have parts of their own: names and members, calls,
// and what consists of elements.
#pragma once

#include "frontend/check/context.h"

#include <vector>

namespace wave::frontend::check {

class Expressions {
 public:
  explicit Expressions(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        names_(parts.names),
        types_(parts.types),
        collections_(parts.collections),
        references_(parts.references),
        calls_(parts.calls),
        functions_(parts.functions) {}

  // `expected` is a hint, null where nothing is known.
  TypeRef check(Expr& e, const TypeRef& expected = nullptr);
  // Checks, and reports unless the value can stand for an `expected`.
  TypeRef expect(Expr& e, const TypeRef& expected, const Why& why = {});
  TypeRef require_numeric(Expr& e, const char* what);
  // Of `u[3]` the `u`, which may be a series.
  TypeRef check_indexed(Expr& e);
  TypeRef check_comparison(expr::Binary& binary, bool lists_too = false);
  // The common type of several expressions that are checked; the first that does not agree is reported.
  TypeRef common(const std::vector<Expr*>& operands, const char* what);
  void adopt(Expr& e, const TypeRef& type);  // a literal 0 takes the dimension of what it meets
  void check_output_unit(const Unit& unit, const Expr& value);
  // Definitions that use each other add up: together they must not exhaust the stack.
  bool is_too_deep() const;

 private:
  TypeRef check_node(Expr& e, const TypeRef& expected);
  TypeRef check_number(Expr& e, expr::Number& number);
  TypeRef check_uncertain(expr::Uncertain& uncertain);
  TypeRef check_unary(expr::Unary& unary);
  TypeRef check_if(expr::If& node, const TypeRef& expected);
  TypeRef check_when(expr::When& node, const TypeRef& expected);
  TypeRef check_flops(expr::Flops& flops);
  void check_flops_block(Block& block);
  void require_countable(const Expr& e);

  // --- operators.cpp ---
  TypeRef check_binary(Expr& e, expr::Binary& binary);
  TypeRef check_sum(expr::Binary& binary);
  TypeRef check_product(Expr& e, expr::Binary& binary);
  TypeRef check_division(expr::Binary& binary);
  TypeRef check_power(Expr& e, expr::Binary& binary);
  void check_sides(expr::Binary& binary);  // a choice word may stand on either side

  Context& context_;
  Reports& reports_;
  Names& names_;
  Types& types_;
  Collections& collections_;
  References& references_;
  Calls& calls_;
  Functions& functions_;
  std::size_t depth_ = 0;          // of nested expressions, through the definitions that they use
  const Expr* indexed_ = nullptr;  // `u` of the `u[3]` that is being checked
};

}  // namespace wave::frontend::check
