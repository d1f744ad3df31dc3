// A program as the pieces that all of its processes take one after the other: what a critical path is followed back
// through.
#pragma once

#include "backend/processes/array_program.h"
#include "backend/processes/network.h"
#include "backend/processes/plan_operations.h"
#include "backend/processes/sweep_form.h"

#include <memory>
#include <optional>
#include <vector>

namespace wave::backend::processes {

// One of three.
struct PathStep {
  // Some tiles of a piece of a sweep, or a stretch for which kernels find an order.
  std::shared_ptr<const SweepPiece> piece;
  std::vector<bool> rising;
  std::int64_t begin = 0, end = 0;
  // A straight stretch: over arrays.
  std::shared_ptr<const OperationList> list;
  std::shared_ptr<const ArrayProgram> program;
  // A collective that is a cost.
  const ir::Collective* collective = nullptr;
  const ir::Statement* statement = nullptr;
  FieldPtr cost;

  // What is pending after it; none: whatever was, as it is within a sweep.
  std::optional<std::vector<PendingOperation::Key>> open;
};

// How many joins and awaits a list has.
std::size_t choices_of(const OperationList& list);

class PathSteps {
 public:
  // `phase` may be asked for; not valid: none.
  PathSteps(const NetworkInput& input, SweepKernels& kernels, ir::PhaseId phase);
  PathSteps(const PathSteps&) = delete;

  // Refused where a part of the program has no plan; throws Failed.
  [[nodiscard]] bool find();
  const std::vector<PathStep>& list() const { return list_; }
  // Where the phase is entered and left, in order.
  struct Mark {
    std::size_t step = 0;  // that comes next
    bool enters = false;
  };
  const std::vector<Mark>& marks() const { return marks_; }
  const PlanGrid& grid() const { return grid_; }
  const std::vector<bool>& wrap() const { return wrap_; }

 private:
  using Statements = std::span<const ir::Statement>;
  [[nodiscard]] bool block(ir::BlockId id) { return !id.valid() || block(input_.process.blocks[id.index]); }
  [[nodiscard]] bool block(Statements statements);
  [[nodiscard]] bool stretch(Statements statements, bool is_shortest);
  bool visit(const ir::Statement& statement, const ir::Compute&) { return stretch({&statement, 1}, true); }
  bool visit(const ir::Statement& statement, const ir::Message&) { return stretch({&statement, 1}, true); }
  bool visit(const ir::Statement& statement, const ir::Wait&) { return stretch({&statement, 1}, true); }
  bool visit(const ir::Statement& statement, const ir::Sweep& node);
  bool visit(const ir::Statement& statement, const ir::Collective& node);
  bool visit(const ir::Statement& statement, const ir::Loop& node);
  bool visit(const ir::Statement& statement, const ir::Branch& node);
  bool visit(const ir::Statement& statement, const ir::Phase& node);
  [[nodiscard]] bool add_piece(SweepPiece piece, const std::vector<bool>& rising);
  [[nodiscard]] bool add(PathStep step);
  void close();

  const NetworkInput& input_;
  SweepKernels& kernels_;
  PlanGrid grid_;
  Fields fields_;
  std::vector<bool> wrap_;
  PlanEnds ends_;
  WalkContext context_;
  std::vector<PendingOperation> open_;  // behind the last step
  std::vector<PathStep> list_;
  ir::PhaseId phase_;
  std::vector<Mark> marks_;
};

}  // namespace wave::backend::processes
