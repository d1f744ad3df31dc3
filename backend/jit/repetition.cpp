// Marks spread from loops along calls. Over all of the system, since what is compiled for one root serves the others.
#include "backend/jit/repetition.h"

#include "ir/visit.h"
#include "ir/walk.h"

#include <unordered_set>

namespace wave::jit {

namespace {

class Spread {
 public:
  explicit Spread(const ir::System& system)
      : is_repeated(system.frames.size(), false),
        system_(system),
        calls_(system.frames.size()),
        is_in_loop_(system.values.size(), false) {
    for (const ir::Definition& definition : system.definitions) {
      if (definition.body.valid()) collect_calls(definition.body, definition.frame);
    }
  }

  std::vector<bool> is_repeated;

  // Everything that evaluating the value calls.
  void mark_calls_in(ir::ValueId start) {
    std::vector<ir::ValueId> pending{start};
    while (!pending.empty()) {
      const ir::ValueId value = pending.back();
      pending.pop_back();
      if (is_in_loop_[value.index]) continue;
      is_in_loop_[value.index] = true;
      if (const auto* const call = std::get_if<ir::Call>(&system_[value].node)) mark(call->frame);
      ir::for_each_operand(system_[value].node, [&](ir::ValueId operand) { pending.push_back(operand); });
    }
  }

  // A frame from which calls lead back to it.
  void mark_recursive() {
    for (std::uint32_t frame = 0; frame < system_.frames.size(); ++frame) {
      if (!is_repeated[frame] && leads_to(frame, frame)) mark(ir::FrameId{frame});
    }
  }

 private:
  void mark(ir::FrameId start) {
    std::vector<ir::FrameId> pending{start};
    while (!pending.empty()) {
      const ir::FrameId frame = pending.back();
      pending.pop_back();
      if (is_repeated[frame.index]) continue;
      is_repeated[frame.index] = true;
      pending.insert(pending.end(), calls_[frame.index].begin(), calls_[frame.index].end());
    }
  }

  void collect_calls(ir::ValueId start, ir::FrameId frame) {
    ir::any_reachable(system_, start, [&](const ir::Node& node) {
      if (const auto* const call = std::get_if<ir::Call>(&node)) calls_[frame.index].push_back(call->frame);
      return false;
    });
  }

  bool leads_to(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> reached(system_.frames.size(), false);
    std::vector<ir::FrameId> pending(calls_[from].begin(), calls_[from].end());
    while (!pending.empty()) {
      const ir::FrameId frame = pending.back();
      pending.pop_back();
      if (frame.index == to) return true;
      if (reached[frame.index]) continue;
      reached[frame.index] = true;
      pending.insert(pending.end(), calls_[frame.index].begin(), calls_[frame.index].end());
    }
    return false;
  }

  const ir::System& system_;
  std::vector<std::vector<ir::FrameId>> calls_;
  std::vector<bool> is_in_loop_;
};

}  // namespace

Repetition::Repetition(const ir::System& system, const std::vector<std::vector<ir::Hoisted>>& hoisted) {
  Spread spread(system);
  std::unordered_set<ir::ValueId> before_cells;
  for (const auto& of_group : hoisted) {
    for (const ir::Hoisted& one : of_group) before_cells.insert(one.value);
  }
  for (const ir::Value& value : system.values) {
    if (!std::holds_alternative<ir::Reduce>(value.node)) continue;
    ir::for_each_operand(value.node, [&](ir::ValueId operand) { spread.mark_calls_in(operand); });
  }
  for (const ir::Event& event : system.events) {
    ir::for_each_value(event, [&](ir::ValueId value) {
      if (!before_cells.contains(value)) spread.mark_calls_in(value);
    });
  }
  for (const ir::Root& root : system.roots) {
    for (const ir::RowBlock& block : root.blocks) {
      if (block.levels.empty()) continue;
      for (const ir::ValueId column : block.columns) spread.mark_calls_in(column);
    }
  }
  spread.mark_recursive();
  is_repeated_ = std::move(spread.is_repeated);
}

}  // namespace wave::jit
