// Recordings of programs as users name them: folders with a file for each rank, and traces of other tools.
#pragma once

#include "analysis/recorded/recording.h"
#include "cli/session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// The texts of all ranks, as sources of the session's program; or a trace that says everything about all of them.
struct OpenedRecording {
  std::vector<std::uint32_t> files;                    // at least one
  std::optional<analysis::recorded::Recording> trace;  // which the file is; otherwise each file is a rank
};

// Nothing, with diagnostics, if it cannot be read, or if it takes more memory than is left. That some ranks did not
// come to their end is said.
std::optional<OpenedRecording> open_recording(Session& session, const std::string& run);
// All ranks of it. Nothing, with diagnostics, if they cannot be read.
std::optional<analysis::recorded::Recording> recording_of(Session& session, OpenedRecording opened);

// Says which calls are not `what`, "compared", since no model has them.
void say_passed_over(Console& console, const std::string& what, const std::map<std::string, std::size_t>& calls);

}  // namespace wave::cli
