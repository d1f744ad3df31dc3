// Results as a document: an output is a table, and the parameters, what was given by -D and the shortcuts are what it
// is about.
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

// Strings are numbered by their own words. Other cells are taken as they come, since an engine knows their types.
void add_cell(TableColumn& column, const Cell& cell) {
  auto& cells = column.cells;
  if (const auto* const real = std::get_if<double>(&cell)) {
    std::get<std::vector<double>>(cells.values).push_back(*real);
    return;
  }
  if (!std::holds_alternative<std::vector<std::int64_t>>(cells.values)) {
    cells.values = std::vector<std::int64_t>{};
    if (column.column.kind != analysis::CellKind::word) {
      const bool is_truth = std::holds_alternative<bool>(cell);
      column.column.kind = is_truth ? analysis::CellKind::truth : analysis::CellKind::integer;
      column.column.unit.clear();
    }
  }
  auto& whole = std::get<std::vector<std::int64_t>>(cells.values);
  if (const auto* const text = std::get_if<std::string>(&cell)) {
    whole.push_back(static_cast<std::int64_t>(cells.labels.size()));
    cells.labels.push_back(*text);
  } else if (const auto* const truth = std::get_if<bool>(&cell)) {
    whole.push_back(*truth ? 1 : 0);
  } else {
    whole.push_back(std::get<std::int64_t>(cell));
  }
}

Cell scalar_cell(const ir::Scalar& value) {
  switch (value.type) {
    case ir::ScalarType::real: return value.real;
    case ir::ScalarType::integer: return value.integer;
    case ir::ScalarType::boolean: return value.boolean;
  }
  return 0.0;
}

TableColumn empty_column(const ColumnInfo& info) {
  TableColumn column{analysis::make_column(info.name, "", info.type, info.unit, {}), "", {}, {}};
  if (column.column.kind == analysis::CellKind::word && !is_text(info.type))
    column.column.kind = analysis::CellKind::integer;
  return column;
}

// The strings of a model are numbered by all of its words.
void take_words(TableColumn& column, const std::vector<std::string>& words) {
  if (column.column.kind == analysis::CellKind::word && column.column.words.empty()) column.cells.labels = words;
}

OutputTable empty_table(const std::string& name, const std::string& doc, RowsShape shape,
                        std::vector<ColumnInfo> columns) {
  OutputTable table;
  table.name = name;
  table.doc = doc;
  table.shape = shape;
  for (const auto& info : columns) table.columns.push_back(empty_column(info));
  table.declared = std::move(columns);
  return table;
}

void add_cells(OutputTable& table, const std::vector<Cell>& cells) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) add_cell(table.columns[i], cells[i]);
  ++table.rows;
}

Data data_of(const std::vector<ParameterResult>& parameters) {
  DataWriter json;
  json.begin_object(Layout::lines);
  for (const auto& parameter : parameters) {
    json.key(parameter.path).begin_object().key("value");
    if (parameter.value)
      json.value(data_of(*parameter.value, 0));
    else
      json.null();
    if (parameter.value && !parameter.value->column.unit.empty()) json.key("unit").value(parameter.value->column.unit);
    json.key("given").value(parameter.given);
    if (!parameter.source.empty()) json.key("source").value(parameter.source);
    json.end_object();
  }
  return json.end_object().take();
}

Data data_of(const std::vector<Shortcut>& shortcuts) {
  DataWriter json;
  json.begin_array(Layout::lines);
  for (const auto& one : shortcuts)
    json.begin_object().key("of").value(one.of).key("proof").value(one.proof).end_object();
  return json.end_array().take();
}

Data data_of(const std::vector<backend::EventReport>& reports) {
  DataWriter json;
  json.begin_array(Layout::lines);
  for (const auto& r : reports) {
    json.begin_object().key("name").value(r.event).key("schedule").value(r.schedule).key("cells").value(r.cells);
    json.key("exact").value(r.quantum != 0);
    if (r.quantum != 0) json.key("bound").value(r.bound).key("quantum").value(r.quantum).key("error").value(r.error);
    json.end_object();
  }
  return json.end_array().take();
}

