// Recordings of MPI programs: a text for each rank (rank_recording.h).
#pragma once

#include "analysis/recorded/rank_recording.h"
#include "analysis/recorded/steps.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::recorded {

struct Recording {
  std::vector<Steps> ranks;
  std::vector<std::vector<Times>> times;           // of each rank, of each step; of a section none
  std::vector<std::vector<PhaseSteps>> phases;     // of each rank
  std::map<std::string, std::size_t> passed_over;  // calls that no model has, by name
  std::map<std::string, std::string> parameters;   // of the run
  std::vector<CartesianGrid> grids;                // of the first rank
};

// The texts of all ranks, in any order, one after the other: `use` takes each, and returns how many bytes of it it
// keeps. False, with diagnostics, if one cannot be read, if they do not belong together, or if more is kept than
// `most_bytes`.
bool read_ranks(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                frontend::Diagnostics& diagnostics, std::size_t most_bytes,
                const std::function<std::size_t(RankRecording)>& use);
// All of them. Nothing, with diagnostics, likewise.
std::optional<Recording> read_recording(const frontend::Sources& sources, const std::vector<std::uint32_t>& files,
                                        frontend::Diagnostics& diagnostics,
                                        std::size_t most_bytes = default_bytes_of_steps);

// What is compared of a recording: from behind one call of a collective up to another, as "barrier 1..barrier 2"; one
// side may be left out, and a number that is 1. Or a phase of the program, as "phase solve", each time. Nothing, with a
// diagnostic, if there are no such calls.
std::optional<Recording> section_of(const Recording& recording, const std::string& section, frontend::Location whole,
                                    frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::recorded
