// Events: constraints and bodies, absence, orders, groups.
#include "ir/operations.h"
#include "tests/unit/interpreter/fixture.h"

using namespace wave;
using ir::BinaryOp;
using ir::ScalarType;
using test::Fixture;

namespace {

// StartP of PPoPP'99, eq (6), with W = 1000; Total + Receive westwards and Send + Total northwards.
struct StartP : Fixture {
  ir::DefinitionId n = b.define(root, "n", b.integer(4), {}, true);
  ir::DefinitionId w = b.define(root, "W", b.real(1000e6), {}, true);
  ir::SpaceId grid = space({{"i", b.reference(n)}, {"j", b.integer(4)}});
  ir::EventId start = event("start", grid);

  StartP() {
    constrain(start, start, {-1, 0}, {b.reference(w), b.real(102.6e6), b.real(23e6)});
    constrain(start, start, {0, -1}, {b.reference(w), b.real(23e6), b.real(102.6e6)});
    system[start].otherwise = {b.real(0)};
  }
};

}  // namespace

TEST_CASE("StartP for 480 bytes is the paper's") {
  StartP f;
  const auto at = [&](int i, int j) { return f.value(f.at(f.start, {f.b.integer(i), f.b.integer(j)})).real / 1e6; };
  CHECK(at(1, 1) == 0);
  CHECK(at(2, 1) == Approx(1125.60));
  CHECK(at(1, 2) == Approx(1125.60));
  CHECK(at(4, 4) == Approx(6753.60));
}

TEST_CASE("weights are rounded to the quantum one by one, and the quantum is reported") {
  StartP f;
  const auto last = f.at(f.start, {f.b.integer(4), f.b.integer(4)});
  const auto id = f.b.define(f.root, "asked", last);
  const auto engine = backend::make_interpreter(f.system);
  const auto evaluation = engine->start({}, {});
  REQUIRE(std::holds_alternative<backend::Rows>(evaluation->evaluate(id)));
  REQUIRE(evaluation->reports().size() == 1);
  const auto report = evaluation->reports()[0];
  CHECK(report.event == "start");
  CHECK(report.schedule == "rows i outer, j inner");
  CHECK(report.cells == 16);
  CHECK(report.bound == 7 * 1125.6e6);
  CHECK(report.quantum == 0x1p-19);  // 7.9e9 < 2^33
}

TEST_CASE("a grid of no processors fails at its axis") {
  StartP f;
  f.bindings = {{f.n, ir::Scalar::of(std::int64_t{0})}};
  CHECK(f.failure(f.at(f.start, {f.b.integer(1), f.b.integer(1)})).kind == ir::FailureKind::extent_not_positive);
}

TEST_CASE("an index off the grid fails, and absent is skipped by max alone") {
  StartP f;
  CHECK(f.failure(f.at(f.start, {f.b.integer(5), f.b.integer(1)})).kind == ir::FailureKind::index_off_grid);
  const auto body_event = f.event("g", f.grid);
  f.system[body_event].exact = false;
  // g = max(start[i-1, j], start[i, j-1] * 2) else -1
  const auto west = f.b.neighbour(f.start, {-1, 0});
  const auto north = f.b.multiply(f.b.neighbour(f.start, {0, -1}), f.b.real(2));
  f.system[body_event].body = f.b.maximum({west, north});
  f.system[body_event].otherwise = {f.b.real(-1)};
  const auto at = [&](int i, int j) { return f.value(f.at(body_event, {f.b.integer(i), f.b.integer(j)})).real; };
  CHECK(at(1, 1) == -1);
  CHECK(at(2, 1) == 0);
  CHECK(at(1, 3) == Approx(2 * 1125.6e6));
}

TEST_CASE("falling and diagonal dependences find their order") {
  Fixture f;
  const auto grid = f.space({{"i", f.b.integer(5)}, {"j", f.b.integer(5)}});
  const auto e = f.event("e", grid);
  f.constrain(e, e, {1, -1}, {f.b.real(1)});
  f.constrain(e, e, {1, 2}, {f.b.real(10)});
  f.system[e].otherwise = {f.b.real(0)};
  CHECK(f.value(f.at(e, {f.b.integer(1), f.b.integer(3)})).real == 22);  // (1,3) <- (2,5) <- (3,4) <- (4,3) <- (5,5)
}

TEST_CASE("dependences without an order of axes are evaluated by hyperplanes") {
  Fixture f;
  const auto grid = f.space({{"i", f.b.integer(6)}, {"j", f.b.integer(6)}});
  const auto e = f.event("e", grid);
  f.constrain(e, e, {-2, 1}, {f.b.real(1)});
  f.constrain(e, e, {1, -2}, {f.b.real(1)});
  f.system[e].otherwise = {f.b.real(0)};
  const auto value = f.value(f.at(e, {f.b.integer(4), f.b.integer(4)})).real;
  CHECK(value == 4);  // (4,4) <- (2,5) <- (3,3) <- (1,4) <- (2,2)
}

