// The work done on arrival shares the processor with the program. Times are computed by hand.
#include "tests/simulator/outcome.h"

namespace wave::simulator {

namespace {

const std::string machines_on_arrival = R"(
machine Interrupt {
  param L: time = 10 us
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after L }
    receiver { on arrival of payload busy 2 us; await payload }
  }
  collective barrier(): time = 11 us
}
machine Copies {
  resource rx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { on arrival of payload { acquire rx for 6 us; busy 2 us }; await payload; busy 3 us }
  }
}
machine Engine {
  resource tx of process
  protocol interrupt(s: data) when s >= 100 B {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { on arrival of payload busy 2 us; await payload }
  }
  protocol plain(s: data) when s >= 10 B {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { await payload }
  }
  protocol eager(s: data) {
    sender   { acquire tx for 14 us; busy 1 us; emit payload after 10 us }
    receiver { await payload; emit taken after 0; busy 1 us }
  }
}
machine Acked {
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit request after 10 us; on arrival of ack busy 4 us; await ack; emit payload after 10 us }
    receiver { await request; busy 2 us; emit ack after 10 us; await payload; busy 3 us }
  }
}
)";

// Times of the second of two processes. `L` is how long a signal travels.
Outcome second_of_two(const std::string& body, const std::string& latency = "10 us", const std::string& outputs = "") {
  return outcome_of_model(machines_on_arrival, "grid P[i: 2]\nprocess p on P using Interrupt(L = " + latency +
                                                   ") {\nif i == 1 { send 8 B to [i+1] } else {\n" + body + "\n} }\n" +
                                                   "output finish = p.finish[2]\noutput wait = p.wait[2]\n"
                                                   "output overhead = p.overhead[2]\noutput compute = p.compute[2]\n" +
                                                   outputs);
}
Outcome on_processor(const std::string& n, const std::string& machine, const std::string& body,
                     const std::string& outputs = "") {
  return outcome_on_line(machines_on_arrival, n, machine, body, outputs);
}

}  // namespace

TEST_CASE("what arrives at a processor that waits is taken in at once, and the program goes on meanwhile") {
  const Outcome one = second_of_two("phase \"r\" { recv 8 B from [i-1] }", "10 us", "output r = p.phase(\"r\")[2]");
  CHECK(one["r"] == 11);  // the await passes when the processor begins
  CHECK(one["finish"] == 13);
  CHECK(one["overhead"] == 2);
  CHECK(one["wait"] == 11);
}

TEST_CASE("what arrives during a computation is taken in after the step that follows") {
  // It arrives at 11, during the computation from 5 to 13. The next computation was handed over at 5, and ends at 17.
  const Outcome one = second_of_two("compute(5 us)\ncompute(8 us)\ncompute(4 us)\nphase \"r\" { recv 8 B from [i-1] }",
                                    "10 us", "output r = p.phase(\"r\")[2]\noutput w = p.phase(\"r\").wait[2]");
  CHECK(one["finish"] == 19);
  CHECK(one["compute"] == 17);
  CHECK(one["wait"] == 0);
  CHECK(one["r"] == 0);   // the await passes at 17, when the processor begins to take it in
  CHECK(one["w"] == -2);  // what the processor does counts as overhead of the phase, but not as its time
}

TEST_CASE("what came before a computation began is taken in before the step that follows") {
  // It arrives at 3. The computation from 5 to 13 was handed over at 0, the next one at 5.
  const Outcome one = second_of_two("compute(5 us)\ncompute(8 us)\nphase \"c\" { compute(4 us) }\nrecv 8 B from [i-1]",
                                    "2 us", "output c = p.phase(\"c\")[2]");
  CHECK(one["c"] == 6);  // taken in from 13 to 15
  CHECK(one["finish"] == 19);
}

TEST_CASE("a message is taken in before its receive is called, and is overhead of the phase that calls it") {
  const Outcome one = on_processor(
      "3", "Interrupt",
      "if i == 1 { send 8 B to P[2] }\nif i == 3 { compute(40 us)\nsend 8 B to P[2] }\n"
      "if i == 2 { phase \"late\" { recv 8 B from P[3] }\nphase \"early\" { recv 8 B from P[1] } }",
      "output second = p.finish[2]\noutput late = p.phase(\"late\")[2]\noutput early = p.phase(\"early\")[2]\n"
      "output overhead_early = p.phase(\"early\").overhead[2]\n"
      "output overhead_late = p.phase(\"late\").overhead[2]");
  CHECK(one["late"] == 51);  // one is taken in from 11 to 13, the other from 51 to 53
  CHECK(one["early"] == 0);
  CHECK(one["second"] == 53);
  CHECK(one["overhead_late"] == 2);
  CHECK(one["overhead_early"] == 2);
}

TEST_CASE("an operation that nothing waits for is taken in all the same, and its process finishes then") {
  const Outcome one = second_of_two("irecv 8 B from [i-1]");
  CHECK(one["finish"] == 13);
  CHECK(one["overhead"] == 2);
}

