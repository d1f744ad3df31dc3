// See search.h.
#include "analysis/model_fit/search.h"

#include "analysis/model_fit/residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace wave::analysis::model_fit {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();
constexpr int most_tries = 200;
constexpr double shortest_step = 1e-10, least_radius = 1e-7;  // of the sizes of parameters
constexpr std::size_t most_tangents = 4;                      // for each parameter, and one more
constexpr double bent = 1e-3;  // the part of a change by which both sides differ at an edge
constexpr double nearby = 1e-5, long_enough = 1e-2;

class Search {
 public:
  Search(MinimumSearch& search, const Start& start, const Known& known)
      : search_(search),
        observations_(search.observations()),
        residuals_(observations_, start.weights),
        weights_(residuals_.weights()),
        box_(search.box()),
        known_(known),
        random_(static_cast<std::mt19937::result_type>(start.at.size())) {}

  Found run(const VectorXd& start) {
    const VectorXd at = start.cwiseMax(box_.lower).cwiseMin(box_.upper);
    if (begin(at)) descend();
    return std::move(found_);
  }

 private:
  // --- predictions ---

  std::optional<VectorXd> predict(const VectorXd& at) {
    const auto predicted = search_.predict(at);
    if (!predicted) return std::nullopt;
    return predicted->col(0);
  }

  // Derivatives to one side of each parameter, above or below it. What is not predicted there, or lies beyond a bound,
  // is NaN.
  std::optional<MatrixXd> slopes_to(const VectorXd& sides, const VectorXd& at, const VectorXd& predicted) {
    const Index parameters = at.size();
    MatrixXd points = at.replicate(1, parameters);
    for (Index j = 0; j < parameters; ++j)
      points(j, j) = std::clamp(at[j] + sides[j] * difference * size_of(box_, at, j), box_.lower[j], box_.upper[j]);
    const auto there = search_.predict(points);
    if (!there) return std::nullopt;
    MatrixXd slopes(predicted.size(), parameters);
    for (Index j = 0; j < parameters; ++j) {
      const double change = points(j, j) - at[j];
      slopes.col(j) = (there->col(j) - predicted) / (change == 0 ? nothing : change);
    }
    return slopes;
  }

  // The tangent at a point: upwards where there is room and where the model has a value, else downwards.
  std::optional<Tangent> look(const VectorXd& at, const VectorXd& predicted) {
    VectorXd sides = VectorXd::Ones(at.size());
    for (Index j = 0; j < at.size(); ++j) {
      if (at[j] + difference * size_of(box_, at, j) > box_.upper[j]) sides[j] = -1;
    }
    auto slopes = slopes_to(sides, at, predicted);
    if (!slopes) return std::nullopt;
    if (!known_at(*slopes)) {
      const auto others = slopes_to(-sides, at, predicted);
      if (!others) return std::nullopt;
      fill(*slopes, *others);
    }
    return Tangent{at, predicted, slopes->unaryExpr([](double s) { return std::isfinite(s) ? s : 0; }), sides};
  }
  bool known_at(const MatrixXd& slopes) const {
    for (Index i = 0; i < slopes.rows(); ++i) {
      if (weights_[i] != 0 && !slopes.row(i).allFinite()) return false;
    }
    return true;
  }
  static void fill(MatrixXd& slopes, const MatrixXd& others) {
    for (Index k = 0; k < slopes.size(); ++k) {
      if (!std::isfinite(slopes.data()[k])) slopes.data()[k] = others.data()[k];
    }
  }

  // --- where it is ---

