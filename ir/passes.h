// Passes over a system. Each gives a system with the same answers: the same values, and the same first failure at
// the same place. The interpreter runs the system as it was lowered, so comparing engines tests the passes.
#pragma once

#include "ir/system.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::ir {

struct Pass {
  const char* name;
  const char* purpose;
  std::function<System(const System&)> run;
};

// The passes in the order in which they run.
const std::vector<Pass>& pipeline();

// All of them, one after the other.
System run_passes(const System& system);

// Folds operations on constants, shares equal nodes, and puts the value of a definition that is a constant in its
// place (unless it can be bound from outside). Values that nothing refers to disappear.
System fold_and_share(const System& system);

// Replaces a reference to a definition whose body is a leaf, or one operation on leaves that cannot fail, by that body.
System inline_definitions(const System& system);

// Replaces a call of a small function that cannot fail, is not recursive and gets arguments that can neither fail
// nor be absent, by its body. Not in functions that recursion reaches: there a call may fail for depth alone.
System inline_calls(const System& system);

// Gives a name to what a loop evaluates again and again although it looks at no binder and cannot fail: a definition
// is evaluated once. (What is the same in all cells of an event is for ir::hoisted and the code generator.)
System hoist_invariants(const System& system);

// Drops events (with their spaces) that no definition and no root reads.
System drop_unread_events(const System& system);

}  // namespace wave::ir
