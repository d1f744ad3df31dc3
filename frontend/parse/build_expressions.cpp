// Expressions, with one function for each layer of the grammar.
#include "frontend/ast/operators.h"
#include "frontend/parse/tree_builder.h"
#include "frontend/source/patience.h"

namespace wave::frontend {
namespace {

BinaryOperator binary_operator(std::size_t type) {
  using G = grammar::WaveParser;
  switch (type) {
    case G::PLUS: return BinaryOperator::add;
    case G::MINUS: return BinaryOperator::subtract;
    case G::STAR: return BinaryOperator::multiply;
    case G::SLASH: return BinaryOperator::divide;
    case G::DIV: return BinaryOperator::integer_divide;
    case G::MOD: return BinaryOperator::modulo;
    case G::LESS: return BinaryOperator::less;
    case G::LESS_EQUAL: return BinaryOperator::less_equal;
    case G::GREATER: return BinaryOperator::greater;
    case G::GREATER_EQUAL: return BinaryOperator::greater_equal;
    case G::EQUAL: return BinaryOperator::equal;
    case G::NOT_EQUAL: return BinaryOperator::not_equal;
    case G::OR: return BinaryOperator::logical_or;
    default: return BinaryOperator::logical_and;
  }
}

// The operator between two operands: the i-th child that is a token.
antlr4::Token* operator_token(antlr4::ParserRuleContext* context, std::size_t operand) {
  return dynamic_cast<antlr4::tree::TerminalNode*>(context->children[2 * operand - 1])->getSymbol();
}

std::optional<ReduceOperator> reduce_operator(const Expr& callee) {
  const auto* name = std::get_if<expr::Name>(&callee.node);
  return name != nullptr ? find_reduction(name->text) : std::nullopt;
}

}  // namespace

ExprPtr ExpressionBuilder::missing(Location where) const { return make(where, expr::Name{}); }

ExprPtr ExpressionBuilder::binary(BinaryOperator op, Location op_location, ExprPtr left, ExprPtr right) const {
  const Location where = cover(left->location, right->location);
  return make(where, expr::Binary{op, std::move(left), std::move(right), op_location});
}

ExprPtr ExpressionBuilder::expression(Grammar::ExpressionContext* context) {
  Patience::ask();
  if (broken(context)) return missing(context != nullptr ? location(context) : Location{file_, 0, 0});
  if (context->IF() == nullptr) return disjunction(context->disjunction());
  return make(location(context), expr::If{expression(context->expression(0)), expression(context->expression(1)),
                                          expression(context->expression(2))});
}

std::vector<ExprPtr> ExpressionBuilder::expressions(const std::vector<Grammar::ExpressionContext*>& contexts) {
  std::vector<ExprPtr> result;
  for (auto* context : contexts) result.push_back(expression(context));
  return result;
}

ExprPtr ExpressionBuilder::disjunction(Grammar::DisjunctionContext* context) {
  const auto parts = context->conjunction();
  ExprPtr result = conjunction(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    result = binary(BinaryOperator::logical_or, location(context->OR(i - 1)), std::move(result), conjunction(parts[i]));
  return result;
}

ExprPtr ExpressionBuilder::conjunction(Grammar::ConjunctionContext* context) {
  const auto parts = context->negation();
  ExprPtr result = negation(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    result = binary(BinaryOperator::logical_and, location(context->AND(i - 1)), std::move(result), negation(parts[i]));
  return result;
}

ExprPtr ExpressionBuilder::negation(Grammar::NegationContext* context) {
  if (context->NOT() == nullptr) return comparison(context->comparison());
  return make(location(context), expr::Unary{UnaryOperator::logical_not, negation(context->negation())});
}

ExprPtr ExpressionBuilder::comparison(Grammar::ComparisonContext* context) {
  const auto parts = context->range();
  ExprPtr result = range(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const antlr4::Token* op = operator_token(context, i);
    if (i == 2) {
      Diagnostic& d = report(DiagnosticKind::comparison_chain, location(op), "a comparison cannot be compared again",
                             "second comparison");
      d.help.emplace_back("write `a < b and b < c`");
      const Location middle = location(parts[1]);
      d.fixes.push_back({{file_, middle.end, middle.end}, " and " + text(middle)});
      return missing(location(context));
    }
    result = binary(binary_operator(op->getType()), location(op), std::move(result), range(parts[i]));
  }
  return result;
}

ExprPtr ExpressionBuilder::range(Grammar::RangeContext* context) {
  const auto parts = context->uncertain();
  if (parts.size() == 1) return uncertain(parts[0]);
  return make(location(context),
              expr::Range{uncertain(parts[0]), uncertain(parts[1]), parts.size() > 2 ? uncertain(parts[2]) : nullptr,
                          context->STAR() != nullptr});
}

ExprPtr ExpressionBuilder::uncertain(Grammar::UncertainContext* context) {
  if (broken(context)) return missing(context != nullptr ? location(context) : Location{file_, 0, 0});
  const auto parts = context->sum();
  if (parts.size() == 1) return sum(parts[0]);
  return make(location(context), expr::Uncertain{sum(parts[0]), sum(parts[1])});
}

ExprPtr ExpressionBuilder::sum(Grammar::SumContext* context) {
  const auto parts = context->product();
  ExprPtr result = product(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const antlr4::Token* op = operator_token(context, i);
    result = binary(binary_operator(op->getType()), location(op), std::move(result), product(parts[i]));
  }
  return result;
}

ExprPtr ExpressionBuilder::product(Grammar::ProductContext* context) {
  const auto parts = context->factor();
  ExprPtr result = factor(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const antlr4::Token* op = operator_token(context, i);
    result = binary(binary_operator(op->getType()), location(op), std::move(result), factor(parts[i]));
  }
  return result;
}

ExprPtr ExpressionBuilder::factor(Grammar::FactorContext* context) {
  if (context->conversion() != nullptr) return conversion(context->conversion());
  if (context->power() != nullptr) return power(context->power());
  const auto op = context->MINUS() != nullptr ? UnaryOperator::negate : UnaryOperator::plus;
  return make(location(context), expr::Unary{op, factor(context->factor())});
}

ExprPtr ExpressionBuilder::conversion(Grammar::ConversionContext* context) {
  auto* word = dynamic_cast<Node*>(context->children[1]);
  const Identifier target{text(location(word)), location(word)};
  if (!in_flops_) {
    report(DiagnosticKind::conversion, cover(location(context->LPAREN()), location(context->RPAREN())),
           "`(" + target.text + ")` converts in flop counts only", "conversion")
        .help.emplace_back(
            "`int` widens to `real` by itself; `int(x)`, `floor(x)`, `round(x)` and `ceil(x)` go the other way");
  }
  return make(location(context), expr::Conversion{target, factor(context->factor())});
}

ExprPtr ExpressionBuilder::power(Grammar::PowerContext* context) {
  ExprPtr base = postfix(context->postfix());
  if (context->CARET() == nullptr) return base;
  return binary(BinaryOperator::power, location(context->CARET()), std::move(base), factor(context->factor()));
}

ExprPtr ExpressionBuilder::postfix(Grammar::PostfixContext* context) {
  if (context->WITHIN() != nullptr) {
    ExprPtr shared = make(location(context->WITHIN()), expr::Name{"within", {}});
    return make(location(context), expr::Within{std::move(shared), identifier(context->name())});
  }
  ExprPtr result = primary(context->primary());
  for (auto* part : context->suffix()) result = suffix(std::move(result), part);
  return result;
}

ExprPtr ExpressionBuilder::suffix(ExprPtr object, Grammar::SuffixContext* context) {
  const Location where = cover(object->location, location(context));
  if (context->DOT() != nullptr)
    return make(where, expr::Member{std::move(object), identifier(context->any_name()), {}});
  if (context->LBRACKET() != nullptr)
    return make(where, expr::Index{std::move(object), arguments(context->arguments())});
  if (context->reduction() != nullptr) return reduction(std::move(object), context->reduction(), where);
  return make(where, expr::Call{std::move(object), arguments(context->arguments())});
}

// `sum(i in 1..k: e)`. The syntax allows any name before the binders.
ExprPtr ExpressionBuilder::reduction(ExprPtr callee, Grammar::ReductionContext* context, Location where) {
  const std::optional<ReduceOperator> op = reduce_operator(*callee);
  if (!op) {
    report(DiagnosticKind::not_a_reduction, callee->location, "`" + text(callee->location) + "` does not reduce",
           "not a reduction")
        .help.emplace_back(
            "`sum`, `max`, `min`, `prod`, `count`, `any`, `all`, `argmin` and `argmax` take `x in xs: e`; a list "
            "of values is `[e for x in xs]`");
    return missing(where);
  }
  if (context->expression() == nullptr && *op != ReduceOperator::count) {
    report(DiagnosticKind::unexpected_token, location(context),
           "`" + text(callee->location) + "` lacks what it reduces", "ends here")
        .help.emplace_back("write `" + text(callee->location) + "(x in xs: e)`; only `count` does without `: e`");
    return missing(where);
  }
  if (context->expression() != nullptr && *op == ReduceOperator::count) {
    report(DiagnosticKind::unexpected_token, location(context->expression()), "`count` counts its binders",
           "not counted")
        .help.emplace_back("write the condition as `count(x in xs if p)`");
    return missing(where);
  }
  return make(where, expr::Reduce{*op, binders(context->binder()), optional(context->expression())});
}

std::vector<Argument> ExpressionBuilder::arguments(Grammar::ArgumentsContext* context) {
  std::vector<Argument> result;
  if (context == nullptr) return result;
  for (auto* argument : context->argument()) {
    std::optional<Identifier> name;
    if (argument->name() != nullptr) name = identifier(argument->name());
    result.push_back({name, expression(argument->expression())});
  }
  return result;
}

Binder ExpressionBuilder::binder(Grammar::BinderContext* context) {
  const auto parts = context->expression();
  return {identifier(context->name()), expression(parts.empty() ? nullptr : parts[0]),
          parts.size() > 1 ? expression(parts[1]) : nullptr};
}

std::vector<Binder> ExpressionBuilder::binders(const std::vector<Grammar::BinderContext*>& contexts) {
  std::vector<Binder> result;
  for (auto* context : contexts) result.push_back(binder(context));
  return result;
}

statement::For ExpressionBuilder::loops(std::vector<Binder> binders, std::uint32_t end, Block body) const {
  const auto enclose = [&](std::uint32_t begin, auto node) {
    auto statement = std::make_unique<Statement>();
    statement->location = {file_, begin, end};
    statement->node = std::move(node);
    Block outer;
    outer.push_back(std::move(statement));
    return outer;
  };
  for (std::size_t k = binders.size(); k-- > 0;) {
    Binder& binder = binders[k];
    const std::uint32_t filtered = binder.filter ? binder.filter->location.begin : 0;
    if (binder.filter) body = enclose(filtered, statement::If{std::move(binder.filter), std::move(body), {}});
    statement::For loop{std::move(binder.name), std::move(binder.list), std::move(body)};
    if (k == 0) return loop;
    const std::uint32_t begin = loop.variable.location.begin;
    body = enclose(begin, std::move(loop));
  }
  return {};
}

LocalLet ExpressionBuilder::local_let(Grammar::Local_letContext* context) {
  ExprPtr value = context->expression() != nullptr ? expression(context->expression()) : missing(location(context));
  return {identifier(context->name()), context->type() != nullptr ? type(context->type()) : nullptr, std::move(value)};
}

}  // namespace wave::frontend
