// The type of an expression, node by node.
#include "frontend/check/checker.h"
#include "frontend/check/units.h"

#include <utility>

namespace wave::frontend::check {

TypeRef Checker::check(Expr& e, const TypeRef& expected) {
  const bool indexed = std::exchange(indexed_, nullptr) == &e;
  ++depth_;
  TypeRef type = check_node(e, expected);
  --depth_;
  e.type = type ? std::move(type) : unknown_type();
  if (!indexed && !context_.in_study && as<types::List>(e.type) && series_of(e)) {
    const bool is_member = std::holds_alternative<expr::Member>(e.node);
    const std::string name = is_member ? std::get<expr::Member>(e.node).name.text : std::get<expr::Name>(e.node).text;
    report(DiagnosticKind::wrong_index, e.place, "the series `" + name + "` is read at an index", "no index is given")
        .help.push_back("write `" + name + "[...]`, and `[" + name + "[k] for k in ...]` for a list of them");
    e.type = unknown_type();
  }
  return e.type;
}

// Definitions that use each other add up: together they must not exhaust the stack.
bool Checker::is_too_deep() const {
  constexpr std::size_t deepest = 1300;  // more than one expression alone can have
  return depth_ > deepest;
}

TypeRef Checker::check_node(Expr& e, const TypeRef& expected) {
  struct Visitor {
    Checker& c;
    Expr& e;
    const TypeRef& expected;
    TypeRef operator()(expr::Integer& n) { return n.value == 0 ? zero_type() : int_type(); }
    TypeRef operator()(expr::Number& n) { return c.check_number(e, n); }
    TypeRef operator()(expr::Uncertain& n) { return c.check_uncertain(e, n); }
    TypeRef operator()(expr::Boolean&) { return bool_type(); }
    TypeRef operator()(expr::String&) { return string_type(); }
    TypeRef operator()(expr::Name& n) { return c.check_name(e, n, expected); }
    TypeRef operator()(expr::Unary& n) { return c.check_unary(e, n); }
    TypeRef operator()(expr::Binary& n) { return c.check_binary(e, n); }
    TypeRef operator()(expr::If& n) { return c.check_if(e, n, expected); }
    TypeRef operator()(expr::When& n) { return c.check_when(e, n, expected); }
    TypeRef operator()(expr::Call& n) { return c.check_call(e, n, expected); }
    TypeRef operator()(expr::Member& n) { return c.check_member(e, n); }
    TypeRef operator()(expr::Index& n) { return c.check_index(e, n); }
    TypeRef operator()(expr::List& n) { return c.check_list(e, n, expected); }
    TypeRef operator()(expr::Range& n) { return c.check_range(e, n); }
    TypeRef operator()(expr::Comprehension& n) { return c.check_comprehension(n, expected); }
    TypeRef operator()(expr::Reduce& n) { return c.check_reduce(e, n, expected); }
    TypeRef operator()(expr::SignTuple&) { return c.check_sign_tuple(e); }
    TypeRef operator()(expr::TableLiteral& n) { return c.check_table(e, n, expected); }
    TypeRef operator()(expr::TableFile& n) { return c.check_table_file(e, n); }
    TypeRef operator()(expr::Flops& n) { return c.check_flops(n); }
    TypeRef operator()(expr::Conversion&) { return unknown_type(); }  // of flop counts; elsewhere the parser's error
  };
  return std::visit(Visitor{*this, e, expected}, e.node);
}

TypeRef Checker::expect(Expr& e, const TypeRef& expected, const Why& why) {
  const TypeRef found = check(e, expected);
  if (const auto* function = as<types::Function>(expected)) {
    if (const Item* item = callee_item(e)) {
      if (std::holds_alternative<item::Function>(item->node) && fits_function(*item, *function, e.place))
        return expected;
    }
  }
  if (!agrees(found, expected)) {
    report_mismatch(e, found, expected, why);
    return unknown_type();
  }
  adopt(e, expected);
  return found;
}

void Checker::adopt(Expr& e, const TypeRef& type) {
  if (as<types::Order>(type) && as<types::List>(e.type)) e.type = type;
  if (!is_zero(e.type) || !as<types::Real>(type)) return;
  e.type = type;
  if (auto* node = std::get_if<expr::If>(&e.node)) {
    adopt(*node->then_value, type);
    adopt(*node->else_value, type);
  } else if (auto* when = std::get_if<expr::When>(&e.node)) {
    for (auto& [condition, value] : when->arms) adopt(*value, type);
    if (when->otherwise) adopt(*when->otherwise, type);
  } else if (auto* call = std::get_if<expr::Call>(&e.node)) {
    for (Argument& argument : call->arguments) adopt(*argument.value, type);
  }
}

TypeRef Checker::require_numeric(Expr& e, const char* what) {
  const TypeRef type = check(e);
  if (is_unknown(type) || is_numeric(type)) return type;
  Diagnostic& d =
      report(DiagnosticKind::type_mismatch, e.place,
             std::string(what) + " takes numbers and quantities, not " + quoted(type), "this is " + quoted(type));
  explain(d, e);
  return unknown_type();
}

TypeRef Checker::check_number(Expr& e, expr::Number& number) {
  if (number.unit && number.unit->factors.size() > 1 && number.unit->text.find('^') == std::string::npos) {
    const Identifier& last = number.unit->factors.back().first;
    if (in_scope(last.text)) {
      Diagnostic& d = report(DiagnosticKind::unit_or_name, e.place,
                             "`" + last.text + "` at the end of this unit is also a name that is known here",
                             "read as one quantity of the unit `" + number.unit->text + "`");
      const Found found = look_up(last.text);
      const Place place = found.local ? found.local->place : found.item ? found.item->name.place : Place{};
      if (place.known()) d.labels.push_back({place, "`" + last.text + "` is declared here"});
      d.help.push_back("to divide by `" + last.text + "`, put spaces around the operator; to mean the unit, rename `" +
                       last.text + "`");
      return unknown_type();
    }
  }
  return real_type(number.dimension);
}

TypeRef Checker::check_uncertain(Expr&, expr::Uncertain& uncertain) {
  const TypeRef mean = require_numeric(*uncertain.mean, "`±`");
  const TypeRef deviation = require_numeric(*uncertain.deviation, "`±`");
  if (is_unknown(mean) || is_unknown(deviation)) return mean;
  const auto* sign = std::get_if<expr::Unary>(&uncertain.deviation->node);
  if (sign && sign->op == UnaryOperator::negate && std::holds_alternative<expr::Number>(sign->operand->node)) {
    Diagnostic& d = report(DiagnosticKind::negative_quantity, uncertain.deviation->place,
                           "the deviation of `±` is negative", "this is how far values lie from the mean");
    d.help.push_back("leave out the `-`");
  }
  const TypeRef type = unify(mean, deviation);
  if (!type) {
    report_disagreement(*uncertain.mean, *uncertain.deviation, "a mean and its deviation:");
    return mean;
  }
  return real_type(dimension_of(type));
}

TypeRef Checker::check_unary(Expr&, expr::Unary& unary) {
  if (unary.op == UnaryOperator::logical_not) {
    expect(*unary.operand, bool_type());
    return bool_type();
  }
  return without_zero(require_numeric(*unary.operand, unary.op == UnaryOperator::negate ? "`-`" : "`+`"));
}

TypeRef Checker::check_if(Expr&, expr::If& node, const TypeRef& expected) {
  expect(*node.condition, bool_type(), {node.condition->place, ""});
  check(*node.then_value, expected);
  check(*node.else_value, expected);
  return common({node.then_value.get(), node.else_value.get()}, "the branches of an `if`:");
}

TypeRef Checker::check_when(Expr&, expr::When& node, const TypeRef& expected) {
  std::vector<Expr*> values;
  for (auto& [condition, value] : node.arms) {
    expect(*condition, bool_type());
    check(*value, expected);
    values.push_back(value.get());
  }
  if (node.otherwise) {
    check(*node.otherwise, expected);
    values.push_back(node.otherwise.get());
  }
  return common(values, "the values of a `when`:");
}

TypeRef Checker::common(const std::vector<Expr*>& operands, const char* what) {
  TypeRef type;
  Expr* chosen = nullptr;
  for (Expr* operand : operands) {
    if (!type) {
      type = operand->type;
      chosen = operand;
      continue;
    }
    const TypeRef wider = unify(type, operand->type);
    if (!wider) {
      report_disagreement(*chosen, *operand, what);
      return unknown_type();
    }
    if (is_zero(type) || is_unknown(type)) chosen = operand;
    type = wider;
  }
  if (!type) return unknown_type();
  for (Expr* operand : operands) adopt(*operand, type);
  return type;
}

}  // namespace wave::frontend::check
