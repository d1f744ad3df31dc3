// Programs whose messages ask for resources run as machine code, in windows of time or moment by moment, and have the
// bits of instructions. So have critical paths that are followed back through what they record. Where requests come in
// the order of the program, programs are taken apart as without resources.
#include "frontend/lower/lower.h"
#include "tests/parity/compare.h"
#include "tests/parity/process_paths.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

using namespace wave;

namespace {

// A model of one process, of which everything that is compared is an output.
std::string text_of(const std::string& machine, const std::string& body) {
  return fmt::format(R"(wave 1
import std.machines.loggp {{ LogGP, LogGPS, LogGOPS }}
import std.comm {{ Machine }}
model M {{
  param net: Machine = {}
  param n: int = 6
  param tiles: int = 7
  grid P[i: n, j: n]
  process p on P using net {{
{}
  }}
  output last = p.time
  output mean = p.finish.mean
  output wait = p.wait.mean
  output first = p.finish.min
}}
)",
                     machine, body);
}

const frontend::Item& model_of(const frontend::Program& program) {
  const frontend::Item* model = nullptr;
  for (const auto& item : program.main().items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) model = item.get();
  }
  REQUIRE(model);
  return *model;
}

struct Compared {
  std::string difference, schedule;
  std::string with_shortcuts;  // the schedule
  bool is_deadlock = false;
};

Compared compare(const std::string& text) {
  Compared compared;
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load("<test>", {}, diagnostics, &text);
  REQUIRE(!diagnostics.has_errors());
  const frontend::Item* const model = &model_of(*program);
  const frontend::Lowered lowered = frontend::lower_model(*program, *model, {}, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  const auto interpreter = parity::engine(backend::EngineKind::interpreter, lowered.system);
  const auto jit = parity::engine(backend::EngineKind::jit, lowered.system);
  backend::EngineOptions options;
  options.shortcuts = true;
  const auto shortened = parity::engine(backend::EngineKind::jit, lowered.system, options);
  const auto expected = interpreter->start({}, {}), compiled = jit->start({}, {}), shorter = shortened->start({}, {});
  for (const frontend::OutputInfo& output : lowered.outputs) {
    const backend::Outcome outcome = expected->evaluate(output.root);
    compared.difference += parity::difference(lowered.system, outcome, compiled->evaluate(output.root));
    compared.difference += parity::difference(lowered.system, outcome, shorter->evaluate(output.root));
    const auto* const failure = std::get_if<ir::Failure>(&outcome);
    compared.is_deadlock = failure && failure->kind == ir::FailureKind::deadlock;
  }
  for (const backend::EventReport& report : compiled->reports()) compared.schedule = report.schedule;
  for (const backend::EventReport& report : shorter->reports()) compared.with_shortcuts = report.schedule;
  return compared;
}

const char* const machines[] = {
    "LogGP(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B)",
    "LogGP(L = 0 us, o = 2 us, g = 4 us, G = 0 us/B)",  // no window
    "LogGP(L = 0 us, o = 0 us, g = 3 us, G = 0 us/B)",  // all at one time
    "LogGPS(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B, S = 100 B)",
    "LogGPS(L = 0 us, o = 1 us, g = 9 us, G = 0 us/B, S = 0 B)",
    "LogGOPS(L = 5 us, o = 2 us, g = 4 us, G = 0.01 us/B, S = 100 B)",
    "LogGOPS(L = 0 us, o = 1 us, g = 4 us, G = 0 us/B, S = 0 B)",
};

const std::string in_a_sweep = R"(
      recv 480 B from upwind i
      recv 480 B from upwind j
      compute(3 us + 1 us * ((i + 2 * j) mod 5))
      send 480 B to downwind i
      send 480 B to downwind j
    }
)";
const std::string in_background = R"(
    repeat tiles {
      irecv 480 B from [i-1, j] as a
      irecv 480 B from [i, j+1] as b
      isend 480 B to [i+1, j] as c
      isend 480 B to [i, j-1] as c
      compute(7 us)
      wait b
      isend 64 B to [i+1, j+1] tag 3
      wait c
      irecv 64 B from [i-1, j-1] tag 3
      waitall
    }
)";
// All wait for the first, whose interface they come to together, and only then for each other.
const std::string to_one = R"(
    repeat tiles {
      if i == 1 and j == 1 {
        for a in 1..n { for b in 1..n { if a + b > 2 { recv 200 B from P[a, b] } } }
      } else { send 200 B to P[1, 1] }
      phase "along" { recv 8 B from [i-1, j]
      send 8 B to [i+1, j] }
    }
)";

}  // namespace

