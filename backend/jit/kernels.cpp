// Excerpts go through the passes and are compiled as far as they are needed. Those of equal structure share that.
#include "backend/jit/kernels.h"

#include "backend/interpreter/big_stack.h"
#include "backend/jit/batch.h"
#include "backend/jit/runtime.h"
#include "backend/jit/structure.h"
#include "backend/jit/sweep/kernels.h"
#include "ir/passes.h"

#include <type_traits>
#include <unordered_map>

namespace wave::jit {

namespace {

using backend::kernels::Excerpt;
using backend::kernels::GroupTask;
using backend::kernels::Host;
using backend::kernels::MemoryAccount;

// Sweeps of several evaluations at the same time, each with its own. They are as many as were ever needed at once.
class SharedSweeps final : public backend::processes::SweepKernels {
 public:
  SharedSweeps(std::shared_ptr<CodeSource> source, int threads) : source_(std::move(source)), threads_(threads) {}
  Outcome run(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override {
    return with_kernels([&](SweepKernels& kernels) { return kernels.run(body, call); });
  }
  Needs needs(const backend::processes::SweepBody& body, const backend::processes::SweepCall& call) override {
    return with_kernels([&](SweepKernels& kernels) { return kernels.needs(body, call); });
  }
  std::string schedule() const override {
    const std::lock_guard lock(mutex_);
    return schedule_;
  }

 private:
  template <class Use>
  std::invoke_result_t<Use, SweepKernels&> with_kernels(Use&& use) {
    std::unique_ptr<SweepKernels> kernels = take();
    auto result = use(*kernels);
    const std::lock_guard lock(mutex_);
    schedule_ = kernels->schedule();
    free_.push_back(std::move(kernels));
    return result;
  }

  std::unique_ptr<SweepKernels> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return sweep::make_sweep_kernels({.most_threads = threads_}, source_);
    std::unique_ptr<SweepKernels> kernels = std::move(free_.back());
    free_.pop_back();
    return kernels;
  }

  const std::shared_ptr<CodeSource> source_;
  const int threads_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<SweepKernels>> free_;
  std::string schedule_;  // of the last run
};

class JitEvaluation final : public backend::kernels::KernelEvaluation {
 public:
  JitEvaluation(CompiledSystem& compiled, const Excerpt& excerpt, Host& host, const backend::Limits& limits,
                MemoryAccount& memory)
      : excerpt_(excerpt), run_(compiled, excerpt, host, limits, memory) {}

  void set(ir::DefinitionId input, ir::Scalar value) override { run_.set(input, value); }
  void plan(const GroupTask& task) override { run_.plan(task); }
  void evaluate(ir::EventId event, const ir::Exactness& exactness, std::size_t activations) override {
    run_.evaluate(event, exactness, activations);
  }
  std::size_t bytes(ir::EventId event) const override { return run_.bytes(event); }
  void drop(ir::EventId event) override { run_.drop(event); }
  ir::Scalar read(ir::EventId event, std::span<const std::int64_t> indices) override {
    return run_.read(event, indices);
  }
  std::string schedule(ir::EventId event) const override { return run_.schedule(event); }
  ir::Scalar result(std::size_t activations) override { return run_.result(excerpt_.result, activations); }
  backend::Rows rows() override { return run_.rows(excerpt_.root); }
  void reports(std::vector<backend::EventReport>& all) const override { run_.reports(all); }

 private:
  const Excerpt& excerpt_;
  Run run_;
};

class JitKernel final : public backend::kernels::Kernel {
 public:
  JitKernel(ir::System system, SharedCompilation& shared) : compiled(std::move(system), shared) {}
  std::unique_ptr<backend::kernels::KernelEvaluation> start(const Excerpt& excerpt, Host& host,
                                                            const backend::Limits& limits, MemoryAccount& memory,
                                                            double seconds) override {
    compiled.expect(seconds);
    return std::make_unique<JitEvaluation>(compiled, excerpt, host, limits, memory);
  }
  bool is_compiled() const override { return compiled.has_code; }

  CompiledSystem compiled;
};

class JitKernels final : public backend::kernels::Kernels {
 public:
  explicit JitKernels(const backend::EngineOptions& options)
      : shared_(options), sweeps_(shared_.source, options.threads) {}

  std::shared_ptr<backend::kernels::Kernel> kernel(const Excerpt& excerpt, std::string& why) override;
  backend::processes::SweepKernels& sweeps() override { return sweeps_; }
  std::unique_ptr<backend::Batch> batch(backend::Engine& rows, const ir::System& system,
                                        const std::vector<ir::DefinitionId>& parameters,
                                        const std::vector<backend::Wanted>& wanted) override {
    return make_batch(rows, shared_, system, parameters, wanted);
  }
  backend::JitCounts counts() const override;

 private:
  SharedCompilation shared_;
  SharedSweeps sweeps_;
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
