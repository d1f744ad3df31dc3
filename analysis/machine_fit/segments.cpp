// See segments.h.
#include "analysis/machine_fit/segments.h"

#include "analysis/machine_fit/noise.h"
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/robust.h"
#include "analysis/machine_fit/segment_errors.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wave::analysis::machine_fit {
namespace {

// Segments may end at this many sizes at most. If there are more, only some of them are tried at first.
constexpr std::size_t most_cuts = 160;

class Finder {
 public:
  Finder(const std::vector<TimedSize>& points, const SegmentOptions& options) : points_(points), options_(options) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i == 0 || points[i].size != points[i - 1].size) starts_.push_back(i);
    }
    starts_.push_back(points.size());
  }

  std::optional<Segmentation> find();

 private:
  using Cuts = std::vector<std::size_t>;  // ordinals of sizes where a segment begins, and the number of sizes

  std::size_t sizes() const { return starts_.size() - 1; }
  double cost(std::size_t from, std::size_t to);
  std::vector<Cuts> best_cuts(std::size_t most);
  void refine(Cuts& cuts);
  double criterion(const Cuts& cuts) const;
  std::vector<FarOff> far_off(const Cuts& cuts) const;
  Segmentation fit(const Cuts& cuts);
  bool use_points(Segment& segment, std::size_t from, std::size_t to, double deviation);
  void fit_line(Segment& segment);
  bool is_below_zero(const LinearFit& fit, Eigen::Index points) const;
  double pooled_deviation(const std::vector<Segment>& segments, double& degrees) const;
  void find_ambiguity(const Cuts& cuts, std::size_t at, double deviation, std::size_t& first, std::size_t& last,
                      double allowed);
  void set_aside_at_borders(Segmentation& result) const;

  const std::vector<TimedSize>& points_;
  const SegmentOptions& options_;
  std::vector<std::size_t> starts_;  // of the points of each size, and their end
  double noise_ = 0;
  double floor_ = 0;           // the noise that the digits alone cause
  std::vector<double> costs_;  // of ranges of sizes; NaN: not known yet
};

double Finder::cost(std::size_t from, std::size_t to) {
  if (to < from + fewest_sizes) return infinite;
  double& known = costs_[from * (sizes() + 1) + to];
  if (std::isnan(known)) {
    const RobustLine line = fit_robust_line(points_, starts_[from], starts_[to], noise_, options_.noise);
    known = line.inlier_sizes < fewest_sizes ? infinite : line.cost;
  }
  return known;
}

// The best places to cut for each number of segments, by dynamic programming. Empty if so many lines are impossible.
std::vector<Finder::Cuts> Finder::best_cuts(std::size_t most) {
  const std::size_t n = sizes();
  Cuts places;
  const std::size_t parts = std::min(n, most_cuts);
  for (std::size_t i = 0; i <= parts; ++i) places.push_back(i * n / parts);
  const std::size_t count = places.size();
  std::vector<std::vector<double>> best(most + 1, std::vector<double>(count, infinite));
  std::vector<std::vector<std::size_t>> before(most + 1, std::vector<std::size_t>(count, 0));
  best[0][0] = 0;
  for (std::size_t k = 1; k <= most; ++k) {
    for (std::size_t to = 1; to < count; ++to) {
      for (std::size_t from = 0; from < to; ++from) {
        frontend::Patience::ask();
        if (best[k - 1][from] == infinite) continue;
        const double sum = best[k - 1][from] + cost(places[from], places[to]);
        if (sum < best[k][to]) {
          best[k][to] = sum;
          before[k][to] = from;
        }
      }
    }
  }
  std::vector<Cuts> result;
  for (std::size_t k = 1; k <= most; ++k) {
    Cuts cuts;
    if (best[k][count - 1] == infinite) {
      result.push_back(cuts);
      continue;
    }
    std::size_t at = count - 1;
    for (std::size_t left = k; left > 0; at = before[left--][at]) cuts.push_back(places[at]);
    cuts.push_back(0);
    std::reverse(cuts.begin(), cuts.end());
    if (parts < n) refine(cuts);
    result.push_back(std::move(cuts));
  }
  return result;
}

