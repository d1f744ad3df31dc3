// Studies whose points are made up: columns of many kinds, values that repeat, rows that fail or were given up.
#pragma once

#include "analysis/study/chunk.h"
#include "analysis/study/description.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace wave::test {

struct RandomStudy {
  analysis::StudyDescription description;
  // What was found, of each point; nothing where it failed.
  std::vector<std::optional<double>> total, share;
  std::vector<std::optional<std::int64_t>> steps;
  std::vector<std::optional<std::string>> name;
  std::vector<int> failure;  // 0: none; else which of `failures`
  bool was_given_up(std::uint64_t point) const { return failure[point] == 2; }

  std::uint64_t points() const { return description.points; }
  // As whoever evaluates them hands them over. Words are numbered anew in each.
  analysis::Chunk chunk(PointRange range) const;
};

using Random = std::mt19937_64;
std::uint64_t below(Random& random, std::uint64_t end);

// A product or a table of points, all of it or some; "n" (whole numbers), "W" (times), "net" (words) vary, and "total",
// "share" (reals), "steps" (whole numbers) and "name" (texts) are found.
RandomStudy random_study(Random& random);

// Ranges that are all the points, in any order.
std::vector<PointRange> random_ranges(Random& random, std::uint64_t points);

}  // namespace wave::test
