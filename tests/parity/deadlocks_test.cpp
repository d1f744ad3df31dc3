// Programs that deadlock, and programs that only look as if they did. Simulator, interpreter and JIT agree on which is
// which.
#include "tests/parity/processes.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace {

const char* const machines = R"(
machine Eager {
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 1 us }
  }
}
machine Handshake {
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit request after 10 us; await ack; busy 1 us; emit payload after 10 us }
    receiver { await request; busy 1 us; emit ack after 10 us; await payload; busy 1 us }
  }
}
)";

// How a process ends: with a kind of failure, or with "".
std::string end_of(const std::string& grid, const std::string& machine, const std::string& body,
                   const std::string& members = "") {
  const std::string text = fmt::format(
      "{}model M {{\n  param p: int = 4\n  param m: int = 8\n  grid P[{}]\n{}\n"
      "  process run on P using {}() {{\n{}\n  }}\n  output time = run.time\n"
      "  output finish = run.finish\n  output wait = run.wait\n}}\n",
      machines, grid, members, machine, body);
  wave::parity::ProcessCampaign campaign;
  wave::parity::compare_process_program({text, {}}, campaign);
  CHECK(campaign.difference == "");
  CHECK(campaign.unsupported == 0);
  return campaign.failures.empty() ? "" : campaign.failures.begin()->first;
}

const std::string both_ways = "send 8 B to [i+1]\nsend 8 B to [i-1]\nrecv 8 B from [i-1]\nrecv 8 B from [i+1]";

// Each stage of a pipeline first runs ahead with forward messages, then alternates one forward and one back.
std::string one_forward_one_back(const std::string& send) {
  return "let ahead = min(p - i, m)\nrepeat ahead { forward() }\nrepeat m - ahead {\nrecv 8 B from [i-1]\ncompute(1 "
         "us)\n" +
         send + "\nback()\nwaitall\n}\nrepeat ahead { back() }";
}
const char* const passes =
    "procedure forward() on P { recv 8 B from [i-1]\ncompute(1 us)\nsend 8 B to [i+1] }\n"
    "procedure back() on P { recv 8 B from [i+1]\ncompute(2 us)\nsend 8 B to [i-1] }";

std::string at_once(const std::string& send) {
  return fmt::format(
      "sweep from {{NW, NE, SW, SE}} tiles 3 {{\nrecv 8 B from upwind i\nrecv 8 B from upwind j\ncompute(1 us)\n"
      "{0} 8 B to downwind i\n{0} 8 B to downwind j\n}}\nwaitall",
      send);
}

}  // namespace

TEST_CASE("blocking sends both ways between neighbours deadlock under rendezvous, where there are neighbours") {
  CHECK(end_of("i: 2", "Handshake", both_ways) == "deadlock");
  CHECK(end_of("i: 3", "Handshake", both_ways) == "deadlock");
  CHECK(end_of("i: 1", "Handshake", both_ways) == "");
  CHECK(end_of("i: 3", "Eager", both_ways) == "");
}

TEST_CASE("operations in the background keep neighbours from waiting for each other") {
  CHECK(end_of("i: 5", "Handshake",
               "isend 8 B to [i+1] as a\nisend 8 B to [i-1] as b\nrecv 8 B from [i-1]\nrecv 8 B from [i+1]\nwait "
               "a\nwait b") == "");
  CHECK(end_of("i: 5", "Handshake",
               "irecv 8 B from [i-1]\nirecv 8 B from [i+1]\nisend 8 B to [i+1]\nisend 8 B to [i-1]\nwaitall") == "");
  CHECK(end_of("i: 5", "Handshake", "isend 8 B to [i+1] as a\nwait a\nrecv 8 B from [i-1]") == "");
  CHECK(end_of("i: 5 wrap", "Handshake", "isend 8 B to [i+1] as a\nwait a\nrecv 8 B from [i-1]") == "deadlock");
}

