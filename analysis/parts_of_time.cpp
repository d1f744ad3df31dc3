// See parts_of_time.h.
#include "analysis/parts_of_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::analysis {

std::optional<PartsOfTime> parts_of_time(frontend::Lowered& lowered, const std::string& output,
                                         const MakeEngine& engines, const backend::Limits& limits) {
  std::erase_if(lowered.outputs, [&](const frontend::OutputInfo& one) { return one.name != output; });
  if (lowered.outputs.empty()) return std::nullopt;
  const auto found = break_down(lowered, engines, limits);
  if (found.size() != 1 || found[0].failure || !found[0].why_not.empty()) return std::nullopt;
  PartsOfTime result{found[0].total, {}, {}};
  constexpr double rounding = 1e-9;
  double of_processes = 0;
  std::map<std::string, double> kinds;
  for (const PathOfProcess& one : found[0].paths) {
    of_processes += one.times * one.path.total;
    for (const auto& term : one.path.terms) kinds[word_of(kind_of(term))] += one.times * term.sum;
  }
  if (std::fabs(of_processes - result.total) <= rounding * std::fabs(result.total))
    result.kinds.assign(kinds.begin(), kinds.end());
  for (const auto& share : found[0].shares) result.shares.emplace_back(share.of.name, share.time);
  return result;
}

std::vector<std::string> largest_parts(const PartsOfTime& time) {
  constexpr std::size_t most_parts = 3;
  constexpr double least_percent = 1;
  if (time.total == 0) return {};
  std::map<std::string, double> parts;
  for (const auto& [name, part] : time.parts()) parts[name] += part;
  std::vector<std::pair<double, std::string>> sorted;
  double whole = 0;
  for (const auto& [name, part] : parts) whole += part;
  for (const auto& [name, part] : parts) sorted.emplace_back(whole == 0 ? 0 : 100 * part / whole, name);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.first) > std::fabs(b.first); });
  std::vector<std::string> result;
  for (const auto& [percent, name] : sorted) {
    if (result.size() < most_parts && std::fabs(percent) >= least_percent)
      result.push_back(fmt::format("{} {:.0f} %", name, percent));
  }
  return result;
}

}  // namespace wave::analysis
