// The recording of one rank: a text with a line for each call, and with loops around lines,
//
//   call peer bytes tag communicator since_ns inside_ns [more]
//
// as `Isend 1 2880 2000 4/0000 1963 19296 q6`. Peers are ranks of MPI_COMM_WORLD, -1 is MPI_PROC_NULL, -2 any. A
// communicator is its size and a digest of its members, which is 0 for all. Bytes and tags are `data` where they were
// too many different ones. A request has a name, which a wait that ends it says with the bytes that came and, where
// anybody might send, from whom: `q6:2880`, `q7:from3:8`. Or it has none: a call begins it by `open`, and `o0:2880`
// ends the oldest that is open before this call, `o1` the next. Between `repeat 250 {` and `}` lines are repeated.
//
// Words with `=` are about times: `cpu=1900` is the thread's processor time since the call before, and of calls that
// were folded `n=250` is how many, and `since=SUM:LEAST:MOST:4x240,5x10` (likewise `inside`, `cpu` and `size`) has all
// of them, with how many were from 4^4 to below 4^5, and so on.
//
// The first line is `#rank 0 of 4`. `#param n 64` is a parameter of the run, `#cart 4/0000 2x2 periodic 01 at 1,0` a
// grid, `#node 0` the first rank on the same node, `#cut` says that the rank did not come to its end, and so does
// `#dropped`. Further lines with `#` are passed over.
#pragma once

#include "analysis/recorded/steps.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::analysis::recorded {

// Of a step, by its call; of calls that were folded their mean.
struct Times {
  double since_ns = 0;   // since the call before that is a step; calls between that are none are left out
  double inside_ns = 0;  // in the call
  double cpu_ns = -1;    // the processor time of the thread in since_ns; negative: it is not known
};

// What MPI_Cart_create made.
struct CartesianGrid {
  std::string communicator;
  std::vector<std::int64_t> extents;
  std::vector<bool> wraps;
  std::vector<std::int64_t> place;  // of this rank
};

// The steps from one up to another that the program says are a phase.
struct PhaseSteps {
  std::string name;
  std::size_t begin = 0, end = 0;
};

struct RankRecording {
  std::int64_t rank = 0, ranks = 0;
  Steps steps;
  std::vector<Times> times;                        // of each step
  std::map<std::string, std::size_t> passed_over;  // calls that no model has, by name
  std::map<std::string, std::string> parameters;   // of the run
  std::vector<CartesianGrid> grids;
  std::vector<PhaseSteps> phases;  // by their ends
  std::int64_t node = -1;          // the first rank on the same node; negative: it is not known
  bool is_cut = false;
  Location heading;
};

// What steps may take in memory, unless the caller says otherwise.
inline constexpr std::size_t default_bytes_of_steps = std::size_t{1} << 30;

// One file. Loops are unfolded. Nothing, with a diagnostic, if it cannot be read or has more steps than there is memory
// for.
std::optional<RankRecording> read_rank(const frontend::Sources& sources, std::uint32_t file,
                                       frontend::Diagnostics& diagnostics,
                                       std::size_t most_bytes = default_bytes_of_steps);
// What its steps take.
std::size_t bytes_of_steps(const RankRecording& recording);

// MPI's collectives, and what models call them. What has no name there keeps its own.
const std::map<std::string_view, std::string_view>& collectives();
// The collective that an algorithm is of, `allreduce` of `ring_allreduce`; the name itself where it is none.
std::string_view collective_of(std::string_view name);

}  // namespace wave::analysis::recorded
