// The delicate points of reductions in vector lanes: zeros and NaN, which failure comes first, overflow, and values
// that are not needed.
#include "tests/parity/reductions.h"

#include "ir/operations.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <limits>

using namespace wave;
using namespace wave::parity;

namespace {

// A loop over k from 1 to n, a parameter.
struct Loop {
  explicit Loop(std::int64_t n) : binder(model.build.binder("k")) {
    level = model.level(binder, model.build.integer(1), model.parameter("n", model.build.integer(n)));
    k = model.build.index(binder);
  }
  ValueId reduce(ReduceKind kind, ValueId body, ValueId value = {}) {
    return model.build.reduce(kind, {level}, body, value, model.site(FailureKind::empty_reduction));
  }
  // `odd` at one index and `body` at all others.
  ValueId but_at(std::int64_t index, ValueId odd, ValueId body) {
    return model.build.select(model.build.equal(k, model.build.integer(index)), odd, body);
  }
  ValueId modulo(ValueId x, std::int64_t by) {
    return model.build.binary(BinaryOp::modulo, x, model.build.integer(by), model.site(FailureKind::division_by_zero));
  }
  void root(ValueId value) { model.root("reduced", {value}); }

  Model model;
  const ir::BinderId binder;
  ir::Level level;
  ValueId k;
};

// Checks that all roots are alike in lanes of several widths, with and without threads, and counts the iterations that
// ran in lanes.
std::uint64_t same_in_lanes(const ir::System& system) {
  std::uint64_t in_lanes = 0;
  for (const jit::LaneWishes& wishes : {jit::LaneWishes{.always = true},
                                        {.always = true, .lanes = 4, .steps = 20},
                                        {.always = true, .lanes = 8, .threads = 3}}) {
    const LaneWish wish(wishes);
    const CheckedReductions checked = check_reductions(system);
    INFO(fmt::format("{} lanes, {} threads", wishes.lanes, wishes.threads));
    CHECK(checked.difference == "");
    in_lanes += checked.in_lanes;
  }
  return in_lanes;
}

}  // namespace

TEST_CASE("extrema in lanes treat NaN and both zeros as a fold from the left does", "[long]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t at : {1, 63, 100}) {
    Loop loop(100);
    ir::Builder& build = loop.model.build;
    for (const double odd : {nan, 0.0, -0.0, infinity, -infinity}) {
      for (const double other : {0.0, -1.0}) {
        const ValueId body = loop.but_at(
            at, build.real(odd),
            build.select(build.equal(loop.modulo(loop.k, 3), build.integer(0)), build.real(-0.0), build.real(other)));
        for (const ReduceKind kind : {ReduceKind::maximum, ReduceKind::minimum, ReduceKind::sum, ReduceKind::product}) {
          loop.root(loop.reduce(kind, body));
        }
        for (const ReduceKind kind : {ReduceKind::arg_max, ReduceKind::arg_min})
          loop.root(loop.reduce(kind, body, loop.k));
      }
    }
    CHECK(same_in_lanes(loop.model.system) > 0);
  }
}

TEST_CASE("what decides a reduction in lanes hides the failures behind it, and no others") {
  std::uint64_t in_lanes = 0;
  for (const std::int64_t decides : {1, 30, 31, 90}) {
    Loop loop(100);
    ir::Builder& build = loop.model.build;
    for (const std::int64_t fails : {1, 29, 30, 31, 32, 60, 100}) {
      const ValueId bad = build.fail(loop.model.site(FailureKind::error_called), ScalarType::boolean);
      for (const bool deciding : {true, false}) {
        const ValueId body =
            loop.but_at(fails, bad, loop.but_at(decides, build.boolean(deciding), build.boolean(!deciding)));
        loop.root(loop.reduce(deciding ? ReduceKind::any : ReduceKind::all, body));
      }
    }
    in_lanes += same_in_lanes(loop.model.system);
  }
  CHECK(in_lanes > 0);
}

