// See report_parts.h: what `wave run` prints, where time goes, inputs, and how a report is made.
#include "cli/studies/report_parts.h"

#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/table_plots.h"
#include "analysis/study/description.h"
#include "cli/embedded.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/studies/point_table.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace wave::cli {
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Bar;
using analysis::pictures::page_table;
using analysis::pictures::PageSection;
using analysis::pictures::PageTable;
using frontend::RowsShape;
namespace element = analysis::pictures::element;

constexpr std::size_t most_rows_of_output = 200;
constexpr int report_digits = 5;

std::string cell_text(const TableColumn& column, std::size_t row, const std::optional<frontend::Unit>& unit) {
  const auto& dimension = column.column.dimension;
  if (const auto* const reals = std::get_if<std::vector<double>>(&column.cells.values))
    return format_quantity((*reals)[row], dimension, unit, dimension.plain() ? plain_digits : report_digits);
  return cell_text(column.column, column.cells.labels, std::get<std::vector<std::int64_t>>(column.cells.values)[row]);
}

// A table that `wave run --breakdown` adds: parts with their times.
struct TimeParts {
  std::size_t name = 0, time = 0;
  bool is_path = false;
  std::optional<std::size_t> process = {};  // of several paths: whose rows these are
};
std::optional<TimeParts> parts_of(const OutputTable& output) {
  const auto& columns = output.columns;
  const auto find = [&](const char* name) {
    const auto location =
        std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.column.name == name; });
    return static_cast<std::size_t>(location - columns.begin());
  };
  const std::size_t of = find("of"), kind = find("kind"), time = find("time"), percent = find("percent");
  if (time == columns.size() || percent == columns.size() || output.shape != RowsShape::records) return std::nullopt;
  if (of < columns.size()) return TimeParts{of, time, false};
  if (kind < columns.size() && has_ending(output.name, ".path")) {
    const std::size_t process = find("process");
    return TimeParts{kind, time, true, process < columns.size() ? std::optional(process) : std::nullopt};
  }
  return std::nullopt;
}

bool is_of_time(const OutputTable& output) { return parts_of(output) || has_ending(output.name, ".statements"); }

// One, or one for each process.
void add_bars(const OutputTable& output, const TimeParts& parts, std::vector<Bar>& bars) {
  std::string name = output.name;
  for (const char* const end : {".breakdown", ".path"}) {
    if (has_ending(name, end)) name.resize(name.size() - std::string(end).size());
  }
  const auto text = [&](std::size_t column, std::size_t row) {
    return cell_text(output.columns[column], row, std::nullopt);
  };
  std::string before;
  for (std::size_t row = 0; row < output.rows; ++row) {
    const std::string bar = parts.process ? name + ": " + text(*parts.process, row) : name;
    if (row == 0 || bar != before) bars.push_back({bar, {}});
    before = bar;
    bars.back().parts.emplace_back(text(parts.name, row),
                                   std::get<std::vector<double>>(output.columns[parts.time].cells.values)[row]);
  }
}

// Rows of an output as a table of results: a picture or a text may be made of it.
ResultTable table_of(const OutputTable& output) {
  ResultTable table;
  table.rows = output.rows;
  for (std::size_t i = 0; i < output.columns.size(); ++i) {
    const auto& cells = output.columns[i].cells;
    ResultColumn& column = table.columns.emplace_back();
    column.name = output.declared[i].name;
    column.type = output.declared[i].type;
    column.unit = output.declared[i].unit;
    column.varied = output.shape == RowsShape::series && i + 1 < output.columns.size();
    column.values = cells.values;
    column.labels = cells.labels;
  }
  return table;
}

element::Numbers numbers_of(const OutputTable& output, bool folded) {
  PageTable table = page_table(table_of(output), most_rows_of_output);
  table.caption = output.doc.empty() ? output.name : fmt::format("{}: {}", output.name, output.doc);
  return {std::move(table), folded};
}

