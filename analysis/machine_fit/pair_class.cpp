// See pair_class.h. For each time it is known, or guessed, which side of the maximum is the larger one; then the
// numbers are linear. Guess and solution are repeated until they agree.
#include "analysis/machine_fit/pair_class.h"

#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/robust.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

enum Number : Eigen::Index { at_zero, per_byte, gap, gap_per_byte, own_gap, own_gap_per_byte, numbers };

double turns(int pairs, int servers) { return std::ceil(static_cast<double>(pairs) / servers); }

constexpr std::uint32_t all_nonnegative = (1U << numbers) - 1;

// The factors of the numbers in a time.
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
  return row;
}

std::array<ClassNumber*, numbers> numbers_of(PairClass& one) {
  return {&one.at_zero, &one.per_byte, &one.gap, &one.gap_per_byte, &one.own_gap, &one.own_gap_per_byte};
}

class Fitter {
 public:
  Fitter(const std::vector<PairTime>& points, int servers, double deviation)
      : points_(points), servers_(servers), deviation_(deviation), observed_(static_cast<Eigen::Index>(points.size())) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      observed_.times[static_cast<Eigen::Index>(i)] = points_[i].time + points_[i].share.rest;
      observed_.known[static_cast<Eigen::Index>(i)] = points_[i].share.rest;
    }
    alone_ = std::all_of(points_.begin(), points_.end(),
                         [&](const PairTime& point) { return point.pairs == points_.front().pairs; });
  }

  PairClass fit() {
    PairClass best;
    best.cost = std::numeric_limits<double>::infinity();
    // Which points the interface bounds, to begin with: none, all, those of several pairs, those of large messages
    // among them. One number of pairs alone does not tell what is shared. Where the guess is wrong, times are far off:
    // with little noise such times would count as wild, so that the guess could not be mended, and with much noise wild
    // ones do not.
    for (int start = 0; start < (alone_ ? 1 : 4); ++start) {
      for (const double much : {1.0, 0.1, 10.0}) search(guess(start), much * deviation_, best);
    }
    settle(best);
    return best;
  }

 private:
  std::vector<bool> guess(int start) const {
    std::vector<bool> shared;
    for (const PairTime& point : points_) {
      const bool many = turns(point.pairs, servers_) > 1;
      shared.push_back(start == 1 || (start == 2 && many) ||
                       (start == 3 && many && 2 * point.size > points_.back().size));
    }
    return shared;
  }

  std::vector<bool> shared_by(const PairClass& found) const {
    std::vector<bool> shared;
    for (const PairTime& point : points_)
      shared.push_back(!alone_ && found.shared(point.size, point.pairs, servers_) > found.own(point));
    return shared;
  }

  void search(std::vector<bool> shared, double deviation, PairClass& best) const {
    constexpr int most_rounds = 30;
    Eigen::VectorXd before = Eigen::VectorXd::Zero(numbers);
    for (int round = 0; round < most_rounds; ++round) {
      frontend::Patience::ask();
      Rows all(observed_.times.size(), Eigen::Index{numbers});
      for (std::size_t i = 0; i < points_.size(); ++i)
        all.row(static_cast<Eigen::Index>(i)) = row_of(points_[i], shared[i], servers_);
      std::vector<Eigen::Index> there;  // numbers that any of the times has
      for (Eigen::Index i = 0; i < numbers; ++i) {
        if (all.col(i).cwiseAbs().maxCoeff() > 0) there.push_back(i);
      }
      const Rows design = all(Eigen::all, there);
      const RobustFit robust =
          round == 0 ? fit_robust(design, observed_, deviation, Noise::of_time, all_nonnegative)
                     : improve_robust(before(there), design, observed_, deviation, Noise::of_time, all_nonnegative);
      for (std::size_t i = 0; i < there.size(); ++i)
        before[there[i]] = std::max(robust.values[static_cast<Eigen::Index>(i)], 0.0);
      PairClass found;
      const auto numbers = numbers_of(found);
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i]->value = before[static_cast<Eigen::Index>(i)];
      found.cost = cost_of(found);
      if (found.cost < best.cost) best = found;
      std::vector<bool> next = shared_by(found);
      if (next == shared) break;
      shared = std::move(next);
    }
  }

  double off(const PairClass& one, const PairTime& point) const {
    return residual(point.time + point.share.rest, one.time_of(point, servers_) + point.share.rest, Noise::of_time);
  }

  double cost_of(const PairClass& one) const {
    double cost = 0;
    for (const PairTime& point : points_) {
      const double far = std::min(std::abs(off(one, point)) / deviation_, most_deviations);
      cost += far * far;
    }
    return cost;
  }

  // Least squares over what is not wild.
  void settle(PairClass& one) const {
    std::vector<const PairTime*> used;
    std::vector<bool> shared;
    const std::vector<bool> guessed = shared_by(one);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double far = off(one, points_[i]);
      one.far.add(far, deviation_, Noise::of_time);
      one.off.push_back(far);
      if (std::abs(far) > most_deviations * deviation_) continue;
      used.push_back(&points_[i]);
      shared.push_back(guessed[i]);
    }
    one.from = points_.front().size;
    one.to = points_.back().size;
    one.points = used.size();
    if (used.empty()) return;
    Eigen::MatrixXd design(static_cast<Eigen::Index>(used.size()), Eigen::Index{numbers});
    Eigen::VectorXd times(design.rows());
    for (std::size_t i = 0; i < used.size(); ++i) {
      const double printed = used[i]->time + used[i]->share.rest;
      design.row(static_cast<Eigen::Index>(i)) = row_of(*used[i], shared[i], servers_) / printed;
      times[static_cast<Eigen::Index>(i)] = used[i]->time / printed;
    }
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(design.rows());
    const LinearFit linear = solve_bounded(design, times, ones, all_nonnegative);
    const LinearFit free = solve_linear(design, times, ones);
    const auto all = numbers_of(one);
    double told = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->value = linear.values[static_cast<Eigen::Index>(i)];
      all[i]->told = linear.determined[i];
      told += all[i]->told ? 1 : 0;
    }
    double squares = 0;
    std::set<int> pairs;
    for (const PairTime* const point : used) {
      const double rest = point->share.rest;
      const double error = (one.time_of(*point, servers_) + rest) / (point->time + rest) - 1;
      squares += error * error;
      one.largest = std::max(one.largest, std::abs(error));
      pairs.insert(point->pairs);
    }
    one.pairs.assign(pairs.begin(), pairs.end());
    one.several_pairs = pairs.size() > 1;
    one.has_streams = std::any_of(used.begin(), used.end(), [](const PairTime* point) { return point->stream; });
    const auto count = static_cast<double>(used.size());
    one.rms = std::sqrt(squares / count);
    // Times without noise still have the width of rounding.
    const double noise = count > told ? std::max(squares / (count - told), finest_difference * finest_difference) : 0;
    one.deviation = std::sqrt(noise);
    const double factor = count > told ? interval_factor(probability_of_intervals, count - told) : 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      ClassNumber& number = *all[i];
      const LinearFit& of = free.determined[i] ? free : linear;
      number.standard_error = std::sqrt(noise * of.unscaled_covariance(at, at));
      number.lower = std::clamp(of.values[at] - factor * number.standard_error, 0.0, number.value);
      number.upper = std::max(of.values[at] + factor * number.standard_error, number.value);
    }
  }

  const std::vector<PairTime>& points_;
  const int servers_;
  const double deviation_;
  Observed observed_;
  bool alone_ = false;
};

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

double PairClass::end_of_window(double size, int pairs, int servers) const {
  const double mean = shared(size, (pairs + 1) / 2, servers);
  const bool is_bound = shared(size, pairs, servers) > own({.size = size, .pairs = pairs, .stream = true});
  return at_zero.value + (is_bound ? mean : std::max(size * per_byte.value, mean));
}

PairClass fit_class(const std::vector<PairTime>& points, int servers, double deviation) {
  return Fitter(points, servers, deviation).fit();
}

}  // namespace wave::analysis::machine_fit
