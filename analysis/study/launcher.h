// Tells from the environment, without MPI, whether mpirun or the like started this program as one of several.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace wave::analysis {

struct Launch {
  std::string launcher;  // "Open MPI", "srun"
  int rank = 0, size = 1;
};

// Nothing if this program was started alone. `variable` is getenv, or what a test puts in its place.
std::optional<Launch> find_launch(const std::function<const char*(const char*)>& variable);

}  // namespace wave::analysis