// The text of a parameter that is no number: what was given, or what is declared.
std::string written_value(const Session& session, const frontend::Item& model, const Results& results,
                          const std::string& path) {
  for (const auto& [name, value] : results.given) {
    if (name == path) return value;
  }
  for (const auto& member : std::get<frontend::item::Model>(model.node).members) {
    const auto* const parameter = std::get_if<frontend::item::Param>(&member->node);
    if (parameter != nullptr && member->name.text == path && parameter->default_value) {
      return std::string(session.sources().text(parameter->default_value->location));
    }
  }
  return "";
}

}  // namespace

void note_problems(Session& session, Problems& problems) {
  const auto& sources = session.sources();
  for (const auto& one : session.diagnostics().sorted()) {
    std::string line = fmt::format("{} {}: {}", one.severity == frontend::Severity::error ? "error" : "warning",
                                   code_of(one.kind), one.message);
    if (!one.labels.empty() && one.labels.front().location.known()) {
      const auto location = one.labels.front().location;
      line +=
          fmt::format(" ({}:{})", sources.name(location.file), sources.line_column(location.file, location.begin).line);
    }
    for (const auto& note : one.notes) line += "; " + note;
    problems.push_back(std::move(line));
  }
}

PageSection outputs_section(const Results& results) {
  PageSection section{"Outputs", {}};
  PageTable values{"At the values of the parameters below",
                   {{"output", "", false, false}, {"value", "", false, false}, {"what it is", "", false, false, true}},
                   {},
                   ""};
  std::vector<analysis::pictures::PageElement> longer;
  for (const auto& output : results.outputs) {
    if (!output.is_whole()) {
      values.rows.push_back({output.name, fmt::format("failed ({})", output.failed), output.doc});
    } else if (is_one_row(output.shape)) {
      for (std::size_t i = 0; i < output.columns.size() && output.rows > 0; ++i) {
        const auto& column = output.declared[i];
        const std::string name = value_name(output.shape, output.name, column.name);
        values.rows.push_back({name, cell_text(output.columns[i], 0, column.unit), i == 0 ? output.doc : ""});
      }
    } else if (!is_of_time(output)) {
      if (output.shape == RowsShape::series && output.rows >= 2) {
        for (auto& plot : analysis::pictures::usual_plots(table_of(output)))
          longer.push_back(element::Picture{std::move(plot)});
      }
      longer.push_back(numbers_of(output, output.rows > 20));
    }
  }
  if (!values.rows.empty()) section.elements.push_back(element::Numbers{std::move(values), false});
  section.elements.insert(section.elements.end(), longer.begin(), longer.end());
  return section;
}

PageSection time_section(const Results& results) {
  PageSection section{"Where time goes", {}};
  std::vector<Bar> times, paths;
  std::vector<analysis::pictures::PageElement> tables;
  for (const auto& output : results.outputs) {
    if (!output.is_whole() || !is_of_time(output)) continue;
    if (const auto parts = parts_of(output)) add_bars(output, *parts, parts->is_path ? paths : times);
    tables.push_back(numbers_of(output, true));
  }
  if (!times.empty()) {
    section.elements.push_back(
        element::Words{"What each output of time is made of: the parameters and literals that carry it, and what "
                       "processes spend on the way to their end."});
    section.elements.push_back(element::Picture{analysis::pictures::plot_bars("Parts of each time", "output", times)});
  }
  if (!paths.empty())
    section.elements.push_back(
        element::Picture{analysis::pictures::plot_bars("The critical path, by kind", "output", paths)});
  section.elements.insert(section.elements.end(), tables.begin(), tables.end());
  return section;
}

PageSection inputs_section(const Session& session, const frontend::Item& model, const Results& results) {
  PageSection section{"Inputs", {}};
  PageTable table{"Parameters, and where their values come from",
                  {{"parameter", "", false, false},
                   {"value", "", false, false},
                   {"given by", "", false, false},
                   {"source", "", false, false},
                   {"what it is", "", false, false, true}},
                  {},
                  ""};
  for (const auto& parameter : results.parameters) {
    const std::string value = parameter.value ? cell_text(*parameter.value, 0, std::nullopt)
                                              : written_value(session, model, results, parameter.path);
    table.rows.push_back(
        {parameter.path, value, parameter.given ? "-D" : "its default", parameter.source, parameter.doc});
  }
  if (table.rows.empty())
    section.elements.push_back(element::Words{"The model has no parameters."});
  else
    section.elements.push_back(element::Numbers{std::move(table), false});
  return section;
}

