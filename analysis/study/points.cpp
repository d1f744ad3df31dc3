// See points.h.
#include "analysis/study/points.h"

#include <algorithm>
#include <iterator>

namespace wave::analysis {

void PointSet::add(PointRange range) {
  if (range.begin >= range.end) return;
  auto next = ranges_.upper_bound(range.begin);
  if (next != ranges_.begin() && std::prev(next)->second >= range.begin) --next;
  while (next != ranges_.end() && next->first <= range.end) {
    range = {std::min(range.begin, next->first), std::max(range.end, next->second)};
    count_ -= next->second - next->first;
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, range.begin, range.end);
  count_ += range.size();
}

bool PointSet::overlaps(PointRange range) const {
  if (range.begin >= range.end) return false;
  const auto next = ranges_.lower_bound(range.end);
  return next != ranges_.begin() && std::prev(next)->second > range.begin;
}

PointSet PointSet::without(const PointSet& others) const {
  PointSet left;
  auto other = others.ranges_.begin();
  for (const auto& [begin, end] : ranges_) {
    std::uint64_t at = begin;
    while (other != others.ranges_.end() && other->second <= at) ++other;
    for (auto hole = other; hole != others.ranges_.end() && hole->first < end; ++hole) {
      if (hole->first > at) left.add({at, hole->first});
      at = std::min(end, hole->second);
    }
    if (at < end) left.add({at, end});
  }
  return left;
}

PointRange PointSet::take(std::uint64_t most) {
  if (ranges_.empty() || most == 0) return {};
  const auto [begin, end] = *ranges_.begin();
  const PointRange taken{begin, begin + std::min(most, end - begin)};
  ranges_.erase(ranges_.begin());
  if (taken.end < end) ranges_.emplace_hint(ranges_.begin(), taken.end, end);
  count_ -= taken.size();
  return taken;
}

std::vector<PointRange> PointSet::ranges() const {
  std::vector<PointRange> all;
  all.reserve(ranges_.size());
  for (const auto& [begin, end] : ranges_) all.push_back({begin, end});
  return all;
}

PointSet points_of(Shard shard, std::uint64_t points) {
  constexpr std::uint64_t blocks_of_a_part = 64, largest_block = std::uint64_t{1} << 16;
  const std::uint64_t block = std::clamp(points / shard.count / blocks_of_a_part, std::uint64_t{1}, largest_block);
  PointSet set;
  const std::uint64_t stride = block * shard.count;
  for (std::uint64_t begin = block * (shard.index - 1); begin < points;) {
    set.add({begin, begin + std::min(block, points - begin)});
    if (points - begin <= stride) break;
    begin += stride;
  }
  return set;
}

}  // namespace wave::analysis
