// Costs that repeat along both axes: random ones, compared with every cell, and large grids, compared with loops.
#include "ir/operations.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/unit/closed_form/solved.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace wave;
using ir::ValueId;

namespace {

// start[i, j] = max(start[i-1, j] + west[i mod p, j mod q], start[i, j-1] + north[i mod p, j mod q]) else 3, and now
// and then more that is gained on every path.
class Grid {
 public:
  parity::Model m;
  ir::EventId start;
  std::int64_t n, k, p, q;
  std::vector<std::int64_t> west, north;

  // `layers`: of several, each next one gains more on every step along i.
  Grid(std::uint64_t seed, std::int64_t n_, std::int64_t k_, std::int64_t longest, std::int64_t layers = 1)
      : n(n_), k(k_), choose_(seed) {
    p = choose_.between(1, longest), q = choose_.between(1, longest);
    if (layers > 1)
      grid_ = m.grid({"i", "j", "k"}, {m.build.integer(n), m.build.integer(k), m.build.integer(layers)});
    else
      grid_ = m.grid({"i", "j"}, {m.build.integer(n), m.build.integer(k)});
    start = m.event("start", grid_);
    const std::uint64_t style = choose_.below(4);
    const std::int64_t most = style == 0 ? 1 : style == 1 ? 4 : 1000;
    for (auto* costs : {&west, &north}) {
      for (std::int64_t i = 0; i < p * q; ++i) {
        costs->push_back(style == 3 && choose_.chance(0.6) ? -most : choose_.between(-most / 4, most));
      }
    }
    std::vector<ValueId> more_west{more(0)}, more_north{more(1)};
    if (layers > 1) more_west.push_back(m.build.to_real(index(2)));
    define(std::move(more_west), std::move(more_north));
  }
  // Of such costs.
  Grid(std::int64_t n_, std::int64_t p_, std::int64_t q_, std::vector<std::int64_t> west_,
       std::vector<std::int64_t> north_)
      : n(n_), k(n_), p(p_), q(q_), west(std::move(west_)), north(std::move(north_)), choose_(0) {
    grid_ = m.grid({"i", "j"}, {m.build.integer(n), m.build.integer(k)});
    start = m.event("start", grid_);
    define({}, {});
  }

  // Of a grid without more gains: values in the row i and in the column j, from 1.
  std::int64_t by_loops(std::int64_t i, std::int64_t j) const {
    std::vector<std::int64_t> row(static_cast<std::size_t>(j), 3);
    for (std::int64_t a = 1; a <= i; ++a) {
      for (std::int64_t b = 1; b <= j; ++b) {
        std::int64_t& value = row[static_cast<std::size_t>(b - 1)];
        const auto cell = static_cast<std::size_t>(a % p * q + b % q);
        const std::int64_t from_north = b > 1 ? row[static_cast<std::size_t>(b - 2)] + north[cell] : value;
        const std::int64_t from_west = value + west[cell];
        if (a == 1)
          value = b == 1 ? 3 : from_north;
        else
          value = b == 1 ? from_west : std::max(from_west, from_north);
      }
    }
    return row.back();
  }
  bool gains_more = false;

 private:
  void define(std::vector<ValueId> more_west, std::vector<ValueId> more_north) {
    more_west.insert(more_west.begin(), of_table(west));
    more_north.insert(more_north.begin(), of_table(north));
    std::vector<std::int32_t> west_of(m.system[grid_].axes.size(), 0), north_of = west_of;
    west_of[0] = north_of[1] = -1;
    m.constrain(start, start, west_of, std::move(more_west));
    m.constrain(start, start, north_of, std::move(more_north));
    m.system[start].otherwise = {m.build.real(3)};
    m.system[start].exact = true;
  }
  ValueId index(std::size_t axis) { return m.index(grid_, axis); }
  ValueId rest(std::size_t axis) {
    return m.build.binary(ir::BinaryOp::modulo, index(axis), m.build.integer(axis == 0 ? p : q),
                          m.site(ir::FailureKind::division_by_zero));
  }
  ValueId of_table(const std::vector<std::int64_t>& table) {
    ir::Builder& b = m.build;
    ValueId result = b.real(static_cast<double>(table.back()));
    for (std::int64_t cell = p * q - 2; cell >= 0; --cell) {
      const ValueId here = b.logical_and(b.equal(rest(0), b.integer(cell / q)), b.equal(rest(1), b.integer(cell % q)));
      result = b.select(here, b.real(static_cast<double>(table[static_cast<std::size_t>(cell)])), result);
    }
    return result;
  }
  ValueId more(std::size_t axis) {
    if (!choose_.chance(0.2)) return m.build.real(0);
    gains_more = true;
    return m.build.multiply(m.build.to_real(index(axis)), m.build.real(2));
  }

  test::Choices choose_;
  ir::SpaceId grid_;
};

}  // namespace

TEST_CASE("periods of both axes give the bits of direct evaluation") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1) + 120'000;
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 1500) / 5;
  std::map<std::string, std::size_t> used;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    test::Choices choose(seed);
    const std::int64_t n = choose.between(17, 50), k = choose.between(17, 50);
    Grid grid(seed, n, k, 5);
    const test::Solved solved = test::solve(grid.m, grid.start, seed % 2 == 0 ? 1024 : 7);
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    ++used[solved.name];
  }
  for (const auto& [name, times] : used) UNSCOPED_INFO(name << ": " << times);
  if (count >= 300) CHECK(used["periods of both axes"] > count / 2);
}

