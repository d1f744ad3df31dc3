// One program for all ranks of all runs.
#pragma once

#include "analysis/inferred/match.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

// What one rank did at a call of the tree.
struct CallSeen {
  std::size_t times = 0;
  double size = 0;            // the first time
  std::vector<double> sizes;  // of all times, where they are not all the same
  // What was computed before it, or where it would be, in ns, all times together; and how often.
  double since = 0;
  std::size_t gaps = 0;
};
// What one rank did at a loop.
struct LoopSeen {
  std::size_t times = 0;             // that it came there
  std::size_t rounds = 0;            // the first time
  std::vector<std::size_t> varying;  // of all times, where they are not all the same
};

struct Seen {
  RankGrid grid;
  std::vector<std::vector<CallSeen>> calls;  // by call and rank
  std::vector<std::vector<LoopSeen>> loops;  // by loop and rank
};

struct Structure {
  Tree tree;
  std::vector<std::optional<Seen>> runs;  // nothing: the program does not do what this run did
  std::size_t base = 0;                   // the run of which it was made
  // Runs whose sizes and counts are not looked at: calls to neighbours on both sides, which are one rank there, cannot
  // be told apart where sizes are together.
  std::vector<bool> is_unclear;
  std::size_t matched() const;
};

// Why there is none: a call of a rank behind which nothing repeats, or whose peers no rule names.
struct NoStructure {
  std::size_t run = 0;
  std::string reason;
};

struct FoundStructure {
  std::optional<Structure> structure;
  NoStructure none;
};
// Whether calls of different sizes are different ones while loops are looked for, or sizes may follow from turns of a
// loop.
enum class Sizes : std::uint8_t { apart, together };
FoundStructure structure_of(const Runs& runs, Sizes sizes, Budget& budget);

}  // namespace wave::analysis::inferred
