// See tables.h.
#include "api/c/tables.h"

#include "analysis/study/reduce/reducer.h"
#include "analysis/value_text.h"
#include "frontend/format/quantities.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::api {
namespace {

using analysis::CellKind;

int cell_of_kind(CellKind kind) {
  switch (kind) {
    case CellKind::real: return WAVE_REAL;
    case CellKind::integer: return WAVE_INTEGER;
    case CellKind::truth: return WAVE_BOOLEAN;
    case CellKind::word: return WAVE_TEXT;
  }
  return WAVE_OTHER;
}

void add_word(TableColumn& column, std::int64_t ordinal) {
  const auto& words = *column.words;
  const auto at = static_cast<std::size_t>(ordinal);
  column.texts.push_back(at < words.size() ? words[at].c_str() : "");
}

// An engine knows the types of its cells: one that was declared real may be whole.
void add_scalar(TableColumn& column, const ir::Scalar& value) {
  switch (value.type) {
    case ir::ScalarType::real: column.add(value.real); return;
    case ir::ScalarType::boolean: column.head.cell = WAVE_BOOLEAN; break;
    case ir::ScalarType::integer:
      if (column.head.cell == WAVE_TEXT) return add_word(column, value.integer);
      column.head.cell = WAVE_INTEGER;
      break;
  }
  column.integers.push_back(value.type == ir::ScalarType::boolean ? value.boolean : value.integer);
}

Words choice_words(const analysis::Column& column, const Words& others) {
  return column.words.empty() ? others : std::make_shared<const std::vector<std::string>>(column.words);
}

TableColumn column_of(analysis::Column head, const analysis::Cells& cells) {
  TableColumn column{ColumnHead(std::move(head))};
  if (const auto* reals = std::get_if<std::vector<double>>(&cells.values)) {
    for (const double value : *reals) column.add(value);
    return column;
  }
  const auto& values = std::get<std::vector<std::int64_t>>(cells.values);
  if (column.head.cell != WAVE_TEXT) {
    column.integers = values;
    return column;
  }
  column.words =
      std::make_shared<const std::vector<std::string>>(cells.labels.empty() ? column.head.column.words : cells.labels);
  for (const std::int64_t value : values) add_word(column, value);
  return column;
}

}  // namespace

ColumnHead::ColumnHead(analysis::Column made) : column(std::move(made)), cell(cell_of_kind(column.kind)) {
  if (column.kind != CellKind::real) return;
  const auto standard = standard_scale(column);
  si_unit = standard.unit;
  scale = {standard.multiplier, standard.divisor};
}

wave_column_info ColumnHead::info() const {
  const bool is_number = cell == WAVE_REAL;
  const double asked = column.multiplier / column.divisor, own = scale.multiplier / scale.divisor;
  return {0,
          column.name.c_str(),
          is_number ? si_unit.c_str() : "",
          is_number ? column.unit.c_str() : "",
          is_number ? own / asked : 1,
          cell,
          column.dimension.time,
          column.dimension.data,
          column.dimension.work};
}

void TableColumn::add(double base) {
  si.push_back(head.scale.si(base));
  if (head.column.unit_was_asked) asked.push_back(head.column.shown(base));
}

std::size_t TableColumn::size() const { return std::max({si.size(), integers.size(), texts.size()}); }

wave_output_info Table::info() const {
  return {0, name.c_str(), doc.c_str(), shape_of(shape), columns.size(), rows, failed.c_str()};
}

ColumnHead head_of(const frontend::ColumnInfo& info) {
  ColumnHead head(analysis::make_column(info.name, "", info.type, info.unit, {}));
  if (head.column.kind == CellKind::word && !analysis::is_text(info.type)) head.cell = WAVE_INTEGER;
  return head;
}

int cell_of(const frontend::TypeRef& type) {
  namespace types = frontend::types;
  if (!type) return WAVE_OTHER;
  if (std::holds_alternative<types::Real>(type->kind)) return WAVE_REAL;
  if (std::holds_alternative<types::Int>(type->kind)) return WAVE_INTEGER;
  if (std::holds_alternative<types::Bool>(type->kind)) return WAVE_BOOLEAN;
  return analysis::is_text(type) ? WAVE_TEXT : WAVE_OTHER;
}

int shape_of(frontend::RowsShape shape) {
  switch (shape) {
    case frontend::RowsShape::single: return WAVE_SINGLE;
    case frontend::RowsShape::series: return WAVE_SERIES;
    case frontend::RowsShape::list: return WAVE_LIST;
    case frontend::RowsShape::record: return WAVE_RECORD;
    case frontend::RowsShape::records: return WAVE_RECORDS;
  }
  return WAVE_RECORDS;
}

Table table_of(const frontend::OutputInfo& output, const backend::Rows& rows, const Words& words) {
  Table table{output.name, output.doc, "", output.shape, {}, rows.count(), {}};
  for (const auto& info : output.columns) {
    TableColumn& column = table.columns.emplace_back(head_of(info));
    column.words = choice_words(column.head.column, words);
  }
  for (std::size_t at = 0; at < rows.cells.size(); ++at) add_scalar(table.columns[at % rows.columns], rows.cells[at]);
  return table;
}

Table failed_table(const frontend::OutputInfo& output, std::string failed) {
  return {output.name, output.doc, std::move(failed), output.shape, {}, 0, {}};
}

Table table_of(const analysis::RowTable& made) {
  Table table{made.name, made.doc, "", frontend::RowsShape::records, {}, made.rows.size(), {}};
  for (std::size_t i = 0; i < made.columns.size(); ++i) {
    TableColumn& column = table.columns.emplace_back(made.columns[i].ratio ? ColumnHead(made.columns[i].column())
                                                                           : head_of(made.columns[i].info()));
    auto words = std::make_shared<std::vector<std::string>>();
    for (const auto& row : made.rows) {
      if (const auto* text = std::get_if<std::string>(&row[i])) words->push_back(*text);
    }
    column.words = words;
    for (const auto& row : made.rows) {
      if (const auto* real = std::get_if<double>(&row[i])) {
        column.add(*real);
      } else if (const auto* whole = std::get_if<std::int64_t>(&row[i])) {
        add_scalar(column, ir::Scalar::of(*whole));
      } else if (const auto* truth = std::get_if<bool>(&row[i])) {
        add_scalar(column, ir::Scalar::of(*truth));
      } else {
        add_word(column, static_cast<std::int64_t>(column.texts.size()));
      }
    }
  }
  return table;
}

Table table_of(const analysis::ResultTable& points) {
  Table table{"points", "", "", frontend::RowsShape::records, {}, points.rows, {}};
  for (const auto& one : points.columns)
    table.columns.push_back(column_of(analysis::make_column(one.name, one.doc, one.type, one.unit, one.labels), one));
  table.codes.resize(points.rows);
  set_codes(points.failed, table.codes.data(), points.rows);
  return table;
}

Table table_of(const analysis::ReducedTable& answer) {
  Table table{answer.name, "", "", frontend::RowsShape::records, {}, answer.rows, {}};
  for (const auto& one : answer.columns) table.columns.push_back(column_of(one.column, one.cells));
  return table;
}

void set_codes(const std::vector<analysis::FailedRows>& failed, std::int32_t* codes, std::size_t rows) {
  std::fill_n(codes, rows, 0);
  for (const auto& one : failed) {
    const auto number = static_cast<std::int32_t>(std::atoi(std::string(code_of(one.kind()).substr(1)).c_str()));
    for (const std::uint64_t row : one.rows) codes[row] = number;
  }
}

}  // namespace wave::api
