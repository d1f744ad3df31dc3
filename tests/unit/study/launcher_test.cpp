// Finds out who started this program.
#include "analysis/study/launcher.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace wave::analysis;

namespace {

std::optional<Launch> in(const std::map<std::string, std::string>& environment) {
  return find_launch([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

}  // namespace

TEST_CASE("a program started alone is not one of many") {
  CHECK_FALSE(in({}));
  // A batch script of Slurm, before it calls srun.
  CHECK_FALSE(in({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));
}

TEST_CASE("launchers are known by their variables") {
  const auto open_mpi = in({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}});
  REQUIRE(open_mpi);
  CHECK(open_mpi->launcher == "Open MPI");
  CHECK(open_mpi->rank == 3);
  CHECK(open_mpi->size == 8);
  CHECK(in({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})->size == 2);
  CHECK(in({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}})->rank == 1);
  // The most specific variable decides.
  CHECK(in({{"SLURM_PROCID", "0"},
            {"SLURM_STEP_NUM_TASKS", "1"},
            {"OMPI_COMM_WORLD_RANK", "1"},
            {"OMPI_COMM_WORLD_SIZE", "2"}})
            ->size == 2);
}

TEST_CASE("variables that make no sense are not believed") {
  for (const char* const size : {"", "x", "8x", "-1", "0", "99999999999999999999", "3"}) {
    CAPTURE(size);
    CHECK_FALSE(in({{"PMI_RANK", "3"}, {"PMI_SIZE", size}}));
  }
  CHECK_FALSE(in({{"PMI_SIZE", "2"}}));
}
