// See study_plots.h.
#include "cli/studies/study_plots.h"

#include "analysis/pictures/drawing.h"
#include "analysis/pictures/terminal_plot.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/studies/evaluated_points.h"
#include "cli/studies/study_measurements.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace wave::cli {
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Plot;
using analysis::pictures::PlotChoice;
using frontend::DiagnosticKind;
using frontend::Location;

struct WantedPlot {
  PlotChoice choice;
  std::string text;  // "total vs n by net"
  Location y, x;
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
    return std::string(session.sources().text(expression->location));
  };
  wanted.choice.y = text(plot.y);
  wanted.choice.x = text(plot.x);
  wanted.y = plot.y->location;
  wanted.x = plot.x->location;
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

void report_plot(Session& session, const WantedPlot& wanted, const std::string& why, const ResultTable& table) {
  const auto is_column = [&](const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [&](const auto& column) { return column.name == name; });
  };
  const Location location = is_column(wanted.choice.y) ? wanted.x : wanted.y;
  auto& d = session.diagnostics().add(DiagnosticKind::wrong_study, location,
                                      fmt::format("`plot {}` cannot be drawn", wanted.text),
                                      location.known() ? "of this" : "");
  d.notes.push_back(why);
  d.help.push_back("what is drawn is varied or shown: `show` it under a name, as in `show cost = total * n`");
}

}  // namespace

std::vector<Plot> plots_of(Session& session, const frontend::item::Study& study, const ResultTable& table,
                           const StudyMeasurements* measured, const std::string& asked) {
  const ResultTable* const rows = measured ? &measured->rows : nullptr;
  std::vector<WantedPlot> wanted;
  if (!asked.empty()) {
    auto one = parse_plot(session, asked);
    if (!one) return {};
    wanted.push_back(std::move(*one));
  } else {
    for (const auto& plot : study.plot) wanted.push_back(wanted_of(session, plot));
  }
  std::vector<Plot> plots;
  if (wanted.empty()) plots = analysis::pictures::usual_plots(table, rows);
  for (const auto& one : wanted) {
    auto plot = analysis::pictures::plot_columns(table, one.choice, rows);
    if (const auto* const why = std::get_if<std::string>(&plot))
      report_plot(session, one, *why, table);
    else
      plots.push_back(std::move(std::get<Plot>(plot)));
  }
  for (Plot& plot : plots) {
    if (measured && !measured->elsewhere.empty() && plot.kind != Plot::Kind::heat_map)
      plot.notes.push_back(measured->elsewhere);
  }
  return plots;
}

namespace {

using analysis::Chunk;
using analysis::ColumnValues;
using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Plot;
using frontend::DiagnosticKind;

// More rows make no other picture.
constexpr std::uint64_t most_rows_drawn = 500'000;

void append(ColumnValues& to, const ColumnValues& from) {
  std::visit(
      [&](auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if (const auto* const more = std::get_if<Values>(&from))
          values.insert(values.end(), more->begin(), more->end());
      },
      to);
}

// Strings that were found: each chunk counts its own.
ColumnValues renumbered(const analysis::Cells& from, ResultColumn& to) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t value : std::get<std::vector<std::int64_t>>(from.values)) {
    if (value < 0 || static_cast<std::size_t>(value) >= from.labels.size()) {
      numbers.push_back(-1);
      continue;
    }
    const std::string& label = from.labels[static_cast<std::size_t>(value)];
    const auto location = std::find(to.labels.begin(), to.labels.end(), label);
    numbers.push_back(location - to.labels.begin());
    if (location == to.labels.end()) to.labels.push_back(label);
  }
  return numbers;
}

// Nothing: what was kept cannot be read any more.
std::optional<ResultTable> read_table(const OpenStudy& study, const std::vector<StoredChunk>& chunks) {
  const auto& variables = study.points->variables();
  const analysis::Product product(*study.points);
  auto table = table_of_no_points(*study.points);
  if (!table) return std::nullopt;
  for (const StoredChunk& stored : chunks) {
    if (table->rows >= most_rows_drawn) break;
    const std::optional<Chunk> chunk = stored.journal->read(stored.entry);
    if (!chunk || variables.size() + chunk->columns.size() != table->columns.size()) return std::nullopt;
    const auto points = product.points(chunk->range.begin, chunk->range.end);
    for (std::size_t i = 0; i < variables.size(); ++i) append(table->columns[i].values, points[i]);
    for (std::size_t i = 0; i < chunk->columns.size(); ++i) {
      ResultColumn& column = table->columns[variables.size() + i];
      for (const std::uint64_t point : chunk->columns[i].missing)
        column.missing.push_back(table->rows + (point - chunk->range.begin));
      append(column.values,
             chunk->columns[i].labels.empty() ? chunk->columns[i].values : renumbered(chunk->columns[i], column));
    }
    table->rows += chunk->range.size();
  }
  return table;
}

