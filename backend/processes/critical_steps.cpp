// Takes a program apart.
#include "backend/processes/critical_steps.h"

#include "backend/processes/plan_kernels.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

std::vector<bool> wrap_of(const NetworkInput& input) {
  std::vector<bool> wrap;
  for (const ir::Axis& axis : input.scalars.system()[input.process.space].axes) wrap.push_back(axis.wrap);
  return wrap;
}

}  // namespace

std::size_t choices_of(const OperationList& list) {
  return static_cast<std::size_t>(
      std::count_if(list.operations.begin(), list.operations.end(), [](const PlannedOperation& operation) {
        return operation.kind == PlannedOperation::Kind::join || operation.kind == PlannedOperation::Kind::await;
      }));
}

PathSteps::PathSteps(const NetworkInput& input, SweepKernels& kernels, ir::PhaseId phase)
    : input_(input),
      kernels_(kernels),
      grid_(input.places.extents),
      fields_(input.process, grid_, {input.binders, input.scalars, input.look_at_clock, input.claim_memory}),
      wrap_(wrap_of(input)),
      ends_(fields_, input.resolver, wrap_),
      context_{input.process, fields_, ends_, input.quantum, wrap_, {}},
      phase_(phase) {
  context_.wanted_phases.resize(input.process.phases.size(), false);
  if (phase.valid()) context_.wanted_phases[phase.index] = true;
  context_.keeps_causes = true;
}

// A window looks back over the messages of the whole program, and resources serve all of it by time.
bool PathSteps::find() {
  const ir::System& system = input_.scalars.system();
  if (has_windows(system, input_.process) || resource_use(system, input_.process).any) return false;
  return block(input_.process.body);
}

// Straight statements together, as far as they go; otherwise one after the other.
bool PathSteps::block(Statements statements) {
  while (!statements.empty()) {
    input_.look_at_clock();
    if (fields_.trim()) ends_.forget();
    std::size_t straight = 0;
    while (straight < statements.size() && !is_structure(input_.process, statements[straight], &context_.wanted_phases))
      ++straight;
    if (straight > 0 && stretch(statements.first(straight), false)) {
      statements = statements.subspan(straight);
      continue;
    }
    const ir::Statement& statement = statements.front();
    if (!std::visit([&](const auto& node) { return visit(statement, node); }, statement.node)) return false;
    statements = statements.subspan(1);
  }
  return true;
}

// Over arrays where every signal is sent before it is awaited; else by kernels, which find an order.
bool PathSteps::stretch(Statements statements, bool is_shortest) {
  std::optional<OperationList> list = list_operations(statements, context_, open_);
  if (!list) return false;
  const bool is_modest = choices_of(*list) * grid_.count() <= most_bytes_of_records;
  if (!is_modest && !is_shortest) return false;
  if (list->operations.empty()) return true;
  std::vector<PendingOperation> open = list->pending;
  if (list->ordered) {
    if (grid_.count() > PeerMap::most_processes) return false;
    PathStep step;
    step.program = std::make_shared<const ArrayProgram>(array_program(*list, fields_, wrap_, true));
    step.list = std::make_shared<const OperationList>(std::move(*list));
    if (!add(std::move(step))) return false;
    open_ = std::move(open);
    close();
    return true;
  }
  if (std::any_of(wrap_.begin(), wrap_.end(), [](bool wraps) { return wraps; })) return false;
  const std::vector<bool> rising(grid_.axes(), true);
  std::optional<SweepPiece> piece = piece_of(std::move(*list), rising, fields_);
  if (!piece) return false;
  if (!add_piece(std::move(*piece), rising)) return false;
  open_ = std::move(open);
  close();
  return true;
}

bool PathSteps::visit(const ir::Statement&, const ir::Sweep& node) {
  std::vector<PendingOperation> open = open_;
  const bool has_form = for_each_piece(
      node, context_, open, [&](SweepPiece piece) { return add_piece(std::move(piece), node.fronts.front().rising); });
  open_ = std::move(open);
  close();
  return has_form;
}

bool PathSteps::visit(const ir::Statement& statement, const ir::Collective& node) {
  Domain domain{grid_.whole(), nullptr};
  if (node.root == ir::Collective::Root::to) {  // nobody but the root looks at it
    for (std::size_t axis = 0; axis < grid_.axes(); ++axis) {
      if (!node.along || *node.along == axis) domain.box.last[axis] = 0;
    }
  }
  PathStep step;
  step.collective = &node;
  step.statement = &statement;
  const std::optional<FieldPtr> cost = fields_.evaluate(node.cost, domain);
  if (cost) step.cost = fields_.rounded(*cost, input_.quantum);
  return step.cost && add(std::move(step));
}

bool PathSteps::visit(const ir::Statement&, const ir::Loop& node) {
  return for_each_iteration(node.levels, fields_, [&] { return block(node.body); });
}

bool PathSteps::visit(const ir::Statement&, const ir::Branch& node) {
  const std::optional<ir::Scalar> condition = fields_.uniform(node.condition);
  return condition && block(condition->boolean ? node.then_block : node.else_block);
}

bool PathSteps::visit(const ir::Statement&, const ir::Phase& node) {
  if (node.phase != phase_) return block(node.body);
  marks_.push_back({list_.size(), true});
  if (!block(node.body)) return false;
  marks_.push_back({list_.size(), false});
  return true;
}

// So many tiles together as their record has room.
bool PathSteps::add_piece(SweepPiece given, const std::vector<bool>& rising) {
  const auto piece = std::make_shared<const SweepPiece>(std::move(given));
  SweepRecord record;
  SweepCall call = call_of(*piece, rising, grid_, 0, piece->tiles);
  double wanted = 0;  // each of the carried registers is
  call.state.assign(piece->carried.size(), &wanted);
  call.record = &record;
  const SweepKernels::Needs needs = kernels_.needs(piece->body, call);
  const double most = static_cast<double>(most_bytes_of_records) / std::max(needs.record, 1.0);
  auto together = static_cast<std::int64_t>(std::min(std::max(most, 1.0), 0x1p62));
  if (together > needs.together) together -= together % needs.together;
  for (std::int64_t begin = 0; begin < piece->tiles; begin += together) {
    PathStep step;
    step.piece = piece;
    step.rising = rising;
    step.begin = begin;
    step.end = begin + std::min(together, piece->tiles - begin);
    if (!add(std::move(step))) return false;
  }
  return true;
}

bool PathSteps::add(PathStep step) {
  if (list_.size() >= most_steps_of_path) return false;
  list_.push_back(std::move(step));
  return true;
}

// Nothing else is pending from here on.
void PathSteps::close() {
  if (list_.empty()) return;
  std::vector<PendingOperation::Key>& open = list_.back().open.emplace();
  for (const PendingOperation& one : open_) open.push_back(one.key);
}

}  // namespace wave::backend::processes
