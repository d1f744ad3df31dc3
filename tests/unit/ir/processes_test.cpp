// The verifier and the printer, on processes built by hand.
#include "ir/builder.h"
#include "ir/printer.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

#include <functional>

using namespace wave::ir;

namespace {

// Two processes on a line, with a sweep and a message. `change` breaks something in it.
System two_processes(const std::function<void(Builder&, Process&, MessageEnds&)>& change = {}) {
  System system;
  Builder b(system);
  const auto site = [&] { return b.site(FailureKind::weight_not_finite, {}); };
  Space space{"P", System::root_frame, {{"i", b.binder("i"), b.integer(1), b.integer(2), false, {}, site()}}};
  MessageEnds ends;
  ends.name = "net";
  ends.frame = b.frame("net", System::root_frame);
  ends.size = b.parameter(ends.frame, "size", ScalarType::real);
  ends.within = b.parameter(ends.frame, "within", ScalarType::integer);
  ends.sender = b.parameter(ends.frame, "sender", ScalarType::integer);
  ends.receiver = b.parameter(ends.frame, "receiver", ScalarType::integer);
  ends.site = site();
  Protocol protocol;
  protocol.name = "eager";
  protocol.signals = {"payload"};
  protocol.sender = {{Step::Kind::busy, 0, {}, b.real(1), {}, site()},
                     {Step::Kind::emit, 0, {}, b.parameter_value(ends.size), {}, site()}};
  protocol.receiver = {{Step::Kind::await, 0, {}, {}, {}, site()}};
  ends.protocols.push_back(protocol);

  Process process;
  process.name = "p";
  process.frame = System::root_frame;
  process.space = b.space(space);
  Message message;
  message.ends = EndsId{0};
  message.size = b.real(8);
  message.within = b.integer(0);
  message.peer = {Peer::Kind::offset, false, {b.integer(1)}, {}};
  Message answer = message;
  answer.side = Message::Side::receive;
  answer.size = {};
  answer.peer.coordinates = {b.integer(-1)};
  const BinderId tile = b.binder("tile");
  process.phases = {"all"};
  process.blocks = {{{Compute{b.to_real(b.index(tile))}, {}, site()}, {message, {}, {}}, {answer, {}, {}}},
                    {{Sweep{b.integer(3), tile, {{{true}, BlockId{0}}}}, {}, {}},
                     {Sweep{b.integer(2), tile, {{{true}, BlockId{0}}}}, {}, {}}},
                    {{Phase{PhaseId{0}, BlockId{1}}, {}, {}}}};
  process.body = BlockId{2};
  if (change) change(b, process, ends);
  b.ends(ends);
  b.process(process);
  return system;
}

std::vector<std::string> complaints(const std::function<void(Builder&, Process&, MessageEnds&)>& change) {
  return verify(two_processes(change));
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a process that keeps the rules is accepted") { CHECK(verify(two_processes()) == Lines{}); }

TEST_CASE("a binder is known inside its sweep alone") {
  const auto found =
      complaints([](Builder&, Process& process, MessageEnds&) { process.blocks[2].push_back(process.blocks[0][0]); });
  CHECK(found == Lines{"process p: looks at `tile`, which is not bound there"});
}

TEST_CASE("the shape of a process is checked before anything looks at it") {
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) { p.body = BlockId{9}; }) == Lines{"process p: has no body"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) {
          std::get<Phase>(p.blocks[2][0].node).body = BlockId{2};
        }) == Lines{"process p: a block contains itself"});
  CHECK(complaints([](Builder& b, Process& p, MessageEnds&) {
          std::get<Message>(p.blocks[0][1].node).peer.coordinates.push_back(b.integer(0));
        }) == Lines{"process p: a peer of another rank than the grid"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) { std::get<Message>(p.blocks[0][1].node).size = {}; }) ==
        Lines{"process p: a send without a size"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) {
          std::get<Message>(p.blocks[0][1].node).peer.kind = Peer::Kind::place;
        }) == Lines{"process p: an absolute place without a site"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) {
          std::get<Sweep>(p.blocks[1][0].node).fronts[0].rising.push_back(true);
        }) == Lines{"process p: a corner of another rank than the grid"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) { p.phases.clear(); }) ==
        Lines{"process p: a phase without a name or body"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) { p.blocks[0].push_back({Wait{{HandleId{0}}}, {}, {}}); }) ==
        Lines{"process p: a wait for no name"});
}

TEST_CASE("the signals of a protocol meet") {
  CHECK(complaints([](Builder&, Process&, MessageEnds& ends) { ends.protocols[0].receiver.clear(); }) ==
        Lines{"ends net: a receiver that awaits nothing"});
  CHECK(complaints([](Builder&, Process&, MessageEnds& ends) { ends.protocols[0].sender.pop_back(); }) ==
        Lines{"ends net: an awaited signal never comes"});
  CHECK(complaints([](Builder&, Process&, MessageEnds& ends) {
          ends.protocols[0].sender.push_back(ends.protocols[0].sender.back());
        }) == Lines{"ends net: a signal is emitted twice", "ends net: an awaited signal never comes"});
}

