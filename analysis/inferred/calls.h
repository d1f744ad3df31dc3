// Runs of a program as a model is made from: what its ranks did, in little memory, and the parameters of the run.
#pragma once

#include "analysis/recorded/recording.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wave::analysis::inferred {

struct Call {
  recorded::Step::Kind kind{};
  std::uint8_t name = 0;          // of a collective: which of `Names`
  std::int32_t peer = -1;         // as in a recorded step
  std::int32_t from = -1;         // of an exchange
  std::int32_t participants = 0;  // of a collective
  std::uint32_t first_ended = 0;  // of a wait: what it ends, in `Calls::ended`
  std::uint32_t ended_count = 0;
  float since = 0;      // from the call before, in ns
  double size = 0;      // bytes; negative: there is none
  double received = 0;  // of an exchange, bytes
};

// Of one rank.
struct Calls {
  std::vector<Call> calls;
  std::vector<std::uint32_t> ended;
};

using Parameters = std::map<std::string, std::int64_t>;

struct Run {
  std::string name;
  Parameters parameters;
  std::vector<std::int64_t> extents;  // of its grid, where they are known; the first axis runs slowest
  std::vector<std::int64_t> hint;     // of a grid that the program made; empty: none
  std::vector<Calls> ranks;
};

// Some runs, which others keep: what their ranks did is much.
using Runs = std::vector<const Run*>;
Runs pointers_to(const std::vector<Run>& runs);
std::size_t calls_in(const Run& run);  // of all ranks

// What models have statements for.
inline constexpr std::array<const char*, 11> known_collectives{
    "barrier",        "broadcast",      "reduce",    "gather",    "scatter", "allgather",
    "reduce_scatter", "total_exchange", "alltoallv", "allreduce", "scan"};

// The names of collectives, for all runs.
class Names {
 public:
  std::uint8_t number_of(const std::string& name);
  const std::string& operator[](std::uint8_t number) const { return names_[number]; }
  template <class Holds>
  bool all_of(const Holds& holds) const {
    return std::all_of(names_.begin(), names_.end(), holds);
  }

 private:
  std::vector<std::string> names_;
};

// Waits without a call between them are one. Of a collective with a size for each part, the size is all that is sent.
Calls calls_of(const recorded::Steps& steps, const std::vector<recorded::Times>& times, Names& names);

}  // namespace wave::analysis::inferred
