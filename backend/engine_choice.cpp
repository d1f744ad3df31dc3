// Loads the JIT's module once, checks that it is of this build, and switches to it where a model is large.
#include "backend/engine_choice.h"

#include "backend/interpreter/calls.h"
#include "backend/jit/plugin.h"
#include "base/plugin.h"

#include <algorithm>

namespace wave::backend {

namespace {

// The module stays loaded: engines and threads of LLVM may outlive any scope here.
const auto& plugin() {
  static const auto loaded = load_plugin<jit::Plugin>(plugin_path("WAVE_JIT_PLUGIN", "libwave-jit.so"),
                                                      jit::plugin_symbol, WAVE_JIT_ABI, "the JIT");
  return loaded;
}

// --- automatic ---

constexpr std::size_t small_memory = 100'000 * 9;  // of 10^5 cells in the interpreter
constexpr std::chrono::milliseconds small_time(250);
constexpr double small_loop = 0.03;  // seconds that a loop may take: compiling takes about as long

class AutomaticEngine final : public Engine {
 public:
  AutomaticEngine(const ir::System& system, const EngineOptions& options)
      : system_(system), options_(options), interpreter_(make_interpreter(system, options)) {}
  const char* name() const override { return compiled_ ? compiled_->name() : interpreter_->name(); }
  std::unique_ptr<Evaluation> start(const std::vector<Binding>& bindings, const Limits& limits) override;

  std::unique_ptr<Batch> batch(const std::vector<ir::DefinitionId>& parameters,
                               const std::vector<Wanted>& wanted) override;

  Engine& interpreter() { return *interpreter_; }
  const ir::System& system() const { return system_; }
  const Engine* compiled_if_any() const { return compiled_.get(); }
  // Null where there is no JIT.
  Engine* compiled() {
    if (!compiled_) {
      if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin()))
        compiled_ = (*loaded)->make_engine(system_, options_);
    }
    return compiled_.get();
  }

 private:
  const ir::System& system_;
  const EngineOptions options_;
  std::unique_ptr<Engine> interpreter_;
  std::unique_ptr<Engine> compiled_;
};

// The interpreter tries first, with small limits. If something exceeds them, the JIT evaluates it with the real limits,
// and everything after it as well.
class AutomaticEvaluation final : public Evaluation {
 public:
  AutomaticEvaluation(AutomaticEngine& engine, const std::vector<Binding>& bindings, const Limits& limits)
      : engine_(engine), bindings_(bindings), limits_(limits) {}
  Outcome evaluate(ir::RootId root) override { return evaluate_any(root); }
  Outcome evaluate(ir::DefinitionId definition) override { return evaluate_any(definition); }
  std::vector<EventReport> reports() const override {
    std::vector<EventReport> all = large_ ? large_->reports() : std::vector<EventReport>();
    const std::size_t of_large = all.size();
    const auto add = [&](const std::vector<EventReport>& reports) {
      for (const EventReport& report : reports) {
        const auto same = [&](const EventReport& other) { return other.event == report.event; };
        if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(of_large), same)) all.push_back(report);
      }
    };
    add(before_);
    if (small_) add(small_->reports());
    return all;
  }
  std::vector<Fallback> fallbacks() const override { return large_ ? large_->fallbacks() : std::vector<Fallback>{}; }

 private:
  template <class Id>
  Outcome evaluate_any(Id id) {
    if (large_) return large_->evaluate(id);
    Limits small = limits_;
    small.memory_bytes = std::min(limits_.memory_bytes, small_memory);
    small.observer = nullptr;  // it is not this try that takes long
    const auto soon = std::chrono::steady_clock::now() + small_time;
    small.deadline = limits_.deadline ? std::min(*limits_.deadline, soon) : soon;
    // Each try has a budget of its own. It finds what an earlier try has remembered only within one evaluation.
    if (!small_ || std::chrono::steady_clock::now() > small_until_) {
      small_ = engine_.interpreter().start(bindings_, small);
      static_cast<interpreter::CallableEvaluation&>(*small_).be_patient_for(small_loop);
      small_until_ = *small.deadline;
    }
    Outcome outcome = small_->evaluate(id);
    if (!exceeds(outcome)) return outcome;
    before_ = small_->reports();
    small_.reset();
    Engine* const compiled = engine_.compiled();
    large_ = (compiled ? *compiled : engine_.interpreter()).start(bindings_, limits_);
    return large_->evaluate(id);
  }

  static bool exceeds(const Outcome& outcome) {
    const auto* const failure = std::get_if<ir::Failure>(&outcome);
    return failure && failure->is_limit();
  }

  AutomaticEngine& engine_;
  std::vector<Binding> bindings_;
  Limits limits_;
  std::vector<EventReport> before_;  // of what the small one gave before
  std::unique_ptr<Evaluation> small_;
  std::chrono::steady_clock::time_point small_until_;
  std::unique_ptr<Evaluation> large_;
};

