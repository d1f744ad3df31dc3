// What the code of a sweep depends on.
#pragma once

#include "backend/jit/sweep/plan.h"

#include <string>

namespace wave::jit::sweep {

// Equal texts, equal plans: the body, how its weights vary, and what was decided by their values.
std::string structure_of(const backend::processes::SweepBody& body, const Variation& variation, const Plan& plan);

}  // namespace wave::jit::sweep