// A sender in the background waits for what comes back. Its process goes on, and so may send before that comes.
TEST_CASE("requests at one time are served in the order of their ranks in streams, too") {
  const Compared compared = compare(R"(wave 1
machine Net {
  resource rx of process
  protocol far(s: data) {
    sender { emit payload after 1 ns; await done }
    receiver { await payload via rx for s * 1 ns/B; emit done after 2 ns + s * 1 ns/B }
  }
}
model M {
  grid P[i: 3, j: 2, k: 2]
  process p on P using Net() {
    sweep from [(-,-,-)] tiles 3 {
      recv 1 B from upwind i tag 1
      recv 1 B from upwind i
      recv 8 B from upwind j tag 2
      recv 8 B from upwind j
      recv 0 B from upwind k
      send 1 B to downwind i tag 1
      compute(1 ns)
      isend 1 B to downwind i
      send 8 B to downwind j tag 2
      compute(1 ns * (2 * tile mod 5))
      send 8 B to downwind j
      isend 0 B to downwind k as last
      wait last
    }
  }
  output finish = p.time
}
)");
  CHECK(compared.difference == "");
}

// Two processes whose next messages may come at the same time do not ask each other for ever.
TEST_CASE("processes that wait for each other's next message go on in streams") {
  const Compared compared = compare(R"(wave 1
machine Net {
  levels node
  resource rx of process
  protocol near(s: data) when within node {
    sender { emit u after 1 ns; emit v after 4 ns }
    receiver { await u; await v via rx for s * 1 ns/B }
  }
  protocol far(s: data) {
    sender { emit payload after 4 ns }
    receiver { await payload via rx for 3 ns }
  }
}
model M {
  grid P[i: 5, j: 6] levels { node: rank div 4 }
  process p on P using Net() {
    sweep from [(-,-), (-,+)] tiles 2 {
      compute(1 ns * (tile * i mod 3))
      irecv 4 B * (tile mod 3) from upwind i as first
      recv 3 B from upwind j tag 1
      wait first
      compute(1 ns * (tile * i mod 3))
      send 4 B * (tile mod 3) to downwind i
      send 3 B to downwind j tag 1
      compute(0 ns)
    }
  }
  output finish = p.time
  output first = p.finish[1, 1]
}
)");
  CHECK(compared.difference == "");
}

TEST_CASE("programs whose messages ask for resources have the bits of instructions as machine code") {
  int deadlocks = 0;
  for (const char* const machine : machines) {
    for (const std::string& body :
         {"    sweep from {NW, NE, SE, SW} tiles tiles {" + in_a_sweep,
          "    sweep from [NW, NE, SE, SW] tiles tiles {" + in_a_sweep, in_background, to_one}) {
      const Compared compared = compare(text_of(machine, body));
      INFO(text_of(machine, body));
      CHECK(compared.difference == "");
      // With a rendezvous, corners that sweep at once wait for each other. One after the other, they are answered in
      // the order of the program.
      deadlocks += compared.is_deadlock;
      const bool in_order = std::string_view(machine).starts_with("LogGPS") && body.find("from [NW") != body.npos;
      const bool in_batches = compared.schedule.find("served in batches") != std::string::npos;
      const bool in_streams = compared.schedule.find("served in streams") != std::string::npos;
      if (in_batches) CHECK(body.find("sweep") == body.npos);
      if (in_streams) CHECK(body.find("from [NW") != body.npos);
      if (!compared.is_deadlock && !in_batches && !in_streams)
        CHECK(compared.schedule.starts_with(in_order ? "4 x sweep: " : "network, compiled"));
    }
  }
  CHECK(deadlocks == 4);
}

