// What a compiled sweep consists of: the events in their order, what is kept between steps, and what the code is given.
#pragma once

#include "backend/jit/sweep/schedule.h"

#include <string>

namespace wave::jit::sweep {

// The shape of the code.
struct Shape {
  int lanes = 8;               // consecutive tiles
  int rows = 4;                // in registers
  bool full = true;            // every lane holds a tile
  bool inner = true;           // all rows are far from the borders
  std::string symbol() const;  // of the code
};

struct Need {
  Dependence dependence;
  Offset distance{};
};

struct Plan {
  Events events;
  StepOrder schedule;
  std::vector<Need> needs{};
  Offset gates_low{}, gates_high{};                             // how far from the borders a process is an inner one
  std::vector<int> columns_back{}, rows_back{}, planes_back{};  // per event: how long its values are needed
  std::vector<bool> one_plane{};                                // per event: a plane may be overwritten as it is read
  int padding_columns = 0, padding_rows = 0;
  int alive = 0;  // vectors from step to step, per row
};

// Bytes that this many choices take in the record of a step.
std::int64_t record_bytes(std::size_t choices, int lanes);

std::optional<Plan> make_plan(const backend::processes::SweepBody& body, const Variation& variation,
                              std::span<const double> given);

// The code of a strip.
using StripFunction = void (*)(const std::int64_t* arguments);

// What a strip of rows is given: 64-bit words. Strides and pointers of doubles; what is by process is turned, at the
// process where the sweep begins. `line` is the length of a buffered row in vectors; buffers point at their column 0.
struct Arguments {
  enum Word : std::uint32_t {
    begin,
    fast_begin,
    fast_end,
    end,  // columns: guarded before and after the fast ones; at least one each
    plane,
    row,  // first step on these axes
    row_place,
    column_place,  // where the lean takes the first row, and its column 0
    last_lane,
    extents,
    strides = extents + 3,
    line = strides + 3,
    given,         // per weight of the call, its value
    tile_weights,  // per weight of the call, lanes
    nowhere,       // may be written to
    record,        // of choices, in the plane of this step
    record_row,    // its bytes from row to row
    variable
  };
  explicit Arguments(const Plan& plan);
  // Per event, where it has one.
  std::vector<std::uint32_t> values;             // earlier, array: what is read; by process
  std::vector<std::uint32_t> stores;             // per Plan::events.carried
  std::vector<std::uint32_t> edge_in, edge_out;  // [slot][line]: slot k holds the row k + 1 above the strip
  std::vector<std::uint32_t> planes;             // planes_back + 1 words: the plane of this step, the one before, ...
  std::uint32_t count = variable;
};

}  // namespace wave::jit::sweep
