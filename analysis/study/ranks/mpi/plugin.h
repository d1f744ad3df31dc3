// What the program and its MPI module agree on: ranks and messages of bytes, nothing of models. The module is loaded
// only where a study is divided over ranks, so that the program runs where there is no MPI. Called by one thread.
#pragma once

#include <cstddef>

namespace wave::ranks {

// Functions that can fail return 0, or the number of the error in MPI.
struct MpiPlugin {
  const char* abi;
  // Starts MPI. Returns null, or what went wrong. `version` is that of the library, for people.
  const char* (*start)(const char** version);
  int (*rank)();
  int (*size)();
  // The name of the machine.
  const char* (*host)();
  // Returns when `bytes` may be used again.
  int (*send)(int to, const void* bytes, std::size_t count);
  // Whether a message has come: 1 with its sender and size, or 0, or -1 for an error.
  int (*probe)(int* from, std::size_t* count);
  // Receives the message that was probed. Gives up after `seconds`, because its sender may be dead. MPI may write to
  // `bytes` even then.
  int (*receive)(void* bytes, std::size_t count, double seconds);
  const char* (*error_text)(int error);
  // Leaves MPI together with all other ranks, which do the same.
  void (*leave)();
  // Ends all ranks, wherever they are. Does not return.
  void (*end_all)(int exit_code);
};

// The module's one visible symbol: `extern "C" const wave::ranks::MpiPlugin* wave_mpi_plugin()`.
inline constexpr const char* mpi_plugin_symbol = "wave_mpi_plugin";

}  // namespace wave::ranks
