// Results as a document:
//   {"wave", "file", "model", "engine", "text", "given": {name: expression}, "parameters": {name: {"value", "unit",
//   "given"}}, "outputs": {name: ...},
//    "shortcuts": [{"of", "proof"}]}
// An output is {"status", "shape", "doc"} and, where it was evaluated, "value" and "unit" (a single one), "fields" (a
// record) or "columns" and "rows". Quantities are in the unit of `in`, else in s, B, flop and their products.
#include "cli/results.h"

#include "cli/embedded.h"
#include "cli/formats/readable.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace wave::cli {
namespace {

using frontend::ColumnInfo;
using frontend::RowsShape;

// The column with this number of rows of scalars.
TableColumn column_of(const ColumnInfo& info, const std::vector<ir::Scalar>& cells, std::size_t columns,
                      std::size_t number, const std::vector<std::string>& words) {
  const bool is_string = info.type && std::holds_alternative<frontend::types::String>(info.type->kind);
  TableColumn column{analysis::make_column(info.name, "", info.type, info.unit, {}), "", {}, {}};
  if (is_string) column.cells.labels = words;
  std::vector<double> reals;
  std::vector<std::int64_t> whole;
  for (std::size_t at = number; at < cells.size(); at += columns) {
    const ir::Scalar& cell = cells[at];
    if (cell.type == ir::ScalarType::real)
      reals.push_back(cell.real);
    else
      whole.push_back(cell.type == ir::ScalarType::boolean ? std::int64_t{cell.boolean} : cell.integer);
  }
  const bool is_whole = !cells.empty() && cells[number].type != ir::ScalarType::real;
  if (is_whole && !is_text(info.type)) {
    column.column.kind =
        cells[number].type == ir::ScalarType::boolean ? analysis::CellKind::truth : analysis::CellKind::integer;
    column.column.unit.clear();
  }
  if (is_whole)
    column.cells.values = std::move(whole);
  else
    column.cells.values = std::move(reals);
  return column;
}

OutputTable table_of(const OutputResult& output, const std::vector<std::string>& words) {
  const auto& info = *output.info;
  OutputTable table;
  table.name = info.name;
  table.doc = info.doc;
  table.shape = info.shape;
  table.failed = output.status == OutputStatus::failed ? output.failure : "";
  if (!table.is_whole()) return table;
  table.rows = output.rows.count();
  for (std::size_t i = 0; i < info.columns.size(); ++i)
    table.columns.push_back(column_of(info.columns[i], output.rows.cells, info.columns.size(), i, words));
  return table;
}

// Only quantities have a unit.
void write_unit(DataWriter& json, const TableColumn& column) {
  if (!column.column.unit.empty()) json.key("unit").value(column.column.unit);
}

// "value" is the key already.
void write_cell(DataWriter& json, const TableColumn& column) {
  json.value(data_of(column, 0));
  write_unit(json, column);
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

void write_output(DataWriter& json, const OutputTable& table, std::size_t number) {
  json.key(table.name).begin_object(Layout::lines);
  if (!table.failed.empty())
    json.key("status").value("failed").key("code").value(table.failed);
  else
    json.key("status").value("evaluated");
  json.key("shape").value(shape_name(table.shape));
  if (!table.doc.empty()) json.key("doc").value(table.doc);
  if (table.is_whole() && table.shape == RowsShape::single) {
    json.key("value");
    write_cell(json, table.columns.front());
  } else if (table.is_whole() && table.shape == RowsShape::record) {
    json.key("fields").begin_object();
    for (const auto& column : table.columns) {
      json.key(column.column.name).begin_object().key("value");
      write_cell(json, column);
      json.end_object();
    }
    json.end_object();
  } else if (table.is_whole()) {
    add_columns(json, table);
    json.key("rows").rows(number, false);
  }
  json.end_object();
}

void write_parameters(DataWriter& json, const Results& results) {
  json.key("parameters").begin_object(Layout::lines);
  for (const auto& parameter : results.parameters) {
    json.key(parameter.info->path).begin_object().key("value");
    if (parameter.value) {
      write_cell(json, column_of({parameter.info->path, parameter.info->type, std::nullopt}, {*parameter.value}, 1, 0,
                                 results.words));
    } else {
      json.null();
    }
    json.key("given").value(parameter.info->given);
    if (!parameter.info->source.empty()) json.key("source").value(parameter.info->source);
    json.end_object();
  }
  json.end_object();
}

void write_shortcuts(DataWriter& json, const std::vector<Shortcut>& shortcuts) {
  if (shortcuts.empty()) return;
  json.key("shortcuts").begin_array(Layout::lines);
  for (const auto& one : shortcuts)
    json.begin_object().key("of").value(one.of).key("proof").value(one.proof).end_object();
  json.end_array();
}

void write_reports(DataWriter& json, const Results& results) {
  json.key("recurrences").begin_array(Layout::lines);
  for (const auto& r : results.reports) {
    json.begin_object().key("name").value(r.event).key("schedule").value(r.schedule).key("cells").value(r.cells);
    json.key("exact").value(r.quantum != 0);
    if (r.quantum != 0) json.key("bound").value(r.bound).key("quantum").value(r.quantum).key("error").value(r.error);
    json.end_object();
  }
  json.end_array();
  if (results.fallbacks.empty()) return;
  json.key("interpreted").begin_array(Layout::lines);
  for (const auto& f : results.fallbacks)
    json.begin_object().key("name").value(f.what).key("reason").value(f.reason).end_object();
  json.end_array();
}

Data data_of(const Results& results, const std::vector<OutputTable>& tables) {
  DataWriter json;
  json.begin_object(Layout::lines).key("wave").value(version).key("file").value(results.file);
  json.key("model").value(results.model).key("engine").value(results.engine);
  if (!results.text.empty()) {
    json.key("text").value(results.text).key("given").begin_object();
    for (const auto& [path, expression] : results.given) json.key(path).value(expression);
    json.end_object();
  }
  write_parameters(json, results);
  json.key("outputs").begin_object(Layout::lines);
  for (std::size_t i = 0; i < tables.size(); ++i) write_output(json, tables[i], i);
  json.end_object();
  write_shortcuts(json, shortcuts_of(results));
  if (results.verbose) write_reports(json, results);
  return json.end_object().take();
}

// A proof that has spared a few milliseconds is no news: those who want to know ask with `--verbose`.
constexpr double cells_worth_a_line = 1e7;

// "start, finish: closed form: equal paths".
std::string render_shortcuts(const Results& results) {
  std::vector<std::pair<std::string, std::string>> lines;  // the shortcut and whose values it gave
  for (const auto& one : shortcuts_of(results)) {
    if (one.cells < cells_worth_a_line) continue;
    const auto same =
        std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == one.text; });
    if (same == lines.end())
      lines.emplace_back(one.text, one.of);
    else
      same->second += ", " + one.of;
  }
  std::string text;
  for (const auto& [shortcut, names] : lines) text += fmt::format("{}: {}\n", sanitize(names), shortcut);
  return text;
}

}  // namespace