// A few rows are evaluated like single ones. Many rows go to the JIT at once.
class AutomaticBatch final : public Batch {
 public:
  AutomaticBatch(AutomaticEngine& engine, const std::vector<ir::DefinitionId>& parameters,
                 const std::vector<Wanted>& wanted)
      : engine_(engine),
        parameters_(parameters),
        wanted_(wanted),
        few_(make_plain_batch(engine, engine.system(), parameters, wanted, 1)) {}
  std::variant<BatchResult, ir::Failure> evaluate(std::span<const InputColumn> columns, const Limits& limits,
                                                  const std::function<void(std::size_t)>& progress) override {
    const std::size_t rows =
        columns.empty() ? 0 : std::visit([](const auto& values) { return values.size(); }, columns.front());
    if (rows > few_rows && !many_) many_ = engine_.compiled()->batch(parameters_, wanted_);
    used_ = rows > few_rows ? many_.get() : few_.get();
    return used_->evaluate(columns, limits, progress);
  }
  std::string schedule() const override { return used_->schedule(); }

 private:
  static constexpr std::size_t few_rows = 32;

  AutomaticEngine& engine_;
  const std::vector<ir::DefinitionId> parameters_;
  const std::vector<Wanted> wanted_;
  const std::unique_ptr<Batch> few_;
  std::unique_ptr<Batch> many_;
  Batch* used_ = few_.get();  // last
};

std::unique_ptr<Batch> AutomaticEngine::batch(const std::vector<ir::DefinitionId>& parameters,
                                              const std::vector<Wanted>& wanted) {
  const bool has_jit = std::holds_alternative<const jit::Plugin*>(plugin());
  return has_jit ? std::make_unique<AutomaticBatch>(*this, parameters, wanted) : nullptr;
}

std::unique_ptr<Evaluation> AutomaticEngine::start(const std::vector<Binding>& bindings, const Limits& limits) {
  return std::make_unique<AutomaticEvaluation>(*this, bindings, limits);
}

}  // namespace

std::variant<std::unique_ptr<Engine>, std::string> make_engine(EngineKind kind, const ir::System& system,
                                                               const EngineOptions& options) {
  if (kind != EngineKind::interpreter && !options.cpu.empty()) {
    const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
    if (loaded) {
      if (std::string trouble = (*loaded)->trouble(options); !trouble.empty()) return trouble;
    }
  }
  switch (kind) {
    case EngineKind::interpreter: return make_interpreter(system, options);
    case EngineKind::automatic: return std::make_unique<AutomaticEngine>(system, options);
    case EngineKind::jit: break;
  }
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin()))
    return (*loaded)->make_engine(system, options);
  return std::get<NoPlugin>(plugin()).reason;
}

std::variant<std::string, std::string> dump_llvm(const ir::System& system, const EngineOptions& options) {
  using Dump = std::variant<std::string, std::string>;
  const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
  if (!loaded) return Dump(std::in_place_index<1>, std::get<NoPlugin>(plugin()).reason);
  return (*loaded)->dump(system, options);
}

std::variant<std::string, std::string> dump_batch_llvm(const ir::System& system,
                                                       const std::vector<ir::DefinitionId>& parameters,
                                                       const std::vector<Wanted>& wanted,
                                                       const EngineOptions& options) {
  using Dump = std::variant<std::string, std::string>;
  const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin());
  if (!loaded) return Dump(std::in_place_index<1>, std::get<NoPlugin>(plugin()).reason);
  return (*loaded)->dump_batch(system, parameters, wanted, options);
}

void force_jit_windows(bool force) {
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin())) (*loaded)->force_windows(force);
}

void force_jit_code(bool force) {
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin())) (*loaded)->force_code(force);
}

void wish_jit_lanes(const jit::LaneWishes& wishes) {
  if (const auto* const loaded = std::get_if<const jit::Plugin*>(&plugin())) (*loaded)->wish_lanes(wishes);
}

JitCounts jit_counts(const Engine& engine) {
  const auto* const automatic = dynamic_cast<const AutomaticEngine*>(&engine);
  const Engine* const compiled = automatic ? automatic->compiled_if_any() : &engine;
  if (!compiled || std::string(compiled->name()) != "jit") return {};
  return std::get<const jit::Plugin*>(plugin())->counts(*compiled);
}

}  // namespace wave::backend
