// See timeline_plot.h.
#include "analysis/pictures/timeline_plot.h"

#include "analysis/pictures/timeline_slices.h"
#include "backend/interpreter/inspection.h"
#include "backend/processes/path/resource_names.h"
#include "backend/processes/path/timeline.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace wave::analysis::pictures {

namespace {

using backend::processes::Slice;
using backend::processes::Timeline;

constexpr std::size_t most_slices_recorded = 1'000'000;
constexpr std::size_t most_slices_drawn = 6000;
constexpr std::size_t most_arrows = 2000;

// In this order activities have their colours. Others follow.
constexpr std::array<std::string_view, 8> activities{"compute",       "overhead",
                                                     "wait for data", "wait for the other end",
                                                     "gap",           "wait for the network",
                                                     "collective",    "wait for a collective"};

std::size_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  const auto number = static_cast<std::size_t>(found - names.begin());
  if (found == names.end()) names.push_back(name);
  return number;
}

// Makes a plot of a recorded timeline.
class TimelinePlotter {
 public:
  TimelinePlotter(const backend::processes::ProgramInput& input, const Timeline& timeline,
                  const std::vector<std::int64_t>& ranks)
      : input_(input), timeline_(timeline), ranks_(ranks) {}

  Plot make(const std::string& process) {
    for (const Slice& slice : timeline_.slices) end_ = std::max(end_, slice.end);
    scale_ = frontend::readable_scale(frontend::Dimension{1, 0, 0}, {end_});
    plot_.kind = Plot::Kind::timeline;
    plot_.title = "What " + process + " does when";
    plot_.by = "what";
    plot_.y.name = "process";
    plot_.x.name = "begin";
    plot_.value.name = "end";
    plot_.x.unit = plot_.value.unit = scale_.unit;
    for (const std::int64_t rank : ranks_) plot_.y.categories.push_back(process_name(input_, rank));
    add_slices();
    sort_series();
    add_arrows();
    if (const std::int64_t all = input_.places.count(); static_cast<std::int64_t>(ranks_.size()) < all)
      plot_.notes.push_back(fmt::format("{} of {} processes", ranks_.size(), all));
    plot_.words = describe(plot_);
    return std::move(plot_);
  }

 private:
  std::size_t lane_of(std::uint32_t rank) const {
    return static_cast<std::size_t>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
  }

  void add_slices() {
    std::vector<std::vector<const Slice*>> lanes(ranks_.size());
    for (const Slice& slice : timeline_.slices) lanes[lane_of(slice.process)].push_back(&slice);
    const double shortest = end_ * static_cast<double>(lanes.size()) / static_cast<double>(most_slices_drawn);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const auto add = [&](std::vector<PlotPoint>& to, std::vector<std::string>& names, std::vector<ShownSlice> shown) {
        for (const ShownSlice& one : merged(std::move(shown), shortest)) {
          to.push_back({scale_.shown(one.begin), static_cast<double>(lane), scale_.shown(one.end),
                        number_of(names, one.name), false});
        }
      };
      add(plot_.points, plot_.series, activities_of(lanes[lane]));
      add(plot_.in_phase, plot_.phases, phases_of(lanes[lane], input_.process));
    }
    if (plot_.phases.size() <= most_series) return;
    plot_.notes.push_back(fmt::format("{} phases, too many to tell apart: not drawn", plot_.phases.size()));
    plot_.phases.clear();
    plot_.in_phase.clear();
  }

  // One activity has one colour and one place in the legend, whichever comes first.
  void sort_series() {
    std::vector<std::size_t> order(plot_.series.size()), place(order.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto colour = [&](std::size_t i) {
      const auto found = std::find(activities.begin(), activities.end(), plot_.series[i]);
      return static_cast<std::size_t>(found - activities.begin());
    };
    std::ranges::stable_sort(order, {}, colour);
    std::vector<std::string> names;
    for (const std::size_t i : order) {
      place[i] = names.size();
      names.push_back(plot_.series[i]);
      plot_.colours.push_back(colour(i));
    }
    plot_.series = std::move(names);
    for (PlotPoint& point : plot_.points) point.series = place[point.series];
  }

  void add_arrows() {
    for (const auto& arrow : timeline_.arrows) {
      const std::size_t from = lane_of(timeline_.slices[arrow.from].process),
                        to = lane_of(timeline_.slices[arrow.to].process);
      if (from != to) plot_.arrows.push_back({scale_.shown(arrow.begin), scale_.shown(arrow.end), from, to});
    }
    if (plot_.arrows.size() <= most_arrows) return;
    plot_.notes.push_back(fmt::format("{} messages, too many for arrows", frontend::grouped(plot_.arrows.size())));
    plot_.arrows.clear();
  }

  const backend::processes::ProgramInput& input_;
  const Timeline& timeline_;
  const std::vector<std::int64_t>& ranks_;
  Plot plot_;
  frontend::Scale scale_;
  double end_ = 0;  // ps
};

}  // namespace

Plot plot_timeline(const backend::processes::ProgramInput& input, const std::string& process,
                   const std::vector<std::int64_t>& ranks) {
  std::vector<std::int64_t> shown = ranks;
  if (shown.empty()) {
    shown.resize(static_cast<std::size_t>(std::min(input.places.count(), most_lanes)));
    std::iota(shown.begin(), shown.end(), std::int64_t{0});
  }
  const auto timeline = record_timeline(input, [&](std::uint32_t rank, std::size_t slices) {
    if (slices > most_slices_recorded) throw TimelineTooLong{};
    return std::binary_search(shown.begin(), shown.end(), static_cast<std::int64_t>(rank));
  });
  return TimelinePlotter(input, timeline, shown).make(process);
}

std::optional<Plot> plot_process(const frontend::Lowered& lowered, const frontend::ProcessInfo& process,
                                 const std::vector<std::int64_t>& ranks, const backend::Limits& limits,
                                 frontend::Diagnostics& diagnostics,
                                 const std::function<bool(std::int64_t processes)>& is_wanted) {
  std::optional<Plot> plot;
  try {
    const auto failed =
        backend::inspect_process(lowered.system, {}, limits, process.process, [&](backend::processes::Run& run) {
          if (is_wanted && !is_wanted(run.places().count())) return;
          run.use_program(
              [&](const backend::processes::ProgramInput& input) { plot = plot_timeline(input, process.name, ranks); });
        });
    if (failed) report(lowered.system, lowered.words, lowered.notes, *failed, diagnostics);
    if (failed) plot.reset();
  } catch (const TimelineTooLong&) {
    diagnostics
        .add(frontend::DiagnosticKind::trace_too_long, process.location,
             "`" + process.name + "` does too much for a timeline", "this process")
        .help.push_back("a timeline is for small grids and few tiles: make them smaller, or show fewer processes");
  }
  return plot;
}

Plot times_of_timeline(const Plot& timeline) {
  Plot bars = timeline;
  bars.kind = Plot::Kind::bars;
  bars.x.name = "time";
  bars.value = {};
  bars.points.clear();
  bars.in_phase.clear();
  bars.phases.clear();
  bars.arrows.clear();
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
