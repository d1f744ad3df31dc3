// See random_study.h.
#include "tests/unit/study/random_study.h"

#include <algorithm>
#include <cmath>

namespace wave::test {
namespace {

using namespace wave::analysis;
namespace types = frontend::types;

Column column_of(const std::string& name, CellKind kind, std::optional<ColumnValues> listed = {}) {
  Column column;
  column.name = name;
  column.kind = kind;
  column.listed = std::move(listed);
  return column;
}

// Few different ones, or all bits that a double has.
double random_real(Random& random, int kind) {
  const auto few = static_cast<double>(below(random, 7)) - 3;
  switch (kind) {
    case 0: return few;
    case 1: return few + static_cast<double>(below(random, 1000)) * 1e-9;
    case 2:
      return std::ldexp(static_cast<double>(below(random, std::uint64_t{1} << 53)),
                        static_cast<int>(below(random, 200)) - 120);
    case 3: return below(random, 40) == 0 ? (few < 0 ? -1 : 1) * std::numeric_limits<double>::infinity() : few;
    default: return 1 + std::ldexp(static_cast<double>(below(random, 1 << 20)), -52);  // many in one bin
  }
}

Selection random_selection(Random& random, bool of_rows, std::uint64_t all) {
  const Selection whole = of_rows ? Selection::all_rows() : Selection();
  if (below(random, 2) == 0) return whole;
  Selection some = whole.emptied();
  for (std::uint64_t i = 0; i < all; ++i) {
    if (below(random, 3) > 0) some.add(i);
  }
  return some.size() > 0 ? some : whole;
}

template <class Value>
Value any_of(Random& random, const std::vector<Value>& values) {
  return values[below(random, values.size())];
}

StudyDescription random_description(Random& random) {
  StudyDescription study;
  study.version = "1.2.3";
  const bool of_rows = below(random, 3) == 0;
  const std::uint64_t rows = 1 + below(random, 300);
  const auto count = [&](std::uint64_t most) { return of_rows ? rows : 1 + below(random, most); };
  std::vector<std::int64_t> n(count(12)), net(count(3));
  std::vector<double> works(count(9));
  for (auto& one : n) one = static_cast<std::int64_t>(below(random, 9));
  for (auto& one : net) one = static_cast<std::int64_t>(below(random, 3));
  for (auto& one : works) one = 0.1 * static_cast<double>(below(random, 5));
  const std::uint64_t all = of_rows ? rows : n.size() * net.size() * works.size();
  study.columns = {column_of("n", CellKind::integer, n), column_of("W", CellKind::real, works),
                   column_of("net", CellKind::word, net)};
  study.columns[1].dimension = {1, 0, 0};
  study.columns[2].words = {"SP2()", "XT4()", "Alps()"};
  study.columns.push_back(column_of("total", CellKind::real));
  study.columns.push_back(column_of("share", CellKind::real));
  study.columns.push_back(column_of("steps", CellKind::integer));
  study.columns.push_back(column_of("name", CellKind::word));
  study.columns[3].dimension = {1, 0, 0};
  study.selection = random_selection(random, of_rows, all);
  study.points = study.selection.is_all() ? all : study.selection.size();
  return study;
}

template <class Value>
Cells cells_of(const std::vector<std::optional<Value>>& values, PointRange range) {
  Cells cells;
  std::vector<Value> column;
  for (std::uint64_t point = range.begin; point < range.end; ++point) {
    if (!values[point]) cells.missing.push_back(point);
    column.push_back(values[point].value_or(Value{}));
  }
  cells.values = std::move(column);
  return cells;
}

Cells words_of(const std::vector<std::optional<std::string>>& values, PointRange range) {
  std::vector<std::optional<std::int64_t>> numbers(range.end);
  std::vector<std::string> labels;
  for (std::uint64_t point = range.begin; point < range.end; ++point) {
    if (!values[point]) continue;
    const auto found = std::find(labels.begin(), labels.end(), *values[point]);
    numbers[point] = found - labels.begin();
    if (found == labels.end()) labels.push_back(*values[point]);
  }
  Cells cells = cells_of(numbers, range);
  cells.labels = std::move(labels);
  return cells;
}

}  // namespace

std::uint64_t below(Random& random, std::uint64_t end) { return random() % end; }

Chunk RandomStudy::chunk(PointRange range) const {
  Chunk chunk;
  chunk.range = range;
  chunk.columns = {cells_of(total, range), cells_of(share, range), cells_of(steps, range), words_of(name, range)};
  for (const int kind : {1, 2}) {
    FailedRows failed;
    failed.words = kind == 1 ? "no good" : "out of time";
    for (std::uint64_t point = range.begin; point < range.end; ++point) {
      if (failure[point] == kind) failed.rows.push_back(point);
    }
    if (failed.rows.empty()) continue;
    const auto why = kind == 1 ? frontend::DiagnosticKind::require_failed : frontend::DiagnosticKind::out_of_time;
    failed.diagnostic = {why, "point " + std::to_string(failed.rows.front()), {}, {}, {}};
    chunk.failed.push_back(std::move(failed));
  }
  return chunk;
}

RandomStudy random_study(Random& random) {
  RandomStudy study;
  study.description = random_description(random);
  const int total_kind = static_cast<int>(below(random, 5)), share_kind = static_cast<int>(below(random, 5));
  const std::uint64_t failing = below(random, 3) == 0 ? 2 : 10;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    const int failure = below(random, failing) == 0 ? 1 + static_cast<int>(below(random, 2)) : 0;
    const auto is_there = [&] { return failure == 0 || below(random, 2) == 0; };
    study.failure.push_back(failure);
    study.total.push_back(is_there() ? std::optional(random_real(random, total_kind)) : std::nullopt);
    study.share.push_back(is_there() ? std::optional(random_real(random, share_kind)) : std::nullopt);
    const std::int64_t large = below(random, 20) == 0 ? std::int64_t{1} << 60 : 0;
    const auto steps = static_cast<std::int64_t>(below(random, 30)) - 9 + large;
    study.steps.push_back(is_there() ? std::optional(steps) : std::nullopt);
    study.name.push_back(is_there() ? std::optional(any_of<std::string>(random, {"a", "b", "", "c"})) : std::nullopt);
  }
  return study;
}

std::vector<PointRange> random_ranges(Random& random, std::uint64_t points) {
  const std::uint64_t most = 1 + below(random, points);
  std::vector<PointRange> ranges;
  for (std::uint64_t begin = 0; begin < points;) {
    const std::uint64_t end = std::min(points, begin + 1 + below(random, most));
    ranges.push_back({begin, end});
    begin = end;
  }
  std::shuffle(ranges.begin(), ranges.end(), random);
  return ranges;
}

}  // namespace wave::test