  void stay_at(const VectorXd& at, const VectorXd& predicted) {
    residuals_.set(found_.minimum, at, predicted);
    found_.minimum.smooth = true;
    found_.minimum.converged = false;
    search_.report(found_.minimum);
  }
  // The tangent at the point where the search is becomes the first, or goes behind it.
  void keep(Tangent tangent, bool as_first) {
    auto& all = found_.tangents;
    all.insert(as_first || all.empty() ? all.begin() : all.begin() + 1, std::move(tangent));
    if (all.size() > most_tangents * static_cast<std::size_t>(box_.scale.size() + 1)) all.pop_back();
  }
  void set_jacobian(const MatrixXd& slopes) {
    found_.minimum.jacobian = observations_.jacobian(found_.minimum.predicted, slopes);
  }
  void move_to(Tangent tangent) {
    stay_at(tangent.at, tangent.predicted);
    set_jacobian(tangent.slopes);
    keep(std::move(tangent), true);
  }

  // Whether a point is in the piece of a known minimum, or at it. Then this is where the search ends.
  bool has_met(const VectorXd& at, const VectorXd& predicted) {
    if (known_.minima == nullptr) return false;
    for (const Found& one : *known_.minima) {
      if (one.tangents.empty()) continue;
      const Tangent& tangent = one.tangents.front();
      const bool is_at_it =
          distance(box_, tangent.at, at) <= nearby &&
          residuals_.cost(predicted) <= one.minimum.cost * (1 + nearby) + negligible_gain * weights_.sum();
      const bool is_in_piece =
          one.minimum.smooth && is_same(predicted, tangent.there(at), weights_, distance(box_, tangent.at, at));
      if (!is_at_it && !is_in_piece) continue;
      found_ = one;
      return true;
    }
    return false;
  }

  // False: there is nothing to do from here.
  bool begin(const VectorXd& at) {
    found_.minimum.at = at;
    found_.minimum.cost = no_bound;
    if (known_.tangents != nullptr && !known_.tangents->empty()) {
      found_.tangents = *known_.tangents;
      stay_at(found_.tangents.front().at, found_.tangents.front().predicted);
      set_jacobian(found_.tangents.front().slopes);
      return std::isfinite(found_.minimum.cost);
    }
    const auto predicted = predict(at);
    if (!predicted) return false;
    stay_at(at, *predicted);
    if (!std::isfinite(found_.minimum.cost) || has_met(at, *predicted)) return false;
    auto tangent = look(at, *predicted);
    if (!tangent) return false;
    set_jacobian(tangent->slopes);
    keep(std::move(*tangent), true);
    return true;
  }

  // --- steps ---

  // The minimum of the model of tangents, no further away than the radius.
  Minimum next(const TangentModel& model) const {
    const VectorXd& at = found_.minimum.at;
    Box box = box_;
    if (std::isfinite(radius_)) {
      for (Index j = 0; j < at.size(); ++j) {
        const double reach = radius_ * size_of(box_, at, j);
        box.lower[j] = std::max(box.lower[j], at[j] - reach);
        box.upper[j] = std::min(box.upper[j], at[j] + reach);
      }
    }
    const Minimum sharp = descend(model, 0, box, at);
    if (sharp.smooth || model.is_plane()) return sharp;
    // Where planes meet, a descent stays in the first edge that it comes to. So edges are sharpened step by step.
    VectorXd best = sharp.at, soft = at;
    for (const double softness : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
      soft = descend(model, softness, box, soft).at;
      if (residuals_.cost(model.predict(soft)) < residuals_.cost(model.predict(best))) best = soft;
    }
    return descend(model, 0, box, best);
  }
  Minimum descend(const TangentModel& model, double softness, const Box& box, const VectorXd& at) const {
    return model_fit::descend(model.predictions(softness), observations_, box, {{at, weights_}}).front();
  }

  // In a model whose planes turn from place to place, those from far away say nothing.
  std::vector<Tangent> tangents_within(double reach) const {
    std::vector<Tangent> result;
    for (const Tangent& one : found_.tangents) {
      if (result.empty() || distance(box_, found_.minimum.at, one.at) <= reach) result.push_back(one);
    }
    return result;
  }

