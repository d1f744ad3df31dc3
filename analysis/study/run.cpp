// See run.h.
#include "analysis/study/run.h"

#include "analysis/batch.h"
#include "backend/limits.h"
#include "base/clock.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace wave::analysis {
namespace {

using Clock = std::chrono::steady_clock;

// A chunk may take this much longer than the one before, and always this long, before it is taken apart.
constexpr double surprise = 20, patience_seconds = 5;

// Values of strings count by texts of their own chunk: those that it uses, in the order of their use.
void append_words(Cells& to, const Cells& from) {
  const auto& values = std::get<std::vector<std::int64_t>>(from.values);
  std::unordered_map<std::string, std::int64_t> known;
  for (std::size_t i = 0; i < to.labels.size(); ++i) known.emplace(to.labels[i], static_cast<std::int64_t>(i));
  std::unordered_map<std::int64_t, std::int64_t> meaning;
  auto& all = std::get<std::vector<std::int64_t>>(to.values);
  auto missing = from.missing.begin();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (missing != from.missing.end() && *missing == row) {
      ++missing;
      all.push_back(0);  // uses none
      continue;
    }
    const std::int64_t value = values[row];
    const auto [found, is_new] = meaning.try_emplace(value);
    if (is_new) {
      const bool is_there = value >= 0 && static_cast<std::size_t>(value) < from.labels.size();
      const std::string text = is_there ? from.labels[static_cast<std::size_t>(value)] : std::string();
      found->second = known.try_emplace(text, static_cast<std::int64_t>(to.labels.size())).first->second;
      if (static_cast<std::size_t>(found->second) == to.labels.size()) to.labels.push_back(text);
    }
    all.push_back(found->second);
  }
}

// `begin`: the point of the first row, from which those that are missing in `from` are counted.
void append_column(Cells& to, Cells& from, std::uint64_t begin, bool is_first) {
  for (const std::size_t row : from.missing) to.missing.push_back(begin + row);
  if (is_first && from.labels.empty()) {
    to.values = std::move(from.values);
    return;
  }
  if (is_first && std::holds_alternative<std::vector<std::int64_t>>(from.values))
    to.values = std::vector<std::int64_t>();
  if (std::holds_alternative<std::vector<std::int64_t>>(from.values) && !from.labels.empty()) {
    append_words(to, from);
    return;
  }
  std::visit(
      [&](auto& all) {
        const auto& more = std::get<std::remove_reference_t<decltype(all)>>(from.values);
        all.insert(all.end(), more.begin(), more.end());
      },
      to.values);
}

// The results of the points that follow those in the chunk; `begin` is the first of them.
void append(Chunk& chunk, std::uint64_t begin, ResultTable&& table) {
  const bool is_first = chunk.columns.empty();
  std::size_t at = 0;
  for (auto& column : table.columns) {
    if (column.varied) continue;
    if (is_first) chunk.columns.emplace_back();
    append_column(chunk.columns[at++], column, begin, is_first);
  }
  append_failed(chunk.failed, table.failed, begin);
}

// A row without values: a point that no evaluation comes back from.
void append_nothing(Chunk& chunk, std::uint64_t point, const std::vector<Shown>& shown, const RowFailure& why) {
  ResultTable row;
  row.rows = 1;
  row.failed.push_back({why, {0}});
  for (const auto& one : shown) {
    const bool is_real = !one.type || std::holds_alternative<frontend::types::Real>(one.type->kind);
    const ColumnValues nothing =
        is_real ? ColumnValues(std::vector<double>{std::nan("")}) : ColumnValues(std::vector<std::int64_t>{0});
    row.columns.push_back({{nothing, {0}, {}}, one.name, one.type, one.unit, "", false});
  }
  append(chunk, point, std::move(row));
}

}  // namespace

ChunkComputer::ChunkComputer(StudyModel& model, const StudyId& study, PointLimits limits, const std::atomic<bool>& stop)
    : model_(model), product_(model), study_(study), limits_(limits), stop_(stop) {}

backend::Limits ChunkComputer::limits_for(PointRange range) const {
  backend::Limits limits;
  limits.memory_bytes = limits_.memory_bytes;
  limits.stop = &stop_;
  double seconds = limits_.seconds;
  if (range.size() > 1) {
    const double expected = seconds_per_point_ * static_cast<double>(range.size());
    seconds = std::min(seconds, std::max(patience_seconds, surprise * expected));
  }
  backend::set_time_limit(limits, seconds);
  return limits;
}