TEST_CASE("programs whose messages ask for resources record the critical paths of instructions", "[long]") {
  std::size_t paths = 0;
  for (const char* const machine : machines) {
    for (const std::string& body :
         {"    sweep from {NW, NE, SE, SW} tiles tiles {" + in_a_sweep,
          "    sweep from [NW, NE, SE, SW] tiles tiles {" + in_a_sweep, in_background, to_one}) {
      const std::string text = text_of(machine, body);
      INFO(text);
      frontend::Diagnostics diagnostics;
      const auto program = frontend::load("<test>", {}, diagnostics, &text);
      REQUIRE(!diagnostics.has_errors());
      // With an even number there are kernels, and it chooses a process besides the last.
      for (const std::uint64_t number : {0u, 20u}) {
        const parity::PathsChecked checked = parity::check_paths(*program, model_of(*program), number);
        CHECK(checked.difference == "");
        CHECK(checked.recorded == checked.paths);
        paths += checked.paths;
      }
    }
  }
  CHECK(paths > 60);
}

TEST_CASE("resources that serve in the order of the program are registers beside the clock") {
  const std::string declarations = R"(
machine Sender: Machine {
  resource tx of process
  param g: time = 4 us
  protocol eager(s: data) {
    sender { busy 2 us; emit payload via tx for g + s * 1 ns/B after 5 us }
    receiver { await payload; busy 2 us }
  }
}
machine Acquiring extends Sender {
  override protocol eager(s: data) {
    sender { acquire tx for g; busy 1 us; emit payload after 5 us }
    receiver { await payload; acquire tx for 3 us; busy 2 us }
  }
}
/// One interface for both directions; what is small leaves at once, past it.
machine Answered extends Sender {
  protocol small(s: data) when s < 50 B {
    sender { emit payload after 1 us }
    receiver { await payload }
  }
  override protocol eager(s: data) {
    sender { emit ask after 1 us; await ready; emit payload via tx for g after 5 us; emit copied via tx for g after 0 }
    receiver { await ask; busy 1 us; emit ready after 2 us; busy 9 us; await payload via tx for 6 us; await copied }
  }
}
)";
  const std::string exchange = R"(
    repeat tiles * 50 {
      send 480 B to [i+1, j]
      send (if i > 3 then 20 B else 300 B) to [i, j-1]
      recv 480 B from [i-1, j]
      phase "rows" { recv from [i, j+1] }
      compute(3 us + 1 us * ((i + 2 * j) mod 5))
      barrier()
    }
    send 480 B to [i+1, j]
    recv 480 B from [i-1, j]
)";
  const std::string cost = "\nmachine WithCost extends {} {{ override collective barrier(p: int): time = 4 us }}\n";
  const std::string swept = "    sweep from [NW, SE] tiles tiles * 50 {" + in_a_sweep;
  for (const auto& [machine, body] : {std::pair{"Sender", swept},
                                      {"Acquiring", swept},
                                      {"Answered", swept},
                                      {"Sender", exchange},
                                      {"Acquiring", exchange}}) {
    const std::string text = text_of("WithCost()", body) + declarations + fmt::format(fmt::runtime(cost), machine);
    INFO(text);
    const Compared compared = compare(text);
    CHECK(compared.difference == "");
    CHECK(compared.schedule.find("network") == std::string::npos);
    CHECK(compared.with_shortcuts.find("certified") != std::string::npos);
  }
  // In the background, and where two signals come without being asked for one by one, clocks decide.
  const std::string not_answered = R"(
