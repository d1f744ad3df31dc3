// See value_text.h.
#include "analysis/value_text.h"

#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::analysis {
namespace {

namespace types = frontend::types;

// Integers, truth values, strings and choices as they are.
std::string discrete_text(ir::Scalar value, const frontend::TypeRef& type, const std::vector<std::string>& words) {
  if (value.type == ir::ScalarType::boolean) return value.boolean ? "true" : "false";
  const std::vector<std::string>* named = nullptr;
  if (type) {
    if (const auto* choice = std::get_if<types::Choice>(&type->kind)) named = &choice->words;
    if (std::holds_alternative<types::String>(type->kind)) named = &words;
  }
  const auto ordinal = static_cast<std::size_t>(value.integer);
  if (named != nullptr && value.integer >= 0 && ordinal < named->size()) return (*named)[ordinal];
  return std::to_string(value.integer);
}

// In seconds, bytes and flop, if that reads as the same number again.
std::optional<std::string> standard_text(double value, frontend::Dimension dimension) {
  const frontend::Scale scale = frontend::standard_scale(dimension);
  const std::string number = fmt::format("{}", scale.shown(value)),
                    digits = fmt::format("{}", std::fabs(scale.shown(value)));
  frontend::Diagnostics ignored;
  if (scale.unit.starts_with("1/")) return std::nullopt;  // no unit that may stand after a number
  const auto unit = frontend::read_unit(scale.unit, {}, "", ignored);
  if (!unit || frontend::nearest_value(digits, &*unit) != std::fabs(value)) return std::nullopt;
  return number + " " + scale.unit;
}

// An expression of the language that has this value, to the last bit.
std::string exact_text(double value, frontend::Dimension dimension) {
  if (dimension.plain()) return fmt::format("{}", value);
  if (dimension == frontend::Dimension{1, 0, 0}) return fmt::format("{} ps", value);
  if (dimension == frontend::Dimension{0, 1, 0}) return fmt::format("{} B", value);
  if (auto text = standard_text(value, dimension)) return *text;
  // One of each base unit is 1, so that no factor rounds.
  std::string text = fmt::format("{}", value);
  const auto add = [&](int exponent, const char* unit) {
    for (int i = 0; i < exponent; ++i) text += fmt::format(" * 1 {}", unit);
    for (int i = 0; i > exponent; --i) text += fmt::format(" / (1 {})", unit);
  };
  add(dimension.time, "ps");
  add(dimension.data, "B");
  add(dimension.work, "flop");
  return text;
}

}  // namespace

std::optional<frontend::Dimension> dimension_of(const frontend::TypeRef& type) {
  if (!type) return frontend::Dimension{};
  const auto* real = std::get_if<types::Real>(&type->kind);
  return real != nullptr ? std::optional(real->dimension) : std::nullopt;
}

bool is_text(const frontend::TypeRef& type) {
  return type &&
         (std::holds_alternative<types::String>(type->kind) || std::holds_alternative<types::Choice>(type->kind));
}

double as_number(ir::Scalar value) {
  if (value.type == ir::ScalarType::real) return value.real;
  return value.type == ir::ScalarType::integer ? static_cast<double>(value.integer) : value.boolean ? 1 : 0;
}

std::string value_text(ir::Scalar value, const frontend::ColumnInfo& column, const frontend::Scale& scale, int digits,
                       const std::vector<std::string>& words) {
  if (value.type != ir::ScalarType::real) return discrete_text(value, column.type, words);
  const std::string number = frontend::format_number(scale.shown(value.real), digits);
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

std::string value_text(ir::Scalar value, const frontend::ColumnInfo& column, int digits,
                       const std::vector<std::string>& words) {
  const auto dimension = analysis::dimension_of(column.type).value_or(frontend::Dimension{});
  const frontend::Scale scale =
      column.unit ? frontend::scale_of(*column.unit) : frontend::readable_scale(dimension, as_number(value));
  return value_text(value, column, scale, digits, words);
}

std::string value_text(const ResultColumn& column, std::size_t row) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&column.values)) {
    const auto dimension = analysis::dimension_of(column.type).value_or(frontend::Dimension{});
    return frontend::format_quantity((*reals)[row], dimension, column.unit, point_digits);
  }
  return cell_text(make_column(column.name, "", column.type, column.unit, column.labels), {},
                   std::get<std::vector<std::int64_t>>(column.values)[row]);
}

std::optional<std::string> override_text(const ResultColumn& column, std::size_t row) {
  const auto* const reals = std::get_if<std::vector<double>>(&column.values);
  if (reals == nullptr) {
    const bool is_string = column.type && std::holds_alternative<types::String>(column.type->kind);
    return is_string ? std::nullopt : std::optional(column.name + "=" + value_text(column, row));
  }
  const auto dimension = column.type ? analysis::dimension_of(column.type) : std::nullopt;
  if (!dimension || !std::isfinite((*reals)[row])) return std::nullopt;
  return column.name + "=" + exact_text((*reals)[row], *dimension);
}

}  // namespace wave::analysis
