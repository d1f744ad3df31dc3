// What is handed to kernels, and that kernels are shared.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave;
using namespace wave::parity;
using backend::EngineKind;

namespace {

// first[i] = first[i - 1] + cost, over 1..extent.
ir::EventId add_chain(Model& model, const std::string& name, std::int64_t extent, double cost) {
  const ir::SpaceId space = model.grid({"i"}, {model.build.integer(extent)});
  const ir::EventId event = model.event(name, space);
  model.constrain(event, event, {-1}, {model.build.real(cost), model.build.to_real(model.index(space, 0))});
  model.constrain(event, {}, {}, {model.build.real(0)});
  model.root(name, {model.read(event, {model.build.integer(extent)})});
  return event;
}

}  // namespace

TEST_CASE("scalars outside of loops compile nothing") {
  const AsUsual usual;
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId n = model.parameter("n", build.integer(6)), x = model.parameter("x", build.real(0.5));
  build.define(ir::System::root_frame, "y", build.add(x, build.to_real(n)));
  model.root("sum", {model.refer("y"), build.less(n, build.integer(7)), build.maximum({x, model.refer("y")})});
  const auto jit = engine(EngineKind::jit, model.system);
  CHECK(std::holds_alternative<backend::Rows>(jit->start({}, {})->evaluate(ir::RootId{0})));
  CHECK(backend::jit_counts(*jit).compilations == 0);
}

TEST_CASE("recurrences of one structure share one kernel, whatever their costs, extents and names") {
  const AsUsual usual;
  Model model;
  for (const std::int64_t extent : {7, 100, 3000}) {
    add_chain(model, "of" + std::to_string(extent), extent, 1.0 / static_cast<double>(extent));
  }
  const auto jit = engine(EngineKind::jit, model.system);
  const auto interpreter = engine(EngineKind::interpreter, model.system);
  CHECK(compare(model.system, *interpreter, *jit, {}).difference == "");
  CHECK(backend::jit_counts(*jit).compilations == 1);
}

TEST_CASE("what a recurrence needs it asks for, and failures are those of the model") {
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId w = model.parameter("w", build.real(1.5)), n = model.parameter("n", build.integer(9));
  build.define(ir::System::root_frame, "step",
               build.divide(build.real(6), w, model.site(ir::FailureKind::division_by_zero)));
  build.define(ir::System::root_frame, "size",
               build.add(n, build.integer(1), model.site(ir::FailureKind::integer_overflow)));
  const ir::SpaceId space = model.grid({"i"}, {model.refer("size")});
  const ir::EventId event = model.event("start", space);
  model.constrain(event, event, {-1}, {model.refer("step"), build.to_real(model.index(space, 0))});
  model.constrain(event, {}, {}, {build.real(0)});
  model.root("last", {model.read(event, {model.refer("size")}), model.refer("step")});
  const auto jit = engine(EngineKind::jit, model.system);
  const auto interpreter = engine(EngineKind::interpreter, model.system);
  for (const double value : {1.5, 0.0, -2.0}) {
    for (const std::int64_t extent : {std::int64_t{9}, std::int64_t{-5}, INT64_MAX}) {
      const std::vector<backend::Binding> bindings{{model.definition("w"), ir::Scalar::of(value)},
                                                   {model.definition("n"), ir::Scalar::of(extent)}};
      CHECK(compare(model.system, *interpreter, *jit, bindings).difference == "");
    }
  }
  CHECK(backend::jit_counts(*jit).compilations == 1);
}

