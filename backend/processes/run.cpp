// See run.h.
#include "backend/processes/run.h"

#include "backend/batch_thread.h"
#include "backend/limits.h"
#include "backend/processes/bulk/plan.h"
#include "backend/processes/engine/pieces.h"
#include "backend/processes/engine/whole_program.h"
#include "backend/processes/path/recorded_path.h"
#include "backend/processes/program/exact_sum.h"
#include "backend/processes/program/load.h"
#include "backend/processes/program/uses.h"
#include "backend/processes/quantum.h"
#include "backend/processes/thresholds.h"
#include "backend/threads.h"
#include "ir/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace wave::backend::processes {

namespace {

// Thrown to end an evaluation whose quantum has to be larger.
struct BeyondQuantum {
  double finish;
};

// The phases of a process that somebody may ask for.
std::vector<bool> wanted_phases(const ir::System& system, ir::ProcessId process) {
  std::vector<bool> wanted(system[process].phases.size(), false);
  if (wanted.empty()) return wanted;
  for (const ir::Value& value : system.values) {
    const auto* const measure = std::get_if<ir::Measure>(&value.node);
    if (measure && measure->process == process && measure->phase.valid()) wanted[measure->phase.index] = true;
  }
  return wanted;
}

std::int64_t integer(Scalars& scalars, ir::ValueId value) { return scalars.value(value).integer; }

// In the same order and with the same failures as the box of an event.
std::vector<std::int64_t> extents_of(Scalars& scalars, const ir::Process& process) {
  std::vector<std::int64_t> extents;
  double count = 1;
  for (const ir::Axis& axis : scalars.system()[process.space].axes) {
    const std::int64_t first = integer(scalars, axis.first), last = integer(scalars, axis.last);
    std::int64_t extent = 0;
    const bool too_large = __builtin_sub_overflow(last, first, &extent) || __builtin_add_overflow(extent, 1, &extent);
    count *= static_cast<double>(extent);
    ir::Failure failure;
    failure.kind = first > last ? ir::FailureKind::extent_not_positive : ir::FailureKind::integer_overflow;
    failure.site = axis.site;
    failure.values = {ir::Scalar::of(first), ir::Scalar::of(last)};
    if (first > last || too_large) throw Failed{std::move(failure)};
    extents.push_back(extent);
  }
  constexpr double most = 0x1p62;  // the number of processes fits an integer
  if (count < most) return extents;
  ir::Failure failure;
  failure.kind = ir::FailureKind::memory_limit;
  failure.location = process.location;
  failure.detail = fmt::format("{} processes", count_text(count));
  throw Failed{std::move(failure)};
}

}  // namespace

Run::Run(Scalars& scalars, ir::ProcessId process, const ir::FreeBinders& binders, const Limits& limits,
         std::function<bool(std::int64_t)> claim_memory, SweepKernels* kernels, engine::Programs* programs,
         KeptPool& kept, const EngineOptions& options)
    : scalars_(scalars),
      system_(scalars.system()),
      process_(system_[process]),
      binders_(binders),
      limits_(limits),
      claim_memory_(std::move(claim_memory)),
      kernels_(options.whole_programs ? nullptr
               : kernels              ? kernels
               : options.shortcuts    ? &direct_
                                      : nullptr),
      programs_(programs),
      kept_(kept),
      is_compiled_(kernels != nullptr),
      shortcuts_(options.shortcuts),
      looks_at_clocks_(resource_use(system_, process_).looks_at_clocks()),
      threads_(actual_threads(options.threads)),
      wanted_(wanted_phases(system_, process)),
      look_at_clock_([this] {
        if (seconds_left(limits_) >= 0) return;
        ir::Failure failure = deadline_passed(limits_);
        failure.location = process_.location;
        throw Failed{std::move(failure)};
      }) {}

Run::~Run() = default;

const Places& Run::places() {
  if (!places_) places_.emplace(system_, process_, extents_of(scalars_, process_));
  return *places_;
}

