// A chunk as reductions see it: values as numbers that sort as they do, what is missing, and rows that are kept.
#pragma once

#include "analysis/study/chunk.h"
#include "analysis/study/description.h"
#include "analysis/tables/row_table.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace wave::analysis {

// Rises with the value; both zeros are one. 0: none, a NaN.
inline std::uint64_t order_key(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  if (value != value) return 0;
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}
inline double real_of(std::uint64_t key) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}
// Of whole numbers; the two least have one key.
inline std::uint64_t order_key(std::int64_t value) {
  const std::uint64_t key = static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
  return key == 0 ? 1 : key;
}
inline std::int64_t whole_of(std::uint64_t key) { return static_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63)); }

// A point with what was found there, column by column; nothing where it failed.
struct KeptRow {
  std::uint64_t point = 0;
  std::vector<std::optional<Cell>> cells;
};
void write(ByteWriter& writer, const KeptRow& row);
std::optional<KeptRow> read_kept_row(ByteReader& reader, const StudyDescription& study);

class ChunkValues {
 public:
  // All outlive the object.
  ChunkValues(const StudyDescription& study, const StudyPoints& points, const Chunk& chunk);

  PointRange range() const { return chunk_.range; }
  // Of the rows of the chunk, in the order of the column's values. 0: it has none there. A row that was given up for
  // time or memory has none in any column: another attempt may find some.
  const std::vector<std::uint64_t>& keys(std::size_t column) const;
  // The same in the order of doubles.
  const std::vector<std::uint64_t>& real_keys(std::size_t column) const;
  KeptRow row(std::uint64_t point) const;

 private:
  const ColumnValues& values(std::size_t column) const;
  void blank(std::vector<std::uint64_t>& keys, std::size_t column) const;

  const StudyDescription& study_;
  const StudyPoints& points_;
  const Chunk& chunk_;
  const std::size_t varied_;
  mutable std::vector<ColumnValues> listed_;  // of what varies, once somebody asks
  mutable std::vector<std::vector<std::uint64_t>> keys_, real_keys_;
};

}  // namespace wave::analysis
