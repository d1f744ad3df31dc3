// Tells where a difference comes from: compares, name by name, what the times of two sides are made of.
#pragma once

#include "analysis/breakdown.h"

#include <string>
#include <vector>

namespace wave::analysis {

struct PartOfBoth {
  Input of;  // as the first side that has it knows it
  bool in_first = false, in_second = false;
  double first = 0, second = 0;  // ps
  double difference = 0;         // second - first
};

struct PartsOfBoth {
  std::vector<PartOfBoth> parts;  // those that differ most come first
  // With the sum of the differences, in their order, exactly the difference of the totals: rounding, and what jumps.
  double rest = 0;
  double rest_first = 0, rest_second = 0;
};

// Parameters are matched by name; literals, tables and statements of processes by their text and place.
PartsOfBoth match(const Breakdown& first, const Breakdown& second);

// The time on the critical paths by kind, of both sides, by the names of the processes.
struct KindOfBoth {
  std::string process;
  backend::processes::Cause::Kind kind{};
  double first = 0, second = 0;
};
std::vector<KindOfBoth> match_paths(const Breakdown& first, const Breakdown& second);

}  // namespace wave::analysis