  // False: it has ended.
  bool try_point(const VectorXd& at, const VectorXd& expected, const MatrixXd& slopes) {
    const auto predicted = predict(at);
    if (!predicted) return false;
    const VectorXd from = found_.minimum.at;
    const double length = distance(box_, from, at);
    const double cost = residuals_.cost(*predicted), before = found_.minimum.cost;
    const bool is_better = cost < before;
    if (has_met(at, *predicted)) return false;
    if (!std::isfinite(cost)) {
      radius_ = length / 4;
      return true;
    }
    // A plane that is right after a short way only may still turn.
    if (length >= long_enough && is_same(*predicted, expected, weights_, length)) {
      if (!is_better) return !ends_here();
      // The plane is that of where it came from.
      move_to({at, *predicted, slopes, (from - at).unaryExpr([](double way) { return way > 0 ? 1.0 : -1.0; })});
      return true;
    }
    const double promised = before - residuals_.cost(expected), kept = before - cost;
    auto tangent = look(at, *predicted);
    if (!tangent) {
      if (is_better) stay_at(at, *predicted);
      return false;
    }
    if (is_better)
      move_to(std::move(*tangent));
    else
      keep(std::move(*tangent), false);
    if (kept > promised / 2)
      radius_ *= 4;
    else if (kept < promised / 10)
      radius_ = length / 4;
    return true;
  }

  // Whether the last tries have brought hardly anything: of the way down to a known minimum, where there is one.
  bool is_hopeless() {
    constexpr std::size_t tries = 8;
    constexpr double least = 0.1, least_alone = 1e-3;
    costs_.push_back(found_.minimum.cost);
    if (costs_.size() <= tries) return false;
    if (known_.minima == nullptr || known_.minima->empty())
      return costs_[costs_.size() - 1 - tries] - costs_.back() < least_alone * costs_.back();
    double lowest = no_bound;
    for (const Found& one : *known_.minima) lowest = std::min(lowest, one.minimum.cost);
    const double before = costs_[costs_.size() - 1 - tries];
    return costs_.back() > lowest && before - costs_.back() < least * (before - lowest);
  }

  void descend() {
    for (; found_.minimum.rounds < most_tries; ++found_.minimum.rounds) {
      if (is_hopeless()) return;
      const auto near = tangents_within(10 * radius_);
      const TangentModel model(near);
      if (residuals_.is_exact(found_.minimum.cost, exact) || !(radius_ > least_radius)) {
        if (!ends_here()) continue;
        return;
      }
      const Minimum there = next(model);
      const double gain = found_.minimum.cost - there.cost;
      const bool is_end = !(gain > negligible_gain * found_.minimum.cost) ||
                          distance(box_, found_.minimum.at, there.at) < shortest_step;
      if (is_end) {
        if (!ends_here()) continue;
        return;
      }
      const double before = found_.minimum.cost;
      if (!try_point(there.at, there.predicted, model.slopes(there.at))) return;
      // Only rounding is left.
      if (!(found_.minimum.cost < before) && gain <= rounding_gain * before && ends_here()) return;
    }
  }

  // --- the end ---

  // Whether the derivatives to the other side are others, by more than rounding and curvature make them.
  bool is_bent(const MatrixXd& one, const MatrixXd& other) const {
    const VectorXd& predicted = found_.minimum.predicted;
    for (Index j = 0; j < one.cols(); ++j) {
      const double step = difference * size_of(box_, found_.minimum.at, j);
      for (Index i = 0; i < one.rows(); ++i) {
        if (weights_[i] == 0 || !std::isfinite(other(i, j))) continue;
        const double change = std::abs(one(i, j) - other(i, j)) * step;
        const double all = std::max(std::abs(one(i, j)), std::abs(other(i, j))) * step;
        if (change > bent * all && change > exact * std::abs(predicted[i])) return true;
      }
    }
    return false;
  }

