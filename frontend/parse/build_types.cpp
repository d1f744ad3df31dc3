// Locations and texts of the parse tree, and types as written.
#include "base/utf8.h"
#include "frontend/parse/tree_builder.h"
#include "frontend/parse/units.h"

namespace wave::frontend {

Location TreeTexts::location(const antlr4::Token* token) const {
  if (token == nullptr) return {file_, 0, 0};
  const auto begin = static_cast<std::uint32_t>(token->getStartIndex());
  return {file_, begin, static_cast<std::uint32_t>(token->getStopIndex() + 1)};
}

Location TreeTexts::location(const Rule* context) const {
  const Location begin = location(context->start);
  if (context->stop == nullptr) return begin;
  const Location end = location(context->stop);
  return end.end < begin.begin ? begin : Location{file_, begin.begin, end.end};
}

Identifier TreeTexts::identifier(const Rule* context) const {
  if (broken(context)) return {"", context != nullptr ? location(context) : Location{file_, 0, 0}};
  return {text(location(context)), location(context)};
}

std::vector<Identifier> TreeTexts::path(Grammar::PathContext* context) const {
  std::vector<Identifier> result;
  if (broken(context)) return result;
  result.push_back(identifier(context->name()));
  for (auto* name : context->any_name()) result.push_back(identifier(name));
  return result;
}

Identifier TreeTexts::joined(Grammar::PathContext* context) const {
  Identifier result;
  for (const Identifier& part : path(context)) {
    result.location =
        result.text.empty() ? part.location : Location{part.location.file, result.location.begin, part.location.end};
    result.text += (result.text.empty() ? "" : ".") + part.text;
  }
  return result;
}

// The contents of a string, with the location of the literal. A string that was not closed lacks its last quote.
Identifier TreeTexts::string(Node* node) {
  const Location where = location(node);
  std::string_view written = sources_.text(where);
  written.remove_prefix(1);
  Identifier result{"", where};
  for (std::size_t i = 0; i < written.size() && written[i] != '"'; ++i) {
    if (written[i] != '\\') {
      result.text += written[i];
      continue;
    }
    if (++i == written.size()) break;
    switch (written[i]) {
      case 'n': result.text += '\n'; break;
      case 't': result.text += '\t'; break;
      case '"': result.text += '"'; break;
      case '\\': result.text += '\\'; break;
      default: {
        const auto at = where.begin + 1 + static_cast<std::uint32_t>(i);
        std::size_t length = 1;
        while (i + length < written.size() && !starts_code_point(written[i + length])) ++length;
        report(DiagnosticKind::unknown_escape, {file_, at - 1, at + static_cast<std::uint32_t>(length)},
               "`\\" + std::string(written.substr(i, length)) + "` is no escape", "in this string")
            .help.emplace_back("there are `\\\"`, `\\\\`, `\\n` and `\\t`; a backslash is written `\\\\`");
      }
    }
  }
  return result;
}

int TypeBuilder::exponent(Node* digits, bool negative) {
  const Location where = location(digits);
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

type_expr::Power TypeBuilder::type_power(Grammar::Type_powerContext* context, int sign) {
  type_expr::Power result;
  result.exponent = sign;
  if (broken(context)) {
    result.path.push_back({"", context != nullptr ? location(context) : Location{file_, 0, 0}});
    return result;
  }
  const auto numbers = context->INTEGER();
  if (context->path() != nullptr) {
    result.path = path(context->path());
  } else if (text(location(numbers.front())) != "1") {
    report(DiagnosticKind::unexpected_token, location(numbers.front()), "the only number in a type is 1", "not 1")
        .help.emplace_back("a rate is of type `1/time`");
  }
  if (context->CARET() != nullptr) result.exponent = sign * exponent(numbers.back(), context->MINUS() != nullptr);
  return result;
}

std::vector<std::pair<Identifier, TypeExprPtr>> TypeBuilder::typed_names(
    const std::vector<Grammar::Typed_nameContext*>& contexts) {
  std::vector<std::pair<Identifier, TypeExprPtr>> result;
  for (auto* context : contexts) result.emplace_back(identifier(context->name()), type(context->type()));
  return result;
}

TypeExprPtr TypeBuilder::type(Grammar::TypeContext* context) {
  auto result = std::make_unique<TypeExpr>();
  if (broken(context)) {
    result->location = context != nullptr ? location(context) : Location{file_, 0, 0};
    result->node = type_expr::Product{{{{{"", result->location}}, 1}}};
    return result;
  }
  if (!context->type_power().empty()) return word_type(context);
  result->location = location(context);
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
TypeExprPtr TypeBuilder::word_type(Grammar::TypeContext* context) {
  auto result = std::make_unique<TypeExpr>();
  result->location = location(context);
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
      report(DiagnosticKind::unexpected_token, location(context), "a choice is between plain words", "not a word");
    for (auto* word : context->choice_word()) choice.words.push_back(identifier(word->name()));
    result->node = std::move(choice);
  } else if (context->typed_names() != nullptr) {
    auto base = std::make_unique<TypeExpr>();
    base->location = location(context->type_power().back());
    base->node = std::move(product);
    result->node = type_expr::With{std::move(base), typed_names(context->typed_names()->typed_name())};
  } else {
    result->node = std::move(product);
  }
  return result;
}

}  // namespace wave::frontend
