// First and last bytes: `await … via … after t`, and `await sent`. Times are computed by hand.
#include "tests/simulator/outcome.h"

namespace wave::simulator {

namespace {

const std::string machines = R"(
machine FirstByte {
  resource tx of process
  resource rx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { await payload via rx for 6 us after 5 us; busy 1 us }
  }
}
machine Through {
  resource rx of process
  resource memory of process
  protocol eager(s: data) {
    sender   { emit payload after 10 us }
    receiver { await payload via rx for 6 us via memory for 9 us after 5 us }
  }
}
machine Blocking {
  resource tx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 6 us after 10 us; await sent payload; emit told after 0 }
    receiver { await payload; await told }
  }
}
machine Marked {
  resource tx of process
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload via tx for 6 us after 10 us; await sent payload after 2 us; busy 1 us }
    receiver { await payload }
  }
}
machine Alone {
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after 10 us; await sent payload after 3 us }
    receiver { await payload }
  }
}
)";

Outcome on(const std::string& n, const std::string& machine, const std::string& body, const std::string& outputs = "") {
  return outcome_on_line(machines, n, machine, body, outputs);
}

const std::string once = "if i == 1 { send 8 B to P[2] } else { recv 8 B from P[1] }";
const std::string twice = "if i == 1 { repeat 2 { send 8 B to P[2] } } else { repeat 2 { recv 8 B from P[1] } }";

}  // namespace

TEST_CASE("an await passes a time after its last resource began") {
  CHECK(on("2", "FirstByte", once)["last"] == 17);  // 1 + 10, then 5, then 1
  CHECK(on("2", "Through", once)["last"] == 15);
  CHECK(on("2", "FirstByte", once)["overhead"] == 1);
}

TEST_CASE("a resource is held from the first byte, however late the last one is") {
  const std::string body = "if i != 2 { send 8 B to P[2] } else { recv 8 B from P[1]\nrecv 8 B from P[3] }";
  CHECK(on("3", "FirstByte", body, "output second = p.finish[2]")["second"] == 23);  // 11, 17, then 5 and 1
  // `memory` is asked for at 10 and 16, and serves from 10 and 19 on.
  CHECK(on("3", "Through", body, "output second = p.finish[2]")["second"] == 24);
}

TEST_CASE("messages in causal order add up") {
  const std::string body =
      "repeat 3 { if i == 1 { send 8 B to P[2]\nrecv 8 B from P[2] } else { recv 8 B from P[1]\nsend 8 B to P[1] } }";
  CHECK(on("2", "FirstByte", body)["time"] == 6 * 17);
}

TEST_CASE("a send waits until its bytes have left") {
  const Outcome outcome = on("2", "Blocking", twice);
  CHECK(outcome["first"] == 14);  // the second leaves from 8 on
  CHECK(outcome["overhead"] == 0);
  CHECK(on("2", "Marked", twice)["first"] == 10);  // the second leaves from 7 on
  CHECK(on("2", "Alone", twice)["first"] == 8);
}

TEST_CASE("in the background a wait waits for that") {
  const auto body = [](const char* time) {
    return "if i == 1 { isend 8 B to P[2] as a\ncompute(" + std::string(time) +
           ")\nwait a } else { recv 8 B from P[1] }";
  };
  CHECK(on("2", "Blocking", body("3 us"))["first"] == 7);
  CHECK(on("2", "Blocking", body("30 us"))["first"] == 31);
  CHECK(on("2", "Marked", body("3 us"))["first"] == 5);  // 1 us is charged at the wait
  CHECK(on("2", "Alone", body("1 us"))["first"] == 4);
}

}  // namespace wave::simulator