  // False: there is something better, or something more to be known, near the point where it seems to end.
  bool ends_here() {
    Minimum& minimum = found_.minimum;
    minimum.converged = true;
    if (known_.trial == Known::Trial::none || residuals_.is_exact(minimum.cost, nearly_exact) ||
        (tried_.size() > 0 && tried_ == minimum.at)) {
      minimum.smooth = minimum.smooth || residuals_.is_smooth(minimum, box_);
      return true;
    }
    tried_ = minimum.at;
    const MatrixXd slopes = found_.tangents.front().slopes;
    const VectorXd sides = -found_.tangents.front().sides;
    auto other = slopes_to(sides, minimum.at, minimum.predicted);
    if (!other) return true;
    const bool is_edge = is_bent(slopes, *other);
    fill(*other, slopes);
    set_jacobian((slopes + *other) / 2);
    minimum.smooth = !is_edge && residuals_.is_smooth(minimum, box_);
    if (minimum.smooth) return true;
    keep({minimum.at, minimum.predicted, *other, sides}, false);
    if (leaves_edge()) return false;
    minimum.converged = !was_led_;
    return true;
  }

  // Whether something better is near an edge. Of one parameter the planes of both its sides say it.
  bool leaves_edge() {
    radius_ = no_bound;
    if (found_.minimum.at.size() == 1) return next(TangentModel(found_.tangents)).cost < least_gain();
    if (known_.trial != Known::Trial::around) return false;
    for (const double reach : {1e-3, 1e-6}) {
      if (search_.is_stopped()) return false;
      if (leaves_edge(reach)) return true;
    }
    return false;
  }
  double least_gain() const { return found_.minimum.cost * (1 - rounding_gain); }

  // Gradients at random points nearby belong to all pieces that meet at an edge, so that planes with them through the
  // edge show the way along it (gradient sampling: Burke, Lewis, Overton 2005).
  bool leaves_edge(double reach) {
    const Index parameters = found_.minimum.at.size();
    std::uniform_real_distribution<double> uniform(-1, 1);
    MatrixXd points(parameters, parameters + 2);
    for (Index k = 0; k < points.cols(); ++k) {
      for (Index j = 0; j < parameters; ++j) {
        const double step = reach * uniform(random_) * size_of(box_, found_.minimum.at, j);
        points(j, k) = std::clamp(found_.minimum.at[j] + step, box_.lower[j], box_.upper[j]);
      }
    }
    const auto predicted = search_.predict(points);
    if (!predicted) return false;
    std::vector<Tangent> through = {found_.tangents.front()};
    for (Index k = 0; k < points.cols(); ++k) {
      const VectorXd there = predicted->col(k);
      if (!std::isfinite(residuals_.cost(there))) continue;
      auto tangent = look(points.col(k), there);
      if (!tangent) return false;
      if (residuals_.cost(there) < least_gain()) return go_to(std::move(*tangent));
      through.push_back({found_.minimum.at, found_.minimum.predicted, tangent->slopes, tangent->sides});
    }
    for (const double steps : {10, 1}) {
      radius_ = steps * reach;
      const VectorXd along = next(TangentModel(through)).at;
      const auto there = predict(along);
      if (!there) return false;
      if (!(residuals_.cost(*there) < least_gain())) continue;
      auto tangent = look(along, *there);
      return tangent && go_to(std::move(*tangent));
    }
    return false;
  }
  bool go_to(Tangent tangent) {
    was_led_ = true;
    move_to(std::move(tangent));
    return true;
  }

  MinimumSearch& search_;
  const Observations& observations_;
  const Residuals residuals_;
  const VectorXd& weights_;
  const Box& box_;
  const Known& known_;
  Found found_;
  double radius_ = no_bound;
  std::vector<double> costs_;  // after each try
  bool was_led_ = false;       // along an edge, which it may not have reached the end of
  VectorXd tried_;             // the last point whose edges were tried
  std::mt19937 random_;
};

}  // namespace

std::optional<MatrixXd> MinimumSearch::predict(const MatrixXd& points) {
  auto predicted = predict_(points);
  is_stopped_ = is_stopped_ || !predicted;
  return predicted;
}

Found MinimumSearch::find(const Start& start, const Known& known) { return Search(*this, start, known).run(start.at); }

}  // namespace wave::analysis::model_fit
