// A process in an activation of its frame.
#pragma once

#include "backend/interpreter/evaluator.h"
#include "backend/processes/engine/programs.h"
#include "backend/processes/run.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace wave::backend::interpreter {

// The scalars of the activation that a process belongs to.
class ProcessScalars final : public processes::Scalars {
 public:
  ProcessScalars(Evaluator& evaluator, Activation& owner);
  ~ProcessScalars() override;

  const ir::System& system() const override;
  void bind(ir::BinderId binder, std::int64_t value) override;
  void release(ir::BinderId binder) override;
  ir::Scalar value(ir::ValueId value) override;
  void enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) override;
  void leave() override;
  std::recursive_mutex& asking() override;

  bool is_active() const { return scope_ != nullptr; }
  // The evaluator stands in the activation while one of these lives, and as before afterwards.
  class Active {
   public:
    explicit Active(ProcessScalars& scalars);
    Active(const Active&) = delete;
    ~Active();

   private:
    ProcessScalars& scalars_;
    std::size_t begin_;
  };

 private:
  struct Entered;
  struct Scoped;
  Evaluator& evaluator_;
  Activation& owner_;
  std::vector<bool> is_bound_;                                 // by binder
  std::vector<std::pair<ir::BinderId, std::int64_t>> before_;  // what binders were
  std::unique_ptr<Scoped> scope_;
  std::vector<std::unique_ptr<Entered>> entered_;
};

// Its programs as kernels.
class ProcessPrograms final : public processes::engine::Programs {
 public:
  ProcessPrograms(Evaluator& evaluator, ir::ProcessId process) : evaluator_(evaluator), process_(process) {}
  std::optional<bool> run(const processes::engine::ProcessProgram& program, const ir::Statement* first, double seconds,
                          int threads, const Use& use) override;

 private:
  Evaluator& evaluator_;
  const ir::ProcessId process_;
};

struct ActiveProcess {
  ActiveProcess(Evaluator& evaluator, Activation& owner, ir::ProcessId process, const ir::FreeBinders& binders,
                const Limits& limits, std::function<bool(std::int64_t)> claim_memory, processes::SweepKernels* kernels,
                processes::KeptPool& kept, const EngineOptions& options)
      : scalars(evaluator, owner),
        programs(evaluator, process),
        run(scalars, process, binders, limits, std::move(claim_memory), kernels, kernels ? &programs : nullptr, kept,
            options) {}

  std::size_t bytes() const { return static_cast<std::size_t>(run.bytes()); }

  ProcessScalars scalars;
  ProcessPrograms programs;
  processes::Run run;
};

}  // namespace wave::backend::interpreter
