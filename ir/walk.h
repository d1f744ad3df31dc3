// Walks over everything under a value, over the rounds of a loop, and over the program of a process.
#pragma once

#include "ir/arithmetic.h"
#include "ir/visit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

namespace wave::ir {

// Whether `test(node)` holds for the value or anything under it. Each node is looked at once, until the first for which
// it holds. The contents of definitions and events are not looked into.
template <class Test>
bool any_reachable(const System& system, ValueId start, Test&& test) {
  std::vector<ValueId> pending{start};
  std::unordered_set<ValueId> seen;
  while (!pending.empty()) {
    const ValueId value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second) continue;
    const Node& node = system[value].node;
    if (test(node)) return true;
    for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
  }
  return false;
}

// Whether `test(node)` holds for anything that evaluating the value may need, also through definitions and functions.
// True, too, if that is more than `most` nodes.
template <class Test>
bool any_needed(const System& system, ValueId start, std::size_t most, Test&& test) {
  std::vector<ValueId> pending{start};
  std::unordered_set<ValueId> seen;
  while (!pending.empty()) {
    const ValueId value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second) continue;
    const Node& node = system[value].node;
    if (seen.size() > most || test(node)) return true;
    if (const auto* const reference = std::get_if<Reference>(&node))
      pending.push_back(system[reference->definition].body);
    if (const auto* const call = std::get_if<Call>(&node)) pending.push_back(system[call->definition].body);
    for_each_operand(node, [&](ValueId operand) { pending.push_back(operand); });
  }
  return false;
}

// The values that the variable of a level takes, regardless of its filter.
struct LoopRange {
  std::int64_t first = 0, last = 0, step = 1;
  bool geometric = false;

  // The other fields mean something only then.
  bool makes_progress() const { return geometric ? first >= 1 && step >= 2 : step != 0; }
  std::optional<std::int64_t> begin() const { return until_end(first); }
  // Nothing if the loop is over, or if the variable would overflow.
  std::optional<std::int64_t> after(std::int64_t at) const {
    const auto next = geometric ? arithmetic::multiply(at, step) : arithmetic::add(at, step);
    return next.failed ? std::nullopt : until_end(next.value);
  }
  __int128 count() const {
    if (!begin()) return 0;
    if (!geometric) return (static_cast<__int128>(last) - first) / step + 1;
    __int128 count = 0;
    for (__int128 at = first; at <= last; at *= step) ++count;
    return count;
  }

 private:
  std::optional<std::int64_t> until_end(std::int64_t at) const {
    return (step > 0 ? at <= last : at >= last) ? std::optional(at) : std::nullopt;
  }
};

// One walk of a process's program: from statement to statement, into branches, phases, the levels of loops and the
// fronts of sweeps. What is made of them is a policy's. It has a type `Result`, of which a block is the sum (`+`) from
// `Result{}`, and answers
//   bool goes_on()                                         before each statement; false skips the rest of the block
//   Result meet(const Statement&, const Kind&)             of Compute, Message, Wait and Collective
//   Result phase(const Phase&, ProcessWalk&)               the others call `block` of the walk for what is inside,
//   Result branch(const Branch&, ProcessWalk&)             or `inside_of` for what is inside a level
//   Result level(const Loop&, std::size_t, ProcessWalk&)
//   Result sweep(const Sweep&, ProcessWalk&)
// A policy may have two more; otherwise tasks are walked in the order of their list.
//   Result ready(const Statement&, const Ready&, ProcessWalk&)
//   Result task(const Statement&, const Task&, ProcessWalk&)
// A policy may also have `void begin(const Statement&)`, which is called before each.
template <class Policy>
class ProcessWalk {
 public:
  using Result = typename Policy::Result;
  ProcessWalk(const Process& process, Policy& policy) : process_(process), policy_(policy) {}

  Result whole() { return block(process_.body); }
  // Nothing for a block that is not valid.
  Result block(BlockId id) {
    Result total{};
    if (!id.valid()) return total;
    for (const Statement& statement : process_.blocks[id.index]) {
      if (!policy_.goes_on()) return total;
      if constexpr (requires { policy_.begin(statement); }) policy_.begin(statement);
      total = total + std::visit([&](const auto& node) { return visit(statement, node); }, statement.node);
    }
    return total;
  }
  // For one round of this level: the levels further in, or the body.
  Result inside_of(const Loop& loop, std::size_t level) {
    return level + 1 < loop.levels.size() ? policy_.level(loop, level + 1, *this) : block(loop.body);
  }

 private:
  Result visit(const Statement&, const Phase& node) { return policy_.phase(node, *this); }
  Result visit(const Statement&, const Branch& node) { return policy_.branch(node, *this); }
  Result visit(const Statement&, const Sweep& node) { return policy_.sweep(node, *this); }
  Result visit(const Statement& statement, const Ready& node) {
    if constexpr (requires { policy_.ready(statement, node, *this); }) return policy_.ready(statement, node, *this);
    return block(node.tasks);
  }
  Result visit(const Statement& statement, const Task& node) {
    if constexpr (requires { policy_.task(statement, node, *this); }) return policy_.task(statement, node, *this);
    return block(node.receives) + block(node.body);
  }
  Result visit(const Statement&, const Loop& node) {
    return node.levels.empty() ? block(node.body) : policy_.level(node, 0, *this);
  }
  template <class Kind>
  Result visit(const Statement& statement, const Kind& node) {
    return policy_.meet(statement, node);
  }

  const Process& process_;
  Policy& policy_;
};

// The result of a policy that only looks at things.
struct NoResult {
  friend NoResult operator+(NoResult, NoResult) { return {}; }
};

}  // namespace wave::ir
