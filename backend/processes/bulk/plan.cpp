// See plan.h.
#include "backend/processes/bulk/plan.h"

#include "backend/processes/bulk/array_run.h"
#include "backend/processes/bulk/identical_steps.h"
#include "backend/processes/bulk/plan_arrays.h"
#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/bulk/plan_parts.h"
#include "backend/processes/bulk/streams.h"
#include "backend/processes/claimed.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <span>
#include <utility>

namespace wave::backend::processes {

namespace {

class Evaluation {
 public:
  Evaluation(const PlanInput& input, ProcessState& state, PlanReport& report)
      : input_(input),
        program_(input.program),
        state_(state),
        report_(report),
        plan_(program_, {wanted_phases(state), false, input.in_batches}, input.kept),
        memory_([this](std::int64_t bytes) { return claim_if_possible(bytes); }),
        spare_(plan_.grid().count(), program_.claim_memory),
        times_(state.clocks, program_.claim_memory),
        servers_(program_, program_.claim_memory),
        kernels_(input, plan_.grid(), times_, memory_),
        streams_({plan_.grid(), program_.levels, program_.scalars.system(), times_, servers_, program_.claim_memory,
                  program_.look_at_clock}) {}

  // Refused where the engine has to take the program as a whole; throws Failed.
  [[nodiscard]] bool run() {
    const auto take = [this](const PlanPart& part) {
      return std::visit(
          [this](const auto& one) { return goes_by_stream(one) || finish_streams() ? run(one) : Taken::refused; },
          part);
    };
    if (!plan_.for_each(take) || !finish_streams() || serves_too_late()) return false;
    program_.resolver.rounding.add(plan_.rounding());
    report_.schedule = fmt::format("{}", fmt::join(texts(), ", "));
    return true;
  }

 private:
  class Iterations;
  // The engine takes a larger quantum where a service would begin too late for this one, also if nobody waits for it.
  // Then it has to say when that is.
  bool serves_too_late() {
    const double exact_below = 0x1p52 * program_.quantum;
    const auto times = times_.settled();
    const auto reaches = [&](std::span<const double> of) {
      return std::ranges::any_of(of, [&](double time) { return time >= exact_below; });
    };
    return !reaches(times.front()) &&
           (servers_.reach(exact_below) || std::any_of(times.begin() + 1, times.end(), reaches));
  }
  static std::vector<bool> wanted_phases(const ProcessState& state) {
    std::vector<bool> wanted;
    for (const ProcessState::PhaseClocks& phase : state.phases) wanted.push_back(phase.wanted());
    return wanted;
  }

  // Parts that are put behind those which are served in streams; all others need the clocks behind these.
  template <class Part>
  bool goes_by_stream(const Part&) const {
    return false;
  }
  bool goes_by_stream(const part::Tiles& part) const { return !part.piece->services.empty() || !streams_.empty(); }
  bool goes_by_stream(const part::Pending& part) const { return part.operations.empty(); }
  bool goes_by_stream(const part::Straight& part) const { return part.stretch->piece != nullptr && !streams_.empty(); }
  bool goes_by_stream(const part::Repetition&) const { return true; }
  [[nodiscard]] bool finish_streams() { return streams_.empty() || streams_.run(); }
  Taken stream(const std::shared_ptr<const SweepPiece>& piece, const std::vector<bool>& rising);

  Taken run(const part::Straight& part);
  Taken run(const part::Tiles& part);
  Taken run(const part::Pending& part);
  Taken run(const part::CollectiveCost& part);
  Taken run(const part::PhaseBound& part);
  Taken run(const part::Repetition& part);
  Taken run(const part::Unordered& part);

  // All that has been done, evaluated or not.
  struct Effort {
    double operations = 0, tiles = 0, iterations = 0;
  };
  Effort effort() const { return {report_.operations, kernels_.tiles().all, iterations_}; }
  double processes() const { return static_cast<double>(plan_.grid().count()); }

