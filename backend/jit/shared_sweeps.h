// Compiled sweeps of several evaluations at the same time, each with its own.
#pragma once

#include "backend/jit/code_source.h"
#include "backend/processes/sweep_body.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::jit {

class SharedSweeps final : public backend::processes::SweepKernels {
 public:
  SharedSweeps(std::shared_ptr<CodeSource> source, int threads) : source_(std::move(source)), threads_(threads) {}
  Outcome run(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override;
  Needs needs(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override;
  std::string schedule() const override;

 private:
  // One that nobody else uses meanwhile.
  template <class Use>
  auto with_kernels(Use&& use);

  const std::shared_ptr<CodeSource> source_;
  const int threads_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SweepKernels>> free_;  // with those in use, as many as were ever needed at once
  std::string schedule_;                             // of the last run
};

}  // namespace wave::jit
