// See interfaces.h. Classes of sizes are found by dynamic programming over all ranges of neighbouring sizes, each of
// which is fitted by itself.
#include "analysis/machine_fit/interfaces.h"

#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/robust.h"
#include "base/text.h"
#include "frontend/format/quantities.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t most_classes = 6, most_cuts = 48, most_searched = 1500;
constexpr int most_servers = 16;

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
    const std::size_t step = (begins.size() + most_cuts - 1) / most_cuts;
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

  Best find() {
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
          const double sum = least[count - 1][begin] + fitted(begin, end).cost;
          if (!(sum < least[count][end])) continue;
          least[count][end] = sum;
          from[count][end] = begin;
        }
      }
      if (!(least[count][sizes] < infinite)) continue;
      std::vector<PairClass> classes;
      for (std::size_t end = sizes, left = count; left > 0; end = from[left--][end])
        classes.insert(classes.begin(), fitted(from[left][end], end));
      const double value = criterion(classes);
      if (value < best.criterion) best = {std::move(classes), servers_, value, deviation_};
    }
    return best;
  }

  // Of the same classes with another number of servers.
  double criterion_with(const std::vector<PairClass>& classes, int servers) const {
    return criterion(fitted_to_all(classes, points_, servers, deviation_));
  }

 private:
  // Schwarz's, with the correction for few points that lines have.
  double criterion(const std::vector<PairClass>& classes) const {
    const std::size_t count = classes.size();
    double cost = 0;
    std::size_t wild = 0;
    for (const PairClass& one : classes) {
      cost += one.cost;
      wild += one.far.all;
    }
    const auto n = static_cast<double>(points_.size());
    const double unknowns = (numbers_of_class_ + 1) * static_cast<double>(count) - 1;
    if (count > 1 && n <= unknowns + 1) return infinite;
    constexpr double finest = 1e-4;  // times are printed with some digits
    const double scale = n > unknowns + 1 ? n / (n - unknowns - 1) : 1;
    return misfit(cost, wild, points_.size(), deviation_, finest) + scale * unknowns * std::log(n);
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
  double numbers_of_class_ = 2;      // those that the data may tell; a cut counts as one more
  std::vector<std::size_t> begins_;  // of each size, and behind the last
  std::map<std::pair<std::size_t, std::size_t>, PairClass> known_;
};

std::string where_of(const PlaceFit& place) {
  return place.level.empty() ? "between nodes" : fmt::format("within a {}", place.level);
}

// The class nearest to one that lacks something, of those that have it: the one of larger messages if two are as near.
template <typename Has>
const PairClass* nearest(const std::vector<PairClass>& classes, std::size_t k, const Has& has) {
  for (std::size_t steps = 1; steps < classes.size(); ++steps) {
    if (k + steps < classes.size() && has(classes[k + steps])) return &classes[k + steps];
    if (k >= steps && has(classes[k - steps])) return &classes[k - steps];
  }
  return nullptr;
}

std::string sizes_of(const PairClass& one) { return fmt::format("{} to {}", size_text(one.from), size_text(one.to)); }

// A class without times of single messages, or of one number of pairs, is completed by another one.
void complete(PlaceFit& place, const std::string& where, std::vector<std::string>& notes) {
  const std::vector<PairClass> fitted = place.classes;
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    PairClass& one = place.classes[k];
    const PairClass* single = nearest(fitted, k, [](const PairClass& other) { return other.at_zero.told; });
    if (!one.at_zero.told && single) {
      one.at_zero.value = single->at_zero.value;
      one.per_byte.value = single->per_byte.told ? single->per_byte.value : single->gap_per_byte.value;
      notes.push_back(fmt::format("{}, {}: there are no times of single messages, so L and G are those of {}", where,
                                  sizes_of(one), sizes_of(*single)));
    }
    const PairClass* several = nearest(fitted, k, [](const PairClass& other) { return other.several_pairs; });
    if (!one.several_pairs && several) {
      one.gap.value = several->gap.value;
      one.gap_per_byte.value = several->gap_per_byte.value;
      notes.push_back(fmt::format("{}, {}: one number of pairs was measured, so g and G_N are those of {}", where,
                                  sizes_of(one), sizes_of(*several)));
    }
  }
}