PageSection making_section(Session& session, const std::vector<std::string>& arguments) {
  PageSection section{"How this was made", {}};
  std::string command = "wave";
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  section.elements.push_back(element::Code{command});
  section.elements.push_back(element::Facts{{{"program", fmt::format("wave {}", version)}}});
  PageTable inputs{
      "What was read, with SHA-256 digests", {{"text", "", false, false}, {"digest", "", false, false}}, {}, ""};
  for (const auto& input : analysis::inputs_of(session.program())) inputs.rows.push_back({input.what, input.value});
  section.elements.push_back(element::Numbers{std::move(inputs), true});
  return section;
}

// Where time goes at some points of a study.
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Bar;
using analysis::pictures::ColumnReader;

constexpr std::size_t most_bars = 6;

// Rows along one column, with the first values of all others; a few of them, evenly.
std::vector<std::size_t> rows_along(const ResultTable& table, const std::string& along) {
  std::vector<ColumnReader> others;
  for (const auto& column : table.columns) {
    if (column.varied && column.name != along) others.emplace_back(column);
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (std::all_of(others.begin(), others.end(), [&](const auto& one) { return one.text(row) == one.text(0); }))
      rows.push_back(row);
  }
  if (rows.size() <= most_bars) return rows;
  std::vector<std::size_t> few;
  for (std::size_t i = 0; i < most_bars; ++i) few.push_back(rows[i * (rows.size() - 1) / (most_bars - 1)]);
  return few;
}

}  // namespace

std::optional<analysis::pictures::Plot> times_along(Session& session, const StudyChoice& choice, const OpenStudy& study,
                                                    const ResultTable& table, const std::string& output,
                                                    const std::string& along) {
  // -D cannot give what a study sets.
  const auto* const column = analysis::pictures::find_column(table, along);
  if (!study.study().set.empty() || column == nullptr || !column->varied || table.rows == 0) return std::nullopt;
  // If nothing is found here, the model is not at fault.
  frontend::Diagnostics before = std::move(session.diagnostics());
  session.diagnostics() = {};
  std::vector<std::pair<std::string, analysis::PartsOfTime>> points;
  for (const std::size_t row : rows_along(table, along)) {
    std::vector<std::string> given;
    std::optional<std::string> text;
    for (const auto& one : table.columns) {
      if (!one.varied) continue;
      text = override_text(one, row);
      if (!text) break;
      given.push_back(*text);
    }
    if (!text) break;
    auto found = parts_at(session, *study.model, choice, output, given, engine_limits(session.options()));
    session.diagnostics() = {};
    if (!found) continue;
    points.emplace_back(ColumnReader(*column).text(row), std::move(*found));
  }
  session.diagnostics() = std::move(before);
  if (points.size() < 2) return std::nullopt;
  // One kind of parts for all bars, since their colours are compared.
  const bool by_kind =
      std::all_of(points.begin(), points.end(), [](const auto& one) { return !one.second.kinds.empty(); });
  std::vector<Bar> bars;
  for (auto& [name, parts] : points) bars.push_back({name, std::move(by_kind ? parts.kinds : parts.shares)});
  const auto* const shown = analysis::pictures::find_column(table, output);
  const ColumnReader reader(*column);
  auto plot =
      analysis::pictures::plot_bars(fmt::format("Where {} goes over {}", output, along), reader.axis(false).title(),
                                    bars, shown != nullptr ? shown->unit : std::nullopt);
  std::string others;
  for (const auto& one : table.columns) {
    const ColumnReader other(one);
    if (one.varied && one.name != along && other.differs())
      others += fmt::format("{}{} = {}", others.empty() ? "" : ", ", one.name, other.text(0));
  }
  if (!others.empty()) plot.notes.push_back("at " + others);
  return plot;
}

}  // namespace wave::cli
