// Repeated measurements as means with bars.
#include "analysis/pictures/page_table.h"
#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

// Three measurements at n = 1, one at n = 2.
Plot with_bars(ErrorBars bars) {
  const auto table = table_of({integers("n", {1, 2}), times("t", {10 * us, 5 * us})});
  const auto measured = table_of({integers("n", {1, 1, 2, 1}), times("t", {9 * us, 12 * us, 5.5 * us, 12 * us})});
  return std::get<Plot>(plot_columns(table, {"t", "n", std::nullopt, std::nullopt, std::nullopt, bars}, &measured));
}

std::vector<PlotPoint> measured_of(const Plot& plot) {
  std::vector<PlotPoint> points;
  std::copy_if(plot.points.begin(), plot.points.end(), std::back_inserter(points),
               [](const PlotPoint& point) { return point.measured; });
  return points;
}

}  // namespace

TEST_CASE("repeated measurements are their mean, with a bar of their standard deviation") {
  const auto points = measured_of(with_bars(ErrorBars::deviation));
  REQUIRE(points.size() == 2);
  CHECK(points[0].y == Approx(11));
  CHECK(points[0].low == Approx(11 - std::sqrt(3.0)));
  CHECK(points[0].high == Approx(11 + std::sqrt(3.0)));
  CHECK(points[1].y == Approx(5.5));
  CHECK_FALSE(points[1].has_range());
}

TEST_CASE("bars are the confidence interval of the mean, or the range, or none") {
  // 4.3027 is the quantile of Student's t with two degrees of freedom (table of the distribution, 97.5 %).
  const auto interval = measured_of(with_bars(ErrorBars::interval));
  CHECK(interval[0].high == Approx(11 + 4.3027 * std::sqrt(3.0) / std::sqrt(3.0)).epsilon(1e-4));
  const auto range = measured_of(with_bars(ErrorBars::range));
  CHECK(range[0].low == Approx(9));
  CHECK(range[0].high == Approx(12));
  const auto each = measured_of(with_bars(ErrorBars::none));
  CHECK(each.size() == 4);
  CHECK(std::none_of(each.begin(), each.end(), [](const PlotPoint& point) { return point.has_range(); }));
}

TEST_CASE("a note and the table below a picture say what bars are") {
  const Plot plot = with_bars(ErrorBars::range);
  REQUIRE_FALSE(plot.notes.empty());
  CHECK(plot.notes[0] == "bars: from the least to the largest, around the mean of 3 measurements");
  const PageTable table = page_table(plot, 10);
  REQUIRE(table.columns.size() == 5);
  CHECK(table.rows[2] == std::vector<std::string>{"1", "11", "9", "12", "measured"});
  CHECK(table.rows[0] == std::vector<std::string>{"1", "10", "–", "–", "predicted"});
}
