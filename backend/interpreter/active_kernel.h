// A kernel in an activation, and what it asks of the evaluator.
#pragma once

#include "backend/interpreter/evaluator.h"
#include "backend/interpreter/kernel_table.h"

#include <functional>
#include <memory>

namespace wave::backend::interpreter {

class ActiveKernel final : public kernels::Host {
 public:
  // What it asks is answered in the activation where the evaluator stands while the kernel runs.
  ActiveKernel(Evaluator& evaluator, Candidate& candidate, kernels::Kernel& kernel, double seconds);

  Candidate& candidate() { return candidate_; }
  const kernels::Excerpt& excerpt() const { return candidate_.excerpt; }
  kernels::KernelEvaluation& evaluation() { return *evaluation_; }
  std::string schedule(ir::EventId original) const;
  // Evaluates the inputs that neither fail nor take long.
  void give_inputs();
  // Runs what evaluates something; failures come out as the evaluator's own.
  void run(const std::function<void(kernels::KernelEvaluation&)>& work);
  ir::Scalar read(ir::EventId original, std::span<const std::int64_t> indices);
  // Gives back what the event's group holds.
  void drop(ir::EventId original) { evaluation_->drop(*excerpt().find(original)); }

  ir::Scalar input(ir::DefinitionId input) override;
  kernels::Extents extents(ir::EventId event) override;
  kernels::Cells cells(ir::EventId event) override;
  ir::Scalar measure(const ir::Measure& what, const std::vector<std::int64_t>& indices) override;
  ir::Scalar call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) override;

 private:
  class Question;
  template <class Answer>
  auto answer(Answer&& answer);

  Evaluator& evaluator_;
  Candidate& candidate_;
  std::unique_ptr<kernels::KernelEvaluation> evaluation_;
};

}  // namespace wave::backend::interpreter
