// The module for MPI is missing, or belongs to another build.
#include "analysis/study/ranks/mpi_transport.h"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace wave::ranks;

TEST_CASE("a module for MPI that is not there is told from one that is not ours") {
  const auto missing = start_mpi("/there/is/no/libwave-mpi.so");
  CHECK(std::get<wave::NoPlugin>(missing).is_missing);
  CHECK(std::get<wave::NoPlugin>(missing).reason.find("/there/is/no/libwave-mpi.so") != std::string::npos);

  const auto other = start_mpi(WAVE_OTHER_MODULE);
  CHECK_FALSE(std::get<wave::NoPlugin>(other).is_missing);
  CHECK(std::get<wave::NoPlugin>(other).reason.find("another build") != std::string::npos);

  const auto none = start_mpi(WAVE_NO_MODULE);
  CHECK(std::get<wave::NoPlugin>(none).is_missing);
}

TEST_CASE("the module is looked for beside the others, or where WAVE_MPI_PLUGIN says") {
  unsetenv("WAVE_MPI_PLUGIN");
  CHECK(mpi_module_path().ends_with("/../lib/wave/libwave-mpi.so"));
  setenv("WAVE_MPI_PLUGIN", "/elsewhere/m.so", 1);
  CHECK(mpi_module_path() == "/elsewhere/m.so");
  unsetenv("WAVE_MPI_PLUGIN");
}
