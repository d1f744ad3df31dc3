// From tables to plots: which points, series and axes a plot has, and what is said about what it leaves out.
#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/page_table.h"
#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/made_plots.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>

#include <set>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

TEST_CASE("a line for each value of what else varies, in one unit") {
  const Plot plot = made(plot_columns(scaling_table(), over("total", "n")));
  CHECK(plot.kind == Plot::Kind::lines);
  CHECK(plot.by == "net");
  CHECK(plot.series == std::vector<std::string>{"SP2()", "SP2_C()"});
  CHECK_FALSE(plot.series_are_ordered);
  CHECK(plot.points.size() == 14);
  CHECK(plot.y.title() == "total [ms]");
  CHECK(plot.points.front().x == 1);
  CHECK(plot.points.front().y == 1004);
}

TEST_CASE("what spans many sizes by factors gets a logarithmic axis, unless it is said otherwise") {
  CHECK(made(plot_columns(scaling_table(), over("total", "n"))).x.is_log);
  CHECK_FALSE(made(plot_columns(scaling_table(), {"total", "n", std::nullopt, false, std::nullopt})).x.is_log);
  std::vector<std::int64_t> even;
  std::vector<double> values;
  for (int i = 1; i <= 100; ++i) {
    even.push_back(i);
    values.push_back(i * us);
  }
  CHECK_FALSE(made(plot_columns(table_of({integers("n", even), times("t", values)}), over("t", "n"))).x.is_log);
}

TEST_CASE("series by numbers are in the order of the numbers") {
  const auto table = table_of(
      {integers("mk", {10, 10, 2, 2}), integers("n", {1, 2, 1, 2}), times("t", {1 * us, 2 * us, 3 * us, 4 * us})});
  const Plot plot = made(plot_columns(table, over("t", "n")));
  CHECK(plot.series == std::vector<std::string>{"2", "10"});
  CHECK(plot.series_are_ordered);
  CHECK(plot.points.front().y == 3);
}

TEST_CASE("values that would be written alike have lines of their own") {
  const auto table = table_of({times("W", {1.000001 * us, 1.000001 * us, 1.000002 * us, 1.000002 * us}, true),
                               integers("n", {1, 2, 1, 2}), times("t", {1 * us, 2 * us, 3 * us, 4 * us})});
  auto measured = table_of({times("W", {1.000002 * us}, true), integers("n", {1}), times("t", {5 * us})});
  const Plot plot = made(plot_columns(table, over("t", "n"), &measured));
  CHECK(plot.kind == Plot::Kind::lines);
  CHECK(plot.series == std::vector<std::string>{"1.000001", "1.000002"});
  CHECK(plot.points.back().measured);
  CHECK(plot.points.back().series == 1);
}

TEST_CASE("points of a line go from left to right, whatever the order of the rows") {
  const Plot plot =
      made(plot_columns(table_of({integers("n", {4, 1, 2}), times("t", {4 * us, 1 * us, 2 * us})}), over("t", "n")));
  CHECK(plot.points[0].x == 1);
  CHECK(plot.points[1].x == 2);
  CHECK(plot.points[2].x == 4);
}

TEST_CASE("several values at one x are points without a line") {
  const auto table =
      table_of({integers("n", {1, 2, 3}), integers("p", {1, 4, 4}, false), times("t", {3 * us, 2 * us, 1 * us})});
  CHECK(made(plot_columns(table, over("t", "p"))).kind == Plot::Kind::points);
}

TEST_CASE("what failed is not drawn, and counted") {
  const Plot plot = made(
      plot_columns(table_of({integers("n", {1, 2, 3}), times("t", {1 * us, std::nan(""), 3 * us})}), over("t", "n")));
  CHECK(plot.points.size() == 2);
  CHECK(mentions(plot.notes, "1 point without a value"));
}

TEST_CASE("what is not positive is not drawn on a logarithmic axis, and counted") {
  const auto table = table_of({integers("n", {0, 1, 2}), times("t", {1 * us, 2 * us, 3 * us})});
  const Plot plot = made(plot_columns(table, {"t", "n", std::nullopt, true, std::nullopt}));
  CHECK(plot.points.size() == 2);
  CHECK(mentions(plot.notes, "not above zero"));
}

TEST_CASE("a plot of what is not there says what is") {
  const auto plot = plot_columns(scaling_table(), over("totale", "n"));
  REQUIRE(plot.index() == 1);
  CHECK(std::get<1>(plot) == "there is no column `totale`: the columns are `net`, `n`, `total`");
  CHECK(plot_columns(scaling_table(), over("net", "n")).index() == 1);
}

