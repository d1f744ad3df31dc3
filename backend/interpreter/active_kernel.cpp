// Inputs, cells and functions for kernels.
#include "backend/interpreter/active_kernel.h"

#include "backend/interpreter/processes.h"
#include "backend/interpreter/scope.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace wave::backend::interpreter {

using ir::Scalar;

ActiveKernel::ActiveKernel(Evaluator& evaluator, Candidate& candidate, kernels::Kernel& kernel, double seconds)
    : evaluator_(evaluator),
      candidate_(candidate),
      evaluation_(kernel.start(candidate.excerpt, *this, evaluator.limits_, evaluator.memory_, seconds)) {}

void ActiveKernel::give_inputs() {
  for (const ir::DefinitionId id : excerpt().given) {
    const ir::ValueId value = excerpt().inputs[id.index];
    if (value.valid()) evaluation_->set(id, evaluator_.evaluate_present(value));
  }
}

void ActiveKernel::run(const std::function<void(kernels::KernelEvaluation&)>& work) {
  try {
    work(*evaluation_);
  } catch (kernels::KernelFailure& met) {
    ir::Failure& failure = met.failure;
    if (!met.is_original && failure.site.valid()) failure.site = excerpt().sites[failure.site.index];
    if (met.is_open) {
      const auto indices = evaluator_.indices_of_scope();
      failure.indices.insert(failure.indices.begin(), indices.begin(), indices.end());
      evaluator_.failed_in_ = evaluator_.scopes_;
    }
    throw Failed{std::move(failure), met.cycle};
  }
}

Scalar ActiveKernel::read(ir::EventId original, std::span<const std::int64_t> indices) {
  Scalar result;
  run([&](kernels::KernelEvaluation& evaluation) { result = evaluation.read(*excerpt().find(original), indices); });
  return result;
}

std::string ActiveKernel::schedule(ir::EventId original) const {
  return evaluation_->schedule(*excerpt().find(original));
}

// --- questions ---

// The frames that compiled code has entered count.
class ActiveKernel::Question {
 public:
  Question(Evaluator& evaluator, std::size_t activations)
      : evaluator_(evaluator),
        activations_(evaluator.activations_),
        watch_(std::exchange(evaluator.watch_, nullptr)),
        is_answering_(std::exchange(evaluator.is_answering_, true)) {
    evaluator.activations_ = std::max(activations, activations_);
  }
  Question(const Question&) = delete;
  ~Question() {
    evaluator_.activations_ = activations_;
    evaluator_.watch_ = watch_;
    evaluator_.is_answering_ = is_answering_;
  }

 private:
  Evaluator& evaluator_;
  const std::size_t activations_;
  Watch* const watch_;
  const bool is_answering_;
};

// What fails in the scope of the kernel gets the indices of the kernel's loops, too: those inside the ones that are
// known here.
template <class Answer>
auto ActiveKernel::answer(Answer&& answer) {
  const std::lock_guard alone(evaluator_.asking_);
  const Question question(evaluator_, activations);
  const std::size_t scope = evaluator_.scopes_, outer = evaluator_.bound_.size() - evaluator_.scope_begin_;
  evaluator_.failed_in_ = Evaluator::no_scope;
  try {
    return answer();
  } catch (Failed& failed) {
    if (evaluator_.failed_in_ != scope) throw;
    auto& indices = failed.failure.indices;
    indices.erase(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(std::min(outer, indices.size())));
    throw kernels::KernelFailure{std::move(failed.failure), true, true, failed.cycle};
  }
}

Scalar ActiveKernel::input(ir::DefinitionId input) {
  return answer([&] { return evaluator_.evaluate_present(excerpt().inputs[input.index]); });
}

kernels::Extents ActiveKernel::extents(ir::EventId event) {
  return answer([&]() -> kernels::Extents {
    const ir::Event& original = evaluator_.system_[excerpt().events[event.index]];
    const Box& box = evaluator_.box(original.space, evaluator_.activation(original.frame));
    return {box.first, box.last};
  });
}

// While a group is being evaluated, its cells are asked for one by one.
kernels::Cells ActiveKernel::cells(ir::EventId event) {
  return answer([&]() -> kernels::Cells {
    const ir::EventId original = excerpt().events[event.index];
    const GroupState& state = evaluator_.group_state(original);
    if (state.kernel == this) return {};
    if (state.progress == Progress::done && !state.solution && !state.kernel)
      return {state.columns.at(original)->words(), {}};
    return {nullptr, [this, original](std::span<const std::int64_t> indices) {
              return answer([&] { return evaluator_.cell_of(original, indices); });
            }};
  });
}

Scalar ActiveKernel::measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) {
  ir::Measure original = what;
  original.process = excerpt().processes[what.process.index];
  return answer([&] { return evaluator_.measure(evaluator_.active_process(original.process), original, indices); });
}

Scalar ActiveKernel::call(ir::DefinitionId definition, const std::vector<Scalar>& arguments, ir::SiteId site) {
  const ir::SiteId original = site.valid() ? excerpt().sites[site.index] : site;
  return answer([&] { return evaluator_.call(excerpt().definitions[definition.index], arguments, original); });
}

}  // namespace wave::backend::interpreter