// Says what the data leave open, and ties it to what they tell.
void tie(PlaceFit& place, std::vector<std::string>& notes) {
  const std::string where = where_of(place);
  const bool one_count = place.pairs.size() < 2;
  if (one_count) {
    notes.push_back(
        fmt::format("{}: times of {} pair{} at once alone do not tell what is shared: all is taken for "
                    "the pair's own",
                    where, place.pairs.front(), place.pairs.front() == 1 ? "" : "s"));
  } else if (!place.servers_told) {
    notes.push_back(
        fmt::format("{}: with {} pairs alone, r servers do what one does that is r times as fast: one is "
                    "written",
                    where, join_texts(place.pairs, " and ")));
  }
  for (PairClass& one : place.classes) {
    const std::string sizes = fmt::format("{}, {}", where, sizes_of(one));
    constexpr double alarming = 0.25;
    if (one.largest > alarming)
      notes.push_back(fmt::format("{}: some times are {:.0f} % off: these numbers are a poor description of them",
                                  sizes, 100 * one.largest));
    if (one.at_zero.told && !one.per_byte.told) {
      one.per_byte.value = one.gap_per_byte.value;
      notes.push_back(
          fmt::format("{}: the interface bounds all of them, so that a pair's own G is at most about "
                      "G_N: it is written as G_N",
                      sizes));
    }
    if (one.several_pairs && !one.gap.told && !one.gap_per_byte.told)
      notes.push_back(fmt::format("{}: nothing shared bounds them, so g and G_N are written as 0", sizes));
  }
  complete(place, where, notes);
}

// What is measured: times with the same key are repetitions.
using Key = std::tuple<double, int, bool>;
Key key_of(const PairTime& time) { return {time.size, time.pairs, time.stream}; }

// The median of what was measured again and again: of three times or more, one of which may be wild.
std::vector<PairTime> points_of(const std::vector<PairTime>& samples) {
  std::map<Key, std::vector<const PairTime*>> alike;
  for (const PairTime& sample : samples) alike[key_of(sample)].push_back(&sample);
  std::vector<PairTime> points;
  for (const auto& [key, all] : alike) {
    if (all.size() < 3) {
      for (const PairTime* const one : all) points.push_back(*one);
      continue;
    }
    std::vector<double> times;
    for (const PairTime* const one : all) times.push_back(one->time);
    points.push_back(*all.front());
    points.back().time = median(std::move(times));
  }
  return points;
}

// Times whose size was probably written down wrongly: hardly any other time is of that size, and their number of pairs
// lacks a size that the others have. Near the end of a class such a time would move that end.
std::set<Key> misplaced(const std::vector<PairTime>& points) {
  std::map<double, std::set<Key>> of_size;
  std::map<std::pair<int, bool>, std::set<double>> sizes_of_pairs;
  for (const PairTime& point : points) {
    of_size[point.size].insert(key_of(point));
    sizes_of_pairs[{point.pairs, point.stream}].insert(point.size);
  }
  std::vector<double> counts;
  for (const auto& [size, keys] : of_size) counts.push_back(static_cast<double>(keys.size()));
  const double few = median(std::move(counts)) / 4;
  std::set<Key> found;
  for (const auto& [pairs, sizes] : sizes_of_pairs) {
    std::set<Key> strange;
    std::size_t missing = 0;
    for (auto one = of_size.lower_bound(*sizes.begin()); one != of_size.upper_bound(*sizes.rbegin()); ++one) {
      const bool is_rare = static_cast<double>(one->second.size()) < few, is_there = sizes.contains(one->first);
      if (is_rare && is_there) strange.insert({one->first, pairs.first, pairs.second});
      if (!is_rare && !is_there) ++missing;
    }
    if (missing > 0 && missing <= strange.size()) found.merge(strange);
  }
  return found;
}

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
  constexpr double strong = 10;  // a difference of the criterion that counts as evidence
  double least = best.criterion - strong;
  int chosen = 1;
  for (int servers = 2; servers_told && servers <= std::min(most_servers, most_pairs); ++servers) {
    const double value = one.criterion_with(best.classes, servers);
    if (value >= least) continue;
    least = value;
    chosen = servers;
  }
  return chosen == 1 ? best : Classes(points, chosen, deviation).find();
}

// The measured times themselves, of which medians were fitted, are held against the fit. `left_out` were not fitted.
void set_aside(const PlaceFit& place, const std::vector<PairTime>& samples, const std::set<Key>& left_out,
               double deviation, std::vector<WildTime>& wild) {
  std::vector<double> expected, residuals;
  for (const PairTime& sample : samples) {
    const auto of = std::find_if(place.classes.begin(), place.classes.end() - 1,
                                 [&](const PairClass& one) { return sample.size <= one.to; });
    expected.push_back(of->time_of(sample, place.servers));
    residuals.push_back(residual(sample.time, expected.back(), Noise::of_time));
  }
  const double noise = std::max(deviation, robust_deviation(residuals));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const PairTime& one = samples[i];
    if (std::abs(residuals[i]) <= most_deviations * noise && !left_out.contains(key_of(one))) continue;
    wild.push_back({one.stream ? "the next message" : "one message", one.size, one.time, expected[i], one.location,
                    frontend::counted(static_cast<std::size_t>(one.pairs), "pair")});
  }
}

