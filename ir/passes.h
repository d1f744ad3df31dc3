// Passes over a system. Each returns a system with the same answers: the same values, and the same first failure at the
// same location. The evaluator walks the system as it was lowered (three of the passes end lowering); only what is
// compiled goes through the others, so comparing evaluation with kernels and without tests them.
#pragma once

#include "ir/system.h"

#include <functional>
#include <string>
#include <vector>

namespace wave::ir {

struct Pass {
  const char* name;
  const char* purpose;
  std::function<System(System)> run;
};

// The passes in the order in which they run.
const std::vector<Pass>& pipeline();

// Runs all of them, one after the other.
System run_passes(const System& system);

// The passes that end lowering, in their order. Every engine runs the result, and it decides which costs are the same
// in all cells of an event.
const std::vector<Pass>& end_of_lowering();
System end_lowering(System system);

// Drops parameters of functions that nothing looks at, with their arguments. An argument that may fail or be absent
// stays, and so does its parameter.
System drop_unused_arguments(System system);

// Writes out functions in the weights of recurrences if their arguments look at several indices, so that the parts that
// look at one index show. Functions that are recursive or have loops stay, and arguments must neither fail nor be
// absent.
System expand_calls(System system);

// Gives a recurrence a second form if its weights look at fewer indices when conditions hold that are the same in all
// cells (processes have nodes of their own, say). Reads choose between the forms. The conditions do not fail, or only
// as the extents do.
System split_choices(System system);

// Folds operations on constants, shares equal nodes, and replaces a definition that is a constant by its value (unless
// it can be bound from outside). Values that nothing refers to disappear.
System fold_and_share(const System& system);

// Replaces a reference to a definition whose body is a leaf, or one operation on leaves that cannot fail, by that body.
System inline_definitions(const System& system);

// Replaces a call of a small function by its body, if the function cannot fail and is not recursive, and its arguments
// can neither fail nor be absent. Functions that recursion reaches are left alone, because a call in them may fail for
// depth alone.
System inline_calls(const System& system);

// Makes a definition of what a loop evaluates again and again although it looks at no binder and cannot fail, because a
// definition is evaluated once. (For what is the same in all cells of an event see ir::hoisted and the code generator.)
System hoist_invariants(const System& system);

}  // namespace wave::ir
