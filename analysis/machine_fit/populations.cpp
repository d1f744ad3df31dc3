// Whatever line is fitted to two files, their residuals at one size differ by the ratio of their times there. So the
// times are compared directly, between two measured sizes on the straight line, and no fit is needed. See
// timings.h.
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/segments.h"
#include "analysis/machine_fit/timings.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::analysis::machine_fit {
namespace {

// The times of one file for one number of processes.
struct Curve {
  std::uint32_t file = 0;
  frontend::Location location;       // of the first of them
  std::vector<TimedSize> medians{};  // by size
};

std::vector<Curve> curves_of(const Series& series, int processes) {
  std::map<std::uint32_t, std::map<double, std::vector<double>>> times;
  std::vector<Curve> curves;
  for (const auto& one : series.samples) {
    if (one.processes != processes) continue;
    if (!times.contains(one.location.file)) curves.push_back({one.location.file, one.location});
    times[one.location.file][one.size].push_back(one.time);
  }
  for (auto& curve : curves) {
    for (auto& [size, values] : times[curve.file]) curve.medians.push_back({size, median(std::move(values)), 0});
  }
  return curves;
}

// The logarithms of the ratios of the times in two files, at the sizes of the first that lie within those of the
// second.
std::vector<double> ratios_of(const Curve& a, const Curve& b) {
  std::vector<double> ratios;
  for (const auto& point : a.medians) {
    const auto above = std::lower_bound(b.medians.begin(), b.medians.end(), point.size,
                                        [](const TimedSize& one, double size) { return one.size < size; });
    if (above == b.medians.end() || (above == b.medians.begin() && above->size > point.size)) continue;
    double time = above->time;
    if (above->size > point.size) {
      const TimedSize& below = *std::prev(above);
      time = below.time + (time - below.time) * (point.size - below.size) / (above->size - below.size);
    }
    ratios.push_back(std::log(point.time / time));
  }
  return ratios;
}

struct Apart {
  std::size_t sizes = 0, of = 0;
  double ratio = 1;  // above 1: the first file's times are the longer ones
};

// Nothing if the two may be of one kind. Noise does not lie on one side only.
std::optional<Apart> hold_against(const Curve& a, const Curve& b) {
  constexpr double noticeable = 1.25;
  const std::vector<double> ratios = ratios_of(a, b);
  if (ratios.size() < fewest_sizes) return std::nullopt;
  const auto beyond = [&](double sign) {
    return static_cast<std::size_t>(
        std::count_if(ratios.begin(), ratios.end(), [&](double r) { return sign * r > std::log(noticeable); }));
  };
  const std::size_t longer = beyond(1), shorter = beyond(-1), most = std::max(longer, shorter);
  if (2 * most < ratios.size()) return std::nullopt;
  std::vector<double> those;
  for (const double r : ratios) {
    if ((longer >= shorter ? r : -r) > std::log(noticeable)) those.push_back(r);
  }
  return Apart{most, ratios.size(), std::exp(median(std::move(those)))};
}

std::string names_of(const std::vector<const Curve*>& population, const frontend::Sources& sources) {
  std::vector<std::string> names;
  for (const auto* one : population) names.push_back(fmt::format("`{}`", sources.name(one->file)));
  return join_texts(names, ", ");
}

void warn(const std::vector<std::vector<const Curve*>>& populations, Tool tool, const frontend::Sources& sources,
          frontend::Diagnostics& diagnostics) {
  const Curve& first = *populations[0].front();
  auto& d = diagnostics.add(frontend::DiagnosticKind::mixed_benchmarks, first.location,
                            fmt::format("the times of {} lie apart from those of {}", names_of(populations[0], sources),
                                        names_of(populations[1], sources)),
                            "measured here", frontend::Severity::warning);
  for (std::size_t k = 1; k < populations.size(); ++k) {
    const Curve& other = *populations[k].front();
    const auto apart = hold_against(other, first);
    if (!apart) continue;
    d.labels.push_back({other.location, "and here"});
    const bool is_longer = apart->ratio > 1;
    d.notes.push_back(fmt::format("at {} of {} sizes a time in {} is {:.2g} times that in {}", apart->sizes, apart->of,
                                  names_of({is_longer ? &other : &first}, sources),
                                  is_longer ? apart->ratio : 1 / apart->ratio,
                                  names_of({is_longer ? &first : &other}, sources)));
  }
  d.notes.push_back("one line is fitted to all of them, and describes none");
  for (const auto& population : populations) {
    std::string files;
    for (const auto* one : population) files += " " + sources.name(one->file);
    d.help.push_back(fmt::format("fit a machine to what was measured alike: `wave fit {}{}`", name_of(tool), files));
  }
}

}  // namespace

void warn_of_populations(const Timings& timings, Tool tool, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics) {
  for (const auto& series : timings.series) {
    std::vector<int> counts;
    for (const auto& sample : series.samples) counts.push_back(sample.processes);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    for (const int processes : counts) {
      const std::vector<Curve> curves = curves_of(series, processes);
      std::vector<std::vector<const Curve*>> populations;
      for (const auto& curve : curves) {
        const auto own = std::find_if(populations.begin(), populations.end(),
                                      [&](const auto& one) { return !hold_against(curve, *one.front()); });
        if (own != populations.end())
          own->push_back(&curve);
        else
          populations.push_back({&curve});
      }
      if (populations.size() < 2) continue;
      warn(populations, tool, sources, diagnostics);
      return;  // the other pairs would say the same about the same files
    }
  }
}

}  // namespace wave::analysis::machine_fit
