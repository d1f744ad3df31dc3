// Sweeps, from one corner and from several at once.
#include "tests/unit/processes/process_fixture.h"

using namespace wave;
using test::ProcessFixture;

namespace {

ir::Block body(ProcessFixture& f, double bytes, double work, bool rising, bool in_background = false) {
  const std::int64_t down = rising ? 1 : -1;
  auto send = f.send(bytes, f.offset({down}));
  if (in_background) send = f.background(send);
  return {f.recv(bytes, f.offset({-down})), f.compute(work), send};
}

}  // namespace

TEST_CASE("a sweep follows a line of processes") {
  ProcessFixture f({4});
  f.program({f.sweep(1, f.b.binder("tile"), {true}, body(f, 8, 5, true))});
  // First 5 + o, then at each process 18 for the message and o + 5 + o; the last one sends nothing.
  CHECK(f.finish({1}) == 7);
  CHECK(f.finish({2}) == 34);
  CHECK(f.finish({4}) == 86);
}

TEST_CASE("a sweep from the high end is the same turned around") {
  ProcessFixture f({4});
  f.program({f.sweep(1, f.b.binder("tile"), {false}, body(f, 8, 5, false))});
  CHECK(f.finish({4}) == 7);
  CHECK(f.finish({1}) == 86);
}

TEST_CASE("tiles follow each other, and their number can be read") {
  ProcessFixture f({1});
  const auto tile = f.b.binder("tile");
  f.program({f.sweep(4, tile, {true}, {f.compute(f.b.to_real(f.b.index(tile)))})});
  CHECK(f.time() == 10);
}

TEST_CASE("no tiles are nothing") {
  ProcessFixture f({3});
  f.program({f.sweep(0, f.b.binder("tile"), {true}, body(f, 8, 5, true))});
  CHECK(f.time() == 0);
}

TEST_CASE("a process far ahead of its receiver ends at the same time") {
  ProcessFixture f({2});
  f.program({f.sweep(1000, f.b.binder("tile"), {true}, body(f, 8, 5, true))});
  CHECK(f.finish({1}) == 7000);
  CHECK(f.finish({2}) == 7000 + 18 + 7);
}

TEST_CASE("a long rendezvous sweep moves in step") {
  ProcessFixture f({3});
  f.program({f.sweep(50, f.b.binder("tile"), {true}, body(f, 200, 5, true))});
  // Process 1 sends at once. Process 2 answers a request when it has come back from process 3.
  CHECK(f.finish({1}) < f.finish({2}));
  CHECK(f.finish({2}) < f.finish({3}));
}

TEST_CASE("fronts are served by hops and tile, ties in the order of the list") {
  ProcessFixture f({3});
  const auto tile = f.b.binder("tile");
  // The cost of a block tells where it comes from: 1 from the low end, 10 from the high end. So the clock at a block
  // tells which blocks were served before it.
  f.process.phases = {"low", "high"};
  const auto low = f.block({f.statement(ir::Phase{ir::PhaseId{0}, f.block({f.compute(1)})})});
  const auto high = f.block({f.statement(ir::Phase{ir::PhaseId{1}, f.block({f.compute(10)})})});
  f.program({f.statement(ir::Sweep{f.b.integer(2), tile, {{{true}, low}, {{false}, high}}})});
  const auto left = [&](std::uint32_t phase, std::int64_t place) {
    return f.value(f.measured(ir::Metric::finish, {place}, ir::PhaseId{phase})).real;
  };
  // Process 1: low at stages 1, 2; high at 3, 4. Process 2: both at 2 and 3, low first. Process 3: high first.
  CHECK(left(0, 1) == 2);
  CHECK(left(1, 1) == 22);
  CHECK(left(0, 2) == 12);
  CHECK(left(1, 2) == 22);
  CHECK(left(1, 3) == 20);
  CHECK(left(0, 3) == 22);
}

TEST_CASE("all corners at once with blocking sends that wait deadlock on 2 processes; in the background they do not") {
  for (const bool in_background : {false, true}) {
    ProcessFixture f({2, 1});
    const auto tile = f.b.binder("tile");
    const auto front = [&](bool rising) {
      const std::int64_t down = rising ? 1 : -1;
      auto send = f.send(200, f.offset({down, 0}));
      if (in_background) send = f.background(send);
      return ir::Front{{rising, true}, f.block({f.recv(200, f.offset({-down, 0})), f.compute(5), send})};
    };
    f.program({f.statement(ir::Sweep{f.b.integer(2), tile, {front(true), front(false)}}), f.wait()});
    if (in_background)
      CHECK(f.time() > 0);
    else
      CHECK(f.failing().kind == ir::FailureKind::deadlock);
  }
}
