// Processes: the scalars that their evaluation asks for, and their results.
#include "backend/interpreter/processes.h"

#include "backend/interpreter/active_kernel.h"
#include "backend/interpreter/kernel_table.h"
#include "backend/interpreter/scope.h"

#include <algorithm>
#include <utility>

namespace wave::backend::interpreter {

using ir::Scalar;

Activation::Activation() = default;
Activation::~Activation() = default;

// --- scalars ---

struct ProcessScalars::Scoped {
  Scoped(Evaluator& evaluator, Activation& owner) : scope(evaluator, owner, nullptr) {}
  Evaluator::Scope scope;
};

// A frame that a process calls, machine by machine.
struct ProcessScalars::Entered {
  Entered(Evaluator& evaluator, ir::FrameId frame, std::span<const Scalar> arguments)
      : active(evaluator, callee), scope(evaluator, prepare(evaluator, frame, arguments), nullptr) {}

  Activation& prepare(Evaluator& evaluator, ir::FrameId frame, std::span<const Scalar> arguments) {
    callee.frame = frame;
    callee.outer = &evaluator.activation(evaluator.system_[frame].parent);
    callee.arguments.assign(arguments.begin(), arguments.end());
    callee.definitions.resize(evaluator.prepared_.definitions_in[frame.index]);
    return callee;
  }

