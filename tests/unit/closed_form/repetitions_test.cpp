// What the analysis finds about a scalar from its expression holds at every index.
#include "backend/closed_form/index_function.h"
#include "backend/closed_form/periods.h"
#include "ir/operations.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/unit/closed_form/solved.h"

#include <catch2/catch.hpp>

#include <bit>

using namespace wave;
using namespace wave::backend::closed_form;
using ir::BinaryOp;
using ir::UnaryOp;
using ir::ValueId;

namespace {

// Random expressions in one index.
struct Expressions {
  parity::Model& m;
  ir::SpaceId grid;
  test::Choices choose;
  std::int64_t extent;
  ir::Builder& b = m.build;

  ir::SiteId site() { return m.site(ir::FailureKind::integer_overflow); }

  ValueId integer(int depth) {
    if (depth == 0) return choose.chance(0.7) ? m.index(grid, 0) : b.integer(choose.between(-9, extent));
    switch (choose.below(8)) {
      case 0: return b.add(integer(depth - 1), integer(depth - 1), site());
      case 1: return b.subtract(integer(depth - 1), integer(depth - 1), site());
      case 2: return b.multiply(integer(depth - 1), b.integer(choose.between(-3, 5)), site());
      case 3: return b.binary(BinaryOp::floor_divide, integer(depth - 1), divisor(), site());
      case 4: return b.binary(BinaryOp::modulo, integer(depth - 1), divisor(), site());
      case 5: return b.select(truth(depth - 1), integer(depth - 1), integer(depth - 1));
      case 6:
        return choose.chance(0.5) ? b.maximum({integer(depth - 1), integer(depth - 1)})
                                  : b.minimum({integer(depth - 1), integer(depth - 1)});
      default: return b.unary(choose.chance(0.5) ? UnaryOp::floor : UnaryOp::ceil, real(depth - 1), site());
    }
  }
  ValueId divisor() {
    const std::int64_t value = choose.between(-5, 7);
    return b.integer(value == 0 ? 16 : value);
  }
  ValueId real(int depth) {
    if (depth == 0) return choose.chance(0.5) ? b.to_real(integer(0)) : b.real(amount());
    switch (choose.below(7)) {
      case 0: return b.add(real(depth - 1), real(depth - 1));
      case 1: return b.subtract(real(depth - 1), real(depth - 1));
      case 2: return b.multiply(real(depth - 1), b.real(amount()));
      case 3: return b.divide(real(depth - 1), b.real(choose.chance(0.5) ? 4 : 3), site());
      case 4: return b.select(truth(depth - 1), real(depth - 1), real(depth - 1));
      case 5: return b.unary(UnaryOp::absolute, real(depth - 1));
      default: return b.to_real(integer(depth - 1));
    }
  }
  double amount() { return choose.chance(0.6) ? static_cast<double>(choose.between(-8, 40)) / 8 : choose.tame_real(); }
  ValueId truth(int depth) {
    static const BinaryOp ops[] = {BinaryOp::less, BinaryOp::less_equal, BinaryOp::greater, BinaryOp::equal,
                                   BinaryOp::not_equal};
    const BinaryOp op = ops[choose.below(5)];
    if (depth > 0 && choose.chance(0.2)) return b.logical_and(truth(depth - 1), b.logical_not(truth(depth - 1)));
    return choose.chance(0.7) ? b.binary(op, integer(std::max(0, depth - 1)), integer(std::max(0, depth - 1)))
                              : b.binary(op, real(std::max(0, depth - 1)), real(std::max(0, depth - 1)));
  }
};

double as_real(const ir::Scalar& x) {
  return x.type == ir::ScalarType::real      ? x.real
         : x.type == ir::ScalarType::integer ? static_cast<double>(x.integer)
                                             : x.boolean;
}

}  // namespace