// Moves one cut at a time to its best place, until none moves.
void Finder::refine(Cuts& cuts) {
  const std::size_t reach = sizes() / most_cuts + 1;
  for (int round = 0; round < 10; ++round) {
    bool moved = false;
    for (std::size_t k = 1; k + 1 < cuts.size(); ++k) {
      const std::size_t low = std::max(cuts[k - 1] + fewest_sizes, cuts[k] < reach ? 0 : cuts[k] - reach);
      const std::size_t high = std::min(cuts[k + 1] - fewest_sizes, cuts[k] + reach);
      std::size_t best = cuts[k];
      double least = cost(cuts[k - 1], best) + cost(best, cuts[k + 1]);
      for (std::size_t at = low; at <= high; ++at) {
        frontend::Patience::ask();
        const double sum = cost(cuts[k - 1], at) + cost(at, cuts[k + 1]);
        if (sum >= least) continue;
        least = sum;
        best = at;
      }
      moved = moved || best != cuts[k];
      cuts[k] = best;
    }
    if (!moved) return;
  }
}

// Schwarz's criterion for unknown noise. A line has two parameters. A place to cut counts as much as a line, since it
// is the best of many. Parameters cost more if there are few points, as in Akaike's corrected criterion. With only
// three points for each line, the criterion is infinite. Such lines are taken nevertheless if there are no others, or
// if they are asked for.
double Finder::criterion(const Cuts& cuts) const {
  if (cuts.empty()) return infinite;
  const double n = static_cast<double>(points_.size());
  const double k = static_cast<double>(cuts.size() - 1);
  const double free = 3 * k - 1;
  if (n - free - 1 <= 0) return infinite;
  double cost = 0;
  std::size_t wild = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const RobustLine line = fit_robust_line(points_, starts_[cuts[i]], starts_[cuts[i + 1]], noise_, options_.noise);
    cost += line.cost;
    wild += line.wild;
  }
  return misfit(cost, wild, points_.size(), noise_, floor_) + (2 * k + 2 * (k - 1)) * std::log(n) * n / (n - free - 1);
}

std::vector<FarOff> Finder::far_off(const Cuts& cuts) const {
  std::vector<FarOff> far(cuts.size() - 1);
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const std::size_t begin = starts_[cuts[k]], end = starts_[cuts[k + 1]];
    const Line line = fit_robust_line(points_, begin, end, noise_, options_.noise).line;
    for (std::size_t i = begin; i < end; ++i) {
      far[k].add(residual_of(points_[i], line, options_.noise), noise_, options_.noise);
    }
  }
  return far;
}

// Uses the points of the sizes from <= k < to that are no outliers. False if they have too few sizes for a line.
bool Finder::use_points(Segment& segment, std::size_t from, std::size_t to, double deviation) {
  const RobustLine robust = fit_robust_line(points_, starts_[from], starts_[to], deviation, options_.noise);
  segment.used.clear();
  segment.outliers.clear();
  for (std::size_t i = starts_[from]; i < starts_[to]; ++i) {
    const bool far = !options_.keep_outliers &&
                     std::abs(residual_of(points_[i], robust.line, options_.noise)) > most_deviations * deviation;
    (far ? segment.outliers : segment.used).push_back(i);
  }
  return (options_.keep_outliers ? to - from : robust.inlier_sizes) >= fewest_sizes;
}

// Whether a line is negative at size 0 by more than its own error.
bool Finder::is_below_zero(const LinearFit& fit, Eigen::Index points) const {
  const auto degrees = static_cast<double>(points - 2);
  if (degrees < 1) return false;
  const double deviation = std::max(std::sqrt(fit.sum_of_squares / degrees), floor_);
  return fit.values[0] +
             interval_factor(options_.probability, degrees) * deviation * std::sqrt(fit.unscaled_covariance(0, 0)) <
         0;
}