machine Twice extends Sender {
  override protocol eager(s: data) {
    sender { emit ask after 1 us; await ready; emit early after 9 us; emit payload after 1 us }
    receiver { await ask; emit ready after 2 us; await early via tx for 6 us; await payload via tx for 6 us }
  }
}
)";
  const std::string in_a_row = "    send 480 B to [i+1, j]\n    recv 480 B from [i-1, j]\n";
  for (const auto& [machine, body] :
       {std::pair<std::string, std::string>{"Twice", in_a_row},
        {"Answered", "    isend 480 B to [i+1, j]\n    recv 480 B from [i-1, j]\n    waitall\n"}}) {
    const Compared compared = compare(text_of(machine + "()", body) + declarations + not_answered);
    CHECK(compared.difference == "");
    CHECK(compared.schedule.starts_with("network"));
  }
}

namespace {

// Four neighbours on nodes of four; `work` is what a process computes in the step t.
std::string exchange_on_nodes(const std::string& machine, const std::string& work, int tiles = 6) {
  return fmt::format(R"(wave 1
import std.machines.loggp {{ LogGP, LogGPS }}
machine Nodes extends LogGP {{
  levels node
  override resource tx of node
  override resource rx of node
}}
machine Two extends Nodes {{
  override resource tx of node servers 2
  override resource rx of node servers 2
}}
/// One interface for both directions, of which the payload alone has to leave.
machine Half extends LogGP {{
  levels node
  resource nic of node
  override protocol eager(s: data) when true {{
    sender {{ busy o; emit head after L; emit payload via nic for g after L; await sent payload }}
    receiver {{ await head; await payload via nic for g after 2 us; busy o }}
  }}
}}
model M {{
  grid P[i: 8, j: 8] levels {{ node: rank div 4 }}
  process p on P using {} {{
    for t in 1..{} {{
      irecv 8 B from [i - 1, j] as halo
      irecv 8 B from [i + 1, j] as halo
      irecv 8 B from [i, j - 1] as halo
      irecv 8 B from [i, j + 1] as halo
      isend 8 B to [i - 1, j] as halo
      isend 8 B to [i + 1, j] as halo
      isend 8 B to [i, j - 1] as halo
      isend 8 B to [i, j + 1] as halo
      wait halo
      compute({})
    }}
  }}
  output last = p.time
  output mean = p.finish.mean
  output wait = p.wait.mean
  output first = p.finish.min
}}
)",
                     machine, tiles, work);
}

}  // namespace

