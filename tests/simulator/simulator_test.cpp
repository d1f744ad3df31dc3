// The simulator itself, checked against times computed by hand from the language's definition.
#include "tests/simulator/outcome.h"

#include <catch2/catch.hpp>

namespace wave::simulator {

namespace {

// Times are in us. One machine is eager: 1 us at either end, 10 us between them. The other shakes hands.
const std::string machines = R"(
import std.machines.ibm_sp2 { SP2 }
machine Eager {
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after 10 us + s * 1 us/B }
    receiver { await payload; busy 2 us }
  }
  collective barrier(p: int): time = p * 1 us
  collective scatter from root (p: int): time = 5 us
  collective gather to root (p: int): time = 5 us
  collective spread(s: data) on R[r: p] {
    for k in 0..9 { if 2^k < p {
      if r <= 2^k { send s to [r + 2^k] }
      if r > 2^k and r <= 2^(k+1) { recv s from [r - 2^k] }
    } }
  }
}
machine Handshake {
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit request after 10 us; await ack; busy 3 us; emit payload after 10 us }
    receiver { await request; busy 2 us; emit ack after 10 us; await payload; busy 4 us }
  }
}
machine Windowed {
  protocol eager(s: data) window 2 {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 5 us }
  }
}
machine Gap {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { await payload via rx for 6 us; busy 1 us }
  }
}
)";

Outcome outcome_of(const std::string& members) { return outcome_of_model(machines, members); }
Outcome on_line(const std::string& n, const std::string& machine, const std::string& body) {
  return outcome_on_line(machines, n, machine, body);
}

const std::string pass_on = "if i == 1 { send 5 B to [i+1] }\nif i == 2 { recv 5 B from [i-1] }";

}  // namespace

TEST_CASE("an eager message: the sender goes on, the receiver waits for the bytes") {
  const Outcome one = on_line("2", "Eager", pass_on);
  CHECK(one["first"] == 1);
  CHECK(one["last"] == 18);
  CHECK(one["wait"] == 16);
  CHECK(one["overhead"] == 2);
  CHECK(one["messages"] == 1);
}

TEST_CASE("a handshake: the sender waits for its receiver") {
  const Outcome one = on_line("2", "Handshake", "if i == 2 { compute(50 us) }\n" + pass_on);
  CHECK(one["first"] == 65);  // 50 + 2 + 10 + 3
  CHECK(one["last"] == 79);   // 65 + 10 + 4
  CHECK(one["compute"] == 50);
  CHECK(one["overhead"] == 6);
}

TEST_CASE("a message to a neighbour off the grid is neither sent nor received") {
  const Outcome one = on_line("1", "Handshake", "send -1 B to [i+1]\nrecv 5 B from [i-1]\ncompute(3 us)");
  CHECK(one["time"] == 3);
  CHECK(one["messages"] == 0);
}

TEST_CASE("a gap delays the next message, at both ends") {
  const Outcome one = on_line("2", "Gap", "repeat 3 { if i == 1 { send 5 B to [i+1] } else { recv 5 B from [i-1] } }");
  CHECK(one["first"] == 3);
  // They leave at 1, 5, 9, arrive at 11, 15, 19, and pass at 11, 17, 23.
  CHECK(one["last"] == 24);
}

TEST_CASE("a window makes the sender wait until the receiver is done with an earlier message") {
  const Outcome one = on_line(
      "2", "Windowed",
      "if i == 2 { compute(100 us) }\nrepeat 4 { if i == 1 { send 5 B to [i+1] } else { recv 5 B from [i-1] } }");
  CHECK(one["first"] == 111);  // the third after the first is received at 105, the fourth after 110
  CHECK(one["last"] == 126);   // the third arrives at 116, the fourth at 121, when the third is done
}

TEST_CASE("what an operation does before its first await happens at the call, the rest behind it") {
  const Outcome sends = on_line(
      "2", "Handshake", "if i == 1 { isend 5 B to [i+1] as a\ncompute(100 us)\nwait a } else { recv 5 B from [i-1] }");
  CHECK(sends["first"] == 101);
  CHECK(sends["last"] == 40);  // request at 11, ack at 23, payload leaves at 26, arrives at 36
  const Outcome receives = on_line(
      "2", "Handshake", "if i == 1 { send 5 B to [i+1] } else { irecv 5 B from [i-1] as a\ncompute(100 us)\nwait a }");
  CHECK(receives["first"] == 26);
  CHECK(receives["last"] == 104);    // the last busy is charged at the wait
  CHECK(receives["overhead"] == 4);  // the busy behind it only delays
}