// What is too much for all of a range is tried with its halves, and for a point alone is an error of that point.
bool ChunkComputer::evaluate(PointRange range, Chunk& chunk) {
  if (stop_.load(std::memory_order_relaxed)) return false;
  const std::uint64_t done = range.begin - range_.begin;
  const auto tell = [&](std::size_t rows) {
    if (progress_) progress_(done + rows);
  };
  auto outcome = model_.evaluate(product_.points(range.begin, range.end), limits_for(range), tell);
  if (stop_.load(std::memory_order_relaxed)) return false;  // it may have failed for that alone
  if (auto* const table = std::get_if<ResultTable>(&outcome)) {
    append(chunk, range.begin, std::move(*table));
    return true;
  }
  if (range.size() > 1) {
    const std::uint64_t middle = range.begin + range.size() / 2;
    return evaluate({range.begin, middle}, chunk) && evaluate({middle, range.end}, chunk);
  }
  append_nothing(chunk, range.begin, model_.shown(), explain(model_.lowered(), std::get<ir::Failure>(outcome)));
  return true;
}

std::optional<std::string> ChunkComputer::compute(PointRange range,
                                                  const std::function<void(std::uint64_t points)>& progress) {
  const auto chunk = find(range, progress);
  return chunk ? std::optional(encode(study_, *chunk)) : std::nullopt;
}

std::optional<Chunk> ChunkComputer::find(PointRange range, const std::function<void(std::uint64_t points)>& progress) {
  const auto begin = Clock::now();
  range_ = range;
  progress_ = progress;
  Chunk chunk;
  chunk.range = range;
  chunk.limits = limits_;
  const bool is_whole = evaluate(range, chunk);
  progress_ = {};
  if (!is_whole) return std::nullopt;
  seconds_per_point_ = seconds_since(begin) / static_cast<double>(range.size());
  computed_ += range.size();
  return chunk;
}

std::optional<ResultTable> read_results(const Journal& journal, const StudyModel& model) {
  Chunk all;
  for (const auto& entry : journal.entries()) {
    auto chunk = journal.read(entry);
    if (!chunk || entry.range.begin != all.range.end || chunk->columns.size() != model.shown().size())
      return std::nullopt;
    const bool is_first = all.columns.empty();
    all.columns.resize(chunk->columns.size());
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
      for (std::uint64_t& point : chunk->columns[i].missing) point -= entry.range.begin;
      append_column(all.columns[i], chunk->columns[i], entry.range.begin, is_first);
    }
    append_failed(all.failed, chunk->failed, 0);
    all.range.end = entry.range.end;
  }
  auto points = Product(model).points(0, all.range.end);
  ResultTable table;
  table.rows = all.range.end;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& one = model.variables()[i];
    table.columns.push_back({{std::move(points[i]), {}, one.labels}, one.name, one.type, one.unit, one.doc, true});
  }
  for (std::size_t i = 0; i < all.columns.size(); ++i) {
    const auto& one = model.shown()[i];
    table.columns.push_back({std::move(all.columns[i]), one.name, one.type, one.unit, one.doc, false});
  }
  table.failed = std::move(all.failed);
  return table;
}

void ChunkSizes::took(std::uint64_t points, double seconds) {
  constexpr std::uint64_t growth = 8;  // the first points pay for what is made only once
  const double wanted = static_cast<double>(points) * wanted_seconds / std::max(seconds, 1e-9);
  const std::uint64_t most = std::min(largest, points > largest / growth ? largest : points * growth);
  next_ = wanted >= static_cast<double>(most) ? most : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
}

TriedPoints try_points(ChunkComputer& computer, const std::function<bool()>& stop) {
  constexpr double enough_seconds = 0.3;
  ChunkSizes sizes;
  TriedPoints tried;
  for (double total = 0; total < enough_seconds && !stop();) {
    const auto begin = Clock::now();
    const std::uint64_t points = sizes.next();
    if (!computer.compute({0, points})) break;
    const double seconds = seconds_since(begin);
    tried = {points, seconds / static_cast<double>(points)};
    total += seconds;
    sizes.took(points, seconds);
  }
  return tried;
}

RunEnd run_here(ChunkComputer& computer, PointSet open, const RecordSink& sink,
                const std::function<void(std::uint64_t points)>& progress) {
  ChunkSizes sizes;
  std::uint64_t done = 0;
  const auto tell = [&](std::uint64_t points) {
    if (progress) progress(done + points);
  };
  while (!open.empty()) {
    const auto begin = Clock::now();
    const PointRange range = open.take(sizes.next());
    const auto record = computer.compute(range, tell);
    if (!record) return {true, ""};
    if (std::string trouble = sink(range, *record); !trouble.empty()) return {false, std::move(trouble)};
    done += range.size();
    tell(0);
    sizes.took(range.size(), seconds_since(begin));
  }
  return {};
}

}  // namespace wave::analysis
