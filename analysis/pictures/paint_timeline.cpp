// See painter.h: timelines, with the phases of processes above their lanes and messages as arrows between these.
#include "analysis/pictures/painter.h"
#include "analysis/tables/table.h"

#include <algorithm>

namespace wave::analysis::pictures {

namespace {

constexpr double lane_height = 18, lane_height_with_phases = 26;
constexpr double phase_height = 4;  // of the strip above a lane, in pixels

// Pixels from the middle of a lane up to the middle of its strip.
constexpr const char* above_lane = "-bandwidth('y') / 2 - 3";

// Where the arrow of a message points, in degrees clockwise from the right, at every zoom.
constexpr const char* direction =
    "atan2(scale('y', datum.t) - scale('y', datum.y), scale('x', datum.e) - scale('x', datum.x)) * 180 / PI";

// Waiting is fainter than what a process is busy with.
double opacity_of(const std::string& activity) { return activity.starts_with("wait") ? 0.5 : 1; }

nlohmann::ordered_json end_along(const char* field) { return {{"field", field}}; }

}  // namespace

// With the name of each in the field `named`.
Painter::Json Painter::values_of_slices(const std::vector<PlotPoint>& slices, const std::vector<std::string>& names,
                                        const char* named) const {
  Json values = Json::array();
  for (const PlotPoint& slice : slices)
    values.push_back(
        {{"x", slice.x}, {"e", slice.value}, {"y", place(plot_.y, slice.y)}, {named, names[slice.series]}});
  return values;
}

Painter::Json Painter::opacity_channel() const {
  Json opacities = Json::array();
  for (const std::string& name : plot_.series) opacities.push_back(opacity_of(name));
  Json made{{"field", "s"}, {"type", "ordinal"}, {"title", plot_.by}, {"sort", nullptr}};
  made["scale"] = {{"type", "ordinal"}, {"domain", plot_.series}, {"range", opacities}};
  return made;
}

void Painter::add_phases(Json& layers) const {
  if (plot_.phases.empty()) return;
  Json colours = Json::array();
  for (std::size_t i = 0; i < plot_.phases.size(); ++i) colours.push_back(ramp_colour(i, plot_.phases.size()));
  // A field of its own: Vega-Lite joins legends of one field.
  Json fill{{"field", "p"}, {"type", "nominal"}, {"title", "phase"}, {"sort", nullptr}};
  fill["scale"] = {{"domain", plot_.phases}, {"range", colours}};
  layers.push_back(
      {{"name", "phases"},
       {"data", {{"values", values_of_slices(plot_.in_phase, plot_.phases, "p")}}},
       {"mark", {{"type", "bar"}, {"clip", true}, {"height", phase_height}, {"yOffset", {{"expr", above_lane}}}}},
       {"encoding", {{"x2", end_along("e")}, {"fill", fill}}}});
}

void Painter::add_arrows(Json& layers) const {
  if (plot_.arrows.empty()) return;
  Json values = Json::array();
  for (const PlotArrow& arrow : plot_.arrows) {
    values.push_back({{"x", arrow.begin},
                      {"e", arrow.end},
                      {"y", plot_.y.categories[arrow.from]},
                      {"t", plot_.y.categories[arrow.to]}});
  }
  const Json data{{"values", std::move(values)}};
  layers.push_back(
      {{"name", "messages"},
       {"data", data},
       {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1}, {"color", ink()}, {"opacity", 0.8}}},
       {"encoding", {{"x2", end_along("e")}, {"y2", end_along("t")}}}});
  Json at = lanes(0, 0);
  at.erase("scale");
  at.erase("axis");
  at["field"] = "t";
  layers.push_back({{"name", "heads of messages"},
                    {"data", data},
                    {"mark",
                     {{"type", "point"},
                      {"clip", true},
                      {"filled", true},
                      {"shape", "M0,0L-2.4,-0.9L-2.4,0.9Z"},
                      {"size", 30},
                      {"opacity", 1},
                      {"color", ink()}}},
                    {"encoding",
                     {{"x", {{"field", "e"}, {"type", "quantitative"}}},
                      {"y", at},
                      {"angle", {{"value", {{"expr", direction}}}}}}}});
}

void Painter::paint_timeline() {
  const double lane = plot_.phases.empty() ? lane_height : lane_height_with_phases;
  set_size(std::max(scaled(lane), lane) * static_cast<double>(plot_.y.categories.size()));
  spec_["data"]["values"] = values_of_slices(plot_.points, plot_.series, "s");
  Json along{{"field", "x"}, {"type", "quantitative"}};
  along["scale"] = {{"nice", false}, {"domain", {0, span_of(plot_, &PlotPoint::value).most}}};
  along["axis"] = plain_axis(heading(plot_.x.label.empty() ? "time" : plot_.x.label, plot_.x.unit), 8);
  spec_["encoding"] = {{"x", along}, {"y", plot_.phases.empty() ? lanes(0.15, 0.1) : lanes(0.4, 0.3)}};
  Json layers = Json::array();
  // The wheel and the pointer zoom and move along the time.
  const Json zoom = {{{"name", "zoom"}, {"select", {{"type", "interval"}, {"encodings", {"x"}}}}, {"bind", "scales"}}};
  layers.push_back({{"name", "slices"},
                    {"params", zoom},
                    {"mark", {{"type", "bar"}, {"clip", true}}},
                    {"encoding",
                     {{"x2", end_along("e")},
                      {"color", series_channel()},
                      {"opacity", opacity_channel()},
                      {"tooltip", tooltip()}}}});
  add_phases(layers);
  add_arrows(layers);
  spec_["layer"] = std::move(layers);
}

}  // namespace wave::analysis::pictures
