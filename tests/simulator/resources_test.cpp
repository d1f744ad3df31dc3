// Resources: whoever asks first is served first. Times are computed by hand.
#include "tests/simulator/outcome.h"

#include <cmath>

namespace wave::simulator {

namespace {

const std::string machines_with_resources = R"(
machine Gap {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { await payload via rx for 6 us; busy 1 us }
  }
}
// Only the resources take time. Messages of 100 bytes and more take one step more.
machine Free {
  resource rx of process
  protocol longer(s: data) when s >= 100 B {
    sender   { busy 0; emit payload after 0 }
    receiver { await payload via rx for 5 us; busy 1 us }
  }
  protocol eager(s: data) {
    sender   { emit payload after 0 }
    receiver { await payload via rx for 5 us; busy 1 us }
  }
}
// A resource that is held for no time, then a signal without delay to one that is held.
machine NoHold {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { emit payload via tx for 0 after 0 }
    receiver { await payload via rx for 5 us }
  }
}
machine HalfDuplex {
  resource nic of process
  param L: time = 10 us
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via nic for 4 us after L }
    receiver { await payload via nic for 4 us; busy 1 us }
  }
}
machine Parts {
  resource tx of process
  resource rx of process
  resource memory of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit head via tx for 4 us after 10 us; emit body via tx for 3 us after 10 us; busy 2 us }
    receiver { await head via rx for 6 us; await body via rx for 1 us; await body via memory for 8 us; busy 1 us }
  }
}
machine Meets {
  resource tx of process
  resource rx of process
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us; await met }
    receiver { await payload via rx for 6 us; emit met after 0; busy 1 us }
  }
}
machine Engine {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { acquire tx for 4 us; busy 1 us; emit payload after 10 us }
    receiver { await payload; acquire rx for 6 us; emit taken after 2 us; busy 1 us }
  }
}
machine Other {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { await payload via rx for 6 us; busy 1 us }
  }
  collective hand_on(s: data) on R[r: p] { send s to [r + 1]
    recv s from [r - 1] }
}
machine Window {
  resource tx of process
  resource rx of process
  protocol eager(s: data) window 1 {
    sender   { emit payload via tx for 4 us after 10 us }
    receiver { await payload via rx for 6 us; busy 1 us }
  }
}
)";

Outcome on_resources(const std::string& n, const std::string& machine, const std::string& body,
                     const std::string& outputs = "") {
  return outcome_on_line(machines_with_resources, n, machine, body, outputs);
}

}  // namespace

TEST_CASE("what arrives first is served first, whatever was called first") {
  const Outcome one = on_resources("3", "Gap",
                                   "if i == 1 { compute(100 us)\nsend 8 B to P[2] }\nif i == 3 { send 8 B "
                                   "to P[2] }\n"
                                   "if i == 2 { irecv 8 B from P[1] as late\nirecv 8 B from P[3] as early\n"
                                   "phase \"early\" { wait early }\nwait late }",
                                   "output early = p.phase(\"early\")[2]\noutput second = p.finish[2]");
  CHECK(one["early"] == 12);    // 1 + 10, then 1
  CHECK(one["second"] == 112);  // 101 + 10, then 1
}

TEST_CASE("an interface takes a signal in before its receive is called") {
  const std::string body =
      "if i != 2 { send 8 B to P[2] } else { compute(100 "
      "us)\nrecv 8 B from P[1]\nrecv 8 B from P[3] }";
  // Both arrive at 11, and pass at 11 and 17, long before anybody asks for them.
  CHECK(on_resources("3", "Gap", body, "output second = p.finish[2]")["second"] == 102);
}

TEST_CASE(
    "of two requests at one moment that of the process that comes first is "
    "served first") {
  const auto second = [](const std::string& first, const std::string& other) {
    return on_resources("3", "Gap",
                        "if i != 2 { send 8 B to P[2] } else { recv 8 B from P[" + first +
                            "]\nphase \"x\" { recv 8 B from P[" + other + "] } }",
                        "output second = p.phase(\"x\")[2]");
  };
  // Both arrive at 11. The one from process 1 passes then, the other at 17.
  CHECK(second("1", "3")["second"] == 6);  // from 12 to 18
  CHECK(second("3", "1")["second"] == 1);  // from 18 on
}

