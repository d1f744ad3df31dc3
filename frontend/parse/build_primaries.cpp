// Literals, lists, `when`, tables.
#include "frontend/parse/tree_builder.h"
#include "frontend/parse/units.h"

#include <charconv>

namespace wave::frontend {

ExprPtr ExpressionBuilder::primary(Grammar::PrimaryContext* context) {
  const Location where = location(context);
  if (context->name() != nullptr) return make(where, expr::Name{text(where), {}});
  if (context->list() != nullptr) return list(context->list());
  if (context->WHEN() != nullptr) return when(context);
  if (context->FLOPS() != nullptr) return make(where, expr::Flops{flops(context->flops_block())});
  if (context->TABLE() != nullptr) return context->KEY() != nullptr ? table_file(context) : table_literal(context);
  if (!context->sign().empty()) {
    expr::SignTuple signs;
    for (auto* sign : context->sign()) signs.rising.push_back(sign->PLUS() != nullptr);
    return make(where, std::move(signs));
  }
  if (context->LPAREN() != nullptr) {
    ExprPtr inner = expression(context->expression());
    inner->location = where;
    inner->parenthesised = true;
    return inner;
  }
  return literal(dynamic_cast<Node*>(context->children[0]));
}

ExprPtr ExpressionBuilder::literal(Node* node) {
  const Location where = location(node);
  switch (node->getSymbol()->getType()) {
    case Grammar::TRUE: return make(where, expr::Boolean{true});
    case Grammar::FALSE: return make(where, expr::Boolean{false});
    case Grammar::STRING: return make(where, expr::String{string(node).text});
    case Grammar::INTEGER: {
      const std::string digits = text(where);
      expr::Integer integer{digits, 0};
      if (std::from_chars(digits.data(), digits.data() + digits.size(), integer.value).ec == std::errc{})
        return make(where, std::move(integer));
      Diagnostic& d = report(DiagnosticKind::number_out_of_range, where, "this integer does not fit in 64 bits",
                             "larger than 9223372036854775807");
      d.help.emplace_back("a real number has a point or an exponent: `1e20`");
      d.fixes.push_back({where, digits + ".0"});
      return missing(where);
    }
    default: return number(where);
  }
}

// A decimal, or a number with its unit.
ExprPtr ExpressionBuilder::number(Location where) {
  const std::string written = text(where);
  // A word after the number is its unit. `e` and `E` belong to the number only if digits follow.
  std::size_t length = written.find_first_not_of("0123456789.");
  if (length != std::string::npos && (written[length] == 'e' || written[length] == 'E')) {
    const std::size_t sign =
        length + 1 < written.size() && (written[length + 1] == '+' || written[length + 1] == '-') ? 1 : 0;
    const std::size_t digits = length + 1 + sign;
    if (digits < written.size() && std::isdigit(static_cast<unsigned char>(written[digits])))
      length = written.find_first_not_of("0123456789", digits);
  }
  const std::string digits = written.substr(0, length);
  std::optional<Unit> unit;
  if (length != std::string::npos) {
    const std::size_t begin = written.find_first_not_of(" \t", length);
    const Location unit_location{where.file, where.begin + static_cast<std::uint32_t>(begin), where.end};
    unit = read_unit(sources_.text(unit_location), unit_location, digits, diagnostics_);
    if (!unit) return missing(where);
  }
  const std::optional<double> value = nearest_value(digits, unit ? &*unit : nullptr);
  if (!value) {
    report(DiagnosticKind::number_out_of_range, where, "this number is too large", "beyond 1.8e308 ps, B or flop");
    return missing(where);
  }
  const Dimension dimension = unit ? dimension_of(*unit) : Dimension{};
  return make(where, expr::Number{written, std::move(unit), *value, dimension});
}

std::optional<Unit> ExpressionBuilder::unit(Grammar::UnitContext* context) {
  if (broken(context)) return std::nullopt;
  const Location where = location(context);
  return read_unit(sources_.text(where), where, "", diagnostics_);
}

ExprPtr ExpressionBuilder::list(Grammar::ListContext* context) {
  const Location where = location(context);
  if (context->comprehension().empty()) return make(where, expr::List{expressions(context->expression())});
  expr::Comprehension result{expression(context->expression(0)), {}};
  for (auto* clause : context->comprehension()) {
    for (Binder& binder : binders(clause->binder())) result.binders.push_back(std::move(binder));
  }
  return make(where, std::move(result));
}

ExprPtr ExpressionBuilder::when(Grammar::PrimaryContext* context) {
  expr::When result;
  const auto arms = context->when_arms()->when_arm();
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i]->ELSE() == nullptr) {
      result.arms.emplace_back(expression(arms[i]->expression(0)), expression(arms[i]->expression(1)));
      continue;
    }
    result.otherwise = expression(arms[i]->expression(0));
    if (i + 1 == arms.size()) continue;
    report(DiagnosticKind::misplaced, location(arms[i]->ELSE()), "`else` is not the last arm of `when`",
           "the arms after it would never be taken");
    break;
  }
  if (result.arms.empty() && result.otherwise == nullptr) {
    report(DiagnosticKind::unexpected_token, location(context), "this `when` has no arm", "empty")
        .help.emplace_back("write `when { condition: value; else: value }`");
    return missing(location(context));
  }
  return make(location(context), std::move(result));
}

