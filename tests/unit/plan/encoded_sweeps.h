// The same sweeps in other encodings: weights that are the same everywhere are written out by process or by tile, and
// tiles are divided elsewhere. The bits have to be the same.
#pragma once

#include "backend/processes/bulk/sweep_body.h"

#include <cstdint>
#include <random>

namespace wave::test {

class EncodedSweeps final : public backend::processes::SweepKernels {
 public:
  EncodedSweeps(SweepKernels& kernels, std::uint64_t seed) : kernels_(kernels), random_(seed) {}

  Outcome run(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override;
  Needs needs(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override {
    return kernels_.needs(body, call);
  }
  std::string schedule() const override { return kernels_.schedule(); }
  // How many weights have been written out, and how many calls divided.
  std::size_t spread = 0, divided = 0;

 private:
  SweepKernels& kernels_;
  std::mt19937_64 random_;
};

}  // namespace wave::test
