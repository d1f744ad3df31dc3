// What an engine of kind `jit` has done so far; for tests.
#pragma once

namespace wave::backend {

struct JitCounts {
  int compilations = 0;     // modules
  int interpreted = 0;      // evaluations left to the interpreter: no loop order, or code too large
};

}  // namespace wave::backend
