// See statistics.h.
#include "analysis/machine_fit/statistics.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis::machine_fit {

double interval_factor(double probability, double degrees_of_freedom) {
  if (!(degrees_of_freedom > 0)) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.5 + probability / 2);
}

double chi_squared_quantile(double probability, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::chi_squared(degrees_of_freedom), probability);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double robust_deviation(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  sizes.reserve(residuals.size());
  for (const double r : residuals) sizes.push_back(std::abs(r));
  return 1.482602218505602 * median(std::move(sizes));  // 1 / the third quartile of the standard normal distribution
}

}  // namespace wave::analysis::machine_fit
