// Compares two studies, point by point.
#include "cli/progress.h"
#include "cli/studies/result_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

std::vector<std::size_t> columns_that_vary(const ResultDocument& document) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < document.columns.size(); ++i) {
    if (document.columns[i].is_parameter) columns.push_back(i);
  }
  return columns;
}

// The parameters of a point, as its key.
std::string key_of(const std::vector<DocumentValue>& row, const std::vector<std::size_t>& columns) {
  std::string key;
  for (const std::size_t i : columns) key += text_of(row[i]) + "\n";
  return key;
}

std::string point_text(const ResultDocument& document, const std::vector<DocumentValue>& row) {
  std::string text;
  for (const std::size_t i : columns_that_vary(document)) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", document.columns[i].name, text_of(row[i]));
  }
  return text;
}

struct Largest {
  std::size_t before = 0, after = 0;  // rows
  double part = 0;                    // of the value before
};

}  // namespace

std::optional<Pair> compare_sweeps(Session& session, const ResultDocument& before, const ResultDocument& after,
                                   ResultTables& tables) {
  const auto varied_before = columns_that_vary(before), varied_after = columns_that_vary(after);
  const auto names = [](const ResultDocument& document, const std::vector<std::size_t>& columns) {
    std::vector<std::string> all;
    for (const std::size_t i : columns) all.push_back(document.columns[i].name + " [" + document.columns[i].unit + "]");
    return all;
  };
  if (names(before, varied_before) != names(after, varied_after)) {
    session.diagnostics()
        .add(DiagnosticKind::other_results, {}, "the two studies do not vary the same")
        .notes.push_back(fmt::format("`{}` against `{}`", fmt::join(names(before, varied_before), "`, `"),
                                     fmt::join(names(after, varied_after), "`, `")));
    return std::nullopt;
  }
  std::map<std::string, std::size_t> rows;
  for (std::size_t i = 0; i < before.rows.size(); ++i) rows.emplace(key_of(before.rows[i], varied_before), i);
  std::vector<std::pair<std::size_t, std::size_t>> common;
  for (std::size_t i = 0; i < after.rows.size(); ++i) {
    const auto found = rows.find(key_of(after.rows[i], varied_after));
    if (found != rows.end()) common.emplace_back(found->second, i);
  }
  UnitReader units(session.program());
  tables.begin_table("points",
                     {{"output", text_type(), {}},
                      {"changed", count_type(), {}},
                      {"of", count_type(), {}},
                      {"mean [%]", plain_type(), {}},
                      {"largest [%]", plain_type(), {}},
                      {"at", text_type(), {}}},
                     fmt::format("{} points before, {} after, {} in common", grouped(before.rows.size()),
                                 grouped(after.rows.size()), grouped(common.size())));
  std::optional<Largest> first;
  for (std::size_t i = 0; i < after.columns.size(); ++i) {
    const auto& column = after.columns[i];
    if (column.is_parameter) continue;
    const auto same = [&](const DocumentColumn& one) { return one.name == column.name && !one.is_parameter; };
    const auto other = std::find_if(before.columns.begin(), before.columns.end(), same);
    if (other == before.columns.end()) continue;
    const auto at = static_cast<std::size_t>(other - before.columns.begin());
    Largest largest;
    std::size_t changed = 0;
    double sum = 0;
    std::size_t compared = 0;
    for (const auto& [row_before, row_after] : common) {
      const auto& x = before.rows[row_before][at];
      const auto& y = after.rows[row_after][i];
      const auto a = units.base(x), b = units.base(y);
      if (!a || !b) {
        changed += x == y ? 0 : 1;
        continue;
      }
      if (*a == 0 && *b != 0) {  // no part of nothing
        ++changed;
        continue;
      }
      ++compared;
      const double part = *a == *b ? 0 : (*b - *a) / std::fabs(*a);
      if (std::fabs(part) <= 1e-12) continue;
      ++changed;
      sum += part;
      if (std::fabs(part) > std::fabs(largest.part)) largest = {row_before, row_after, part};
    }
    const auto count = [](std::size_t value) { return ir::Scalar::of(static_cast<std::int64_t>(value)); };
    const bool has_largest = largest.part != 0;
    tables.row({tables.text(column.name), count(changed), count(common.size()),
                ir::Scalar::of(compared > 0 ? 100 * sum / static_cast<double>(compared) : 0),
                ir::Scalar::of(100 * largest.part),
                tables.text(has_largest ? point_text(after, after.rows[largest.after]) : "")});
    if (has_largest && !first) first = largest;
  }
  if (!first) return std::nullopt;
  Pair pair = pair_of_runs(before, after);
  const auto add = [](const ResultDocument& document, const std::vector<DocumentValue>& row, Side& side, auto& cells) {
    for (std::size_t i = 0; i < document.columns.size(); ++i) {
      if (document.columns[i].is_parameter)
        side.given.push_back({document.columns[i].name, text_of(row[i])});
      else
        cells.emplace_back(document.columns[i].name, row[i]);
    }
  };
  add(before, before.rows[first->before], pair.before, pair.cells_before);
  add(after, after.rows[first->after], pair.after, pair.cells_after);
  return pair;
}

}  // namespace wave::cli
