// The plan of a process gives the same bits as instructions, whatever the process is.
#include "backend/processes/bulk/plan.h"

#include "backend/processes/engine/pieces.h"
#include "backend/processes/engine/whole_program.h"
#include "backend/processes/program/input.h"
#include "ir/printer.h"
#include "tests/unit/plan/encoded_sweeps.h"
#include "tests/unit/plan/random_process.h"
#include "tests/unit/plan/scalars.h"

#ifdef WAVE_COMPILED_SWEEPS
#include "backend/jit/sweep/kernels.h"
#include "tests/random/environment.h"
#endif

#include <catch2/catch.hpp>

#include <cstdlib>
#include <optional>

using namespace wave;
using namespace wave::backend::processes;

namespace {

struct Evaluated {
  std::optional<ProcessState> state;  // nothing if it failed
  ir::Failure failure;
  std::string schedule;
};

class Bench {
 public:
  explicit Bench(const test::RandomProcess& given)
      : process(given.system[given.process]),
        places(given.system, process, given.extents),
        binders(given.system),
        scalars(given.system),
        levels(scalars, process, places, [] {}),
        resolver(scalars, test::quantum) {}

  ProcessState start() const {
    ProcessState state;
    state.clocks.assign(static_cast<std::size_t>(places.count()), 0);
    state.phases.resize(process.phases.size());
    if (!state.phases.empty()) state.phases[0].spent = state.phases[0].left = state.clocks;
    return state;
  }
  ProgramInput program_input() {
    return {process, places, levels, binders, scalars, resolver, test::quantum, [] {}, [](std::int64_t) {}};
  }
  Evaluated by_network() {
    Evaluated result{start(), {}, {}};
    double operations = 0;
    const ProgramInput input = program_input();
    try {
      engine::run_whole_program(input, *result.state, operations);
    } catch (const backend::Failed& failed) {
      result.state.reset();
      result.failure = failed.failure;
    }
    return result;
  }
  Evaluated by_plan(SweepKernels& kernels, bool shortcuts = false) {
    Evaluated result{start(), {}, {}};
    const ProgramInput input = program_input();
    double operations = 0;
    engine::Pieces pieces(input, nullptr, 0, 1);
    const auto part = [&](std::span<const ir::Statement> statements, ProcessState& state) {
      return pieces.run(statements, state, [this] { return start(); }, operations).is_complete;
    };
    PlanReport report;
    const PlanInput plan{input, kernels, part, shortcuts};
    if (!run_plan(plan, *result.state, report)) result.state.reset();
    result.schedule = report.schedule;
    return result;
  }

  const ir::Process& process;
  Places places;
  ir::FreeBinders binders;
  test::PlainScalars scalars;
  SharedLevels levels;
  EndsResolver resolver;
};

struct Tally {
  std::size_t processes = 0, planned = 0, with_kernels = 0, without_network = 0, failed = 0;
  std::size_t fewer_tiles = 0, fewer_iterations = 0;
};

// Stops at the first difference.
Tally compare(std::uint64_t first, std::uint64_t count, SweepKernels& kernels, bool shortcuts = false) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const test::RandomProcess random = test::random_process(seed, shortcuts);
    Bench bench(random);
    if (std::getenv("WAVE_RANDOM_PRINT")) WARN(ir::print(random.system));
    const Evaluated network = bench.by_network(), plan = bench.by_plan(kernels, shortcuts);
    INFO(plan.schedule);
    ++tally.processes;
    if (!network.state) {
      ++tally.failed;
      INFO("the network fails with kind " << static_cast<int>(network.failure.kind) << ": " << network.failure.detail);
      REQUIRE(!plan.state);
      continue;
    }
    if (!plan.state) continue;
    ++tally.planned;
    tally.with_kernels += plan.schedule.find("sweep:") != std::string::npos;
    tally.without_network += plan.schedule.find("network") == std::string::npos;
    tally.fewer_tiles += plan.schedule.find("certified tiles") != std::string::npos;
    tally.fewer_iterations += plan.schedule.find("certified iterations") != std::string::npos;
    REQUIRE(plan.state->clocks == network.state->clocks);
    REQUIRE(plan.state->phases[0].spent == network.state->phases[0].spent);
    REQUIRE(plan.state->phases[0].left == network.state->phases[0].left);
  }
  return tally;
}

void check_coverage(const Tally& tally) {
  CAPTURE(tally.planned, tally.with_kernels, tally.without_network, tally.failed);
  if (std::getenv("WAVE_RANDOM_VERBOSE")) {
    WARN("planned " << tally.planned << ", with kernels " << tally.with_kernels << ", without network "
                    << tally.without_network << ", failed " << tally.failed << ", with fewer tiles "
                    << tally.fewer_tiles << ", with fewer iterations " << tally.fewer_iterations);
  }
  CHECK(tally.planned * 2 > tally.processes);
  CHECK(tally.with_kernels * 6 > tally.processes);
  CHECK(tally.without_network * 4 > tally.processes);
}

}  // namespace

TEST_CASE("the plan of a random process leaves all clocks as instructions do, or leaves it to the engine") {
  DirectSweeps kernels;
  check_coverage(compare(test::number_from("WAVE_RANDOM_SEED", 1), test::rounds_of(2000), kernels));
}

TEST_CASE("tiles and iterations that a plan does not evaluate change no clock of any process") {
  DirectSweeps kernels;
  const Tally tally = compare(test::number_from("WAVE_RANDOM_SEED", 1), test::rounds_of(2000), kernels, true);
  check_coverage(tally);
  CHECK(tally.fewer_tiles * 20 > tally.processes);
  CHECK(tally.fewer_iterations * 80 > tally.processes);
}

TEST_CASE("weights that are written out and tiles that are divided elsewhere change no clock") {
  DirectSweeps direct;
  test::EncodedSweeps kernels(direct, test::number_from("WAVE_RANDOM_SEED", 1));
  compare(test::number_from("WAVE_RANDOM_SEED", 1), test::rounds_of(2000), kernels);
  CHECK(kernels.spread > 0);
  CHECK(kernels.divided > 0);
}

#ifdef WAVE_COMPILED_SWEEPS
TEST_CASE("weights that are written out and tiles that are divided elsewhere change no clock of compiled sweeps") {
  const auto compiled = jit::sweep::make_sweep_kernels();
  test::EncodedSweeps kernels(*compiled, test::number_from("WAVE_RANDOM_SEED", 1));
  compare(test::number_from("WAVE_RANDOM_SEED", 1), test::number_from("WAVE_RANDOM_COMPILED", 100), kernels);
  CHECK(kernels.spread > 0);
}

TEST_CASE("a plan with compiled sweeps leaves all clocks as instructions do") {
  const auto kernels = jit::sweep::make_sweep_kernels();
  check_coverage(
      compare(test::number_from("WAVE_RANDOM_SEED", 1), test::number_from("WAVE_RANDOM_COMPILED", 100), *kernels));
}

TEST_CASE("tiles that compiled sweeps do not evaluate change no clock") {
  const auto kernels = jit::sweep::make_sweep_kernels();
  const Tally tally =
      compare(test::number_from("WAVE_RANDOM_SEED", 1), test::number_from("WAVE_RANDOM_COMPILED", 60), *kernels, true);
  CHECK(tally.fewer_tiles > 0);
}
#endif
