// How well a model predicts what it was not fitted to: each configuration by a fit to the others.
#pragma once

#include "analysis/model_fit/search.h"

#include <cstddef>
#include <vector>

namespace wave::analysis::model_fit {

struct LeftOut {
  Eigen::VectorXd predicted;  // for each configuration, by a fit to the others; NaN where those determine too little
  // If not, they are by the derivatives at the minimum, since there are many configurations, or no minimum was found.
  bool refitted = true;
  // Configurations that are needed to determine something.
  std::vector<std::size_t> indispensable;
};

// Each fit begins at the minimum and goes by its tangents. Where predictions at the fits that lead furthest away are
// those of the tangents, so they are at the others, which are not predicted themselves. `weights` are those of the
// minimum.
LeftOut leave_out(MinimumSearch& search, const Found& found, const Eigen::VectorXd& weights,
                  const std::vector<bool>& free);

}  // namespace wave::analysis::model_fit