namespace {

// `two_processes`, but the receiver takes the payload in on arrival and the sender acquires its interface.
System on_arrival(const std::function<void(Builder&, Protocol&)>& change = {}) {
  return two_processes([&](Builder& b, Process&, MessageEnds& ends) {
    ends.resources = {{"tx", {}, {}, {}, {}}, {"rx", {}, {}, {}, {}}};
    Protocol& protocol = ends.protocols[0];
    const SiteId site = protocol.sender[0].site;
    std::swap(protocol.sender[0], protocol.sender[1]);
    protocol.sender.insert(protocol.sender.begin(), {Step::Kind::acquire, 0, {{0, b.real(4), {}}}, {}, {}, site});
    protocol.receiver.push_back({Step::Kind::arrival, 0, {{1, b.real(3), {}}}, b.real(2), {}, site});
    if (change) change(b, protocol);
  });
}

Lines complaints_on_arrival(const std::function<void(Builder&, Protocol&)>& change) {
  return verify(on_arrival(change));
}

}  // namespace

TEST_CASE("what is acquired is for a busy, and a signal is taken on arrival once") {
  CHECK(verify(on_arrival()) == Lines{});
  CHECK(complaints_on_arrival([](Builder&, Protocol& p) { p.sender.pop_back(); }) ==
        Lines{"ends net: an acquire that no busy follows"});
  CHECK(complaints_on_arrival([](Builder&, Protocol& p) { p.sender[0].uses = {}; }).front() ==
        "ends net: acquires nothing, or more than one");
  CHECK(complaints_on_arrival([](Builder& b, Protocol& p) { p.sender[0].time = b.real(1); }) ==
        Lines{"ends net: an acquire, or an await without a resource, with a time of its own"});
  CHECK(complaints_on_arrival([](Builder&, Protocol& p) { p.receiver.push_back(p.receiver.back()); }).front() ==
        "ends net: a signal is taken on arrival twice");
  CHECK(complaints_on_arrival([](Builder&, Protocol& p) { p.receiver[0].uses = {{1, {}, {}}}; }) ==
        Lines{"ends net: taken on arrival and awaited by a resource"});
  CHECK(complaints_on_arrival([](Builder&, Protocol& p) { p.sender.push_back(p.receiver.back()); }).front() ==
        "ends net: an awaited signal never comes");
}

TEST_CASE("a last byte follows a resource, and what has been sent was emitted before") {
  const auto with = [](std::vector<Use> uses, bool has_time, bool is_sent, bool is_before) {
    return complaints([=](Builder& b, Process&, MessageEnds& ends) {
      ends.resources = {{"rx", {}, {}, {}, {}}};
      Protocol& protocol = ends.protocols[0];
      const SiteId site = protocol.sender[0].site;
      Step& await = protocol.receiver[0];
      await.uses = uses;
      if (has_time) await.time = b.real(2);
      if (is_sent)
        protocol.sender.insert(is_before ? protocol.sender.begin() : protocol.sender.end(),
                               {Step::Kind::sent, 0, {}, b.real(1), {}, site});
    });
  };
  const Use rx{0, {}, {}};
  CHECK(with({rx}, true, true, false) == Lines{});
  CHECK(with({}, true, false, false) ==
        Lines{"ends net: an acquire, or an await without a resource, with a time of its own"});
  CHECK(with({}, false, true, true) == Lines{"ends net: a signal has been sent that was not emitted before"});
}

TEST_CASE("the types of a process are checked") {
  CHECK(complaints([](Builder& b, Process& p, MessageEnds&) {
          std::get<Compute>(p.blocks[0][0].node).time = b.integer(1);
        }) == Lines{"process p: a time that is not real"});
  CHECK(complaints([](Builder& b, Process& p, MessageEnds&) {
          std::get<Message>(p.blocks[0][1].node).within = b.boolean(true);
        }) == Lines{"process p: a place that is not an integer"});
  CHECK(complaints([](Builder& b, Process&, MessageEnds& ends) { ends.protocols[0].condition = b.real(1); }) ==
        Lines{"ends net: a condition that is not boolean"});
  CHECK(complaints([](Builder&, Process& p, MessageEnds&) { p.blocks[0][0].site = {}; }) ==
        Lines{"process p: a time without a site"});
  CHECK(complaints([](Builder& b, Process& p, MessageEnds&) {
          p.levels.push_back({{1, "node"}, b.boolean(true), {}});
        }) == Lines{"process p: a level that is not an integer"});
  CHECK(complaints([](Builder& b, Process& p, MessageEnds&) {
          p.levels.push_back({{1, "node"}, b.index(b.binder("k")), {}});
        }).size() == 1);
}

TEST_CASE("a process is printed as it is written, what is shared once") {
  const std::string text = print(two_processes());
  CHECK(text.find("  process p on P[i in 1..2]\n"
                  "    phase \"all\"\n"
                  "      sweep from (+) tiles tile in 1..3, block 0\n"
                  "        compute(real(tile))\n"
                  "        send 8.0 to offset (1) by net\n"
                  "        recv from offset (-1) by net\n"
                  "      sweep from (+) tiles tile in 1..2, block 0 again\n") != std::string::npos);
  CHECK(text.find("  ends net(size, within)\n"
                  "    protocol eager\n"
                  "      sender\n"
                  "        busy 1.0\n"
                  "        emit payload after size\n"
                  "      receiver\n"
                  "        await payload\n") != std::string::npos);
}

TEST_CASE("steps that need a processor and an interface are printed as they are written") {
  const std::string text = print(on_arrival());
  CHECK(text.find("      sender\n"
                  "        acquire tx for 4.0\n"
                  "        emit payload after size\n"
                  "        busy 1.0\n"
                  "      receiver\n"
                  "        await payload\n"
                  "        on arrival of payload { acquire rx for 3.0; busy 2.0 }\n") != std::string::npos);
  const std::string plain = print(on_arrival([](Builder&, Protocol& p) { p.receiver.back().uses = {}; }));
  CHECK(plain.find("        on arrival of payload busy 2.0\n") != std::string::npos);
}
