// Every node in vector lanes has the same bits as in the interpreter, and only rows that fail are left to scalar code.
#include "ir/operations.h"
#include "tests/parity/batches.h"
#include "tests/parity/systems.h"
#include "tests/parity/troublesome.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace wave;
using namespace wave::parity;

namespace {

const std::vector<std::int64_t> small_integers = {
    0, 1, -1, 2, -2, 3, -3, 7, 62, 63, 64, 100, -100, 1'000'007, 4'294'967'296, -5};

// Every pair of two values.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs(const std::vector<T>& values) {
  std::pair<std::vector<T>, std::vector<T>> result;
  for (const T& left : values) {
    for (const T& right : values) result.first.push_back(left), result.second.push_back(right);
  }
  return result;
}

// A model of two parameters, with every pair of these values.
template <class T>
struct OfTwo {
  explicit OfTwo(const std::vector<T>& values) {
    const auto define = [&](const char* name) {
      if constexpr (std::is_same_v<T, double>)
        return model.parameter(name, model.build.real(1));
      else
        return model.parameter(name, model.build.integer(1));
    };
    a = define("a"), b = define("b");
    auto [left, right] = pairs(values);
    table.add(model.definition("a"), std::move(left));
    table.add(model.definition("b"), std::move(right));
    site = model.site(ir::FailureKind::outside_domain);
  }
  BatchComparison check(ValueId value) {
    const ir::DefinitionId result = model.build.define(ir::System::root_frame, "result", value);
    const BatchComparison comparison = compare_batch(model.system, table, {result});
    CHECK(comparison.difference == "");
    return comparison;
  }
  // Checks that only the rows that fail are left to scalar code.
  void check_all(ValueId value) {
    const BatchComparison comparison = check(value);
    CHECK(comparison.in_lanes + comparison.failed == comparison.rows);
  }

  Model model;
  ValueId a, b;
  ir::SiteId site;
  Table table;
};

}  // namespace

TEST_CASE("operators on reals in lanes have the interpreter's bits", "[long]") {
  for (const UnaryOp op : {
           UnaryOp::negate,
           UnaryOp::quantum_of,
#define WAVE_FUNCTION(name, ...) UnaryOp::name,
#include "ir/operations.def"
       }) {
    INFO("operator " << static_cast<int>(op));
    OfTwo<double> two(troublesome_reals);
    two.check_all(two.model.build.unary(op, two.a, two.site));
  }
  for (const BinaryOp op :
       {BinaryOp::add, BinaryOp::subtract, BinaryOp::multiply, BinaryOp::divide, BinaryOp::floor_divide,
        BinaryOp::modulo, BinaryOp::power_real, BinaryOp::round_to, BinaryOp::less, BinaryOp::less_equal,
        BinaryOp::greater, BinaryOp::greater_equal, BinaryOp::equal, BinaryOp::not_equal}) {
    INFO("operator " << static_cast<int>(op));
    OfTwo<double> two(troublesome_reals);
    two.check_all(two.model.build.binary(op, two.a, two.b, two.site));
  }
  for (const double exponent : {0.0, 1.0, 2.0, 3.0, 17.0, 64.0, -1.0, -2.0, -7.0, 65.0, 0.5}) {
    INFO("exponent " << exponent);
    OfTwo<double> two(troublesome_reals);
    two.check_all(two.model.build.binary(BinaryOp::power_real, two.a, two.model.build.real(exponent), two.site));
  }
}

