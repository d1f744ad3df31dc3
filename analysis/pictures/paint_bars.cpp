// See painter.h: stacked bars.
#include "analysis/pictures/painter.h"

namespace wave::analysis::pictures {

namespace {

constexpr double bar_height = 34;

}  // namespace

void Painter::paint_bars() {
  set_size(scaled(bar_height) * static_cast<double>(plot_.y.categories.size()));
  Json values = Json::array();
  for (const PlotPoint& point : plot_.points) {
    values.push_back(
        {{"x", point.x}, {"y", place(plot_.y, point.y)}, {"s", plot_.series[point.series]}, {"o", point.series}});
  }
  spec_["data"]["values"] = std::move(values);
  Json along{{"field", "x"}, {"type", "quantitative"}, {"stack", "zero"}};
  along["axis"] = plain_axis(plot_.x.title(), 6);
  Json encoding{{"x", along}, {"y", lanes(0.25, 0.15)}, {"color", series_channel()}};
  encoding["order"] = {{"field", "o"}, {"type", "quantitative"}};
  encoding["tooltip"] = tooltip();
  spec_["encoding"] = std::move(encoding);
  spec_["mark"] = {{"type", "bar"}, {"stroke", ground()}, {"strokeWidth", 1}};
}

}  // namespace wave::analysis::pictures
