// The dimension that each unit measures.
#include "frontend/check/units.h"

#include "frontend/check/type_tools.h"
#include "frontend/parse/units.h"

#include <cctype>
#include <string_view>

namespace wave::frontend::check {
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