TEST_CASE("a program that comes to its processor while that takes something in has to wait") {
  // Both arrive at 11. The processor and rx take the first one in from 11, until 13 and 17, so rx is free for the
  // second from 17. The first is received at 11. Its busy lasts from 13 to 16, and the computation from 16 to 20. The
  // second was asked for at 11 and needs the processor at 17, but gets it only at 20, until 22. Its busy lasts from 22
  // to 25.
  const Outcome one = on_processor("3", "Copies",
                                   "if i != 2 { send 8 B to P[2] } else { recv 8 B from P[1]\ncompute(4 us)\n"
                                   "phase \"x\" { recv 8 B from P[3] } }",
                                   "output second = p.finish[2]\noutput x = p.phase(\"x\")[2]\n"
                                   "output overhead_second = p.overhead[2]");
  CHECK(one["second"] == 25);
  CHECK(one["x"] == 5);
  CHECK(one["overhead_second"] == 10);
}

TEST_CASE("what asks for several things holds none of them until all are free, and is passed by") {
  // At 15 the first process asks for tx with 10 bytes, which hold it until 19, and then with 8 bytes for tx and the
  // processor. The 100 bytes for it arrive 11 after `wait`.
  const auto sent = [](const std::string& wait) {
    return on_processor("2", "Engine",
                        "if i == 2 { compute(" + wait +
                            ")\nsend 100 B to [i-1] }\n"
                            "if i == 1 { compute(14 us)\nisend 10 B to [i+1]\nphase \"x\" { send 8 B to [i+1] }\n"
                            "recv 100 B from [i+1] } else { recv 10 B from [i-1]\nrecv 8 B from [i-1] }",
                        "output x = p.phase(\"x\")[1]")["x"];
  };
  CHECK(sent("0") == 5);     // they arrive at 11 and are taken in from 15 to 17; the 8 bytes are served at 19
  CHECK(sent("6 us") == 5);  // taken in from 17 to 19; served at 19
  CHECK(sent("7 us") == 6);  // taken in from 18 to 20; the 8 bytes are served at 20, although tx is free at 19
  CHECK(sent("8 us") == 5);  // they arrive at 19, when tx is free; what asked at 14 is served first
}

TEST_CASE("at one moment it is the process that decides, of a signal the one that emitted it") {
  const auto phase = [](int sender, int receiver, const std::string& body) {
    const std::string to = std::to_string(receiver), from = std::to_string(sender);
    return outcome_of_model(machines_on_arrival,
                            "grid P[i: 2]\nprocess p on P using Interrupt(L = 11 us) {\nif i == " + from +
                                " { send 8 B to P[" + to + "] }\n" + body + "\n}\noutput c = p.phase(\"c\")[" + to +
                                "]\noutput finish = p.finish[" + to + "]");
  };
  // Both leave the barrier at 12, when the signal arrives. Taking it in costs 2, and the computation 5.
  const Outcome first = phase(1, 2, "barrier()\nphase \"c\" { if i == 2 { compute(5 us)\nrecv 8 B from P[1] } }");
  CHECK(first["c"] == 7);
  CHECK(first["finish"] == 19);
  const Outcome last = phase(2, 1, "barrier()\nphase \"c\" { if i == 1 { compute(5 us)\nrecv 8 B from P[2] } }");
  CHECK(last["c"] == 5);
  CHECK(last["finish"] == 19);
}

TEST_CASE("what a wait charges needs the processor") {
  // The message is taken in from 11 to 13. The wait passes at 11, and its charge lasts from 13 to 16.
  const Outcome one =
      on_processor("2", "Copies", "if i == 1 { send 8 B to [i+1] } else { irecv 8 B from [i-1]\nwaitall }");
  CHECK(one["last"] == 16);
  CHECK(one["overhead"] == 5);
}

TEST_CASE("a sender may take its acknowledgement in on arrival") {
  // The request arrives at 11. The acknowledgement arrives at 23 and is taken in from 23 to 27. The program emits the
  // payload at 23 and has then finished; the payload arrives at 33.
  const Outcome one = on_processor(
      "2", "Acked", "if i == 1 { phase \"s\" { send 8 B to [i+1] }\ncompute(1 us) } else { recv 8 B from [i-1] }",
      "output s = p.phase(\"s\")[1]");
  CHECK(one["s"] == 23);
  CHECK(one["first"] == 28);
  CHECK(one["last"] == 36);
}

TEST_CASE("the derived costs share the processor, too") {
  const Outcome one = outcome_of_model(
      machines_on_arrival,
      "let net = Interrupt()\nlet copies = Copies()\nlet acked = Acked()\noutput total = net.total(8 B)\noutput send = "
      "net.send(8 B)\n"
      "output recv = net.recv(8 B)\noutput copies_total = copies.total(8 B)\noutput copies_recv = copies.recv(8 B)\n"
      "output acked_send = acked.send(8 B)");
  CHECK(one["total"] == 13);
  CHECK(one["send"] == 1);
  CHECK(one["recv"] == 2);  // what came long ago still waits for its processor
  CHECK(one["copies_total"] == 16);
  CHECK(one["copies_recv"] == 5);
  CHECK(one["acked_send"] == 27);  // 1, 10, 2, 10, and 4 on arrival of the acknowledgement
}

}  // namespace wave::simulator
