// Titles, axis texts, sizes and fonts of pictures, as specifications.
#include "analysis/pictures/table_plots.h"
#include "analysis/pictures/vega_lite.h"
#include "tests/unit/pictures/scaling_plot.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

nlohmann::json file_of(const Plot& plot) { return nlohmann::json::parse(vega_lite(plot, Medium::file)); }

}  // namespace

TEST_CASE("the user's texts stand in place of the usual ones, with the unit") {
  Plot plot = scaling_plot();
  set_texts(plot, {"How it scales", "processors", "time of a step"});
  const auto made = file_of(plot);
  CHECK(made["title"]["text"] == "How it scales");
  CHECK(made["encoding"]["x"]["axis"]["title"] == "processors");
  CHECK(made["encoding"]["y"]["axis"]["title"] == "time of a step [ms]");
  CHECK(plot.words.find("Lines of time of a step [ms] over processors") == 0);
}

TEST_CASE("a size is that of the whole picture, and letters have their size in points") {
  Plot plot = scaling_plot();
  plot.size = {320, 200, 18};
  const auto made = file_of(plot);
  CHECK(made["width"] == 320);
  CHECK(made["height"] == 200);
  CHECK(made["autosize"]["type"] == "fit");
  CHECK(made["config"]["axis"]["labelFontSize"] == 24);  // pixels of 1/96 inch
  CHECK(made["config"]["title"]["fontSize"] == 30);
  const auto page = nlohmann::json::parse(vega_lite(plot, Medium::page));
  CHECK(page["width"] == "container");
  CHECK(page["config"]["axis"]["labelFontSize"] == 12);
}

TEST_CASE("a long title has several lines, and a long name leaves fewer columns in a legend") {
  Plot plot = scaling_plot();
  plot.title = std::string(60, 'a') + " " + std::string(60, 'b');
  plot.series = {std::string(50, 'c'), "short"};
  const auto made = file_of(plot);
  CHECK(made["title"]["text"] == nlohmann::json({std::string(60, 'a'), std::string(60, 'b')}));
  CHECK(made["config"]["legend"]["columns"] == 1);
  CHECK(file_of(scaling_plot())["config"]["legend"]["columns"] == 4);
}

TEST_CASE("bands lie below lines, bars of measurements have ends") {
  Plot plot = scaling_plot();
  plot.points[0].low = 1;
  plot.points[0].high = 2000;
  plot.points.push_back({4, 500, 0, 0, true, 400, 600});
  const auto made = file_of(plot);
  std::vector<std::string> names;
  for (const auto& layer : made["layer"]) names.push_back(layer["name"]);
  CHECK(names == std::vector<std::string>{"bands", "bars", "low ends", "high ends", "lines", "predicted", "measured"});
  const auto& values = made["data"]["values"];
  CHECK(values.front()["b"] == false);
  CHECK(
      values.back() ==
      nlohmann::json({{"x", 4.0}, {"y", 500.0}, {"s", "SP2()"}, {"m", true}, {"l", 400.0}, {"h", 600.0}, {"b", true}}));
  CHECK_FALSE(values[1].contains("l"));
}
