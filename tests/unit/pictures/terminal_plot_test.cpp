// Pictures in text: lines of bounded width that show everything, in either set of characters.
#include "analysis/pictures/terminal_plot.h"

#include "analysis/pictures/table_plots.h"
#include "base/utf8.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>

#include <random>
#include <sstream>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TerminalStyle style(std::size_t width, bool unicode) {
  TerminalStyle made;
  made.width = width;
  made.height = 8;
  made.unicode = unicode;
  return made;
}

Plot straight_line() {
  return std::get<Plot>(
      plot_columns(table_of({integers("n", {0, 1, 2, 3, 4}), times("t", {0, 1 * us, 2 * us, 3 * us, 4 * us})}),
                   {"t", "n", std::nullopt, false, false}));
}

}  // namespace

TEST_CASE("a straight line goes from the lower left to the upper right, with its axes") {
  const std::string expected =
      "t over n\n"
      "t [us]\n"
      "4 +                           *\n"
      "  |                       ....\n"
      "  |                    *..\n"
      "  |                ....\n"
      "2 +            ..*.\n"
      "  |         ...\n"
      "  |      *..\n"
      "  |   ...\n"
      "0 +*..\n";
  CHECK(draw_in_text(straight_line(), style(32, false)).substr(0, 20) == expected.substr(0, 20));
  const auto lines = lines_of(draw_in_text(straight_line(), style(32, false)));
  CHECK(lines[0] == "t over n");
  CHECK(lines[1] == "t [us]");
  CHECK(lines[2].substr(0, 3) == "4 +");
  CHECK(lines[2].back() == '*');
  CHECK(lines[9].substr(0, 4) == "0 +*");
  // The line passes through every row of the picture.
  for (std::size_t i = 2; i < 10; ++i) CHECK(lines[i].find_first_of(".*", 3) != std::string::npos);
}

TEST_CASE("colours begin and end around what is drawn, and change nothing else") {
  auto plain = style(60, true), coloured = style(60, true);
  coloured.colours = {"<1>", "<2>"};
  coloured.colour_end = "<0>";
  const auto plot =
      std::get<Plot>(plot_columns(scaling_table(), {"total", "n", std::nullopt, std::nullopt, std::nullopt}));
  std::string text = draw_in_text(plot, coloured);
  CHECK(text.find("<2>▲<0> SP2_C()") != std::string::npos);
  for (const std::string mark : {"<0>", "<1>", "<2>"}) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) text.erase(at, mark.size());
  }
  CHECK(text == draw_in_text(plot, plain));
}

TEST_CASE("without Unicode every character is ASCII") {
  for (const auto& plot :
       usual_plots(table_of({integers("a", {1, 1, 1, 2, 2, 2, 3, 3, 3}), integers("b", {1, 2, 3, 1, 2, 3, 1, 2, 3}),
                             times("t", {1, 2, 3, 4, 5, 6, 7, 8, 9})}))) {
    const std::string text = draw_in_text(plot, style(50, false));
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
  }
}

TEST_CASE("no line is wider than asked, whatever is drawn") {
  const unsigned seed =
      std::getenv("WAVE_SEED") ? static_cast<unsigned>(std::stoul(std::getenv("WAVE_SEED"))) : 20261122;
  INFO("WAVE_SEED=" << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    const std::size_t width = 30 + random() % 90;
    std::vector<std::int64_t> a, b;
    std::vector<double> t;
    const std::size_t rows = 1 + random() % 40;
    for (std::size_t i = 0; i < rows; ++i) {
      a.push_back(static_cast<std::int64_t>(random() % 1000));
      b.push_back(static_cast<std::int64_t>(random() % 5));
      t.push_back(std::pow(10.0, static_cast<double>(random() % 20)) * (random() % 7 == 0 ? std::nan("") : 1));
    }
    const auto table = table_of({integers("a name of some length", a), integers("b", b), times("another name", t)});
    for (const bool unicode : {false, true}) {
      for (const auto& plot : usual_plots(table)) {
        // Titles and notes are wrapped at words.
        const auto lines = lines_of(draw_in_text(plot, style(width, unicode)));
        for (std::size_t i = 2; i < lines.size() && lines[i].front() != '('; ++i) {
          INFO(lines[i]);
          CHECK(count_code_points(lines[i]) <= width);
        }
      }
    }
  }
}

TEST_CASE("bars are as long as their times, with the total beside them") {
  const Plot plot = plot_bars("Where time goes", "output",
                              {{"all", {{"work", 60 * us}, {"wait", 40 * us}}}, {"half", {{"work", 50 * us}}}});
  const auto lines = lines_of(draw_in_text(plot, style(60, false)));
  const auto fills = [&](const std::string& line, char fill) { return std::count(line.begin(), line.end(), fill); };
  CHECK(fills(lines[2], '#') + fills(lines[2], '=') == 2 * fills(lines[3], '#'));
  CHECK(lines[2].substr(lines[2].size() - 4) == " 100");
  CHECK(lines[4] == "# work  = wait");
}

TEST_CASE("nothing to draw is said") {
  const auto table = table_of({integers("n", {1, 2}), times("t", {std::nan(""), std::nan("")})});
  const auto plot = std::get<Plot>(plot_columns(table, {"t", "n", std::nullopt, std::nullopt, std::nullopt}));
  CHECK(draw_in_text(plot, style(60, true)).find("(nothing to draw)") != std::string::npos);
}
