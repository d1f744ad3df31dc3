// The critical path of small processes, checked by hand.
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/path/critical.h"
#include "backend/processes/path/critical_plan.h"
#include "backend/processes/path/recorded_path.h"
#include "tests/unit/analysis/microseconds.h"
#include "tests/unit/analysis/model.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>

using namespace wave;
using namespace wave::test;
using backend::processes::Cause;
using backend::processes::CriticalPath;

namespace {

CriticalPath path_of(const std::string& body, const std::string& grid = "P[i: 2]", bool in_detail = true) {
  AnalysedModel m(std::string(machine_text) + "model M {\n  param net: Net = Net()\n  grid " + grid +
                  "\n  process p on P using net {\n" + body + "\n  }\n  output t = p.time\n}\n");
  CriticalPath path;
  m.with_process([&](backend::processes::Run& run) {
    run.use_program([&](const backend::processes::ProgramInput& input) {
      path = backend::processes::engine::find_critical_path(input, nullptr, {}, in_detail);
    });
    CHECK(path.total == run.measure(ir::Metric::time, {}, {}).real);
  });
  double sum = 0;
  for (const auto& term : path.terms) sum += term.sum;
  CHECK(sum == path.total);
  return path;
}

std::map<Cause::Kind, double> kinds(const CriticalPath& path) {
  std::map<Cause::Kind, double> sums;
  for (const auto& term : path.terms) sums[term.kind] += term.sum;
  return sums;
}

}  // namespace

TEST_CASE("an eager message is overhead, wire and overhead") {
  const auto sums =
      kinds(path_of("compute(i * 1 us); if i == 1 { send 8 B to [i+1] }; if i == 2 { recv 8 B from [i-1] }"));
  CHECK(sums == std::map<Cause::Kind, double>{
                    {Cause::Kind::compute, us(1)}, {Cause::Kind::overhead, us(4)}, {Cause::Kind::wire, us(18)}});
}

TEST_CASE("a handshake is on the path of a large message") {
  const auto path = path_of("if i == 1 { send 200 B to [i+1] }; if i == 2 { recv 200 B from [i-1] }");
  CHECK(kinds(path) == std::map<Cause::Kind, double>{{Cause::Kind::overhead, us(8)},
                                                     {Cause::Kind::wire, us(210)},
                                                     {Cause::Kind::handshake, us(20)}});
  CHECK(path.finisher == std::vector<std::int64_t>{2});
  CHECK_FALSE(path.tied);
}

TEST_CASE("a late receiver is on the path instead of the sender") {
  const auto path = path_of("if i == 1 { send 8 B to [i+1] }; if i == 2 { compute(100 us); recv 8 B from [i-1] }");
  CHECK(kinds(path) == std::map<Cause::Kind, double>{{Cause::Kind::compute, us(100)}, {Cause::Kind::overhead, us(2)}});
}

TEST_CASE("at a tie the process's own clock counts, and the path says so") {
  const auto path = path_of("if i == 1 { send 8 B to [i+1] }; if i == 2 { compute(20 us); recv 8 B from [i-1] }");
  CHECK(path.tied);
  CHECK(kinds(path)[Cause::Kind::compute] == us(20));
}

TEST_CASE("a collective adds its cost to the last that arrived") {
  const auto path = path_of("compute(i * 3 us); barrier()", "P[i: 3]");
  CHECK(kinds(path) == std::map<Cause::Kind, double>{{Cause::Kind::compute, us(9)}, {Cause::Kind::collective, us(5)}});
}

TEST_CASE("a path followed back goes through a collective to the process that came last") {
  AnalysedModel m(std::string(machine_text) + "model M {\n  param net: Net = Net()\n  grid P[i: 5]\n" +
                  "  process p on P using net {\n compute((i * 3 mod 5) * 1 us); barrier(); compute(i * 1 us)\n  }\n" +
                  "  output t = p.time\n}\n");
  m.with_process([](backend::processes::Run& run) {
    run.use_program([](const backend::processes::ProgramInput& input) {
      backend::processes::DirectSweeps kernels;
      for (std::int64_t rank = 0; rank < 5; ++rank) {
        const auto path = backend::processes::follow_critical_path(input, kernels, {rank}, false);
        REQUIRE(path);
        CHECK_FALSE(path->tied);
        const double own = us(static_cast<double>(rank + 1));
        // The third comes last, after 4 us.
        CHECK(path->total == us(4) + us(5) + own);
        CHECK(kinds(*path) ==
              std::map<Cause::Kind, double>{{Cause::Kind::compute, us(4) + own}, {Cause::Kind::collective, us(5)}});
      }
    });
  });
}

