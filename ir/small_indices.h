// Finds sums of an index and a constant that do not overflow, whatever the extents.
#pragma once

#include "ir/system.h"

#include <unordered_map>

namespace wave::ir {

// Indices of loops that begin at a small constant and go in small steps: such a loop does not come near to where
// adding a small constant overflows.
class SmallIndices {
 public:
  explicit SmallIndices(const System& system) : system_(system) {
    for (const Space& space : system.spaces) {
      for (const Axis& axis : space.axes) add(axis.binder, is_small(system, axis.first));
    }
    for (const Value& value : system.values) {
      if (const auto* reduce = std::get_if<Reduce>(&value.node)) add(reduce->levels);
    }
    for (const Root& root : system.roots) {
      for (const RowBlock& block : root.blocks) add(block.levels);
    }
    for (const Process& process : system.processes) add_loops(process);
  }

  // The index, or it plus or minus small constants.
  bool is_near(ValueId value) const { return is_near(system_, value); }
  // The same of a value of another system that has the same binders.
  bool is_near(const System& system, ValueId value) const {
    const Node& node = system[value].node;
    if (const auto* index = std::get_if<Index>(&node)) {
      const auto known = small_.find(index->binder);
      return known != small_.end() && known->second;
    }
    const auto* sum = std::get_if<Binary>(&node);
    if (!sum || (sum->op != BinaryOp::add && sum->op != BinaryOp::subtract)) return false;
    if (is_near(system, sum->left) && is_small(system, sum->right)) return true;
    return sum->op == BinaryOp::add && is_small(system, sum->left) && is_near(system, sum->right);
  }

 private:
  // A loop to where sums of these overflow has more than 2^40 iterations.
  static bool is_small(const System& system, ValueId value) {
    constexpr std::int64_t most = std::int64_t{1} << 20;
    const auto* constant = std::get_if<Constant>(&system[value].node);
    return constant && constant->value.type == ScalarType::integer && constant->value.integer >= -most &&
           constant->value.integer <= most;
  }

  void add(BinderId binder, bool is_small) {
    const auto [known, is_new] = small_.try_emplace(binder, is_small);
    if (!is_new) known->second = known->second && is_small;
  }

  void add(const std::vector<Level>& levels) {
    for (const Level& level : levels)
      add(level.binder, !level.geometric && is_small(system_, level.first) && is_small(system_, level.step));
  }

  void add_loops(const Process& process) {
    for (const Block& block : process.blocks) {
      for (const Statement& statement : block) {
        if (const auto* loop = std::get_if<Loop>(&statement.node)) add(loop->levels);
        if (const auto* sweep = std::get_if<Sweep>(&statement.node)) add(sweep->tile, true);
      }
    }
  }

  const System& system_;
  std::unordered_map<BinderId, bool> small_;
};

}  // namespace wave::ir
