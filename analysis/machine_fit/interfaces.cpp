// See interfaces.h.
#include "analysis/machine_fit/interfaces.h"

#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/interface_steps.h"
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/robust.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wave::analysis::machine_fit {
namespace {

const PairClass& class_of(const PlaceFit& place, double size) {
  return *std::find_if(place.classes.begin(), place.classes.end() - 1,
                       [&](const PairClass& one) { return size <= one.to; });
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

// Of streams in windows, what is left without the answers, by what the fit has of single messages. False: there are
// none.
bool take_off_answers(std::vector<PairTime>& samples, const PlaceFit& place) {
  const double answer = class_of(place, answer_size).time_of({.size = answer_size}, place.servers);
  bool any = false;
  for (PairTime& one : samples) {
    if (one.window < 2) continue;
    one.share =
        WindowShare(one.window, class_of(place, one.size).end_of_window(one.size, one.pairs, place.servers), answer);
    one.time = one.share.gap_of(one.time);
    any = true;
  }
  return any;
}

// The measured times themselves, of which medians were fitted, are held against the fit. `left_out` were not fitted.
void set_aside(const PlaceFit& place, const std::vector<PairTime>& samples, const std::set<Key>& left_out,
               double deviation, std::vector<WildTime>& wild) {
  std::vector<double> expected, residuals;
  for (const PairTime& sample : samples) {
    expected.push_back(class_of(place, sample.size).time_of(sample, place.servers));
    const double rest = sample.share.rest;
    residuals.push_back(residual(sample.time + rest, expected.back() + rest, Noise::of_time));
  }
  const double noise = std::max(deviation, robust_deviation(residuals));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const PairTime& one = samples[i];
    if (std::abs(residuals[i]) <= most_deviations * noise && !left_out.contains(key_of(one))) continue;
    wild.push_back({one.stream ? "the next message" : "one message", one.size, one.share.printed_of(one.time),
                    one.share.printed_of(expected[i]), one.location,
                    frontend::counted(static_cast<std::size_t>(one.pairs), "pair")});
  }
}

// Levels from the inside out; what shares nothing comes last.
std::size_t order_of(const std::string& level) {
  return static_cast<std::size_t>(std::find(levels_of_fits.begin(), levels_of_fits.end(), level) -
                                  levels_of_fits.begin());
}

}  // namespace

bool PlaceFit::has_streams() const {
  return std::any_of(classes.begin(), classes.end(), [](const PairClass& one) { return one.has_streams; });
}

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
      // A window of one message has no next one.
      if (one.window != 1)
        by_order[order_of(one.place)].push_back({one.size, one.pairs, stream, one.time, one.location, one.window});
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
    double deviation = fit_classes(place, points);
    std::vector<PairTime> gaps = samples;
    if (take_off_answers(gaps, place)) {
      points = points_of(gaps);
      std::erase_if(points, [&](const PairTime& point) { return left_out.contains(key_of(point)); });
      deviation = fit_classes(place, points);
    }
    set_aside(place, gaps, left_out, deviation, fit.wild);
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
    note_filling(place, points, fit.notes);
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
