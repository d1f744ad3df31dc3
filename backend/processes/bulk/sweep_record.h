// Which of two times was the later, wherever a sweep takes the larger: what it takes to follow a critical path back
// through it. Two bits a join or await, for every process and tile.
#pragma once

#include "base/large_array.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wave::backend::processes {

class SweepRecord {
 public:
  // Where the bits of an operation are: those of `lanes` consecutive tiles side by side, the last tile in the lowest
  // bit; first whether the source or signal was the later, then, in as many bytes, whether both were as late. Bytes add
  // up.
  struct Layout {
    std::int64_t lanes = 8;                // tiles
    std::int64_t by_lanes = 0;             // from `lanes` tiles to the next
    std::int64_t by_lane = 0;              // from one of these tiles to the next
    std::int64_t origin = 0;               // the process with the index 0 on every axis
    std::vector<std::int64_t> by_axis;     // from a process to the next, in the grid's own indices
    std::vector<std::int64_t> operations;  // by operation of the body; `none`: never asked for
    std::int64_t bytes = 0;                // of all
  };
  static constexpr std::int64_t none = -1;
  static constexpr std::int64_t bytes_of_bits(std::int64_t lanes) { return lanes < 8 ? 1 : lanes / 8; }

  // Not cleared.
  void lay_out(Layout layout) {
    layout_ = std::move(layout);
    if (layout_.bytes <= bytes()) return;
    data_ = {};
    data_ = LargeArray<std::uint8_t>(static_cast<std::size_t>(layout_.bytes));
  }
  const Layout& layout() const { return layout_; }
  std::uint8_t* data() const { return data_.data(); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(data_.size()); }

  struct Choice {
    bool source = false;  // the source or signal was the later
    bool tie = false;     // both were as late
  };
  // `tile` from 0; `point` from 0 on every axis. The operation has happened there.
  Choice of(std::size_t operation, std::int64_t tile, const std::vector<std::int64_t>& point) const {
    const std::int64_t lane = tile % layout_.lanes, bit = layout_.lanes - 1 - lane;
    std::int64_t at = layout_.operations[operation] + layout_.origin + tile / layout_.lanes * layout_.by_lanes +
                      lane * layout_.by_lane + bit / 8;
    for (std::size_t axis = 0; axis < point.size(); ++axis) at += point[axis] * layout_.by_axis[axis];
    const auto is_set = [&](std::int64_t byte) { return (data_.data()[byte] >> bit % 8 & 1) != 0; };
    return {is_set(at), is_set(at + bytes_of_bits(layout_.lanes))};
  }

 private:
  Layout layout_;
  LargeArray<std::uint8_t> data_;
};

}  // namespace wave::backend::processes
