// Scalars: operators on troublesome values, lazy evaluation, calls, loops.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/parity/troublesome.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace wave;
using namespace wave::parity;

namespace {

// These are parameters, so that nothing is folded.
std::vector<ValueId> real_parameters(Model& model) {
  std::vector<ValueId> result;
  for (const double x : troublesome_reals) result.push_back(model.parameter("x", model.build.real(x)));
  return result;
}

std::vector<ValueId> integer_parameters(Model& model) {
  std::vector<ValueId> result;
  for (const std::int64_t k : troublesome_integers) result.push_back(model.parameter("k", model.build.integer(k)));
  return result;
}

void same_scalars(const Model& model) {
  const Comparison comparison = compare(model.system);
  CHECK(comparison.difference == "");
}

}  // namespace

TEST_CASE("unary operators give the same bits and failures") {
  Model model;
  const ir::SiteId site = model.site(ir::FailureKind::outside_domain);
  for (const ValueId x : real_parameters(model)) {
    for (const UnaryOp op : {
             UnaryOp::negate,
#define WAVE_FUNCTION(name, ...) UnaryOp::name,
#include "ir/operations.def"
         }) {
      model.root("real", {model.build.unary(op, x, site)});
    }
  }
  for (const ValueId k : integer_parameters(model)) {
    for (const UnaryOp op : {UnaryOp::negate, UnaryOp::absolute, UnaryOp::to_real}) {
      model.root("integer", {model.build.unary(op, k, site)});
    }
  }
  same_scalars(model);
}

TEST_CASE("binary operators give the same bits and failures", "[long]") {
  Model model;
  const ir::SiteId site = model.site(ir::FailureKind::outside_domain);
  const auto combine = [&](const std::vector<ValueId>& values, std::initializer_list<BinaryOp> operators) {
    for (const BinaryOp op : operators) {
      for (const ValueId a : values) {
        for (const ValueId b : values) model.root("pair", {model.build.binary(op, a, b, site)});
      }
    }
  };
  combine(real_parameters(model),
          {BinaryOp::add, BinaryOp::divide, BinaryOp::floor_divide, BinaryOp::modulo, BinaryOp::power_real});
  same_scalars(model);
  Model integers;
  model.system = {};
  const auto values = integer_parameters(integers);
  const ir::SiteId other = integers.site(ir::FailureKind::integer_overflow);
  for (const BinaryOp op : {BinaryOp::add, BinaryOp::subtract, BinaryOp::multiply, BinaryOp::floor_divide,
                            BinaryOp::modulo, BinaryOp::power_integer}) {
    for (const ValueId a : values) {
      for (const ValueId b : values) integers.root("pair", {integers.build.binary(op, a, b, other)});
    }
  }
  same_scalars(integers);
}

TEST_CASE("comparisons, maxima and minima agree on NaN and the zeros") {
  Model model;
  const auto reals = real_parameters(model);
  for (const ValueId a : reals) {
    std::vector<ValueId> columns;
    for (const ValueId b : reals) {
      for (const BinaryOp op : {BinaryOp::less, BinaryOp::less_equal, BinaryOp::greater, BinaryOp::greater_equal,
                                BinaryOp::equal, BinaryOp::not_equal}) {
        columns.push_back(model.build.binary(op, a, b));
      }
      columns.push_back(model.build.maximum({a, b, model.build.real(0)}));
      columns.push_back(model.build.minimum({a, model.build.real(-0.0), b}));
      columns.push_back(model.build.multiply(a, b));
      columns.push_back(model.build.subtract(a, b));
    }
    model.root("row", columns);
  }
  same_scalars(model);
}

TEST_CASE("what is not needed is not evaluated, and the first failure is the same") {
  Model model;
  ir::Builder& build = model.build;
  const ValueId zero = model.parameter("zero", build.real(0));
  const ValueId yes = model.parameter("yes", build.boolean(true));
  const ValueId bad = build.divide(build.real(1), zero, model.site(ir::FailureKind::division_by_zero));
  const ValueId worse = build.fail(model.site(ir::FailureKind::error_called), ScalarType::real);
  const ValueId wrong = build.less(bad, zero);
  model.root("select", {build.select(yes, build.real(2), bad)});
  model.root("or", {build.logical_or(yes, wrong)});
  model.root("and", {build.logical_and(build.logical_not(yes), wrong)});
  model.root("left", {build.add(bad, worse)});
  model.root("right", {build.add(worse, bad)});
  model.root("check", {build.check(build.logical_not(yes), bad, model.site(ir::FailureKind::require_failed))});
  build.define(ir::System::root_frame, "never", bad);
  model.root("definition", {build.select(yes, zero, model.refer("never"))});
  model.root("shared", {build.add(build.select(yes, build.add(zero, build.real(1)), worse),
                                  build.select(build.logical_not(yes), worse, build.add(zero, build.real(1))))});
  same_scalars(model);
}