TEST_CASE("a failing input that stands in a loop carries the indices of the loops inside and outside of the kernel") {
  Model model;
  ir::Builder& build = model.build;
  const ir::BinderId outer = build.binder("outer"), inner = build.binder("inner");
  const ir::ValueId zero = model.parameter("zero", build.integer(0));
  const ir::ValueId bad =
      build.binary(ir::BinaryOp::floor_divide, build.index(outer), zero, model.site(ir::FailureKind::division_by_zero));
  const ir::ValueId body = build.select(build.less(build.index(inner), build.integer(5)), build.index(inner), bad);
  const ir::ValueId sum = build.reduce(ir::ReduceKind::sum, {model.level(inner, build.integer(1), build.integer(9))},
                                       body, {}, model.site(ir::FailureKind::integer_overflow));
  model.root("rows", {sum}, {model.level(outer, build.integer(3), build.integer(4))});
  CHECK(compare(model.system).difference == "");
}

TEST_CASE("wherever a block of rows holds a reduction, the code binds what it goes over") {
  for (ir::ValueId ir::Level::* const place :
       {&ir::Level::first, &ir::Level::last, &ir::Level::step, &ir::Level::filter}) {
    for (const ir::ReduceKind kind : {ir::ReduceKind::minimum, ir::ReduceKind::sum}) {
      Model model;
      ir::Builder& build = model.build;
      const ir::ValueId n = model.parameter("n", build.integer(720721));
      const ir::BinderId of_row = build.binder("row"), p = build.binder("p");
      const ir::ValueId rest =
          build.binary(ir::BinaryOp::modulo, n, build.index(p), model.site(ir::FailureKind::division_by_zero));
      const ir::ValueId reduced = build.reduce(kind, {model.level(p, build.integer(2), build.integer(4))}, rest, {},
                                               model.site(ir::FailureKind::integer_overflow));
      ir::Level level = model.level(of_row, build.integer(1), build.integer(6));
      level.*place = place == &ir::Level::filter ? build.less(reduced, build.integer(4)) : reduced;
      model.root("rows", {build.index(of_row)}, {level});
      CHECK(compare(model.system).difference == "");
    }
  }
}

TEST_CASE("definitions in a cycle fail alike, with kernels and without") {
  Model model;
  ir::Builder& build = model.build;
  const ir::DefinitionId a = build.declare(ir::System::root_frame, "a", ir::ScalarType::integer);
  const ir::DefinitionId b = build.define(ir::System::root_frame, "b", build.reference(a));
  build.set_body(a, build.maximum({build.reference(b), build.integer(1)}));
  model.root("a", {build.reference(a)});
  model.root("b", {build.reference(b)});
  CHECK(compare(model.system).difference == "");
}

TEST_CASE("a function is compiled once it is called very often") {
  const AsUsual usual;
  Model model;
  ir::Builder& build = model.build;
  const ir::FrameId frame = build.frame("fib", ir::System::root_frame);
  const ir::ValueId n = build.parameter_value(build.parameter(frame, "n", ir::ScalarType::integer));
  const ir::DefinitionId fib = build.declare(frame, "fib", ir::ScalarType::integer);
  const ir::SiteId deep = model.site(ir::FailureKind::recursion_too_deep);
  const ir::SiteId overflow = model.site(ir::FailureKind::integer_overflow);
  const auto of = [&](std::int64_t less) {
    return build.call(frame, fib, {build.subtract(n, build.integer(less), overflow)}, deep);
  };
  build.set_body(fib, build.select(build.less(n, build.integer(2)), n, build.add(of(1), of(2), overflow)));
  model.root("few", {build.call(frame, fib, {build.integer(8)}, deep)});
  model.root("many", {build.call(frame, fib, {build.integer(24)}, deep)});
  const auto automatic = engine(EngineKind::automatic, model.system);
  const auto evaluation = automatic->start({}, {});
  CHECK(std::get<backend::Rows>(evaluation->evaluate(ir::RootId{0})).cells.front().integer == 21);
  CHECK(backend::jit_counts(*automatic).compilations == 0);
  CHECK(std::get<backend::Rows>(evaluation->evaluate(ir::RootId{1})).cells.front().integer == 46368);
  CHECK(backend::jit_counts(*automatic).compilations == 1);
}
