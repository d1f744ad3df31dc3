// Nonlinear least squares with few predictions, for models each of which takes a while. From predictions and their
// derivatives at a few points a model of tangents is made (tangents.h), whose minimum is found without the model itself
// (least_squares.h) and tried next. Where the order of events stays the same, the first try is the minimum.
#pragma once

#include "analysis/model_fit/least_squares.h"
#include "analysis/model_fit/tangents.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace wave::analysis::model_fit {

// What a search found, and the tangents that it went by: the first is the one at the minimum.
struct Found {
  Minimum minimum;
  std::vector<Tangent> tangents;
};

// What is known before a search begins.
struct Known {
  // Minima for the same weights. A search that comes to one of them ends there.
  const std::vector<Found>* minima = nullptr;
  // Of an earlier search: its first tangent is at the point where this one begins.
  const std::vector<Tangent>* tangents = nullptr;
  // What is tried where the search ends: nothing, the other side of each parameter, which says whether the minimum is
  // on an edge, or around an edge at random, too.
  enum class Trial { none, sides, around } trial = Trial::sides;
};

class MinimumSearch {
 public:
  MinimumSearch(const Predict& predict, const Observations& observations, const Box& box)
      : predict_(predict), observations_(observations), box_(box) {}

  // What a search from there comes to. Where predictions have been stopped, it is the best until then.
  Found find(const Start& start, const Known& known = {});
  // Whether `predict` gave nothing, since it was told to stop.
  bool is_stopped() const { return is_stopped_; }

  // Is called with every point that is better than those before it of the same search.
  void watch(std::function<void(const Minimum&)> watcher) { watcher_ = std::move(watcher); }

  std::optional<Eigen::MatrixXd> predict(const Eigen::MatrixXd& points);
  void report(const Minimum& better) const {
    if (watcher_) watcher_(better);
  }
  const Observations& observations() const { return observations_; }
  const Box& box() const { return box_; }

 private:
  const Predict& predict_;
  const Observations& observations_;
  const Box& box_;
  std::function<void(const Minimum&)> watcher_;
  bool is_stopped_ = false;
};

}  // namespace wave::analysis::model_fit
