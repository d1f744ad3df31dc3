// The JIT as an engine: the system goes through the passes, and a root is compiled when it is first asked for, with all
// it reaches. What is not compiled (recurrences without a loop order, code too large) the interpreter evaluates, root
// by root. Processes are evaluated by the interpreter's plans, with sweeps that are compiled here.
#include "backend/jit/engine.h"

#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/interpreter/big_stack.h"
#include "backend/interpreter/calls.h"
#include "backend/jit/batch.h"
#include "backend/jit/runtime.h"
#include "backend/jit/structure.h"
#include "backend/jit/sweep/kernels.h"
#include "ir/passes.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <type_traits>

namespace wave::jit {

namespace {

class JitEngine;

constexpr std::size_t most_calls_remembered = 100'000;

class JitEvaluation final : public backend::Evaluation, private Uncompiled {
 public:
  JitEvaluation(JitEngine& engine, const std::vector<backend::Binding>& bindings, const backend::Limits& limits);
  backend::Outcome evaluate(ir::RootId root) override;
  backend::Outcome evaluate(ir::DefinitionId definition) override;
  std::vector<backend::EventReport> reports() const override;
  std::vector<backend::Fallback> fallbacks() const override { return fallbacks_; }

 private:
  template <class Id>
  backend::Outcome evaluate(const Wanted& wanted, Id id);
  bool is_straight(ir::RootId root) const;
  bool is_straight(ir::DefinitionId definition) const;
  backend::Outcome evaluate_straight(ir::RootId root) { return run_.evaluate_straight(root); }
  backend::Outcome evaluate_straight(ir::DefinitionId definition) { return run_.evaluate(definition, nullptr); }
  backend::interpreter::CallableEvaluation& interpreted();
  backend::Outcome measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) override;
  backend::Outcome call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments,
                        ir::SiteId site) override;
  void note_fallback(const std::string& what, const std::string& reason);

  JitEngine& engine_;
  std::vector<backend::Binding> bindings_;
  backend::Limits limits_;
  Run run_;
  std::unique_ptr<backend::Evaluation> interpreted_;
  std::map<std::vector<Word>, backend::Outcome> calls_;  // by definition and arguments
  std::vector<backend::Fallback> fallbacks_;
};

// Kernels that several evaluations use at the same time, each its own. They are as many as were ever needed at once.
class SharedKernels final : public backend::processes::SweepKernels {
 public:
  SharedKernels(std::shared_ptr<CodeSource> source, int threads) : source_(std::move(source)), threads_(threads) {}
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

// Deep expressions are deep recursions here, in LLVM, and in the compiled code.
ir::System after_passes(const ir::System& system) {
  ir::System result;
  backend::interpreter::run_on_big_stack([&](std::size_t) { result = in_order_of_use(ir::run_passes(system)); });
  return result;
}

std::optional<backend::closed_form::Symbolic> replaced(const ir::System& system,
                                                       const backend::EngineOptions& options) {
  return options.shortcuts ? std::optional(backend::closed_form::replace_recurrences(system)) : std::nullopt;
}

class JitEngine final : public backend::Engine {
 public:
  JitEngine(const ir::System& system, const backend::EngineOptions& options)
      : symbolic(replaced(system, options)),
        compiled(after_passes(symbolic ? symbolic->system : system), options),
        system_(system),
        kernels_(compiled.source, options.threads) {
    if (symbolic) compiled.symbolic = &*symbolic;
  }
  const char* name() const override { return "jit"; }
  std::unique_ptr<backend::Evaluation> start(const std::vector<backend::Binding>& bindings,
                                             const backend::Limits& limits) override {
    return std::make_unique<JitEvaluation>(*this, bindings, limits);
  }
  std::unique_ptr<backend::Batch> batch(const std::vector<ir::DefinitionId>& parameters,
                                        const std::vector<backend::Wanted>& wanted) override {
    return make_batch(*this, compiled, system_, parameters, wanted);
  }
  // Of the system as it was given.
  backend::Engine& interpreter() {
    const std::lock_guard lock(compiled.mutex);
    if (!interpreter_) interpreter_ = backend::make_interpreter(system_, compiled.options, &kernels_);
    return *interpreter_;
  }

