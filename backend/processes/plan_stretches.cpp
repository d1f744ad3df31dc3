// The straight stretches of plan_parts.h.
#include "backend/processes/plan_parts.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

// The variables of the loops inside.
std::set<ir::BinderId> loop_variables(const ir::Process& process, std::span<const ir::Statement> statements) {
  std::set<ir::BinderId> found;
  for (const ir::Statement& statement : statements) {
    if (const auto* const loop = std::get_if<ir::Loop>(&statement.node)) {
      for (const ir::Level& level : loop->levels) found.insert(level.binder);
    }
    ir::for_each_block(statement,
                       [&](ir::BlockId block) { found.merge(loop_variables(process, process.blocks[block.index])); });
  }
  return found;
}

bool has_parts(const ir::Statement& statement) {
  bool found = false;
  ir::for_each_block(statement, [&](ir::BlockId) { found = true; });
  return found;
}

}  // namespace

std::size_t choices_of(const OperationList& list) {
  return static_cast<std::size_t>(
      std::count_if(list.operations.begin(), list.operations.end(), [](const PlannedOperation& operation) {
        return operation.kind == PlannedOperation::Kind::join || operation.kind == PlannedOperation::Kind::await;
      }));
}

// Its record has room, or there is no shorter one.
bool ProcessPlan::is_recordable(Statements statements, const OperationList& list) const {
  return choices_of(list) * grid_.count() <= most_bytes_of_records ||
         (statements.size() == 1 && !has_parts(statements.front()));
}

// Every signal is sent before it is awaited, and nothing is left open that was not before.
bool ProcessPlan::is_straight(const OperationList& list) const {
  const auto was_open = [&](const PendingOperation& one) {
    return std::any_of(open_.begin(), open_.end(), [&](const PendingOperation& other) { return other.key == one.key; });
  };
  return list.ordered && std::all_of(list.pending.begin(), list.pending.end(), was_open);
}

std::shared_ptr<const Stretch> ProcessPlan::make_stretch(Statements statements) {
  if (grid_.count() > PeerMap::most_processes) return nullptr;
  std::optional<OperationList> list = list_operations(statements, context_, open_);
  if (!list || !(wanted_.choices ? is_recordable(statements, *list) : is_straight(*list))) return nullptr;
  const auto stretch = std::make_shared<Stretch>();
  stretch->open = list->pending;
  stretch->operations = static_cast<double>(list->operations.size());
  stretch->has_messages = list->signals > 0;
  if (list->ordered) {
    stretch->program = array_program(*list, fields_, wrap_, wanted_.choices);
    if (wanted_.choices) stretch->list = std::move(*list);
    return stretch;
  }
  if (std::any_of(wrap_.begin(), wrap_.end(), [](bool wraps) { return wraps; })) return nullptr;
  std::optional<SweepPiece> piece = piece_of(std::move(*list), std::vector<bool>(grid_.axes(), true), fields_);
  if (!piece) return nullptr;
  stretch->piece = std::make_shared<const SweepPiece>(std::move(*piece));
  return stretch;
}

// Remembered where nothing is open; equal surroundings give the same.
std::shared_ptr<const Stretch> ProcessPlan::prepare(Statements statements) {
  if (!open_.empty()) return make_stretch(statements);
  const std::pair which{statements.data(), statements.size()};
  if (refused_.contains(which)) return nullptr;
  std::set<ir::BinderId> binders = uses_.of(statements).binders;
  for (const ir::BinderId own : loop_variables(process_, statements)) binders.erase(own);
  StretchKey key{which.first, which.second, fields_.bound(binders)};
  if (const auto found = stretches_.find(key); found != stretches_.end()) return found->second;
  std::shared_ptr<const Stretch> made = make_stretch(statements);
  if (!made && !wanted_.choices && grid_.count() >= large_grid) refused_.insert(which);
  if (stretches_.size() >= most_stretches_remembered) stretches_.clear();
  stretches_.emplace(std::move(key), made);
  return made;
}

}  // namespace wave::backend::processes
