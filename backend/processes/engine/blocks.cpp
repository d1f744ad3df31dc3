// See blocks.h.
#include "backend/processes/engine/blocks.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wave::backend::processes::engine {

Blocks::Blocks(const std::vector<std::int64_t>& extents, const std::vector<bool>& wrap, double processes)
    : extents_(extents), wrap_(wrap) {
  const std::size_t axes = extents.size();
  edge_.resize(axes);
  blocks_along_.resize(axes);
  std::vector<std::size_t> by_extent(axes);
  std::iota(by_extent.begin(), by_extent.end(), 0);
  std::ranges::sort(by_extent, {}, [&](std::size_t axis) { return extents[axis]; });
  std::size_t left = axes, all = 1;
  for (const std::size_t axis : by_extent) {
    const double longest = std::max(1.0, std::pow(processes, 1.0 / static_cast<double>(left--)));
    edge_[axis] = std::min(extents[axis], static_cast<std::int64_t>(longest + 0.5));
    processes /= static_cast<double>(edge_[axis]);
    blocks_along_[axis] = (extents[axis] + edge_[axis] - 1) / edge_[axis];
    all *= static_cast<std::size_t>(blocks_along_[axis]);
  }
  blocks_.resize(all);
  row_ = axes > 0 ? edge_.back() : 1;
}

void Blocks::place(Standing& process, const std::int64_t* coordinates) {
  const std::size_t axes = edge_.size();
  std::int64_t block = 0;
  for (std::size_t axis = 0; axis < axes; ++axis)
    block = block * blocks_along_[axis] + (coordinates[axis] - 1) / edge_[axis];
  process.block = static_cast<Number>(block);
  if (axes > 0 && (coordinates[axes - 1] - 1) % edge_.back() == 0)
    blocks_[static_cast<std::size_t>(block)].rows.push_back(process.rank);
}

namespace {

// Along an axis, the blocks that the processes of the block with this number come to when they move by an offset, or
// (`sign` -1) by its opposite.
std::vector<std::int64_t> reached(std::int64_t number, std::int64_t offset, std::int64_t sign, std::int64_t edge,
                                  std::int64_t extent, bool wraps) {
  std::vector<std::int64_t> result;
  if (wraps) offset %= extent;
  if (offset <= -extent || offset >= extent) return result;
  offset *= sign;
  const std::int64_t first = number * edge, last = std::min(first + edge, extent) - 1;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    from = std::max<std::int64_t>(from, 0);
    to = std::min(to, extent - 1);
    for (std::int64_t block = from / edge; from <= to && block <= to / edge; ++block) result.push_back(block);
  };
  add(first + offset, last + offset);
  if (!wraps) return result;
  add(first + offset - extent, last + offset - extent);
  add(first + offset + extent, last + offset + extent);
  return result;
}

}  // namespace

void Blocks::connect(const std::vector<ChannelKey>& kinds) {
  constexpr std::size_t first_offset = 3;  // of a ChannelKey
  const std::size_t axes = edge_.size();
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    std::vector<std::int64_t> point(axes);
    for (std::size_t axis = axes, rest = block; axis-- > 0;) {
      const auto along = static_cast<std::size_t>(blocks_along_[axis]);
      point[axis] = static_cast<std::int64_t>(rest % along);
      rest /= along;
    }
    std::vector<Number>& neighbours = blocks_[block].neighbours;
    for (const ChannelKey& kind : kinds) {
      for (const std::int64_t sign : {1, -1}) {
        std::vector<std::int64_t> there{0};
        for (std::size_t axis = 0; axis < axes; ++axis) {
          const auto along =
              reached(point[axis], kind[first_offset + axis], sign, edge_[axis], extents_[axis], wrap_[axis]);
          std::vector<std::int64_t> next;
          for (const std::int64_t before : there) {
            for (const std::int64_t one : along) next.push_back(before * blocks_along_[axis] + one);
          }
          there = std::move(next);
        }
        for (const std::int64_t one : there) {
          if (static_cast<std::size_t>(one) != block) neighbours.push_back(static_cast<Number>(one));
        }
      }
    }
    std::ranges::sort(neighbours);
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
}

Number Blocks::take(bool may_leave) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_stopped_ || (may_leave && taken_ > blocks_until_judged && turns_ < taken_ * least_turns_of_block))
      return none;
    const auto next = std::ranges::find_if(queue_, [&](Number block) { return blocks_[block].busy == 0; });
    if (next != queue_.end()) {
      const Number taken = *next;
      queue_.erase(next);
      for (const Number neighbour : blocks_[taken].neighbours) ++blocks_[neighbour].busy;
      ++running_;
      ++taken_;
      return taken;
    }
    if (running_ == 0) return none;
    is_changed_.wait(lock);
  }
}

void Blocks::give_back(Number number, std::uint32_t turns, std::span<Standing* const> woken) {
  {
    const std::lock_guard lock(mutex_);
    blocks_[number].is_queued = false;
    for (Standing* const process : woken) add(*process);
    for (const Number neighbour : blocks_[number].neighbours) --blocks_[neighbour].busy;
    --running_;
    turns_ += turns;
  }
  is_changed_.notify_all();
}

void Blocks::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  is_changed_.notify_all();
}

}  // namespace wave::backend::processes::engine
