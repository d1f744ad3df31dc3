// See study_plots.h: where pictures go.
#include "cli/studies/study_plots.h"

#include "analysis/pictures/terminal_plot.h"
#include "cli/console.h"
#include "cli/plot_files.h"
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

// Names of a model do not command the terminal; ends of lines in them end none.
Plot harmless(Plot plot) {
  const auto clean = [](std::string& text) {
    text = display(text).text;
    std::replace(text.begin(), text.end(), '\n', ' ');
  };
  for (std::string* const text :
       {&plot.title, &plot.by, &plot.x.name, &plot.x.label, &plot.y.name, &plot.y.label, &plot.value.name})
    clean(*text);
  for (auto* const texts : {&plot.series, &plot.x.categories, &plot.y.categories, &plot.notes}) {
    for (std::string& text : *texts) clean(text);
  }
  return plot;
}

// All are as large as was asked for; the texts are of the first.
void style(std::vector<Plot>& plots, const PictureStyle& as) {
  for (Plot& plot : plots) plot.size = as.size;
  if (!plots.empty()) set_texts(plots.front(), as.texts);
}

}  // namespace

bool draw_plots(Session& session, const Drawing& drawing, const std::vector<Plot>& plots, bool results_in_file) {
  auto& console = session.console();
  if (plots.empty()) {
    report_without_location(console, DiagnosticKind::wrong_study, "there is nothing to draw",
                            "a picture needs something that varies, and a number that is shown");
    return false;
  }
  const bool is_done = !drawing.has_file() || write_plots(console, drawing, plots);
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

bool check_drawn(Session& session, const Drawing& drawing, const OpenStudy& study) {
  const auto none = drawing.any() ? table_of_no_points(*study.points) : std::nullopt;
  if (none) plots_of(session, study.study(), *none, nullptr, drawing.asked);
  return !session.diagnostics().has_errors();
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
  auto plots = plots_of(session, study.study(), *table, measured ? &*measured : nullptr, drawing.asked);
  if (!session.settle()) return false;
  style(plots, drawing.style);
  const std::uint64_t all = analysis::Product(*study.points).size();
  for (Plot& plot : plots) {
    if (table->rows < all)
      plot.notes.push_back(fmt::format("of the first {} of {} points", grouped(table->rows), grouped(all)));
  }
  return draw_plots(session, drawing, plots, results_in_file);
}

}  // namespace wave::cli
