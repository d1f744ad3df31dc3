// Costs that are derived from protocols, checked against PPoPP'99 and by hand.
#include "tests/random/machine_text.h"
#include "tests/unit/frontend_lower/lowered.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using wave::tests::Model;

namespace {

const char* const sp2 = R"(
import std.machines.ibm_sp2 { SP2 }
model M {
  param net: SP2 = SP2()
  param s: data = 4096 B
  output send = net.send(s)
  output recv = net.recv(s)
  output total = net.total(s)
})";

}  // namespace

TEST_CASE("the SP/2's costs are the paper's") {
  struct Row {
    const char* size;
    double total, send, recv;
  };
  for (const Row& row :
       {Row{"100 B", 76.0, 23, 23}, Row{"1024 B", 140.68, 23, 23}, Row{"1025 B", 147.75, 47, 47},
        Row{"4095 B", 239.85, 47, 47}, Row{"4096 B", 354.88, 162, 285.88}, Row{"262144 B", 8096.32, 162, 8027.32}}) {
    Model model(sp2, {{"s", row.size}});
    CAPTURE(row.size);
    CHECK(model.real("total") / 1e6 == Approx(row.total).epsilon(1e-12));
    CHECK(model.real("send") / 1e6 == Approx(row.send).epsilon(1e-12));
    CHECK(model.real("recv") / 1e6 == Approx(row.recv).epsilon(1e-12));
  }
}

TEST_CASE("a parameter of the machine inside is an argument of the system") {
  Model model(sp2);
  for (const auto& parameter : model.lowered().parameters) {
    if (parameter.path == "net.L") model.bindings.emplace_back(parameter.definition, wave::ir::Scalar::of(33e6));
  }
  REQUIRE(model.bindings.size() == 1);
  CHECK(model.real("total") / 1e6 == Approx(354.88 + 30).epsilon(1e-12));
}

TEST_CASE("three signals and a gap are followed as written") {
  Model model(R"(
import std.comm { Machine }
machine Three : Machine {
  resource tx of process
  param o: time = 2 us
  param L: time = 10 us
  param g: time = 7 us
  protocol only(s: data) {
    sender   { emit ask via tx for g after L; emit head via tx for g after L; await ready; busy o; emit body after L }
    receiver { await ask; busy o; await head; emit ready after L; await body; busy o }
  }
}
model M {
  let net = Three()
  output send = net.send(8 B)
  output recv = net.recv(8 B)
  output total = net.total(8 B)
})");
  // Both ends start at 0. ask arrives at 10. head leaves at 7, when ask has passed tx, and arrives at 17. ready arrives
  // at 27. The sender is done at 29. body arrives at 39, and the receiver is done at 41.
  CHECK(model.real("total") == 41e6);
  CHECK(model.real("send") == 29e6);
  // If the sender started long ago, ask and head have arrived, ready leaves at 2, and body arrives at 12 + 2 + 10.
  CHECK(model.real("recv") == 26e6);
}

TEST_CASE("an added protocol is tried first, local ones only on one node") {
  Model model(R"(
import std.machines.ibm_sp2 { SP2_SMP }
model M {
  let net = SP2_SMP()
  output near = net.total(100 B, within = node)
  output far = net.total(100 B)
})");
  CHECK(model.real("far") / 1e6 == Approx(76.0).epsilon(1e-12));
  CHECK(model.real("near") < model.real("far"));
}

// Of one message on two processes: both begin at once, or one of them long before the other.
TEST_CASE("derived costs are what processes take, on random machines") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    wave::test::Choices choose(seed);
    wave::test::MachineManner manner;
    manner.noise = false;
    manner.resources = choose.chance(0.8);
    const std::string size = std::to_string(choose.between(0, 200)) + " B";
    const std::string text = wave::test::random_machine(choose, "Net", manner).text;
    const auto process = [&](const char* name, const char* before_send, const char* before_receive) {
      return std::string("  process ") + name + " on P using net { if i == 1 { " + before_send + "; send " + size +
             " to P[2] } else { " + before_receive + "; recv " + size + " from P[1] } }\n";
    };
    const char *const none = "compute(0 us)", *const long_time = "compute(10 ms)";
    Model model(text + "model M {\n  let net = Net()\n  grid P[i: 2]\n" + process("both", none, none) +
                process("late", long_time, none) + process("early", none, long_time) + "  output total = net.total(" +
                size + ")\n  output send = net.send(" + size + ")\n  output recv = net.recv(" + size +
                ")\n  output all = both.finish[2]\n  output sent = late.finish[1] - 10 ms\n"
                "  output received = early.finish[2] - 10 ms\n}\n");
    CAPTURE(seed, size, text);
    CHECK(model.real("total") == Approx(model.real("all")).epsilon(1e-9));
    CHECK(model.real("send") == Approx(model.real("sent")).epsilon(1e-9));
    CHECK(model.real("recv") == Approx(model.real("received")).epsilon(1e-9));
  }
}
