// Tells what compiled code depends on in a system. It does not depend on values that a user changes from run to run: a
// parameter whose default or override is a number is an argument of the code, like one that is bound later.
#pragma once

#include "ir/system.h"

#include <string>

namespace wave::jit {

// Bindable, with a number for a body: its value is put into the record before anything runs.
bool is_argument(const ir::Definition& definition, const ir::System& system);

// Its value, or that of a call, is asked of the evaluator: an input, or a function that has recurrences or processes
// (backend/kernels/excerpt.h). Its body is a failure without a site.
bool is_outside(const ir::Definition& definition, const ir::System& system);

// The same system with its values in the order in which they are met, those of arguments last. So the ids in the code
// of two systems that differ in the values of arguments are the same.
ir::System in_order_of_use(const ir::System& system);

// Equal texts, equal code: the system but for the values of arguments, for what stands in tables, and for locations and
// messages, which the host looks up.
std::string structure_of(const ir::System& system);

}  // namespace wave::jit
