// See point_table.h.
#include "cli/studies/point_table.h"

#include "analysis/breakdown.h"
#include "cli/evaluation.h"
#include "cli/formats/rows.h"
#include "cli/limits.h"
#include "cli/results.h"
#include "cli/studies/study_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::cli {

void add_column(OutputTable& table, const analysis::ResultColumn& column) {
  table.columns.push_back(table_column(column, column.varied ? "parameter" : "result"));
}

std::string value_text(const analysis::ResultColumn& column, std::size_t row) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&column.values)) {
    const auto dimension = dimension_of(column.type).value_or(frontend::Dimension{});
    return format_quantity((*reals)[row], dimension, column.unit, point_digits);
  }
  return cell_text(analysis::make_column(column.name, "", column.type, column.unit, column.labels), {},
                   std::get<std::vector<std::int64_t>>(column.values)[row]);
}

// --- where the time goes ---

namespace {

constexpr std::size_t most_parts = 3;
constexpr double least_percent = 1;

bool is_time(const frontend::OutputInfo& output) {
  const auto dimension = output.columns.size() == 1 ? dimension_of(output.columns[0].type) : std::nullopt;
  return dimension && !dimension->plain() && *dimension == frontend::Dimension{1, 0, 0};
}

std::map<std::string, double> parts_of(const analysis::Breakdown& breakdown) {
  std::map<std::string, double> parts;
  if (breakdown.paths.size() == 1) {
    for (const auto& term : breakdown.paths.front().second.terms) parts[analysis::word_of(term.kind)] += term.sum;
    return parts;
  }
  for (const auto& share : breakdown.shares) parts[share.of.name] += share.time;
  return parts;
}

}  // namespace

std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds) {
  // A parameter that varies is given here once, whatever -D says of it.
  std::vector<std::string> given = values;
  for (const auto& one : choice.overrides) {
    const auto name = one.substr(0, one.find('='));
    const auto same = [&](const std::string& value) { return value.substr(0, value.find('=')) == name; };
    if (std::none_of(values.begin(), values.end(), same)) given.push_back(one);
  }
  const auto overrides = check_overrides(session, model, given);
  if (session.diagnostics().has_errors()) return {};
  frontend::Diagnostics quiet;
  auto lowered = lower_model(session.program(), model, overrides, quiet, {true, false});
  std::erase_if(lowered.outputs, [&](const frontend::OutputInfo& one) { return one.name != output || !is_time(one); });
  if (quiet.has_errors() || lowered.outputs.empty()) return {};
  auto limits = engine_limits(session.options());
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                           std::chrono::duration<double>(std::min(seconds, 1e8)));
  limits.time_budget_seconds = seconds;
  const auto breakdowns = analysis::break_down(lowered, engine_maker(session, choice.engine), limits);
  if (breakdowns.empty() || breakdowns[0].failure || !breakdowns[0].why_not.empty() || breakdowns[0].total == 0)
    return {};
  const auto parts = parts_of(breakdowns[0]);
  std::vector<std::pair<double, std::string>> sorted;
  double whole = 0;
  for (const auto& [name, time] : parts) whole += time;
  for (const auto& [name, time] : parts) sorted.emplace_back(whole == 0 ? 0 : 100 * time / whole, name);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.first) > std::fabs(b.first); });
  std::vector<std::string> result;
  for (const auto& [percent, name] : sorted) {
    if (result.size() < most_parts && std::fabs(percent) >= least_percent)
      result.push_back(fmt::format("{} {:.0f} %", name, percent));
  }
  return result;
}

}  // namespace wave::cli
