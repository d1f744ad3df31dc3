// Which proof covers which recurrence, and that the proofs notice a weight that is off by one quantum in one place.
#include "ir/operations.h"
#include "tests/unit/closed_form/solved.h"

#include <catch2/catch.hpp>

using namespace wave;
using ir::ValueId;

namespace {

// start[i, j] = max(start[i-1, j] + a, start[i, j-1] + b) else 3
struct Wavefront {
  parity::Model m;
  ir::Builder& b = m.build;
  ir::SpaceId grid;
  ir::EventId start;

  Wavefront(std::int64_t n, std::int64_t k) {
    grid = m.grid({"i", "j"}, {b.integer(n), b.integer(k)});
    start = m.event("start", grid);
    m.system[start].otherwise = {b.real(3)};
  }
  ValueId i() { return m.index(grid, 0); }
  ValueId j() { return m.index(grid, 1); }
  ValueId whole(std::int64_t x) { return b.integer(x); }
  ValueId real(ValueId x) { return b.to_real(x); }
  ValueId div(ValueId x, std::int64_t size) {
    return b.binary(ir::BinaryOp::floor_divide, x, whole(size), m.site(ir::FailureKind::integer_overflow));
  }
  ValueId mod(ValueId x, std::int64_t size) {
    return b.binary(ir::BinaryOp::modulo, x, whole(size), m.site(ir::FailureKind::integer_overflow));
  }
  ValueId times(ValueId x, double factor) { return b.multiply(x, b.real(factor)); }
  void costs(std::vector<ValueId> west, std::vector<ValueId> north) {
    m.constrain(start, start, {-1, 0}, std::move(west));
    m.constrain(start, start, {0, -1}, std::move(north));
  }
  test::Solved solved(std::int64_t shortest = 1024) {
    const test::Solved result = test::solve(m, start, shortest);
    CHECK(result.difference == "");
    return result;
  }
};

}  // namespace

TEST_CASE("costs that are uniform or depend on their own axis make all paths equal") {
  Wavefront w(9, 12);
  w.costs({w.b.real(2.5), w.times(w.real(w.i()), 3)}, {w.b.real(7), w.times(w.real(w.mod(w.j(), 4)), 0.7)});
  CHECK(w.solved().name == "equal paths");
}

TEST_CASE("nodes of two by two with dearer messages between them make all paths equal") {
  Wavefront w(11, 8);
  const auto same = [&](ValueId x) { return w.b.equal(w.mod(x, 2), w.whole(0)); };
  w.costs({w.b.select(same(w.i()), w.b.real(1), w.b.real(4.25))},
          {w.b.select(same(w.j()), w.b.real(2), w.b.real(3.5))});
  CHECK(w.solved().name == "equal paths");
  CHECK(w.solved(2).name == "equal paths");
}

TEST_CASE("a cost that falls along the other axis makes paths along the border best") {
  Wavefront w(9, 12);
  w.costs({w.times(w.real(w.j()), -2)}, {w.b.real(1)});
  CHECK(w.solved().name == "one-signed differences");
}

TEST_CASE("differences of one sign may be zero in places") {
  Wavefront w(9, 12);
  w.costs({w.real(w.div(w.j(), 4))}, {w.b.real(1)});
  CHECK(w.solved().name == "one-signed differences");
}

TEST_CASE("a cost under either of two conditions is that of the cells under one of them") {
  Wavefront w(9, 12);
  const ValueId either = w.b.logical_or(w.b.less(w.i(), w.whole(3)),
                                        w.b.logical_or(w.b.equal(w.i(), w.whole(5)), w.b.less(w.whole(7), w.i())));
  w.costs({w.b.select(either, w.b.real(4), w.b.real(1))}, {w.b.real(2)});
  CHECK(w.solved().name == "equal paths");
}

TEST_CASE("one weight off by a quantum in one cell is noticed") {
  for (std::int64_t x = 1; x <= 5; ++x) {
    for (std::int64_t y = 1; y <= 4; ++y) {
      Wavefront even(5, 4);
      even.costs({even.b.real(1e9)}, {even.b.real(2e9)});
      const double quantum = even.solved().quantum;
      Wavefront w(5, 4);
      const ValueId here = w.b.logical_and(w.b.equal(w.i(), w.whole(x)), w.b.equal(w.j(), w.whole(y)));
      w.costs({w.b.select(here, w.b.real(1e9 + 2 * quantum), w.b.real(1e9))}, {w.b.real(2e9)});
      INFO(x << ", " << y);
      const test::Solved solved = w.solved();
      // In the first column no step along i ends.
      CHECK((solved.name == "equal paths") == (x == 1));
    }
  }
}

TEST_CASE("one weight off by a little in one of 10^18 cells is noticed, and its value is right") {
  constexpr std::int64_t n = 1'000'000'000;
  for (const bool off : {false, true}) {
    Wavefront w(n, n);
    const ValueId here = w.b.logical_and(w.b.equal(w.i(), w.whole(n / 3)), w.b.equal(w.j(), w.whole(n / 7)));
    w.costs({w.b.real(5), w.b.select(here, w.b.real(off ? 16 : 0), w.b.real(0))},
            {w.b.real(9), w.times(w.real(w.mod(w.j(), 3)), 2)});
    const auto solution = test::find_solution(w.m, w.start);
    REQUIRE(solution);
    CHECK((solution->name() == "equal paths") == !off);
    // Along j: 9 for each step, and 2 (j mod 3) for j from 2 to n.
    const auto north = [](std::int64_t j) {
      return 9 * (j - 1) + 6 * (j / 3) + (j % 3 == 0 ? 0 : j % 3 == 1 ? 2 : 6) - 2;
    };
    const std::vector<std::int64_t> corner{n, n}, before{n / 3 - 1, n}, above{n, n / 7 - 1}, there{n / 3, n / 7};
    const double bump = off ? 16 : 0;
    CHECK(solution->at(corner) == 3 + 5.0 * (n - 1) + static_cast<double>(north(n)) + bump);
    CHECK(solution->at(before) == 3 + 5.0 * (n / 3 - 2) + static_cast<double>(north(n)));
    CHECK(solution->at(above) == 3 + 5.0 * (n - 1) + static_cast<double>(north(n / 7 - 1)));
    CHECK(solution->at(there) == 3 + 5.0 * (n / 3 - 1) + static_cast<double>(north(n / 7)) + bump);
  }
}

