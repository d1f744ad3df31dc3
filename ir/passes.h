// Passes over a system. Each gives a system with the same answers: the same values, and the same first failure at
// the same place. The interpreter runs the system as it was lowered (which three of them end), so comparing engines
// tests the others.
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

// What lowering ends with, one after the other: every engine runs what comes out, and what the same costs are in all
// cells of an event is decided by it.
const std::vector<Pass>& end_of_lowering();
System end_lowering(const System& system);

// Drops parameters of functions that nothing looks at, and the arguments for them. An argument that may fail, or be
// absent, stays, and so does its parameter.
System drop_unused_arguments(const System& system);

// Writes out functions in the weights of recurrences whose arguments look at several indices: what looks at one of them
// is then seen. Not recursive ones, nor those with loops; arguments can neither fail nor be absent.
System expand_calls(const System& system);

// Gives a recurrence whose weights look at fewer indices where conditions that are the same in all cells hold
// (processes have nodes of their own, say) a second form for that case; reads choose. The conditions do not fail, or as
// the extents do.
System split_choices(const System& system);

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
