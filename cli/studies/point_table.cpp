// See point_table.h.
#include "cli/studies/point_table.h"

#include "analysis/breakdown.h"
#include "backend/limits.h"
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

std::optional<std::string> override_text(const analysis::ResultColumn& column, std::size_t row) {
  const auto* const reals = std::get_if<std::vector<double>>(&column.values);
  if (reals == nullptr) {
    const bool is_string = column.type && std::holds_alternative<frontend::types::String>(column.type->kind);
    return is_string ? std::nullopt : std::optional(column.name + "=" + value_text(column, row));
  }
  const auto dimension = column.type ? dimension_of(column.type) : std::nullopt;
  if (!dimension || !std::isfinite((*reals)[row])) return std::nullopt;
  std::string text = fmt::format("{}={}", column.name, (*reals)[row]);
  if (*dimension == frontend::Dimension{1, 0, 0})
    text += " ps";
  else if (*dimension == frontend::Dimension{0, 1, 0})
    text += " B";
  else if (!dimension->plain())
    return std::nullopt;
  return text;
}

// --- where the time goes ---

std::optional<PartsOfTime> parts_at(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                    const std::string& output, const std::vector<std::string>& values,
                                    const backend::Limits& limits) {
  // A parameter that varies is given here once, whatever -D says of it.
  std::vector<std::string> given = values;
  for (const auto& one : choice.overrides) {
    const auto name = one.substr(0, one.find('='));
    const auto same = [&](const std::string& value) { return value.substr(0, value.find('=')) == name; };
    if (std::none_of(values.begin(), values.end(), same)) given.push_back(one);
  }
  const auto overrides = check_overrides(session, model, given);
  if (session.diagnostics().has_errors()) return std::nullopt;
  frontend::Diagnostics quiet;
  auto lowered = lower_model(session.program(), model, overrides, quiet, {true, false});
  std::erase_if(lowered.outputs, [&](const frontend::OutputInfo& one) { return one.name != output; });
  if (quiet.has_errors() || lowered.outputs.empty()) return std::nullopt;
  const auto found = analysis::break_down(lowered, engine_maker(session, choice.engine), limits);
  if (found.size() != 1 || found[0].failure || !found[0].why_not.empty()) return std::nullopt;
  PartsOfTime result{found[0].total, {}};
  if (found[0].paths.size() == 1) {
    std::map<std::string, double> kinds;
    for (const auto& term : found[0].paths.front().second.terms)
      kinds[analysis::word_of(analysis::kind_of(term))] += term.sum;
    result.parts.assign(kinds.begin(), kinds.end());
  } else {
    for (const auto& share : found[0].shares) result.parts.emplace_back(share.of.name, share.time);
  }
  return result;
}

std::vector<std::string> largest_parts(Session& session, const frontend::Item& model, const StudyChoice& choice,
                                       const std::string& output, const std::vector<std::string>& values,
                                       double seconds) {
  constexpr std::size_t most_parts = 3;
  constexpr double least_percent = 1;
  auto limits = engine_limits(session.options());
  backend::set_time_limit(limits, seconds);
  const auto found = parts_at(session, model, choice, output, values, limits);
  if (!found || found->total == 0) return {};
  std::map<std::string, double> parts;
  for (const auto& [name, time] : found->parts) parts[name] += time;
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
