// See least_squares.h.
#include "analysis/model_fit/least_squares.h"

#include "analysis/model_fit/residuals.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int most_rounds = 600;
constexpr int most_returns = 100;  // from the search back to descending
constexpr Index few_directions = 2,
                many_directions = 30;  // at random, for each parameter; many of them before an edge is reported
constexpr double most_damping = 1e15, least_damping = 1e-15;
constexpr std::array<double, 5> dampings = {0, 0.03, 1, 30, 1000};
constexpr std::array<double, 6> reaches = {0.3, 3e-2, 3e-3, 1e-4, 1e-6, 1e-8};

// One descent. It says at which points it needs predictions, and then takes them.
class Descent {
 public:
  Descent(const Observations& observations, const Box& box, const Start& start)
      : observations_(observations),
        residuals_(observations, start.weights),
        box_(box),
        random_(static_cast<std::mt19937::result_type>(start.at.size())) {
    best_.at = start.at.cwiseMax(box.lower).cwiseMin(box.upper);
    best_.cost = infinite;
    look();
  }

  bool is_done() const { return mode_ == Mode::done; }
  const MatrixXd& wanted() const { return wanted_; }
  void take(const MatrixXd& predicted);
  Minimum result() const { return best_; }

 private:
  enum class Mode { look, step, search, done };

  void look();
  void take_look(const MatrixXd& predicted);
  void step();
  void take_step(const MatrixXd& predicted);
  void search(Index random_directions = few_directions);
  void take_search(const MatrixXd& predicted);
  void finish(bool converged);

  double size(Index parameter) const { return size_of(box_, best_.at, parameter); }
  VectorXd candidate(double damping) const;
  std::pair<Index, double> cheapest(const MatrixXd& predicted) const;
  void move_to(Index column, const MatrixXd& predicted);

  const Observations& observations_;
  const Residuals residuals_;
  const Box& box_;
  Minimum best_;
  Mode mode_ = Mode::look;
  MatrixXd wanted_;
  MatrixXd weighted_jacobian_;
  VectorXd lengths_;  // of its columns, the largest so far
  double damping_ = 1e-3;
  int small_gains_ = 0, returns_ = 0;
  bool is_thorough_ = false;  // the search
  VectorXd last_;             // where the search before found something better
  std::mt19937 random_;
};

// --- where it is: the residuals and their derivatives ---

void Descent::look() {
  mode_ = Mode::look;
  const Index parameters = best_.at.size();
  wanted_ = best_.at.replicate(1, 2 * parameters + 1);
  for (Index j = 0; j < parameters; ++j) {
    const double h = difference * size(j);
    wanted_(j, 2 * j + 1) = std::min(best_.at[j] + h, box_.upper[j]);
    wanted_(j, 2 * j + 2) = std::max(best_.at[j] - h, box_.lower[j]);
  }
}

void Descent::take_look(const MatrixXd& predicted) {
  residuals_.set(best_, best_.at, predicted.col(0));
  if (!std::isfinite(best_.cost)) return finish(false);
  const Index parameters = best_.at.size();
  best_.jacobian.resize(best_.residuals.size(), parameters);
  for (Index j = 0; j < parameters; ++j) {
    const VectorXd above = observations_.residuals(predicted.col(2 * j + 1));
    const VectorXd below = observations_.residuals(predicted.col(2 * j + 2));
    for (Index i = 0; i < above.size(); ++i) {
      // Uses one side only if the other is outside the bounds, or if the model does not take it.
      const bool has_above = std::isfinite(above[i]), has_below = std::isfinite(below[i]);
      const double change = (has_above ? above[i] : best_.residuals[i]) - (has_below ? below[i] : best_.residuals[i]);
      const double distance =
          (has_above ? wanted_(j, 2 * j + 1) : best_.at[j]) - (has_below ? wanted_(j, 2 * j + 2) : best_.at[j]);
      best_.jacobian(i, j) = distance > 0 && std::isfinite(change) ? change / distance : 0;
    }
  }
  weighted_jacobian_ = residuals_.root_weights().asDiagonal() * best_.jacobian;
  const VectorXd lengths = weighted_jacobian_.colwise().norm();
  if (lengths_.size() == 0) lengths_ = lengths;
  lengths_ = lengths_.cwiseMax(lengths);
  if (residuals_.is_exact(best_.cost, exact)) return finish(true);
  if (small_gains_ >= 2) return search();
  step();
}

