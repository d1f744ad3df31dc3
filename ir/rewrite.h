// Rebuilds a system value by value. Passes are written with it.
#pragma once

#include "ir/builder.h"

#include <functional>

namespace wave::ir {

// Takes an old value and its node, whose operands are new already, in the scope `where`. Returns the replacement in the
// system that is being built.
struct RulePlace {
  FrameId frame;
  bool in_event = false;
};
using Rule = std::function<ValueId(Builder& builder, ValueId old, Node node, RulePlace where)>;

// Only values that something refers to are rebuilt. An event whose dependences, reads, looked-at binders or possible
// absences would come out otherwise (a branch that can never be taken has gone, say) keeps its values as they were:
// groups, schedules, hoisted scalars and exactness are decided by them, and must be the same after every pass. Ids of
// frames, parameters, definitions, spaces, events, binders, tables, sites and roots stay as they are; definitions that
// the rule adds come after the old ones.
System rewrite(const System& system, const Rule& rule);

// The same in the system itself, for what belongs to lowering: the rule decides how events look. Only values for which
// `is_changed` holds and those that use them are rebuilt. The old ones stay behind, unused.
void rewrite_in_place(System& system, const std::function<bool(ValueId)>& is_changed, const Rule& rule);

// The node as the builder would have made it: shared and folded.
ValueId rebuild(Builder& builder, Node node, ScalarType type);

}  // namespace wave::ir