TEST_CASE(
    "of two requests at one time the one that fewer steps led to is "
    "served first") {
  const auto phases = [](const std::string& size) {
    return on_resources("3", "Free",
                        "if i == 1 { send " + size +
                            " to P[2] }\nif i == 3 { send 8 B to P[2] }\n"
                            "if i == 2 { recv " +
                            size + " from P[1]\nrecv 8 B from P[3] }",
                        "output second = p.finish[2]")["second"];
  };
  CHECK(phases("8 B") == 6);    // both at (0, 1): served at 0 and 5, done at 1 and 6
  CHECK(phases("100 B") == 7);  // at (0, 2) and (0, 1): served at 5 and 0, done at 6 and 7
}

TEST_CASE("what is held for no time is free one step later") {
  // The first process emits at (0, 0) and (0, 1). Both signals are served then and arrive at (0, 1) and (0, 2). The
  // third process emits at (0, 0) only. By their counts of steps, the first signal of process 1 is served first, then
  // that of process 3 (both are at (0, 1), so the process's number decides), then the second of process 1.
  const Outcome one = on_resources("3", "NoHold",
                                   "if i == 1 { send 8 B to P[2]\nsend 8 B to P[2] }\nif i == "
                                   "3 { send 8 B to P[2] }\n"
                                   "if i == 2 { recv 8 B from P[1]\nirecv 8 B from P[1] as "
                                   "a\nphase \"x\" { recv 8 B from P[3] }\n"
                                   "wait a }",
                                   "output x = p.phase(\"x\")[2]\noutput second = p.finish[2]");
  CHECK(one["x"] == 5);  // served at 5
  CHECK(one["second"] == 10);
}

TEST_CASE(
    "an interface for both directions serves by time, in either order of "
    "the calls") {
  const auto halo = [](const std::string& body, const std::string& latency) {
    return outcome_of_model(machines_with_resources, "grid P[i: 4 wrap]\nprocess p on P using HalfDuplex(L = " +
                                                         latency + ") {\n" + body + "\nwaitall }\noutput t = p.time");
  };
  const std::string send = "isend 8 B to [i + 1]\n", receive = "irecv 8 B from [i - 1]\n";
  for (const std::string& body : {send + receive, receive + send}) {
    CHECK(halo(body, "10 us")["t"] == 12);  // leaves at 1, passes at 11
    CHECK(halo(body, "2 us")["t"] == 6);    // leaves at 1, arrives at 3, passes at 5
  }
}

TEST_CASE("an end may ask for several things, one after the other") {
  // The head leaves at 1 and the body at 5, so they arrive at 11 and 15. rx serves from 11 to 17 and from 17 to 18,
  // memory from 15 to 23.
  const Outcome one = on_resources("2", "Parts", "if i == 1 { send 8 B to [i+1] } else { recv 8 B from [i-1] }");
  CHECK(one["first"] == 3);
  CHECK(one["last"] == 18);
  // The second head is asked for at 4 and leaves at 8, its body at 12. rx takes the head in from 18 to 24. The body
  // arrives at 22, and rx takes it in from 24 to 25, memory from 23 to 31.
  const Outcome two = on_resources("2", "Parts",
                                   "repeat 2 { if i == 1 { send 8 B to [i+1] } "
                                   "else { recv 8 B from [i-1] } }");
  CHECK(two["first"] == 6);
  CHECK(two["last"] == 25);
}

TEST_CASE("a rendezvous that is met when the interface serves the payload") {
  // The message leaves at 1 and arrives and passes at 11. The sender is free at 11, the receiver at 12.
  const Outcome one = on_resources("2", "Meets", "if i == 1 { send 8 B to [i+1] } else { recv 8 B from [i-1] }");
  CHECK(one["first"] == 11);
  CHECK(one["last"] == 12);
  // The interface takes the payload in at 11, although the receiver comes only at 50.
  const Outcome late = on_resources("2", "Meets",
                                    "if i == 1 { send 8 B to [i+1] } else { "
                                    "compute(50 us)\nrecv 8 B from [i-1] }");
  CHECK(late["first"] == 50);
  CHECK(late["last"] == 51);
}

