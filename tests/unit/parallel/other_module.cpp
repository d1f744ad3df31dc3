// A module for MPI of another build.
#include "parallel/mpi/plugin.h"

extern "C" const wave::parallel::MpiPlugin* wave_mpi_plugin() {
  static const wave::parallel::MpiPlugin plugin = [] {
    wave::parallel::MpiPlugin one{};
    one.abi = "another";
    return one;
  }();
  return &plugin;
}
