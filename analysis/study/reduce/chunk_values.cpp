// See chunk_values.h.
#include "analysis/study/reduce/chunk_values.h"

#include <algorithm>

namespace wave::analysis {
namespace {

enum class CellCode : std::uint8_t { nothing = 0, real = 1, whole = 2, truth = 3, text = 4 };

CellCode code_for(CellKind kind) {
  switch (kind) {
    case CellKind::real: return CellCode::real;
    case CellKind::integer: return CellCode::whole;
    case CellKind::truth: return CellCode::truth;
    case CellKind::word: return CellCode::text;
  }
  return CellCode::nothing;
}

template <class Code>
std::vector<std::uint64_t> keys_of(const ColumnValues& values, Code code) {
  return std::visit(
      [&](const auto& column) {
        std::vector<std::uint64_t> keys;
        keys.reserve(column.size());
        for (const auto value : column) keys.push_back(code(value));
        return keys;
      },
      values);
}

}  // namespace

void write(ByteWriter& writer, const KeptRow& row) {
  writer.number(row.point);
  for (const auto& cell : row.cells) {
    writer.number(static_cast<std::uint8_t>(cell ? cell->index() + 1 : 0));
    if (!cell) continue;
    if (const auto* real = std::get_if<double>(&*cell)) writer.number(*real);
    if (const auto* whole = std::get_if<std::int64_t>(&*cell)) writer.number(*whole);
    if (const auto* truth = std::get_if<bool>(&*cell)) writer.number(static_cast<std::uint8_t>(*truth ? 1 : 0));
    if (const auto* text = std::get_if<std::string>(&*cell)) writer.text(*text);
  }
}

std::optional<KeptRow> read_kept_row(ByteReader& reader, const StudyDescription& study) {
  KeptRow row;
  row.point = reader.number<std::uint64_t>();
  for (std::size_t i = study.varied(); i < study.columns.size(); ++i) {
    const auto code = static_cast<CellCode>(reader.number<std::uint8_t>());
    auto& cell = row.cells.emplace_back();
    if (code != CellCode::nothing && code != code_for(study.columns[i].kind)) return std::nullopt;
    if (code == CellCode::real) cell = reader.number<double>();
    if (code == CellCode::whole) cell = reader.number<std::int64_t>();
    if (code == CellCode::truth) cell = reader.number<std::uint8_t>() != 0;
    if (code == CellCode::text) cell = reader.text();
  }
  return reader.ok() && row.point < study.points ? std::optional(std::move(row)) : std::nullopt;
}

ChunkValues::ChunkValues(const StudyDescription& study, const StudyPoints& points, const Chunk& chunk)
    : study_(study),
      points_(points),
      chunk_(chunk),
      varied_(study.varied()),
      keys_(study.columns.size()),
      real_keys_(study.columns.size()) {}

const ColumnValues& ChunkValues::values(std::size_t column) const {
  if (column >= varied_) return chunk_.columns[column - varied_].values;
  if (listed_.empty()) listed_ = points_.at(chunk_.range);
  return listed_[column];
}

void ChunkValues::blank(std::vector<std::uint64_t>& keys, std::size_t column) const {
  const auto forget = [&](const std::vector<std::uint64_t>& points) {
    for (const std::uint64_t point : points) keys[point - chunk_.range.begin] = 0;
  };
  if (column >= varied_) forget(chunk_.columns[column - varied_].missing);
  for (const auto& one : chunk_.failed) {
    if (one.was_given_up()) forget(one.rows);
  }
}

const std::vector<std::uint64_t>& ChunkValues::keys(std::size_t column) const {
  auto& keys = keys_[column];
  if (!keys.empty()) return keys;
  keys = keys_of(values(column), [](auto value) { return order_key(value); });
  blank(keys, column);
  return keys;
}

const std::vector<std::uint64_t>& ChunkValues::real_keys(std::size_t column) const {
  if (study_.columns[column].kind == CellKind::real) return keys(column);
  auto& keys = real_keys_[column];
  if (!keys.empty()) return keys;
  keys = keys_of(values(column), [](auto value) { return order_key(static_cast<double>(value)); });
  blank(keys, column);
  return keys;
}

KeptRow ChunkValues::row(std::uint64_t point) const {
  KeptRow kept{point, {}};
  const std::size_t row = point - chunk_.range.begin;
  for (std::size_t i = 0; i < chunk_.columns.size(); ++i) {
    const Cells& cells = chunk_.columns[i];
    const Column& column = study_.columns[varied_ + i];
    auto& cell = kept.cells.emplace_back();
    if (std::binary_search(cells.missing.begin(), cells.missing.end(), point)) continue;
    if (const auto* reals = std::get_if<std::vector<double>>(&cells.values)) {
      cell = (*reals)[row];
      continue;
    }
    const std::int64_t value = std::get<std::vector<std::int64_t>>(cells.values)[row];
    if (column.kind == CellKind::truth)
      cell = value != 0;
    else if (column.kind == CellKind::word)
      cell = std::string(word_of(column, cells.labels, value));
    else
      cell = value;
  }
  return kept;
}

}  // namespace wave::analysis
