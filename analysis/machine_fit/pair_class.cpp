// See pair_class.h. For each time it is known, or guessed, which side of the maximum is the larger one; then the
// numbers are linear. Guess and solution are repeated until they agree.
#include "analysis/machine_fit/pair_class.h"

#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace wave::analysis::machine_fit {
namespace {

enum Number : Eigen::Index { at_zero, per_byte, gap, gap_per_byte, own_gap, own_gap_per_byte, numbers };

double turns(int pairs, int servers) { return std::ceil(static_cast<double>(pairs) / servers); }

// The factors of the numbers in a time, divided by the time: errors are relative.
Eigen::RowVectorXd row_of(const PairTime& point, bool shared, int servers) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(numbers);
  const double q = turns(point.pairs, servers);
  if (!point.stream) row[at_zero] = 1;
  if (shared) {
    row[gap] = q;
    row[gap_per_byte] = q * point.size;
  } else if (point.stream) {
    row[own_gap] = 1;
    row[own_gap_per_byte] = point.size;
  } else {
    row[per_byte] = point.size;
  }
  return row / point.time;
}

struct Solution {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(numbers);
  Eigen::VectorXd variances = Eigen::VectorXd::Zero(numbers);  // of noise with variance 1
  std::array<bool, numbers> told{};
};

// No number is negative: what would be is left out, the most negative one first.
Solution solve(const Eigen::MatrixXd& design) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < numbers; ++i) {
    if (design.col(i).squaredNorm() > 0) free.push_back(i);
  }
  Solution result;
  for (Eigen::Index i : free) result.told[static_cast<std::size_t>(i)] = true;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(design.rows());
  while (!free.empty()) {
    Eigen::MatrixXd part(design.rows(), static_cast<Eigen::Index>(free.size()));
    for (std::size_t i = 0; i < free.size(); ++i) part.col(static_cast<Eigen::Index>(i)) = design.col(free[i]);
    const LinearFit fit = solve_linear(part, ones, ones);
    std::size_t worst = free.size();
    double least = -finest_difference;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const double scaled = fit.values[column] * part.col(column).cwiseAbs().maxCoeff();
      if (scaled < least) {
        least = scaled;
        worst = i;
      }
    }
    if (worst < free.size()) {
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(worst));
      continue;
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      result.values[free[i]] = std::max(fit.values[column], 0.0);
      result.variances[free[i]] = fit.unscaled_covariance(column, column);
      result.told[static_cast<std::size_t>(free[i])] = fit.determined[i];
    }
    break;
  }
  return result;
}

PairClass class_with(const Solution& solution, const std::vector<PairTime>& points, int servers) {
  PairClass one;
  one.from = points.front().size;
  one.to = points.back().size;
  one.points = points.size();
  const std::array<ClassNumber*, numbers> all = {&one.at_zero,      &one.per_byte, &one.gap,
                                                 &one.gap_per_byte, &one.own_gap,  &one.own_gap_per_byte};
  for (Eigen::Index i = 0; i < numbers; ++i) {
    all[static_cast<std::size_t>(i)]->value = solution.values[i];
    all[static_cast<std::size_t>(i)]->told = solution.told[static_cast<std::size_t>(i)];
  }
  for (const PairTime& point : points) {
    const double error = one.time_of(point, servers) / point.time - 1;
    one.squares += error * error;
    one.largest = std::max(one.largest, std::abs(error));
  }
  const auto count = static_cast<double>(points.size());
  one.rms = std::sqrt(one.squares / count);
  const auto told = static_cast<double>(std::count(solution.told.begin(), solution.told.end(), true));
  const double noise = count > told ? one.squares / (count - told) : 0;
  for (Eigen::Index i = 0; i < numbers; ++i)
    all[static_cast<std::size_t>(i)]->standard_error = std::sqrt(noise * solution.variances[i]);
  return one;
}

}  // namespace

double PairClass::shared(double size, int pairs, int servers) const {
  return turns(pairs, servers) * (gap.value + size * gap_per_byte.value);
}

double PairClass::own(const PairTime& point) const {
  return point.stream ? own_gap.value + point.size * own_gap_per_byte.value : point.size * per_byte.value;
}

double PairClass::time_of(const PairTime& point, int servers) const {
  return (point.stream ? 0 : at_zero.value) + std::max(own(point), shared(point.size, point.pairs, servers));
}

PairClass fit_class(const std::vector<PairTime>& points, int servers) {
  const bool alone = std::all_of(points.begin(), points.end(),
                                 [&](const PairTime& point) { return point.pairs == points.front().pairs; });
  PairClass best;
  best.squares = std::numeric_limits<double>::infinity();
  // Which points the interface bounds, to begin with: none, all, those of several pairs, those of large messages among
  // them. One number of pairs alone does not tell what is shared.
  for (int start = 0; start < (alone ? 1 : 4); ++start) {
    std::vector<bool> shared;
    for (const PairTime& point : points) {
      const bool many = turns(point.pairs, servers) > 1;
      shared.push_back(start == 1 || (start == 2 && many) ||
                       (start == 3 && many && 2 * point.size > points.back().size));
    }
    constexpr int most_rounds = 30;
    for (int round = 0; round < most_rounds; ++round) {
      Eigen::MatrixXd design(static_cast<Eigen::Index>(points.size()), Eigen::Index{numbers});
      for (std::size_t i = 0; i < points.size(); ++i)
        design.row(static_cast<Eigen::Index>(i)) = row_of(points[i], shared[i], servers);
      const PairClass found = class_with(solve(design), points, servers);
      if (found.squares < best.squares) best = found;
      if (alone) break;
      std::vector<bool> next;
      for (const PairTime& point : points) {
        next.push_back(found.shared(point.size, point.pairs, servers) > found.own(point));
      }
      if (next == shared) break;
      shared = std::move(next);
    }
  }
  best.several_pairs = !alone;
  return best;
}

}  // namespace wave::analysis::machine_fit
