// Operations in the background: what happens at the call, what continues alone, and what the wait charges.
#include "tests/unit/processes/process_fixture.h"

using namespace wave;
using test::ProcessFixture;

TEST_CASE("isend; recv; wait exchanges large messages without a deadlock") {
  ProcessFixture f({2}, {true});
  const auto a = f.handle("a");
  f.program({f.background(f.send(200, f.offset({1})), a), f.recv(200, f.offset({-1})), f.wait(a)});
  // The request arrives at 12, the ack at 24. The payload leaves at 26 and arrives at 236.
  CHECK(f.finish({1}) == 238);
  CHECK(f.finish({2}) == 238);
}

TEST_CASE("irecv; isend; waitall exchanges large messages without a deadlock") {
  ProcessFixture f({2}, {true});
  f.program({f.background(f.recv(200, f.offset({-1}))), f.background(f.send(200, f.offset({1}))), f.wait()});
  CHECK(f.finish({1}) == 238);
}

TEST_CASE("a background receive costs nothing until its wait, which is charged the busy at its end") {
  ProcessFixture f({2});
  const auto a = f.handle("a");
  f.program({f.send(8, f.offset({1})), f.background(f.recv(8, f.offset({-1})), a), f.compute(100), f.wait(a)});
  CHECK(f.finish({2}) == 102);
  CHECK(f.value(f.measured(ir::Metric::wait, {2})).real == 0);
}

TEST_CASE("an eager send in the background is over at its call") {
  ProcessFixture f({2});
  const auto a = f.handle("a");
  f.program({f.background(f.send(8, f.offset({1})), a), f.wait(a), f.recv(8, f.offset({-1}))});
  CHECK(f.finish({1}) == 2);
}

TEST_CASE("a background operation goes on while its process waits for something else, and when it has finished") {
  ProcessFixture f({3});
  f.program({f.when(f.at(0, 1), {f.background(f.send(200, f.offset({1})))}),
             f.when(f.at(0, 2), {f.compute(50), f.recv(200, f.offset({-1}))})});
  CHECK(f.finish({1}) == 2);
  CHECK(f.finish({2}) == 276);
}

TEST_CASE("waiting for nothing is nothing") {
  ProcessFixture f({2});
  const auto a = f.handle("a");
  f.program({f.wait(a), f.wait(), f.compute(1)});
  CHECK(f.time() == 1);
}

TEST_CASE("a background receive without a size is matched by its sender's") {
  ProcessFixture f({2}, {true});
  f.program({f.background(f.recv(-1, f.offset({-1}))), f.background(f.send(200, f.offset({1}))), f.wait()});
  CHECK(f.finish({1}) == 238);
}

TEST_CASE("a resource serves what arrives first, whatever is called first") {
  ProcessFixture f({2});
  f.system.ends[f.net.index].resources = {{"rx", {}, {}, {}, {}}};
  f.protocols()[0].receiver[0] = f.via(f.protocols()[0].receiver[0], 0, 30);
  auto tagged_send = f.send(8, f.offset({1})), tagged_recv = f.recv(8, f.offset({-1}));
  std::get<ir::Message>(tagged_send.node).tag = f.b.integer(1);
  std::get<ir::Message>(tagged_recv.node).tag = f.b.integer(1);
  // The first receive that is called is for the second message that is sent.
  f.program({f.send(8, f.offset({1})), f.compute(100), tagged_send,
             f.when(f.at(0, 2), {f.background(tagged_recv), f.recv(8, f.offset({-1})), f.wait()})});
  // The first message arrives at 20, before anybody has asked for it, and costs 2 from 100 on. The second arrives at
  // 122.
  CHECK(f.finish({2}) == 124);
}

TEST_CASE("an interface for both directions serves whatever asks first") {
  ProcessFixture f({2});
  f.system.ends[f.net.index].resources = {{"nic", {}, {}, {}, {}}};
  f.protocols()[0].receiver[0] = f.via(f.protocols()[0].receiver[0], 0, 30);
  f.protocols()[0].sender[1] = f.via(f.protocols()[0].sender[1], 0, 30);
  // Process 2 first expects a message and then sends one. Its send need not wait until the other message comes.
  f.program({f.when(f.at(0, 2), {f.background(f.recv(8, f.offset({-1}))), f.send(8, f.offset({-1})), f.wait()},
                    {f.compute(100), f.send(8, f.offset({1})), f.recv(8, f.offset({1}))})});
  CHECK(f.finish({2}) == 122);  // 1 sends until 102; the message arrives at 120
  CHECK(f.finish({1}) == 104);  // 2 sent until 2; the message arrived at 20
}

TEST_CASE("a background receive without anything left for its wait has been received when all has come") {
  ProcessFixture f({2});
  f.protocols()[0].window = f.b.integer(1);
  f.protocols()[0].receiver = {f.busy(2), f.await(0)};
  f.program({f.send(8, f.offset({1})), f.send(8, f.offset({1})), f.background(f.recv(8, f.offset({-1}))),
             f.background(f.recv(8, f.offset({-1}))), f.compute(100), f.wait()});
  CHECK(f.finish({1}) == 122);  // the second message leaves when the first has arrived, at 20, and costs o
}

TEST_CASE("a receive whose size is still to be learned keeps nobody, though its protocol may act at the call") {
  ProcessFixture f({3}, {true});
  f.protocols()[1].receiver.insert(f.protocols()[1].receiver.begin(), f.busy(1));
  f.program({f.background(f.recv(-1, f.offset({-1}))), f.background(f.send(8, f.offset({1}))), f.wait()});
  CHECK(f.time() == 22);
  ProcessFixture g({3}, {true});
  g.protocols()[1].receiver.insert(g.protocols()[1].receiver.begin(), g.busy(1));
  g.program({g.background(g.recv(-1, g.offset({-1}))), g.background(g.send(200, g.offset({1}))), g.wait()});
  CHECK(g.time() == 239);  // everything is later by the 1 at the call
}
