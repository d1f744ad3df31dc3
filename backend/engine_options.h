// Options of an engine. None of them changes a bit of the results.
#pragma once

#include <string>

namespace wave::backend {

struct EngineOptions {
  bool shortcuts =
      false;        // proved closed forms, and tiles and iterations that need not be evaluated (docs/shortcuts.md)
  int threads = 1;  // 0: as many as the machine has
  std::string cpu;  // LLVM's name of a processor, "skylake-avx512"; empty: the machine's own
  std::string cache_folder;     // of compiled kernels; empty: none are kept between runs
  bool whole_programs = false;  // of processes, none of which is taken apart; for tests
};

}  // namespace wave::backend
