// The quantum is found so that no time rounds, whatever the first guess is.
#include "tests/unit/processes/process_fixture.h"

#include <cmath>

using namespace wave;
using test::ProcessFixture;

namespace {

backend::EventReport report_of(ProcessFixture& f, double& time) {
  const auto asked = f.b.define(f.root, "asked", f.measured(ir::Metric::time));
  const auto engine = backend::make_interpreter(f.system);
  const auto evaluation = engine->start({}, {});
  const auto outcome = evaluation->evaluate(asked);
  REQUIRE(std::holds_alternative<backend::Rows>(outcome));
  time = std::get<backend::Rows>(outcome).cells.at(0).real;
  REQUIRE(evaluation->reports().size() == 1);
  return evaluation->reports().front();
}

}  // namespace

TEST_CASE("a guess that is too small is mended") {
  // Each process waits for the one before it, which a walk over a single process does not show.
  ProcessFixture f({200});
  f.program({f.recv(8, f.offset({-1})), f.compute(1e6), f.send(8, f.offset({1}))});
  double time = 0;
  const auto report = report_of(f, time);
  CHECK(time == 200e6 + 199 * 22);
  CHECK(time < std::ldexp(report.quantum, 52));
  CHECK(time >= std::ldexp(report.quantum, 51));
  CHECK(report.bound >= time);
  CHECK(report.error == 0);
}

TEST_CASE("nothing at all is counted as finely as zero is") {
  ProcessFixture f({3});
  f.program({});
  double time = 1;
  CHECK(report_of(f, time).quantum == 0x1p-52);
  CHECK(time == 0);
}

TEST_CASE("weights are rounded each by itself, and sums are exact") {
  ProcessFixture f({1});
  f.program({f.compute(0.1), f.compute(0.2), f.compute(1e9)});
  double time = 0;
  const auto report = report_of(f, time);
  const double q = report.quantum, a = std::nearbyint(0.1 / q) * q, c = std::nearbyint(0.2 / q) * q;
  CHECK(time == a + c + 1e9);
  CHECK(report.error >= std::fabs(a - 0.1) + std::fabs(c - 0.2));
  CHECK(report.error <= 3 * q / 2);
}
