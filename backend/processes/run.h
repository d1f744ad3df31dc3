// One process in one activation. It is evaluated as a whole when something of it is first asked for, and then
// remembered.
#pragma once

#include "backend/engine.h"
#include "backend/processes/bulk/kept_stretches.h"
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/engine/programs.h"
#include "backend/processes/path/critical_plan.h"
#include "backend/processes/program/accounts.h"
#include "backend/processes/program/counts.h"
#include "backend/processes/program/fractional_sizes.h"
#include "backend/processes/program/input.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

struct Guess;

class Run {
 public:
  // `scalars` stands in the activation of the process whenever something is asked. `claim_memory`: bytes, or bytes
  // given back (negative); false: the limit is exceeded. With kernels the process is evaluated by a plan where it has
  // one; with shortcuts by a plan in any case, which skips what need not be evaluated. `kept`: by earlier evaluations.
  Run(Scalars& scalars, ir::ProcessId process, const ir::FreeBinders& binders, const Limits& limits,
      std::function<bool(std::int64_t bytes)> claim_memory, SweepKernels* kernels, engine::Programs* programs,
      KeptPool& kept, const EngineOptions& options);
  Run(const Run&) = delete;
  ~Run();

  // See ir::Measure. Throws Failed; where the indices are off the grid: index_off_grid, without a site. A failure of
  // the evaluation is remembered.
  ir::Scalar measure(ir::Metric metric, ir::PhaseId phase, std::span<const std::int64_t> indices,
                     ir::Over over = ir::Over::one);
  // What is held at most at once, by the process with these indices or by any. Throws as `measure` does.
  double peak(ir::MemoryId memory, std::span<const std::int64_t> indices);
  // Whose own time is the greatest or the least, the first in row-major order.
  std::size_t rank_of(ir::Metric metric, ir::PhaseId phase, ir::Over over);

  // The failure of a process whose scalars ask for it.
  ir::Failure needs_itself() const;
  bool is_evaluated() const { return evaluated_; }
  // After the evaluation.
  const EventReport& report() const { return report_; }
  double quantum() const { return quantum_; }
  const std::vector<double>& finishes() const { return state_.clocks; }
  // What it holds.
  std::int64_t bytes() const { return bytes_; }
  // The grid; throws Failed where an extent is not positive.
  const Places& places();
  // Evaluates the process and hands over what it takes to run its program again.
  void use_program(const std::function<void(const ProgramInput&)>& use);
  // The same where the program is run by `use` only: it returns when the last process finishes, and is
  // called again with a coarser quantum where that does not fit. What scalars meet fails as it comes. `sooner` is tried
  // before, with kernels and without an estimate of what the program would take; it may return nothing.
  void use_program_only(const std::function<std::optional<double>(const ProgramInput&, SweepKernels&)>& sooner,
                        const std::function<double(const ProgramInput&)>& use);
  // See path/recorded_path.h.
  CriticalPath find_critical_path(const ProgramInput& input, const PathTarget& target, bool in_detail);
  // What its processes send, without an evaluation.
  Counter& counts();
  // Without an evaluation, see program/fractional_sizes.h.
  std::vector<FractionalSize> fractional_sizes();
  // What the processes of these ranks do, one after the other; `listener` is called before each with its rank. The
  // process is evaluated first, unless the listener asks for no time: then messages need not meet.
  enum class Times : std::uint8_t { evaluated, unknown };
  void list(std::span<const std::int64_t> ranks, const std::function<ProgramListener&(std::int64_t rank)>& listener,
            Times times = Times::evaluated);

 private:
  void evaluate();
  void try_to_evaluate();
  double evaluate_up_to_finish();
  const SharedLevels& levels();
  ProcessState fresh_state() const;
  ProcessState evaluate(double quantum);
  EndsResolver make_resolver(double quantum);
  ProgramInput program_input(EndsResolver& resolver, double quantum);
  double next(double quantum, double finish) const;
  void throw_first_failure();
  void check_limits(const Guess& guess);
  [[noreturn]] void refuse(double seconds, const char* about);
  void expect(double seconds);
  void claim(std::int64_t bytes, double before_messages);
  void give_back(std::int64_t before);
  std::size_t rank(std::span<const std::int64_t> indices);
  std::size_t last_finisher();
  double time_of_all(ir::Metric metric, ir::PhaseId phase, ir::Over over);
  double time_of(ir::Metric metric, ir::PhaseId phase, std::size_t rank);
  const Account& account(ir::PhaseId phase, std::size_t rank);
  ir::Scalar count(ir::Metric metric, ir::PhaseId phase, std::optional<std::size_t> rank);
  std::int64_t bytes_per_process() const;

  Scalars& scalars_;
  const ir::System& system_;
  const ir::Process& process_;
  const ir::FreeBinders& binders_;
  const Limits& limits_;
  std::function<bool(std::int64_t)> claim_memory_;
  DirectSweeps direct_;
  SweepKernels* kernels_;
  engine::Programs* programs_;
  KeptPool& kept_;
  const bool is_compiled_, shortcuts_, looks_at_clocks_;
  const int threads_;
  std::vector<bool> wanted_;  // phases that somebody may ask for
  std::function<void()> look_at_clock_;

  std::optional<Places> places_;
  std::optional<SharedLevels> levels_;
  bool evaluated_ = false;
  std::optional<ir::Failure> failure_;
  ProcessState state_;
  TakenCalls taken_;
  double quantum_ = 0;
  double summands_ = 0;  // as guessed
  double operations_ = 0;
  bool is_announced_ = false;
  Rounding rounding_;
  bool has_fractional_sizes_ = false;
  std::string schedule_;
  EventReport report_;
  std::optional<std::size_t> last_;
  std::unique_ptr<Accountant> accountant_;
  std::unique_ptr<Counter> counter_;
  std::optional<ir::Failure> failure_of_counts_;
  std::int64_t bytes_ = 0;
};

}  // namespace wave::backend::processes