TEST_CASE("a failing element of a reduction in lanes is the first in order") {
  Loop loop(1000);
  ir::Builder& build = loop.model.build;
  const ValueId zero =
      build.subtract(loop.modulo(loop.k, 333), build.integer(7), loop.model.site(FailureKind::integer_overflow));
  const ValueId quotient =
      build.divide(build.real(1), build.to_real(zero), loop.model.site(FailureKind::division_by_zero));
  const ValueId root = build.unary(
      UnaryOp::square_root,
      build.to_real(build.subtract(build.integer(500), loop.k, loop.model.site(FailureKind::integer_overflow))),
      loop.model.site(FailureKind::outside_domain));
  for (const ReduceKind kind : {ReduceKind::sum, ReduceKind::maximum}) {
    loop.root(loop.reduce(kind, quotient));
    loop.root(loop.reduce(kind, root));
    loop.root(loop.reduce(kind, build.add(root, quotient)));
  }
  // The place of a maximum is evaluated, and may fail, only where its value would be a new extreme.
  loop.root(loop.reduce(ReduceKind::arg_max, build.to_real(loop.modulo(loop.k, 97)),
                        build.unary(UnaryOp::round, quotient, loop.model.site(FailureKind::not_representable))));
  CHECK(same_in_lanes(loop.model.system) > 0);
}

TEST_CASE("sums and products of integers in lanes overflow where a fold does") {
  const std::int64_t large = std::numeric_limits<std::int64_t>::max() - 50;
  Loop loop(200);
  ir::Builder& build = loop.model.build;
  const ValueId most = loop.model.parameter("most", build.integer(large));
  const ValueId least = build.negate(most, loop.model.site(FailureKind::integer_overflow));
  // The whole sum would fit in any order but this one.
  for (const std::int64_t at : {20, 40, 90}) {
    const ValueId back = loop.but_at(at + 30, least, build.integer(2));
    loop.root(loop.reduce(ReduceKind::sum, loop.but_at(at, most, back)));
    loop.root(loop.reduce(ReduceKind::sum, loop.but_at(at, build.integer(1), back)));
    const ValueId factor = loop.but_at(at + 70, build.integer(0), loop.modulo(loop.k, 2));
    loop.root(loop.reduce(ReduceKind::product,
                          build.add(factor, build.integer(1), loop.model.site(FailureKind::integer_overflow))));
    loop.root(loop.reduce(ReduceKind::product, loop.but_at(at, build.integer(-3), build.integer(1))));
  }
  CHECK(same_in_lanes(loop.model.system) > 0);
}

TEST_CASE("indices and integers that are too large for lanes are left to scalar code") {
  for (const std::int64_t first :
       {std::int64_t{1} << 24, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max() - 60}) {
    Loop loop(100);
    ir::Builder& build = loop.model.build;
    loop.level.first = loop.model.parameter("first", build.integer(first));
    loop.level.last = build.add(loop.level.first, build.integer(60), loop.model.site(FailureKind::integer_overflow));
    const ValueId large = loop.model.parameter("large", build.integer(first));
    const ir::SiteId overflow = loop.model.site(FailureKind::integer_overflow);
    loop.root(loop.reduce(ReduceKind::sum, loop.modulo(loop.k, 7)));
    loop.root(loop.reduce(ReduceKind::maximum, build.subtract(large, loop.k, overflow)));
    Loop other(100);
    ir::Builder& more = other.model.build;
    const ValueId factor = other.model.parameter("factor", more.integer(first));
    other.root(other.reduce(ReduceKind::maximum,
                            more.multiply(factor, other.k, other.model.site(FailureKind::integer_overflow))));
    same_in_lanes(loop.model.system);
    same_in_lanes(other.model.system);
  }
}

