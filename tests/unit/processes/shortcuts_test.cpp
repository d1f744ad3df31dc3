// Tiles and iterations that are not evaluated: results, quantum and accounts stay the same.
#include "tests/unit/processes/process_fixture.h"

#include <cmath>
#include <optional>

using namespace wave;
using test::ProcessFixture;

namespace {

struct Evaluated {
  std::vector<double> values;
  backend::EventReport report;
};

Evaluated evaluate(ProcessFixture& f, const std::vector<ir::DefinitionId>& asked, bool shortcuts) {
  backend::EngineOptions options;
  options.shortcuts = shortcuts;
  const auto engine = backend::make_interpreter(f.system, options);
  const auto evaluation = engine->start({}, {});
  Evaluated result;
  for (const ir::DefinitionId one : asked) {
    const auto outcome = evaluation->evaluate(one);
    REQUIRE(std::holds_alternative<backend::Rows>(outcome));
    const ir::Scalar value = std::get<backend::Rows>(outcome).cells.at(0);
    result.values.push_back(value.type == ir::ScalarType::integer ? static_cast<double>(value.integer) : value.real);
  }
  REQUIRE(evaluation->reports().size() == 1);
  result.report = evaluation->reports().front();
  return result;
}

constexpr ir::Metric all_metrics[] = {ir::Metric::time, ir::Metric::finish,   ir::Metric::compute, ir::Metric::overhead,
                                      ir::Metric::wait, ir::Metric::messages, ir::Metric::bytes};

// Everything that can be asked about a line of `extent` processes.
std::vector<ir::DefinitionId> everything(ProcessFixture& f, std::int64_t extent, std::size_t phases) {
  std::vector<ir::DefinitionId> asked;
  const auto ask = [&](ir::ValueId value) {
    asked.push_back(f.b.define(f.root, "asked " + std::to_string(asked.size()), value));
  };
  for (const ir::Metric metric : all_metrics) {
    for (std::size_t phase = 0; phase <= phases; ++phase) {
      const ir::PhaseId of = phase < phases ? ir::PhaseId{static_cast<std::uint32_t>(phase)} : ir::PhaseId{};
      ask(f.measured(metric, {}, of));
      for (std::int64_t i = 1; i <= extent; ++i) ask(f.measured(metric, {i}, of));
    }
  }
  return asked;
}

// Compares the results with and without shortcuts, and returns the schedule with them.
std::string compare(ProcessFixture& f, std::int64_t extent, std::size_t phases = 0) {
  const auto asked = everything(f, extent, phases);
  const Evaluated direct = evaluate(f, asked, false), skipped = evaluate(f, asked, true);
  CHECK(direct.values == skipped.values);
  CHECK(direct.report.quantum == skipped.report.quantum);
  CHECK(direct.report.schedule == "network");
  return skipped.report.schedule;
}

bool says(const std::string& schedule, const char* what) { return schedule.find(what) != std::string::npos; }

ir::Block wave_body(ProcessFixture& f, ir::ValueId work, double bytes) {
  return {f.recv(bytes, f.offset({-1})), f.compute(work), f.send(bytes, f.offset({1}))};
}

}  // namespace

TEST_CASE("phases and accounts are those of all iterations") {
  for (const double bytes : {8.0, 200.0}) {
    ProcessFixture f({5});
    f.process.phases = {"sweeps", "after"};
    const auto tile = f.b.binder("tile");
    const ir::Block sweep = {f.sweep(40, tile, {true}, wave_body(f, f.b.real(100), bytes))};
    const ir::Block after = {f.compute(7), f.collective(30)};
    f.program({f.compute(f.b.multiply(f.b.to_real(f.index(0)), f.b.real(3))),
               f.repeat(60, {f.statement(ir::Phase{ir::PhaseId{0}, f.block(sweep)}),
                             f.statement(ir::Phase{ir::PhaseId{1}, f.block(after)})})});
    const std::string schedule = compare(f, 5, 2);
    INFO(schedule);
    CHECK(says(schedule, "certified iterations: "));
    CHECK(says(schedule, " of 60 evaluated"));
  }
}

TEST_CASE("iterations whose clocks rise by different amounts are skipped, too") {
  ProcessFixture f({4});
  const ir::ValueId work = f.b.select(f.at(0, 4), f.b.real(500), f.b.real(100));
  f.program({f.repeat(3000, {f.compute(work), f.send(8, f.offset({1})), f.recv(8, f.offset({-1}))})});
  const std::string schedule = compare(f, 4);
  INFO(schedule);
  CHECK(says(schedule, "certified iterations: "));
}

TEST_CASE("an iteration that differs by the least is not taken for the others") {
  for (const std::int64_t which : {1, 2, 3, 17, 59, 60}) {
    ProcessFixture f({3});
    const auto k = f.b.binder("k"), tile = f.b.binder("tile");
    const ir::ValueId more = f.b.select(f.b.equal(f.b.index(k), f.b.integer(which)), f.b.real(101), f.b.real(100));
    f.program({f.loop(k, f.b.integer(1), f.b.integer(60), {f.sweep(30, tile, {true}, wave_body(f, more, 8))})});
    CHECK(!says(compare(f, 3), "certified iterations"));
  }
}

TEST_CASE("a tile or a process that differs by the least is not taken for the others") {
  for (const std::int64_t which : {1, 2, 5, 40, 99, 100}) {
    ProcessFixture f({4});
    const auto tile = f.b.binder("tile");
    const ir::ValueId more = f.b.select(f.b.equal(f.b.index(tile), f.b.integer(which)), f.b.real(101), f.b.real(100));
    f.program({f.sweep(100, tile, {true}, wave_body(f, more, 8))});
    compare(f, 4);
  }
  for (const std::int64_t which : {1, 2, 3, 4, 5}) {
    ProcessFixture f({5});
    const auto tile = f.b.binder("tile");
    const ir::ValueId more = f.b.select(f.at(0, which), f.b.real(101), f.b.real(100));
    f.program({f.sweep(400, tile, {true}, wave_body(f, more, 200))});
    CHECK(says(compare(f, 5), "certified tiles: "));
  }
}

TEST_CASE("the quantum is the same where a guess is mended") {
  // The guess does not look at process 4, which has most of the work.
  for (const std::int64_t tiles : {7, 300, 3000}) {
    ProcessFixture f({9});
    const auto tile = f.b.binder("tile");
    const ir::ValueId work = f.b.select(f.at(0, 4), f.b.real(1e9), f.b.real(1e3));
    f.program({f.sweep(tiles, tile, {true}, wave_body(f, work, 8))});
    compare(f, 9);
  }
}

TEST_CASE("a thousand million tiles of a process that no guess looks at have a time at once") {
  ProcessFixture f({9});
  const auto tile = f.b.binder("tile");
  const ir::ValueId work = f.b.select(f.at(0, 4), f.b.real(1e9), f.b.real(1e3));
  f.program({f.sweep(1'000'000'000, tile, {true}, wave_body(f, work, 8))});
  const auto asked = f.b.define(f.root, "asked", f.measured(ir::Metric::time));
  const Evaluated result = evaluate(f, {asked}, true);
  // The total is about 2^52 of these quanta. Messages round to nothing, and the work of each of the eight others to
  // 1024 ps.
  CHECK(result.report.quantum == 256);
  CHECK(result.values[0] == 1e18 + 8 * 1024);
  CHECK(says(result.report.schedule, "of 1000000000 evaluated"));
}