TEST_CASE("one forward, one back needs a send in the background under rendezvous") {
  CHECK(end_of("i: p", "Handshake", one_forward_one_back("isend 8 B to [i+1]"), passes) == "");
  CHECK(end_of("i: p", "Handshake", one_forward_one_back("send 8 B to [i+1]"), passes) == "deadlock");
  CHECK(end_of("i: p", "Eager", one_forward_one_back("send 8 B to [i+1]"), passes) == "");
}

TEST_CASE("a message may be sent in a sweep and received after it") {
  const auto late = [](const std::string& send) {
    return "sweep from [NW] tiles 3 {\nrecv 8 B from upwind i\ncompute(1 us)\nsend 8 B to downwind i\n" + send +
           " 8 B to downwind j tag 1\n}\nrepeat 3 { recv 8 B from [i, j-1] tag 1 }\nwaitall";
  };
  for (const char* const machine : {"Eager", "Handshake"}) {
    CHECK(end_of("i: 3, j: 3", machine, late("isend")) == "");
    CHECK(end_of("i: 3, j: 3", machine, late("send")) == "");  // the last row finishes first, then the one before it
  }
}

TEST_CASE("axes that wrap, down to two processes and one") {
  const std::string ring = "isend 8 B to [i+1]\nisend 8 B to [i-1]\nrecv 8 B from [i-1]\nrecv 8 B from [i+1]\nwaitall";
  for (const char* const grid : {"i: 3 wrap", "i: 2 wrap", "i: 1 wrap"}) {
    for (const char* const machine : {"Eager", "Handshake"}) {
      CHECK(end_of(grid, machine, ring) == "");
      CHECK(end_of(grid, machine, "send 8 B to [i+1]\nrecv 8 B from [i-1]") == (machine[0] == 'H' ? "deadlock" : ""));
      CHECK(end_of(grid, machine, "recv 8 B from [i-1]\nsend 8 B to [i+1]") == "deadlock");
    }
  }
  // Both offsets lead to the same process, but are kept apart.
  CHECK(end_of("i: 2 wrap", "Eager",
               "send 8 B to [i+1]\nsend 16 B to [i-1]\nrecv 16 B from [i+1]\nrecv 8 B from [i-1]") == "");
}

TEST_CASE("all corners at once deadlock with blocking sends under rendezvous, already on two processes") {
  for (const char* const grid : {"i: 2, j: 1", "i: 1, j: 2", "i: 3, j: 2"}) {
    CHECK(end_of(grid, "Handshake", at_once("send")) == "deadlock");
    CHECK(end_of(grid, "Handshake", at_once("isend")) == "");
    CHECK(end_of(grid, "Eager", at_once("send")) == "");
  }
  CHECK(end_of("i: 1, j: 1", "Handshake", at_once("send")) == "");
}

TEST_CASE("messages that do not meet, and sizes that differ on some processes only") {
  CHECK(end_of("i: 3", "Eager", "send 8 B to [i+1]") == "unmatched_message");
  CHECK(end_of("i: 3", "Eager", "send 8 B to [i+1]\nrecv 8 B from [i-1]\nrecv 8 B from [i-1]") == "unmatched_message");
  CHECK(end_of("i: 3", "Eager", "if i == 2 { send 8 B to P[3] }\nif i == 3 { recv 8 B from [i-1] }") ==
        "unmatched_message");
  CHECK(end_of("i: 3", "Eager", "send (if i == 2 then 16 B else 8 B) to [i+1]\nrecv 8 B from [i-1]") ==
        "size_mismatch");
  CHECK(end_of("i: 3", "Eager", "send (if i == 3 then 16 B else 8 B) to [i+1]\nrecv 8 B from [i-1]") == "");
  CHECK(end_of("i: 3", "Handshake", "irecv 8 B from [i-1]\nsend 8 B to [i+1]\nsend 8 B to [i+1]\nwaitall") ==
        "unmatched_message");
}
