// Several results in one picture, and bands of samples.
#include "analysis/pictures/joined_results.h"
#include "analysis/pictures/table_plots.h"
#include "analysis/pictures/terminal_plot.h"
#include "tests/unit/pictures/made_plots.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace wave;
using namespace wave::analysis;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

std::string refused(const std::variant<Plot, std::string>& plot) {
  REQUIRE(plot.index() == 1);
  return std::get<1>(plot);
}

ResultTable parts_table() {
  auto table = table_of({integers("n", {1, 2, 4}), times("total", {9 * us, 5 * us, 4 * us}),
                         times("compute", {8 * us, 4 * us, 2 * us}), times("f(a, b)", {1 * us, 1 * us, 2 * us})});
  auto share = times("share", {0.1, 0.2, 0.5});
  share.type = plain_type();
  table.columns.push_back(share);
  table.columns.push_back(labelled("net", {"A()"}, {0, 0, 0}));
  table.columns.back().varied = false;
  return table;
}

// With the columns that `wave sweep --samples` adds.
ResultTable sampled_table() {
  auto table = table_of({integers("n", {1, 2}), times("t", {10 * us, 5 * us}), times("t.mean", {11 * us, 6 * us}),
                         times("t.deviation", {1 * us, 1 * us}), times("t.low", {8 * us, -1 * us}),
                         times("t.high", {12 * us, 9 * us}), times("other", {3 * us, 4 * us}),
                         integers("samples", {100, 100}, false)});
  return table;
}

}  // namespace

TEST_CASE("several results have a line each, on one axis with one unit") {
  const Plot plot = made(plot_columns(parts_table(), over("total, compute", "n")));
  CHECK(plot.series == std::vector<std::string>{"total", "compute"});
  CHECK(plot.by == "result");
  CHECK(plot.y.title() == "total, compute [us]");
  REQUIRE(plot.points.size() == 6);
  CHECK(plot.points[0].y == 9);
  CHECK(plot.points[3].y == 8);
  CHECK(plot.points[3].series == 1);
}

TEST_CASE("a comma within brackets is part of a name") {
  CHECK(names_in(parts_table(), "total,f(a, b)") == std::vector<std::string>{"total", "f(a, b)"});
  CHECK(names_in(parts_table(), "f(a, b)") == std::vector<std::string>{"f(a, b)"});
  CHECK(names_in(parts_table(), "a[x = \"1, 2\"], b") == std::vector<std::string>{"a[x = \"1, 2\"]", "b"});
}

TEST_CASE("several results and what else varies tell lines apart together") {
  auto table = scaling_table();
  table.columns.push_back(times("half", std::get<std::vector<double>>(table.columns[2].values)));
  const Plot plot = made(plot_columns(table, over("total, half", "n")));
  CHECK(plot.by == "result, net");
  CHECK(plot.series == std::vector<std::string>{"total, SP2()", "total, SP2_C()", "half, SP2()", "half, SP2_C()"});
}

TEST_CASE("results of several quantities share no axis") {
  CHECK(refused(plot_columns(parts_table(), over("total, share", "n"))) ==
        "`total` is of time and `share` a plain number, which share no axis: draw each in a picture of its own");
  CHECK(refused(plot_columns(parts_table(), over("total, net", "n"))) == "`net` is no number");
  CHECK(refused(plot_columns(parts_table(), over("total, total", "n"))) == "a result is named twice");
  CHECK(refused(plot_columns(parts_table(), over("total, ", "n"))).find("there is no column ``") == 0);
}

TEST_CASE("measurements lie at the result that they are of") {
  const auto measured = table_of({integers("n", {1, 4}), times("compute", {8.5 * us, 2.5 * us})});
  const Plot plot = made(plot_columns(parts_table(), over("total, compute", "n"), &measured));
  const auto count = std::count_if(plot.points.begin(), plot.points.end(),
                                   [](const PlotPoint& point) { return point.measured && point.series == 1; });
  CHECK(count == 2);
  CHECK(plot.series.size() == 2);
}

TEST_CASE("two columns along x make a map") {
  const auto table = table_of({integers("a", {1, 1, 2, 2}), integers("b", {1, 2, 1, 2}), times("t", {1, 2, 3, 4})});
  const Plot plot = made(plot_columns(table, {"t", "a, b", std::nullopt, true, true}));
  CHECK(plot.kind == Plot::Kind::heat_map);
  CHECK(plot.value.is_log);
  CHECK(refused(plot_columns(table, over("t, t", "a, b"))) == "a map shows one result over two columns");
  CHECK(refused(plot_columns(table, {"t", "a, b", "a", {}, {}})) == "a map has no lines for `by a`");
}

TEST_CASE("samples are a band around the line, and their columns are no lines of their own") {
  const Plot plot = made(plot_columns(sampled_table(), over("t", "n")));
  REQUIRE(plot.points.size() == 2);
  CHECK(plot.points[0].low == 8);
  CHECK(plot.points[0].high == 12);
  CHECK(mentions(plot.notes, "95 % of the samples"));
  CHECK(span_of(plot, &PlotPoint::y).most == 12);
  const auto usual = usual_plots(sampled_table());
  REQUIRE(usual.size() == 2);
  CHECK(usual[0].y.name == "t");
  CHECK(usual[1].y.name == "other");
  CHECK_FALSE(usual[1].has_ranges());
  const Plot both = made(plot_columns(sampled_table(), over("t, other", "n")));
  CHECK(both.points[0].has_range());
  CHECK_FALSE(both.points[2].has_range());
}

TEST_CASE("a band below zero is cut on a logarithmic axis, and a note says so") {
  const Plot plot = made(plot_columns(sampled_table(), {"t", "n", std::nullopt, false, true}));
  CHECK(plot.points[1].low == 5);
  CHECK(mentions(plot.notes, "1 range reaches to zero or below"));
}

TEST_CASE("a logarithmic axis that would be empty is refused") {
  const auto table = table_of({integers("n", {1, 2}), times("t", {0, -1 * us})});
  CHECK(refused(plot_columns(table, {"t", "n", std::nullopt, false, true})) ==
        "no value of `t` is above zero, and `log` shows no others: `linear` does");
  CHECK(made(plot_columns(table, {"t", "n", std::nullopt, true, false})).points.size() == 2);
}
