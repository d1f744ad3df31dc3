// Checks of where the time of a process goes: its critical path is as long as its time, recorded by instructions,
// followed back through a plan and through what compiled programs have recorded, the rows of a breakdown add up
// exactly, and derivatives are what differences say. Also of what it sends (process_counts.h).
#pragma once

#include "frontend/check/program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace wave::parity {

struct PathsChecked {
  std::string difference;    // empty if all is as it should be
  std::size_t paths = 0;     // recorded by instructions
  std::size_t followed = 0;  // the same ones, followed back through a plan
  std::size_t recorded = 0;  // the same ones, recorded by compiled programs
  std::size_t phases = 0;    // paths to the time in a phase
  std::size_t breakdowns = 0;
  std::size_t derivatives = 0;  // of times by real parameters, compared with differences
  // Of these, where the time jumps, or resources serve in another order beside the value of the parameter.
  std::size_t reordered = 0;
  std::map<std::string, std::size_t> no_derivative;  // the others, by why there is none
  std::size_t services = 0;                          // of resources (process_services.h)
  std::size_t shown = 0;                             // of those, on tracks of a timeline
};

// Of the first process of a model. Nothing is checked where it fails. `seed` chooses a process besides the last
// finisher.
PathsChecked check_paths(const frontend::Program& program, const frontend::Item& model, std::uint64_t seed);

}  // namespace wave::parity
