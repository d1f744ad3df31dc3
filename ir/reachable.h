// The operands of a value, their operands, and so on.
#pragma once

#include "ir/visit.h"

#include <unordered_set>
#include <vector>

namespace wave::ir {

// Whether `test(node)` holds for the value or anything under it, each looked at once, up to the first for which it
// does. What definitions and events hold is not looked into.
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

}  // namespace wave::ir