const SharedLevels& Run::levels() {
  if (!levels_) {
    // At most as many groups as processes, which are told apart by a hash table meanwhile.
    constexpr double bytes_of_process = sizeof(std::uint32_t), bytes_meanwhile = 80, most = 0x1p62;
    const double count = static_cast<double>(places().count());
    const double all = process_.levels.empty()
                           ? 0
                           : count * (bytes_meanwhile + bytes_of_process * static_cast<double>(process_.levels.size()));
    const auto bytes = static_cast<std::int64_t>(std::min(all, most));
    claim(bytes, all);
    try {
      levels_.emplace(scalars_, process_, places(), look_at_clock_);
    } catch (...) {
      claim_memory_(-bytes);
      throw;
    }
    claim_memory_(levels_->bytes() - bytes);
    bytes_ += levels_->bytes();
  }
  return *levels_;
}

// --- evaluation ---

ir::Failure Run::needs_itself() const {
  ir::Failure failure;
  failure.kind = ir::FailureKind::cyclic_definition;
  failure.location = process_.location;
  failure.detail = process_.name + " -> " + process_.name;
  return failure;
}

// What was claimed since then. The levels were the first, so they go with the rest.
void Run::give_back(std::int64_t before) {
  claim_memory_(-(bytes_ - before));
  bytes_ = before;
  if (before == 0) levels_.reset();
}

void Run::evaluate() {
  if (failure_) throw Failed{*failure_};
  if (evaluated_) return;
  const std::int64_t before = bytes_;
  try {
    try_to_evaluate();
    evaluated_ = true;
  } catch (Failed& failed) {
    // The scalars, too, look at the clock, and do not know for whom.
    if (failed.failure.is_limit() && !failed.failure.location.known()) failed.failure.location = process_.location;
    state_ = {};
    give_back(before);
    if (!failed.cycle.valid()) failure_ = failed.failure;
    throw;
  } catch (...) {  // it waits for a cell of a recurrence, say
    state_ = {};
    give_back(before);
    throw;
  }
}

void Run::try_to_evaluate() {
  levels();
  Guess guess;
  try {
    guess = guess_quantum(scalars_, process_, *places_, binders_, look_at_clock_);
    check_limits(guess);
    quantum_ = guess.quantum;
    summands_ = guess.summands;
    // Times that were too large for a quantum have rounded: where they led to one that only just had to be so large,
    // the next finer one is tried, too. With resources, every one is tried.
    for (double too_fine = 0;;) {
      state_ = {};
      const double finish = evaluate_up_to_finish(), coarser = next(quantum_, finish);
      if (coarser != quantum_) {
        too_fine = quantum_;
        quantum_ = coarser;
      } else if (!looks_at_clocks_ && too_fine > 0 && quantum_ / 2 > too_fine &&
                 std::fabs(finish / (0x1p51 * quantum_) - 1) < 0x1p-16) {
        quantum_ /= 2;
      } else {
        break;
      }
    }
  } catch (const Failed& failed) {
    if (!failed.failure.is_limit()) throw_first_failure();
    throw;
  } catch (const std::bad_alloc&) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::memory_limit;
    failure.location = process_.location;
    failure.detail = fmt::format("the system has no more memory for `{}`", process_.name);
    throw Failed{std::move(failure)};
  }
  report_.event = process_.name;
  report_.schedule = schedule_;
  report_.cells = operations_;
  report_.bound = std::max(guess.bound, state_.clocks[last_finisher()]);
  report_.quantum = quantum_;
  report_.error = rounding_.error(report_.bound, std::max(guess.summands, operations_));
  report_.has_fractional_sizes = has_fractional_sizes_;
}

