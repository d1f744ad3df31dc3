// See batch_results.h.
#include "cli/batch_results.h"

#include "cli/append_number.h"
#include "cli/cells.h"
#include "cli/csv_field.h"
#include "cli/json.h"
#include "cli/version.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

namespace types = frontend::types;

// One column of the result.
struct Column {
  std::string name, unit;
  const backend::OutputColumn* values = nullptr;
  Scale scale;
  const std::vector<std::string>* words = nullptr;  // of choices and strings
  bool is_truth = false;
};

std::vector<Column> columns_of(const BatchResults& results) {
  std::vector<Column> columns;
  for (const auto* output : results.outputs) {
    for (const auto& info : output->columns) {
      const bool is_record = output->shape == frontend::RowsShape::record;
      Column column{is_record ? output->name + "." + info.name : output->name,
                    "",
                    &results.values->columns[columns.size()],
                    full_scale(info),
                    nullptr,
                    false};
      column.unit = column.scale.unit;
      if (info.type) {
        if (const auto* choice = std::get_if<types::Choice>(&info.type->kind)) column.words = &choice->words;
        if (std::holds_alternative<types::String>(info.type->kind)) column.words = &results.words;
        column.is_truth = std::holds_alternative<types::Bool>(info.type->kind);
      }
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

std::string_view output_word(const Column& column, std::int64_t value) {
  if (column.is_truth) return value != 0 ? "true" : "false";
  const auto ordinal = static_cast<std::size_t>(value);
  return value >= 0 && ordinal < column.words->size() ? std::string_view((*column.words)[ordinal]) : std::string_view();
}

bool is_word(const Column& column) { return column.is_truth || column.words != nullptr; }

void append_output_cell(std::string& text, const Column& column, std::size_t row) {
  if (const auto* reals = std::get_if<std::vector<double>>(column.values)) {
    append_number(text, column.scale.shown((*reals)[row]));
    return;
  }
  const std::int64_t value = std::get<std::vector<std::int64_t>>(*column.values)[row];
  if (is_word(column))
    text += csv_field(output_word(column, value));
  else
    append_number(text, value);
}

// Goes through what failed beside all rows, which are asked for in rising order.
class FailedRows {
 public:
  explicit FailedRows(const analysis::BatchValues& values) : values_(values), next_missing_(values.missing.size()) {}
  // Null: nothing of it failed.
  const analysis::FailedKind* kind(std::size_t row) {
    while (next_ < values_.failed.size() && values_.failed[next_].row < row) ++next_;
    const bool is_here = next_ < values_.failed.size() && values_.failed[next_].row == row;
    return is_here ? &values_.kinds[values_.failed[next_].kind] : nullptr;
  }
  bool is_missing(std::size_t column, std::size_t row) {
    const auto& missing = values_.missing[column];
    std::size_t& next = next_missing_[column];
    while (next < missing.size() && missing[next] < row) ++next;
    return next < missing.size() && missing[next] == row;
  }

 private:
  const analysis::BatchValues& values_;
  std::size_t next_ = 0;
  std::vector<std::size_t> next_missing_;
};

void write_column(JsonWriter& json, const std::string& name, const std::string& unit, const char* is) {
  json.begin_object().key("name").value(name);
  if (!unit.empty()) json.key("unit").value(unit);
  json.key("is").value(is).end_object();
}

// A cell of the table, in its unit.
void write_given(JsonWriter& json, const analysis::VaryingColumn& column, const analysis::CsvCell& cell,
                 std::size_t row) {
  if (std::holds_alternative<std::vector<double>>(column.values)) {
    json.value(analysis::QuantityReader(std::nullopt).read(cell.text).value_or(0));
  } else if (std::holds_alternative<types::Int>(column.type->kind)) {
    json.value(std::get<std::vector<std::int64_t>>(column.values)[row]);
  } else if (std::holds_alternative<types::Bool>(column.type->kind)) {
    json.value(cell.text == "true");
  } else {
    json.value(cell.unquoted());
  }
}

void write_cell(JsonWriter& json, const Column& column, std::size_t row) {
  if (const auto* reals = std::get_if<std::vector<double>>(column.values)) {
    json.value(column.scale.shown((*reals)[row]));
    return;
  }
  const std::int64_t value = std::get<std::vector<std::int64_t>>(*column.values)[row];
  if (column.is_truth)
    json.value(value != 0);
  else if (is_word(column))
    json.value(output_word(column, value));
  else
    json.value(value);
}

std::string_view row_text(const BatchResults& results, analysis::RowText row) {
  return results.sources->text(frontend::Place{results.table->file(), row.begin, row.end});
}

}  // namespace

std::string render_batch_csv(const BatchResults& results) {
  const auto columns = columns_of(results);
  const auto& rows = results.table->rows();
  std::string text(row_text(results, results.table->header()));
  for (const Column& column : columns) text += "," + csv_field(heading(column.name, column.unit));
  text += ",error\n";
  constexpr std::size_t usual_cell = 20;
  const std::size_t given = rows.empty() ? 0 : rows.back().end - rows.front().begin;
  text.reserve(text.size() + given + rows.size() * (columns.size() * usual_cell + 2));
  FailedRows failed(*results.values);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += row_text(results, rows[row]);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += ',';
      if (!failed.is_missing(i, row)) append_output_cell(text, columns[i], row);
    }
    text += ',';
    if (const auto* const kind = failed.kind(row))
      text += csv_field(fmt::format("{}: {}", code_of(kind->kind), kind->words));
    text += '\n';
  }
  return text;
}

std::string render_batch_json(const BatchResults& results) {
  const auto columns = columns_of(results);
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::lines).key("wave").value(version).key("file").value(results.file);
  json.key("model").value(results.model).key("engine").value(results.engine);
  json.key("columns").begin_array(JsonWriter::Layout::lines);
  const auto& given = results.table->columns();
  for (const auto& column : given) write_column(json, column.path, column.unit ? column.unit->text : "", "parameter");
  for (const Column& column : columns) write_column(json, column.name, column.unit, "output");
  json.end_array().key("rows").begin_array(JsonWriter::Layout::lines);
  FailedRows failed(*results.values);
  std::vector<analysis::CsvCell> cells;
  const auto& rows = results.table->rows();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    analysis::CsvReader(row_text(results, rows[row])).next(cells);
    json.begin_array();
    for (std::size_t i = 0; i < given.size(); ++i) write_given(json, given[i], cells[i], row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (failed.is_missing(i, row))
        json.null();
      else
        write_cell(json, columns[i], row);
    }
    json.end_array();
  }
  json.end_array().key("failed").begin_array(JsonWriter::Layout::lines);
  for (const auto& one : results.values->failed) {
    const auto& kind = results.values->kinds[one.kind];
    json.begin_object().key("row").value(static_cast<std::int64_t>(one.row) + 1);
    json.key("code").value(code_of(kind.kind)).key("words").value(kind.words).end_object();
  }
  json.end_array();
  return json.end_object().str() + "\n";
}

}  // namespace wave::cli
