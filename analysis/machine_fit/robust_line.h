// Fits one line through points whose noise is roughly known.
#pragma once

#include "analysis/machine_fit/segments.h"

namespace wave::analysis::machine_fit {

// A residual counts no more than this many standard deviations.
inline constexpr double most_deviations = 4;

struct RobustLine {
  Line line;
  bool flat = false;  // the slope would be negative, so it is 0
  // Squared residuals, in squared deviations, each at most most_deviations^2.
  double cost = 0;
  std::size_t inlier_sizes = 0;  // different sizes among what is not an outlier
};

// Of the points begin <= i < end, which have at least two different sizes.
RobustLine fit_robust_line(const std::vector<Point>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise);

// By how much a point is off a line: log(time / line), which is relative and symmetric, and large where the line is not
// positive; or time - line.
double residual(const Point& point, const Line& line, Noise noise);

// The unit of the noise of a time near the line.
double scale_of(const Point& point, const Line& line, Noise noise);

}  // namespace wave::analysis::machine_fit