TEST_CASE("requests of a step are served in batches, as far as no request overtakes one of an earlier step") {
  struct Case {
    const char* const machine;
    const char* const work;
    bool in_batches;
  };
  const char* const alike = "90 us";
  const char* const uneven = "90 us + 1 us * ((i * 7 + j * 13) mod 5)";
  const Case cases[] = {
      // Of equal times the stamps decide; so they do where each process has interfaces of its own.
      {"Nodes(L = 5 us, o = 1 us, g = 3 us, G = 0)", alike, true},
      {"Nodes(L = 5 us, o = 1 us, g = 3 us, G = 0)", uneven, true},
      {"Nodes(L = 5 us, o = 1 us, g = 0, G = 0)", alike, true},
      {"Two(L = 5 us, o = 1 us, g = 3 us, G = 0)", alike, true},
      {"Two(L = 5 us, o = 1 us, g = 3 us, G = 0)", uneven, true},
      {"Half(L = 90 us, o = 1 us, g = 3 us, G = 0)", uneven, true},  // what arrives asks behind all that leaves
      {"Half(L = 5 us, o = 1 us, g = 3 us, G = 0)", uneven, false},  // and between two of these
      {"LogGP(L = 5 us, o = 1 us, g = 3 us, G = 0)", alike, true},
      {"LogGP(L = 5 us, o = 0, g = 3 us, G = 0)", alike, true},
      {"LogGPS(L = 5 us, o = 1 us, g = 3 us, G = 0, S = 0 B)", uneven, true},
      // Without overhead, counts of steps decide, which differ by process; without latency they depend on clocks.
      {"Nodes(L = 5 us, o = 0, g = 3 us, G = 0)", alike, true},
      {"Nodes(L = 5 us, o = 0, g = 3 us, G = 0)", "if (i + j) mod 2 == 0 then 90 us else 0", false},
      {"Nodes(L = 0, o = 1 us, g = 3 us, G = 0)", alike, false},
      // One is so late that others of its node are a step ahead: at every step, now and then, at the last one.
      {"Nodes(L = 5 us, o = 1 us, g = 3 us, G = 0)", "if j == 4 then 400 us else 40 us", false},
      {"Nodes(L = 5 us, o = 1 us, g = 3 us, G = 0)", "if i == 3 and j == 1 and t == 2 then 400 us else 40 us", false},
      {"Nodes(L = 5 us, o = 1 us, g = 3 us, G = 0)", "if i == 8 and j == 8 and t == 4 then 400 us else 40 us", false},
  };
  for (const Case& one : cases) {
    const std::string text = exchange_on_nodes(one.machine, one.work);
    INFO(text);
    const Compared compared = compare(text);
    CHECK(compared.difference == "");
    const auto is_in_batches = [](const std::string& schedule) {
      return schedule.find("served in batches") != std::string::npos;
    };
    CHECK(is_in_batches(compared.schedule) == one.in_batches);
    CHECK(is_in_batches(compared.with_shortcuts) == one.in_batches);
  }
}

// Where the program is in the background, a `busy` behind its last `emit` is charged at the wait, and is no step before
// the `acquire`: its requests at one time have the counts of what was awaited, which depend on clocks.
TEST_CASE("requests in the background do not follow what is charged at the wait") {
  const Compared compared = compare(R"(wave 1
machine M {
  levels node
  param o: time = 1 us
  param L: time = 5 us
  resource rx of node
  protocol eager(s: data) {
    sender { busy o; emit x after L }
    receiver { await x; busy 1 us; acquire rx for 3 us; busy 1 us }
  }
}
model A {
  grid P[i: 4] levels { node: rank div 4 }
  process p on P using M() {
    compute(if i == 1 then 6 us else 0 us)
    compute(0 us)
    compute(0 us)
    irecv 8 B from [i + 2] as h
    send 8 B to [i - 2]
    wait h
    compute(if i == 1 then 100 us else 0 us)
  }
  output last = p.time
  output mean = p.finish.mean
  output first = p.finish[1]
  output second = p.finish[2]
}
)");
  CHECK(compared.difference == "");
}

// At one of these delays a request comes at the moment of one of the step before, which it must not follow.
TEST_CASE("a batch does not go before a request of the step after it that comes at the same time") {
  int in_batches = 0, delays = 0;
  for (int delay = 80; delay <= 92; ++delay, ++delays) {
    const std::string text =
        exchange_on_nodes("Nodes(L = 5 us, o = 1 us, g = 1 us, G = 0)",
                          fmt::format("if j == 4 and t == 2 then {} us else 90 us", 90 + delay), 4);
    INFO(text);
    const Compared compared = compare(text);
    CHECK(compared.difference == "");
    in_batches += compared.schedule.find("served in batches") != std::string::npos;
  }
  CHECK(in_batches > 0);
  CHECK(in_batches < delays);
}

TEST_CASE("a program whose processes wait for each other has the failure of instructions") {
  const Compared compared = compare(text_of(machines[0],
                                            "    recv 8 B from [i-1, j] \n    if i == 1 { recv 8 B from [i+1, j] }\n"
                                            "    send 8 B to [i+1, j]\n    if i == 2 { send 8 B to [i-1, j] }"));
  CHECK(compared.difference == "");
  CHECK(compared.is_deadlock);
}
