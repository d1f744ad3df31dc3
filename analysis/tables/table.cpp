// See table.h.
#include "analysis/tables/table.h"

#include "frontend/format/quantities.h"

namespace wave::analysis {
namespace {

namespace types = frontend::types;

CellKind kind_of(const frontend::TypeRef& type, bool has_labels) {
  if (has_labels) return CellKind::word;
  if (!type || std::holds_alternative<types::Real>(type->kind)) return CellKind::real;
  if (std::holds_alternative<types::Int>(type->kind)) return CellKind::integer;
  if (std::holds_alternative<types::Bool>(type->kind)) return CellKind::truth;
  return CellKind::word;
}

}  // namespace

Column make_column(const std::string& name, const std::string& doc, const frontend::TypeRef& type,
                   const std::optional<frontend::Unit>& unit, const std::vector<std::string>& labels) {
  Column column;
  column.name = name;
  column.doc = doc;
  column.kind = kind_of(type, !labels.empty());
  column.words = labels;
  if (column.kind == CellKind::real) {
    if (const auto* const real = type ? std::get_if<types::Real>(&type->kind) : nullptr)
      column.dimension = real->dimension;
    column.unit_was_asked = unit.has_value();
    const auto scale = unit ? frontend::scale_of(*unit) : frontend::standard_scale(column.dimension);
    column.unit = scale.unit;
    column.multiplier = scale.multiplier;
    column.divisor = scale.divisor;
  }
  if (labels.empty() && type) {
    if (const auto* choice = std::get_if<types::Choice>(&type->kind)) column.words = choice->words;
  }
  return column;
}

std::string_view word_of(const Column& column, const std::vector<std::string>& labels, std::int64_t ordinal) {
  const auto& words = labels.empty() ? column.words : labels;
  const auto place = static_cast<std::size_t>(ordinal);
  return ordinal >= 0 && place < words.size() ? std::string_view(words[place]) : std::string_view();
}

}  // namespace wave::analysis