TEST_CASE("periods of both axes tell of far places what loops find") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1) + 130'000;
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 500) / 25;
  std::size_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Grid grid(seed, 1'000'000'000, 1'000'000'000, 7);
    const auto solution = test::find_solution(grid.m, grid.start);
    INFO("seed " << seed);
    REQUIRE(solution);
    if (solution->name() != "periods of both axes" || grid.gains_more) continue;
    for (const std::vector<std::int64_t>& at :
         {std::vector<std::int64_t>{1700, 1900}, {2500, 3}, {4, 2500}, {2000, 90}, {70, 2000}}) {
      CHECK(solution->at(at) == static_cast<double>(grid.by_loops(at[0], at[1])));
      ++compared;
    }
  }
  if (count >= 20) CHECK(compared > 20);
}

TEST_CASE("a line that gains more overtakes one that is ahead") {
  // Lines along the diagonal, two places apart: on one of them each step gains 2, on the other 3, and to change costs
  // much. A path begins on the first.
  constexpr std::int64_t n = 1'000'000, period = 4, change = -50'000;
  std::vector<std::int64_t> west, north;
  for (std::int64_t i = 0; i < period; ++i) {
    for (std::int64_t j = 0; j < period; ++j) {
      const std::int64_t line = (j - i + period) % period;  // 0 and 3: the first, 1 and 2: the second
      west.push_back(line == 3 ? 2 : line == 1 ? 3 : change);
      north.push_back(line == 0 ? 2 : line == 2 ? 3 : change);
    }
  }
  Grid grid(n, period, period, west, north);
  const auto solution = test::find_solution(grid.m, grid.start);
  REQUIRE(solution);
  REQUIRE(solution->name() == "periods of both axes");
  const auto at = [&](std::int64_t i, std::int64_t j) { return solution->at(std::vector<std::int64_t>{i, j}); };
  for (const std::int64_t i : {20, 501, 1500}) CHECK(at(i, i + 1) == static_cast<double>(grid.by_loops(i, i + 1)));
  for (const std::int64_t i : {2, 49'999, 50'002, 50'003, 50'004, 50'005, 50'006, 99'999}) {
    const std::int64_t steps = 2 * (i - 1), there_and_back = 3 * (steps - 2) + 2 * change;
    CHECK(at(i, i) == static_cast<double>(3 + std::max(2 * steps, there_and_back)));
  }
  CHECK(at(n, n) == static_cast<double>(3 + 3 * (2 * n - 4) + 2 * change));
}

TEST_CASE("lines that meet in several places of a period are joined to others") {
  const std::vector<std::int64_t> west{0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1,
                                       1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0},
      north{0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1};
  Grid grid(1'000'000'000, 7, 4, west, north);
  const auto solution = test::find_solution(grid.m, grid.start);
  REQUIRE(solution);
  REQUIRE(solution->name() == "periods of both axes");
  for (const std::vector<std::int64_t>& at :
       {std::vector<std::int64_t>{1700, 1900}, {2500, 3}, {4, 2500}, {2000, 90}, {70, 2000}})
    CHECK(solution->at(at) == static_cast<double>(grid.by_loops(at[0], at[1])));
}

TEST_CASE("along a third axis without steps, costs that repeat along both others may be its own") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Grid grid(seed, 40, 35, 5, 3);
    const test::Solved solved = test::solve(grid.m, grid.start, 7);
    INFO("seed " << seed << ": " << solved.name);
    CHECK(solved.difference == "");
    CHECK(solved.name != "periods of both axes");
  }
}

TEST_CASE("a cost that breaks the period in one place is not taken for one that repeats") {
  for (const bool breaks : {false, true}) {
    parity::Model m;
    ir::Builder& b = m.build;
    const ir::SpaceId grid = m.grid({"i", "j"}, {b.integer(100'000), b.integer(100'000)});
    const ir::EventId start = m.event("start", grid);
    m.system[start].otherwise = {b.real(3)};
    const auto starts_node = [&](std::size_t axis) {
      const ValueId rest =
          b.binary(ir::BinaryOp::modulo, m.index(grid, axis), b.integer(4), m.site(ir::FailureKind::division_by_zero));
      return b.equal(rest, b.integer(0));
    };
    const ValueId both = b.logical_and(starts_node(0), starts_node(1));
    const ValueId here =
        b.logical_and(b.equal(m.index(grid, 0), b.integer(77'777)), b.equal(m.index(grid, 1), b.integer(55'555)));
    std::vector<ValueId> west{b.select(both, b.real(9), b.real(2))};
    if (breaks) west.push_back(b.select(here, b.real(1), b.real(0)));
    m.constrain(start, start, {-1, 0}, west);
    m.constrain(start, start, {0, -1}, {b.select(starts_node(0), b.real(4), b.real(3))});
    const auto solution = test::find_solution(m, start);
    CHECK((solution && solution->name() == "periods of both axes") == !breaks);
  }
}