// UTF-8 is what the environment asks for.
bool has_unicode() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find("utf-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return true;
}

analysis::pictures::TerminalStyle style_for(Console& console, bool on_output) {
  analysis::pictures::TerminalStyle style;
  style.unicode = has_unicode();
  winsize size{};
  if (ioctl(on_output ? STDOUT_FILENO : STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    constexpr std::size_t widest = 120, shortest = 10, tallest = 24;
    style.width = std::min<std::size_t>(widest, size.ws_col);
    style.height = std::clamp<std::size_t>(size.ws_row / 2, shortest, tallest);
  }
  if (on_output && console.result_palette().is_coloured()) {
    style.colours = {"\x1b[34m", "\x1b[33m", "\x1b[32m", "\x1b[35m", "\x1b[36m", "\x1b[31m"};
    style.colour_end = "\x1b[0m";
  }
  return style;
}

bool write_plot(Session& session, const Plot& plot, const std::string& path, drawing::Format format) {
  auto& console = session.console();
  analysis::pictures::make_room_for_drawing();
  const auto drawn = analysis::pictures::draw_file(plot, format);
  if (drawn.index() == 1) {
    report_without_location(console, DiagnosticKind::engine_unavailable, fmt::format("`{}` cannot be drawn", path),
                            std::get<1>(drawn));
    return false;
  }
  const std::string trouble = replace_file(path, std::get<0>(drawn));
  if (trouble.empty()) return true;
  report_without_location(console, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", path), trouble);
  return false;
}

// Names of a model do not command the terminal; ends of lines in them end none.
Plot harmless(Plot plot) {
  const auto clean = [](std::string& text) {
    text = display(text).text;
    std::replace(text.begin(), text.end(), '\n', ' ');
  };
  for (std::string* const text : {&plot.title, &plot.by, &plot.x.name, &plot.y.name, &plot.value.name}) clean(*text);
  for (auto* const texts : {&plot.series, &plot.x.categories, &plot.y.categories, &plot.notes}) {
    for (std::string& text : *texts) clean(text);
  }
  return plot;
}

}  // namespace

bool draw_plots(Session& session, const Drawing& drawing, const std::vector<Plot>& plots, bool results_in_file) {
  auto& console = session.console();
  if (plots.empty()) {
    report_without_location(console, DiagnosticKind::wrong_study, "there is nothing to draw",
                            "a picture needs something that varies, and a number that is shown");
    return false;
  }
  bool is_done = true;
  if (!drawing.svg.empty()) is_done = write_plot(session, plots.front(), drawing.svg, drawing::Format::svg) && is_done;
  if (!drawing.png.empty()) is_done = write_plot(session, plots.front(), drawing.png, drawing::Format::png) && is_done;
  const bool has_file = !drawing.svg.empty() || !drawing.png.empty();
  if (has_file && plots.size() > 1) {
    console.remark(fmt::format("drawn: `{}`, the first of {} plots; `--draw` chooses another\n", plots.front().title,
                               plots.size()));
  }
  if (!drawing.in_terminal) return is_done;
  std::string text;
  const auto style = style_for(console, results_in_file);
  for (const Plot& plot : plots)
    text += (text.empty() ? "" : "\n") + analysis::pictures::draw_in_text(harmless(plot), style);
  if (results_in_file)
    console.print(text, Printed::coloured);
  else
    console.remark(text);
  return is_done;
}

bool draw_results(Session& session, const Drawing& drawing, const OpenStudy& study,
                  const std::vector<StoredChunk>& chunks, bool results_in_file) {
  if (!drawing.any()) return true;
  const auto table = read_table(study, chunks);
  if (!table) {
    report_without_location(session.console(), DiagnosticKind::cannot_read,
                            "the results cannot be read again to be drawn", "");
    return false;
  }
  const auto measured = measurements_of(session, study);
  if (!session.settle()) return false;
  auto plots = plots_of(session, study.study(), *table, measured ? &*measured : nullptr, drawing.of);
  if (!session.settle()) return false;
  const std::uint64_t all = analysis::Product(*study.points).size();
  for (Plot& plot : plots) {
    if (table->rows < all)
      plot.notes.push_back(fmt::format("of the first {} of {} points", grouped(table->rows), grouped(all)));
  }
  return draw_plots(session, drawing, plots, results_in_file);
}

}  // namespace wave::cli
