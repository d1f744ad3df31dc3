// What is known of a model from few predictions: planes that touch it where its derivatives were taken. Models of times
// are linear in their costs as long as the order of events stays the same, so a plane is exact in its neighbourhood,
// and several of them together follow an edge.
#pragma once

#include "analysis/model_fit/least_squares.h"

#include <vector>

namespace wave::analysis::model_fit {

// Predictions of all configurations near a point.
struct Tangent {
  Eigen::VectorXd at, predicted;
  Eigen::MatrixXd slopes;  // a row for each configuration
  Eigen::VectorXd sides;   // 1 or -1 for each parameter: where they were taken, above or below the point

  Eigen::VectorXd there(const Eigen::VectorXd& point) const { return predicted + slopes * (point - at); }
};

// The largest change of a parameter from one point to the other, as a multiple of its size.
double distance(const Box& box, const Eigen::VectorXd& from, const Eigen::VectorXd& to);

// A model made of tangents, for points around the first of them. A configuration is the greatest of its planes, as are
// times that are the larger of two: those that lie above the model at the first point, since it bends the other way
// somewhere, go down to it. Where all others are above it, it is the least of them.
class TangentModel {
 public:
  explicit TangentModel(const std::vector<Tangent>& tangents);

  // With a `softness` above 0 edges are rounded off, within that part of the prediction at the first point.
  Eigen::VectorXd predict(const Eigen::VectorXd& point, double softness = 0) const;
  // The same as a function of points, as long as this model lives.
  Predict predictions(double softness = 0) const;
  // Whether there are no other planes than the first.
  bool is_plane() const { return tangents_.size() == 1; }
  // The slopes of the planes that the predictions there lie on.
  Eigen::MatrixXd slopes(const Eigen::VectorXd& point) const;

 private:
  double rounded_off(Eigen::Index configuration, const Eigen::VectorXd& point, double sharp, double softness) const;
  std::size_t plane(Eigen::Index configuration, const Eigen::VectorXd& point) const;
  double height(std::size_t tangent, Eigen::Index configuration, const Eigen::VectorXd& point) const;

  const std::vector<Tangent>& tangents_;
  std::vector<bool> is_least_;               // of the configurations
  std::vector<std::vector<double>> excess_;  // of each, by tangent: how far its plane goes down
};

// Whether predictions are what a plane says, but for the rounding of both. Configurations of weight 0 do not matter.
bool is_same(const Eigen::VectorXd& predicted, const Eigen::VectorXd& expected, const Eigen::VectorXd& weights,
             double distance);

}  // namespace wave::analysis::model_fit
