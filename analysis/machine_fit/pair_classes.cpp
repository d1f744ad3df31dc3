// Finds classes of sizes by dynamic programming over all ranges of neighbouring sizes, each of which is fitted by
// itself. See interface_steps.h.
#include "analysis/machine_fit/interface_steps.h"
#include "analysis/machine_fit/robust.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::size_t most_classes = 6, most_borders = 48, most_searched = 1500;
constexpr int most_servers = 16;
constexpr double strong_evidence = 10;  // a difference of the criterion that counts as such

// Fits classes to all points between their ends.
std::vector<PairClass> fitted_to_all(const std::vector<PairClass>& classes, const std::vector<PairTime>& points,
                                     int servers, double deviation) {
  std::vector<PairClass> fitted;
  auto begin = points.begin();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const auto is_within = [&](const PairTime& point) { return point.size <= classes[k].to; };
    const auto end = k + 1 < classes.size() ? std::find_if_not(begin, points.end(), is_within) : points.end();
    fitted.push_back(fit_class({begin, end}, servers, deviation));
    begin = end;
  }
  return fitted;
}

// All points of one place, by size.
class Classes {
 public:
  Classes(const std::vector<PairTime>& points, int servers, double deviation)
      : points_(points), servers_(servers), deviation_(deviation) {
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i == 0 || points_[i].size != points_[i - 1].size) begins.push_back(i);
    }
    // With very many sizes, a class ends at one of some places only.
    const std::size_t step = (begins.size() + most_borders - 1) / most_borders;
    fewest_ = step > 1 ? 1 : fewest_sizes;
    for (std::size_t i = 0; i < begins.size(); i += step) begins_.push_back(begins[i]);
    begins_.push_back(points_.size());
    const auto differs = [&](const auto member) {
      return std::any_of(points_.begin(), points_.end(),
                         [&](const PairTime& point) { return point.*member != points_.front().*member; });
    };
    if (differs(&PairTime::pairs)) numbers_of_class_ += 2;
    if (differs(&PairTime::stream)) numbers_of_class_ += 2;
  }

  struct Best {
    std::vector<PairClass> classes;
    int servers = 1;
    double criterion = infinite;
    double deviation = 0;

    std::vector<FarOff> parts() const {
      std::vector<FarOff> parts;
      for (const PairClass& one : classes) parts.push_back(one.far);
      return parts;
    }
    std::vector<double> residuals() const {
      std::vector<double> all;
      for (const PairClass& one : classes) all.insert(all.end(), one.off.begin(), one.off.end());
      return all;
    }
  };

  // Classes have noise of their own: with one noise for all, the noisiest class would decide where the others end. How
  // much is usual is found with one noise first. Its classes stay unless others are better beyond doubt, fewer ones
  // by half as much again: where a class more describes the times about as well as its numbers cost, a few wild times
  // would decide.
  Best find() {
    typical_ = 0;
    Best together = best_cuts(1);
    if (together.classes.empty()) return together;
    std::vector<const PairClass*> all;
    for (const PairClass& one : together.classes) all.push_back(&one);
    typical_ = std::max(std::sqrt(squares_of(all) / near_of(all)), finest);
    together.criterion = criterion(together.classes);
    const auto better = [](const Best& other, const Best& best, double evidence) {
      return other.criterion < best.criterion - evidence ? other : best;
    };
    const Best no_fewer = best_cuts(together.classes.size());
    return better(best_cuts(1), better(no_fewer, together, strong_evidence), 1.5 * strong_evidence);
  }

  // Of the same classes with another number of servers.
  double criterion_with(const std::vector<PairClass>& classes, int servers) const {
    return criterion(fitted_to_all(classes, points_, servers, deviation_));
  }

 private:
  // Of so many classes at least.
  Best best_cuts(std::size_t fewest) {
    const std::size_t sizes = begins_.size() - 1;
    // For each number of classes and of sizes: the least cost, and where the last class begins.
    std::vector<std::vector<double>> least(most_classes + 1, std::vector<double>(sizes + 1, infinite));
    std::vector<std::vector<std::size_t>> from(most_classes + 1, std::vector<std::size_t>(sizes + 1, 0));
    least[0][0] = 0;
    Best best;
    for (std::size_t count = 1; count <= most_classes; ++count) {
      for (std::size_t end = count * fewest_; end <= sizes; ++end) {
        for (std::size_t begin = 0; begin + fewest_ <= end; ++begin) {
          frontend::Patience::ask();
          if (!(least[count - 1][begin] < infinite)) continue;
          const PairClass& one = fitted(begin, end);
          const double sum = least[count - 1][begin] + (typical_ > 0 ? misfit_apart(one) : one.cost);
          if (!(sum < least[count][end])) continue;
          least[count][end] = sum;
          from[count][end] = begin;
        }
      }
      if (count < fewest || !(least[count][sizes] < infinite)) continue;
      std::vector<PairClass> classes;
      for (std::size_t end = sizes, left = count; left > 0; end = from[left--][end])
        classes.insert(classes.begin(), fitted(from[left][end], end));
      const double value = criterion(classes);
      if (value < best.criterion) best = {std::move(classes), servers_, value, deviation_};
    }
    return best;
  }

  // How badly a class describes its times, with its own noise. With few times that is near what is usual.
  double misfit_apart(const PairClass& one) const {
    constexpr double usual_times = 4;
    const double near = near_of({&one}), wild = static_cast<double>(one.far.all);
    const double variance = (squares_of({&one}) + usual_times * typical_ * typical_) / (near + usual_times);
    return near * std::log(variance) + wild * (2 * std::log(deviation_) + most_deviations * most_deviations);
  }

  static double near_of(const std::vector<const PairClass*>& classes) {
    std::size_t near = 0;
    for (const PairClass* const one : classes) near += one->far.of - one->far.all;
    return static_cast<double>(std::max<std::size_t>(near, 1));
  }
  // Of the residuals that are not wild.
  double squares_of(const std::vector<const PairClass*>& classes) const {
    double cost = 0;
    for (const PairClass* const one : classes)
      cost += one->cost - most_deviations * most_deviations * static_cast<double>(one->far.all);
    return std::max(cost, 0.0) * deviation_ * deviation_;
  }

  // Schwarz's, with the correction for few points that lines have.
  double criterion(const std::vector<PairClass>& classes) const {
    const std::size_t count = classes.size();
    double cost = 0, apart = 0;
    std::size_t wild = 0;
    for (const PairClass& one : classes) {
      cost += one.cost;
      wild += one.far.all;
      if (typical_ > 0) apart += misfit_apart(one);
    }
    const auto n = static_cast<double>(points_.size());
    const double unknowns = (numbers_of_class_ + 1) * static_cast<double>(count) - 1;
    if (count > 1 && n <= unknowns + 1) return infinite;
    const double scale = n > unknowns + 1 ? n / (n - unknowns - 1) : 1;
    const double badness = typical_ > 0 ? apart : misfit(cost, wild, points_.size(), deviation_, finest);
    return badness + scale * unknowns * std::log(n);
  }

  const PairClass& fitted(std::size_t begin, std::size_t end) {
    const auto [found, is_new] = known_.try_emplace({begin, end});
    if (is_new) {
      const auto at = [&](std::size_t size) { return points_.begin() + static_cast<std::ptrdiff_t>(begins_[size]); };
      found->second = fit_class({at(begin), at(end)}, servers_, deviation_);
    }
    return found->second;
  }

  const std::vector<PairTime>& points_;
  int servers_;
  double deviation_;
  std::size_t fewest_ = fewest_sizes;
  double typical_ = 0;                    // deviation of times; 0: all classes have one noise
  static constexpr double finest = 1e-4;  // times are printed with some digits
  double numbers_of_class_ = 2;           // those that the data may tell; a cut counts as one more
  std::vector<std::size_t> begins_;       // of each size, and behind the last
  std::map<std::pair<std::size_t, std::size_t>, PairClass> known_;
};