TEST_CASE("operators on integers in lanes have the interpreter's bits", "[long]") {
  for (const UnaryOp op : {UnaryOp::negate, UnaryOp::absolute, UnaryOp::to_real}) {
    INFO("operator " << static_cast<int>(op));
    OfTwo<std::int64_t> two(troublesome_integers);
    two.check_all(two.model.build.unary(op, two.a, two.site));
  }
  for (const BinaryOp op :
       {BinaryOp::add, BinaryOp::subtract, BinaryOp::power_integer, BinaryOp::less, BinaryOp::less_equal,
        BinaryOp::greater, BinaryOp::greater_equal, BinaryOp::equal, BinaryOp::not_equal}) {
    INFO("operator " << static_cast<int>(op));
    OfTwo<std::int64_t> two(troublesome_integers);
    two.check_all(two.model.build.binary(op, two.a, two.b, two.site));
  }
  for (const BinaryOp op : {BinaryOp::multiply, BinaryOp::floor_divide, BinaryOp::modulo}) {
    INFO("operator " << static_cast<int>(op));
    OfTwo<std::int64_t> two(troublesome_integers);
    two.check(two.model.build.binary(op, two.a, two.b, two.site));
    OfTwo<std::int64_t> small(small_integers);
    small.check_all(small.model.build.binary(op, small.a, small.b, small.site));
    for (const std::int64_t constant : {1, 2, 8, 3, -3, 1'000'003}) {
      INFO("constant " << constant);
      OfTwo<std::int64_t> one(small_integers);
      one.check_all(one.model.build.binary(op, one.a, one.model.build.integer(constant), one.site));
    }
  }
  for (const std::int64_t exponent : {0, 1, 2, 3, 7}) {
    INFO("exponent " << exponent);
    OfTwo<std::int64_t> two(small_integers);
    two.check(two.model.build.binary(BinaryOp::power_integer, two.a, two.model.build.integer(exponent), two.site));
  }
}

TEST_CASE("what is chosen decides which lanes are good") {
  OfTwo<double> two(troublesome_reals);
  ir::Builder& build = two.model.build;
  const ValueId root = build.unary(UnaryOp::square_root, two.a, two.site);
  const ValueId quotient = build.binary(BinaryOp::divide, build.real(1), two.b, two.site);
  const ValueId positive = build.binary(BinaryOp::greater, two.a, build.real(0));
  const ValueId not_zero = build.binary(BinaryOp::not_equal, two.b, build.real(0));
  SECTION("select") { two.check_all(build.select(positive, root, quotient)); }
  SECTION("and") { two.check_all(build.logical_and(not_zero, build.less(quotient, root))); }
  SECTION("or") { two.check_all(build.logical_or(not_zero, build.less(quotient, root))); }
  SECTION("check") {
    two.check_all(build.check(build.logical_and(positive, not_zero), build.add(root, quotient), two.site));
  }
  SECTION("fail") {
    two.check_all(build.select(positive, build.add(two.a, two.b), build.fail(two.site, ScalarType::real)));
  }
  SECTION("extrema") {
    two.check_all(build.add(build.maximum({two.a, two.b, build.real(0.25)}), build.minimum({two.b, two.a})));
  }
}