  void count(const std::string& what, std::size_t times = 1) {
    const auto found =
        std::find_if(counts_.begin(), counts_.end(), [&](const auto& entry) { return entry.first == what; });
    if (found != counts_.end())
      found->second += times;
    else
      counts_.push_back({what, times});
  }
  std::vector<std::string> texts() const;
  bool claim_if_possible(std::int64_t bytes) const {
    try {
      program_.claim_memory(bytes);
      return true;
    } catch (const Failed&) {
      return false;
    }
  }

  const PlanInput& input_;
  const ProgramInput& program_;
  ProcessState& state_;
  PlanReport& report_;
  ProcessPlan plan_;
  ClockMemory memory_;  // for what need not be evaluated
  SpareArrays spare_;
  CarriedTimes times_;
  Servers servers_;
  PlanKernels kernels_;
  StreamedSweeps streams_;
  bool is_in_sweep_ = false;
  // The phases that are asked for around the part at hand, and the clocks where they were entered.
  struct Entered {
    Entered(const ProgramInput& program, const std::vector<double>& now)
        : claimed(program.claim_memory, static_cast<std::int64_t>(now.size() * sizeof(double))), clocks(now) {}
    Claimed claimed;
    std::vector<double> clocks;
  };
  std::list<Entered> entered_;
  double iterations_evaluated_ = 0, iterations_ = 0;  // of loops whose iterations are all the same
  std::vector<std::pair<std::string, std::size_t>> counts_;
};

Taken Evaluation::stream(const std::shared_ptr<const SweepPiece>& piece, const std::vector<bool>& rising) {
  if (!streams_.add(piece, rising)) return Taken::refused;
  report_.operations +=
      static_cast<double>(piece->body.operations.size()) * static_cast<double>(piece->tiles) * processes();
  return Taken::done;
}

Taken Evaluation::run(const part::Straight& part) {
  const Stretch& stretch = *part.stretch;
  if (!streams_.empty()) {
    count("computation in streams");
    return stream(stretch.piece, std::vector<bool>(plan_.grid().axes(), true));
  }
  const bool is_done = run_over_arrays(
      *stretch.program,
      {plan_.grid(), spare_, program_.claim_memory, program_.look_at_clock,
       threads_for(*stretch.program, plan_.grid().count(), input_.threads),
       [&](const Carried& carried) -> std::vector<double>& { return times_.of(carried); }, nullptr, &servers_});
  if (!is_done) return Taken::refused;
  report_.operations += stretch.operations * processes();
  count(!stretch.has_messages               ? "computation over arrays"
        : stretch.program->services.empty() ? "messages over arrays"
                                            : "messages over arrays, served in batches");
  return Taken::done;
}

Taken Evaluation::run(const part::Tiles& part) {
  if (goes_by_stream(part)) {
    count("piece of a sweep, served in streams");
    return stream(part.piece, part.rising);
  }
  if (!kernels_.run(*part.piece, part.rising)) return Taken::no_order;
  is_in_sweep_ = true;
  report_.operations +=
      static_cast<double>(part.piece->body.operations.size()) * static_cast<double>(part.piece->tiles) * processes();
  return Taken::done;
}

Taken Evaluation::run(const part::Pending& part) {
  if (!streams_.empty()) return Taken::done;  // goes_by_stream: no operation is pending
  times_.keep(part.operations);
  if (std::exchange(is_in_sweep_, false)) count("sweep: " + input_.kernels.schedule());
  return Taken::done;
}

Taken Evaluation::run(const part::CollectiveCost& part) {
  synchronise(part.node, part.cost, plan_.grid(), state_.clocks);
  report_.operations += processes();
  count("collective over arrays");
  return Taken::done;
}

Taken Evaluation::run(const part::PhaseBound& part) {
  if (part.enters) {
    entered_.emplace_back(program_, state_.clocks);
    return Taken::done;
  }
  ProcessState::PhaseClocks& phase = state_.phases[part.phase.index];
  const std::vector<double>& entered = entered_.back().clocks;
  for (std::size_t i = 0; i < entered.size(); ++i) phase.spent[i] += state_.clocks[i] - entered[i];
  phase.left = state_.clocks;
  entered_.pop_back();
  return Taken::done;
}

// Iterations that are all the same.
class Evaluation::Iterations final : public IdenticalSteps {
 public:
  Iterations(Evaluation& evaluation, const std::function<bool()>& once) : self_(evaluation), once_(once) {}

