// What processes do, apart from their times: computation, overhead, messages and bytes, checked against numbers by
// hand.
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::test;

namespace {

struct Seen {
  double compute, overhead, messages, bytes;
};

Seen of(AnalysedModel& model, std::vector<std::int64_t> point) {
  Seen seen{};
  model.with_process([&](backend::processes::Run& run) {
    const auto value = [&](ir::Metric metric) { return run.measure(metric, {}, point); };
    seen = {value(ir::Metric::compute).real, value(ir::Metric::overhead).real,
            static_cast<double>(value(ir::Metric::messages).integer), value(ir::Metric::bytes).real};
  });
  return seen;
}

std::string model(const std::string& body, const std::string& grid = "P[i: 3]") {
  return std::string(machine_text) + "model M {\n  param net: Net = Net()\n  grid " + grid +
         "\n  process p on P using net {\n" + body + "\n  }\n  output t = p.time\n}\n";
}

}  // namespace

TEST_CASE("a sweep is counted as many times as it has tiles") {
  AnalysedModel m(model("sweep from [(+)] tiles 10 { recv 8 B from upwind i; compute(3 us); send 8 B to downwind i }"));
  const Seen middle = of(m, {2});
  CHECK(middle.compute == us(30));
  CHECK(middle.overhead == us(40));
  CHECK(middle.messages == 10);
  CHECK(middle.bytes == 80);
  CHECK(of(m, {1}).overhead == us(20));
  CHECK(of(m, {3}).messages == 0);
}

TEST_CASE("what a tile changes is counted tile by tile") {
  AnalysedModel m(model("sweep from [(+)] tiles 4 { compute(tile * 1 us) }"));
  CHECK(of(m, {2}).compute == us(10));
}

TEST_CASE("a loop under a filter is counted as often as it runs") {
  AnalysedModel m(
      model("for k in 1..10 by 3 { compute(1 us) }; for k in [x for x in 1..6 if x mod 2 == 0] { compute(k * 1 us) }"));
  CHECK(of(m, {1}).compute == us(4 + 12));
}

TEST_CASE("what a loop of no rounds would do is neither counted nor evaluated") {
  AnalysedModel m(model("repeat i - 1 { compute(1 us * (6 div (i - 1))) }; compute(2 us)"));
  CHECK(of(m, {1}).compute == us(2));
  CHECK(of(m, {3}).compute == us(2 * 3 + 2));
}

TEST_CASE("overhead in the background is what occupies the processor") {
  // A rendezvous in the background: the first `busy` is at the call, and the second only delays the payload.
  AnalysedModel m(model("if i == 1 { isend 200 B to [i+1] as a; wait a }; if i == 2 { recv 200 B from [i-1] }"));
  CHECK(of(m, {1}).overhead == us(2));
  CHECK(of(m, {2}).overhead == us(4));
}

TEST_CASE("the end of a receive in the background is charged at its wait") {
  AnalysedModel m(
      model("if i == 1 { repeat 5 { send 8 B to [i+1] } };"
            "if i == 2 { repeat 5 { irecv 8 B from [i-1] as a; wait a } }"));
  CHECK(of(m, {2}).overhead == us(10));
  AnalysedModel open(
      model("if i == 1 { repeat 5 { send 8 B to [i+1] } };"
            "if i == 2 { repeat 5 { irecv 8 B from [i-1] as a }; wait a }"));
  CHECK(of(open, {2}).overhead == us(10));
  AnalysedModel never(
      model("if i == 1 { repeat 5 { send 8 B to [i+1] } };"
            "if i == 2 { repeat 5 { irecv 8 B from [i-1] as a } }"));
  CHECK(of(never, {2}).overhead == 0);
}

TEST_CASE("waits that trail by one iteration are followed until they repeat") {
  AnalysedModel m(
      model("if i == 1 { repeat 9 { send 8 B to [i+1] } };"
            "if i == 2 { irecv 8 B from [i-1] as a; repeat 8 { wait a; irecv 8 B from [i-1] as a } }"));
  CHECK(of(m, {2}).overhead == us(16));
}

