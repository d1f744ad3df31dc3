// Binary operators: how integers widen, dimensions, comparisons.
#include "frontend/ast/operators.h"

#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <cstdlib>

namespace wave::frontend::check {
namespace {

// The value of a literal exponent: `2`, `-1`, `(2)`.
const expr::Integer* literal(const Expr& e, bool& negative) {
  if (const auto* unary = std::get_if<expr::Unary>(&e.node)) {
    if (unary->op != UnaryOperator::negate && unary->op != UnaryOperator::plus) return nullptr;
    if (unary->op == UnaryOperator::negate) negative = !negative;
    return std::get_if<expr::Integer>(&unary->operand->node);
  }
  return std::get_if<expr::Integer>(&e.node);
}

std::string symbol(BinaryOperator op) { return std::string("`") + name_of(op) + "`"; }

std::string of(BinaryOperator op) { return "the operands of " + symbol(op) + ":"; }

bool is_equality(BinaryOperator op) { return op == BinaryOperator::equal || op == BinaryOperator::not_equal; }

bool is_comparable(const TypeRef& type) {
  return is_numeric(type) || as<types::Bool>(type) || as<types::String>(type) || as<types::Choice>(type) ||
         as<types::Corner>(type) || as<types::Level>(type);
}

bool is_comparable_list(const TypeRef& type) {
  const TypeRef element = element_of(type);
  return element && (is_unknown(element) || is_comparable(element) || is_comparable_list(element));
}

}  // namespace

TypeRef Expressions::check_binary(Expr& e, expr::Binary& binary) {
  switch (binary.op) {
    case BinaryOperator::add:
    case BinaryOperator::subtract: return check_sum(binary);
    case BinaryOperator::multiply:
    case BinaryOperator::divide: return check_product(e, binary);
    case BinaryOperator::power: return check_power(e, binary);
    case BinaryOperator::integer_divide:
    case BinaryOperator::modulo: return check_division(binary);
    case BinaryOperator::less:
    case BinaryOperator::less_equal:
    case BinaryOperator::greater:
    case BinaryOperator::greater_equal:
    case BinaryOperator::equal:
    case BinaryOperator::not_equal: return check_comparison(binary);
    case BinaryOperator::logical_and:
    case BinaryOperator::logical_or:
      expect(*binary.left, bool_type());
      expect(*binary.right, bool_type());
      return bool_type();
  }
  return unknown_type();
}

TypeRef Expressions::check_sum(expr::Binary& binary) {
  const TypeRef left = require_numeric(*binary.left, symbol(binary.op).c_str());
  const TypeRef right = require_numeric(*binary.right, symbol(binary.op).c_str(), left);
  if (is_unknown(left) || is_unknown(right)) return without_zero(is_unknown(left) ? right : left);
  const TypeRef type = types_.unify(left, right);
  if (!type) {
    types_.report_disagreement(*binary.left, *binary.right, of(binary.op).c_str());
    return unknown_type();
  }
  adopt(*binary.left, type);
  adopt(*binary.right, type);
  return without_zero(type);
}

TypeRef Expressions::check_product(Expr& e, expr::Binary& binary) {
  const TypeRef left = require_numeric(*binary.left, symbol(binary.op).c_str());
  const TypeRef right = require_numeric(*binary.right, symbol(binary.op).c_str());
  if (is_unknown(left) || is_unknown(right)) return unknown_type();
  const bool times = binary.op == BinaryOperator::multiply;
  if (times && as<types::Int>(left) && as<types::Int>(right)) return int_type();
  const Dimension dimension =
      times ? dimension_of(left) * dimension_of(right) : dimension_of(left) / dimension_of(right);
  if (!in_range(dimension)) {
    reports_.add(DiagnosticKind::bad_exponent, e.location, "the exponents of this dimension are too large",
                 "this would be " + quoted(real_type(dimension)));
    return unknown_type();
  }
  return real_type(dimension);
}

TypeRef Expressions::check_division(expr::Binary& binary) {
  const TypeRef left = require_numeric(*binary.left, symbol(binary.op).c_str());
  const TypeRef right = require_numeric(*binary.right, symbol(binary.op).c_str());
  if (is_unknown(left) || is_unknown(right)) return unknown_type();
  const TypeRef type = types_.unify(left, right);
  if (!type) {
    types_.report_disagreement(*binary.left, *binary.right, of(binary.op).c_str());
    return unknown_type();
  }
  adopt(*binary.left, type);
  adopt(*binary.right, type);
  if (as<types::Int>(type)) return int_type();
  return binary.op == BinaryOperator::modulo ? type : real_type();
}

TypeRef Expressions::check_power(Expr& e, expr::Binary& binary) {
  const TypeRef base = require_numeric(*binary.left, "`^`");
  const TypeRef exponent = require_numeric(*binary.right, "`^`");
  if (is_unknown(base) || is_unknown(exponent)) return unknown_type();
  if (!dimension_of(exponent).plain()) {
    Diagnostic& d = reports_.add(DiagnosticKind::bad_exponent, binary.right->location, "an exponent is a plain number",
                                 "this is " + quoted(exponent));
    types_.explain(d, *binary.right);
    return unknown_type();
  }
  const Dimension dimension = dimension_of(base);
  if (dimension.plain()) return as<types::Int>(base) && as<types::Int>(exponent) ? int_type() : real_type();
  bool negative = false;
  const expr::Integer* number = literal(*binary.right, negative);
  if (!number) {
    Diagnostic& d = reports_.add(DiagnosticKind::bad_exponent, binary.right->location,
                                 "a power of " + quoted(base) + " takes an integer literal",
                                 "the dimension of the result would depend on this");
    types_.explain(d, *binary.left);
    d.help.push_back("divide the base by a unit first to get a plain number, as in `(t / 1 us) ^ x`");
    return unknown_type();
  }
  Dimension result;
  for (std::int64_t i = 0; i < std::min<std::int64_t>(number->value, largest_exponent + 1) && in_range(result); ++i) {
    result = negative ? result / dimension : result * dimension;
  }
  if (!in_range(result)) {
    reports_.add(DiagnosticKind::bad_exponent, e.location, "the exponents of this dimension are too large",
                 "a dimension has exponents up to " + std::to_string(largest_exponent));
    return unknown_type();
  }
  return real_type(result);
}

// In `threading == cells`, the type of the other side says what the word means.
void Expressions::check_sides(expr::Binary& binary) {
  const auto is_word = [&](const Expr& e) {
    const auto* name = std::get_if<expr::Name>(&e.node);
    return name && std::holds_alternative<target::Unresolved>(names_.look_up(name->text).target);
  };
  Expr& first = is_word(*binary.left) ? *binary.right : *binary.left;
  Expr& second = is_word(*binary.left) ? *binary.left : *binary.right;
  const TypeRef type = check(first);
  check(second, type);
}

TypeRef Expressions::check_comparison(expr::Binary& binary, bool lists_too) {
  check_sides(binary);
  const TypeRef& left = binary.left->type;
  const TypeRef& right = binary.right->type;
  if (is_unknown(left) || is_unknown(right)) return bool_type();
  const TypeRef type = types_.unify(left, right);
  if (!type) {
    types_.report_disagreement(*binary.left, *binary.right, of(binary.op).c_str());
    return bool_type();
  }
  const bool fits =
      is_equality(binary.op) ? is_comparable(type) || (lists_too && is_comparable_list(type)) : is_numeric(type);
  if (!fits) {
    Diagnostic& d =
        reports_.add(DiagnosticKind::type_mismatch, binary.left->location,
                     symbol(binary.op) + " does not compare " + quoted(type) + " values", "this is " + quoted(left));
    types_.explain(d, *binary.left);
    if (is_comparable_list(type)) d.help.push_back("lists are compared by `expect a == b` only");
    return bool_type();
  }
  adopt(*binary.left, type);
  adopt(*binary.right, type);
  return bool_type();
}

}  // namespace wave::frontend::check
