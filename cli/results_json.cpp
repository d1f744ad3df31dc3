// Results as one JSON document:
//   {"wave", "file", "model", "engine", "text", "given": {name: expression}, "parameters": {name: {"value", "unit",
//   "given"}}, "outputs": {name: ...},
//    "shortcuts": [{"of", "proof"}]}
// An output is {"status", "shape", "doc"} and, where it was evaluated, "value" and "unit" (a single one), "fields" (a
// record) or "columns" and "rows". Quantities are in the unit of `in`, else in s, B, flop and their products.
#include "cli/cells.h"
#include "cli/json.h"
#include "cli/results.h"
#include "cli/version.h"

namespace wave::cli {
namespace {

using frontend::ColumnInfo;
using frontend::RowsShape;

void write_value(JsonWriter& json, ir::Scalar value, const ColumnInfo& column, const std::vector<std::string>& words) {
  switch (value.type) {
    case ir::ScalarType::real: json.value(full_scale(column).shown(value.real)); return;
    case ir::ScalarType::boolean: json.value(value.boolean); return;
    case ir::ScalarType::integer: break;
  }
  if (is_text(column.type)) {
    json.value(discrete_text(value, column.type, words));
  } else {
    json.value(value.integer);
  }
}

// Only quantities have one.
void write_unit(JsonWriter& json, const ColumnInfo& column) {
  const std::string unit = full_scale(column).unit;
  if (!unit.empty()) json.key("unit").value(unit);
}

std::string_view shape_name(RowsShape shape) {
  switch (shape) {
    case RowsShape::single: return "single";
    case RowsShape::series: return "series";
    case RowsShape::list: return "list";
    case RowsShape::record: return "record";
    case RowsShape::records: return "records";
  }
  return "";
}

void write_fields(JsonWriter& json, const OutputResult& output, const std::vector<std::string>& words) {
  json.key("fields").begin_object();
  for (std::size_t i = 0; i < output.info->columns.size(); ++i) {
    const auto& column = output.info->columns[i];
    json.key(column.name).begin_object().key("value");
    write_value(json, output.rows.cells[i], column, words);
    write_unit(json, column);
    json.end_object();
  }
  json.end_object();
}

void write_rows(JsonWriter& json, const OutputResult& output, const std::vector<std::string>& words) {
  const auto& columns = output.info->columns;
  json.key("columns").begin_array(JsonWriter::Layout::lines);
  for (const auto& column : columns) {
    json.begin_object().key("name").value(column.name);
    write_unit(json, column);
    json.end_object();
  }
  json.end_array();
  json.key("rows").begin_array(JsonWriter::Layout::lines);
  for (std::size_t row = 0; row < output.rows.count(); ++row) {
    json.begin_array();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      write_value(json, output.rows.cells[row * output.rows.columns + i], columns[i], words);
    }
    json.end_array();
  }
  json.end_array();
}

void write_output(JsonWriter& json, const OutputResult& output, const std::vector<std::string>& words) {
  const auto& info = *output.info;
  json.key(info.name).begin_object(JsonWriter::Layout::lines);
  switch (output.status) {
    case OutputStatus::evaluated: json.key("status").value("evaluated"); break;
    case OutputStatus::failed: json.key("status").value("failed").key("code").value(output.failure); break;
  }
  json.key("shape").value(shape_name(info.shape));
  if (!info.doc.empty()) json.key("doc").value(info.doc);
  if (output.status == OutputStatus::evaluated) {
    if (info.shape == RowsShape::single) {
      json.key("value");
      write_value(json, output.rows.cells.front(), info.columns.front(), words);
      write_unit(json, info.columns.front());
    } else if (info.shape == RowsShape::record) {
      write_fields(json, output, words);
    } else {
      write_rows(json, output, words);
    }
  }
  json.end_object();
}

void write_parameters(JsonWriter& json, const Results& results) {
  json.key("parameters").begin_object(JsonWriter::Layout::lines);
  for (const auto& parameter : results.parameters) {
    const ColumnInfo column{parameter.info->path, parameter.info->type, std::nullopt};
    json.key(parameter.info->path).begin_object().key("value");
    if (parameter.value) {
      write_value(json, *parameter.value, column, results.words);
      write_unit(json, column);
    } else {
      json.null();
    }
    json.key("given").value(parameter.info->given);
    if (!parameter.info->source.empty()) json.key("source").value(parameter.info->source);
    json.end_object();
  }
  json.end_object();
}

void write_shortcuts(JsonWriter& json, const std::vector<Shortcut>& shortcuts) {
  if (shortcuts.empty()) return;
  json.key("shortcuts").begin_array(JsonWriter::Layout::lines);
  for (const auto& one : shortcuts)
    json.begin_object().key("of").value(one.of).key("proof").value(one.proof).end_object();
  json.end_array();
}

void write_reports(JsonWriter& json, const Results& results) {
  json.key("recurrences").begin_array(JsonWriter::Layout::lines);
  for (const auto& r : results.reports) {
    json.begin_object().key("name").value(r.event).key("schedule").value(r.schedule).key("cells").value(r.cells);
    json.key("exact").value(r.quantum != 0);
    if (r.quantum != 0) json.key("bound").value(r.bound).key("quantum").value(r.quantum).key("error").value(r.error);
    json.end_object();
  }
  json.end_array();
  if (results.fallbacks.empty()) return;
  json.key("interpreted").begin_array(JsonWriter::Layout::lines);
  for (const auto& f : results.fallbacks)
    json.begin_object().key("name").value(f.what).key("reason").value(f.reason).end_object();
  json.end_array();
}

}  // namespace

std::string render_json(const Results& results) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::lines).key("wave").value(version).key("file").value(results.file);
  json.key("model").value(results.model).key("engine").value(results.engine);
  if (!results.text.empty()) {
    json.key("text").value(results.text).key("given").begin_object();
    for (const auto& [path, expression] : results.given) json.key(path).value(expression);
    json.end_object();
  }
  write_parameters(json, results);
  json.key("outputs").begin_object(JsonWriter::Layout::lines);
  for (const auto& output : results.outputs) write_output(json, output, results.words);
  json.end_object();
  write_shortcuts(json, shortcuts_of(results));
  if (results.verbose) write_reports(json, results);
  return json.end_object().str() + "\n";
}

}  // namespace wave::cli
