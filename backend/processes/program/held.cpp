// See held.h.
#include "backend/processes/program/held.h"

#include "backend/processes/program/checks.h"
#include "backend/processes/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::backend::processes {

namespace {

constexpr __int128 parts_of_byte = 1024;
// The sum of sizes that do not fit is no sum that a machine holds.
constexpr double most_bytes = 0x1p100;

double in_bytes(__int128 size) { return static_cast<double>(size) / static_cast<double>(parts_of_byte); }

}  // namespace

HeldMemory::HeldMemory(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       const Places& places, std::function<void()> look_at_clock)
    : system_(scalars.system()),
      process_(process),
      places_(places),
      look_at_clock_(std::move(look_at_clock)),
      values_(scalars),
      uses_(system_, process, binders, ProgramUses::Of::held) {}

double HeldMemory::peak(ir::MemoryId memory, const std::vector<std::int64_t>& point) {
  memory_ = memory;
  point_ = point;
  const std::vector<ir::Axis>& axes = system_[process_.space].axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) values_.bind(axes[axis].binder, point[axis]);
  const Course whole = course(process_.body);
  if (whole.least >= -parts_of_byte) return in_bytes(whole.most);
  const ir::Held& held = process_.held[whole.at_least.index];
  ir::Failure failure;
  failure.kind = ir::FailureKind::released_more;
  failure.site = held.site;
  failure.detail = fmt::format("{:.0f} B more than is held then", in_bytes(-whole.least));
  for (std::size_t axis = 0; axis < axes.size(); ++axis) failure.indices.emplace_back(axes[axis].name, point[axis]);
  throw Failed{std::move(failure)};
}

double HeldMemory::peak(ir::MemoryId memory) {
  const std::vector<ir::Axis>& axes = system_[process_.space].axes;
  const bool are_alike = std::none_of(axes.begin(), axes.end(),
                                      [&](const ir::Axis& axis) { return uses_.looks_at(process_.body, axis.binder); });
  double most = 0;
  for (std::int64_t rank = 0; rank < (are_alike ? 1 : places_.count()); ++rank)
    most = std::max(most, peak(memory, places_.point(rank)));
  return most;
}

// --- courses ---

HeldMemory::Course HeldMemory::Course::then(const Course& next) const {
  const bool is_later = change + next.least < least;
  return {change + next.change, std::max(most, change + next.most), is_later ? change + next.least : least,
          is_later ? next.at_least : at_least};
}

HeldMemory::Course HeldMemory::Course::repeated(__int128 count) const {
  if (count <= 0) return {};
  const __int128 before_last = change * (count - 1);
  return {change * count, most + std::max<__int128>(before_last, 0), least + std::min<__int128>(before_last, 0),
          at_least};
}

HeldMemory::Course HeldMemory::course(ir::BlockId block) {
  Course all;
  if (!block.valid()) return all;
  for (const ir::Statement& statement : process_.blocks[block.index]) all = all.then(course(statement));
  return all;
}

HeldMemory::Course HeldMemory::course(const ir::Statement& statement) {
  if (++ticks_ % walk_steps_between_clock_reads == 0) look_at_clock_();
  Course before;
  for (const ir::HeldId id : statement.held) {
    const ir::Held& held = process_.held[id.index];
    if (!memory_.valid() || held.memory == memory_) before = before.then(course(held, id));
  }
  return before.then(std::visit([&](const auto& node) { return inside(node); }, statement.node));
}

HeldMemory::Course HeldMemory::course(const ir::Held& held, ir::HeldId id) {
  const double bytes = values_.real(held.size);
  if (!(bytes < most_bytes)) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::weight_not_finite;
    failure.site = held.site;
    failure.values = {ir::Scalar::of(bytes)};
    throw Failed{std::move(failure)};
  }
  const auto size = static_cast<__int128>(std::nearbyint(bytes * static_cast<double>(parts_of_byte)));
  if (held.is_released) return {-size, 0, -size, id};
  return {size, size, 0, {}};
}

HeldMemory::Course HeldMemory::inside(const ir::Branch& node) {
  return course(values_.boolean(node.condition) ? node.then_block : node.else_block);
}

// A body that does not look at the variable is walked once.
HeldMemory::Course HeldMemory::level(const ir::Loop& loop, std::size_t number) {
  if (number == loop.levels.size()) return course(loop.body);
  const ir::Level& level = loop.levels[number];
  const ir::LoopRange range{values_.integer(level.first), values_.integer(level.last), values_.integer(level.step),
                            level.geometric};
  require_progress(range, level.site);
  if (!level.filter.valid() && !uses_.looks_at(loop, number))
    return range.begin() ? this->level(loop, number + 1).repeated(range.count()) : Course{};
  Course all;
  for (auto at = range.begin(); at; at = range.after(*at)) {
    values_.bind(level.binder, *at);
    if (!level.filter.valid() || values_.boolean(level.filter)) all = all.then(this->level(loop, number + 1));
  }
  return all;
}

// Of several fronts, blocks come by hops from their corners and tile, ties in the order of the list.
HeldMemory::Course HeldMemory::inside(const ir::Sweep& node) {
  const std::int64_t tiles = values_.integer(node.tiles);
  if (tiles <= 0) return {};
  if (node.fronts.size() == 1 && !uses_.looks_at(node.fronts[0].body, node.tile))
    return course(node.fronts[0].body).repeated(tiles);
  std::vector<std::int64_t> first;  // by front
  for (const ir::Front& front : node.fronts) first.push_back(hops(front, places_, point_));
  const auto [nearest, furthest] = std::minmax_element(first.begin(), first.end());
  Course all;
  for (std::int64_t step = *nearest + 1; step <= *furthest + tiles; ++step) {
    for (std::size_t front = 0; front < first.size(); ++front) {
      const std::int64_t tile = step - first[front];
      if (tile < 1 || tile > tiles) continue;
      values_.bind(node.tile, tile);
      all = all.then(course(node.fronts[front].body));
    }
  }
  return all;
}

}  // namespace wave::backend::processes
