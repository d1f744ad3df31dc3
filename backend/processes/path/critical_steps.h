// The parts of a program as the pieces of which a critical path is followed back through one at a time.
#pragma once

#include "backend/processes/bulk/plan_parts.h"

#include <memory>
#include <optional>
#include <vector>

namespace wave::backend::processes {

// One of three.
struct PathStep {
  // Some tiles of a piece.
  std::shared_ptr<const SweepPiece> piece = nullptr;
  std::vector<bool> rising = {};
  std::int64_t begin = 0, end = 0;
  // Over arrays.
  std::shared_ptr<const Stretch> stretch = nullptr;
  std::optional<part::CollectiveCost> collective = std::nullopt;

  // What is pending after it; none: whatever was, as it is within a sweep.
  std::optional<std::vector<PendingOperation::Key>> open = {};
};

class PathSteps {
 public:
  // `phase` may be asked for; not valid: none.
  PathSteps(const ProgramInput& input, SweepKernels& kernels, ir::PhaseId phase);

  // Refused where a part of the program has no order; throws Failed.
  [[nodiscard]] bool find();
  const std::vector<PathStep>& list() const { return list_; }
  // Where the phase is entered and left, in order.
  struct Mark {
    std::size_t step = 0;  // that comes next
    bool enters = false;
  };
  const std::vector<Mark>& marks() const { return marks_; }
  const PlanGrid& grid() const { return plan_.grid(); }
  const std::vector<bool>& wrap() const { return plan_.wrap(); }

 private:
  [[nodiscard]] bool add(const part::Straight& part);
  [[nodiscard]] bool add(const part::Tiles& part);
  [[nodiscard]] bool add(const part::Pending& part);
  [[nodiscard]] bool add(const part::CollectiveCost& part);
  [[nodiscard]] bool add(const part::PhaseBound& part);
  [[nodiscard]] bool add(const part::Repetition& part);
  [[nodiscard]] bool add(const part::Unordered&) { return false; }
  [[nodiscard]] bool add(PathStep step);

  SweepKernels& kernels_;
  ProcessPlan plan_;
  std::vector<PathStep> list_;
  std::vector<Mark> marks_;
};

}  // namespace wave::backend::processes
