// Programs of processes as machine code: what is told apart at run time gives what instructions give, and what goes
// wrong is diagnosed as there.
#include "tests/parity/processes.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace {

const char* const module = R"(
procedure row(s: data) on R[x: e] {
  isend s to [x+1] as a
  recv s from [x-1]
  if x == 1 { for y in 2..e { recv from R[y] } } else { send x * s to R[1] }
  wait a
}
procedure around(s: data) on R[x: e, y: f] {
  repeat 2 {
    isend s to [x+1, y-1]
    irecv s from [x-1, y+1]
  }
}
procedure swept(s: data) on R[x: e, y: f] {
  sweep from {NW, SE} tiles 3 {
    recv s from upwind x
    compute(tile * x * 1 us)
    isend s to downwind x
  }
}
machine Eager {
  protocol eager(s: data) {
    sender   { busy 1 us; emit payload after 10 us + s * 1 ns/B }
    receiver { await payload; busy 1 us }
  }
  collective barrier(p: int): time = p * 1 us
  collective scatter from root (p: int): time = 5 us
  collective gather to root (p: int): time = 5 us
  collective uneven(t: time): time = t
  collective star(s: data) on R[r: p] {
    if r == 1 { for k in 2..p { send s to R[k] } } else { recv from R[1] }
  }
}
machine Handshake {
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit request after 10 us; await ack; busy 3 us; emit payload after 10 us }
    receiver { await request; busy 2 us; emit ack after 10 us; await payload; busy 4 us }
  }
}
machine BySize {
  levels node
  protocol eager(s: data) when s < 100 B {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 1 us }
  }
  protocol near(s: data) when within node {
    sender   { busy 2 us; emit payload after 1 us }
    receiver { await payload; busy s * 1 ns/B }
  }
  protocol rendezvous(s: data) {
    sender   { busy 1 us; emit request after 10 us; await ack; busy 3 us; emit payload after 10 us }
    receiver { await request; busy 2 us; emit ack after 10 us; await payload; busy 4 us }
  }
}
machine Windowed {
  protocol small(s: data) window 1 when s < 16 B {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 3 us }
  }
  protocol large(s: data) window 2 {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 5 us }
  }
}
machine Widening {
  protocol eager(s: data) window (if s < 16 B then 1 else 6) {
    sender   { busy 1 us; emit payload after 10 us }
    receiver { await payload; busy 3 us }
  }
}
machine PostsVia {
  resource tx of process
  resource rx of process
  protocol posted(s: data) {
    sender   { await room; busy 1 us; emit payload via tx for 4 us after 10 us }
    receiver { busy s * 1 ns/B; emit room via tx for 3 us after 2 us; await payload via rx for 5 us; busy 1 us }
  }
}
machine Posts {
  protocol posted(s: data) {
    sender   { await room; busy 1 us; emit payload after 10 us }
    receiver { busy s * 1 ns/B; emit room after 2 us; await payload; busy 1 us }
  }
}
)";

wave::parity::ProcessCampaign compare(const std::string& grid, const std::string& machine, const std::string& body,
                                      const std::string& members) {
  const std::string text = fmt::format(
      "{}model M {{\n  param p: int = 5\n  grid P{}\n{}\n  process run on P using {}() {{\n{}\n  }}\n"
      "  output elapsed = run.time\n  output least = run.finish.min\n  output mean = run.finish.mean\n"
      "  output waits = run.wait.max\n  output overhead = run.overhead\n}}\n",
      module, grid.front() == '[' ? grid : "[" + grid + "]", members, machine, body);
  wave::parity::ProcessCampaign campaign;
  wave::parity::compare_process_program({text, {}}, campaign);
  CHECK(campaign.difference == "");
  CHECK(campaign.unsupported == 0);
  return campaign;
}

// The same results wherever it is evaluated, in compiled programs for sure.
wave::parity::ProcessCampaign check_compiled(const std::string& grid, const std::string& machine,
                                             const std::string& body, const std::string& members = "") {
  INFO(machine << ": " << body);
  const auto campaign = compare(grid, machine, body, members);
  REQUIRE(campaign.by_feature.count("") == 1);
  CHECK(campaign.failed == 0);
  CHECK(campaign.by_feature.at("").also_compiled == 1);
  return campaign;
}

std::string failure_of(const std::string& grid, const std::string& machine, const std::string& body,
                       const std::string& members = "") {
  const auto campaign = compare(grid, machine, body, members);
  return campaign.failures.empty() ? "" : campaign.failures.begin()->first;
}

}  // namespace