template <class Table>
void ExpressionBuilder::read_between(Grammar::BetweenContext* context, Table& table) {
  if (context->ELSE() != nullptr) {
    table.otherwise = expression(context->expression());
    return;
  }
  table.interpolation = text(location(context->getStart()));
  table.extend = context->EXTEND() != nullptr;
}

ExprPtr ExpressionBuilder::table_literal(Grammar::PrimaryContext* context) {
  expr::TableLiteral result;
  for (auto* entry : context->entry())
    result.entries.emplace_back(expression(entry->expression(0)), expression(entry->expression(1)));
  read_between(context->between(), result);
  return make(location(context), std::move(result));
}

Identifier ExpressionBuilder::column(Grammar::ColumnContext* context) {
  return context->STRING() != nullptr ? string(context->STRING()) : identifier(context->name());
}

ExprPtr ExpressionBuilder::table_file(Grammar::PrimaryContext* context) {
  expr::TableFile result;
  result.path = string(context->STRING());
  for (auto* key : context->column()) result.keys.push_back(column(key));
  auto* value = context->table_value();
  for (auto* one : value->column()) result.values.push_back(column(one));
  result.has_rows = value->LBRACKET() != nullptr;
  if (value->between() != nullptr) read_between(value->between(), result);
  return make(location(context), std::move(result));
}

// Flop counts, whose statements are as in C.
namespace {

std::unique_ptr<Statement> wrap(Location where, decltype(Statement::node) node) {
  auto result = std::make_unique<Statement>();
  result->location = where;
  result->node = std::move(node);
  return result;
}

}  // namespace

Block ExpressionBuilder::flops(Grammar::Flops_blockContext* context) {
  const bool outside = !std::exchange(in_flops_, true);
  Block result;
  for (auto* child : context->flops_statements()->flops_statement()) {
    if (auto built = flops_statement(child)) result.push_back(std::move(built));
  }
  if (outside) in_flops_ = false;
  return result;
}

std::unique_ptr<Statement> ExpressionBuilder::flops_statement(Grammar::Flops_statementContext* context) {
  if (broken(context)) return nullptr;
  const Location where = location(context);
  if (context->FOR() != nullptr)
    return wrap(where, loops(binders(context->binder()), where.end, flops(context->flops_block())));
  if (context->flops_condition() != nullptr) return wrap(where, flops_condition(context->flops_condition()));
  const auto parts = context->flops_simple()->expression();
  if (parts.size() == 1) return wrap(where, statement::Evaluate{expression(parts[0])});
  ExprPtr target = expression(parts[0]);
  const bool is_assignable =
      std::holds_alternative<expr::Name>(target->node) || std::holds_alternative<expr::Index>(target->node);
  if (!is_assignable) {
    report(DiagnosticKind::unexpected_token, target->location, "only a variable or an element can be assigned to",
           "not assignable")
        .help.emplace_back("the left side of `=` is a name or `A[i]`; `==` compares");
    return nullptr;
  }
  return wrap(where, statement::Assign{std::move(target), expression(parts[1])});
}

Block ExpressionBuilder::flops_branch(Grammar::Flops_blockContext* block, Grammar::Flops_assignmentContext* single) {
  if (block != nullptr) return flops(block);
  Block result;
  if (single != nullptr) result.push_back(assignment(single));
  return result;
}

statement::If ExpressionBuilder::flops_condition(Grammar::Flops_conditionContext* context) {
  statement::If result;
  result.condition = expression(context->expression());
  // The branches in the order in which they are written. The first is the `then`.
  std::vector<Rule*> branches;
  for (auto* child : context->children) {
    auto* rule = dynamic_cast<Rule*>(child);
    if (rule != nullptr && rule != context->expression()) branches.push_back(rule);
  }
  const auto build = [&](Rule* branch) {
    if (auto* nested = dynamic_cast<Grammar::Flops_conditionContext*>(branch)) {
      Block block;
      block.push_back(wrap(location(nested), flops_condition(nested)));
      return block;
    }
    return flops_branch(dynamic_cast<Grammar::Flops_blockContext*>(branch),
                        dynamic_cast<Grammar::Flops_assignmentContext*>(branch));
  };
  result.then_body = build(branches[0]);
  if (branches.size() > 1) result.else_body = build(branches[1]);
  return result;
}

std::unique_ptr<Statement> ExpressionBuilder::assignment(Grammar::Flops_assignmentContext* context) {
  auto* target = context->flops_target();
  const Location name = location(target->name());
  ExprPtr assigned = make(name, expr::Name{text(name), {}});
  const auto closers = target->RBRACKET();
  const auto indices = target->arguments();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Location where = cover(name, location(closers[i]));
    assigned = make(where, expr::Index{std::move(assigned), arguments(indices[i])});
  }
  return wrap(location(context), statement::Assign{std::move(assigned), expression(context->expression())});
}

}  // namespace wave::frontend