TEST_CASE("a check that the passes find to be false still shows both sides") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId pause = build.reference(build.define(ir::System::root_frame, "pause", build.real(12)));
  const ir::ValueId checked =
      build.check(build.less_equal(pause, build.real(10)), pause, model.site(ir::FailureKind::outside_range));
  model.root("checked", {checked});
  const auto outcome = engine(backend::EngineKind::jit, model.system)->start({}, {})->evaluate(ir::RootId{0});
  REQUIRE(std::holds_alternative<ir::Failure>(outcome));
  CHECK(std::get<ir::Failure>(outcome).values.size() == 2);
  CHECK(compare(model.system).difference == "");
}

TEST_CASE("a cycle of definitions is named alike") {
  Model model;
  ir::Builder& build = model.build;
  const ir::DefinitionId a = build.declare(ir::System::root_frame, "a", ScalarType::real);
  const ir::DefinitionId b = build.define(ir::System::root_frame, "b", build.add(build.reference(a), build.real(1)));
  build.set_body(a, build.add(build.reference(b), build.real(1)));
  const ir::DefinitionId c = build.define(ir::System::root_frame, "c", build.reference(b));
  model.root("c", {build.reference(c)});
  model.root("a", {build.reference(a)});
  same_scalars(model);
}

TEST_CASE("recursion: a value, and the depth where it ends") {
  Model model;
  ir::Builder& build = model.build;
  const ir::FrameId frame = build.frame("fib", ir::System::root_frame);
  const ValueId n = build.parameter_value(build.parameter(frame, "n", ScalarType::integer));
  const ir::SiteId overflow = model.site(ir::FailureKind::integer_overflow);
  const ir::SiteId deep = model.site(ir::FailureKind::recursion_too_deep);
  const ir::DefinitionId value = build.declare(frame, "value", ScalarType::integer);
  const auto call = [&](std::int64_t less) {
    return build.call(frame, value, {build.subtract(n, build.integer(less), overflow)}, deep);
  };
  build.set_body(value, build.select(build.less(n, build.integer(2)), n, build.add(call(1), call(2), overflow)));
  model.root("fib", {build.call(frame, value, {build.integer(15)}, deep)});

  const ir::FrameId down = build.frame("down", ir::System::root_frame);
  const ValueId k = build.parameter_value(build.parameter(down, "k", ScalarType::integer));
  const ir::DefinitionId depth = build.declare(down, "depth", ScalarType::integer);
  build.set_body(
      depth, build.select(
                 build.equal(k, build.integer(0)), build.integer(0),
                 build.add(build.integer(1),
                           build.call(down, depth, {build.subtract(k, build.integer(1), overflow)}, deep), overflow)));
  for (const std::int64_t levels : {5, 998, 999, 1000, 1001, -1}) {
    model.root("down", {build.call(down, depth, {build.integer(levels)}, deep)});
  }
  same_scalars(model);
}