// Or up to where it is clear that the last process finishes at a time that is too large for the quantum.
double Run::evaluate_up_to_finish() {
  const std::int64_t before = bytes_;
  last_.reset();
  try {
    state_ = evaluate(quantum_);
    return state_.clocks[last_finisher()];
  } catch (const BeyondQuantum& beyond) {
    claim_memory_(before - bytes_);
    bytes_ = before;
    return beyond.finish;
  }
}

ProcessState Run::fresh_state() const {
  ProcessState state;
  const auto count = static_cast<std::size_t>(places_->count());
  // The system may take a second to hand over a gigabyte.
  const auto fill = [&](std::vector<double>& clocks) {
    clocks.reserve(count);
    while (clocks.size() < count) {
      clocks.resize(std::min(count, clocks.size() + clocks_between_clock_reads));
      look_at_clock_();
    }
  };
  fill(state.clocks);
  for (const bool is_wanted : wanted_) {
    state.phases.emplace_back();
    if (!is_wanted) continue;
    fill(state.phases.back().spent);
    fill(state.phases.back().left);
  }
  return state;
}

EndsResolver Run::make_resolver(double quantum) {
  return {scalars_, quantum, [this](std::int64_t bytes) { claim(bytes, 0); }};
}

ProgramInput Run::program_input(EndsResolver& resolver, double quantum) {
  ProgramInput input{
      process_, *places_, levels(), binders_, scalars_, resolver, quantum, look_at_clock_, [this](std::int64_t bytes) {
        claim(bytes, 0);
        bytes_ += bytes;
      }};
  input.taken = &taken_;
  return input;
}

double Run::next(double quantum, double finish) const { return next_quantum(quantum, finish, looks_at_clocks_); }

// Every process from time 0 to its end, by a plan where there is one.
ProcessState Run::evaluate(double quantum) {
  const auto count = static_cast<std::int64_t>(places_->count());
  if (bytes_ == (levels_ ? levels_->bytes() : 0)) {  // nothing else is claimed yet
    const std::int64_t bytes = count * bytes_per_process();
    claim(bytes, static_cast<double>(bytes));
    bytes_ += bytes;
  }
  operations_ = 0;
  EndsResolver resolver = make_resolver(quantum);
  const auto finished = [&](ProcessState state) {
    rounding_ = resolver.rounding;
    has_fractional_sizes_ = resolver.has_fractional_sizes;
    return state;
  };
  ProgramInput input = program_input(resolver, quantum);
  input.too_late = [](double finish) { throw BeyondQuantum{finish}; };
  engine::Pieces pieces(input, programs_, summands_ * instruction_seconds_per_summand, threads_within_row(threads_));
  input.claim_memory = [&, claim = std::move(input.claim_memory)](std::int64_t bytes) {
    try {
      claim(bytes);
    } catch (const Failed&) {
      if (!pieces.forget()) throw;
      claim(bytes);
    }
  };
  const auto on_threads = [&] {
    return pieces.threads_used() > 1 ? fmt::format(", on {} threads", pieces.threads_used()) : "";
  };
  const auto fresh = [this] { return fresh_state(); };
  ProcessState state = fresh_state();
  if (kernels_) {
    PlanReport report;
    std::size_t compiled = 0;  // statements
    const KeptPool::Lease kept(kept_);
    PlanInput plan{input,
                   *kernels_,
                   [&](std::span<const ir::Statement> statements, ProcessState& part) {
                     const auto done = pieces.run(statements, part, fresh, report.operations);
                     if (done.is_compiled) compiled += statements.size();
                     return done.is_complete;
                   },
                   shortcuts_,
                   [this](double seconds) { expect(seconds); },
                   [this, quantum](double finish) {
                     if (next(quantum, finish) != quantum) throw BeyondQuantum{finish};
                   },
                   threads_within_row(threads_),
                   kept.get()};
    const std::int64_t before = bytes_;
    bool is_done = run_plan(plan, state, report);
    if (!is_done && may_serve_in_batches(system_, process_)) {
      state = {};
      state = fresh_state();
      report = {};
      compiled = 0;
      plan.in_batches = true;
      is_done = run_plan(plan, state, report);
    }
    pieces.forget();
    claim_memory_(before - bytes_);
    bytes_ = before;
    if (is_done) {
      schedule_ =
          report.schedule + (compiled > 0 ? fmt::format(", {} of these compiled{}", compiled, on_threads()) : "");
      operations_ += report.operations;
      return finished(std::move(state));
    }
    operations_ = 0;
    state = {};
    state = fresh_state();
  }
  const char* const order = !shortcuts_ || !looks_at_clocks_ ? ""
                            : resource_use(system_, process_).chooses
                                ? "; what comes first depends on clocks, so nothing is certified"
                                : "; who is served first depends on clocks, so nothing is certified";
  const std::vector<ir::Statement>& whole = process_.blocks[process_.body.index];
  const auto done = pieces.run(whole, state, fresh, operations_);
  schedule_ = (done.is_compiled && done.is_complete ? "network, compiled" + on_threads() : "network") + order;
  if (!done.is_complete) {
    state = fresh_state();
    engine::finish_or_explain(input, state, operations_);
  }
  return finished(std::move(state));
}

