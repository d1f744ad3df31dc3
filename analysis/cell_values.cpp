// See cell_values.h.
#include "analysis/cell_values.h"

#include "base/numbers.h"
#include "frontend/parse/quantity_reader.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::analysis {

namespace types = frontend::types;

std::optional<std::int64_t> read_integer(std::string_view text, char decimal) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (const auto value = parse_number<std::int64_t>(text)) {
    // The smallest integer has no literal either.
    return *value == std::numeric_limits<std::int64_t>::min() ? std::nullopt : value;
  }
  const auto real = frontend::QuantityReader(std::nullopt, decimal).read(text);
  constexpr double exact = 0x1p53;
  if (!real || *real != std::trunc(*real) || std::fabs(*real) > exact) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

WordReader::WordReader(frontend::TypeRef type, std::vector<std::string>& words)
    : is_string_(std::holds_alternative<types::String>(type->kind)), words_(words) {
  const auto know = [&](const std::vector<std::string>& all) {
    for (std::size_t i = 0; i < all.size(); ++i) known_.emplace(all[i], static_cast<std::int64_t>(i));
  };
  if (is_string_) know(words);
  if (const auto* choice = std::get_if<types::Choice>(&type->kind)) know(choice->words);
  if (std::holds_alternative<types::Bool>(type->kind)) know({"false", "true"});
}

std::optional<std::int64_t> WordReader::read(std::string_view text) {
  const auto found = known_.find(std::string(text));
  if (found != known_.end()) return found->second;
  if (!is_string_) return std::nullopt;
  words_.emplace_back(text);
  const auto ordinal = static_cast<std::int64_t>(words_.size()) - 1;
  known_.emplace(text, ordinal);
  return ordinal;
}

std::string expected_in_cell(const frontend::TypeRef& type) {
  if (const auto* choice = std::get_if<types::Choice>(&type->kind)) {
    return "one of " + frontend::quoted_list(choice->words);
  }
  if (std::holds_alternative<types::Bool>(type->kind)) return "`true` or `false`";
  return std::holds_alternative<types::Int>(type->kind) ? "a whole number" : "a number";
}

}  // namespace wave::analysis
