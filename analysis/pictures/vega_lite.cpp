// See vega_lite.h.
#include "analysis/pictures/vega_lite.h"

#include "analysis/tables/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

using nlohmann::ordered_json;

constexpr int file_width = 640, file_height = 360, page_height = 340;
constexpr int bar_height = 34, lane_height = 18;
constexpr std::size_t steps_of_ramp = most_series;
constexpr std::size_t most_marked_points = 400;  // with more, lines have no marks
constexpr std::size_t most_written_cells = 200;  // with more, the cells of a heat map have no numbers

const std::vector<std::string> shapes = {"circle",        "triangle-up", "square",         "diamond",
                                         "triangle-down", "cross",       "triangle-right", "triangle-left"};

// If two series have one colour, the second one has another mark, and gaps in its line.
std::size_t round_of(std::size_t series) { return series / light_colours.series.size(); }
const std::string& shape_of(std::size_t series) { return shapes[(series + round_of(series)) % shapes.size()]; }
const std::vector<std::vector<int>> dashes = {{1, 0}, {7, 4}};
static_assert(most_series <= 2 * light_colours.series.size(), "a kind of line for each round of colours");

// Writes numbers at axes as `tick_text` does.
constexpr const char* label_of_number =
    "datum.value != 0 && (abs(datum.value) >= 1e6 || abs(datum.value) < 1e-4) ? replace(format(datum.value, '.3~e'), "
    "'e+', 'e') : format(datum.value, '.5~r')";

class Painter {
 public:
  Painter(const Plot& plot, Medium medium)
      : plot_(plot), is_page_(medium != Medium::file), fits_(medium == Medium::page) {}

  std::string paint() {
    spec_["$schema"] = "https://vega.github.io/schema/vega-lite/v6.json";
    spec_["description"] = plot_.words;
    if (!is_page_) add_title();
    if (fits_) spec_["width"] = "container";
    spec_["autosize"] = {{"type", fits_ ? "fit-x" : "pad"}, {"contains", "padding"}};
    switch (plot_.kind) {
      case Plot::Kind::lines:
      case Plot::Kind::points: paint_lines(); break;
      case Plot::Kind::bars: paint_bars(); break;
      case Plot::Kind::heat_map: paint_heat_map(); break;
      case Plot::Kind::timeline: paint_timeline(); break;
    }
    spec_["config"] = config();
    // Bytes of a name that are no UTF-8 become marks of replacement.
    return spec_.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }

 private:
  std::string ink() const { return is_page_ ? "var(--ink)" : light_colours.ink; }
  std::string faint() const { return is_page_ ? "var(--faint)" : light_colours.faint; }
  std::string ground() const { return is_page_ ? "var(--ground)" : light_colours.ground; }

