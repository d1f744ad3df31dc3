// Messages between two processes and along lines of them, checked against times worked out by hand.
#include "tests/unit/processes/process_fixture.h"

using namespace wave;
using test::ProcessFixture;

TEST_CASE("an eager message keeps its sender for o and reaches its receiver L + s later") {
  ProcessFixture f({2});
  f.program({f.send(8, f.offset({1})), f.recv(8, f.offset({-1}))});
  CHECK(f.finish({1}) == 2);
  CHECK(f.finish({2}) == 22);
}

TEST_CASE("a handshake makes the sender wait for its receiver") {
  ProcessFixture f({2});
  f.program({f.when(f.at(0, 2), {f.compute(50)}), f.send(200, f.offset({1})), f.recv(200, f.offset({-1}))});
  CHECK(f.finish({1}) == 64);
  CHECK(f.finish({2}) == 276);
}

TEST_CASE("a receive without a size takes the sender's, and its protocol") {
  for (const double bytes : {8.0, 200.0}) {
    ProcessFixture given({2}), left_out({2});
    given.program({given.send(bytes, given.offset({1})), given.recv(bytes, given.offset({-1}))});
    left_out.program({left_out.send(bytes, left_out.offset({1})), left_out.recv(-1, left_out.offset({-1}))});
    CHECK(given.finish({1}) == left_out.finish({1}));
    CHECK(given.finish({2}) == left_out.finish({2}));
  }
}

TEST_CASE("messages of one channel meet in order, those of another tag on their own") {
  ProcessFixture f({2});
  auto first = f.send(1, f.offset({1})), second = f.send(50, f.offset({1}));
  auto late = f.recv(50, f.offset({-1})), early = f.recv(1, f.offset({-1}));
  std::get<ir::Message>(second.node).tag = f.b.integer(7);
  std::get<ir::Message>(late.node).tag = f.b.integer(7);
  f.program({first, second, late, early});
  CHECK(f.finish({1}) == 4);
  CHECK(f.finish({2}) == 68);  // 4 + 10 + 50 + o, and o again for the other message, which arrived long before
}

TEST_CASE("a message to a neighbour off the grid is neither sent nor received, and its size is not looked at") {
  ProcessFixture f({1});
  auto send = f.send(8, f.offset({1}));
  std::get<ir::Message>(send.node).size = f.b.fail(f.site(), ir::ScalarType::real);
  f.program({send, f.recv(8, f.offset({-1})), f.compute(3)});
  CHECK(f.time() == 3);
}

TEST_CASE("around a wrapped axis of extent 1 a process sends to itself") {
  ProcessFixture f({1}, {true});
  f.program({f.send(8, f.offset({1})), f.recv(8, f.offset({-1}))});
  CHECK(f.time() == 22);
}

TEST_CASE("around a wrapped axis of extent 2 both neighbours are one process, on two channels") {
  ProcessFixture f({2}, {true});
  f.program(
      {f.send(1, f.offset({1})), f.send(50, f.offset({-1})), f.recv(50, f.offset({1})), f.recv(1, f.offset({-1}))});
  CHECK(f.finish({1}) == 68);
  CHECK(f.finish({2}) == 68);
}

TEST_CASE("absolute places and ranks name processes") {
  ProcessFixture f({2, 3});
  auto by_rank = f.place({6});
  by_rank.by_rank = true;
  auto back = f.place({1});
  back.by_rank = true;
  f.program({f.when(f.b.logical_and(f.at(0, 1), f.at(1, 1)), {f.send(8, f.place({1, 2})), f.send(8, by_rank)}),
             f.when(f.b.logical_and(f.at(0, 1), f.at(1, 2)), {f.recv(8, f.place({1, 1}))}),
             f.when(f.b.logical_and(f.at(0, 2), f.at(1, 3)), {f.recv(8, back)})});
  CHECK(f.finish({1, 2}) == 22);
  CHECK(f.finish({2, 3}) == 24);
}

TEST_CASE("a resource serves one message after the other") {
  ProcessFixture f({2});
  f.system.ends[f.net.index].resources = {{"tx", {}, {}, {}, {}}};
  f.protocols()[0].sender[1] = f.via(f.protocols()[0].sender[1], 0, 30);
  f.program({f.send(8, f.offset({1})), f.send(8, f.offset({1})), f.recv(8, f.offset({-1})), f.recv(8, f.offset({-1}))});
  CHECK(f.finish({1}) == 4);
  CHECK(f.finish({2}) == 32 + 18 + 2);  // the second leaves at 32
}

TEST_CASE("a resource at the receiving end spaces what arrives together") {
  ProcessFixture f({2});
  f.system.ends[f.net.index].resources = {{"rx", {}, {}, {}, {}}};
  f.protocols()[0].receiver[0] = f.via(f.protocols()[0].receiver[0], 0, 30);
  f.program({f.send(8, f.offset({1})), f.send(8, f.offset({1})), f.recv(8, f.offset({-1})), f.recv(8, f.offset({-1}))});
  CHECK(f.finish({2}) == 52);  // the first arrives at 20 and passes; the next arrives at 22 and passes at 50
}

TEST_CASE("a window makes the sender wait for the k-th message before") {
  ProcessFixture f({2});
  f.protocols()[0].window = f.b.integer(1);
  f.program({f.send(8, f.offset({1})), f.send(8, f.offset({1})), f.recv(8, f.offset({-1})), f.recv(8, f.offset({-1}))});
  CHECK(f.finish({1}) == 24);  // the first is received at 22
  CHECK(f.finish({2}) == 24 + 18 + 2);
}

TEST_CASE("what happened in a phase is told apart") {
  ProcessFixture f({2});
  f.process.phases = {"exchange"};
  const ir::BlockId inner = f.block({f.send(8, f.offset({1})), f.recv(8, f.offset({-1}))});
  f.program({f.compute(5), f.statement(ir::Phase{ir::PhaseId{0}, inner}), f.compute(7)});
  const ir::PhaseId phase{0};
  CHECK(f.value(f.measured(ir::Metric::time, {2}, phase)).real == 22);
  CHECK(f.value(f.measured(ir::Metric::time, {1}, phase)).real == 2);
  CHECK(f.value(f.measured(ir::Metric::finish, {2}, phase)).real == 27);
  CHECK(f.value(f.measured(ir::Metric::overhead, {2}, phase)).real == 2);
  CHECK(f.value(f.measured(ir::Metric::compute, {2}, phase)).real == 0);
  CHECK(f.value(f.measured(ir::Metric::wait, {2}, phase)).real == 20);
  CHECK(f.value(f.measured(ir::Metric::compute)).real == 12);
  CHECK(f.value(f.measured(ir::Metric::messages)).integer == 1);
  CHECK(f.value(f.measured(ir::Metric::bytes)).real == 8);
}
