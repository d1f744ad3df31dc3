// See scheduler.h.
#include "analysis/study/ranks/scheduler.h"

#include <algorithm>
#include <cmath>

namespace wave::ranks {
namespace {

constexpr std::uint64_t growth_of_chunks = 8;
// Towards the end, a rank gets its share divided by this. The rest evens out what turns out to take longer.
constexpr std::uint64_t part_of_share = 2;
// But no chunk is made to take less than this part of its time, since notices would then count.
constexpr double least_part = 1.0 / 16;

}  // namespace

Scheduler::Scheduler(const std::vector<PointRange>& open, int ranks, Chunks chunks)
    : chunks_(chunks),
      open_(open.begin(), open.end()),
      ranks_(static_cast<std::size_t>(ranks)),
      living_(ranks_.size()) {
  for (const PointRange& range : open) open_points_ += range.size();
}

std::uint64_t Scheduler::chunk_size() const {
  if (largest_done_ == 0) return 1;
  const double most = static_cast<double>(chunks_.most);
  const auto points_in = [&](double seconds) {
    return static_cast<std::uint64_t>(std::clamp(seconds / std::max(seconds_per_point_, 1e-12), 1.0, most));
  };
  const std::uint64_t share = open_points_ / (living_ * part_of_share) + 1;
  const std::uint64_t wanted =
      std::max(std::min(points_in(chunks_.seconds), share), points_in(chunks_.seconds * least_part));
  return std::clamp<std::uint64_t>(std::min(wanted, largest_done_ * growth_of_chunks), 1, chunks_.most);
}

std::optional<PointRange> Scheduler::next(int rank) {
  Rank& one = ranks_[static_cast<std::size_t>(rank)];
  if (one.lost || one.held || open_.empty()) return std::nullopt;
  PointRange& first = open_.front();
  const PointRange given{first.begin, first.begin + std::min(first.size(), chunk_size())};
  first.begin = given.end;
  if (first.size() == 0) open_.pop_front();
  open_points_ -= given.size();
  held_points_ += given.size();
  one.held = given;
  return given;
}

void Scheduler::reopen(PointRange range) {
  if (range.size() == 0) return;
  open_.push_front(range);
  open_points_ += range.size();
}

bool Scheduler::done(int rank, PointRange range, double seconds) {
  Rank& one = ranks_[static_cast<std::size_t>(rank)];
  if (!one.held || range.begin != one.held->begin || range.end > one.held->end || range.begin >= range.end)
    return false;
  held_points_ -= one.held->size();
  reopen({range.end, one.held->end});
  one.held.reset();
  largest_done_ = std::max(largest_done_, range.size());
  if (std::isfinite(seconds) && seconds >= 0) seconds_per_point_ = seconds / static_cast<double>(range.size());
  return true;
}

void Scheduler::lost(int rank) {
  Rank& one = ranks_[static_cast<std::size_t>(rank)];
  if (one.lost) return;
  one.lost = true;
  --living_;
  if (!one.held) return;
  held_points_ -= one.held->size();
  reopen(*one.held);
  one.held.reset();
}

}  // namespace wave::ranks
