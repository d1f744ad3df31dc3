// The critical path followed back through the pieces of a process is the path that the network finds.
#include "backend/processes/critical_plan.h"

#include "backend/failed.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/random_process.h"
#include "tests/unit/plan/scalars.h"

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

}  // namespace

TEST_CASE("the critical path followed back through a random process is the one of the network") {
  const std::uint64_t count = test::number_from("WAVE_RANDOM_COUNT", 400),
                      first = test::number_from("WAVE_RANDOM_SEED", 1);
  std::size_t followed = 0, failed = 0;
  DirectSweeps kernels;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    test::RandomProcess random = test::random_process(seed);
    set_places(random.system.processes[random.process.index]);
    const ir::Process& process = random.system[random.process];
    const Places places(random.system, process, random.extents);
    const ir::FreeBinders binders(random.system);
    test::PlainScalars scalars(random.system);
    EndsResolver resolver(scalars, test::quantum);
    std::int64_t claimed = 0;
    const NetworkInput input{process,  places,        binders, scalars,
                             resolver, test::quantum, [] {},   [&](std::int64_t bytes) { claimed += bytes; }};
    CriticalPath network;
    try {
      network = find_critical_path(input, std::nullopt, false);
    } catch (const backend::Failed&) {
      ++failed;
      continue;
    }
    const bool in_detail = seed % 2 == 0;
    if (in_detail) network = find_critical_path(input, std::nullopt, true);
    claimed = 0;
    const auto path = follow_critical_path(input, kernels, std::nullopt, in_detail);
    REQUIRE(claimed == 0);
    if (!path) continue;
    ++followed;
    REQUIRE(path->total == network.total);
    REQUIRE(path->last_finish == network.last_finish);
    REQUIRE(path->finisher == network.finisher);
    if (path->tied != network.tied) std::fprintf(stderr, "TIE seed %d path %d network %d steps\n", (int)seed, path->tied, network.tied);
    REQUIRE(sums_of(*path) == sums_of(network));
  }
  CAPTURE(followed, failed);
  CHECK(followed * 6 > count);
  if (std::getenv("WAVE_RANDOM_VERBOSE")) WARN(followed << " followed, " << failed << " failed");
}
