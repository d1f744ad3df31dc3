// Recordings of MPI programs: a text for each rank, with a line for each call,
//
//   call peer bytes tag communicator since_ns inside_ns [more]
//
// as `Isend 1 2880 2000 4/0000 1963 19296 q6`. Peers are ranks of MPI_COMM_WORLD, -1 is MPI_PROC_NULL, -2 any. A
// communicator is its size and a digest of its members, which is 0 for all. Requests are numbered, and a wait names
// those that it ends, with the bytes that came and, where anybody might send, from whom: `q6:2880`, `q7:from3:8`. The
// first line is `#rank 0 of 4`; further lines with `#` are passed over.
#pragma once

#include "analysis/recorded/steps.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::recorded {

struct Recording {
  std::vector<Steps> ranks;
  std::map<std::string, std::size_t> passed_over;  // calls that no model has, by name
};

// The texts of all ranks, in any order. Nothing, with diagnostics, if one cannot be read or if they do not belong
// together.
std::optional<Recording> read_recording(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                                        frontend::Diagnostics& diagnostics);

// The collective that an algorithm is of, `allreduce` of `ring_allreduce`; the name itself where it is none.
std::string_view collective_of(std::string_view name);

// What is compared of a recording: from behind one call of a collective up to another, as "barrier 1..barrier 2"; one
// side may be left out, and a number that is 1. Nothing, with a diagnostic, if there are no such calls.
std::optional<Recording> section_of(const Recording& recording, const std::string& section, frontend::Location whole,
                                    frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::recorded
