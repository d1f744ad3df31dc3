// Scalars of a process for all processes of a region at once: once for each combination of the indices that they look
// at, in columns; along lines, where that is seen at once, not even that often.
#pragma once

#include "backend/processes/bulk/plan_bulk.h"
#include "backend/processes/bulk/plan_lines.h"
#include "backend/processes/bulk/regions.h"
#include "backend/processes/program/bound_scalars.h"
#include "ir/process.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes {

class RegionScalars {
 public:
  // Thrown where a value fails for some process of a region. Whose it is, and why, is found process by process.
  struct NoValue {};

  RegionScalars(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                std::function<void()> look_at_clock);

  // From here on every value is that of this process, in which no value looks at an index any more. Throws Failed.
  void stand_at(const std::vector<std::int64_t>& point);
  void leave();

  void bind(ir::BinderId binder, std::int64_t value);
  void release(ir::BinderId binder) { scalars_.release(binder); }
  AxisSet axes_of(ir::ValueId value);
  // Looks at no index.
  ir::Scalar value(ir::ValueId value) { return values_.value(value); }
  BoundScalars& values() { return values_; }

  // Combinations of indices along some axes.
  class Chunk {
   public:
    std::size_t count() const { return count_; }
    // By axis, of those that were asked for.
    const std::vector<std::int64_t>& along(std::size_t axis) const { return places()[axis]; }
    // Throws NoValue.
    std::vector<std::int64_t>& integers(ir::ValueId value, std::vector<std::int64_t>& into);
    std::vector<double>& reals(ir::ValueId value, std::vector<double>& into);
    // Leaves the others out; the places of these, ascending.
    void keep(std::span<const std::size_t> rows);

   private:
    friend class RegionScalars;
    Chunk(RegionScalars& scalars, AxisSet axes) : scalars_(scalars), axes_(axes) {}
    std::vector<std::vector<std::int64_t>>& places() const { return scalars_.bulk_.places(); }
    RegionScalars& scalars_;
    const AxisSet axes_;
    std::size_t count_ = 0;
  };
  // Row-major, `processes_in_bulk` at a time.
  void for_each_chunk(const Region& region, AxisSet axes, const std::function<void(Chunk&)>& use);

  // Parts of a region in which integers, or truths as 0 and 1, are the same for all.
  struct Part {
    std::vector<std::int64_t> values;
    Region region;
  };
  using UsePart = std::function<void(const Part&)>;
  // Where the region is long along the last axis that the integer looks at: whether it is seen, mostly along lines,
  // that all values lie in this range. Throws NoValue where one does not. False: it is not that long.
  bool all_within(ir::ValueId value, const Region& region, std::int64_t least, std::int64_t most);
  void for_each_part(std::span<const ir::ValueId> values, const Region& region, const UsePart& use);

 private:
  class Grouping;
  struct TooMany {};
  LineScalars& lines(AxisSet axes);
  static bool is_long(const Region& region, AxisSet axes);
  // Cuts an interval in halves until `use` takes a part, as it has to if there are few places in it.
  using TakeInterval = std::function<bool(const Coordinates::Interval&)>;
  void in_halves(const Coordinates::Interval& interval, const TakeInterval& take);

  Scalars& scalars_;
  const ir::FreeBinders& binders_;
  std::function<void()> look_at_clock_;
  std::vector<ir::BinderId> indices_;  // by axis
  BoundScalars values_;
  BulkScalars bulk_;
  struct Lines {
    std::vector<ir::BinderId> indices;
    std::optional<LineScalars> scalars;
  };
  std::map<AxisSet, Lines> lines_;  // along the last of these axes
  std::unordered_map<ir::ValueId, AxisSet> axes_;
  bool stands_ = false;
};

}  // namespace wave::backend::processes