TEST_CASE("divisions in lanes by what is the same in all have the quotients and remainders of integers", "[long]") {
  constexpr std::int64_t large = std::int64_t{1} << 26;
  for (const std::int64_t divisor : {std::int64_t{1}, std::int64_t{-1}, std::int64_t{2}, std::int64_t{3},
                                     std::int64_t{-7}, std::int64_t{101}, large - 1, -large, std::int64_t{0}}) {
    Loop loop(100);
    ir::Builder& build = loop.model.build;
    const ir::SiteId overflow = loop.model.site(FailureKind::integer_overflow);
    const ValueId by = loop.model.parameter("by", build.integer(divisor));
    const ValueId factor = loop.model.parameter("factor", build.integer(large - 5));
    // At, before and after multiples of the divisor, and where quotients are large.
    for (const std::int64_t off : {-1, 0, 1}) {
      const ValueId middle = build.subtract(loop.k, build.integer(50), overflow);
      for (const ValueId times : {by, factor, build.multiply(factor, build.integer((1 << 19) - 1), overflow)}) {
        const ValueId number = build.add(build.multiply(middle, times, overflow), build.integer(off), overflow);
        for (const BinaryOp op : {BinaryOp::floor_divide, BinaryOp::modulo}) {
          const ValueId divided = build.binary(op, number, by, loop.model.site(FailureKind::division_by_zero));
          loop.root(loop.reduce(ReduceKind::sum, divided));
        }
      }
    }
    const std::uint64_t in_lanes = same_in_lanes(loop.model.system);
    if (divisor != 0) CHECK(in_lanes > 0);
  }
}

TEST_CASE("definitions that a reduction in lanes may never need are evaluated by need") {
  Loop loop(300);
  ir::Builder& build = loop.model.build;
  const ValueId zero = loop.model.parameter("zero", build.real(0));
  const ValueId failing = build.divide(build.real(1), zero, loop.model.site(FailureKind::division_by_zero));
  const ValueId never = build.reference(build.define(ir::System::root_frame, "never", failing));
  const ValueId slow = build.reference(build.define(
      ir::System::root_frame, "slow",
      build.divide(build.real(3), build.add(zero, build.real(2)), loop.model.site(FailureKind::division_by_zero))));
  const ValueId late = build.less(build.integer(150), loop.k);
  loop.root(loop.reduce(ReduceKind::maximum,
                        build.select(build.less(build.integer(1000), loop.k), never, build.to_real(loop.k))));
  loop.root(loop.reduce(ReduceKind::sum, build.select(late, slow, build.to_real(loop.k))));
  loop.root(loop.reduce(ReduceKind::sum, build.select(late, never, slow)));
  CHECK(same_in_lanes(loop.model.system) > 0);
}

TEST_CASE("long nests go into lanes by themselves, and look at the clock") {
  Loop loop(4000);
  ir::Builder& build = loop.model.build;
  const ir::BinderId p = build.binder("p");
  const ir::SiteId overflow = loop.model.site(FailureKind::integer_overflow);
  const ValueId body = loop.modulo(build.multiply(loop.k, build.index(p), overflow), 101);
  const ir::Level inner = loop.model.level(p, build.integer(1), loop.model.parameter("m", build.integer(1000)));
  loop.root(loop.reduce(ReduceKind::sum, build.reduce(ReduceKind::maximum, {inner}, body, {}, overflow)));
  const auto jit = engine(backend::EngineKind::jit, loop.model.system);
  const auto outcome = jit->start({}, {})->evaluate(ir::RootId{0});
  REQUIRE(std::holds_alternative<backend::Rows>(outcome));
  CHECK(backend::jit_counts(*jit).iterations_in_lanes > 3000);

  backend::Limits soon;
  soon.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const std::vector<backend::Binding> longer{{loop.model.definition("n"), ir::Scalar::of(std::int64_t{1} << 50)}};
  const auto limited = jit->start(longer, soon)->evaluate(ir::RootId{0});
  REQUIRE(std::holds_alternative<ir::Failure>(limited));
  CHECK(std::get<ir::Failure>(limited).kind == FailureKind::time_limit);
}