void add_about(const Results& results, Document& document) {
  if (!results.engine.empty()) document.add_about("engine", results.engine);
  if (!results.text.empty()) {
    document.add_about("text", results.text);
    DataWriter given;
    given.begin_object();
    for (const auto& [path, expression] : results.given) given.key(path).value(expression);
    document.about.emplace_back("given", given.end_object().take());
  }
  if (!results.parameters.empty()) document.about.emplace_back("parameters", data_of(results.parameters));
  if (const auto shortcuts = shortcuts_of(results); !shortcuts.empty())
    document.about.emplace_back("shortcuts", data_of(shortcuts));
  if (results.verbose) document.about.emplace_back("recurrences", data_of(results.reports));
}

// A proof that spared a few milliseconds is not worth a line. Users who want to know can ask with `--verbose`.
constexpr double cells_worth_a_line = 1e7;

// "start, finish: closed form: equal paths".
std::string render_shortcuts(const Results& results) {
  std::vector<std::pair<std::string, std::string>> lines;  // the shortcut, and whose values it gave
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
  Document document = document_about(results.file, results.model);
  document.shape = Document::Shape::outputs;
  document.tables = results.outputs;
  add_about(results, document);
  document.page = [&results, digits](const std::vector<OutputTable>& tables) {
    Passages page = readable(tables, digits);
    if (const std::string shortcuts = render_shortcuts(results); !shortcuts.empty())
      page.push_back({(page.empty() ? "" : "\n") + shortcuts});
    return page;
  };
  return document;
}

std::string render_reports(const Results& results) {
  std::string text = fmt::format("engine: {}\n", results.engine);
  if (!results.code.empty()) text += fmt::format("code: {}\n", results.code);
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

void Results::add_table(const std::string& name, std::vector<ColumnInfo> columns, const std::string& doc,
                        RowsShape shape) {
  outputs.push_back(empty_table(name, doc, shape, std::move(columns)));
}

OutputTable row_table(const analysis::RowTable& from) {
  std::vector<ColumnInfo> columns;
  for (const auto& column : from.columns) columns.push_back(column.info());
  OutputTable table = empty_table(from.name, from.doc, from.shape, std::move(columns));
  for (std::size_t i = 0; i < from.columns.size(); ++i) {
    if (from.columns[i].ratio) table.columns[i].column = from.columns[i].column();
  }
  for (const auto& row : from.rows) add_cells(table, row);
  return table;
}

OutputTable whole_table(const analysis::RowTable& from) {
  OutputTable table = row_table(from);
  for (TableColumn& column : table.columns) mark_missing(column.cells);
  return table;
}

void Results::add(const analysis::RowTable& table) { outputs.push_back(row_table(table)); }

void Results::add_row(const std::vector<Cell>& cells) { add_cells(outputs.back(), cells); }

OutputTable table_of(const frontend::OutputInfo& output, const backend::Rows& rows,
                     const std::vector<std::string>& words) {
  OutputTable table = empty_table(output.name, output.doc, output.shape, output.columns);
  table.rows = rows.count();
  for (std::size_t at = 0; at < rows.cells.size(); ++at)
    add_cell(table.columns[at % rows.columns], scalar_cell(rows.cells[at]));
  for (TableColumn& column : table.columns) take_words(column, words);
  return table;
}

OutputTable failed_table(const frontend::OutputInfo& output, std::string code) {
  OutputTable table = empty_table(output.name, output.doc, output.shape, {});
  table.failed = std::move(code);
  return table;
}

TableColumn column_of(const ColumnInfo& info, const ir::Scalar& value, const std::vector<std::string>& words) {
  TableColumn column = empty_column(info);
  add_cell(column, scalar_cell(value));
  take_words(column, words);
  return column;
}

// Finds the proved shortcuts that an evaluation used, from the reports of its engine.
namespace {

// How the schedule of a report describes a shortcut. The description ends at a comma or semicolon.
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
