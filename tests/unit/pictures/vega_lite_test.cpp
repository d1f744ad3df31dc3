// Specifications: what they contain, and that everything from a model stays a value in them.
#include "analysis/pictures/vega_lite.h"

#include "analysis/pictures/table_plots.h"
#include "analysis/pictures/terminal_plot.h"
#include "tests/unit/pictures/scaling_plot.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

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
  // Fields have names that do not come from the model.
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

TEST_CASE("no two lines look alike, however many there are") {
  std::vector<std::int64_t> a, b, n;
  std::vector<double> t;
  for (std::int64_t line = 0; line < 16; ++line) {
    for (std::int64_t x = 1; x <= 3; ++x) {
      a.push_back(line / 4);
      b.push_back(line % 4);
      n.push_back(x);
      t.push_back(static_cast<double>(line + x) * us);
    }
  }
  const auto table = table_of({integers("n", n), integers("a", a), integers("b", b), times("t", t)});
  const auto plot = std::get<Plot>(plot_columns(table, {"t", "n", std::nullopt, std::nullopt, std::nullopt}));
  const auto made = specification(plot);
  const auto& colours = made["encoding"]["color"]["scale"]["range"];
  const auto& dashes = made["layer"][0]["encoding"]["strokeDash"]["scale"]["range"];
  const auto& shapes = made["layer"][1]["encoding"]["shape"]["scale"]["range"];
  REQUIRE(colours.size() == 16);
  std::set<std::string> lines, marks;
  for (std::size_t i = 0; i < 16; ++i) {
    lines.insert(colours[i].dump() + dashes.at(i).dump());
    marks.insert(colours[i].dump() + shapes.at(i).dump());
  }
  CHECK(lines.size() == 16);
  CHECK(marks.size() == 16);
  // A few lines need no gaps.
  CHECK_FALSE(specification(scaling_plot())["layer"][0]["encoding"].contains("strokeDash"));
  for (const bool unicode : {false, true}) {
    TerminalStyle style;
    style.unicode = unicode;
    style.width = 60;
    const std::string text = draw_in_text(plot, style);
    std::set<std::string> signs;
    for (const std::string& name : plot.series) {
      const auto at = text.find(" " + name);
      REQUIRE(at != std::string::npos);
      const auto begin = text.find_last_of(" \n", at - 1) + 1;
      signs.insert(text.substr(begin, at - begin));
    }
    CHECK(signs.size() == 16);
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