// Levels from the inside out; what shares nothing comes last.
std::size_t order_of(const std::string& level) {
  return static_cast<std::size_t>(std::find(levels_of_fits.begin(), levels_of_fits.end(), level) -
                                  levels_of_fits.begin());
}

}  // namespace

bool has_interfaces(const Timings& timings) {
  return std::any_of(timings.series.begin(), timings.series.end(), [](const Series& series) {
    if (series.measure != BenchmarkMeasure::latency && series.measure != BenchmarkMeasure::gap) return false;
    return std::any_of(series.samples.begin(), series.samples.end(),
                       [](const Sample& sample) { return sample.pairs > 1 || !sample.place.empty(); });
  });
}

std::optional<InterfaceFit> fit_interfaces(const Timings& timings, frontend::Diagnostics& diagnostics) {
  std::map<std::size_t, std::vector<PairTime>> by_order;
  for (const auto& series : timings.series) {
    const bool stream = series.measure == BenchmarkMeasure::gap;
    if (!stream && series.measure != BenchmarkMeasure::latency) continue;
    for (const Sample& one : series.samples)
      by_order[order_of(one.place)].push_back({one.size, one.pairs, stream, one.time, one.location});
  }
  InterfaceFit fit;
  for (const auto& [order, samples] : by_order) {
    PlaceFit place;
    if (order < levels_of_fits.size()) place.level = levels_of_fits[order];
    std::vector<PairTime> points = points_of(samples);
    const std::set<Key> left_out = misplaced(points);
    std::erase_if(points, [&](const PairTime& point) { return left_out.contains(key_of(point)); });
    std::set<double> sizes;
    std::set<int> pairs;
    for (const PairTime& point : points) {
      sizes.insert(point.size);
      pairs.insert(point.pairs);
    }
    const bool only_streams =
        std::all_of(points.begin(), points.end(), [](const PairTime& point) { return point.stream; });
    if (sizes.size() < fewest_sizes || only_streams) {
      auto& d =
          diagnostics.add(frontend::DiagnosticKind::too_little_data, samples.front().location,
                          only_streams ? fmt::format("{} there are no times of single messages", where_of(place))
                                       : fmt::format("{} there are times of {} sizes, and a class has at least {}",
                                                     where_of(place), sizes.size(), fewest_sizes),
                          "the first measurement");
      d.help.push_back(only_streams ? "give the results of a ping-pong as well: `osu_latency`"
                                    : "measure more sizes, such as every power of two from 1 B to 4 MiB");
      return std::nullopt;
    }
    const std::vector<PairTime> searched = searched_of(points);
    const Classes::Best best =
        fit_formula([&](double deviation) { return best_of(searched, *pairs.rbegin(), pairs.size() > 2, deviation); });
    place.servers = best.servers;
    place.classes = fitted_to_all(best.classes, points, place.servers, best.deviation);
    set_aside(place, samples, left_out, best.deviation, fit.wild);
    for (const auto& [size, at_once, stream] : left_out) {
      fit.notes.push_back(
          fmt::format("{}: hardly any other time is of {}, and a size that the others have is missing "
                      "for {}: it was probably written down wrongly, and is left out",
                      where_of(place), size_text(size), frontend::counted(static_cast<std::size_t>(at_once), "pair")));
    }
    pairs.clear();
    for (const PairClass& one : place.classes) pairs.insert(one.pairs.begin(), one.pairs.end());
    place.pairs.assign(pairs.begin(), pairs.end());
    // Two numbers of pairs do not tell servers from speed.
    place.servers_told = pairs.size() > 2;
    tie(place, fit.notes);
    fit.places.push_back(std::move(place));
  }
  const bool has_others = std::any_of(timings.series.begin(), timings.series.end(), [](const Series& series) {
    return series.measure != BenchmarkMeasure::gap && series.measure != BenchmarkMeasure::latency &&
           !series.samples.empty();
  });
  if (has_others)
    fit.notes.emplace_back("collective operations and overheads are left out: fit those files by themselves");
  fit.notes.emplace_back("latency and overheads are one number, the time of an empty message: it is written as L");
  return fit;
}

}  // namespace wave::analysis::machine_fit
