// The few quantiles and robust measures that fits need.
#pragma once

#include <vector>

namespace wave::analysis::machine_fit {

// Below this a relative difference is that of rounding.
inline constexpr double finest_difference = 1e-7;

// What a standard error is multiplied by for an interval that holds the truth with this probability (0.95), by
// Student's t. Infinite for no degrees of freedom.
double interval_factor(double probability, double degrees_of_freedom);

// What a sum of that many squared standard normal values exceeds with a probability of 1 - `probability`.
double chi_squared_quantile(double probability, double degrees_of_freedom);

// Not of nothing.
double median(std::vector<double> values);

// The standard deviation of normal values, from the median of their absolute values: half of them may be anything.
double robust_deviation(const std::vector<double>& residuals);

}  // namespace wave::analysis::machine_fit