  bool is_process(const std::string& name) const {
    const auto is_it = [&](const ir::Process& process) { return process.name == name; };
    return std::any_of(system_.processes.begin(), system_.processes.end(), is_it);
  }

  const std::optional<backend::closed_form::Symbolic> symbolic;
  CompiledSystem compiled;
  std::atomic<int> interpreted{0};  // evaluations

 private:
  const ir::System& system_;
  SharedKernels kernels_;
  std::unique_ptr<backend::Engine> interpreter_;
};

JitEvaluation::JitEvaluation(JitEngine& engine, const std::vector<backend::Binding>& bindings,
                             const backend::Limits& limits)
    : engine_(engine), bindings_(bindings), limits_(limits), run_(engine.compiled, bindings, limits, *this) {}

backend::interpreter::CallableEvaluation& JitEvaluation::interpreted() {
  if (!interpreted_) interpreted_ = engine_.interpreter().start(bindings_, limits_);
  return static_cast<backend::interpreter::CallableEvaluation&>(*interpreted_);
}

backend::Outcome JitEvaluation::measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) {
  return interpreted().measure(what, indices);
}

// A loop may call with the same arguments again and again.
backend::Outcome JitEvaluation::call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments,
                                     ir::SiteId site) {
  std::vector<Word> key{definition.index};
  for (const ir::Scalar& argument : arguments) key.push_back(to_bits(argument));
  if (const auto known = calls_.find(key); known != calls_.end()) return known->second;
  if (calls_.size() >= most_calls_remembered) calls_.clear();
  return calls_.emplace(std::move(key), interpreted().call(definition, arguments, site)).first->second;
}

bool JitEvaluation::is_straight(ir::RootId root) const {
  const CompiledSystem& compiled = engine_.compiled;
  return compiled.layout.straight.contains(compiled.system[root]);
}

bool JitEvaluation::is_straight(ir::DefinitionId definition) const {
  return engine_.compiled.layout.straight.contains(definition);
}

template <class Id>
backend::Outcome JitEvaluation::evaluate(const Wanted& wanted, Id id) {
  std::string error;
  std::optional<backend::Outcome> outcome;
  backend::interpreter::run_on_big_stack([&](std::size_t) {
    if (is_straight(id))
      outcome = evaluate_straight(id);
    else if (void* const function = engine_.compiled.get(wanted, error))
      outcome = run_.evaluate(id, function);
  });
  if (outcome) return std::move(*outcome);
  ++engine_.interpreted;
  note_fallback(engine_.compiled.system[id].name, error);
  return interpreted().evaluate(id);
}

void JitEvaluation::note_fallback(const std::string& what, const std::string& reason) {
  const auto is_same = [&](const backend::Fallback& known) { return known.what == what; };
  if (std::none_of(fallbacks_.begin(), fallbacks_.end(), is_same)) fallbacks_.push_back({what, reason});
}

backend::Outcome JitEvaluation::evaluate(ir::RootId root) { return evaluate({Wanted::root, root.index, {}}, root); }

backend::Outcome JitEvaluation::evaluate(ir::DefinitionId definition) {
  return evaluate({Wanted::definition, definition.index, {}}, definition);
}

std::vector<backend::EventReport> JitEvaluation::reports() const {
  std::vector<backend::EventReport> all = run_.reports();
  if (interpreted_) {
    for (backend::EventReport report : interpreted_->reports()) {
      if (!engine_.is_process(report.event)) report.schedule += " (interpreted)";
      all.push_back(std::move(report));
    }
  }
  return all;
}

}  // namespace

std::unique_ptr<backend::Engine> make_engine(const ir::System& system, const backend::EngineOptions& options) {
  return std::make_unique<JitEngine>(system, options);
}

backend::JitCounts counts(const backend::Engine& engine) {
  const auto& jit = static_cast<const JitEngine&>(engine);
  const CodeSource& source = *jit.compiled.source;
  return {source.translations(), jit.interpreted, source.found(), jit.compiled.reductions.iterations(),
          source.cache_trouble()};
}

}  // namespace wave::jit
