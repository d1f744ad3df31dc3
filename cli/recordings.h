// Recordings of programs as users name them: folders with a file for each rank.
#pragma once

#include "cli/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// The files of all ranks, among the sources of the session's program. Nothing, with diagnostics, if there are none, or
// if they take more memory than is left. That some ranks did not come to their end is said.
std::optional<std::vector<std::uint32_t>> open_recording(Session& session, const std::string& folder);

}  // namespace wave::cli
