// See points.h.
#include "analysis/study/points.h"

#include <algorithm>
#include <iterator>
#include <limits>

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
  if (shard.count == 1) return PointSet({0, points});
  constexpr std::uint64_t blocks_of_a_part = 64, largest_block = std::uint64_t{1} << 16, most_blocks = 1'000'000;
  const std::uint64_t each = points / shard.count;
  // A file may claim more points than anybody can evaluate.
  const std::uint64_t block =
      std::clamp(each / blocks_of_a_part, std::uint64_t{1}, std::max(largest_block, each / most_blocks));
  PointSet set;
  const std::uint64_t stride = block * shard.count;
  for (std::uint64_t begin = block * (shard.index - 1); begin < points;) {
    set.add({begin, begin + std::min(block, points - begin)});
    if (points - begin <= stride) break;
    begin += stride;
  }
  return set;
}

void Selection::add(std::uint64_t first, std::uint64_t count) {
  is_all_ = false;
  const bool follows = !runs_.empty() && runs_.back().place + (size_ - runs_.back().point) == first;
  if (!follows) runs_.push_back({size_, first});
  size_ += count;
}

std::size_t Selection::run_of(std::uint64_t point) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), point,
                                      [](std::uint64_t wanted, const Run& run) { return wanted < run.point; });
  return static_cast<std::size_t>(after - runs_.begin()) - 1;
}

std::uint64_t Selection::place(std::uint64_t point) const {
  if (is_all_) return point;
  const Run& run = runs_[run_of(point)];
  return run.place + (point - run.point);
}

std::uint64_t Selection::run_length(std::uint64_t point) const {
  if (is_all_) return std::numeric_limits<std::uint64_t>::max();
  const std::size_t run = run_of(point);
  return (run + 1 < runs_.size() ? runs_[run + 1].point : size_) - point;
}

Combinations::Combinations(const std::vector<std::uint64_t>& lengths, const std::vector<std::uint32_t>& keys) {
  std::vector<Key> all(lengths.size());
  std::uint64_t stride = 1;
  for (std::size_t i = lengths.size(); i-- > 0;) {
    all[i] = {stride, lengths[i]};
    stride *= lengths[i];
  }
  for (const std::uint32_t key : keys) keys_.push_back(all[key]);
}

std::uint64_t Combinations::at(std::uint64_t place) const {
  std::uint64_t where = 0;
  for (const Key& key : keys_) where = where * key.count + place / key.stride % key.count;
  return where;
}

Selection in_both(const Selection& a, const Selection& b) {
  if (a.is_all()) return b;
  if (b.is_all()) return a;
  Selection both = a.emptied();
  for (std::uint64_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const std::uint64_t left = a.place(i), right = b.place(k);
    if (left == right) both.add(left);
    i += left <= right ? 1 : 0;
    k += right <= left ? 1 : 0;
  }
  return both;
}

}  // namespace wave::analysis