// --- steps ---

// Damped least squares of the linearised function. Parameters that would leave the bounds are held there.
VectorXd Descent::candidate(double damping) const {
  const Index parameters = best_.at.size();
  const VectorXd residuals = residuals_.weighted(best_.predicted);
  VectorXd next = best_.at;
  std::vector<bool> held(static_cast<std::size_t>(parameters), false);
  for (Index j = 0; j < parameters; ++j)
    held[static_cast<std::size_t>(j)] = is_held(box_, best_.at, j, weighted_jacobian_.col(j).dot(residuals));
  for (Index round = 0; round <= parameters; ++round) {
    std::vector<Index> free;
    for (Index j = 0; j < parameters; ++j) {
      if (!held[static_cast<std::size_t>(j)] && lengths_[j] > 0) free.push_back(j);
    }
    if (free.empty()) break;
    const auto count = static_cast<Index>(free.size());
    const Index rows = residuals.size();
    // Scaled so that every column has the length 1.
    MatrixXd system = MatrixXd::Zero(rows + count, count);
    VectorXd wanted = VectorXd::Zero(rows + count);
    wanted.head(rows) = -residuals - weighted_jacobian_ * (next - best_.at);
    for (Index k = 0; k < count; ++k) {
      const Index j = free[static_cast<std::size_t>(k)];
      wanted.head(rows) += weighted_jacobian_.col(j) * (next[j] - best_.at[j]);
      system.col(k).head(rows) = weighted_jacobian_.col(j) / lengths_[j];
      system(rows + k, k) = std::sqrt(damping);
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver;
    solver.setThreshold(1e-9);
    const VectorXd change = solver.compute(system).solve(wanted);
    bool all_inside = true;
    for (Index k = 0; k < count; ++k) {
      const Index j = free[static_cast<std::size_t>(k)];
      next[j] = best_.at[j] + change[k] / lengths_[j];
      if (next[j] >= box_.lower[j] && next[j] <= box_.upper[j]) continue;
      next[j] = std::clamp(next[j], box_.lower[j], box_.upper[j]);
      held[static_cast<std::size_t>(j)] = true;
      all_inside = false;
    }
    if (all_inside) break;
  }
  return next;
}

void Descent::step() {
  mode_ = Mode::step;
  wanted_.resize(best_.at.size(), static_cast<Index>(dampings.size()));
  for (std::size_t k = 0; k < dampings.size(); ++k)
    wanted_.col(static_cast<Index>(k)) = candidate(dampings[k] * damping_);
  if (!wanted_.allFinite()) search();
}

void Descent::take_step(const MatrixXd& predicted) {
  const auto [column, cost] = cheapest(predicted);
  if (!(cost < best_.cost)) {
    damping_ *= dampings.back() * dampings.back();
    if (damping_ > most_damping) return search();
    return step();
  }
  small_gains_ = best_.cost - cost <= negligible_gain * best_.cost ? small_gains_ + 1 : 0;
  const double taken = dampings[static_cast<std::size_t>(column)];
  damping_ = std::clamp(taken == 0 ? damping_ / dampings.back() : damping_ * taken, least_damping, most_damping);
  move_to(column, predicted);
  look();
}

// --- the search around it ---

void Descent::search(Index random_directions) {
  mode_ = Mode::search;
  is_thorough_ = random_directions > few_directions;
  const Index parameters = best_.at.size();
  VectorXd sizes(parameters);
  for (Index j = 0; j < parameters; ++j) sizes[j] = size(j);
  // Tries directions along the axes, along what the residuals hardly notice, onwards, and at random.
  std::vector<VectorXd> directions;
  for (Index j = 0; j < parameters; ++j) directions.push_back(VectorXd::Unit(parameters, j));
  if (parameters > 1) {
    const Eigen::JacobiSVD<MatrixXd> svd(weighted_jacobian_ * sizes.asDiagonal(), Eigen::ComputeFullV);
    for (Index j = 0; j < parameters; ++j) directions.emplace_back(svd.matrixV().col(j));
    std::uniform_real_distribution<double> uniform(-1, 1);
    if (last_.size() > 0 && last_ != best_.at) {
      const VectorXd onwards = (best_.at - last_).cwiseQuotient(sizes);
      directions.emplace_back(onwards / onwards.cwiseAbs().maxCoeff());
    }
    for (Index k = 0; k < random_directions * parameters; ++k) {
      VectorXd direction(parameters);
      for (Index j = 0; j < parameters; ++j) direction[j] = uniform(random_);
      directions.push_back(direction);
    }
  }
  wanted_.resize(parameters, static_cast<Index>(directions.size() * reaches.size() * 2));
  Index column = 0;
  for (const VectorXd& direction : directions) {
    for (const double reach : reaches) {
      const VectorXd step = reach * direction.cwiseProduct(sizes);
      wanted_.col(column++) = (best_.at + step).cwiseMax(box_.lower).cwiseMin(box_.upper);
      wanted_.col(column++) = (best_.at - step).cwiseMax(box_.lower).cwiseMin(box_.upper);
    }
  }
}

void Descent::take_search(const MatrixXd& predicted) {
  const auto [column, cost] = cheapest(predicted);
  if (!(cost < best_.cost * (1 - rounding_gain))) {
    best_.smooth = residuals_.is_smooth(best_, box_);
    if (!best_.smooth && !is_thorough_ && best_.at.size() > 1) return search(many_directions);
    return finish(true);
  }
  last_ = best_.at;
  move_to(column, predicted);
  if (++returns_ > most_returns) return finish(false);
  small_gains_ = 0;
  damping_ = 1e-3;
  look();
}

// ---

void Descent::take(const MatrixXd& predicted) {
  if (++best_.rounds > most_rounds) return finish(false);
  switch (mode_) {
    case Mode::look: return take_look(predicted);
    case Mode::step: return take_step(predicted);
    case Mode::search: return take_search(predicted);
    case Mode::done: return;
  }
}

void Descent::finish(bool converged) {
  best_.converged = converged;
  mode_ = Mode::done;
}

std::pair<Index, double> Descent::cheapest(const MatrixXd& predicted) const {
  Index best = 0;
  double least = infinite;
  for (Index k = 0; k < predicted.cols(); ++k) {
    const double cost = residuals_.cost(predicted.col(k));
    if (!(cost < least)) continue;
    least = cost;
    best = k;
  }
  return {best, least};
}

void Descent::move_to(Index column, const MatrixXd& predicted) {
  residuals_.set(best_, wanted_.col(column), predicted.col(column));
}

}  // namespace

std::vector<Minimum> descend(const Predict& predict, const Observations& observations, const Box& box,
                             const std::vector<Start>& starts) {
  std::vector<Descent> descents;
  descents.reserve(starts.size());
  for (const Start& start : starts) descents.emplace_back(observations, box, start);
  for (;;) {
    Index count = 0;
    for (const Descent& one : descents) count += one.is_done() ? 0 : one.wanted().cols();
    if (count == 0) break;
    MatrixXd points(box.lower.size(), count);
    Index at = 0;
    for (const Descent& one : descents) {
      if (one.is_done()) continue;
      points.middleCols(at, one.wanted().cols()) = one.wanted();
      at += one.wanted().cols();
    }
    const auto predicted = predict(points);
    if (!predicted) break;
    at = 0;
    for (Descent& one : descents) {
      if (one.is_done()) continue;
      const Index columns = one.wanted().cols();
      one.take(predicted->middleCols(at, columns));
      at += columns;
    }
  }
  std::vector<Minimum> result;
  result.reserve(descents.size());
  for (const Descent& one : descents) result.push_back(one.result());
  return result;
}

}  // namespace wave::analysis::model_fit