TEST_CASE("loops in lanes end where each lane's does") {
  OfTwo<std::int64_t> two({-3, 0, 1, 2, 5, 9, 40});
  ir::Builder& build = two.model.build;
  const ir::BinderId k = build.binder("k");
  const ValueId index = build.index(k);
  const ir::SiteId site = two.model.site(ir::FailureKind::empty_reduction);
  ir::Level level = two.model.level(k, two.a, two.b);
  const ValueId odd = build.equal(build.binary(BinaryOp::modulo, index, build.integer(2), site), build.integer(1));
  SECTION("of every kind") {
    for (const ReduceKind kind : {ReduceKind::sum, ReduceKind::product, ReduceKind::maximum, ReduceKind::minimum,
                                  ReduceKind::count, ReduceKind::arg_min, ReduceKind::arg_max, ReduceKind::nth}) {
      INFO("kind " << static_cast<int>(kind));
      OfTwo<std::int64_t> one({-3, 0, 1, 2, 5, 9, 40});
      ir::Builder& b = one.model.build;
      const ir::BinderId binder = b.binder("k");
      const ir::SiteId place = one.model.site(ir::FailureKind::empty_reduction);
      const ir::Level loop = one.model.level(binder, one.a, one.b);
      const ValueId square = b.binary(BinaryOp::multiply, b.index(binder), b.index(binder), place);
      const ValueId body =
          kind == ReduceKind::count ? ValueId{} : b.binary(BinaryOp::modulo, square, b.integer(7), place);
      const bool has_value = kind == ReduceKind::arg_min || kind == ReduceKind::arg_max;
      const ValueId value = has_value ? square : kind == ReduceKind::nth ? b.integer(3) : ValueId{};
      one.check_all(b.reduce(kind, {loop}, body, value, place));
    }
  }
  SECTION("any and all") {
    const ValueId any = build.reduce(ReduceKind::any, {level}, build.equal(index, build.integer(4)), {}, site);
    const ValueId all = build.reduce(ReduceKind::all, {level}, build.less(index, build.integer(6)), {}, site);
    two.check_all(build.logical_and(any, all));
  }
  SECTION("filtered, falling, inside each other") {
    level.filter = odd;
    const ir::BinderId j = build.binder("j");
    ir::Level inner = two.model.level(j, build.integer(20), index);
    inner.step = build.integer(-3);
    two.check_all(build.reduce(ReduceKind::sum, {level, inner}, build.add(index, build.index(j), site), {}, site));
  }
  SECTION("geometric, with a step by lane") {
    level.geometric = true;
    level.step = two.b;
    level.last = build.integer(1000);
    two.check_all(build.reduce(ReduceKind::count, {level}, {}, {}, site));
  }
  SECTION("a body that fails in some iterations") {
    const ValueId inverse = build.binary(BinaryOp::divide, build.real(1), build.unary(UnaryOp::to_real, index), site);
    two.check_all(build.reduce(ReduceKind::sum, {level}, inverse, {}, site));
  }
  SECTION("so long that scalar code takes them over") {
    level.last = build.select(build.less(build.integer(8), two.b), build.integer(200'000), two.b);
    const BatchComparison comparison = two.check(build.reduce(ReduceKind::sum, {level}, index, {}, site));
    CHECK(comparison.in_lanes > 0);
    CHECK(comparison.in_lanes < comparison.rows);
  }
}

TEST_CASE("functions and tables are in lanes") {
  OfTwo<double> two({0.5, 1.0, 3.75, 8.0, 100.0, -2.0});
  ir::Builder& build = two.model.build;
  ir::Table measured{"measured", {{1, 2, 8}}, {10, 30, 5}, ir::Interpolation::linear, false};
  const ir::TableId table = build.table(measured);
  const ir::FrameId frame = build.frame("f", ir::System::root_frame);
  const ir::ParameterId x = build.parameter(frame, "x", ScalarType::real);
  const ir::DefinitionId half =
      build.define(frame, "half", build.binary(BinaryOp::divide, build.parameter_value(x), two.b, two.site));
  const ir::DefinitionId body = build.define(frame, "body", build.add(build.reference(half), build.reference(half)));
  const ValueId called = build.call(frame, body, {build.lookup(table, {two.a}, two.site)}, two.site);
  two.check_all(build.add(called, build.call(frame, body, {two.a}, two.site)));
}

TEST_CASE("random scalars in batches have the interpreter's bits and failures") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(60);
  const BatchCampaign campaign = compare_random_batches(first, count, /*events=*/false, 1);
  INFO("seeds from " << first << ", " << campaign.batches << " batches, " << campaign.rows << " rows, "
                     << campaign.failed << " failed, " << campaign.in_lanes << " in lanes");
  CHECK(campaign.difference == "");
  CHECK(campaign.in_lanes * 10 > (campaign.rows - campaign.failed) * 7);
}

TEST_CASE("random systems with events in batches have the interpreter's bits and failures") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(40);
  const BatchCampaign campaign = compare_random_batches(first, count, /*events=*/true, 3);
  INFO("seeds from " << first << ", " << campaign.batches << " batches, " << campaign.rows << " rows, "
                     << campaign.in_lanes << " in lanes");
  CHECK(campaign.difference == "");
}
