// A run of points of a study, by their numbers.
#pragma once

#include <cstdint>

namespace wave {

// begin <= i < end.
struct PointRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  friend bool operator==(PointRange, PointRange) = default;
};

}  // namespace wave
