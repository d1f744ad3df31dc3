// Types as written.
#include "frontend/parse/tree_builder.h"
#include "frontend/parse/units.h"

namespace wave::frontend {

int TreeBuilder::exponent(Node* digits, bool negative) {
  const Place where = place(digits);
  int value = 0;
  for (const char digit : sources_.text(where)) {
    value = value * 10 + (digit - '0');
    if (value > largest_written_exponent) {
      report(DiagnosticKind::number_out_of_range, where, "the exponent of a dimension is out of range", "at most 9");
      return 1;
    }
  }
  return negative ? -value : value;
}

type_expr::Power TreeBuilder::type_power(Grammar::Type_powerContext* context, int sign) {
  type_expr::Power result;
  result.exponent = sign;
  if (broken(context)) {
    result.path.push_back({"", context != nullptr ? place(context) : Place{file_, 0, 0}});
    return result;
  }
  const auto numbers = context->INTEGER();
  if (context->path() != nullptr) {
    result.path = path(context->path());
  } else if (text(place(numbers.front())) != "1") {
    report(DiagnosticKind::unexpected_token, place(numbers.front()), "the only number in a type is 1", "not 1")
        .help.emplace_back("a rate is of type `1/time`");
  }
  if (context->CARET() != nullptr) result.exponent = sign * exponent(numbers.back(), context->MINUS() != nullptr);
  return result;
}

std::vector<std::pair<Identifier, TypeExprPtr>> TreeBuilder::typed_names(
    const std::vector<Grammar::Typed_nameContext*>& contexts) {
  std::vector<std::pair<Identifier, TypeExprPtr>> result;
  for (auto* context : contexts) result.emplace_back(identifier(context->name()), type(context->type()));
  return result;
}

TypeExprPtr TreeBuilder::type(Grammar::TypeContext* context) {
  auto result = std::make_unique<TypeExpr>();
  if (broken(context)) {
    result->place = context != nullptr ? place(context) : Place{file_, 0, 0};
    result->node = type_expr::Product{{{{{"", result->place}}, 1}}};
    return result;
  }
  if (!context->type_power().empty()) return word_type(context);
  result->place = place(context);
  const auto parts = context->type();
  if (context->TABLE() != nullptr) {
    type_expr::Table table;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) table.keys.push_back(type(parts[i]));
    table.value = type(parts.back());
    result->node = std::move(table);
  } else if (context->FN() != nullptr) {
    result->node = type_expr::Function{typed_names(context->typed_name()), type(parts.front())};
  } else {
    result->node = type_expr::List{type(parts.front())};
  }
  return result;
}

// Types that begin with a word: products of dimensions, names, choices, `Machine { L: time }`.
TypeExprPtr TreeBuilder::word_type(Grammar::TypeContext* context) {
  auto result = std::make_unique<TypeExpr>();
  result->place = place(context);
  type_expr::Product product;
  int sign = 1;
  for (auto* child : context->children) {
    if (auto* power = dynamic_cast<Grammar::Type_powerContext*>(child))
      product.factors.push_back(type_power(power, sign));
    if (auto* node = dynamic_cast<Node*>(child)) sign = node->getSymbol()->getType() == Grammar::SLASH ? -1 : 1;
  }
  const bool single =
      product.factors.size() == 1 && product.factors[0].path.size() == 1 && product.factors[0].exponent == 1;
  if (!context->choice_word().empty()) {
    type_expr::Choice choice;
    if (single)
      choice.words.push_back(product.factors[0].path[0]);
    else
      report(DiagnosticKind::unexpected_token, place(context), "a choice is between plain words", "not a word");
    for (auto* word : context->choice_word()) choice.words.push_back(identifier(word->name()));
    result->node = std::move(choice);
  } else if (context->typed_names() != nullptr) {
    auto base = std::make_unique<TypeExpr>();
    base->place = place(context->type_power().back());
    base->node = std::move(product);
    result->node = type_expr::With{std::move(base), typed_names(context->typed_names()->typed_name())};
  } else {
    result->node = std::move(product);
  }
  return result;
}

}  // namespace wave::frontend
