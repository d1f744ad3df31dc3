// The shapes of outputs, and outputs that cannot be evaluated yet.
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

using wave::frontend::RowsShape;
using wave::tests::Model;

TEST_CASE("lists, records and series are rows") {
  Model model(R"(
type Row { k: int, t: time, name: string }
model M {
  param n: int = 3
  output rows = [Row(k = k, t = k * 1 us, name = "x") for k in 1..n if k != 2]
  output one = Row(k = 1, t = 2 us, name = "y")
  output load[q in 1..n, r in [10, 20]] = q * r * 1 us
  output list = [1, 2.5]
})");
  CHECK(model.info("rows").shape == RowsShape::records);
  CHECK(model.rows("rows").count() == 2);
  CHECK(model.rows("rows").cells[3].integer == 3);
  CHECK(model.info("one").shape == RowsShape::record);
  CHECK(model.info("load").columns.size() == 3);
  const auto load = model.rows("load");
  REQUIRE(load.count() == 6);
  CHECK(load.cells[3].integer == 1);
  CHECK(load.cells[4].integer == 20);
  CHECK(load.cells[5].real == 20e6);
  CHECK(model.rows("list").cells[0].real == 1);
}

TEST_CASE("reductions over mixed lists keep their order") {
  Model model(R"(
model M {
  param n: int = 3
  output nested = [10 * i + j for i in 1..n for j in [1, 2]]
  output static = [10 * i + j for i in [1, 2] for j in [1, 2, 3] if j != 2]
  output best = max(x in [3, 1, 2] if x < n: x)
  output none = count(x in [3, 1, 2] if x > 5)
  output at = [k * k for k in 1..n][2]
  output filtered = [k * k for k in 1..10 if k mod 2 == 0][n]
})");
  const auto nested = model.rows("nested").cells;
  REQUIRE(nested.size() == 6);
  CHECK(nested[1].integer == 12);
  CHECK(nested[2].integer == 21);
  CHECK(model.rows("static").count() == 4);
  CHECK(model.integer("best") == 2);
  CHECK(model.integer("none") == 0);
  CHECK(model.integer("at") == 4);
  CHECK(model.integer("filtered") == 36);
}
