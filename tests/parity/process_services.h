// Checks of what resources do in a process: no server serves two at once, and what is served is what was counted
// without a time.
#pragma once

#include "backend/processes/run.h"

#include <cstddef>
#include <string>

namespace wave::parity {

struct ServicesChecked {
  std::string difference;  // empty if all is as it should be
  std::size_t services = 0;
  std::size_t shown = 0;  // of these, in a timeline
};

// `input`: on the quantum of the run, which has been evaluated.
ServicesChecked check_services(backend::processes::Run& run, const backend::processes::ProgramInput& input);

}  // namespace wave::parity