Document document_of(const Results& results, int digits) {
  Document document{Document::Shape::outputs, {}, {}, {}};
  for (const auto& output : results.outputs) document.tables.push_back(table_of(output, results.words));
  document.data = [&results](const std::vector<OutputTable>& tables) { return data_of(results, tables); };
  document.page = [&results, digits](const std::vector<OutputTable>& tables) {
    Blocks page = readable(tables, digits);
    if (const std::string shortcuts = render_shortcuts(results); !shortcuts.empty())
      page.push_back({(page.empty() ? "" : "\n") + shortcuts});
    return page;
  };
  return document;
}

std::string render_reports(const Results& results) {
  std::string text = fmt::format("engine: {}\n", results.engine);
  if (!results.code.empty()) text += fmt::format("code: {}\n", results.code);
  for (const auto& fallback : results.fallbacks) {
    text += fmt::format("`{}`: interpreted, {}\n", fallback.what, fallback.reason);
  }
  for (const auto& r : results.reports) {
    text += fmt::format("`{}`: {} cells, {}\n", r.event, format_number(r.cells, 6), r.schedule);
    if (r.quantum == 0) {
      text += "  evaluated in plain double precision\n";
      continue;
    }
    text += fmt::format(
        "  exact (times in ps): no value above {}, weights rounded to multiples of 2^{}, error at most {}\n",
        format_number(r.bound, 4), std::ilogb(r.quantum), format_number(r.error, 2));
  }
  return text;
}

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