TEST_CASE("a sender that is far ahead waits for room, and gets it where nobody else can go on") {
  // Rings hold 64 messages at first. Here the receiver can go on, so nothing has to grow.
  check_compiled("i: p", "Eager", "repeat 300 { send 8 B to [i+1] }\nrepeat 300 { recv 8 B from [i-1] }");
  // Around a ring everybody sends first.
  check_compiled("i: p wrap", "Eager", "repeat 300 { send 8 B to [i+1] }\nrepeat 300 { recv 8 B from [i-1] }");
  check_compiled("i: 1 wrap", "Eager", "repeat 300 { send 8 B to [i+1] }\nrepeat 300 { recv from [i-1] }");
  check_compiled("i: p wrap", "Handshake",
                 "repeat 200 { isend 8 B to [i+1] }\nrepeat 200 { irecv 8 B from [i-1] }\nwaitall");
  check_compiled("i: p wrap", "Posts",
                 "repeat 200 { irecv 8 B from [i-1] }\nrepeat 200 { send 8 B to [i+1] }\nwaitall");
}

TEST_CASE("messages of which later ones are done first leave in their order") {
  check_compiled("i: p", "Handshake",
                 "repeat 100 { isend 8 B to [i+1] as a\nirecv 8 B from [i-1] as b }\nwait b\nrepeat 100 { send 8 B to "
                 "[i+1] tag 1\nrecv from [i-1] tag 1 }\nwait a");
  // The message in the background stays until its wait, and the blocking ones behind it on the channel are done.
  check_compiled("i: p", "Eager",
                 "irecv 8 B from [i-1] as first\nrepeat 80 { send 8 B to [i+1] }\nrepeat 79 { recv 8 B from [i-1] }\n"
                 "compute(i * 1 us)\nwait first");
  check_compiled("i: p, j: 2", "BySize",
                 "repeat 90 { isend 200 B to [i+1, j] as a\nisend 8 B to [i+1, j]\nirecv from [i-1, j] as b\nrecv "
                 "from [i-1, j] }\nwaitall");
}

TEST_CASE(
    "a wait takes what earlier statements, tiles, calls and iterations left pending, in the order of their calls") {
  for (const char* const machine : {"Eager", "Handshake", "BySize"}) {
    check_compiled("i: p, j: 3", machine,
                   "sweep from [NW, SE] tiles 6 {\nif tile mod 3 == 0 { wait out }\nrecv 200 B from upwind i\n"
                   "compute(tile * 1 us)\nisend 200 B to downwind i as out\n}\nwaitall");
    check_compiled("i: p", machine, "repeat 4 { lag(300 B) }\ncompute(1 us)\nlag(8 B)",
                   "procedure lag(s: data) on P { wait a\nisend s to [i+1] as a\nrecv from [i-1] }");
    check_compiled("i: p", machine,
                   "isend 8 B to [i+1] as a\nirecv 8 B from [i-1] as b\nrepeat 3 { isend 9 B to [i+1] tag 1 as c\n"
                   "irecv 9 B from [i-1] tag 1 as d\nwait d }\nwait b\nwaitall");
  }
}

TEST_CASE("windows hold up senders, each protocol of a channel by itself, and are on the paths that are recorded") {
  const auto both = check_compiled("i: p", "Windowed",
                                   "repeat 6 { send 8 B to [i+1]\nsend 20 B to [i+1] }\ncompute(i * 7 us)\n"
                                   "repeat 6 { recv from [i-1]\nrecv 20 B from [i-1] }");
  const auto in_background = check_compiled(
      "i: p", "Windowed", "repeat 6 { isend 20 B to [i+1] }\nrepeat 6 { irecv from [i-1] as a\nwait a }");
  for (const auto* const campaign : {&both, &in_background}) {
    CHECK(campaign->paths > 0);
    CHECK(campaign->recorded == campaign->paths);
  }
  CHECK(failure_of("i: p wrap", "Windowed", "repeat 3 { send 8 B to [i+1] }\nrepeat 3 { recv from [i-1] }") ==
        "deadlock");
}

TEST_CASE("a receive without a size takes what is sent, before it is sent and where its protocol has to know it") {
  for (const char* const machine : {"Eager", "Handshake", "BySize", "Windowed", "Posts"}) {
    check_compiled("i: p", machine, "irecv from [i-1] as a\ncompute(i * 5 us)\nisend (i * 60 B) to [i+1]\nwaitall");
    check_compiled("i: p", machine, "repeat 3 { recv from [i-1]\nsend 150 B to [i+1] }");
  }
}

