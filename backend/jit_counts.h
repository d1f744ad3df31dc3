// What the kernels of an engine have done so far; for tests.
#pragma once

#include <cstdint>
#include <string>

namespace wave::backend {

struct JitCounts {
  int compilations = 0;                   // modules, sweeps
  int found = 0;                          // modules and sweeps that the cache had
  std::uint64_t iterations_in_lanes = 0;  // of reductions
  std::string
      cache_trouble;  // why the cache is not used, or cannot be written to; empty: all is well, or there is none
};

}  // namespace wave::backend
