// See gathered_table.h.
#include "frontend/source/gathered_table.h"

#include <algorithm>
#include <set>

namespace wave::frontend {

std::optional<std::uint32_t> GatheredTable::column(std::string_view name, std::uint32_t begin, std::uint32_t end) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  if (names.size() >= most_columns) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(names.size());
  header.push_back({names.emplace_back(name), begin, end});
  numbers_.emplace(name, number);
  return number;
}

void SeriesRows::add(Source source, const GatheredRow& row, const CsvCell& value) {
  const auto [found, is_new] = numbers_.emplace(std::pair(source.metric, source.path), sources_.size());
  if (is_new) sources_.push_back(std::move(source));
  rows_.push_back({found->second, row, value});
}

void SeriesRows::finish(GatheredTable& table, std::string_view asked) {
  std::set<std::string> paths;
  for (const Source& one : sources_) paths.insert(one.path);
  for (const Source& one : sources_) {
    const std::string metric = one.metric.empty() ? "value" : one.metric;
    table.series.push_back(paths.size() > 1 ? metric + " of " + one.path : metric);
  }
  const auto found = std::find(table.series.begin(), table.series.end(), asked);
  std::size_t chosen = 0;
  if (found != table.series.end()) {
    chosen = static_cast<std::size_t>(found - table.series.begin());
  } else if (table.series.size() > 1) {
    const Source& second = sources_[1];
    table.header_trouble =
        TableTrouble{second.begin, second.end, "measurements of several things", "this is another", {}, {}, false};
  }
  const auto& name = table.series[chosen];
  const auto number = table.column(name, sources_[chosen].begin, sources_[chosen].end);
  for (Row& one : rows_) {
    if (one.source != chosen || !number) continue;
    one.row.own = {*number, one.value};
    table.rows.push_back(one.row);
  }
}

}  // namespace wave::frontend
