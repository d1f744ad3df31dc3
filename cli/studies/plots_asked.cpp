// See study_plots.h: which plots are drawn.
#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/joined_results.h"
#include "cli/studies/study_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

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
  const auto texts = [&](const std::vector<frontend::ExprPtr>& expressions) {
    std::string all;
    for (const auto& one : expressions)
      all += (all.empty() ? "" : ", ") + std::string(session.sources().text(one->location));
    return all;
  };
  wanted.choice.y = texts(plot.y);
  wanted.choice.x = texts(plot.x);
  wanted.y = plot.y.front()->location;
  wanted.x = plot.x.front()->location;
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

using Words = std::vector<std::string>;

// The words that begin at `from`, up to one of `ends`; `from` is then there.
std::string take_words(const Words& words, std::size_t& from, std::initializer_list<std::string_view> ends) {
  std::string text;
  for (; from < words.size() && std::find(ends.begin(), ends.end(), words[from]) == ends.end(); ++from)
    text += (text.empty() ? "" : " ") + words[from];
  return text;
}

// "total, compute vs n by net on log, log". Nothing if it is no such text.
std::optional<PlotChoice> parse_choice(const std::string& asked) {
  std::istringstream stream(asked);
  const Words words{std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
  PlotChoice choice;
  std::size_t at = 0;
  const auto takes = [&](std::string_view word) { return at < words.size() && words[at] == word && ++at; };
  choice.y = take_words(words, at, {"vs"});
  if (choice.y.empty() || !takes("vs")) return std::nullopt;
  choice.x = take_words(words, at, {"vs", "by", "on"});
  if (choice.x.empty()) return std::nullopt;
  if (takes("by")) {
    choice.by = take_words(words, at, {"vs", "by", "on"});
    if (choice.by->empty()) return std::nullopt;
  }
  if (takes("on")) {
    std::string scales = take_words(words, at, {});
    std::replace(scales.begin(), scales.end(), ',', ' ');
    std::istringstream each(scales);
    const Words known{std::istream_iterator<std::string>(each), std::istream_iterator<std::string>()};
    if (known.empty() || !read_scales(known, choice)) return std::nullopt;
  }
  return at == words.size() ? std::optional(choice) : std::nullopt;
}

// Nothing, reported, where it is none.
std::optional<WantedPlot> parse_plot(Session& session, const std::string& asked) {
  if (auto choice = parse_choice(asked)) return WantedPlot{std::move(*choice), asked, {}, {}};
  session.diagnostics()
      .add(DiagnosticKind::wrong_study, {}, fmt::format("`--draw` does not take `{}`", asked))
      .help.push_back(
          "for example `--draw \"total vs n by net on log, log\"`, several results as in `--draw \"total, compute vs "
          "n\"`, a map as in `--draw \"total vs n, m\"`; scales are `log` and `linear`");
  return std::nullopt;
}

void report_plot(Session& session, const WantedPlot& wanted, const std::string& why, const ResultTable& table) {
  const auto are_columns = [&](const std::string& names) {
    const auto all = analysis::pictures::names_in(table, names);
    return std::all_of(all.begin(), all.end(),
                       [&](const auto& name) { return analysis::pictures::find_column(table, name) != nullptr; });
  };
  const bool has_y = are_columns(wanted.choice.y);
  const Location location = has_y ? wanted.x : wanted.y;
  auto& d = session.diagnostics().add(DiagnosticKind::wrong_study, location,
                                      fmt::format("`plot {}` cannot be drawn", wanted.text),
                                      location.known() ? "of this" : "");
  d.notes.push_back(why);
  if (!has_y || !are_columns(wanted.choice.x + (wanted.choice.by ? ", " + *wanted.choice.by : "")))
    d.help.push_back("what is drawn is varied or shown: `show` it under a name, as in `show cost = total * n`");
}

}  // namespace

std::vector<Plot> plots_of(Session& session, const frontend::item::Study& study, const ResultTable& table,
                           const StudyMeasurements* measured, const PlotsAsked& asked) {
  const ResultTable* const rows = measured ? &measured->rows : nullptr;
  std::vector<WantedPlot> wanted;
  for (const std::string& one : asked.of) {
    auto parsed = parse_plot(session, one);
    if (!parsed) return {};
    wanted.push_back(std::move(*parsed));
  }
  if (asked.of.empty()) {
    for (const auto& plot : study.plot) wanted.push_back(wanted_of(session, plot));
  }
  std::vector<Plot> plots;
  if (wanted.empty()) plots = analysis::pictures::usual_plots(table, rows, asked.bars);
  for (auto& one : wanted) {
    one.choice.bars = asked.bars;
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

}  // namespace wave::cli
