// Whether this program was started as one of several, by mpirun or the like: told by the environment, without MPI.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace wave::ranks {

struct Launch {
  std::string launcher;  // "Open MPI", "srun"
  int rank = 0, size = 1;
};

// Nothing where this program was started alone. `variable`: getenv, or what a test puts in its place.
std::optional<Launch> find_launch(const std::function<const char*(const char*)>& variable);

}  // namespace wave::ranks
