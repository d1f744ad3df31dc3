// How to make types, and questions about them.
#include "frontend/check/type_tools.h"

#include "frontend/ast/ast.h"
#include "frontend/parse/units.h"

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace wave::frontend::check {
namespace {

template <class Kind>
TypeRef constant(Kind kind) {
  static const TypeRef type = make_type(kind);
  return type;
}

std::string address(const Item* item) { return "@" + std::to_string(reinterpret_cast<std::uintptr_t>(item)); }

std::string keys_of(const std::vector<std::pair<std::string, TypeRef>>& parameters) {
  std::string text;
  for (const auto& [name, type] : parameters) text += name + ":" + key_of(type) + ",";
  return text;
}

}  // namespace

TypeRef unknown_type() { return constant(types::Unknown{}); }
TypeRef int_type() { return constant(types::Int{}); }
TypeRef zero_type() {
  static const TypeRef type = make_type(types::Int{true});
  return type;
}
TypeRef real_type(Dimension dimension) {
  if (dimension.plain()) return constant(types::Real{});
  return make_type(types::Real{dimension});
}
TypeRef bool_type() { return constant(types::Bool{}); }
TypeRef string_type() { return constant(types::String{}); }
TypeRef corner_type() { return constant(types::Corner{}); }
TypeRef axis_type() { return constant(types::Axis{}); }
TypeRef level_type() { return constant(types::Level{}); }
TypeRef order_type() { return constant(types::Order{}); }
TypeRef list_of(TypeRef element) { return make_type(types::List{std::move(element)}); }
TypeRef time_type() { return real_type({1, 0, 0}); }
TypeRef data_type() { return real_type({0, 1, 0}); }
TypeRef work_type() { return real_type({0, 0, 1}); }

bool is_unknown(const TypeRef& type) { return !type || as<types::Unknown>(type) || as<types::Any>(type); }
bool is_numeric(const TypeRef& type) { return as<types::Int>(type) || as<types::Real>(type); }
bool is_zero(const TypeRef& type) {
  const auto* integer = as<types::Int>(type);
  return integer && integer->literal_zero;
}

Dimension dimension_of(const TypeRef& type) {
  const auto* real = as<types::Real>(type);
  return real ? real->dimension : Dimension{};
}

TypeRef element_of(const TypeRef& type) {
  if (const auto* list = as<types::List>(type)) return list->element;
  return as<types::Order>(type) ? corner_type() : nullptr;
}

TypeRef without_zero(TypeRef type) {
  if (is_zero(type)) return int_type();
  if (const auto* list = as<types::List>(type); list && is_zero(list->element)) return list_of(int_type());
  return type;
}

std::string quoted(const TypeRef& type) { return "`" + (type ? to_string(*type) : std::string("?")) + "`"; }

std::string with_article(const std::string& noun) {
  const bool vowel = std::string("aeiou").find(noun.front()) != std::string::npos;
  return (vowel ? "an " : "a ") + noun;
}

std::string key_of(const TypeRef& type) {
  if (!type) return "?";
  if (const auto* t = as<types::List>(type)) return "[" + key_of(t->element) + "]";
  if (const auto* t = as<types::Record>(type)) return "record" + address(t->declaration);
  if (const auto* t = as<types::Machine>(type)) return "machine" + address(t->declaration) + keys_of(t->parameters);
  if (const auto* t = as<types::Model>(type)) return "model" + address(t->declaration);
  if (const auto* t = as<types::Function>(type)) return "fn(" + keys_of(t->parameters) + ")" + key_of(t->result);
  if (const auto* t = as<types::Recurrence>(type)) return "rec" + std::to_string(t->axes) + key_of(t->value);
  if (const auto* t = as<types::Table>(type)) {
    std::string text = "table(";
    for (const TypeRef& key : t->keys) text += key_of(key) + ",";
    return text + ")" + key_of(t->value);
  }
  return to_string(*type);
}

bool in_range(Dimension d) {
  return std::abs(d.time) <= largest_exponent && std::abs(d.data) <= largest_exponent &&
         std::abs(d.work) <= largest_exponent;
}

namespace {

std::optional<Dimension> multiply(std::optional<Dimension> product, std::string_view name, int exponent) {
  const UnitInfo* unit = find_unit(name);
  if (!product || !unit || exponent > largest_exponent || exponent < -largest_exponent) return std::nullopt;
  for (int i = 0; i < exponent && in_range(*product); ++i) product = *product * unit->dimension;
  for (int i = 0; i > exponent && in_range(*product); --i) product = *product / unit->dimension;
  return in_range(*product) ? product : std::nullopt;
}

}  // namespace

std::optional<Dimension> dimension_of_unit(const Unit& unit) {
  std::optional<Dimension> product = Dimension{};
  for (const auto& [name, exponent] : unit.factors) product = multiply(product, name.text, exponent);
  return product;
}

std::optional<Dimension> dimension_of_unit(const std::string& text) {
  std::optional<Dimension> product = Dimension{};
  int sign = 1;
  std::size_t i = 0;
  while (i < text.size() && product) {
    std::size_t end = i;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
    const std::string_view name = std::string_view(text).substr(i, end - i);
    int exponent = 1;
    if (end + 1 < text.size() && text[end] == '^' && std::isdigit(static_cast<unsigned char>(text[end + 1]))) {
      exponent = text[end + 1] - '0';
      end += 2;
    }
    product = multiply(product, name, sign * exponent);
    if (end < text.size() && text[end] != '/' && text[end] != '*') return std::nullopt;
    if (end + 1 == text.size()) return std::nullopt;
    sign = end < text.size() && text[end] == '/' ? -1 : 1;
    i = end + 1;
  }
  return text.empty() ? std::nullopt : product;
}

}  // namespace wave::frontend::check