TEST_CASE("scalars repeat, or grow by the same amount, where their expressions say so") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::rounds_of(2000);
  std::size_t repeating = 0, growing = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model m;
    test::Choices choose(seed);
    const std::int64_t low = choose.between(-300, 300), high = low + choose.between(100, 1500);
    const ir::SpaceId grid = m.grid({"i"}, {m.build.integer(1)});
    Expressions expressions{m, grid, choose, 200};
    const ValueId value = seed % 3 == 0   ? expressions.truth(3)
                          : seed % 3 == 1 ? expressions.integer(3)
                                          : expressions.real(3);
    Surroundings around;
    LooksAt looks_at(m.system);
    const ir::BinderId axis = m.system[grid].axes[0].binder;
    const auto parts = repetitions(m.system, around, looks_at, value, axis, low, high, 2);
    Scalars scalars(m.system, around);
    std::vector<std::int64_t> indices;
    for (std::int64_t i = low; i <= high; ++i) indices.push_back(i);
    scalars.bind(axis, indices);
    const LaneValues* const evaluated = scalars.evaluate(value);
    INFO("seed " << seed);
    REQUIRE(parts);
    REQUIRE(evaluated != nullptr);
    const LaneValues& lanes = *evaluated;
    std::int64_t next = low;
    bool is_right = true;
    for (const Repetition& part : *parts) {
      REQUIRE(part.first == next);
      next = part.last + 1;
      repeating += part.period < part.last - part.first + 1;
      growing += part.increment != 0;
      for (std::int64_t i = part.first + part.period; i <= part.last; ++i) {
        const auto here = static_cast<std::size_t>(i - low), before = static_cast<std::size_t>(i - low - part.period);
        is_right = is_right && lanes.has_failed(here) == lanes.has_failed(before);
        if (lanes.has_failed(here) || lanes.has_failed(before)) continue;
        const ir::Scalar x = lanes.scalar(here), y = lanes.scalar(before);
        // The comparison is exact, since the difference of two close numbers does not round.
        const bool same = part.increment == 0 ? lanes.at(here).integer == lanes.at(before).integer
                                              : as_real(x) - as_real(y) == part.increment;
        is_right = is_right && same;
      }
    }
    CHECK(is_right);
    REQUIRE(next == high + 1);
  }
  CHECK(repeating > count / 2);
  CHECK(growing > count / 20);
}

TEST_CASE("whole quotients of an index grow by whole numbers in the shortest period") {
  struct Quotient {
    std::int64_t factor, divisor, period;
    double increment;
  };
  for (const Quotient& quotient :
       {Quotient{1, 3, 3, 1}, {4, 6, 3, 2}, {10, 4, 2, 5}, {6, -4, 2, -3}, {-1, 64, 64, -1}}) {
    for (const UnaryOp op : {UnaryOp::floor, UnaryOp::ceil}) {
      parity::Model m;
      ir::Builder& b = m.build;
      const ir::SpaceId grid = m.grid({"i"}, {b.integer(1)});
      const ir::SiteId site = m.site(ir::FailureKind::integer_overflow);
      const ValueId dividend = b.to_real(b.multiply(m.index(grid, 0), b.integer(quotient.factor), site));
      const ValueId value = b.unary(op, b.divide(dividend, b.real(static_cast<double>(quotient.divisor)), site), site);
      Surroundings around;
      LooksAt looks_at(m.system);
      const auto parts =
          repetitions(m.system, around, looks_at, value, m.system[grid].axes[0].binder, 1, std::int64_t{1} << 40, 1024);
      INFO(quotient.factor << " i / " << quotient.divisor);
      REQUIRE(parts);
      REQUIRE(parts->size() == 1);
      CHECK(parts->front().period == quotient.period);
      CHECK(parts->front().increment == quotient.increment);
    }
  }
}

TEST_CASE("sums over a long axis have the bits of direct evaluation, rounding included") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  const std::uint64_t count = test::rounds_of(1000) / 5;
  std::size_t used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    parity::Model m;
    test::Choices choose(seed);
    const ir::SpaceId grid = m.grid({"i"}, {m.build.integer(choose.between(100, 1500))});
    const ir::EventId start = m.event("start", grid);
    Expressions expressions{m, grid, choose, 500};
    m.constrain(start, start, {choose.chance(0.5) ? 1 : -1}, {expressions.real(3), expressions.real(2)});
    m.system[start].otherwise = {m.build.real(choose.tame_real())};
    const test::Solved solved = test::solve(m, start, 2);
    INFO("seed " << seed);
    CHECK(solved.difference == "");
    used += solved.name == "one path";
  }
  CHECK(used > count / 2);
}

TEST_CASE("a weight whose growth rounding disturbs in every period is not said to grow") {
  parity::Model m;
  ir::Builder& b = m.build;
  const ir::SpaceId grid = m.grid({"i", "j"}, {b.integer(1'000'000'000), b.integer(1'000'000'000)});
  const ir::EventId start = m.event("start", grid);
  // Counted in quanta, it grows by a number with more than 22 binary places.
  m.constrain(start, start, {-1, 0}, {b.multiply(b.to_real(m.index(grid, 0)), b.real(4194305))});
  m.constrain(start, start, {0, -1}, {b.real(1)});
  m.system[start].otherwise = {b.real(1)};
  double quantum = 0;
  const auto solution = test::find_solution(m, start, 1024, &quantum);
  CHECK(quantum >= 0x1p8);
  CHECK(!solution);
}