TEST_CASE("quotients rounded up, chunks and thresholds of large grids need few evaluations") {
  constexpr std::int64_t n = 10'000'000;
  Wavefront w(n, n);
  const auto chunks = [&](ValueId x) {
    return w.real(w.b.unary(ir::UnaryOp::ceil,
                            w.b.divide(w.real(x), w.b.real(64), w.m.site(ir::FailureKind::division_by_zero)),
                            w.m.site(ir::FailureKind::not_representable)));
  };
  const ValueId late = w.b.select(w.b.less(w.i(), w.whole(n / 2)), w.b.real(0), w.b.real(1));
  w.costs({chunks(w.i()), late}, {w.real(w.div(w.j(), 1000))});
  const auto solution = test::find_solution(w.m, w.start);
  REQUIRE(solution);
  CHECK(solution->name() == "equal paths");
  // For ceil(i / 64) from 2 to 640, and for j div 1000 to 2500.
  const std::vector<std::int64_t> at{640, 2500};
  CHECK(solution->at(at) == 3 + 64.0 * 55 - 1 + 1000 + 2 * 501);
}

TEST_CASE("blocks of rounded-up and rounded-down parts have equal paths") {
  Wavefront w(40, 30);
  const auto part = [&](ValueId x, std::int64_t many) {
    return w.b.select(w.b.less_equal(x, w.whole(many)), w.b.real(26), w.b.real(25));
  };
  const ValueId work = w.b.multiply(part(w.i(), 13), part(w.j(), 17));
  w.costs({work, w.b.real(3)}, {work, w.b.real(4)});
  CHECK(w.solved().name == "blocks of equal paths");
  CHECK(w.solved(4).name == "blocks of equal paths");
}

TEST_CASE("three axes: equal paths, and signs that agree with an order of the axes") {
  for (const bool equal : {true, false}) {
    parity::Model m;
    ir::Builder& b = m.build;
    const ir::SpaceId grid = m.grid({"i", "j", "k"}, {b.integer(5), b.integer(4), b.integer(6)});
    const ir::EventId start = m.event("start", grid);
    m.system[start].otherwise = {b.real(1)};
    const auto index = [&](std::size_t axis) { return b.to_real(m.index(grid, axis)); };
    m.constrain(start, start, {-1, 0, 0}, {equal ? index(0) : index(1)});
    m.constrain(start, start, {0, -1, 0}, {equal ? b.real(7) : index(2)});
    m.constrain(start, start, {0, 0, -1}, {b.real(2)});
    const test::Solved solved = test::solve(m, start);
    CHECK(solved.difference == "");
    CHECK(solved.name == (equal ? "equal paths" : "one-signed differences"));
  }
}

TEST_CASE("places so far away that their sums overflow have no proof") {
  for (const bool is_far : {false, true}) {
    Wavefront w((std::int64_t{1} << 60) + (is_far ? 1 : 0), 3);
    w.costs({w.b.real(0)}, {w.b.real(1)});
    CHECK((test::find_solution(w.m, w.start) == nullptr) == is_far);
  }
}

TEST_CASE("a constant that holds everywhere matters at the corner alone where costs are not negative") {
  for (const double cost : {0.0, 2.0, -0.5}) {
    Wavefront w(7, 7);
    w.costs({w.b.real(cost)}, {w.b.real(1)});
    w.m.constrain(w.start, ir::EventId{}, {0, 0}, {w.b.real(4)});
    CHECK(w.solved().name == (cost >= 0 ? "equal paths" : ""));
  }
}

TEST_CASE("constants that hold everywhere, below what is gained on the way up to some place, matter from there on") {
  for (const std::int64_t extent : {40, 4}) {  // 5 - i: less than nothing from the sixth place on
    Wavefront w(extent, 7);
    w.costs({w.b.subtract(w.b.real(5), w.real(w.i()))}, {w.b.real(1)});
    w.m.constrain(w.start, ir::EventId{}, {0, 0}, {w.b.real(4)});
    CHECK(w.solved(2).name.empty() == (extent == 40));
  }
}

TEST_CASE("a weight that fails, or is not finite, in a cell that needs it is left to the cells") {
  for (const std::int64_t where : {1, 2, 5, 6}) {
    Wavefront w(5, 5);
    const ValueId is_other = w.b.logical_not(w.b.equal(w.i(), w.whole(where)));
    w.costs({w.b.check(is_other, w.b.real(2), w.m.site(ir::FailureKind::require_failed))}, {w.b.real(1)});
    const test::Solved solved = w.solved();
    // At i = 1 no step along i ends; i = 6 does not exist.
    CHECK(solved.failed == (where == 2 || where == 5));
    CHECK(solved.name.empty() == solved.failed);
  }
}