  Activation callee;
  Evaluator::ActiveCall active;
  Evaluator::Scope scope;
};

ProcessScalars::ProcessScalars(Evaluator& evaluator, Activation& owner)
    : evaluator_(evaluator), owner_(owner), is_bound_(evaluator.system_.binders.size(), false) {}

ProcessScalars::~ProcessScalars() = default;

ProcessScalars::Active::Active(ProcessScalars& scalars) : scalars_(scalars), begin_(scalars.evaluator_.bound_.size()) {
  scalars.scope_ = std::make_unique<Scoped>(scalars.evaluator_, scalars.owner_);
}

ProcessScalars::Active::~Active() {
  Evaluator& evaluator = scalars_.evaluator_;
  scalars_.entered_.clear();
  scalars_.scope_.reset();
  evaluator.bound_.resize(begin_);
  for (; !scalars_.before_.empty(); scalars_.before_.pop_back()) {
    scalars_.is_bound_[scalars_.before_.back().first.index] = false;
    evaluator.set_binder(scalars_.before_.back().first, scalars_.before_.back().second);
  }
}

const ir::System& ProcessScalars::system() const { return evaluator_.system_; }

void ProcessScalars::bind(ir::BinderId binder, std::int64_t value) {
  std::int64_t& present = evaluator_.binder_values_[binder.index];
  if (!is_bound_[binder.index]) {
    is_bound_[binder.index] = true;
    before_.emplace_back(binder, present);
    evaluator_.bound_.push_back(binder);
  } else if (present == value) {
    return;
  }
  evaluator_.set_binder(binder, value);
}

void ProcessScalars::release(ir::BinderId binder) {
  if (!is_bound_[binder.index]) return;
  is_bound_[binder.index] = false;
  auto& bound = evaluator_.bound_;
  const auto last = std::find(bound.rbegin(), bound.rend(), binder);
  bound.erase(std::next(last).base());
}

Scalar ProcessScalars::value(ir::ValueId value) { return evaluator_.evaluate_present(value); }

void ProcessScalars::enter(ir::FrameId frame, std::span<const Scalar> arguments) {
  entered_.push_back(std::make_unique<Entered>(evaluator_, frame, arguments));
}

void ProcessScalars::leave() { entered_.pop_back(); }

std::recursive_mutex& ProcessScalars::asking() { return evaluator_.asking_; }

// --- programs ---

std::optional<bool> ProcessPrograms::run(const processes::engine::ProcessProgram& program, const ir::Statement* first,
                                         double seconds, int threads, const Use& use) {
  KernelTable& table = evaluator_.table_;
  Candidate& candidate = table.program(process_, first, program.bytecode);
  if (!table.is_due(candidate, seconds, seconds)) return std::nullopt;
  kernels::Kernel* const kernel = table.prepare(candidate);
  if (!kernel) return std::nullopt;
  // Threads of a program that is evaluated for a question would wait for `asking_`, which whoever answers it holds.
  if (evaluator_.program_is_on_threads_ || evaluator_.is_answering_) threads = 1;
  const auto run_on_threads = [&](std::span<const processes::engine::ProgramCode> codes) {
    const bool before =
        std::exchange(evaluator_.program_is_on_threads_, evaluator_.program_is_on_threads_ || threads > 1);
    struct Restore {
      bool &is_on_threads, before;
      ~Restore() { is_on_threads = before; }
    } const restore{evaluator_.program_is_on_threads_, before};
    return use(codes);
  };
  // What a kernel has found out is its own, so every thread has one.
  std::vector<std::unique_ptr<ActiveKernel>> active;
  std::vector<processes::engine::ProgramCode> codes;
  const std::function<std::optional<bool>()> enter_next = [&]() -> std::optional<bool> {
    if (active.size() == static_cast<std::size_t>(threads)) return run_on_threads(codes);
    active.push_back(std::make_unique<ActiveKernel>(evaluator_, candidate, *kernel, seconds));
    ActiveKernel& next = *active.back();
    next.give_inputs();
    std::optional<bool> is_done;
    next.run([&](kernels::KernelEvaluation& evaluation) {
      is_done = evaluation.program(program, evaluator_.activations_, [&](const processes::engine::ProgramCode& code) {
        codes.push_back(code);
        return enter_next() == true;
      });
    });
    return is_done;
  };
  const std::optional<bool> is_done = enter_next();
  if (!is_done) candidate.refuse(active.front()->evaluation().refusal());
  return is_done;
}

// --- results ---

bool Evaluator::claim_memory(std::int64_t bytes) {
  if (bytes > 0 &&
      static_cast<std::uint64_t>(bytes) > limits_.memory_bytes - std::min(limits_.memory_bytes, memory_.used.load()))
    return false;
  memory_.used += static_cast<std::size_t>(bytes);
  return true;
}

ActiveProcess& Evaluator::active_process(ir::ProcessId id) {
  Activation& owner = activation(system_[id].frame);
  std::unique_ptr<ActiveProcess>& known = owner.processes[id];
  if (!known) {
    known = std::make_unique<ActiveProcess>(
        *this, owner, id, prepared_.binders, limits_, [this](std::int64_t bytes) { return claim_memory(bytes); },
        table_.sweeps(), table_.kept(id), prepared_.options);
  }
  return *known;
}

Scalar Evaluator::measure(ActiveProcess& process, const ir::Measure& what, const std::vector<std::int64_t>& indices) {
  if (process.scalars.is_active()) throw Failed{process.run.needs_itself()};
  std::vector<Scalar> arguments;
  if (listener_) {
    const Activation* around = &activation(system_[what.process].frame);
    for (; around; around = around->outer)
      arguments.insert(arguments.end(), around->arguments.begin(), around->arguments.end());
  }
  const ProcessScalars::Active active(process.scalars);
  const Unwatched unwatched(*this);
  const bool was_evaluated = process.run.is_evaluated();
  const Scalar result = what.metric == ir::Metric::peak
                            ? Scalar::of(process.run.peak(what.memory, indices))
                            : process.run.measure(what.metric, what.phase, indices, what.over);
  if (!was_evaluated && process.run.is_evaluated()) add_report(process.run.report());
  if (listener_) listener_({what, std::move(arguments), indices}, process.run);
  return result;
}

Presence Evaluator::measure(const ir::Measure& node, const std::vector<Scalar>& indices) {
  std::vector<std::int64_t> point;
  for (const Scalar& index : indices) point.push_back(index.integer);
  try {
    return measure(active_process(node.process), node, point);
  } catch (Failed& failed) {
    const bool is_ours = failed.failure.kind == ir::FailureKind::index_off_grid && !failed.failure.site.valid();
    if (!is_ours) throw;
    failed.failure.site = node.site;
    for (auto& index : indices_of_scope()) failed.failure.indices.push_back(std::move(index));
    failed_in_ = scopes_;
    throw;
  }
}

void Evaluator::inspect(ir::ProcessId id, const std::function<void(processes::Run&)>& use) {
  const Scope scope(*this, root_, nullptr);
  ActiveProcess& process = active_process(id);
  const ProcessScalars::Active active(process.scalars);
  use(process.run);
}

}  // namespace wave::backend::interpreter
