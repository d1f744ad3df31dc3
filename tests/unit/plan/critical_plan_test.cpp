// The critical path followed back through the pieces of a process is the path that instructions record.
#include "backend/processes/path/critical_plan.h"

#include "backend/failed.h"
#include "backend/processes/engine/whole_program.h"
#include "backend/processes/path/recorded_path.h"
#include "backend/processes/program/accounts.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/random_process.h"
#include "tests/unit/plan/scalars.h"

#ifdef WAVE_COMPILED_SWEEPS
#include "backend/jit/sweep/kernels.h"
#endif

#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>

using namespace wave;
using namespace wave::backend::processes;

namespace {

// Sums by kind, by statement and, with details, by weight.
using Sums = std::map<std::tuple<Cause::Kind, std::uint32_t, double>, double>;

Sums sums_of(const CriticalPath& path) {
  Sums sums;
  for (const PathTerm& term : path.terms) sums[{term.kind, term.location.begin, term.weight.value_or(0)}] += term.sum;
  return sums;
}

// Numbers the statements, so that they can be told apart.
void set_places(ir::Process& process) {
  std::uint32_t number = 0;
  for (ir::Block& block : process.blocks) {
    for (ir::Statement& statement : block) statement.location.begin = statement.location.end = ++number;
  }
}

struct Tally {
  std::size_t followed = 0, failed = 0, as_tied = 0;
};

// Stops at the first difference. The end of some process for every third seed, weights in detail for every second.
Tally compare(std::uint64_t first, std::uint64_t count, SweepKernels& kernels) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    test::RandomProcess random = test::random_process(seed, seed % 5 == 0);
    set_places(random.system.processes[random.process.index]);
    const ir::Process& process = random.system[random.process];
    const Places places(random.system, process, random.extents);
    const ir::FreeBinders binders(random.system);
    test::PlainScalars scalars(random.system);
    EndsResolver resolver(scalars, test::quantum);
    std::int64_t claimed = 0;
    const SharedLevels levels(scalars, process, places, [] {});
    const ProgramInput input{process,       places,  levels,
                             binders,       scalars, resolver,
                             test::quantum, [] {},   [&](std::int64_t bytes) { claimed += bytes; }};
    std::optional<std::int64_t> rank;
    if (seed % 3 == 0) rank = static_cast<std::int64_t>(seed / 3) % places.count();
    const bool in_detail = seed % 2 == 0;
    CriticalPath network;
    try {
      network = engine::find_critical_path(input, nullptr, {rank}, in_detail);
    } catch (const backend::Failed&) {
      ++tally.failed;
      continue;
    }
    claimed = 0;
    const auto path = follow_critical_path(input, kernels, {rank}, in_detail);
    REQUIRE(claimed == 0);
    if (!path) continue;
    ++tally.followed;
    tally.as_tied += path->tied == network.tied;
    REQUIRE(path->total == network.total);
    REQUIRE(path->last_finish == network.last_finish);
    REQUIRE(path->finisher == network.finisher);
    REQUIRE(sums_of(*path) == sums_of(network));
  }
  if (std::getenv("WAVE_RANDOM_VERBOSE"))
    WARN(tally.followed << " followed, " << tally.failed << " failed, " << tally.as_tied << " as tied");
  return tally;
}

}  // namespace

TEST_CASE("the paths of a phase add up to the time that instructions find, and the own program to its account") {
  const std::uint64_t count = test::rounds_of(1000), first = test::number_from("WAVE_RANDOM_SEED", 1);
  DirectSweeps kernels;
  std::size_t followed = 0, not_zero = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    test::RandomProcess random = test::random_process(seed);
    const ir::Process& process = random.system[random.process];
    if (process.phases.empty()) continue;
    const Places places(random.system, process, random.extents);
    const ir::FreeBinders binders(random.system);
    test::PlainScalars scalars(random.system);
    EndsResolver resolver(scalars, test::quantum);
    std::int64_t claimed = 0;
    const SharedLevels levels(scalars, process, places, [] {});
    const ProgramInput input{process,       places,  levels,
                             binders,       scalars, resolver,
                             test::quantum, [] {},   [&](std::int64_t bytes) { claimed += bytes; }};
    ProcessState state;
    state.clocks.assign(static_cast<std::size_t>(places.count()), 0);
    state.phases.resize(process.phases.size());
    state.phases[0].spent = state.phases[0].left = state.clocks;
    double operations = 0;
    try {
      engine::run_whole_program(input, state, operations);
    } catch (const backend::Failed&) {
      continue;
    }
    const ir::PhaseId phase{0};
    const std::int64_t rank = static_cast<std::int64_t>(seed) % places.count();
    const auto at = static_cast<std::size_t>(rank);
    claimed = 0;
    for (const bool is_left_last : {false, true}) {
      const auto path = follow_critical_path(input, kernels, {rank, phase, is_left_last}, false);
      REQUIRE(claimed == 0);
      if (!path) continue;
      ++followed;
      const double time = is_left_last ? state.phases[0].left[at] : state.phases[0].spent[at];
      not_zero += time != 0;
      double sum = 0;
      for (const PathTerm& term : path->terms) sum += term.sum;
      REQUIRE(path->total == time);
      REQUIRE(sum == time);
    }
    Accountant accountant(scalars, process, binders, random.extents, test::quantum, [] {});
    for (const ir::PhaseId of : {phase, ir::PhaseId{}}) {
      const Accounts& accounts = accountant.of(places.point(rank));
      const Account& account = of.valid() ? accounts.phases[of.index] : accounts.whole;
      REQUIRE(own_program(input, rank, of).total ==
              in_picoseconds(account.compute, test::quantum) + in_picoseconds(account.overhead, test::quantum));
    }
  }
  CAPTURE(followed, not_zero);
  CHECK(not_zero * 10 > count);
}

TEST_CASE("the critical path followed back through a random process is the one of instructions") {
  const std::uint64_t count = test::rounds_of(1000);
  DirectSweeps kernels;
  const Tally tally = compare(test::number_from("WAVE_RANDOM_SEED", 1), count, kernels);
  CAPTURE(tally.followed, tally.failed);
  CHECK(tally.followed * 5 > count * 2);
  CHECK(tally.as_tied * 10 > tally.followed * 9);  // of what does not change the path, one of them may not hear
}

#ifdef WAVE_COMPILED_SWEEPS
TEST_CASE("the critical path followed back through compiled sweeps is the one of instructions") {
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COMPILED", 100);
  const auto kernels = jit::sweep::make_sweep_kernels();
  const Tally tally = compare(test::number_from("WAVE_RANDOM_SEED", 1), count, *kernels);
  CAPTURE(tally.followed, tally.failed);
  CHECK(tally.followed * 5 > count * 2);
  CHECK(tally.as_tied * 10 > tally.followed * 9);  // of what does not change the path, one of them may not hear
}
#endif
