// Recordings of programs as users name them: folders with a file for each rank, and traces of other tools.
#pragma once

#include "analysis/recorded/recording.h"
#include "analysis/recorded/times.h"
#include "cli/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct OpenedRecording {
  analysis::recorded::Recording recording;
  std::vector<std::vector<analysis::recorded::Times>> times;  // by rank, of each step
  std::uint32_t file = 0;                                     // one of those that it is in
};

// Its files are among the sources of the session's program. Nothing, with diagnostics, if it cannot be read, or if it
// takes more memory than is left. That some ranks did not come to their end is said.
std::optional<OpenedRecording> open_recording(Session& session, const std::string& run);

}  // namespace wave::cli
