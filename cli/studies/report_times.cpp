// See report_parts.h: where time goes at some points of a study.
#include "analysis/breakdown.h"
#include "analysis/pictures/text_table.h"
#include "cli/evaluation.h"
#include "cli/limits.h"
#include "cli/studies/report_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::cli {
namespace {

using analysis::ResultColumn;
using analysis::ResultTable;
using analysis::pictures::Bar;
using analysis::pictures::ColumnReader;

constexpr std::size_t most_bars = 6;

// The value of a parameter as -D takes it, to the last bit. Nothing: it cannot be written so.
std::optional<std::string> written(const ResultColumn& column, std::size_t row) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&column.values)) {
    const auto* const type = column.type ? std::get_if<frontend::types::Real>(&column.type->kind) : nullptr;
    if (type == nullptr || !std::isfinite((*reals)[row])) return std::nullopt;
    std::string text = fmt::format("{}", (*reals)[row]);
    const auto dimension = type->dimension;
    if (dimension == frontend::Dimension{1, 0, 0})
      text += " ps";
    else if (dimension == frontend::Dimension{0, 1, 0})
      text += " B";
    else if (!dimension.plain())
      return std::nullopt;
    return text;
  }
  const ColumnReader reader(column);
  const bool is_string = column.type && std::holds_alternative<frontend::types::String>(column.type->kind);
  return is_string ? std::nullopt : std::optional(reader.text(row));
}

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

// The parts of an output at one point; nothing where they are not found.
std::optional<Bar> bar_at(Session& session, const frontend::Item& model, const StudyChoice& choice,
                          const std::string& output, const std::vector<std::string>& given) {
  const auto overrides = check_overrides(session, model, given);
  if (session.diagnostics().has_errors()) return std::nullopt;
  frontend::Diagnostics quiet;
  auto lowered = lower_model(session.program(), model, overrides, quiet, {true, false});
  std::erase_if(lowered.outputs, [&](const frontend::OutputInfo& one) { return one.name != output; });
  if (quiet.has_errors() || lowered.outputs.empty()) return std::nullopt;
  const auto found =
      analysis::break_down(lowered, engine_maker(session, choice.engine), engine_limits(session.options()));
  if (found.size() != 1 || found[0].failure || !found[0].why_not.empty()) return std::nullopt;
  Bar bar;
  if (found[0].paths.size() == 1) {
    std::map<std::string, double> kinds;
    for (const auto& term : found[0].paths.front().second.terms) kinds[analysis::word_of(term.kind)] += term.sum;
    bar.parts.assign(kinds.begin(), kinds.end());
  } else {
    for (const auto& share : found[0].shares) bar.parts.emplace_back(share.of.name, share.time);
  }
  return bar;
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
  std::vector<Bar> bars;
  for (const std::size_t row : rows_along(table, along)) {
    std::vector<std::string> given;
    std::optional<std::string> text;
    for (const auto& one : table.columns) {
      if (!one.varied) continue;
      text = written(one, row);
      if (!text) break;
      given.push_back(one.name + "=" + *text);
    }
    if (!text) break;
    for (const auto& one : choice.overrides) {
      const auto is_same = [&](const std::string& value) {
        return value.substr(0, value.find('=')) == one.substr(0, one.find('='));
      };
      if (std::none_of(given.begin(), given.end(), is_same)) given.push_back(one);
    }
    auto bar = bar_at(session, *study.model, choice, output, given);
    session.diagnostics() = {};
    if (!bar) continue;
    bar->name = ColumnReader(*column).text(row);
    bars.push_back(std::move(*bar));
  }
  session.diagnostics() = std::move(before);
  if (bars.size() < 2) return std::nullopt;
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
