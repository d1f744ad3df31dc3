// A module for MPI from another build.
#include "analysis/study/ranks/mpi/plugin.h"

extern "C" const wave::ranks::MpiPlugin* wave_mpi_plugin() {
  static const wave::ranks::MpiPlugin plugin = [] {
    wave::ranks::MpiPlugin one{};
    one.abi = "another";
    return one;
  }();
  return &plugin;
}
