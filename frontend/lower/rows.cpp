// See rows.h.
#include "frontend/lower/rows.h"

#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "frontend/parse/units.h"
#include "ir/builder.h"

namespace wave::frontend::lowering {

using ir::ScalarType;
using ir::ValueId;

TypeRef element_type(const TypeRef& list) {
  const auto* type = list ? std::get_if<types::List>(&list->kind) : nullptr;
  return type ? type->element : nullptr;
}

bool add_columns(const TypeRef& type, const std::string& name, const std::optional<Unit>& unit,
                 std::vector<ColumnInfo>& columns) {
  if (!type) return false;
  if (scalar_type(type)) {
    ColumnInfo column{name, type, std::nullopt};
    const auto* real = std::get_if<types::Real>(&type->kind);
    if (unit && real && real->dimension == dimension_of(*unit)) column.unit = unit;
    columns.push_back(std::move(column));
    return true;
  }
  const auto* record = std::get_if<types::Record>(&type->kind);
  if (!record) return false;
  const auto& node = std::get<item::Record>(record->declaration->node);
  for (std::size_t i = 0; i < node.fields.size(); ++i) {
    const TypeRef field = i < node.checked_types.size() ? node.checked_types[i] : nullptr;
    const bool nested = field && std::holds_alternative<types::Record>(field->kind);
    const std::string own = node.fields[i].first.text;
    // Inside a record, a field's name says enough; only records in records are spelled out.
    if (!add_columns(field, nested || name.empty() ? own : name + "." + own, unit, columns)) return false;
  }
  return true;
}

void add_cells(const Parts& parts, const Symbolic& value, const TypeRef& type, Place place,
               std::vector<ValueId>& cells) {
  if (const auto scalar = scalar_type(type)) {
    if (const auto* failure = as<value::Failure>(value)) {
      cells.push_back(parts.b.fail(failure->site, *scalar));
      return;
    }
    const ValueId id = parts.values.scalar_of(value, place);
    cells.push_back(*scalar == ScalarType::real ? parts.b.to_real(id) : id);
    return;
  }
  const auto* record = std::get_if<types::Record>(&type->kind);
  const auto& fields = std::get<item::Record>(record->declaration->node).checked_types;
  const auto* known = as<value::Record>(value);
  if (!known && !as<value::Failure>(value)) {
    parts.sites.abandon(DiagnosticKind::not_expressible, place, "this record is known only at run time");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    add_cells(parts, known ? known->fields[i] : value, fields[i], place, cells);
  }
}

ir::RowBlock block_of(const Parts& parts, const Iteration& iteration, std::vector<ValueId> cells, Place place) {
  ir::RowBlock block{iteration.levels, std::move(cells)};
  if (!iteration.guard) return block;
  ir::Builder& b = parts.b;
  ir::Level once;
  once.binder = b.binder("");  // no index of the user's
  once.first = once.last = once.step = b.integer(1);
  once.filter = *iteration.guard;
  once.site = parts.sites.site(ir::FailureKind::no_progress, place);
  block.levels.insert(block.levels.begin(), once);
  return block;
}

}  // namespace wave::frontend::lowering