// The weights come from the line itself. If they came from the measured times, times that are low by chance would count
// more.
void Finder::fit_line(Segment& segment) {
  const auto n = static_cast<Eigen::Index>(segment.used.size());
  Eigen::MatrixXd design(n, 2);
  Eigen::VectorXd times(n), rests(n), weights(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const TimedSize& point = points_[segment.used[static_cast<std::size_t>(i)]];
    design.row(i) << 1, point.size;
    times[i] = point.time;
    rests[i] = point.share.rest;
    weights[i] = options_.noise == Noise::of_time ? 1 / std::pow(point.time + point.share.rest, 2) : 1;
  }
  LinearFit fit;
  for (int round = 0; round < 20; ++round) {
    fit = solve_linear(design, times, weights);
    Line line{fit.values[0], fit.values[1]};
    segment.flat = line.per_byte < 0;
    if (segment.flat) line = {times.dot(weights) / weights.sum(), 0};
    segment.through_zero = segment.begin == 0 && line.at_zero < 0 && !is_below_zero(fit, n);
    if (segment.through_zero) {
      const Eigen::VectorXd sizes = design.col(1);
      line = {0, sizes.cwiseProduct(times).dot(weights) / sizes.cwiseAbs2().dot(weights)};
    }
    const bool same = std::abs(line.at_zero - segment.line.at_zero) <= 1e-14 * std::abs(line.at_zero) &&
                      std::abs(line.per_byte - segment.line.per_byte) <= 1e-14 * std::abs(line.per_byte);
    segment.line = line;
    if (same) break;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double scale = scale_of(times[i] + rests[i], line.at(design(i, 1)) + rests[i], options_.noise);
      weights[i] = 1 / (scale * scale);
    }
  }
  // These belong to the line without a bound for its slope, and still lack the deviation of the noise.
  segment.lower = segment.upper = {fit.values[0], fit.values[1]};
  segment.standard_error = {std::sqrt(fit.unscaled_covariance(0, 0)), std::sqrt(fit.unscaled_covariance(1, 1))};
  segment.covariance = fit.unscaled_covariance(0, 1);
  double squares = 0;
  segment.largest = segment.squares = 0;
  for (const std::size_t i : segment.used) {
    const double rest = points_[i].share.rest, time = points_[i].time + rest,
                 expected = segment.line.at(points_[i].size) + rest;
    const double off = expected > 0 ? time / expected - 1 : 1;
    squares += off * off;
    segment.squares += options_.noise == Noise::of_time ? off * off : (time - expected) * (time - expected);
    segment.largest = std::max(segment.largest, std::abs(off));
  }
  segment.rms = std::sqrt(squares / static_cast<double>(n));
}

double Finder::pooled_deviation(const std::vector<Segment>& segments, double& degrees) const {
  double squares = 0, count = 0;
  for (const auto& segment : segments) {
    squares += segment.squares;
    count += degrees_of(segment);
  }
  degrees = count;
  const double noise = count > 0 ? std::sqrt(squares / count) : 0;
  return std::max(noise, floor_);
}

// The cuts first <= at <= last that are nearly as good as the best one.
void Finder::find_ambiguity(const Cuts& cuts, std::size_t at, double deviation, std::size_t& first, std::size_t& last,
                            double allowed) {
  const double scale = noise_ / deviation;
  const auto sum = [&](std::size_t cut) { return (cost(cuts[at - 1], cut) + cost(cut, cuts[at + 1])) * scale * scale; };
  const double best = sum(cuts[at]);
  first = last = cuts[at];
  for (std::size_t cut = cuts[at - 1] + fewest_sizes; cut + fewest_sizes <= cuts[at + 1]; ++cut) {
    if (sum(cut) > best + allowed) continue;
    first = std::min(first, cut);
    last = std::max(last, cut);
  }
}

