// Specifications: what they hold, and that nothing of a model becomes more than a value in them.
#include "analysis/pictures/vega_lite.h"

#include "analysis/pictures/palette.h"
#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/scaling_plot.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

nlohmann::json specification(const Plot& plot, Medium medium = Medium::file) {
  return nlohmann::json::parse(vega_lite(plot, medium));
}

}  // namespace

TEST_CASE("a specification has the points as values, in the units of its axes") {
  const auto made = specification(scaling_plot());
  CHECK(made["data"]["values"].size() == 14);
  CHECK(made["data"]["values"][0]["y"] == 1004.0);
  CHECK(made["encoding"]["y"]["axis"]["title"] == "total [ms]");
  CHECK(made["encoding"]["x"]["scale"]["type"] == "log");
  CHECK(made["encoding"]["x"]["axis"]["values"] == nlohmann::json({1, 2, 4, 8, 16, 32, 64}));
  CHECK(made["description"] == scaling_plot().words);
}

TEST_CASE("names of a model are values, whatever they hold") {
  const std::string name = "a\"]{{datum}} \\ </script>\xFF";
  auto table = scaling_table();
  table.columns[2].name = name;
  const auto plot = std::get<Plot>(plot_columns(table, {name, "n", std::nullopt, std::nullopt, std::nullopt}));
  const auto made = specification(plot);
  // Fields have names of their own.
  CHECK(made["encoding"]["y"]["field"] == "y");
  CHECK(made["encoding"]["y"]["axis"]["title"] == "a\"]{{datum}} \\ </script>\xEF\xBF\xBD [ms]");
}

TEST_CASE("a page leaves colours to its style sheet, a file has them") {
  const std::string page = vega_lite(scaling_plot(), Medium::page), file = vega_lite(scaling_plot(), Medium::file);
  CHECK(page.find("var(--series-1)") != std::string::npos);
  CHECK(file.find("var(") == std::string::npos);
  CHECK(file.find(light_colours.series[0]) != std::string::npos);
  for (const char* const name : {"--ground:", "--ink:", "--faint:", "--grid:", "--series-8:", "--ramp-15:"}) {
    CHECK(colour_variables().find(name) != std::string::npos);
  }
}

TEST_CASE("a specification asks for nothing from outside") {
  for (const Medium medium : {Medium::page, Medium::file}) {
    const auto made = specification(scaling_plot(), medium);
    CHECK_FALSE(made["data"].contains("url"));
    CHECK(vega_lite(scaling_plot(), medium).find("\"href\"") == std::string::npos);
  }
}

TEST_CASE("colours of pictures stand out from their ground") {
  for (const Colours& colours : {light_colours, dark_colours}) {
    CHECK(contrast(colours.ink, colours.ground) >= 7);
    CHECK(contrast(colours.faint, colours.ground) >= 4.5);
    for (const char* const series : colours.series) {
      INFO(series);
      CHECK(contrast(series, colours.ground) >= 3);
    }
    for (int i = 0; i <= 15; ++i) CHECK(contrast(between(colours, i / 15.0), colours.ground) >= 3);
  }
}