TEST_CASE("a receive without a size is charged as what was sent") {
  AnalysedModel m(
      model("sweep from [(+)] tiles 3 { recv from upwind i; send (if tile == 2 then 200 B else 8 B) to downwind i }"));
  CHECK(of(m, {2}).overhead == us(2 * (2 + 4 + 2)));
  AnalysedModel simple(model("sweep from [(+)] tiles 3 { recv from upwind i; send 200 B to downwind i }"));
  CHECK(of(simple, {3}).overhead == us(12));
}

TEST_CASE("messages of a grid are counted by how far a process is from the borders") {
  AnalysedModel m(
      model("repeat 2 { isend 8 B to [i+1, j]; isend 16 B to [i, j+2]; irecv 8 B from [i-1, j];"
            " irecv 16 B from [i, j-2]; waitall }",
            "P[i: 1000, j: 700]"));
  m.with_process([&](backend::processes::Run& run) {
    const auto tally = run.counts().tallies().messages;
    REQUIRE(tally.size() == 2);
    for (const auto& [kind, count] : tally) {
      CHECK(static_cast<double>(count) == (kind.size == 8 ? 2.0 * 999 * 700 : 2.0 * 1000 * 698));
    }
  });
}

TEST_CASE("messages are told apart by phase, size and node") {
  AnalysedModel m(
      model("phase \"one\" { if i < 4 { send 8 B to [i+1] }; if i > 1 { recv 8 B from [i-1] } };"
            "if i == 1 { send 200 B to P[4] }; if i == 4 { recv 200 B from P[1] }",
            "P[i: 4] nodes (2)"));
  m.with_process([&](backend::processes::Run& run) {
    const auto tally = run.counts().tallies().messages;
    REQUIRE(tally.size() == 3);
    double local = 0, phased = 0;
    for (const auto& [kind, count] : tally) {
      if (kind.within != 0) local += static_cast<double>(count);
      if (kind.phase.valid()) phased += static_cast<double>(count);
      CHECK(kind.protocol == (kind.size < 100 ? 0 : 1));
    }
    CHECK(local == 2);
    CHECK(phased == 3);
  });
}

TEST_CASE("periodic axes have no borders") {
  AnalysedModel m(model("isend 8 B to [i+1]; recv 8 B from [i-1]; waitall", "P[i: 5 wrap]"));
  m.with_process([&](backend::processes::Run& run) {
    CHECK(run.measure(ir::Metric::messages, {}, {}).integer == 5);
    CHECK(run.measure(ir::Metric::bytes, {}, {}).real == 40);
  });
}

TEST_CASE("what is done on arrival is overhead of its receive, in the background and where nothing waits for it") {
  const auto in_host = [](const std::string& body) {
    return "wave 1\nimport std.comm { Machine }\nmachine Host {\n  resource tx of process\n  resource rx of process\n  "
           "protocol eager(s: data) {\n"
           "    sender { acquire tx for 4 us; emit payload after 10 us; busy 1 us }\n"
           "    receiver { await payload; on arrival of payload { acquire rx for 4 us; busy 3 us }; busy 2 us }\n"
           "  }\n}\nmodel M {\n  param net: Host = Host()\n  grid P[i: 2]\n  process p on P using net {\n" +
           body + "\n  }\n  output t = p.time\n}\n";
  };
  const std::string sends = "if i == 1 { repeat 5 { send 8 B to [i+1] } };";
  AnalysedModel called(in_host(sends + "if i == 2 { repeat 5 { recv 8 B from [i-1] } }"));
  CHECK(of(called, {1}).overhead == us(5));
  CHECK(of(called, {2}).overhead == us(5 * (3 + 2)));
  AnalysedModel waits(in_host(sends + "if i == 2 { repeat 5 { irecv 8 B from [i-1] as a; wait a } }"));
  CHECK(of(waits, {2}).overhead == us(5 * (3 + 2)));
  AnalysedModel never(in_host(sends + "if i == 2 { repeat 5 { irecv 8 B from [i-1] } }"));
  CHECK(of(never, {2}).overhead == us(5 * 3));
}
