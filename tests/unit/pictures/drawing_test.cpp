// Files of pictures, from the module that draws them.
#include "analysis/pictures/drawing.h"

#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/count.h"
#include "tests/unit/pictures/scaling_plot.h"
#include "tests/unit/pictures/tables.h"
#include "tests/unit/pictures/timeline_by_hand.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

std::string drawn(const std::variant<std::string, std::string>& file) {
  if (file.index() == 1) FAIL(std::get<1>(file));
  return std::get<0>(file);
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return number;
}

}  // namespace

TEST_CASE("a drawing has a mark for each point, a line for each series, and the same bytes each time") {
  const std::string svg = drawn(draw_file(scaling_plot(), drawing::Format::svg));
  CHECK(svg.substr(0, 4) == "<svg");
  CHECK(count(svg, "<path") >= 14 + 2);
  CHECK(svg.find("total [ms]") != std::string::npos);
  CHECK(svg.find("SP2_C()") != std::string::npos);
  CHECK(svg == drawn(draw_file(scaling_plot(), drawing::Format::svg)));
}

TEST_CASE("an image has the size of the drawing, twice as fine") {
  const std::string png = drawn(draw_file(scaling_plot(), drawing::Format::png));
  CHECK(png.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  CHECK(big_endian(png, 16) >= 2 * 640);
  CHECK(big_endian(png, 20) >= 2 * 360);
}

TEST_CASE("a document has the size of the drawing in points, no date, and the same bytes each time") {
  Plot plot = scaling_plot();
  plot.size = {384, 288, 8};  // 4 x 3 inches
  const std::string pdf = drawn(draw_file(plot, drawing::Format::pdf));
  CHECK(pdf.substr(0, 5) == "%PDF-");
  CHECK(pdf.find("%%EOF") != std::string::npos);
  CHECK(pdf.find("CreationDate") == std::string::npos);
  CHECK(pdf == drawn(draw_file(plot, drawing::Format::pdf)));
}

TEST_CASE("a drawing is exactly as large as asked, whatever its texts take") {
  Plot plot = scaling_plot();
  plot.size = {400, 300, 9};
  for (const char* const title :
       {"Short", "A title of so many words that it has to go on in a second line, and a third"}) {
    set_texts(plot, {title, "", ""});
    const std::string svg = drawn(draw_file(plot, drawing::Format::svg));
    CHECK(svg.find(" width=\"400\" height=\"300\" viewBox=\"0 0 400 300\"") != std::string::npos);
  }
  plot.size = {70, 70, 20};
  const auto small = draw_file(plot, drawing::Format::svg);
  REQUIRE(small.index() == 1);
  CHECK(std::get<1>(small) == "its texts leave too little of 70 x 70 pixels: it needs more room or smaller letters");
}

TEST_CASE("all kinds of plots can be drawn") {
  const auto table = table_of({integers("a", {1, 1, 1, 2, 2, 2, 3, 3, 3}), integers("b", {1, 2, 3, 1, 2, 3, 1, 2, 3}),
                               times("t", {1, 2, 3, 4, 5, 6, 7, 8, 9})});
  auto plots = usual_plots(table);
  plots.push_back(plot_bars("Where time goes", "output", {{"all", {{"work", 60 * us}, {"wait", 40 * us}}}}));
  auto one = table_of({integers("n", {3}), times("t", {1 * us})});
  plots.push_back(std::get<Plot>(plot_columns(one, {"t", "n", std::nullopt, true, true})));
  auto flat = table_of({integers("a", {1, 1, 2, 2}), integers("b", {1, 2, 1, 2}), times("t", {1, 1, 1, 1})});
  plots.push_back(std::get<Plot>(plot_heat_map(flat, "a", "b", "t")));
  plots.push_back(timeline_by_hand());
  plots.back().phases = {"exchange", "work"};
  plots.back().in_phase = {{0, 0, 3, 0, false}, {8, 1, 12, 1, false}};
  plots.back().arrows = {{1, 8, 0, 1}};
  for (const Plot& plot : plots) {
    INFO(plot.title);
    CHECK(drawn(draw_file(plot, drawing::Format::svg)).find("</svg>") != std::string::npos);
  }
}

TEST_CASE("a plot without points has no drawing") {
  const auto table = table_of({integers("n", {1, 2}), times("t", {std::nan(""), std::nan("")})});
  const auto plot = std::get<Plot>(plot_columns(table, {"t", "n", std::nullopt, std::nullopt, std::nullopt}));
  const auto none = draw_file(plot, drawing::Format::svg);
  REQUIRE(none.index() == 1);
  CHECK(std::get<1>(none) == "no point has a value");
}

TEST_CASE("names stay text in a drawing") {
  auto table = scaling_table();
  table.columns[0].labels[0] = "</text><script>x</script>";
  const auto plot = std::get<Plot>(plot_columns(table, {"total", "n", std::nullopt, std::nullopt, std::nullopt}));
  const std::string svg = drawn(draw_file(plot, drawing::Format::svg));
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("&lt;script") != std::string::npos);
}

TEST_CASE("what is no specification, and what would load something, is refused with a reason") {
  CHECK(draw_specification("{", drawing::Format::svg).index() == 1);
  CHECK(draw_specification("{\"mark\": \"nonsense\", \"data\": {\"values\": []}}", drawing::Format::svg).index() == 1);
  const auto loading = draw_specification(
      "{\"data\": {\"url\": \"file:///etc/passwd\", \"format\": {\"type\": \"csv\"}}, \"mark\": \"point\"}",
      drawing::Format::svg);
  REQUIRE(loading.index() == 1);
  CHECK(std::get<1>(loading).find("loads nothing") != std::string::npos);
}

TEST_CASE("a drawing that does not end is ended") {
  // A sequence of a hundred million rows.
  const auto endless = draw_specification(
      "{\"data\": {\"sequence\": {\"start\": 0, \"stop\": 100000000, \"as\": \"x\"}}, \"mark\": \"point\", "
      "\"encoding\": {\"x\": {\"field\": \"x\", \"type\": \"quantitative\"}}}",
      drawing::Format::svg, 0.5);
  REQUIRE(endless.index() == 1);
  CHECK(std::get<1>(endless) == "drawing takes too long");
}
