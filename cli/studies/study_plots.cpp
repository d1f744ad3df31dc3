// See study_plots.h.
#include "cli/studies/study_plots.h"

#include "analysis/validation/measured_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace wave::cli {
namespace {

using analysis::MeasuredColumns;
using analysis::MeasuredData;
using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Plot;
using analysis::pictures::PlotChoice;
using frontend::DiagnosticKind;
using frontend::Place;

struct WantedPlot {
  PlotChoice choice;
  std::string text;  // "total vs n by net"
  Place y, x;
};

// The axes of `on log, log` and of `on log`, which is for both.
bool read_scales(const std::vector<std::string>& scales, PlotChoice& choice) {
  const auto is_known = [](const std::string& scale) { return scale == "log" || scale == "linear"; };
  if (scales.size() > 2 || !std::all_of(scales.begin(), scales.end(), is_known)) return false;
  if (scales.empty()) return true;
  choice.x_log = scales.front() == "log";
  choice.y_log = scales.back() == "log";
  return true;
}

WantedPlot wanted_of(const Session& session, const frontend::item::Study::Plot& plot) {
  WantedPlot wanted;
  // Columns are named as they are written.
  const auto text = [&](const frontend::ExprPtr& expression) {
    return std::string(session.sources().text(expression->place));
  };
  wanted.choice.y = text(plot.y);
  wanted.choice.x = text(plot.x);
  wanted.y = plot.y->place;
  wanted.x = plot.x->place;
  wanted.text = fmt::format("{} vs {}", wanted.choice.y, wanted.choice.x);
  if (plot.by) {
    wanted.choice.by = plot.by->text;
    wanted.text += " by " + plot.by->text;
  }
  std::vector<std::string> scales;
  for (const auto& scale : plot.scales) scales.push_back(scale.text);
  read_scales(scales, wanted.choice);
  return wanted;
}

// "total vs n by net on log, log". Nothing, reported, where it is none.
std::optional<WantedPlot> parse_plot(Session& session, const std::string& asked) {
  WantedPlot wanted;
  wanted.text = asked;
  std::string text = asked;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
  bool is_good = words.size() >= 3 && words[1] == "vs";
  std::size_t next = 3;
  if (is_good) {
    wanted.choice.y = words[0];
    wanted.choice.x = words[2];
    if (next + 1 < words.size() && words[next] == "by") {
      wanted.choice.by = words[next + 1];
      next += 2;
    }
    if (next < words.size()) {
      is_good = words[next] == "on" && next + 1 < words.size() &&
                read_scales({words.begin() + static_cast<std::ptrdiff_t>(next) + 1, words.end()}, wanted.choice);
    }
  }
  if (is_good) return wanted;
  session.diagnostics()
      .add(DiagnosticKind::wrong_study, {}, fmt::format("`--draw` does not take `{}`", asked))
      .help.push_back("for example `--draw \"total vs n by net on log, log\"`; scales are `log` and `linear`");
  return std::nullopt;
}

// A run time may be called anything: what is no column of the points is taken for the first result of its dimension.
void name_like_results(ResultTable& measured, const ResultTable& table) {
  const auto dimension = [](const ResultColumn& column) {
    const auto* const real = column.type ? std::get_if<frontend::types::Real>(&column.type->kind) : nullptr;
    return real != nullptr ? std::optional(real->dimension) : std::nullopt;
  };
  ResultColumn& found = measured.columns.back();
  for (const auto& column : table.columns) {
    if (column.name == found.name && !column.varied) return;
  }
  for (const auto& column : table.columns) {
    if (column.varied || dimension(column) != dimension(found)) continue;
    found.name = column.name;
    return;
  }
}

MeasuredColumns columns_for(const OpenStudy& study) {
  MeasuredColumns columns;
  for (const auto& variable : study.points->variables()) columns.names[variable.name] = variable.type;
  return columns;
}

// The points without their rows: what the columns are called.
std::optional<ResultTable> columns_of(const OpenStudy& study) {
  std::vector<analysis::ColumnValues> none;
  for (const auto& variable : study.points->variables()) {
    const auto* const real = std::get_if<frontend::types::Real>(&variable.type->kind);
    none.push_back(real != nullptr ? analysis::ColumnValues(std::vector<double>{})
                                   : analysis::ColumnValues(std::vector<std::int64_t>{}));
  }
  auto table = study.points->evaluate(none, {});
  if (auto* const made = std::get_if<ResultTable>(&table)) return std::move(*made);
  return std::nullopt;
}

std::optional<ResultTable> read_table(Session& session, const OpenStudy& study, const std::string& name,
                                      const std::string& text, const MeasuredColumns& columns) {
  const MeasuredData data(session.program(), *study.model, session.program().sources.add(name, text), columns,
                          session.diagnostics());
  if (session.diagnostics().has_errors()) return std::nullopt;
  ResultTable table = data.table();
  if (const auto points = columns_of(study)) name_like_results(table, *points);
  return table;
}

void report_plot(Session& session, const WantedPlot& wanted, const std::string& why, const ResultTable& table) {
  const auto is_column = [&](const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const auto& column) { return column.name == name; });
  };
  const Place place = is_column(wanted.choice.y) ? wanted.x : wanted.y;
  auto& d =
      session.diagnostics().add(DiagnosticKind::wrong_study, place,
                                fmt::format("`plot {}` cannot be drawn", wanted.text), place.known() ? "of this" : "");
  d.notes.push_back(why);
  d.help.push_back("what is drawn is varied or shown: `show` it under a name, as in `show cost = total * n`");
}

}  // namespace

std::optional<ResultTable> measurements_of(Session& session, const OpenStudy& study) {
  std::optional<ResultTable> all;
  for (const auto& clause : study.study().measured) {
    const auto text = read_measured(session, clause);
    if (!text) return std::nullopt;
    auto table = read_table(session, study, clause.file.text, *text, columns_for(study));
    if (!table) return std::nullopt;
    // Pictures have one set of measurements: of several files the first that has what is drawn.
    if (!all) all = std::move(table);
  }
  return all;
}

std::optional<ResultTable> read_measurements(Session& session, const OpenStudy& study,
                                             const Measurements& measurements) {
  const auto text = read_text(measurements.data, session.diagnostics());
  if (!text) return std::nullopt;
  MeasuredColumns columns = columns_for(study);
  columns.measured = measurements.measured;
  columns.ignored = measurements.ignored;
  return read_table(session, study, measurements.data, *text, columns);
}

std::vector<Plot> plots_of(Session& session, const frontend::item::Study& study, const ResultTable& table,
                           const ResultTable* measured, const std::string& asked) {
  std::vector<WantedPlot> wanted;
  if (!asked.empty()) {
    auto one = parse_plot(session, asked);
    if (!one) return {};
    wanted.push_back(std::move(*one));
  } else {
    for (const auto& plot : study.plot) wanted.push_back(wanted_of(session, plot));
  }
  if (wanted.empty()) return analysis::pictures::usual_plots(table, measured);
  std::vector<Plot> plots;
  for (const auto& one : wanted) {
    auto plot = analysis::pictures::plot_columns(table, one.choice, measured);
    if (const auto* const why = std::get_if<std::string>(&plot))
      report_plot(session, one, *why, table);
    else
      plots.push_back(std::move(std::get<Plot>(plot)));
  }
  return plots;
}

}  // namespace wave::cli
