// The types of expressions that are no calls and no collections.
#include "frontend/check/expressions.h"

#include "frontend/ast/walk.h"
#include "frontend/check/declarations.h"
#include "frontend/check/names.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <utility>

namespace wave::frontend::check {
namespace {

// Finds what is no arithmetic on numbers, which a C program does not know. It may stand in an index.
const Expr* find_uncountable(const Expr& e) {
  const bool is_uncountable =
      std::holds_alternative<expr::List>(e.node) || std::holds_alternative<expr::Range>(e.node) ||
      std::holds_alternative<expr::Comprehension>(e.node) || std::holds_alternative<expr::Reduce>(e.node) ||
      std::holds_alternative<expr::SignTuple>(e.node) || std::holds_alternative<expr::TableLiteral>(e.node) ||
      std::holds_alternative<expr::TableFile>(e.node) || std::holds_alternative<expr::Within>(e.node) ||
      std::holds_alternative<expr::Flops>(e.node);
  if (is_uncountable) return &e;
  if (std::holds_alternative<expr::Index>(e.node)) return nullptr;
  const Expr* found = nullptr;
  for_each_child(e, [&](const Expr& child) { found = found ? found : find_uncountable(child); });
  return found;
}

}  // namespace

TypeRef Expressions::check(Expr& e, const TypeRef& expected) {
  Patience::ask();
  const bool indexed = std::exchange(indexed_, nullptr) == &e;
  ++depth_;
  TypeRef type = check_node(e, expected);
  --depth_;
  e.type = type ? std::move(type) : unknown_type();
  e.narrower = nullptr;
  if (!indexed && !context_.in_study && as<types::List>(e.type) && collections_.series_of(e)) {
    const bool is_member = std::holds_alternative<expr::Member>(e.node);
    const std::string name = is_member ? std::get<expr::Member>(e.node).name.text : std::get<expr::Name>(e.node).text;
    reports_
        .add(DiagnosticKind::wrong_index, e.location, "the series `" + name + "` is read at an index",
             "no index is given")
        .help.push_back("write `" + name + "[...]`, and `[" + name + "[k] for k in ...]` for a list of them");
    e.type = unknown_type();
  }
  return e.type;
}

bool Expressions::is_too_deep() const {
  constexpr std::size_t deepest = 1300;  // more than a single expression can have
  return depth_ > deepest;
}

TypeRef Expressions::check_indexed(Expr& e) {
  indexed_ = &e;
  return check(e);
}

TypeRef Expressions::check_node(Expr& e, const TypeRef& expected) {
  struct Visitor {
    Expressions& c;
    Expr& e;
    const TypeRef& expected;
    TypeRef operator()(expr::Integer& n) { return n.value == 0 ? zero_type() : int_type(); }
    TypeRef operator()(expr::Number& n) { return c.check_number(e, n); }
    TypeRef operator()(expr::Uncertain& n) { return c.check_uncertain(n); }
    TypeRef operator()(expr::Boolean&) { return bool_type(); }
    TypeRef operator()(expr::String&) { return string_type(); }
    TypeRef operator()(expr::Name& n) { return c.references_.check_name(e, n, expected); }
    TypeRef operator()(expr::Unary& n) { return c.check_unary(n); }
    TypeRef operator()(expr::Binary& n) { return c.check_binary(e, n); }
    TypeRef operator()(expr::If& n) { return c.check_if(n, expected); }
    TypeRef operator()(expr::When& n) { return c.check_when(n, expected); }
    TypeRef operator()(expr::Call& n) { return c.calls_.check_call(e, n, expected); }
    TypeRef operator()(expr::Member& n) { return c.references_.check_member(e, n); }
    TypeRef operator()(expr::Index& n) { return c.collections_.check_index(e, n); }
    TypeRef operator()(expr::List& n) { return c.collections_.check_list(n, expected); }
    TypeRef operator()(expr::Range& n) { return c.collections_.check_range(e, n); }
    TypeRef operator()(expr::Comprehension& n) { return c.collections_.check_comprehension(n, expected); }
    TypeRef operator()(expr::Reduce& n) { return c.collections_.check_reduce(e, n, expected); }
    TypeRef operator()(expr::SignTuple&) { return corner_type(); }
    TypeRef operator()(expr::TableLiteral& n) { return c.collections_.check_table(e, n, expected); }
    TypeRef operator()(expr::TableFile& n) { return c.collections_.check_table_file(e, n); }
    TypeRef operator()(expr::Within& n) { return c.check_within(e, n); }
    TypeRef operator()(expr::Flops& n) { return c.check_flops(n); }
    TypeRef operator()(expr::Conversion&) {
      return unknown_type();
    }  // only in flop counts; the parser reports it elsewhere
  };
  return std::visit(Visitor{*this, e, expected}, e.node);
}

TypeRef Expressions::expect(Expr& e, const TypeRef& expected, const Why& why) {
  const TypeRef found = check(e, expected);
  if (const auto* function = as<types::Function>(expected)) {
    if (const Item* item = references_.callee_item(e)) {
      if (std::holds_alternative<item::Function>(item->node) && functions_.fits_function(*item, *function, e.location))
        return expected;
    }
  }
  if (!types_.fits(found, expected)) {
    types_.report_mismatch(e, found, expected, why);
    return unknown_type();
  }
  adopt(e, expected);
  return found;
}

void Expressions::adopt(Expr& e, const TypeRef& type) {
  if (as<types::Order>(type) && as<types::List>(e.type)) e.type = type;
  if (as<types::Choice>(type) && as<types::Choice>(e.type) && key_of(type) != key_of(e.type)) {
    if (!e.narrower) e.narrower = e.type;
    e.type = type;
  }
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

TypeRef Expressions::require_numeric(Expr& e, const char* what, const TypeRef& expected) {
  const TypeRef type = check(e, expected);
  if (is_unknown(type) || is_numeric(type)) return type;
  Diagnostic& d =
      reports_.add(DiagnosticKind::type_mismatch, e.location,
                   std::string(what) + " takes numbers and quantities, not " + quoted(type), "this is " + quoted(type));
  types_.explain(d, e);
  return unknown_type();
}

TypeRef Expressions::check_number(Expr& e, expr::Number& number) {
  if (number.unit && number.unit->factors.size() > 1 && number.unit->text.find('^') == std::string::npos) {
    const Identifier& last = number.unit->factors.back().first;
    if (names_.in_scope(last.text)) {
      Diagnostic& d = reports_.add(DiagnosticKind::unit_or_name, e.location,
                                   "`" + last.text + "` at the end of this unit is also a name that is known here",
                                   "read as one quantity of the unit `" + number.unit->text + "`");
      const Names::Found found = names_.look_up(last.text);
      if (const Location location = found.declared(); location.known())
        d.labels.push_back({location, "`" + last.text + "` is declared here"});
      d.help.push_back("to divide by `" + last.text + "`, put spaces around the operator; to mean the unit, rename `" +
                       last.text + "`");
      const auto length = static_cast<std::uint32_t>(last.text.size());
      const std::string op = number.unit->factors.back().second < 0 ? " / " : " * ";
      d.fixes.push_back({{e.location.file, e.location.end - length - 1, e.location.end}, op + last.text});
      return unknown_type();
    }
  }
  return real_type(number.dimension);
}

TypeRef Expressions::check_uncertain(expr::Uncertain& uncertain) {
  const TypeRef mean = require_numeric(*uncertain.mean, "`±`");
  const TypeRef deviation = require_numeric(*uncertain.deviation, "`±`");
  if (is_unknown(mean) || is_unknown(deviation)) return mean;
  const auto* sign = std::get_if<expr::Unary>(&uncertain.deviation->node);
  if (sign && sign->op == UnaryOperator::negate && std::holds_alternative<expr::Number>(sign->operand->node)) {
    Diagnostic& d = reports_.add(DiagnosticKind::negative_quantity, uncertain.deviation->location,
                                 "the deviation of `±` is negative", "this is how far values lie from the mean");
    d.help.push_back("leave out the `-`");
    const Location whole = uncertain.deviation->location;
    d.fixes.push_back({{whole.file, whole.begin, sign->operand->location.begin}, ""});
  }
  const TypeRef type = types_.unify(mean, deviation);
  if (!type) {
    types_.report_disagreement(*uncertain.mean, *uncertain.deviation, "a mean and its deviation:");
    return mean;
  }
  return real_type(dimension_of(type));
}

TypeRef Expressions::check_unary(expr::Unary& unary) {
  if (unary.op == UnaryOperator::logical_not) {
    expect(*unary.operand, bool_type());
    return bool_type();
  }
  return without_zero(require_numeric(*unary.operand, unary.op == UnaryOperator::negate ? "`-`" : "`+`"));
}

// `within node`: of what two processes share, which is called `within` in protocols and in functions that take it.
TypeRef Expressions::check_within(const Expr& e, expr::Within& within) {
  expect(*within.shared, level_type());
  if (!context_.owner || !is_machine(*context_.owner)) {
    reports_
        .add(DiagnosticKind::misplaced_statement, e.location, "only a machine asks what `within` lies in",
             "its levels say which one lies inside another")
        .help.push_back("compare two processes of a grid by `within(" + within.level.text + ", P[i-1, j], P[i, j])`");
    return bool_type();
  }
  const std::vector<std::string> levels = levels_of(*context_.owner);
  if (std::find(levels.begin(), levels.end(), within.level.text) == levels.end() && !may_have_more(*context_.owner)) {
    names_.report_unknown_level(within.level, levels,
                                "`" + context_.owner->name.text + "` knows no level `" + within.level.text + "`");
  }
  return bool_type();
}

TypeRef Expressions::check_if(expr::If& node, const TypeRef& expected) {
  expect(*node.condition, bool_type(), {node.condition->location, ""});
  check(*node.then_value, expected);
  check(*node.else_value, expected);
  return common({node.then_value.get(), node.else_value.get()}, "the branches of an `if`:");
}

TypeRef Expressions::check_when(expr::When& node, const TypeRef& expected) {
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

TypeRef Expressions::common(const std::vector<Expr*>& operands, const char* what) {
  TypeRef type;
  Expr* chosen = nullptr;
  for (Expr* operand : operands) {
    if (!type) {
      type = operand->type;
      chosen = operand;
      continue;
    }
    const TypeRef wider = types_.unify(type, operand->type);
    if (!wider) {
      types_.report_disagreement(*chosen, *operand, what);
      return unknown_type();
    }
    if (is_zero(type) || is_unknown(type)) chosen = operand;
    type = wider;
  }
  if (!type) return unknown_type();
  for (Expr* operand : operands) adopt(*operand, type);
  return type;
}

void Expressions::check_output_unit(const Unit& unit, const Expr& value) {
  const std::optional<Dimension> dimension = dimension_of_unit(unit);
  TypeRef type = value.type;
  while (type && element_of(type)) type = element_of(type);
  if (!dimension || is_unknown(type)) return;
  if (is_numeric(type) && dimension_of(type) == *dimension) return;
  Diagnostic& d = reports_.add(
      is_numeric(type) ? DiagnosticKind::dimension_mismatch : DiagnosticKind::type_mismatch, unit.location,
      "`" + unit.text + "` measures " + quoted(real_type(*dimension)) + ", but the value is " + quoted(type),
      "a unit of " + quoted(real_type(*dimension)));
  d.labels.push_back({value.location, "this is " + quoted(type)});
  types_.explain(d, value);
}

// Checks a block whose operations are counted. Its variables belong to the program that is modelled: they are not
// declared, and nothing is known of them except what is done with them. The bounds of loops belong to the model.
void Expressions::require_countable(const Expr& e) {
  const Expr* wrong = find_uncountable(e);
  if (!wrong) return;
  Diagnostic& d = reports_.add(DiagnosticKind::misplaced_statement, wrong->location, "this has no operations to count",
                               "`flops` holds arithmetic on numbers and elements, as in C");
  if (std::holds_alternative<expr::Reduce>(wrong->node))
    d.help.push_back("write it as a loop, `for k in 1..n { s = s + x[k] }`");
}

TypeRef Expressions::check_flops(expr::Flops& flops) {
  LocalScope scope(context_);
  check_flops_block(flops.body);
  return work_type();
}

void Expressions::check_flops_block(Block& block) {
  for (auto& statement : block) {
    if (auto* loop = std::get_if<statement::For>(&statement->node)) {
      LocalScope scope(context_);
      expect(*loop->list, list_of(int_type()));
      context_.locals.push_back({loop->variable.text, int_type(), loop->variable.location});
      check_flops_block(loop->body);
    } else if (auto* repeat = std::get_if<statement::Repeat>(&statement->node)) {
      LocalScope scope(context_);
      expect(*repeat->count, int_type());
      check_flops_block(repeat->body);
    } else if (auto* conditional = std::get_if<statement::If>(&statement->node)) {
      require_countable(*conditional->condition);
      check_flops_block(conditional->then_body);
      check_flops_block(conditional->else_body);
    } else if (const auto* assign = std::get_if<statement::Assign>(&statement->node)) {
      require_countable(*assign->value);
    } else if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement->node)) {
      require_countable(*evaluate->value);
    } else {
      reports_.add(DiagnosticKind::misplaced_statement, statement->location,
                   "this statement has no operations to count", "`flops` holds assignments, calls, `for` and `if`");
    }
  }
}

}  // namespace wave::frontend::check
