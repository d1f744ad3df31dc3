// See regression.h.
#include "analysis/machine_fit/regression.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace wave::analysis::machine_fit {

LinearFit solve_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& observed, const Eigen::VectorXd& weights) {
  const Eigen::Index unknowns = design.cols();
  // Eigen has no decomposition of an empty matrix.
  if (design.rows() == 0 || unknowns == 0) {
    return {Eigen::VectorXd::Zero(unknowns), Eigen::MatrixXd::Zero(unknowns, unknowns),
            observed.cwiseAbs2().dot(weights), 0, std::vector<bool>(static_cast<std::size_t>(unknowns), false)};
  }
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  Eigen::MatrixXd scaled = roots.asDiagonal() * design;
  // Columns of length 1, so that seconds beside bytes do not look like a missing rank.
  Eigen::VectorXd lengths(unknowns);
  for (Eigen::Index column = 0; column < unknowns; ++column) {
    const double length = scaled.col(column).norm();
    lengths[column] = length > 0 ? length : 1;
    scaled.col(column) /= lengths[column];
  }
  const Eigen::VectorXd target = roots.asDiagonal() * observed;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-10);

  LinearFit fit;
  fit.rank = svd.rank();
  fit.values = svd.solve(target);
  fit.sum_of_squares = (scaled * fit.values - target).squaredNorm();
  const auto basis = svd.matrixV().leftCols(fit.rank);
  const Eigen::VectorXd inverse = svd.singularValues().head(fit.rank).cwiseInverse();
  const Eigen::MatrixXd root = basis * inverse.asDiagonal();
  fit.unscaled_covariance = root * root.transpose();
  for (Eigen::Index i = 0; i < unknowns; ++i) {
    // A parameter is determined if its unit vector lies in the space of the rows.
    fit.determined.push_back(basis.row(i).squaredNorm() > 1 - 1e-8);
    fit.values[i] /= lengths[i];
    fit.unscaled_covariance.row(i) /= lengths[i];
    fit.unscaled_covariance.col(i) /= lengths[i];
  }
  return fit;
}

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

namespace {

// Larger residuals count linearly (Huber), until those that are too far off are left out.
constexpr double huber_deviations = 1.345;
constexpr double hopeless = 100;  // larger than the logarithm of any real ratio

struct Sums {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  void add(double weight, double size, double time) {
    w += weight;
    x += weight * size;
    y += weight * time;
    xx += weight * size * size;
    xy += weight * size * time;
  }
};

// The line by weighted least squares, with a slope that is not negative.
Line line_of(const Sums& sums, double shift, bool& flat) {
  const double mean_x = sums.x / sums.w, mean_y = sums.y / sums.w;
  const double spread = sums.xx / sums.w - mean_x * mean_x;
  const double slope = spread > 0 ? (sums.xy / sums.w - mean_x * mean_y) / spread : 0;
  flat = !(slope > 0);
  const double b = flat ? 0 : slope;
  return {mean_y - b * (mean_x + shift), b};
}

// The size of a point's noise before there is a line. It is not taken from the point's own time alone, because a point
// that is much too short would then count more than all others.
double first_scale(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, std::size_t i) {
  if (end - begin < 3) return points[i].time;
  const std::size_t middle = std::clamp(i, begin + 1, end - 2);
  return std::max(points[i].time, median({points[middle - 1].time, points[middle].time, points[middle + 1].time}));
}

bool is_same(const Line& a, const Line& b, double from, double to) {
  constexpr double close = 1e-9;
  return std::abs(a.at(from) - b.at(from)) <= close * std::abs(b.at(from)) &&
         std::abs(a.at(to) - b.at(to)) <= close * std::abs(b.at(to));
}

}  // namespace

double residual(const TimedSize& point, const Line& line, Noise noise) {
  const double expected = line.at(point.size);
  if (noise == Noise::constant) return point.time - expected;
  return expected > 0 ? std::log(point.time / expected) : hopeless;
}

double scale_of(const TimedSize& point, const Line& line, Noise noise) {
  if (noise == Noise::constant) return 1;
  const double expected = line.at(point.size);
  return expected > 0 ? expected : point.time;
}

RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise) {
  constexpr int huber_rounds = 8, truncated_rounds = 5;
  RobustLine result;
  // Sizes count from the first one, because digits would cancel otherwise.
  const double shift = points[begin].size;
  for (int round = 0; round < 1 + huber_rounds + truncated_rounds; ++round) {
    const Line before = result.line;
    Sums sums;
    for (std::size_t i = begin; i < end; ++i) {
      double weight = 1, scale = noise == Noise::constant ? 1 : first_scale(points, begin, end, i);
      if (round > 0) {
        const double off = std::abs(residual(points[i], result.line, noise)) / deviation;
        scale = scale_of(points[i], result.line, noise);
        // Least squares see the difference, which grows faster than its logarithm. A wild value would pull the line
        // without bound.
        const double seen = std::abs(points[i].time - result.line.at(points[i].size)) / (scale * deviation);
        if (round <= huber_rounds)
          weight = off > huber_deviations ? std::min(huber_deviations / seen, 1.0) : 1;
        else
          weight = off > most_deviations ? 0 : 1;
      }
      sums.add(weight / (scale * scale), points[i].size - shift, points[i].time);
    }
    if (!(sums.w > 0)) break;  // everything is an outlier of the line before
    result.line = line_of(sums, shift, result.flat);
    if (round == 0 || !is_same(before, result.line, points[begin].size, points[end - 1].size)) continue;
    if (round > huber_rounds) break;
    round = huber_rounds;  // more rounds would change nothing; points that are too far off are left out from now on
  }
  double last_size = -1;
  for (std::size_t i = begin; i < end; ++i) {
    const double off = std::abs(residual(points[i], result.line, noise)) / deviation;
    result.cost += std::min(off * off, most_deviations * most_deviations);
    if (off > most_deviations || points[i].size == last_size) continue;
    last_size = points[i].size;
    ++result.inlier_sizes;
  }
  return result;
}

}  // namespace wave::analysis::machine_fit