// Where classes end, and how many servers there are, can be told from some points if there are very many. Multiples of
// the golden ratio spread those evenly over sizes and numbers of pairs.
std::vector<PairTime> searched_of(const std::vector<PairTime>& points) {
  if (points.size() <= most_searched) return points;
  const double share = static_cast<double>(most_searched) / static_cast<double>(points.size());
  constexpr double golden_ratio = 1.6180339887498949;
  std::vector<PairTime> searched;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double multiple = golden_ratio * static_cast<double>(i);
    if (multiple - std::floor(multiple) < share) searched.push_back(points[i]);
  }
  return searched;
}

// The best classes and number of servers. More servers than one are tried on the classes of one, and the best of them
// finds classes of its own.
Classes::Best best_of(const std::vector<PairTime>& points, int most_pairs, bool servers_told, double deviation) {
  Classes one(points, 1, deviation);
  Classes::Best best = one.find();
  double least = best.criterion - strong_evidence;
  int chosen = 1;
  for (int servers = 2; servers_told && servers <= std::min(most_servers, most_pairs); ++servers) {
    const double value = one.criterion_with(best.classes, servers);
    if (value >= least) continue;
    least = value;
    chosen = servers;
  }
  return chosen == 1 ? best : Classes(points, chosen, deviation).find();
}

}  // namespace

double fit_classes(PlaceFit& place, const std::vector<PairTime>& points) {
  std::set<int> pairs;
  for (const PairTime& point : points) pairs.insert(point.pairs);
  const std::vector<PairTime> searched = searched_of(points);
  const Classes::Best best =
      fit_formula([&](double deviation) { return best_of(searched, *pairs.rbegin(), pairs.size() > 2, deviation); });
  place.servers = best.servers;
  place.classes = fitted_to_all(best.classes, points, place.servers, best.deviation);
  return best.deviation;
}

}  // namespace wave::analysis::machine_fit
