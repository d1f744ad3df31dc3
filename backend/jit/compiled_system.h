// What evaluations of kernels share: an excerpt after the passes, and its code as far as it has been needed.
#pragma once

#include "backend/engine_options.h"
#include "backend/jit/compiler.h"
#include "backend/jit/lanes/reduction_run.h"
#include "backend/jit/lanes/strip_code.h"
#include "backend/jit/word_pool.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace wave::jit {

// What the kernels of an engine share.
struct SharedCompilation {
  explicit SharedCompilation(const backend::EngineOptions& options)
      : options(options), source(std::make_shared<CodeSource>(Processor{options.cpu}, options.cache_folder)) {}
  const backend::EngineOptions options;
  const std::shared_ptr<CodeSource> source;
  const std::shared_ptr<WordPool> pool = std::make_shared<WordPool>();
};

// Of all instances of one structure. From several threads.
struct CompiledSystem {
  CompiledSystem(ir::System system, SharedCompilation& shared)
      : shared(shared),
        system(std::move(system)),
        layout(this->system),
        compiler(layout, *shared.source),
        quick_compiler(layout, *shared.source),
        strips(layout) {}

  // The address of what is wanted, compiled now where it is not yet, with full care or, if quick code does, quickly.
  // It is given up when half of the time that `limits` leave is over.
  // Null: `why` says why.
  void* get(const Wanted& wanted, const backend::Limits& limits, std::string& why);
  // Something is about to run that would take so many seconds if it were interpreted. Quick code does as long as all
  // together stays small.
  void expect(double seconds) { expected = expected + seconds; }

  SharedCompilation& shared;
  const ir::System system;
  const Layout layout;
  Compiler compiler, quick_compiler;
  std::atomic<double> expected = 0;  // seconds
  lanes::StripCodes strips;
  lanes::ReductionCodes reductions;
  std::atomic<bool> has_code = false;
  // What could not be compiled in the time that there was. With twice as much it is tried again.
  struct GivenUp {
    std::string why;
    std::chrono::steady_clock::duration time;
  };
  std::unordered_map<std::string, GivenUp> given_up;
  std::mutex mutex;
};

}  // namespace wave::jit
