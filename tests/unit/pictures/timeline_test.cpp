// Timelines as specifications, tables, words and text.
#include "analysis/pictures/page_table.h"
#include "analysis/pictures/terminal_plot.h"
#include "analysis/pictures/timeline_plot.h"
#include "analysis/pictures/vega_lite.h"
#include "tests/unit/pictures/timeline_by_hand.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace wave::analysis::pictures;
using namespace wave::test;

TEST_CASE("a timeline has a bar for each slice, and zooms along the time alone") {
  const auto made = nlohmann::json::parse(vega_lite(timeline_by_hand(), Medium::page));
  REQUIRE(made["layer"].size() == 1);
  const auto& slices = made["layer"][0];
  const auto& values = made["data"]["values"];
  CHECK(values.size() == 4);
  CHECK(values[1] == nlohmann::json({{"x", 0.0}, {"e", 8.0}, {"y", "P[2]"}, {"s", "wait for data"}}));
  CHECK(slices["encoding"]["x2"]["field"] == "e");
  CHECK(made["encoding"]["x"]["scale"]["domain"] == nlohmann::json({0, 12.0}));
  CHECK(made["encoding"]["x"]["axis"]["title"] == "time [us]");
  CHECK(slices["params"][0]["bind"] == "scales");
  CHECK(slices["params"][0]["select"]["encodings"] == nlohmann::json({"x"}));
}

TEST_CASE("phases and messages of a timeline have layers of their own, and words") {
  Plot plot = timeline_by_hand();
  plot.phases = {"exchange"};
  plot.in_phase = {{0, 0, 3, 0, false}};
  plot.arrows = {{1, 8, 0, 1}};
  plot.colours = {0, 2};
  const auto made = nlohmann::json::parse(vega_lite(plot, Medium::page));
  REQUIRE(made["layer"].size() == 4);
  CHECK(made["layer"][1]["data"]["values"][0] ==
        nlohmann::json({{"x", 0.0}, {"e", 3.0}, {"y", "P[1]"}, {"p", "exchange"}}));
  CHECK(made["layer"][2]["data"]["values"][0] ==
        nlohmann::json({{"x", 1.0}, {"e", 8.0}, {"y", "P[1]"}, {"t", "P[2]"}}));
  const auto& colours = made["layer"][0]["encoding"]["color"]["scale"]["range"];
  CHECK(colours == nlohmann::json({"var(--series-1)", "var(--series-3)"}));
  CHECK(
      describe(plot) ==
      "A timeline of 2 processes, up to 12 us: a lane for each, with what it does when, in the phases exchange, and 1 "
      "message as arrows.");
  CHECK(times_of_timeline(plot).arrows.empty());
}

TEST_CASE("a timeline says in words and numbers what it shows") {
  CHECK(timeline_by_hand().words == "A timeline of 2 processes, up to 12 us: a lane for each, with what it does when.");
  const PageTable table = page_table(timeline_by_hand(), 3);
  REQUIRE(table.columns.size() == 4);
  CHECK(table.columns[3].heading == "end [us]");
  CHECK(table.rows[1] == std::vector<std::string>{"wait for data", "0", "P[2]", "8"});
  CHECK(table.note == "the first 3 of 4 rows");
}

TEST_CASE("where there is no room for slices, a timeline says how long each process does what") {
  const Plot bars = times_of_timeline(timeline_by_hand());
  REQUIRE(bars.points.size() == 3);
  CHECK(bars.points[1].x == 3);  // P[2] computes for 2 us, and again for 1 us
  CHECK(bars.points[2].x == 8);
  TerminalStyle style;
  style.width = 60;
  const std::string text = draw_in_text(timeline_by_hand(), style);
  CHECK(text.find("P[2]") != std::string::npos);
  CHECK(text.find("wait for data") != std::string::npos);
}