TEST_CASE("receives that have to know what is sent do not wait for each other") {
  for (const char* const machine : {"Posts", "PostsVia"}) {
    check_compiled("i: p wrap", machine, "repeat 3 { irecv from [i-1] as a\nsend (i * 50 B) to [i+1]\nwait a }");
    check_compiled("i: p wrap, j: 3", machine,
                   "for k in 1..4 { irecv from P[p + 1 - i, j] tag k as a\nirecv from [i, j-1] as b\n"
                   "send (k * 8 B) to [i, j+1]\nisend (i * k * 30 B) to P[p + 1 - i, j] tag k\nwaitall }");
  }
  // For good.
  for (const char* const machine : {"Posts", "PostsVia"})
    CHECK(failure_of("i: p wrap", machine, "recv from [i+1]\nsend 8 B to [i-1]") == "deadlock");
}

TEST_CASE("a window that is suddenly wider asks for what nobody has kept, and another run keeps it") {
  check_compiled("i: p", "Widening",
                 "repeat 9 { send 16 B to [i+1] }\nrepeat 9 { recv from [i-1] }\ncompute(i * 1 us)");
  const auto campaign = compare(
      "i: p", "Widening", "repeat 20 { send 8 B to [i+1] }\nsend 20 B to [i+1]\nrepeat 21 { recv from [i-1] }", "");
  CHECK(campaign.failed == 0);
}

TEST_CASE("channels are told apart by tags, offsets and places, however many there are") {
  check_compiled("i: p, j: 4 wrap", "Eager",
                 "for k in 0..40 { isend (k * 8 B) to [i+1, j-1] tag k }\nfor k in 40..0 by -1 { recv from [i-1, j+1] "
                 "tag k }\nisend 8 B to [i+1, j] tag 40\nrecv 8 B from [i-1, j] tag 40");
  check_compiled("i: p", "Handshake",
                 "if i == 1 { for k in 2..p { send k * 8 B to P[k] } } else { recv from P[1] }\nisend 1 B to P[p + 1 - "
                 "i]\nrecv from P[p + 1 - i]");
  // On an axis of extent 2 both offsets lead to the same process.
  check_compiled("i: 2 wrap, j: 1 wrap", "Eager",
                 "send 8 B to [i+1, j]\nsend 16 B to [i-1, j]\nsend 24 B to [i, j+1]\nrecv 16 B from [i+1, j]\n"
                 "recv 8 B from [i-1, j]\nrecv 24 B from [i, j-1]");
}

TEST_CASE("nodes decide on protocols, and sizes that vary on the way do") {
  const std::string body = "for k in [50, 200, 90, 300] { isend k * 1 B to [i+1, j]\nrecv from [i-1, j]\nwaitall }";
  check_compiled("i: 6, j: 2", "BySize", body);
  check_compiled("[i: 6, j: 2] nodes (2, 1)", "BySize", body);
}

TEST_CASE("procedures run on grids of their own in compiled programs") {
  check_compiled("i: p, j: 3", "Handshake", "row(100 B) along j\nswept(8 B)\nrow(8 B) along i\nwaitall");
  check_compiled("i: p wrap, j: 3", "Handshake", "around(8 B)\nrow(100 B) along i\naround(9 B)\nwaitall");
}

TEST_CASE("collectives with roots, along an axis, with costs by place and as algorithms") {
  check_compiled("i: p, j: 3", "Eager",
                 "compute(i * j * 1 us)\nscatter()\nsend 8 B to [i+1, j]\nrecv 8 B from [i-1, j]\ngather() along i\n"
                 "barrier() along j\nuneven(i * 1 us)\nuneven(j * 1 us) along i\nstar(8 B)\nstar(8 B) along j\n"
                 "repeat 3 { send 9 B to [i, j+1]\nrecv from [i, j-1]\nif p > 3 { gather() } else { barrier() } }");
}

TEST_CASE("phases are clocked in compiled programs, those inside each other too") {
  check_compiled(
      "i: p", "Eager",
      "phase \"a\" { repeat 3 { phase \"b\" { compute(i * 1 us)\nsend 8 B to [i+1] }\nphase \"a\" { recv 8 B "
      "from [i-1] } } }",
      "output a = run.phase(\"a\")\noutput shortest = run.phase(\"b\").wait.min\noutput ours = "
      "run.phase(\"b\").finish");
}

