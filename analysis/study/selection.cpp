// See selection.h.
#include "analysis/study/selection.h"

#include <algorithm>
#include <limits>

namespace wave::analysis {

void Selection::add(std::uint64_t place) {
  is_all_ = false;
  const bool follows = !runs_.empty() && runs_.back().place + (size_ - runs_.back().point) == place;
  if (!follows) runs_.push_back({size_, place});
  ++size_;
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

Selection in_both(const Selection& a, const Selection& b) {
  if (a.is_all()) return b;
  if (b.is_all()) return a;
  Selection both = Selection::none();
  for (std::uint64_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const std::uint64_t left = a.place(i), right = b.place(k);
    if (left == right) both.add(left);
    i += left <= right ? 1 : 0;
    k += right <= left ? 1 : 0;
  }
  return both;
}

}  // namespace wave::analysis
