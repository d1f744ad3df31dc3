// The straight stretches of plan_parts.h.
#include "backend/processes/bulk/plan_parts.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

// Takes the variables of the loops inside out of these.
void leave_out_loops(const ir::Process& process, std::span<const ir::Statement> statements,
                     std::set<ir::BinderId>& binders) {
  for (const ir::Statement& statement : statements) {
    if (const auto* const loop = std::get_if<ir::Loop>(&statement.node)) {
      for (const ir::Level& level : loop->levels) binders.erase(level.binder);
    }
    ir::for_each_block(statement,
                       [&](ir::BlockId block) { leave_out_loops(process, process.blocks[block.index], binders); });
  }
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

StretchKey ProcessPlan::key_of(Statements statements) {
  std::set<ir::BinderId> binders = uses_.of(statements).binders;
  leave_out_loops(process_, statements, binders);
  StretchKey key{statements.data(), statements.size(), fields_.bound(binders)};
  if (wanted_.in_batches) key.bound.push_back(has_no_count_);
  return key;
}

// Kept where nothing is pending before or after it: what is pending is known by the addresses of its fields.
OperationListPtr ProcessPlan::list(Statements statements, const std::vector<PendingOperation>& open, bool may_be_kept) {
  const auto make = [&]() -> std::shared_ptr<OperationList> {
    std::optional<OperationList> made = list_operations(statements, context_, open);
    return made ? std::make_shared<OperationList>(std::move(*made)) : nullptr;
  };
  if (!kept_ || !may_be_kept || !open.empty()) return make();
  StretchKey key = key_of(statements);
  if (OperationListPtr found = kept_->find(key, {fields_, ends_, input_.quantum})) return found;
  if (!kept_->has_room()) return make();
  KeptSteps steps;
  const Fields::Recording recording(fields_, &steps);
  const std::shared_ptr<OperationList> made = make();
  if (!made || !made->pending.empty()) return made;
  for (PlannedOperation& operation : made->operations) operation.cause = {};  // what it points to will be gone
  kept_->keep(std::move(key), made, std::move(steps));
  return made;
}

std::shared_ptr<const Stretch> ProcessPlan::make_stretch(Statements statements) {
  if (grid_.count() > PeerMap::most_processes) return nullptr;
  context_.count = wanted_.in_batches && has_no_count_ ? fields_.constant(0) : nullptr;
  const OperationListPtr made = list(statements, open_, true);
  if (!made || !(wanted_.choices ? is_recordable(statements, *made) : is_straight(*made))) return nullptr;
  const auto stretch = std::make_shared<Stretch>();
  stretch->open = made->pending;
  stretch->operations = static_cast<double>(made->operations.size());
  stretch->has_messages = made->signals > 0;
  stretch->leaves_no_count = made->count && made->count->uniform() && made->count->values[0] == 0;
  if (made->ordered) {
    stretch->program = array_program(*made, fields_, orders_, wrap_, wanted_.choices);
    const bool has_orders = std::ranges::all_of(stretch->program->groups, [](const ArrayGroup& group) {
      return std::ranges::all_of(group.batches, [](const ServiceBatch& batch) { return batch.order != nullptr; });
    });
    if (!has_orders) return nullptr;
    if (wanted_.choices) stretch->list = *made;
    // Between sweeps that are served in streams.
    const bool may_be_streamed = wanted_.in_batches && has_sweeps_ && made->signals == 0 && made->pending.empty();
    if (!may_be_streamed) return stretch;
    if (std::optional<SweepPiece> piece = piece_of(*made, std::vector<bool>(grid_.axes(), true), fields_))
      stretch->piece = std::make_shared<const SweepPiece>(std::move(*piece));
    return stretch;
  }
  if (std::any_of(wrap_.begin(), wrap_.end(), [](bool wraps) { return wraps; })) return nullptr;
  std::optional<SweepPiece> piece = piece_of(*made, std::vector<bool>(grid_.axes(), true), fields_);
  if (!piece) return nullptr;
  stretch->piece = std::make_shared<const SweepPiece>(std::move(*piece));
  return stretch;
}

// Remembered where nothing is open; equal surroundings give the same.
std::shared_ptr<const Stretch> ProcessPlan::prepare(Statements statements) {
  if (!open_.empty()) return make_stretch(statements);
  const std::pair which{statements.data(), statements.size()};
  if (refused_.contains(which)) return nullptr;
  StretchKey key = key_of(statements);
  if (const auto found = stretches_.find(key); found != stretches_.end()) return found->second;
  std::shared_ptr<const Stretch> made = make_stretch(statements);
  if (!made && !wanted_.choices && grid_.count() >= large_grid) refused_.insert(which);
  if (stretches_.size() >= most_stretches_remembered) stretches_.clear();
  stretches_.emplace(std::move(key), made);
  return made;
}

}  // namespace wave::backend::processes
