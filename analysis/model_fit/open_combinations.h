// Finds what observations leave open: changes of several parameters together that change no prediction.
#pragma once

#include "analysis/model_fit/search.h"

#include <vector>

namespace wave::analysis::model_fit {

// Columns of derivatives depend on one another where a singular value is less than this part of the largest.
inline constexpr double no_independence = 1e-6;

struct OpenCombination {
  std::vector<std::size_t> parameters;
  // How far each parameter goes if the first one goes by 1.
  std::vector<double> direction;
  // What the data determine about them, if it is one number: a sum with these factors, or a product with these
  // exponents, the smallest of which is 1. `near_here` if that only holds for small changes.
  enum class Kind { sum, product, near_here, several } kind = Kind::several;
  std::vector<double> factors;
};

struct Leeway {
  std::vector<bool> matters;  // whether any prediction changes with the parameter
  std::vector<OpenCombination> open;
  std::vector<bool> is_open;  // whether the parameter is in one of them
  // The covariance of the parameters that `free` names, divided by the variance of a residual of weight 1. 0 for the
  // others.
  Eigen::MatrixXd covariance;
  Eigen::Index rank = 0;
};

// The leeway at a minimum. Parameters that are not `free`, because they are at a bound, are taken as known.
Leeway find_leeway(MinimumSearch& search, const Minimum& minimum, const Eigen::VectorXd& weights,
                   const std::vector<bool>& free);

}  // namespace wave::analysis::model_fit
