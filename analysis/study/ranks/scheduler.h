// Decides which rank computes which points, and who takes them over when a rank is gone. The scheduler knows neither
// notices nor models. It has no clock either: times are arguments.
#pragma once

#include "base/point_range.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wave::ranks {

struct Chunks {
  double seconds = 0.25;  // a chunk should take this long: hundreds of times what its notices cost
  std::uint64_t most = std::uint64_t{1} << 18;  // points in a chunk, whose result is one notice
};

// Gives out ranges from the first point to the last. The size of a range follows from how long the points before it
// took, because points differ in cost by orders of magnitude, but seldom from one to the next. The first range is a
// single point, and each may be eight times as large as the largest one that came back. Towards the end they shrink, so
// that the ranks end together.
class Scheduler {
 public:
  // The ranges of `open` are not empty, and they are apart in ascending order.
  Scheduler(const std::vector<PointRange>& open, int ranks, Chunks chunks = {});

  // What `rank` is to compute now. Nothing if all that is left is being computed. A rank holds one range at a time.
  std::optional<PointRange> next(int rank);
  // Notes that `rank` has computed `range` in `seconds`. The range is what the rank held, or the beginning of it. The
  // rest is given out again, before all else. False if the rank no longer held this range, because others have it.
  bool done(int rank, PointRange range, double seconds);
  // Notes that `rank` computes no more. What it held is given out again, before all else.
  void lost(int rank);

  bool is_lost(int rank) const { return ranks_[static_cast<std::size_t>(rank)].lost; }
  bool holds(int rank) const { return ranks_[static_cast<std::size_t>(rank)].held.has_value(); }
  // How many points are not done: open, or held by a rank.
  std::uint64_t left() const { return open_points_ + held_points_; }

 private:
  struct Rank {
    std::optional<PointRange> held;
    bool lost = false;
  };

  std::uint64_t chunk_size() const;
  void reopen(PointRange range);

  const Chunks chunks_;
  std::deque<PointRange> open_;
  std::vector<Rank> ranks_;
  std::uint64_t open_points_ = 0, held_points_ = 0;
  std::size_t living_;
  std::uint64_t largest_done_ = 0;
  double seconds_per_point_ = 0;  // of the range that came back last
};

}  // namespace wave::ranks