  bool evaluate(std::int64_t steps) override {
    for (; steps > 0 && !is_stopped_; --steps) {
      begin_ = self_.effort();
      is_stopped_ = !once_();
      end_ = self_.effort();
    }
    return !is_stopped_;
  }
  // What serves by time does not just add and take maxima.
  ClockArrays clocks() override {
    return self_.plan_.is_quiet() && !self_.input_.in_batches ? self_.times_.settled() : ClockArrays{};
  }
  ClockArrays sums() override { return phases(&ProcessState::PhaseClocks::spent); }
  ClockArrays marks() override { return phases(&ProcessState::PhaseClocks::left); }
  void expect(double seconds) override {
    if (self_.input_.expect && !is_stopped_) self_.input_.expect(seconds);
  }
  void exceed(double clock) override {
    if (self_.input_.exceed) self_.input_.exceed(clock);
  }
  ClockMemory& memory() override { return self_.memory_; }
  // Of the last one.
  Effort effort() const {
    return {end_.operations - begin_.operations, end_.tiles - begin_.tiles, end_.iterations - begin_.iterations};
  }

 private:
  ClockArrays phases(std::vector<double> ProcessState::PhaseClocks::* array) {
    ClockArrays result;
    for (ProcessState::PhaseClocks& phase : self_.state_.phases) {
      if (phase.wanted()) result.emplace_back(phase.*array);
    }
    return result;
  }
  Evaluation& self_;
  const std::function<bool()>& once_;
  Effort begin_, end_;
  bool is_stopped_ = false;
};

Taken Evaluation::run(const part::Repetition& part) {
  for (std::int64_t i = 0; !input_.shortcuts && i < part.count; ++i) {
    if (!part.once()) return Taken::refused;
  }
  if (!input_.shortcuts) return Taken::done;
  Iterations iterations(*this, part.once);
  const StepsTaken taken = take_steps(iterations, {part.count, 1, 0x1p52 * program_.quantum});
  if (taken.is_stopped) return Taken::refused;
  const auto skipped = static_cast<double>(part.count - taken.evaluated);
  report_.operations += skipped * iterations.effort().operations;
  kernels_.skip_tiles(skipped * iterations.effort().tiles);
  iterations_ += static_cast<double>(part.count) + skipped * iterations.effort().iterations;
  iterations_evaluated_ += static_cast<double>(taken.evaluated);
  return Taken::done;
}

Taken Evaluation::run(const part::Unordered& part) {
  count("statements by the process network", part.statements.size());
  return input_.run_unordered(part.statements, state_) ? Taken::done : Taken::refused;
}

std::vector<std::string> Evaluation::texts() const {
  std::vector<std::string> result;
  for (const auto& [what, times] : counts_) result.push_back(fmt::format("{} x {}", times, what));
  const auto certified = [&](const char* what, double evaluated, double all) {
    if (evaluated < all) result.push_back(fmt::format("certified {}: {} of {} evaluated", what, evaluated, all));
  };
  certified("tiles", kernels_.tiles().evaluated, kernels_.tiles().all);
  certified("iterations", iterations_evaluated_, iterations_);
  return result;
}

}  // namespace

bool run_plan(const PlanInput& input, ProcessState& state, PlanReport& report) {
  try {
    return Evaluation(input, state, report).run();
  } catch (const Failed& failed) {
    // The engine may need less memory than batches.
    const bool is_large = input.in_batches && failed.failure.kind == ir::FailureKind::memory_limit;
    if (failed.failure.is_limit() && !is_large) throw;
    return false;
  }
}

}  // namespace wave::backend::processes
