// See cells.h.
#include "cli/cells.h"

#include <fmt/format.h>

namespace wave::cli {

namespace types = frontend::types;

std::optional<frontend::Dimension> dimension_of(const frontend::TypeRef& type) {
  if (!type) return frontend::Dimension{};
  const auto* real = std::get_if<types::Real>(&type->kind);
  return real != nullptr ? std::optional(real->dimension) : std::nullopt;
}

bool is_text(const frontend::TypeRef& type) {
  return type &&
         (std::holds_alternative<types::String>(type->kind) || std::holds_alternative<types::Choice>(type->kind));
}

std::string discrete_text(ir::Scalar value, const frontend::TypeRef& type, const std::vector<std::string>& words) {
  if (value.type == ir::ScalarType::boolean) return value.boolean ? "true" : "false";
  const std::vector<std::string>* named = nullptr;
  if (type) {
    if (const auto* choice = std::get_if<types::Choice>(&type->kind)) named = &choice->words;
    if (std::holds_alternative<types::String>(type->kind)) named = &words;
  }
  const auto ordinal = static_cast<std::size_t>(value.integer);
  if (named != nullptr && value.integer >= 0 && ordinal < named->size()) return (*named)[ordinal];
  return fmt::format("{}", value.integer);
}

Scale full_scale(const frontend::ColumnInfo& column) {
  if (column.unit) return scale_of(*column.unit);
  const auto dimension = dimension_of(column.type);
  return dimension ? standard_scale(*dimension) : Scale{};
}

std::string heading(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

}  // namespace wave::cli
