// See robust.h.
#include "analysis/machine_fit/robust.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace wave::analysis::machine_fit {
namespace {

// Larger residuals count linearly (Huber), until those that are too far off are left out.
constexpr double huber_deviations = 1.345;
constexpr int huber_rounds = 8, truncated_rounds = 5;
constexpr int huber_rounds_of_a_start = 3;  // which is near one of the minima already
constexpr double hopeless = 100;            // larger than the logarithm of any real ratio
constexpr int starts_for_each_value = 6;
// As many measurements decide which start is the best.
constexpr Eigen::Index most_looked_at = 60;

// Weighted least squares by the normal equations of columns of equal length. That is exact enough to tell wild values,
// and quick: nothing is allocated, and the compiler knows that a line has two unknowns, since the search for segments
// solves millions of them. Any other number is Eigen::Dynamic, up to most_values.
template <int unknowns>
class NormalEquations {
  static constexpr int most = unknowns == Eigen::Dynamic ? most_values : unknowns;

 public:
  using Values = Eigen::Matrix<double, unknowns, 1, Eigen::ColMajor, most, 1>;

  explicit NormalEquations(Eigen::Index count)
      : count_(count), products_(Products::Zero(count, count)), sums_(Values::Zero(count)) {}

  void add(const Values& factors, double time, double weight) {
    const Values weighted = weight * factors;
    sums_ += weighted * time;
    products_ += weighted.lazyProduct(factors.transpose());
  }

  // Of values that must not be negative, the most negative ones are 0, too.
  Values solve(std::uint32_t nonnegative, bool& bounded) const {
    Values values;
    bounded = false;
    std::uint32_t left_out = 0;
    for (Eigen::Index round = 0; round <= count_; ++round) {
      values = solve_without(left_out);
      Eigen::Index worst = -1;
      double least = 0;
      for (Eigen::Index i = 0; i < count_; ++i) {
        const double scaled = values[i] * std::sqrt(products_(i, i));
        if ((nonnegative >> i & 1U) == 0 || scaled >= least) continue;
        least = scaled;
        worst = i;
      }
      if (worst < 0) break;
      left_out |= 1U << worst;
      bounded = true;
    }
    return values;
  }

 private:
  using Products = Eigen::Matrix<double, unknowns, unknowns, Eigen::ColMajor, most, most>;

  Values solve_without(std::uint32_t left_out) const {
    constexpr double least = 1e-15;  // so that columns that depend on each other do no harm
    const Values lengths = products_.diagonal().cwiseSqrt().unaryExpr([](double one) { return one > 0 ? one : 1; });
    Products scaled = products_;
    Values sums = sums_.cwiseQuotient(lengths);
    for (Eigen::Index i = 0; i < count_; ++i) {
      const bool is_left_out = (left_out >> i & 1U) != 0;
      for (Eigen::Index j = 0; j < i; ++j)
        scaled(i, j) = is_left_out || (left_out >> j & 1U) != 0 ? 0 : scaled(i, j) / (lengths[i] * lengths[j]);
      scaled(i, i) = 1 + least;
      if (is_left_out) sums[i] = 0;
    }
    return scaled.ldlt().solve(sums).cwiseQuotient(lengths);  // reads the lower half
  }

  const Eigen::Index count_;
  Products products_;
  Values sums_;
};

// Numbers that are the same in every run, and as good as random.
class Steps {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

// Tells without a logarithm whether a residual is larger than so many deviations.
class Beyond {
 public:
  Beyond(double deviations, double deviation, Noise noise)
      : relative_(noise == Noise::of_time),
        most_(relative_ ? std::exp(deviations * deviation) : deviations * deviation),
        least_(1 / most_) {}
  bool operator()(double time, double expected) const {
    if (!relative_) return std::abs(time - expected) > most_;
    return !(expected > 0) || time > most_ * expected || time < least_ * expected;
  }

 private:
  const bool relative_;
  const double most_, least_;
};

template <int unknowns>
class Search {
 public:
  using Equations = NormalEquations<unknowns>;
  using Values = typename Equations::Values;

  Search(const Rows& design, const Observed& observed, double deviation, Noise noise, std::uint32_t nonnegative)
      : design_(design),
        times_(observed.times),
        known_(observed.known),
        deviation_(deviation),
        noise_(noise),
        nonnegative_(nonnegative),
        large_(huber_deviations, deviation, noise),
        wild_(most_deviations, deviation, noise) {}

