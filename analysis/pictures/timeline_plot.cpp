// See timeline_plot.h.
#include "analysis/pictures/timeline_plot.h"

#include "backend/processes/path/resource_names.h"
#include "backend/processes/path/timeline.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wave::analysis::pictures {

namespace {

using backend::processes::Slice;

constexpr std::int64_t most_lanes = 32;
constexpr std::size_t most_slices_recorded = 1'000'000;
constexpr std::size_t most_slices_drawn = 6000;

struct ShownSlice {
  double begin = 0, end = 0;  // ps
  std::string kind;
};

// Slices stand inside each other, the outer one first. What is seen at each time is the innermost.
class Innermost {
 public:
  std::vector<ShownSlice> of(const std::vector<const Slice*>& slices) {
    for (const Slice* const slice : slices) {
      close(slice->begin);
      show(slice->begin);
      open_.push_back(slice);
    }
    close(std::numeric_limits<double>::infinity());
    return std::move(spans_);
  }

 private:
  void show(double until) {
    if (!open_.empty() && until > at_ && open_.back()->kind != Slice::Kind::phase)
      spans_.push_back({at_, until, slice_kind(*open_.back())});
    at_ = std::max(at_, until);
  }
  void close(double until) {
    while (!open_.empty() && open_.back()->end <= until) {
      show(open_.back()->end);
      open_.pop_back();
    }
  }

  std::vector<const Slice*> open_;
  std::vector<ShownSlice> spans_;
  double at_ = 0;
};

// Neighbours of one kind are one. So are neighbours that are shorter than can be seen.
std::vector<ShownSlice> merged(const std::vector<ShownSlice>& spans, double shortest) {
  std::vector<ShownSlice> result;
  for (const ShownSlice& span : spans) {
    const bool touches = !result.empty() && span.begin == result.back().end;
    const bool is_alike = touches && span.kind == result.back().kind;
    const bool is_unseen = !result.empty() && span.end - result.back().begin < shortest;
    if (is_alike || is_unseen)
      result.back().end = span.end;
    else
      result.push_back(span);
  }
  return result;
}

std::size_t number_of(std::vector<std::string>& series, const std::string& kind) {
  const auto found = std::find(series.begin(), series.end(), kind);
  const auto number = static_cast<std::size_t>(found - series.begin());
  if (found == series.end()) series.push_back(kind);
  return number;
}

}  // namespace

Plot plot_timeline(const backend::processes::ProgramInput& input, const std::string& process) {
  const std::int64_t all = input.places.count(), shown = std::min(all, most_lanes);
  const auto timeline = record_timeline(input, [&](std::uint32_t rank, std::size_t slices) {
    if (slices > most_slices_recorded) throw TimelineTooLong{};
    return static_cast<std::int64_t>(rank) < shown;
  });
  std::vector<std::vector<const Slice*>> lanes(static_cast<std::size_t>(shown));
  double end = 0;
  for (const Slice& slice : timeline.slices) {
    lanes[slice.process].push_back(&slice);
    end = std::max(end, slice.end);
  }
  Plot plot;
  plot.kind = Plot::Kind::timeline;
  plot.title = "What " + process + " does when";
  plot.by = "what";
  plot.y.name = "process";
  const auto scale = frontend::readable_scale(frontend::Dimension{1, 0, 0}, {end});
  plot.x.name = "begin";
  plot.value.name = "end";
  plot.x.unit = plot.value.unit = scale.unit;
  const double shortest = end * static_cast<double>(shown) / static_cast<double>(most_slices_drawn);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    plot.y.categories.push_back(process_name(input, static_cast<std::int64_t>(lane)));
    for (const ShownSlice& span : merged(Innermost().of(lanes[lane]), shortest)) {
      plot.points.push_back({scale.shown(span.begin), static_cast<double>(lane), scale.shown(span.end),
                             number_of(plot.series, span.kind), false});
    }
  }
  if (shown < all) plot.notes.push_back(fmt::format("the first {} of {} processes", shown, all));
  plot.words = describe(plot);
  return plot;
}

Plot times_of_timeline(const Plot& timeline) {
  Plot bars = timeline;
  bars.kind = Plot::Kind::bars;
  bars.x.name = "time";
  bars.value = {};
  bars.points.clear();
  std::vector<double> sums(timeline.y.categories.size() * timeline.series.size());
  for (const PlotPoint& point : timeline.points)
    sums[static_cast<std::size_t>(point.y) * timeline.series.size() + point.series] += point.value - point.x;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t lane = i / timeline.series.size(), series = i % timeline.series.size();
    if (sums[i] > 0) bars.points.push_back({sums[i], static_cast<double>(lane), 0, series, false});
  }
  return bars;
}

}  // namespace wave::analysis::pictures
