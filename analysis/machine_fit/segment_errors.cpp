// See segment_errors.h.
#include "analysis/machine_fit/segment_errors.h"

#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

// With so many degrees of freedom, a segment says something about its noise by itself.
constexpr double fewest_degrees = 3;

// Bartlett's test of equal variances, for the segments with enough points to say something.
bool noises_differ(const std::vector<Segment>& segments, double floor) {
  constexpr double sure = 0.99;
  double all = 0, squares = 0, logarithms = 0, inverses = 0, count = 0;
  for (const auto& segment : segments) {
    const double degrees = degrees_of(segment);
    if (degrees < fewest_degrees) continue;
    const double variance = std::max(segment.squares / degrees, floor * floor);
    all += degrees;
    squares += degrees * variance;
    logarithms += degrees * std::log(variance);
    inverses += 1 / degrees;
    ++count;
  }
  if (count < 2) return false;
  const double statistic =
      (all * std::log(squares / all) - logarithms) / (1 + (inverses - 1 / all) / (3 * (count - 1)));
  return statistic > chi_squared_quantile(sure, count - 1);
}

}  // namespace

void set_errors(Segmentation& result, double probability, double floor) {
  const bool apart = noises_differ(result.segments, floor);
  double least = result.degrees_of_freedom;
  for (auto& segment : result.segments) {
    segment.deviation = result.deviation;
    segment.degrees_of_freedom = result.degrees_of_freedom;
    if (apart && degrees_of(segment) >= fewest_degrees) {
      segment.degrees_of_freedom = degrees_of(segment);
      segment.deviation = std::max(std::sqrt(segment.squares / segment.degrees_of_freedom), floor);
    }
    least = std::min(least, segment.degrees_of_freedom);
    const double factor = interval_factor(probability, segment.degrees_of_freedom);
    segment.standard_error.at_zero *= segment.deviation;
    segment.standard_error.per_byte *= segment.deviation;
    segment.covariance *= segment.deviation * segment.deviation;
    segment.lower.at_zero -= factor * segment.standard_error.at_zero;
    segment.upper.at_zero += factor * segment.standard_error.at_zero;
    segment.lower.per_byte -= factor * segment.standard_error.per_byte;
    segment.upper.per_byte += factor * segment.standard_error.per_byte;
  }
  // Results from several lines are only as certain as the least certain of them.
  result.degrees_of_freedom = least;
}

}  // namespace wave::analysis::machine_fit