  RobustFit improve(const Eigen::VectorXd& values) const { return improved(Values(values), huber_rounds); }

  RobustFit find() {
    // Where nothing is far off the line through all of them, nothing is wild.
    RobustFit best = improved(through_all(), huber_rounds);
    if (best.wild == 0) return best;
    RobustFit other = improved(best_start(), huber_rounds_of_a_start);
    return other.cost < best.cost ? other : best;
  }

 private:
  Values factors(Eigen::Index row) const { return Values::Map(design_.data() + row * design_.cols(), design_.cols()); }
  double expected(Eigen::Index row, const Values& values) const { return factors(row).dot(values) + known_[row]; }
  double unknown(Eigen::Index row) const { return times_[row] - known_[row]; }
  double first_weight(Eigen::Index row) const {
    return noise_ == Noise::constant ? 1 : 1 / (times_[row] * times_[row]);
  }

  Values through_all() const {
    Equations equations(design_.cols());
    for (Eigen::Index row = 0; row < times_.size(); ++row) equations.add(factors(row), unknown(row), first_weight(row));
    bool bounded = false;
    return equations.solve(nonnegative_, bounded);
  }

  // The values of as few measurements as determine them, from everywhere in their order.
  Values best_start() {
    const Eigen::Index n = times_.size(), count = design_.cols();
    const Eigen::Index stride = std::max<Eigen::Index>(1, n / most_looked_at);
    Values best = Values::Zero(count);
    double least = std::numeric_limits<double>::infinity();
    Steps steps;
    for (Eigen::Index start = 0; start < starts_for_each_value * count; ++start) {
      Equations equations(count);
      for (Eigen::Index i = 0; i < count; ++i) {
        // Those far from each other tell more, and those anywhere more often have no wild one.
        const double place =
            start % 2 == 0 ? (static_cast<double>(i) + steps.next()) / static_cast<double>(count) : steps.next();
        const auto row = std::min(n - 1, static_cast<Eigen::Index>(place * static_cast<double>(n)));
        equations.add(factors(row), unknown(row), first_weight(row));
      }
      bool bounded = false;
      const Values values = equations.solve(nonnegative_, bounded);
      double cost = 0;
      for (Eigen::Index row = 0; row < n && cost < least; row += stride) {
        const double far = std::min(rough(row, expected(row, values)), 2 * most_deviations);
        cost += far * far;
      }
      if (!(cost < least)) continue;
      least = cost;
      best = values;
    }
    return best;
  }

  // A residual without its logarithm.
  double rough(Eigen::Index row, double expected) const {
    if (noise_ == Noise::constant) return std::abs(times_[row] - expected) / deviation_;
    if (!(expected > 0)) return hopeless / deviation_;
    const double ratio = times_[row] / expected;
    return ((ratio > 1 ? ratio : 1 / ratio) - 1) / deviation_;
  }

  RobustFit improved(Values values, int first_rounds) const {
    RobustFit result;
    for (int round = 1; round <= first_rounds + truncated_rounds; ++round) {
      Equations equations(design_.cols());
      double weights = 0;
      for (Eigen::Index row = 0; row < times_.size(); ++row) {
        const double time = expected(row, values), scale = scale_of(times_[row], time, noise_);
        double weight = 1;
        if (round > first_rounds) weight = wild_(times_[row], time) ? 0 : 1;
        // Least squares see the difference, which grows faster than its logarithm. A wild value would pull the values
        // without bound.
        else if (large_(times_[row], time))
          weight = std::min(huber_deviations * scale * deviation_ / std::abs(times_[row] - time), 1.0);
        weights += weight;
        equations.add(factors(row), unknown(row), weight / (scale * scale));
      }
      if (!(weights > 0)) break;  // everything is wild, as these values have it
      const Values before = values;
      values = equations.solve(nonnegative_, result.bounded);
      if (!is_same(before, values)) continue;
      if (round > first_rounds) break;
      round = first_rounds;  // more rounds would change nothing; what is too far off is left out from now on
    }
    for (Eigen::Index row = 0; row < times_.size(); ++row) {
      const double time = expected(row, values);
      const bool wild = wild_(times_[row], time);
      const double far = wild ? most_deviations : residual(times_[row], time, noise_) / deviation_;
      result.cost += far * far;
      if (wild) ++result.wild;
    }
    result.values = values;
    return result;
  }