namespace {

namespace types = frontend::types;

frontend::TypeRef make_type(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

}  // namespace

frontend::TypeRef text_type() { return make_type({types::String{}}); }
frontend::TypeRef count_type() { return make_type({types::Int{}}); }
frontend::TypeRef data_type() { return make_type({types::Real{{0, 1, 0}}}); }
frontend::TypeRef time_type() { return make_type({types::Real{{1, 0, 0}}}); }
frontend::TypeRef work_type() { return make_type({types::Real{{0, 0, 1}}}); }
frontend::TypeRef plain_type() { return make_type({types::Real{}}); }

void ResultTables::begin(const std::string& name, frontend::RowsShape shape, std::vector<frontend::ColumnInfo> columns,
                         const std::string& doc) {
  infos_.push_back(std::make_unique<frontend::OutputInfo>());
  frontend::OutputInfo& info = *infos_.back();
  info.name = name;
  info.doc = doc;
  info.shape = shape;
  info.columns = std::move(columns);
  OutputResult result;
  result.info = &info;
  result.rows.columns = info.columns.size();
  results_.outputs.push_back(std::move(result));
}

void ResultTables::begin_table(const std::string& name, std::vector<frontend::ColumnInfo> columns,
                               const std::string& doc) {
  begin(name, frontend::RowsShape::records, std::move(columns), doc);
}

void ResultTables::begin_record(const std::string& name, std::vector<frontend::ColumnInfo> columns,
                                const std::string& doc) {
  begin(name, frontend::RowsShape::record, std::move(columns), doc);
}

void ResultTables::row(const std::vector<ir::Scalar>& cells) {
  auto& all = results_.outputs.back().rows.cells;
  all.insert(all.end(), cells.begin(), cells.end());
}

ir::Scalar ResultTables::text(const std::string& text) {
  results_.words.push_back(text);
  return ir::Scalar::of(static_cast<std::int64_t>(results_.words.size()) - 1);
}

// Which proved shortcuts an evaluation has used, from what its engine reports.
namespace {

// How what a shortcut has done is told in the schedule of a report. It ends at a comma or semicolon.
constexpr std::string_view closed_form = "closed form: ";  // "closed form: equal paths, as an expression"
constexpr std::string_view certified = "certified ";       // "certified tiles: 28 of 8000 evaluated"

std::string up_to_separator(const std::string& schedule, std::size_t at) {
  return schedule.substr(at, schedule.find_first_of(",;", at) - at);
}

std::vector<Shortcut> shortcuts_in(const backend::EventReport& report) {
  std::vector<Shortcut> found;
  const std::string& schedule = report.schedule;
  if (const auto at = schedule.find(closed_form); at != std::string::npos) {
    const std::string text = up_to_separator(schedule, at);
    found.push_back({report.event, text.substr(closed_form.size()), text, report.cells});
  }
  for (auto at = schedule.find(certified); at != std::string::npos; at = schedule.find(certified, at + 1)) {
    const std::string text = up_to_separator(schedule, at);
    found.push_back({report.event, text.substr(0, text.find(':')), text, report.cells});
  }
  return found;
}

}  // namespace

std::vector<Shortcut> shortcuts_of(const Results& results) {
  std::vector<Shortcut> shortcuts;
  for (const auto& report : results.reports) {
    for (Shortcut& found : shortcuts_in(report)) {
      const auto same = [&](const Shortcut& one) { return one.of == found.of && one.text == found.text; };
      const auto known = std::find_if(shortcuts.begin(), shortcuts.end(), same);
      if (known == shortcuts.end())
        shortcuts.push_back(std::move(found));
      else
        known->cells += found.cells;
    }
  }
  return shortcuts;
}

}  // namespace wave::cli
