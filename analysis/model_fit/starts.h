// The points at which fits begin: the usual values, and points all around them.
#pragma once

#include "analysis/model_fit/model_fit.h"

namespace wave::analysis::model_fit {

// The box of the parameters. The scale of a parameter that begins at zero is what changes predictions by about as much
// as they are.
std::optional<Box> find_box(const Predict& predict, const FitProblem& problem);

// The first is the usual one; always the same.
std::vector<Eigen::VectorXd> choose_starts(const FitProblem& problem, const Box& box, int count);

}  // namespace wave::analysis::model_fit