Segmentation Finder::fit(const Cuts& cuts) {
  Segmentation result;
  const std::size_t count = cuts.size() - 1;
  result.segments.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Segment& segment = result.segments[k];
    segment.begin = starts_[cuts[k]];
    segment.end = starts_[cuts[k + 1]];
    use_points(segment, cuts[k], cuts[k + 1], noise_);
    fit_line(segment);
  }
  double deviation = pooled_deviation(result.segments, result.degrees_of_freedom);

  // Sizes that may belong to either neighbour are used by neither.
  const double wide = chi_squared_quantile(0.99, 1), asked = chi_squared_quantile(options_.probability, 1);
  std::vector<std::size_t> ends(count), begins(count);
  begins[0] = 0;
  ends[count - 1] = sizes();
  for (std::size_t k = 1; k < count; ++k) {
    std::size_t first = 0, last = 0;
    find_ambiguity(cuts, k, deviation, first, last, asked);
    const auto size = [&](std::size_t ordinal) { return points_[starts_[ordinal]].size; };
    result.thresholds.push_back({size(cuts[k] - 1), size(cuts[k]), size(first - 1), size(last)});
    find_ambiguity(cuts, k, deviation, ends[k - 1], begins[k], wide);
  }
  for (std::size_t k = 0; k < count; ++k) {
    Segment& segment = result.segments[k];
    segment.short_of_points = ends[k] < begins[k] + fewest_sizes || !use_points(segment, begins[k], ends[k], deviation);
    if (segment.short_of_points) {
      begins[k] = cuts[k];
      ends[k] = cuts[k + 1];
      // With the noise by which the cuts were chosen, every segment has its three sizes.
      if (!use_points(segment, begins[k], ends[k], deviation)) use_points(segment, begins[k], ends[k], noise_);
    }
    for (std::size_t i = segment.begin; i < segment.end; ++i) {
      if (i < starts_[begins[k]] || i >= starts_[ends[k]]) segment.ambiguous.push_back(i);
    }
    fit_line(segment);
  }
  result.deviation = pooled_deviation(result.segments, result.degrees_of_freedom);
  if (!options_.keep_outliers) set_aside_at_borders(result);
  set_errors(result, options_.probability, floor_);
  return result;
}

// What may belong to either of two segments and is far off both belongs to neither.
void Finder::set_aside_at_borders(Segmentation& result) const {
  const double far = most_deviations * std::max(result.deviation, noise_);
  for (std::size_t k = 0; k < result.segments.size(); ++k) {
    Segment& segment = result.segments[k];
    std::erase_if(segment.ambiguous, [&](std::size_t i) {
      for (std::size_t near = k == 0 ? 0 : k - 1; near < std::min(k + 2, result.segments.size()); ++near) {
        if (std::abs(residual_of(points_[i], result.segments[near].line, options_.noise)) <= far) return false;
      }
      segment.outliers.push_back(i);
      return true;
    });
  }
}

std::optional<Segmentation> Finder::find() {
  if (sizes() < fewest_sizes) return std::nullopt;
  const NoiseEstimate noise = estimate_noise({points_}, options_.noise);
  noise_ = noise.deviation;
  floor_ = noise.finest;
  const std::size_t most = std::min(options_.segments.value_or(options_.most_segments), sizes() / fewest_sizes);
  if (most == 0 || (options_.segments && most < *options_.segments)) return std::nullopt;
  // If the chosen lines leave many points out, there is more noise than neighbours tell, or the times lie on a curve.
  std::vector<Cuts> all;
  std::vector<double> criteria;
  std::size_t chosen = 0;
  for (int round = 0; round < most_growths; ++round, noise_ *= noise_growth) {
    costs_.assign(sizes() * (sizes() + 1) + sizes() + 1, std::numeric_limits<double>::quiet_NaN());
    all = best_cuts(most);
    criteria.clear();
    for (const auto& cuts : all) criteria.push_back(criterion(cuts));
    chosen = options_.segments
                 ? *options_.segments - 1
                 : static_cast<std::size_t>(std::min_element(criteria.begin(), criteria.end()) - criteria.begin());
    if (all[chosen].empty()) continue;
    if (!is_noise(far_off(all[chosen]))) break;
  }
  if (all[chosen].empty()) return std::nullopt;
  Segmentation result = fit(all[chosen]);
  result.criterion = std::move(criteria);
  return result;
}

}  // namespace

std::optional<Segmentation> find_segments(const std::vector<TimedSize>& points, const SegmentOptions& options) {
  return Finder(points, options).find();
}

}  // namespace wave::analysis::machine_fit
