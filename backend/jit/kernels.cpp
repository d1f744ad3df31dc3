// Excerpts go through the passes and are compiled as far as they are needed. Those of equal structure share that.
#include "backend/jit/kernels.h"

#include "backend/jit/batch.h"
#include "backend/jit/runtime.h"
#include "backend/jit/structure.h"
#include "backend/jit/sweep/kernels.h"
#include "ir/passes.h"

#include <mutex>
#include <unordered_map>

namespace wave::jit {

namespace {

using backend::kernels::Excerpt;
using backend::kernels::Host;
using backend::kernels::MemoryAccount;

class JitKernel final : public backend::kernels::Kernel {
 public:
  JitKernel(ir::System system, SharedCompilation& shared) : compiled(std::move(system), shared) {}
  std::unique_ptr<backend::kernels::KernelEvaluation> start(const Excerpt& excerpt, Host& host,
                                                            const backend::Limits& limits, MemoryAccount& memory,
                                                            double seconds) override {
    compiled.expect(seconds);
    return std::make_unique<Run>(compiled, excerpt, host, limits, memory);
  }
  bool is_compiled() const override { return compiled.has_code; }

  CompiledSystem compiled;
};

class JitKernels final : public backend::kernels::Kernels {
 public:
  explicit JitKernels(const backend::EngineOptions& options)
      : shared_(options), sweeps_(sweep::make_sweep_kernels({.most_threads = options.threads}, shared_.source)) {}

  std::shared_ptr<backend::kernels::Kernel> kernel(const Excerpt& excerpt, std::string& why) override;
  backend::processes::SweepKernels& sweeps() override { return *sweeps_; }
  std::unique_ptr<backend::Batch> batch(backend::Engine& rows, const ir::System& system,
                                        const std::vector<ir::DefinitionId>& parameters,
                                        const std::vector<backend::Wanted>& wanted) override {
    return make_batch(rows, shared_, system, parameters, wanted);
  }
  backend::JitCounts counts() const override;

 private:
  SharedCompilation shared_;
  const std::unique_ptr<backend::processes::SweepKernels> sweeps_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<JitKernel>> kernels_;  // by a digest of their structure
};

// Deep expressions are deep recursions here, in LLVM, and in the compiled code.
std::shared_ptr<backend::kernels::Kernel> JitKernels::kernel(const Excerpt& excerpt, std::string& why) {
  why = excerpt.refusal;
  if (why.empty()) why = shared_.source->trouble();
  if (!why.empty()) return nullptr;
  const std::string structure = hexadecimal(digest(structure_of(in_order_of_use(excerpt.system))));
  const std::lock_guard lock(mutex_);
  std::shared_ptr<JitKernel>& known = kernels_[structure];
  if (!known) known = std::make_shared<JitKernel>(in_order_of_use(ir::run_passes(excerpt.system)), shared_);
  return known;
}

backend::JitCounts JitKernels::counts() const {
  std::uint64_t iterations = 0;
  const std::lock_guard lock(mutex_);
  for (const auto& [structure, kernel] : kernels_) iterations += kernel->compiled.reductions.iterations();
  const CodeSource& source = *shared_.source;
  return {source.translations(), source.found(), iterations, source.cache_trouble()};
}

}  // namespace

std::unique_ptr<backend::kernels::Kernels> make_kernels(const backend::EngineOptions& options) {
  return std::make_unique<JitKernels>(options);
}

}  // namespace wave::jit
