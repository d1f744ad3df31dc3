// See launcher.h. What stands first is more specific: Open MPI below srun sets its own variables as well.
#include "analysis/study/launcher.h"

#include "base/numbers.h"

namespace wave::analysis {
namespace {

struct Known {
  const char* launcher;
  const char* rank;
  const char* size;
};

constexpr Known launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // its mpirun, and srun --mpi=pmix with it
    {"MPICH or Intel MPI", "PMI_RANK", "PMI_SIZE"},                // Hydra, srun --mpi=pmi2
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},              // not of a batch script, which runs once
};

std::optional<int> number(const char* text) {
  if (!text) return std::nullopt;
  const auto value = parse_number<int>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

}  // namespace

std::optional<Launch> find_launch(const std::function<const char*(const char*)>& variable) {
  for (const Known& one : launchers) {
    const auto rank = number(variable(one.rank)), size = number(variable(one.size));
    if (rank && size && *rank < *size) return Launch{one.launcher, *rank, *size};
  }
  return std::nullopt;
}

}  // namespace wave::analysis