TEST_CASE("pieces of a plan run as compiled programs, and go together where one leaves something for the next") {
  const std::string front =
      "sweep from [NW] tiles 4 { recv 8 B from upwind i\ncompute(tile * 1 us)\nsend 8 B to downwind i }\n";
  const std::string uneven = "repeat i { isend 8 B to [i+1, j] tag 5 }\nrepeat i - 1 { recv from [i-1, j] tag 5 }\n";
  const auto pieces = compare("i: p, j: 3", "Eager", front + uneven + front + uneven, "");
  CHECK(pieces.by_feature.at("").pieces == 1);
  CHECK(pieces.by_feature.at("").network == 0);
  // Of these, the wait comes behind the sweep.
  const auto open = compare(
      "i: p, j: 3", "Handshake",
      "repeat i { isend 8 B to [i+1, j] tag 5 as a }\n" + front + "repeat i - 1 { recv from [i-1, j] tag 5 }\nwait a",
      "");
  CHECK(open.failed == 0);
  CHECK(open.by_feature.at("").also_compiled == 1);
}

TEST_CASE("a program on threads asks for the times of another, which is evaluated meanwhile") {
  const std::string corners =
      "sweep from {NW, NE, SE, SW} tiles 5 {\nrecv from upwind i\nrecv from upwind j\ncompute(tile * i * 1 us)\n"
      "send tile * 8 B to downwind i\nsend j * 8 B to downwind j\n";
  const auto campaign = compare("i: 16, j: 16", "Eager", corners + "if i == 2 { compute(first.finish[i, j]) }\n}",
                                "process first on P using Eager() {\n" + corners + "}\n}");
  CHECK(campaign.failed == 0);
  CHECK(campaign.on_threads > 1);
}

TEST_CASE("what goes wrong in a compiled program is diagnosed as by instructions") {
  CHECK(failure_of("i: p", "Handshake", "send 8 B to [i+1]\nrecv 8 B from [i-1]") == "");
  CHECK(failure_of("i: p wrap", "Handshake", "send 8 B to [i+1]\nrecv 8 B from [i-1]") == "deadlock");
  CHECK(failure_of("i: p wrap", "Handshake", "irecv 8 B from [i-1] as a\nwait a\nisend 8 B to [i+1]") == "deadlock");
  CHECK(failure_of("i: p", "Eager", "if i == 2 { send 8 B to [i+1] }\nif i == 3 { recv 9 B from [i-1] }") ==
        "size_mismatch");
  CHECK(failure_of("i: p", "Eager", "isend i * 8 B to [i+1]\nirecv 16 B from [i-1]\nwaitall") == "size_mismatch");
  CHECK(failure_of("i: p", "Eager", "if i == 2 { send 8 B to P[4] }\nrepeat 3 { compute(1 us) }") ==
        "unmatched_message");
  CHECK(failure_of("i: p", "Eager", "send 8 B to [i+1]\nrecv from [i-1]\ncompute((3 - i) * 1 us)") ==
        "negative_quantity");
  CHECK(failure_of("i: p", "Eager", "send (i - 3) * 8 B to [i+1]\nrecv from [i-1]") == "negative_quantity");
  CHECK(failure_of("i: p", "Eager", "send 8 B to [i+1]\nrecv from [i-1]\nrepeat 3 - i { compute(1 us) }") ==
        "negative_count");
  CHECK(failure_of("i: p", "Eager", "send 8 B to [i+1]\nrecv from [i-1]\ncompute(1 us * (1 div (i - 1)))") ==
        "division_by_zero");
  CHECK(failure_of("i: p", "Eager", "if i == 2 { send 8 B to P[i + 4] }") == "index_off_grid");
  // The expression fails only in the last iteration, on the last process.
  CHECK(failure_of("i: p", "Eager",
                   "for k in 1..9 { send 8 B to [i+1]\nrecv from [i-1]\ncompute((44 - k * i) * 1 us) }") ==
        "negative_quantity");
}

TEST_CASE("protocols with more awaits than a compiled program can count are run by time") {
  std::string sender, receiver;
  for (int k = 0; k < 40; ++k) {
    sender += fmt::format("emit x{} after {} us; ", k, k);
    receiver += fmt::format("await x{}; ", k);
  }
  const std::string machine = "machine Many { protocol many(s: data) { sender { " + sender +
                              "emit payload after 1 us } receiver { " + receiver + "await payload } } }\n";
  const std::string text = machine +
                           "model M { grid P[i: 4]\nprocess run on P using Many() { repeat 3 { recv 8 B from "
                           "[i-1]\nsend 8 B to [i+1] } }\noutput elapsed = run.time }";
  wave::parity::ProcessCampaign campaign;
  wave::parity::compare_process_program({text, {}}, campaign);
  CHECK(campaign.difference == "");
  CHECK(campaign.by_feature.at("").also_compiled == 0);
}