TEST_CASE("reductions of every kind, with steps, filters and nothing") {
  Model model;
  ir::Builder& build = model.build;
  const ir::SiteId empty = model.site(ir::FailureKind::empty_reduction);
  const ValueId n = model.parameter("n", build.integer(17));
  for (const std::int64_t step : {1, 3, -2, 0}) {
    for (const bool filtered : {false, true}) {
      const auto levels = [&](ir::BinderId outer, ir::BinderId inner) {
        ir::Level first = model.level(outer, step < 0 ? n : build.integer(1), step < 0 ? build.integer(1) : n);
        first.step = build.integer(step);
        ir::Level second = model.level(inner, build.integer(1), build.index(outer));
        second.step = build.integer(2);
        second.geometric = true;
        if (filtered)
          second.filter = build.less(build.integer(20), build.multiply(build.index(outer), build.index(inner), empty));
        return std::vector<ir::Level>{first, second};
      };
      for (const ReduceKind kind :
           {ReduceKind::sum, ReduceKind::product, ReduceKind::maximum, ReduceKind::minimum, ReduceKind::count,
            ReduceKind::any, ReduceKind::all, ReduceKind::arg_min, ReduceKind::arg_max, ReduceKind::nth}) {
        const ir::BinderId outer = build.binder("a"), inner = build.binder("b");
        const ValueId mixed = build.binary(
            BinaryOp::modulo, build.multiply(build.index(outer), build.index(inner), empty), build.integer(7), empty);
        const bool decides = kind == ReduceKind::any || kind == ReduceKind::all;
        const bool places = kind == ReduceKind::arg_min || kind == ReduceKind::arg_max;
        const ValueId body = decides ? build.equal(mixed, build.integer(3)) : places ? build.to_real(mixed) : mixed;
        const ValueId value = places ? build.index(outer) : kind == ReduceKind::nth ? build.integer(9) : ValueId{};
        model.root("reduce", {build.reduce(kind, levels(outer, inner), kind == ReduceKind::count ? ValueId{} : body,
                                           value, empty)});
      }
    }
  }
  same_scalars(model);
}

TEST_CASE("sums of reals are added from the left") {
  Model model;
  ir::Builder& build = model.build;
  const ir::BinderId k = build.binder("k");
  const ValueId x =
      build.divide(build.real(1), build.to_real(build.index(k)), model.site(ir::FailureKind::division_by_zero));
  for (const ReduceKind kind : {ReduceKind::sum, ReduceKind::product}) {
    model.root("series", {build.reduce(kind, {model.level(k, build.integer(1), build.integer(1000))}, x, {}, {})});
  }
  same_scalars(model);
}

TEST_CASE("tables are read alike, inside and outside their range") {
  Model model;
  ir::Builder& build = model.build;
  const ir::SiteId outside = model.site(ir::FailureKind::outside_table);
  for (const ir::Interpolation kind :
       {ir::Interpolation::linear, ir::Interpolation::step, ir::Interpolation::logarithmic}) {
    for (const bool extend : {false, true}) {
      const ir::TableId line = build.table({"t", {{1, 2, 8}}, {3, 5, 4}, kind, extend});
      const ir::TableId plane = build.table({"u", {{1, 2}, {1, 10}}, {3, 5, 4, 9}, kind, extend});
      for (const double x : {0.5, 1.0, 1.5, 3.0, 8.0, 9.0, std::nan("")}) {
        const ValueId key = model.parameter("key", build.real(x));
        model.root("line", {build.lookup(line, {key}, outside)});
        model.root("plane", {build.lookup(plane, {key, build.real(2)}, outside)});
      }
    }
  }
  const ir::TableId some = build.table({"v", {{1, 1, 8}, {1, 10, 2}}, {3, 5, 4}, ir::Interpolation::exact, false, 7.0});
  for (const double x : {0.5, 1.0, 8.0, 9.0, std::nan("")}) {
    const ValueId key = model.parameter("key", build.real(x));
    for (const double y : {1.0, 2.0, 10.0}) model.root("some", {build.lookup(some, {key, build.real(y)}, outside)});
  }
  same_scalars(model);
}

TEST_CASE("recurrences inside a called frame belong to its activation") {
  Model model;
  ir::Builder& build = model.build;
  const ir::FrameId frame = build.frame("model", ir::System::root_frame);
  const ValueId n = build.parameter_value(build.parameter(frame, "n", ScalarType::integer));
  const ir::SpaceId grid = model.grid({"i", "j"}, {n, n}, {}, frame);
  const ir::EventId time = model.event("time", grid, ScalarType::real, frame);
  model.constrain(time, time, {-1, 0}, {build.to_real(model.index(grid, 1))});
  model.constrain(time, time, {0, -1}, {build.to_real(n)});
  model.system[time].otherwise = {build.real(0)};
  const ir::DefinitionId end = build.define(frame, "end", model.read(time, {n, n}));
  const ir::BinderId k = build.binder("k");
  const ir::SiteId deep = model.site(ir::FailureKind::recursion_too_deep);
  model.root("series", {build.call(frame, end, {build.index(k)}, deep)},
             {model.level(k, build.integer(1), build.integer(30))});
  model.root("fails", {build.call(frame, end, {build.index(k)}, deep)},
             {model.level(k, build.integer(-1), build.integer(30))});
  same_scalars(model);
}
