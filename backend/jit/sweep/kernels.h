// Sweeps compiled for the machine at hand, one body at a time.
#pragma once

#include "backend/processes/bulk/sweep_body.h"

#include <memory>
#include <string>

namespace wave::jit {
class CodeSource;
}

namespace wave::jit::sweep {

// For tests and measurements; 0: chosen by what the body needs.
struct Wishes {
  std::string cpu{};  // LLVM's name of the processor; empty: the host
  int widest = 8;     // doubles in a vector of the machine, at most
  int lanes = 0;      // tiles evaluated at a time: 2, 4, 8, 16, 32
  int rows = 0;       // in registers
  int threads = 0;
  int most_threads = 1;  // that may be chosen; 0: as many as the machine has
};

// May be used from several threads at a time; large sweeps run on several.
std::unique_ptr<backend::processes::SweepKernels> make_sweep_kernels(const Wishes& wishes = {});
// Whose code comes from there, for its processor.
std::unique_ptr<backend::processes::SweepKernels> make_sweep_kernels(const Wishes& wishes,
                                                                     std::shared_ptr<CodeSource> source);

}  // namespace wave::jit::sweep
