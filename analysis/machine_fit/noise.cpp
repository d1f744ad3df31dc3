// See noise.h.
#include "analysis/machine_fit/noise.h"

#include "analysis/machine_fit/regression.h"

#include <algorithm>
#include <cmath>

namespace wave::analysis::machine_fit {
namespace {

class Comparison {
 public:
  explicit Comparison(Noise noise) : relative_(noise == Noise::of_time) {}

  void add(const std::vector<TimedSize>& curve) {
    std::vector<double> sizes, middles;
    for (std::size_t begin = 0; begin < curve.size();) {
      std::size_t end = begin;
      std::vector<double> same;
      for (; end < curve.size() && curve[end].size == curve[begin].size; ++end)
        same.push_back(curve[end].time + curve[end].share.rest);
      sizes.push_back(curve[begin].size);
      middles.push_back(median(same));
      times_.push_back(middles.back());
      begin = end;
      const double n = static_cast<double>(same.size());
      for (const double time : same) {
        if (same.size() > 1) repeated_.push_back(share(time - middles.back(), middles.back()) * std::sqrt(n / (n - 1)));
      }
    }
    for (std::size_t k = 1; k + 1 < sizes.size(); ++k) {
      const double part = (sizes[k] - sizes[k - 1]) / (sizes[k + 1] - sizes[k - 1]);
      const double between = middles[k - 1] + part * (middles[k + 1] - middles[k - 1]);
      const double r0 = (1 - part) * (relative_ ? middles[k - 1] / middles[k] : 1),
                   r2 = part * (relative_ ? middles[k + 1] / middles[k] : 1);
      off_.push_back(share(middles[k] - between, middles[k]) / std::sqrt(1 + r0 * r0 + r2 * r2));
    }
    for (const auto& point : curve) {
      const double digits = share(point.resolution, point.time + point.share.rest);
      squares_ += digits * digits / 3;  // the variance of what is spread evenly over +- the resolution
      ++count_;
    }
  }

  NoiseEstimate result() const {
    NoiseEstimate estimate;
    if (count_ == 0) return {finest_difference, finest_difference};
    const double rounding = relative_ ? finest_difference : finest_difference * median(times_);
    estimate.finest = std::max(rounding, std::sqrt(squares_ / static_cast<double>(count_)));
    estimate.deviation = estimate.finest;
    for (const auto* one : {&off_, &repeated_}) {
      if (!one->empty()) estimate.deviation = std::max(estimate.deviation, robust_deviation(*one));
    }
    return estimate;
  }

 private:
  double share(double difference, double time) const { return relative_ ? difference / time : difference; }

  const bool relative_;
  std::vector<double> times_, off_, repeated_;
  double squares_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

NoiseEstimate estimate_noise(const std::vector<std::vector<TimedSize>>& curves, Noise noise) {
  Comparison comparison(noise);
  for (const auto& curve : curves) comparison.add(curve);
  return comparison.result();
}

}  // namespace wave::analysis::machine_fit