  bool is_same(const Values& a, const Values& b) const {
    const double close = 0.05 * deviation_;
    for (const Eigen::Index row : {Eigen::Index{0}, times_.size() / 2, times_.size() - 1}) {
      const double time = expected(row, b);
      if (!(std::abs(expected(row, a) - time) <= close * scale_of(times_[row], time, noise_))) return false;
    }
    return true;
  }

  const Rows& design_;
  const Eigen::VectorXd &times_, &known_;
  const double deviation_;
  const Noise noise_;
  const std::uint32_t nonnegative_;
  const Beyond large_, wild_;
};

// Calls with the number of unknowns that the search should be compiled for.
template <typename Use>
RobustFit with_unknowns(Eigen::Index count, const Use& use) {
  if (count == 2) return use(std::integral_constant<int, 2>());
  return use(std::integral_constant<int, Eigen::Dynamic>());
}

}  // namespace

double residual(double time, double expected, Noise noise) {
  if (noise == Noise::constant) return time - expected;
  return expected > 0 ? std::log(time / expected) : hopeless;
}

double residual_of(const TimedSize& point, const Line& line, Noise noise) {
  return residual(point.time + point.share.rest, line.at(point.size) + point.share.rest, noise);
}

double scale_of(double time, double expected, Noise noise) {
  if (noise == Noise::constant) return 1;
  return expected > 0 ? expected : time;
}

RobustFit fit_robust(const Rows& design, const Observed& observed, double deviation, Noise noise,
                     std::uint32_t nonnegative) {
  return with_unknowns(design.cols(), [&](auto unknowns) {
    return Search<unknowns>(design, observed, deviation, noise, nonnegative).find();
  });
}

RobustFit improve_robust(const Eigen::VectorXd& values, const Rows& design, const Observed& observed, double deviation,
                         Noise noise, std::uint32_t nonnegative) {
  return with_unknowns(design.cols(), [&](auto unknowns) {
    return Search<unknowns>(design, observed, deviation, noise, nonnegative).improve(values);
  });
}

double misfit(double cost, std::size_t wild, std::size_t measurements, double deviation, double finest) {
  constexpr double most = most_deviations * most_deviations;
  const auto far = static_cast<double>(wild), near = static_cast<double>(measurements) - far;
  if (near <= 0) return std::numeric_limits<double>::infinity();
  const double variance = std::max(cost - most * far, 0.0) * deviation * deviation / near;
  return near * std::log(variance + finest * finest) + far * (2 * std::log(deviation) + most);
}

void FarOff::add(double residual, double deviation, Noise noise) {
  constexpr double mild = 0.4;  // half as long again
  const double size = std::abs(residual);
  ++of;
  if (!(size > most_deviations * deviation)) return;
  ++all;
  if (size <= noise_growth * most_deviations * deviation || (noise == Noise::of_time && size <= mild)) ++mildly;
}

bool is_noise(const std::vector<FarOff>& parts) {
  constexpr double most = 0.2, most_mildly = 0.05;
  constexpr std::size_t few = 2;
  std::size_t all = 0, of = 0;
  for (const FarOff& part : parts) {
    all += part.all;
    of += part.of;
    if (part.mildly > few && static_cast<double>(part.mildly) > most_mildly * static_cast<double>(part.of)) return true;
  }
  return all > few && static_cast<double>(all) > most * static_cast<double>(of);
}

RobustLine fit_robust_line(const std::vector<TimedSize>& points, std::size_t begin, std::size_t end, double deviation,
                           Noise noise) {
  const auto n = static_cast<Eigen::Index>(end - begin);
  // Sizes count from the first one, because digits would cancel otherwise.
  const double shift = points[begin].size;
  Rows design(n, 2);
  Observed observed(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const TimedSize& point = points[begin + static_cast<std::size_t>(i)];
    design.row(i) << 1, point.size - shift;
    observed.times[i] = point.time + point.share.rest;
    observed.known[i] = point.share.rest;
  }
  constexpr std::uint32_t slope = 2;
  const RobustFit fit = fit_robust(design, observed, deviation, noise, slope);
  RobustLine result{{fit.values[0] - shift * fit.values[1], fit.values[1]}, fit.bounded, fit.cost, fit.wild, 0};
  double last_size = -1;
  for (std::size_t i = begin; i < end; ++i) {
    const double off = std::abs(residual_of(points[i], result.line, noise)) / deviation;
    if (off > most_deviations || points[i].size == last_size) continue;
    last_size = points[i].size;
    ++result.inlier_sizes;
  }
  return result;
}

}  // namespace wave::analysis::machine_fit