// The first exchange has no order that is the same for all, and what comes behind it has one only up to the loop.
TEST_CASE("a path is not followed back where statements without an order stand before others") {
  AnalysedModel m(R"(
machine Net {
  protocol q(s: data) {
    sender { await s0; emit s1 after 1 us; await s2; busy 2 us; emit payload after 9 us; }
    receiver { emit s0 after 9 us; await s1; busy 1 us; emit s2 after 9 us; await payload; }
  }
  collective c(s: data) on R[r: p] {
    for k in 0..5 {
      if 2^k < p {
        if r <= 2^k { send s to [r + 2^k] }
        if r > 2^k and r <= 2^(k+1) { recv s from [r - 2^k] }
      }
    }
  }
}
model M {
  grid P[i: 2, j: 2]
  process p on P using Net() {
    if j mod 2 == 1 {
      send 48 B to [i, j + 1]
      recv 8 B from [i, j + 1] tag 2
    } else {
      recv 48 B from [i, j - 1]
      send 8 B to [i, j - 1] tag 2
    }
    compute(1 us)
    if i == 1 and j == 1 { isend 8 B to P[2, 2] tag 2 }
    if i == 2 and j == 2 { recv 8 B from P[1, 1] tag 2 }
    waitall
    c(10 B) along j
    waitall
  }
  output elapsed = p.time
}
)");
  m.with_process([](backend::processes::Run& run) {
    const double time = run.measure(ir::Metric::time, {}, {}).real;
    CHECK(time == us(107));
    run.use_program([&](const backend::processes::ProgramInput& input) {
      backend::processes::DirectSweeps kernels;
      CHECK_FALSE(backend::processes::follow_critical_path(input, kernels, {}, true));
      CHECK(run.find_critical_path(input, {}, true).total == time);
    });
  });
}

TEST_CASE("weights that vary over the grid add up all the same") {
  const auto path = path_of(
      "sweep from [(+,+)] tiles 7 { recv 8 B from upwind i; recv 8 B from upwind j; compute(i * j * tile * 1 us);"
      " send 8 B to downwind i; send 8 B to downwind j }",
      "P[i: 6, j: 5]");
  CHECK(kinds(path)[Cause::Kind::compute] > 0);
}

TEST_CASE("what an interface does for a message is of the statement at its end, called or not") {
  const std::string machine = R"(wave 1
import std.comm { Machine }
machine Gap {
  resource rx of process
  protocol p(s: data) {
    sender   { busy 1 us; emit payload after 2 us }
    receiver { await payload via rx for 20 us; busy 3 us }
  }
}
)";
  // Instructions run the first process first, so that what it sends comes before it is received.
  for (const auto& [from, to] : {std::pair("1", "2"), std::pair("2", "1")}) {
    const std::string send = std::string("send 8 B to P[") + to + "]";
    const std::string receive = std::string("recv 8 B from P[") + from + "]";
    AnalysedModel m(machine + "model M {\n  param net: Gap = Gap()\n  grid P[i: 2]\n  process p on P using net {\n" +
                    "if i == " + from + " { " + send + "; " + send + " }; if i == " + to + " { " + receive + "; " +
                    receive + " }\n  }\n  output t = p.time\n}\n");
    m.with_process([&](backend::processes::Run& run) {
      run.use_program([&](const backend::processes::ProgramInput& input) {
        double gap = 0;
        for (const auto& term : backend::processes::engine::find_critical_path(input, nullptr, {}, true).terms) {
          if (term.kind != Cause::Kind::gap) continue;
          CHECK(std::get<ir::Message>(term.statement->node).side == ir::Message::Side::receive);
          gap += term.sum;
        }
        CHECK(gap == us(20));
      });
    });
  }
}

TEST_CASE("statements are put together without detail") {
  const std::string body =
      "sweep from [(+), (-), (+)] tiles 5 { recv 8 B from upwind i; compute(1 us); send 8 B to downwind i }";
  const auto path = path_of(body, "P[i: 4]", false);
  CHECK(path.terms.size() <= 4);  // compute, send: overhead and wire, recv: overhead
  const auto detailed = path_of(body, "P[i: 4]", true);
  CHECK(kinds(path) == kinds(detailed));
}