TEST_CASE("measurements lie at the predictions of the same machine, in the same unit") {
  auto measured =
      table_of({labelled("net", {"SP2_C()"}, {0, 0}), integers("n", {1, 2}), times("total", {2 * second, 1 * second})});
  const Plot plot = made(plot_columns(scaling_table(), over("total", "n"), &measured));
  std::vector<PlotPoint> points;
  for (const PlotPoint& point : plot.points) {
    if (point.measured) points.push_back(point);
  }
  REQUIRE(points.size() == 2);
  CHECK(points[0].series == 1);
  CHECK(points[0].y == 2000);
  CHECK(plot.has_measurements());
  CHECK(plot.words.find("SP2_C(): measured, 2 points") != std::string::npos);
}

TEST_CASE("measurements of a series that was not computed are left out") {
  auto measured = table_of(
      {labelled("net", {"SP2_C()", "SP2_MPL()"}, {0, 1}), integers("n", {1, 2}), times("total", {2 * second, second})});
  const Plot plot = made(plot_columns(scaling_table(), over("total", "n"), &measured));
  CHECK(plot.series.size() == 2);
  CHECK(std::count_if(plot.points.begin(), plot.points.end(), [](const PlotPoint& point) { return point.measured; }) ==
        1);
}

TEST_CASE("measurements that do not say of which series they are, are one of their own") {
  auto measured = table_of({integers("n", {1, 2}), times("total", {2 * second, 1 * second})});
  const Plot plot = made(plot_columns(scaling_table(), over("total", "n"), &measured));
  CHECK(plot.series.back() == "measured");
}

TEST_CASE("a heat map has a cell for each pair, numbers from small to large") {
  std::vector<std::int64_t> a, b;
  std::vector<double> t;
  for (std::int64_t i = 1; i <= 4; ++i) {
    for (std::int64_t j = 10; j <= 30; j += 10) {
      a.push_back(i);
      b.push_back(j);
      t.push_back(static_cast<double>(i * j) * us);
    }
  }
  const Plot plot = made(plot_heat_map(table_of({integers("a", a), integers("b", b), times("t", t)}), "a", "b", "t"));
  CHECK(plot.x.categories == std::vector<std::string>{"1", "2", "3", "4"});
  CHECK(plot.y.categories == std::vector<std::string>{"10", "20", "30"});
  CHECK(plot.points.size() == 12);
  CHECK(plot.words.find("Least 10 us at a = 1, b = 10; most 120 us at a = 4, b = 30.") != std::string::npos);
}

TEST_CASE("values that would be written alike are written in full in a heat map") {
  const auto table = table_of(
      {times("a", {1.00001 * us, 1.00002 * us, 1.00003 * us}, true), integers("b", {1, 2, 3}), times("t", {1, 2, 3})});
  const Plot plot = made(plot_heat_map(table, "a", "b", "t"));
  CHECK(std::set<std::string>(plot.x.categories.begin(), plot.x.categories.end()).size() == 3);
}

TEST_CASE("the usual plots: each result over the first number, and a map where two numbers vary") {
  CHECK(usual_plots(scaling_table()).size() == 1);
  const auto table = table_of({integers("a", {1, 1, 1, 2, 2, 2, 3, 3, 3}), integers("b", {1, 2, 3, 1, 2, 3, 1, 2, 3}),
                               times("t", {1, 2, 3, 4, 5, 6, 7, 8, 9})});
  const auto plots = usual_plots(table);
  REQUIRE(plots.size() == 2);
  CHECK(plots[1].kind == Plot::Kind::heat_map);
  CHECK(usual_plots(table_of({integers("a", {1}), times("t", {1})})).empty());
}

TEST_CASE("bars: small parts are one, and every bar keeps its length") {
  const std::vector<Bar> bars = {
      {"total", {{"Wg", 90 * us}, {"net.L", 9.5 * us}, {"net.o", 0.3 * us}, {"net.g", 0.2 * us}}},
      {"half", {{"Wg", 45 * us}, {"net.L", 5 * us}}}};
  const Plot plot = plot_bars("Where time goes", "output", bars);
  CHECK(plot.series == std::vector<std::string>{"Wg", "net.L", "other"});
  CHECK(plot.y.categories == std::vector<std::string>{"total", "half"});
  double total = 0;
  for (const PlotPoint& point : plot.points) total += point.y == 0 ? point.x : 0;
  CHECK(total == Approx(100));
  CHECK(plot.x.unit == "us");
  CHECK(plot.words.find("total: 100 us, of it Wg 90 %") != std::string::npos);
}

