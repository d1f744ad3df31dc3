// What a strip's code is given, in words, and how the values of whole planes lie in memory.
#pragma once

#include "backend/jit/lanes/strip_plan.h"

#include <cstdint>
#include <string>

namespace wave::jit::lanes {

// Words of the arguments of a strip. Addresses are those of step 0.
struct StripArguments {
  static constexpr std::uint32_t quantum = 0;  // double
  static constexpr std::uint32_t inverse = 1;  // double: 1 / quantum
  static constexpr std::uint32_t rows = 2;     // of the plane
  static constexpr std::uint32_t columns = 3;
  static constexpr std::uint32_t first_row = 4;    // of this strip
  static constexpr std::uint32_t state = 5;        // per event, per step back, per vector: its value
  static constexpr std::uint32_t strip_words = 6;  // from a cell to the same one of the next strip, in whole planes
  static constexpr std::uint32_t row_words = 7;    // from a row of the strip above to the one above that
  static constexpr std::uint32_t period = 8;       // of columns, in tables with a period; at least 1
  static constexpr std::uint32_t origins = 9;
  // The index of an axis where the turned coordinate is 0; of the planes: the present index.
  static std::uint32_t origin(std::uint32_t axis) { return origins + axis; }
  // Per event: where its values are stored, words from step to step there, the rows above and those of this strip for
  // the one below: column 0 of the nearest.
  static std::uint32_t out(std::uint32_t rank, std::uint32_t event) { return origins + rank + 4 * event; }
  static std::uint32_t pitch(std::uint32_t rank, std::uint32_t event) { return out(rank, event) + 1; }
  static std::uint32_t above(std::uint32_t rank, std::uint32_t event) { return out(rank, event) + 2; }
  static std::uint32_t below(std::uint32_t rank, std::uint32_t event) { return out(rank, event) + 3; }
  // Per neighbour that is not near: this strip in its plane, and whether there is such a plane.
  static std::uint32_t far(std::uint32_t rank, std::uint32_t events, std::uint32_t number) {
    return out(rank, events) + 2 * number;
  }
  // Per table: its value, or its address (of this strip's first vector, of column 0).
  static std::uint32_t table(std::uint32_t rank, std::uint32_t events, std::uint32_t fars, std::uint32_t number) {
    return far(rank, events, fars) + number;
  }
};

// Words of the arguments of the code that fills tables; per table: its address, the first index and the last of its
// axis, of a periodic one of the rows, and then of the columns. The first indices of the axes stand for what a table
// does not look at.
struct TableArguments {
  static constexpr std::uint32_t quantum = 0, inverse = 1, firsts = 2, tables = 5;
  static std::uint32_t table(std::uint32_t number) { return tables + 5 * number; }
};

// Whole planes: strip by strip, step by step, vector by vector.
struct StripExtents {
  StripExtents() = default;
  StripExtents(const StripPlan& plan, StripShape shape, std::int64_t rows, std::int64_t columns)
      : rows(rows),
        columns(columns),
        strip_rows(shape.rows()),
        strips((rows + strip_rows - 1) / strip_rows),
        steps(columns + plan.skew * (strip_rows - 1)),
        strip_words(steps * strip_rows),
        plane_words(strips * strip_words) {}
  std::int64_t rows = 0, columns = 0;
  std::int64_t strip_rows = 0, strips = 0, steps = 0;
  std::int64_t strip_words = 0, plane_words = 0;
};

// Of strips in this shape, of which there are three functions.
std::string strip_symbol(std::uint32_t group, StripShape shape);
inline constexpr const char *masked_strip = "_masked", *steady_strip = "_steady", *tables_of_strip = "_tables";

// The place of row x of a strip among the values of a step.
inline std::int64_t place_in_step(StripShape shape, std::int64_t x) {
  return x % shape.vectors * shape.lanes + x / shape.vectors;
}

}  // namespace wave::jit::lanes
