// How a group of events may be evaluated in vector lanes: which axis runs along the lanes, which along the steps, and
// how far apart neighbouring rows are at one step.
//
// A strip is `lanes * vectors` rows. At step t row x of a strip (from 0) is at column t - skew * x, so that every cell
// that a cell depends on belongs to an earlier step. Row x is in lane x / vectors of vector x % vectors: the row above
// that of a vector is that of the vector before it in the same lane, but for vector 0. Coordinates are turned
// so that every loop rises from 0.
//
// A sweep in strips (backend/jit/sweep/schedule.h) has tiles in its lanes and shifts its events on all axes. Here rows
// are in lanes and the cells of a step have no order among them, so columns alone are skewed.
#pragma once

#include "ir/schedule.h"
#include "ir/system.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::jit::lanes {

// Lanes in a vector and vectors in a strip.
struct StripShape {
  std::uint32_t lanes = 0, vectors = 0;
  bool stores = false;    // also at steps without masks; otherwise only at those with them
  bool streams = false;   // what is stored goes past the caches
  bool cellwise = false;  // periodic costs are evaluated in every cell
  bool quanta = false;    // times are whole numbers of quanta (strip_quanta.h)
  std::int64_t rows() const { return std::int64_t{lanes} * vectors; }
  friend auto operator<=>(const StripShape&, const StripShape&) = default;
};

// A neighbour that cells of a group look at: an own event, or one of another group.
struct StripNeighbour {
  ir::EventId source;
  std::vector<std::int32_t> offset;  // as in the system
  bool own = false;
  std::int32_t planes = 0, rows = 0, columns = 0;  // the offset in turned coordinates
  std::int32_t delay = 0;  // of an own one of the same plane: how many steps ago it was evaluated
  bool near() const { return own && planes == 0; }  // still in registers
};

struct StripEvent {
  ir::EventId event;
  std::int32_t steps = 0;       // values of so many earlier steps are kept in registers
  std::int32_t rows_above = 0;  // and of so many rows of the strip before
  std::int32_t planes = 0;      // and so many planes before this one
};

struct StripOrder {
  std::uint32_t row_axis = 0, column_axis = 0;
  std::optional<std::uint32_t> plane_axis;  // outside of both
  std::vector<bool> rising;                 // per axis
  std::int32_t skew = 0;
  friend bool operator==(const StripOrder&, const StripOrder&) = default;
};

struct StripPlan : StripOrder {
  std::vector<StripEvent> events{};  // as in the group
  std::vector<StripNeighbour> neighbours{};
  // Events of constraints alone, of cells of their own group that are not ahead along a row: where minus infinity
  // stands for what is absent, cells before a row's first have it too, and steps at both ends of a row need no masks.
  bool tolerant = false;
  std::string reason{};  // not empty: why there are no lanes

  bool possible() const { return reason.empty(); }
  const StripNeighbour* find(ir::EventId source, const std::vector<std::int32_t>& offset) const;
  // Neighbours whose values are loaded from whole planes, in their order.
  std::vector<const StripNeighbour*> far() const;
};

// `wanted`: the order of a group that looks at this one; it is followed where that is possible, so that the other finds
// these cells where it needs them.
StripPlan plan_strips(const ir::System& system, const ir::EventGroup& group, const ir::Schedule& schedule,
                      const StripOrder* wanted = nullptr);

// One per group.
std::vector<StripPlan> plan_all_strips(const ir::System& system, const std::vector<ir::EventGroup>& groups,
                                       const std::vector<ir::Schedule>& schedules);

}  // namespace wave::jit::lanes