TEST_CASE("a wrapped axis counts modulo its extent") {
  Fixture f;
  const auto grid = f.space({{"t", f.b.integer(4)}, {"i", f.b.integer(3)}}, {false, true});
  const auto e = f.event("e", grid);
  f.constrain(e, e, {-1, -1}, {f.b.to_real(f.axis(grid, 1))});
  f.system[e].otherwise = {f.b.to_real(f.axis(grid, 1))};
  // e[4, 1] = 1 + e[3, 3] = 1 + 3 + e[2, 2] = 1 + 3 + 2 + e[1, 1]
  CHECK(f.value(f.at(e, {f.b.integer(4), f.b.integer(1)})).real == 7);
}

TEST_CASE("cells that read each other at computed indices are evaluated on demand") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(100'000)}});
  const auto e = f.event("e", line, ScalarType::integer);
  const auto half = f.b.binary(BinaryOp::floor_divide, f.axis(line, 0), f.b.integer(2), f.site());
  const auto below = f.b.read(e, {half}, {});
  f.system[e].body = f.b.add(below, f.b.integer(1), f.site());
  f.system[e].otherwise = {f.b.integer(0)};
  CHECK(f.value(f.at(e, {f.b.integer(100'000)})).integer == 16);
}

TEST_CASE("a long chain on demand needs no deep stack") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(200'000)}});
  const auto e = f.event("e", line, ScalarType::integer);
  const auto next = f.b.read(e, {f.b.add(f.axis(line, 0), f.b.integer(1), f.site())}, {});
  f.system[e].body = f.b.add(next, f.b.integer(1), f.site());
  f.system[e].otherwise = {f.b.integer(1)};
  CHECK(f.value(f.at(e, {f.b.integer(1)})).integer == 200'000);
}

TEST_CASE("a cycle of cells is printed") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(5)}});
  const auto e = f.event("f", line);
  const auto above_one = f.b.less(f.b.integer(1), f.axis(line, 0));
  f.constrain(e, e, {1}, {f.b.real(1)}, above_one);
  f.constrain(e, e, {-1}, {f.b.real(1)}, above_one);
  f.system[e].otherwise = {f.b.real(0)};
  const auto failure = f.failure(f.at(e, {f.b.integer(1)}));
  CHECK(failure.kind == ir::FailureKind::cyclic_recurrence);
  CHECK(failure.detail == "f[4] -> f[5] -> f[4]");
}

TEST_CASE("two events that need each other at the same point keep statement order") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(10)}});
  const auto send = f.event("send", line);
  const auto receive = f.event("receive", line);
  f.constrain(send, receive, {0}, {f.b.real(2)});
  f.constrain(receive, send, {-1}, {f.b.real(3)});
  f.system[receive].otherwise = {f.b.real(0)};
  CHECK(f.value(f.at(send, {f.b.integer(10)})).real == 9 * 5 + 2);
}

TEST_CASE("an event of a function's frame is evaluated anew in each call") {
  Fixture f;
  const auto frame = f.b.frame("line", f.root);
  const auto n = f.b.parameter(frame, "n", ScalarType::integer);
  ir::Space space{"Q", frame, {}};
  space.axes.push_back({"i", f.b.binder("i"), f.b.integer(1), f.b.parameter_value(n), false, {}, f.site()});
  const auto line = f.b.space(space);
  const auto e = f.event("e", line);
  f.system[e].frame = frame;
  f.constrain(e, e, {-1}, {f.b.to_real(f.b.parameter_value(n))});
  f.system[e].otherwise = {f.b.real(0)};
  const auto last = f.b.define(frame, "last", f.at(e, {f.b.parameter_value(n)}));
  const auto call = [&](int k) { return f.b.call(frame, last, {f.b.integer(k)}, f.site()); };
  CHECK(f.value(f.b.add(call(5), call(11))).real == 4 * 5 + 10 * 11);
}

TEST_CASE("what no cell needs is not evaluated: a guard, an edge, an else") {
  Fixture f;
  const auto line = f.space({{"i", f.b.integer(1)}});
  const auto e = f.event("e", line);
  const auto bad = f.b.divide(f.b.real(1), f.b.reference(f.b.define(f.root, "zero", f.b.real(0))), f.site());
  f.constrain(e, e, {-1}, {bad});
  f.system[e].otherwise = {f.b.real(4)};
  CHECK(f.value(f.at(e, {f.b.integer(1)})).real == 4);
  const auto g = f.event("g", line);
  f.constrain(g, {}, {0}, {f.b.real(1)});
  f.constrain(g, {}, {0}, {bad}, f.b.less(f.axis(line, 0), f.b.integer(1)));
  f.system[g].otherwise = {bad};
  CHECK(f.value(f.at(g, {f.b.integer(1)})).real == 1);
}