TEST_CASE(
    "an end that acquires a resource waits for it, in the background for "
    "nothing else") {
  // The second is served at 4 and is busy until 5.
  const std::string twice =
      "repeat 2 { if i == 1 { send 8 B to [i+1] } else { "
      "recv 8 B from [i-1] } }";
  const Outcome one = on_resources("2", "Engine", twice);
  CHECK(one["first"] == 5);
  // They arrive at 11 and 15, so rx serves from 11, then from 17.
  CHECK(one["last"] == 18);
  CHECK(one["overhead"] == 2);
  // In the background, rx is acquired at 11 and 17, and the busy times are charged at 40.
  const Outcome behind = on_resources("2", "Engine",
                                      "repeat 2 { if i == 1 { send 8 B to [i+1] } else { irecv 8 "
                                      "B from [i-1] } }\n"
                                      "if i == 2 { compute(40 us)\nwaitall }");
  CHECK(behind["last"] == 42);
  const Outcome soon = on_resources("2", "Engine",
                                    "repeat 2 { if i == 1 { send 8 B to [i+1] } else { irecv 8 "
                                    "B from [i-1] } }\nwaitall");
  CHECK(soon["last"] == 18);  // 11 + 1, then 17 + 1
}

TEST_CASE("each process has resources of its own, and each machine") {
  const Outcome one = outcome_of_model(machines_with_resources,
                                       "let other = Other()\ngrid P[i: 2]\nprocess p on P using Gap() {\n"
                                       "if i == 1 { send 8 B to [i+1] } else { recv 8 B from [i-1] "
                                       "}\nother.hand_on(8 B) }\n"
                                       "output first = p.finish[1]\noutput last = p.finish[2]");
  CHECK(one["first"] == 2);
  // The other machine's tx is free at 2 and its rx at 12, when the receiver has just finished the first message.
  CHECK(one["last"] == 13);
}

TEST_CASE(
    "a window opens when the receiver is through, and its interface has "
    "served") {
  const Outcome one = on_resources("2", "Window",
                                   "repeat 3 { if i == 1 { send 8 B to [i+1] } "
                                   "else { recv 8 B from [i-1] } }");
  // The first passes at 10 and is done at 11. The second leaves at 11, arrives at 21 and is done at 22. The third is
  // done at 33.
  CHECK(one["first"] == 22);
  CHECK(one["last"] == 33);
}

TEST_CASE("a process that sends to itself has one interface for both") {
  const Outcome one = outcome_of_model(machines_with_resources,
                                       "grid P[i: 1 wrap]\nprocess p on P using HalfDuplex(L = 2 us) {\n"
                                       "repeat 2 { isend 8 B to [i + 1] }\nrepeat 2 { recv 8 B from [i - 1] "
                                       "}\nwaitall }\n"
                                       "output t = p.time");
  // The process emits at 1 and 2; the signals leave at 1 and 5. The first arrives at 3, after the second was asked for,
  // and has nic at 9. The second arrives at 7 and has nic at 13. All is done at 14.
  CHECK(one["t"] == 14);
}

TEST_CASE("no order of calls makes processes wait for each other's interfaces") {
  const Outcome all = outcome_of_file(WAVE_SOURCE_DIR "/tests/simulator/head_of_line.wave");
  CHECK(all.failures.empty());
  CHECK(all.values.size() == 11);
  // In the reversed order, the process waits first for what comes last, and is charged three more overheads after it.
  CHECK(std::abs(all["halo_reversed"] - all["halo"] - 6) < 1e-6);
  CHECK(all["free_halo"] == all["free_halo_reversed"]);
  CHECK(all["nic"] == 12);  // leaves at 1, passes at 11
  CHECK(all["nic_other"] == 12);
}

TEST_CASE("processes that wait for each other are found where resources are") {
  const std::string both = "send 1 B to [i+1]\nsend 1 B to [i-1]\nrecv from [i-1]\nrecv from [i+1]";
  CHECK(on_resources("2", "Meets", both).fails("deadlock"));
  CHECK(on_resources("2", "Gap", both).failures.empty());
}

}  // namespace wave::simulator
