// See painter.h: lines and points, with bands and error bars.
#include "analysis/pictures/painter.h"

#include <utility>

namespace wave::analysis::pictures {

namespace {

constexpr double file_height = 360, page_height = 340;
constexpr std::size_t most_marked_points = 400;  // with more, lines have no marks
constexpr double tick_of_bar = 9;                // the length of the ends of error bars
constexpr const char* cross =
    "M-1-0.65 L-0.65-1 0-0.35 0.65-1 1-0.65 0.35 0 1 0.65 0.65 1 0 0.35-0.65 1-1 0.65-0.35 0Z";

const std::vector<std::string> shapes = {"circle",        "triangle-up", "square",         "diamond",
                                         "triangle-down", "cross",       "triangle-right", "triangle-left"};

// If two series have one colour, the second one has another mark, and gaps in its line.
std::size_t round_of(std::size_t series) { return series / light_colours.series.size(); }
const std::string& shape_of(std::size_t series) { return shapes[(series + round_of(series)) % shapes.size()]; }
const std::vector<std::vector<int>> dashes = {{1, 0}, {7, 4}};
static_assert(most_series <= 2 * light_colours.series.size(), "a kind of line for each round of colours");

nlohmann::ordered_json only(const char* filter) { return nlohmann::ordered_json::array({{{"filter", filter}}}); }

// Points whose range is a bar rather than a part of a band: measurements, and what has no neighbours on its line.
std::vector<bool> with_bar(const Plot& plot) {
  std::vector<std::size_t> counts(plot.series.size());
  for (const PlotPoint& point : plot.points) counts[point.series] += point.measured ? 0 : 1;
  std::vector<bool> bars;
  for (const PlotPoint& point : plot.points)
    bars.push_back(plot.kind == Plot::Kind::points || point.measured || counts[point.series] < 2);
  return bars;
}

}  // namespace

Painter::Json Painter::dash_channel() const {
  Json made{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
  Json range = Json::array();
  for (std::size_t i = 0; i < plot_.series.size(); ++i) range.push_back(dashes[round_of(i)]);
  made["scale"] = {{"domain", plot_.series}, {"range", range}};
  return made;
}

Painter::Json Painter::shape_channel() const {
  Json shape{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
  std::vector<std::string> range;
  for (std::size_t i = 0; i < plot_.series.size(); ++i) range.push_back(shape_of(i));
  shape["scale"] = {{"domain", plot_.series}, {"range", range}};
  if (plot_.by.empty()) shape["legend"] = nullptr;
  return shape;
}

Painter::Json Painter::values_of_lines() const {
  Json values = Json::array();
  const auto bars = with_bar(plot_);
  for (std::size_t i = 0; i < plot_.points.size(); ++i) {
    const PlotPoint& point = plot_.points[i];
    Json value{
        {"x", place(plot_.x, point.x)}, {"y", point.y}, {"s", plot_.series[point.series]}, {"m", point.measured}};
    if (point.has_range()) value.update({{"l", point.low}, {"h", point.high}, {"b", bool(bars[i])}});
    values.push_back(std::move(value));
  }
  return values;
}

// Bands lie below the lines.
void Painter::add_bands(Json& layers) const {
  layers.push_back({{"name", "bands"},
                    {"transform", only("isValid(datum.l) && !datum.b")},
                    {"mark", {{"type", "area"}, {"opacity", 0.2}}},
                    {"encoding", {{"y", end_of_range("l")}, {"y2", {{"field", "h"}}}, {"order", nullptr}}}});
}

// Bars lie below the crosses.
void Painter::add_bars(Json& layers) const {
  const Json colour = plot_.by.empty() ? Json{{"value", ink()}} : series_channel();
  const Json bars = only("isValid(datum.l) && datum.b");
  layers.push_back({{"name", "bars"},
                    {"transform", bars},
                    {"mark", {{"type", "rule"}, {"strokeWidth", 1.5}}},
                    {"encoding", {{"y", end_of_range("l")}, {"y2", {{"field", "h"}}}, {"color", colour}}}});
  for (const auto& [name, field] : {std::pair("low ends", "l"), std::pair("high ends", "h")}) {
    layers.push_back({{"name", name},
                      {"transform", bars},
                      {"mark", {{"type", "tick"}, {"orient", "horizontal"}, {"size", tick_of_bar}, {"thickness", 1.5}}},
                      {"encoding", {{"y", end_of_range(field)}, {"color", colour}}}});
  }
}

Painter::Json Painter::end_of_range(const char* field) const {
  return channel(field, plot_.y, &PlotPoint::y, drawn_height());
}

void Painter::add_lines(Json& layers) const {
  if (plot_.kind != Plot::Kind::lines) return;
  // The order of the points is that of the data.
  Json own{{"order", nullptr}};
  if (round_of(plot_.series.size() - 1) > 0) own["strokeDash"] = dash_channel();
  layers.push_back({{"name", "lines"},
                    {"transform", only("!datum.m")},
                    {"mark", {{"type", "line"}, {"strokeWidth", 2.25}}},
                    {"encoding", own}});
}

void Painter::add_marks(Json& layers) const {
  if (plot_.kind == Plot::Kind::points || plot_.points.size() <= most_marked_points) {
    layers.push_back({{"name", "predicted"},
                      {"transform", only("!datum.m")},
                      {"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}},
                      {"encoding", {{"shape", shape_channel()}}}});
  }
  if (!plot_.has_measurements()) return;
  layers.push_back({{"name", "measured"},
                    {"transform", only("datum.m")},
                    {"mark",
                     {{"type", "point"},
                      {"filled", true},
                      {"shape", cross},
                      {"size", 130},
                      {"opacity", 1},
                      {"stroke", ground()},
                      {"strokeWidth", 1}}}});
  if (plot_.by.empty()) layers.back()["encoding"]["color"] = {{"value", ink()}};
}

void Painter::paint_lines() {
  set_size(is_page_ ? page_height : file_height);
  spec_["data"]["values"] = values_of_lines();
  Json encoding;
  encoding["x"] = channel("x", plot_.x, &PlotPoint::x, drawn_width());
  encoding["y"] = channel("y", plot_.y, &PlotPoint::y, drawn_height());
  encoding["color"] = series_channel();
  encoding["tooltip"] = tooltip();
  spec_["encoding"] = std::move(encoding);
  Json layers = Json::array();
  const auto bars = with_bar(plot_);
  const auto has = [&](bool bar) {
    for (std::size_t i = 0; i < bars.size(); ++i) {
      if (plot_.points[i].has_range() && bars[i] == bar) return true;
    }
    return false;
  };
  if (has(false)) add_bands(layers);
  if (has(true)) add_bars(layers);
  add_lines(layers);
  add_marks(layers);
  spec_["layer"] = std::move(layers);
}

}  // namespace wave::analysis::pictures
