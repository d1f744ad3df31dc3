// See painter.h: heat maps.
#include "analysis/pictures/painter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_written_cells = 200;  // with more, the cells of a heat map have no numbers
constexpr double room_of_number = 42;            // across a cell

}  // namespace

Painter::Json Painter::side_of_map(const char* field, const PlotAxis& axis, std::vector<std::string> domain) const {
  Json made{{"field", field}, {"type", "ordinal"}, {"sort", nullptr}};
  made["scale"]["domain"] = std::move(domain);
  made["axis"] = {{"title", axis.title()}, {"labelAngle", 0}, {"labelOverlap", "greedy"},
                  {"grid", false},         {"ticks", false},  {"domain", false}};
  return made;
}

Painter::Json Painter::colour_of_map(const AxisSpan& span) const {
  Json colour{{"field", "v"}, {"type", "quantitative"}, {"title", plot_.value.title()}};
  colour["scale"] = {{"type", plot_.value.is_log ? "log" : "linear"}, {"scheme", "viridis"}, {"nice", false}};
  if (span.most > span.least)
    colour["scale"]["domain"] = {span.least, span.most};
  else if (!plot_.value.is_log)
    colour["scale"]["zero"] = true;
  const double length = std::min(scaled(220), width() / 2);
  colour["legend"] = {{"labelExpr", label_of_number},
                      {"gradientLength", length},
                      {"gradientThickness", 12},
                      {"labelOverlap", "greedy"}};
  if (const auto ticks = axis_ticks(plot_, plot_.value, &PlotPoint::value, 5); ticks.size() >= 2)
    colour["legend"]["values"] = ticks;
  return colour;
}

// Viridis is dark below its middle.
Painter::Json Painter::numbers_in_cells(const AxisSpan& span) const {
  const double middle = plot_.value.is_log ? std::sqrt(span.least * span.most) : (span.least + span.most) / 2;
  Json ink{{"value", "#ffffff"}};
  ink["condition"] = {{"test", fmt::format("datum.v > {}", middle)}, {"value", "#000000"}};
  return {{"name", "numbers"},
          {"mark", {{"type", "text"}, {"fontSize", scaled(11)}}},
          {"encoding", {{"text", {{"field", "t"}, {"type", "nominal"}}}, {"color", ink}}}};
}

void Painter::paint_heat_map() {
  set_size(std::clamp(static_cast<double>(plot_.y.categories.size()) * 30, 120.0, 480.0));
  Json values = Json::array();
  for (const PlotPoint& point : plot_.points) {
    values.push_back({{"x", place(plot_.x, point.x)},
                      {"y", place(plot_.y, point.y)},
                      {"v", point.value},
                      {"t", tick_text(point.value)}});
  }
  spec_["data"]["values"] = std::move(values);
  std::vector<std::string> from_above(plot_.y.categories.rbegin(), plot_.y.categories.rend());
  spec_["encoding"] = {{"x", side_of_map("x", plot_.x, plot_.x.categories)},
                       {"y", side_of_map("y", plot_.y, from_above)},
                       {"tooltip", tooltip()}};
  const AxisSpan span = span_of(plot_, &PlotPoint::value);
  Json layers = Json::array();
  layers.push_back({{"name", "cells"},
                    {"mark", {{"type", "rect"}, {"stroke", ground()}, {"strokeWidth", 1}}},
                    {"encoding", {{"color", colour_of_map(span)}}}});
  const bool has_room = static_cast<double>(plot_.x.categories.size()) * scaled(room_of_number) <= width();
  if (plot_.points.size() <= most_written_cells && has_room) layers.push_back(numbers_in_cells(span));
  spec_["layer"] = std::move(layers);
}

}  // namespace wave::analysis::pictures