void Run::use_program(const std::function<void(const ProgramInput&)>& use) {
  evaluate();
  EndsResolver resolver = make_resolver(quantum_);
  use(program_input(resolver, quantum_));
}

void Run::use_program_only(const std::function<std::optional<double>(const ProgramInput&, SweepKernels&)>& sooner,
                           const std::function<double(const ProgramInput&)>& use) {
  places();
  const Guess guess = guess_quantum(scalars_, process_, *places_, binders_, look_at_clock_);
  for (double quantum = guess.quantum;;) {
    EndsResolver resolver = make_resolver(quantum);
    const ProgramInput input = program_input(resolver, quantum);
    std::optional<double> finish = sooner(input, kernels_ ? *kernels_ : direct_);
    if (!finish) {
      check_limits(guess);
      finish = use(input);
    }
    const double coarser = next(quantum, *finish);
    if (coarser == quantum) return;
    quantum = coarser;
  }
}

CriticalPath Run::find_critical_path(const ProgramInput& input, const PathTarget& target, bool in_detail) {
  return engine::find_critical_path(input, programs_, target, in_detail);
}

Counter& Run::counts() {
  if (!counter_) {
    counter_ = std::make_unique<Counter>(scalars_, process_, binders_, places(), look_at_clock_,
                                         [this](std::int64_t bytes) { claim(bytes, 0); });
  }
  return *counter_;
}

void Run::list(std::span<const std::int64_t> ranks, const std::function<ProgramListener&(std::int64_t)>& listener,
               Times times) {
  if (times == Times::evaluated) evaluate();
  const double quantum = times == Times::evaluated ? quantum_ : 0;
  Accountant accountant(scalars_, process_, binders_, places().extents, quantum, look_at_clock_,
                        times == Times::evaluated ? &taken_ : nullptr);
  for (const std::int64_t rank : ranks) accountant.list(places().point(rank), listener(rank));
}

std::vector<FractionalSize> Run::fractional_sizes() {
  Accountant accountant(scalars_, process_, binders_, places().extents, 0, look_at_clock_);
  return find_fractional_sizes(accountant, places());
}

// Of the failures that scalars meet, that of the first process, the first in its program, whatever met one before.
void Run::throw_first_failure() {
  if (!places_) return;
  LoadWalk walk(scalars_, process_, *places_, binders_, look_at_clock_, std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> point(places_->extents.size(), 1);
  for (std::size_t axis = point.size(); axis > 0;) {
    look_at_clock_();
    walk.load(point);
    for (axis = point.size(); axis > 0; --axis) {
      if (++point[axis - 1] <= places_->extents[axis - 1]) break;
      point[axis - 1] = 1;
    }
  }
}

}  // namespace wave::backend::processes
