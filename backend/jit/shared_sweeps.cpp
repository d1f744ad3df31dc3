// Lends compiled sweeps, and takes them back.
#include "backend/jit/shared_sweeps.h"

#include "backend/jit/sweep/kernels.h"

namespace wave::jit {

template <class Use>
auto SharedSweeps::with_kernels(Use&& use) {
  std::unique_ptr<SweepKernels> kernels;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      kernels = std::move(free_.back());
      free_.pop_back();
    }
  }
  if (!kernels) kernels = sweep::make_sweep_kernels({.most_threads = threads_}, source_);
  auto result = use(*kernels);
  const std::lock_guard lock(mutex_);
  schedule_ = kernels->schedule();
  free_.push_back(std::move(kernels));
  return result;
}

SharedSweeps::Outcome SharedSweeps::run(const backend::processes::SweepBody& body,
                                        const backend::processes::SweepCall& call) {
  return with_kernels([&](SweepKernels& kernels) { return kernels.run(body, call); });
}

SharedSweeps::Needs SharedSweeps::needs(const backend::processes::SweepBody& body,
                                        const backend::processes::SweepCall& call) {
  return with_kernels([&](SweepKernels& kernels) { return kernels.needs(body, call); });
}

std::string SharedSweeps::schedule() const {
  const std::lock_guard lock(mutex_);
  return schedule_;
}

}  // namespace wave::jit