TEST_CASE("a plot stays as large as a page can hold, and says so") {
  std::vector<std::int64_t> n, s;
  std::vector<double> t;
  for (std::int64_t i = 0; i < 100; ++i) {
    for (std::int64_t j = 0; j < 1000; ++j) {
      s.push_back(i);
      n.push_back(j);
      t.push_back(static_cast<double>(i + j) * us);
    }
  }
  const auto table = table_of({integers("s", s), integers("n", n), times("t", t)});
  const Plot lines = made(plot_columns(table, over("t", "n")));
  CHECK(lines.points.size() <= 5000);
  CHECK(lines.series.size() == 16);
  CHECK(mentions(lines.notes, "the first 16 of 100 lines"));
  CHECK(mentions(lines.notes, "points are drawn"));
  const Plot map = made(plot_heat_map(table, "n", "s", "t"));
  CHECK(map.points.size() <= 64 * 64);
  CHECK(mentions(map.notes, "values of n are drawn"));
}

TEST_CASE("ticks are round, within the axis, and few") {
  CHECK(ticks_of(0, 100, false, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(ticks_of(1, 1000, true, 5) == std::vector<double>{1, 10, 100, 1000});
  CHECK(ticks_of(3, 3, false, 5) == std::vector<double>{3});
  for (const bool is_log : {false, true}) {
    for (const double last : {1.5, 7.0, 130.0, 2e7, 3e30}) {
      const auto ticks = ticks_of(1, last, is_log, 6);
      CHECK(ticks.size() >= 1);
      CHECK(ticks.size() <= 9);
      for (const double tick : ticks) CHECK((tick >= 1 - 1e-6 * last && tick <= last * 1.001));
    }
  }
}

TEST_CASE("ticks stand at the values along x, or at some of them where they lie at one factor") {
  const auto plot_of = [](std::vector<std::int64_t> n) {
    std::vector<double> t(n.size());
    for (std::size_t i = 0; i < n.size(); ++i) t[i] = static_cast<double>(n[i]) * us;
    return made(plot_columns(table_of({integers("n", std::move(n)), times("t", std::move(t))}), over("t", "n")));
  };
  const auto ticks = [](const Plot& plot) { return axis_ticks(plot, plot.x, &PlotPoint::x, 10); };
  const Plot doubled = plot_of({1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096});
  REQUIRE(doubled.x.is_log);
  CHECK(ticks(doubled) == std::vector<double>{1, 4, 16, 64, 256, 1024, 4096});
  CHECK(ticks(plot_of({1, 2, 3, 4, 5, 6, 7})) == std::vector<double>{1, 2, 3, 4, 5, 6, 7});
  CHECK(ticks(plot_of({1, 5, 6})).front() == 1);
  CHECK(ticks(plot_of({1, 5, 6})).size() > 3);
}

TEST_CASE("zero is on a linear axis of results, unless they are all but one") {
  const auto plot_of = [](std::vector<double> t) {
    std::vector<std::int64_t> n(t.size());
    for (std::size_t i = 0; i < n.size(); ++i) n[i] = static_cast<std::int64_t>(i);
    return made(plot_columns(table_of({integers("n", std::move(n)), times("t", std::move(t))}), over("t", "n")));
  };
  const auto begins = [](const Plot& plot) { return axis_span(plot, plot.y, &PlotPoint::y).least; };
  const Plot usual = plot_of({230 * second, 180 * second, 200 * second});
  CHECK(begins(usual) == 0);
  CHECK(axis_ticks(usual, usual.y, &PlotPoint::y, 5).front() == 0);
  CHECK(usual.notes.empty());
  const Plot close = plot_of({230 * second, 225 * second, 228 * second});
  CHECK(begins(close) == 225);
  CHECK(mentions(close.notes, "the axis of t begins at 225 s, not at 0"));
  CHECK(axis_span(plot_of({-3 * second, -1 * second}), usual.y, &PlotPoint::y).most == 0);
  CHECK(begins(plot_of({5 * second, 5 * second})) == 0);
}

TEST_CASE("numbers at axes are written as a person would") {
  CHECK(tick_text(0) == "0");
  CHECK(tick_text(0.25) == "0.25");
  CHECK(tick_text(20000) == "20000");
  CHECK(tick_text(2e6) == "2e6");
  CHECK(tick_text(1e-7) == "1e-7");
  CHECK(tick_text(1 / 3.0) == "0.3333");
}

TEST_CASE("the table of a plot has its points, with what failed named in that of the results") {
  const PageTable points = page_table(made(plot_columns(scaling_table(), over("total", "n"))), 100);
  REQUIRE(points.rows.size() == 14);
  CHECK(points.columns[2].heading == "total [ms]");
  CHECK(points.rows[0] == std::vector<std::string>{"SP2()", "1", "1004"});
  auto table = table_of({integers("n", {1, 2}), times("t", {1 * us, std::nan("")})});
  table.failed.push_back({{"it failed", {frontend::DiagnosticKind::require_failed, "it failed", {}, {}, {}}}, {1}});
  table.columns[1].missing = {1};
  CHECK(page_table(table, 100).rows[1] == std::vector<std::string>{"2", "failed"});
  CHECK(page_table(table, 1).note == "the first 1 of 2 rows");
}
