// What the code of a sweep depends on.
#pragma once

#include "backend/jit/sweep/plan.h"

#include <string>

namespace wave::jit::sweep {

// Equal texts, equal code: the body, how its weights vary, what was decided by their values, and the strips.
std::string structure_of(const backend::processes::SweepBody& body, const Variation& variation, const Plan& plan,
                         const std::vector<Shape>& strips);

}  // namespace wave::jit::sweep