  ordered_json colours() const {
    ordered_json range = ordered_json::array();
    const std::size_t count = plot_.series.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (plot_.series_are_ordered && count > 2) {
        const double part = static_cast<double>(i) / static_cast<double>(count - 1);
        const auto step = static_cast<std::size_t>(std::lround(part * (steps_of_ramp - 1)));
        range.push_back(is_page_ ? fmt::format("var(--ramp-{})", step) : between(light_colours, part));
      } else {
        const std::size_t number = i % light_colours.series.size();
        range.push_back(is_page_ ? fmt::format("var(--series-{})", number + 1)
                                 : std::string(light_colours.series[number]));
      }
    }
    return range;
  }

  void add_title() {
    spec_["title"]["text"] = plot_.title;
    std::vector<std::string> below;
    if (const std::string key = key_to_signs(plot_); !key.empty()) below.push_back(key);
    below.insert(below.end(), plot_.notes.begin(), plot_.notes.end());
    if (!below.empty()) spec_["title"]["subtitle"] = below;
  }

  ordered_json axis(const PlotAxis& axis, double PlotPoint::* coordinate, std::size_t wanted) const {
    ordered_json made;
    made["title"] = axis.title();
    if (axis.is_category()) return made;
    if (const auto ticks = axis_ticks(plot_, axis, coordinate, wanted); ticks.size() >= 2) made["values"] = ticks;
    made["labelExpr"] = label_of_number;
    made["labelOverlap"] = "greedy";
    return made;
  }

  ordered_json channel(const char* field, const PlotAxis& one, double PlotPoint::* coordinate,
                       std::size_t wanted) const {
    ordered_json made{{"field", field}, {"type", one.is_category() ? "nominal" : "quantitative"}};
    made["axis"] = axis(one, coordinate, wanted);
    if (one.is_category()) {
      made["scale"]["domain"] = one.categories;
      made["sort"] = nullptr;
      return made;
    }
    const AxisSpan span = span_of(plot_, coordinate);
    made["scale"]["type"] = one.is_log ? "log" : "linear";
    made["scale"]["nice"] = false;
    if (!one.is_log) made["scale"]["zero"] = shows_zero(one, coordinate, span);
    if (one.is_log) made["scale"]["domain"] = {span.least == span.most ? span.least / 2 : span.least, span.most};
    return made;
  }

  ordered_json place(const PlotAxis& axis, double value) const {
    if (!axis.is_category()) return value;
    return axis.categories.at(static_cast<std::size_t>(value));
  }

  ordered_json series_channel() const {
    ordered_json made{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
    made["scale"] = {{"domain", plot_.series}, {"range", colours()}};
    if (plot_.by.empty()) made["legend"] = nullptr;
    return made;
  }

  ordered_json dash_channel() const {
    ordered_json made{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
    ordered_json range = ordered_json::array();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) range.push_back(dashes[round_of(i)]);
    made["scale"] = {{"domain", plot_.series}, {"range", range}};
    return made;
  }

  ordered_json tooltip() const {
    ordered_json lines = ordered_json::array();
    if (!plot_.by.empty()) lines.push_back({{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}});
    const auto add = [&](const char* field, const PlotAxis& axis) {
      lines.push_back({{"field", field}, {"type", "nominal"}, {"title", axis.title()}});
    };
    add("x", plot_.x);
    add("y", plot_.y);
    if (plot_.kind == Plot::Kind::heat_map) add("v", plot_.value);
    if (plot_.kind == Plot::Kind::timeline) add("e", plot_.value);
    return lines;
  }

  void paint_lines() {
    spec_["height"] = is_page_ ? page_height : file_height;
    if (!fits_) spec_["width"] = file_width;
    ordered_json values = ordered_json::array();
    for (const PlotPoint& point : plot_.points) {
      values.push_back(
          {{"x", place(plot_.x, point.x)}, {"y", point.y}, {"s", plot_.series[point.series]}, {"m", point.measured}});
    }
    spec_["data"]["values"] = std::move(values);
    ordered_json encoding;
    encoding["x"] = channel("x", plot_.x, &PlotPoint::x, 10);
    encoding["y"] = channel("y", plot_.y, &PlotPoint::y, 8);
    encoding["color"] = series_channel();
    encoding["tooltip"] = tooltip();
    spec_["encoding"] = std::move(encoding);
    const auto only = [](bool measured) {
      return ordered_json::array({{{"filter", measured ? "datum.m" : "!datum.m"}}});
    };
    ordered_json layers = ordered_json::array();
    const bool has_marks = plot_.kind == Plot::Kind::points || plot_.points.size() <= most_marked_points;
    if (plot_.kind == Plot::Kind::lines) {
      // The order of the points is that of the data.
      ordered_json own{{"order", nullptr}};
      if (round_of(plot_.series.size() - 1) > 0) own["strokeDash"] = dash_channel();
      layers.push_back({{"name", "lines"},
                        {"transform", only(false)},
                        {"mark", {{"type", "line"}, {"strokeWidth", 2.25}}},
                        {"encoding", own}});
    }
    if (has_marks) {
      ordered_json shape{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
      std::vector<std::string> range;
      for (std::size_t i = 0; i < plot_.series.size(); ++i) range.push_back(shape_of(i));
      shape["scale"] = {{"domain", plot_.series}, {"range", range}};
      if (plot_.by.empty()) shape["legend"] = nullptr;
      layers.push_back({{"name", "predicted"},
                        {"transform", only(false)},
                        {"mark", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}},
                        {"encoding", {{"shape", shape}}}});
    }
    if (plot_.has_measurements()) {
      layers.push_back(
          {{"name", "measured"},
           {"transform", only(true)},
           {"mark",
            {{"type", "point"},
             {"filled", true},
             {"shape", "M-1-0.65 L-0.65-1 0-0.35 0.65-1 1-0.65 0.35 0 1 0.65 0.65 1 0 0.35-0.65 1-1 0.65-0.35 0Z"},
             {"size", 130},
             {"opacity", 1},
             {"stroke", ground()},
             {"strokeWidth", 1}}}});
      if (plot_.by.empty()) layers.back()["encoding"]["color"] = {{"value", ink()}};
    }
    spec_["layer"] = std::move(layers);
  }

  void paint_bars() {
    spec_["height"] = bar_height * static_cast<int>(plot_.y.categories.size());
    if (!fits_) spec_["width"] = file_width;
    ordered_json values = ordered_json::array();
    for (const PlotPoint& point : plot_.points) {
      values.push_back(
          {{"x", point.x}, {"y", place(plot_.y, point.y)}, {"s", plot_.series[point.series]}, {"o", point.series}});
    }
    spec_["data"]["values"] = std::move(values);
    ordered_json along{{"field", "x"}, {"type", "quantitative"}, {"stack", "zero"}};
    along["axis"] = {
        {"title", plot_.x.title()}, {"labelExpr", label_of_number}, {"labelOverlap", "greedy"}, {"tickCount", 6}};
    ordered_json bar{{"field", "y"}, {"type", "nominal"}, {"sort", nullptr}};
    bar["scale"] = {{"domain", plot_.y.categories}, {"paddingInner", 0.25}, {"paddingOuter", 0.15}};
    bar["axis"] = {{"title", nullptr}, {"labelLimit", 160}, {"ticks", false}, {"domain", false}, {"grid", false}};
    ordered_json encoding{{"x", along}, {"y", bar}, {"color", series_channel()}};
    encoding["order"] = {{"field", "o"}, {"type", "quantitative"}};
    encoding["tooltip"] = tooltip();
    spec_["encoding"] = std::move(encoding);
    spec_["mark"] = {{"type", "bar"}, {"stroke", ground()}, {"strokeWidth", 1}};
  }

  void paint_timeline() {
    spec_["height"] = lane_height * static_cast<int>(plot_.y.categories.size());
    if (!fits_) spec_["width"] = file_width;
    ordered_json values = ordered_json::array();
    for (const PlotPoint& point : plot_.points) {
      values.push_back(
          {{"x", point.x}, {"e", point.value}, {"y", place(plot_.y, point.y)}, {"s", plot_.series[point.series]}});
    }
    spec_["data"]["values"] = std::move(values);
    // The wheel and the pointer zoom and move along the time.
    spec_["params"] = {
        {{"name", "zoom"}, {"select", {{"type", "interval"}, {"encodings", {"x"}}}}, {"bind", "scales"}}};
    ordered_json along{{"field", "x"}, {"type", "quantitative"}};
    along["scale"] = {{"nice", false}, {"domain", {0, span_of(plot_, &PlotPoint::value).most}}};
    along["axis"] = {{"title", heading("time", plot_.x.unit)},
                     {"labelExpr", label_of_number},
                     {"labelOverlap", "greedy"},
                     {"tickCount", 8}};
    ordered_json lane{{"field", "y"}, {"type", "nominal"}, {"sort", nullptr}};
    lane["scale"] = {{"domain", plot_.y.categories}, {"paddingInner", 0.15}, {"paddingOuter", 0.1}};
    lane["axis"] = {{"title", nullptr}, {"labelLimit", 160}, {"ticks", false}, {"domain", false}, {"grid", false}};
    ordered_json encoding{{"x", along}, {"x2", {{"field", "e"}}}, {"y", lane}, {"color", series_channel()}};
    encoding["tooltip"] = tooltip();
    spec_["encoding"] = std::move(encoding);
    spec_["mark"] = {{"type", "bar"}, {"clip", true}};
  }

  void paint_heat_map() {
    const auto rows = static_cast<int>(plot_.y.categories.size());
    spec_["height"] = std::clamp(rows * 30, 120, 480);
    if (!fits_) spec_["width"] = file_width;
    ordered_json values = ordered_json::array();
    for (const PlotPoint& point : plot_.points) {
      values.push_back({{"x", place(plot_.x, point.x)},
                        {"y", place(plot_.y, point.y)},
                        {"v", point.value},
                        {"t", tick_text(point.value)}});
    }
    spec_["data"]["values"] = std::move(values);
    const auto side = [](const char* field, const PlotAxis& axis, std::vector<std::string> domain) {
      ordered_json made{{"field", field}, {"type", "ordinal"}, {"sort", nullptr}};
      made["scale"]["domain"] = std::move(domain);
      made["axis"] = {{"title", axis.title()}, {"labelAngle", 0}, {"labelOverlap", "greedy"},
                      {"grid", false},         {"ticks", false},  {"domain", false}};
      return made;
    };
    std::vector<std::string> from_above(plot_.y.categories.rbegin(), plot_.y.categories.rend());
    spec_["encoding"] = {
        {"x", side("x", plot_.x, plot_.x.categories)}, {"y", side("y", plot_.y, from_above)}, {"tooltip", tooltip()}};
    const AxisSpan span = span_of(plot_, &PlotPoint::value);
    ordered_json colour{{"field", "v"}, {"type", "quantitative"}, {"title", plot_.value.title()}};
    colour["scale"] = {{"type", plot_.value.is_log ? "log" : "linear"}, {"scheme", "viridis"}, {"nice", false}};
    if (span.most > span.least)
      colour["scale"]["domain"] = {span.least, span.most};
    else if (!plot_.value.is_log)
      colour["scale"]["zero"] = true;
    colour["legend"] = {
        {"labelExpr", label_of_number}, {"gradientLength", 220}, {"gradientThickness", 12}, {"labelOverlap", "greedy"}};
    if (const auto ticks = axis_ticks(plot_, plot_.value, &PlotPoint::value, 5); ticks.size() >= 2)
      colour["legend"]["values"] = ticks;
    ordered_json layers = ordered_json::array();
    layers.push_back({{"name", "cells"},
                      {"mark", {{"type", "rect"}, {"stroke", ground()}, {"strokeWidth", 1}}},
                      {"encoding", {{"color", colour}}}});
    if (plot_.points.size() <= most_written_cells && plot_.x.categories.size() <= 14) {
      const double middle = plot_.value.is_log ? std::sqrt(span.least * span.most) : (span.least + span.most) / 2;
      // Viridis is dark below its middle.
      ordered_json ink{{"value", "#ffffff"}};
      ink["condition"] = {{"test", fmt::format("datum.v > {}", middle)}, {"value", "#000000"}};
      layers.push_back({{"name", "numbers"},
                        {"mark", {{"type", "text"}, {"fontSize", 11}}},
                        {"encoding", {{"text", {{"field", "t"}, {"type", "nominal"}}}, {"color", ink}}}});
    }
    spec_["layer"] = std::move(layers);
  }

  ordered_json config() const {
    ordered_json made;
    made["background"] = is_page_ ? "transparent" : light_colours.ground;
    made["font"] = is_page_ ? "system-ui, sans-serif" : "DejaVu Sans, Liberation Sans, Helvetica, Arial, sans-serif";
    made["aria"] = false;  // the picture is one image with words of its own
    made["view"] = {{"stroke", nullptr}};
    if (!is_page_) made["padding"] = 12;
    made["axis"] = {{"labelColor", ink()},
                    {"titleColor", ink()},
                    {"gridColor", is_page_ ? "var(--grid)" : light_colours.grid},
                    {"domainColor", faint()},
                    {"tickColor", faint()},
                    {"labelFontSize", 12},
                    {"titleFontSize", 12},
                    {"titleFontWeight", 600},
                    {"titlePadding", 8},
                    {"titleLimit", page_height - 20}};
    made["legend"] = {{"orient", "bottom"},  {"labelColor", ink()},      {"titleColor", ink()}, {"labelFontSize", 12},
                      {"titleFontSize", 12}, {"titleFontWeight", 600},   {"symbolSize", 70},    {"labelLimit", 260},
                      {"columns", 4},        {"direction", "horizontal"}};
    made["title"] = {{"color", ink()}, {"subtitleColor", faint()}, {"anchor", "start"},
                     {"fontSize", 15}, {"subtitleFontSize", 12},   {"offset", 12}};
    return made;
  }

  const Plot& plot_;
  const bool is_page_;  // has its colours
  const bool fits_;     // is as wide as there is room
  ordered_json spec_;
};

}  // namespace

std::string vega_lite(const Plot& plot, Medium medium) { return Painter(plot, medium).paint(); }

std::string key_to_signs(const Plot& plot) {
  if (!plot.has_measurements()) return "";
  return plot.kind == Plot::Kind::lines ? "lines: predicted, crosses: measured" : "crosses: measured";
}

std::string colour_variables() {
  const auto block = [](const Colours& colours) {
    std::string text = fmt::format("--ground:{};--ink:{};--faint:{};--grid:{};", colours.ground, colours.ink,
                                   colours.faint, colours.grid);
    for (std::size_t i = 0; i < colours.series.size(); ++i)
      text += fmt::format("--series-{}:{};", i + 1, colours.series[i]);
    for (std::size_t i = 0; i < steps_of_ramp; ++i) {
      text += fmt::format("--ramp-{}:{};", i, between(colours, static_cast<double>(i) / (steps_of_ramp - 1)));
    }
    return text;
  };
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                     block(light_colours), block(dark_colours));
}

}  // namespace wave::analysis::pictures