TEST_CASE("waiting for nothing is nothing, and waitall takes operations in the order of their calls") {
  const Outcome one = on_line("2", "Eager",
                              "wait a\nif i == 1 { irecv from [i+1] as a\nirecv from [i+1]\nwaitall } else { send 1 B "
                              "to [i-1]\ncompute(3 us)\nsend 2 B to [i-1] }");
  CHECK(one["first"] == 19);  // arrivals at 12 and 17
}

TEST_CASE("collectives as costs wait for all, for the root, or make the root wait") {
  const std::string arrive = "compute(i * 10 us)\n";
  CHECK(on_line("4", "Eager", arrive + "barrier()")["first"] == 44);
  CHECK(on_line("4", "Eager", arrive + "scatter()")["first"] == 15);
  CHECK(on_line("4", "Eager", arrive + "scatter()")["last"] == 40);
  CHECK(on_line("4", "Eager", arrive + "gather()")["first"] == 45);
  CHECK(on_line("4", "Eager", arrive + "gather()")["last"] == 40);
}

TEST_CASE("a collective that is an algorithm runs its messages") {
  const Outcome one = on_line("4", "Eager", "spread(5 B)");
  // Rank 1 sends at 0 and 1. Rank 2 has the message at 18 and sends it on until 19 to rank 4, where it arrives at 34
  // and is done at 36.
  CHECK(one["last"] == 36);
  CHECK(one["messages"] == 3);
  CHECK(outcome_of("let net = Eager()\noutput cost = net.spread(5 B, 4)")["cost"] == 36);
}

TEST_CASE("a procedure along an axis runs on each line, with places of its own") {
  const Outcome one = outcome_of_model(
      "procedure on_line(s: data) on R[x: e] { if x == 1 { for y in 2..e { recv s from R[y] } } else { send s to R[1] "
      "} }\n"
      "procedure ahead(s: data) on R[x: e] { send s to [x+1]\nrecv s from [x-1] }\n" +
          machines,
      "grid P[i: 3, j: 2 wrap]\nprocess p on P using Eager() {\non_line(0 B) along i\n}\n"
      "process q on P using Eager() {\nahead(0 B) along j\n}\n"
      "output a = p.finish[1, 2]\noutput b = p.finish[3, 2]\noutput n = p.messages * 1 us\n"
      "output m = q.messages * 1 us\noutput c = q.finish[2, 1]");
  CHECK(one["a"] == 15);  // both arrive at 11
  CHECK(one["b"] == 1);
  CHECK(one["n"] == 4);
  CHECK(one["m"] == 6);
  CHECK(one["c"] == 13);
}

TEST_CASE("a sweep hands on its tiles, from any corner") {
  const auto sweep = [](const std::string& corner) {
    return outcome_of("grid P[i: 3, j: 2]\nprocess p on P using Eager() {\nsweep from [" + corner +
                      "] tiles 2 {\n"
                      "recv 0 B from upwind i\nrecv 0 B from upwind j\ncompute(100 us)\nsend 0 B to downwind i\nsend 0 "
                      "B to downwind j } }\n"
                      "output a = p.finish[1, 1]\noutput b = p.finish[3, 2]\noutput n = p.messages * 1 us");
  };
  CHECK(sweep("NW")["a"] == 204);
  CHECK(sweep("SE")["b"] == 204);
  CHECK(sweep("NW")["n"] == 14);
  CHECK(sweep("NE")["n"] == 14);
}

TEST_CASE("all corners at once are served by hops and tile") {
  const Outcome one = outcome_of(
      "grid P[i: 3]\nprocess p on P using Eager() {\nsweep from {(+), (-)} tiles 2 {\n"
      "compute(if corner == (+) then tile * 1 us else tile * 100 us)\n"
      "if i == 1 { if corner == (+) { if tile == 2 { phase \"mine\" { compute(0) } } } } } }\n"
      "output t = p.phase(\"mine\").finish\noutput x = p.time");
  // Process 1: its own corner's tiles are at steps 1 and 2, the other's at 3 and 4.
  CHECK(one["x"] == 303);
  CHECK(one["t"] == 3);
}

TEST_CASE("phases hold what happened in them, of the last finisher or of one process") {
  const Outcome one = outcome_of(
      "grid P[i: 2]\nprocess p on P using Eager() {\n"
      "repeat 2 { phase \"x\" { compute(i * 10 us)\n if i == 1 { send 0 B to [i+1] } else { recv 0 B from [i-1] } } "
      "compute(1 us) } }\n"
      "output t = p.phase(\"x\")\noutput n = p.phase(\"x\").messages * 1 us\noutput c = p.phase(\"x\").compute[1]");
  CHECK(one["t"] == 45);  // arrivals at 21 and 33: 20 + 1 + 2, then 24 + 20 + 2
  CHECK(one["n"] == 2);
  CHECK(one["c"] == 20);
}

TEST_CASE("times over all processes are the greatest, the least, and the exact mean") {
  const Outcome one = outcome_of(
      "grid P[i: 3]\nprocess p on P using Eager() {\nphase \"x\" { compute(i * i * 1 us) } }\n"
      "output most = p.phase(\"x\").max\noutput mean = p.phase(\"x\").compute.mean\noutput least = p.finish.min");
  CHECK(one["most"] == 9);
  CHECK(one["mean"] == 14e6 / 3 / 1e6);
  CHECK(one["least"] == 1);
}

TEST_CASE("a phase inside itself counts at every run") {
  const Outcome one = outcome_of(
      "grid P[i: 1]\nprocess p on P using Eager() {\nphase \"x\" { compute(1 us)\nphase \"x\" { compute(10 us) } } }\n"
      "output t = p.phase(\"x\")");
  CHECK(one["t"] == 21);
}

TEST_CASE("weights are rounded to the quantum, each by itself, halves to even") {
  const std::string text = machines +
                           "model M { grid P[i: 1]\nprocess p on P using Eager() { compute(3 ps)\ncompute(5 "
                           "ps)\ncompute(1 ps) }\noutput t = p.time }";
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load("<test>", {}, diagnostics, &text);
  REQUIRE(!diagnostics.has_errors());
  const auto answers = outputs_of(*program->main().items.back(), {{{"p", 2}}, {}});
  CHECK(as_real(answers.at(0).rows.at(0).at(0)) == 8);  // 4 + 4 + 0
}

TEST_CASE("costs of a message are derived by running its ends") {
  const Outcome one = outcome_of(
      "let net = Handshake()\noutput t = net.total(1 B)\noutput s = net.send(1 B)\noutput r = net.recv(1 B)");
  CHECK(one["t"] == 40);
  CHECK(one["s"] == 26);  // 1 + 10, 2, 10, 3
  CHECK(one["r"] == 29);  // 2 + 10 + 3 + 10 + 4
}

TEST_CASE("`super` takes functions and protocols of the machine that is extended, with what this one overrides") {
  const std::string extended = R"(
machine Base {
  param L: time = 10 us
  fn latency(): time = L
  protocol eager(s: data) { sender { busy 1 us; emit x after latency() } receiver { await x; busy 2 us } }
}
machine Mine extends Base {
  override fn latency(): time = 2 * super.latency()
  override protocol eager(s: data) { sender { emit x after super.total(s) } receiver { await x } }
}
)";
  const Outcome one = outcome_of_model(
      extended,
      "grid P[i: 2]\nprocess p on P using Mine() { if i == 1 { send 5 B to [i+1] }\nif i == 2 { recv 5 B from "
      "[i-1] } }\noutput t = p.time\noutput c = Mine().total(5 B)");
  CHECK(one["t"] == 23);
  CHECK(one["c"] == 23);
}

TEST_CASE("deadlocks are found") {
  const std::string both = "send 1 B to [i+1]\nsend 1 B to [i-1]\nrecv from [i-1]\nrecv from [i+1]";
  CHECK(on_line("2", "Handshake", both).fails("deadlock"));
  CHECK(on_line("2", "Eager", both).failures.empty());
  CHECK(on_line("1", "Handshake", both).failures.empty());
}

TEST_CASE("messages that do not meet are found") {
  CHECK(on_line("2", "Eager", "send 1 B to [i+1]").fails("unmatched_message"));
  CHECK(on_line("2", "Eager", "recv 1 B from [i-1]").fails("unmatched_message"));
  CHECK(on_line("2", "Eager", "send 1 B to [i+1]\nrecv 2 B from [i-1]").fails("size_mismatch"));
  CHECK(on_line("2", "Eager", "send 1 B to [i+1] tag 1\nrecv 1 B from [i-1] tag 2").fails("unmatched_message"));
  CHECK(
      on_line("2", "Eager", "if i == 1 { send 1 B to P[2] } else { recv 1 B from [i-1] }").fails("unmatched_message"));
  CHECK(on_line("2", "Eager", "if i == 1 { send 1 B to P[2] } else { recv 1 B from P[1] }").failures.empty());
  CHECK(on_line("2", "Eager", "send 1 B to P[3]").fails("index_off_grid"));
}

}  // namespace wave::simulator
