// Recurrences in vector lanes, in shapes that would not be chosen for such small grids. WAVE_RANDOM_SEED and
// WAVE_RANDOM_COUNT choose others.
#include "ir/operations.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/random/random_system.h"
#include "tests/random/recurrences.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace wave;
using wave::test::number_from;
using wave::test::rounds_of;

namespace {

// The destructor withdraws what was forced.
class Wish {
 public:
  explicit Wish(const jit::LaneWishes& wishes) { backend::wish_jit_lanes(wishes); }
  Wish(const Wish&) = delete;
  ~Wish() { backend::wish_jit_lanes({}); }
};

jit::LaneWishes wishes_for_strips(test::Choices& choose) {
  jit::LaneWishes wishes;
  wishes.always = true;
  wishes.lanes = choose.one_of(std::vector<int>{2, 4, 8});
  wishes.vectors =
      static_cast<int>(choose.chance(0.5) ? choose.one_of(std::vector<int>{1, 2, 4, 8}) : choose.between(1, 7));
  wishes.threads = static_cast<int>(choose.between(1, 3));
  wishes.steps = choose.chance(0.5) ? 0 : static_cast<int>(choose.between(1, 20));
  return wishes;
}

std::string text(const jit::LaneWishes& wishes) {
  return fmt::format("{} lanes, {} vectors, {} threads, {} steps", wishes.lanes, wishes.vectors, wishes.threads,
                     wishes.steps);
}

struct Tally {
  std::size_t groups = 0, in_lanes = 0, roots = 0, failures = 0;
};

void count_lanes(backend::Engine& engine, const ir::System& system, const std::vector<backend::Binding>& bindings,
                 Tally& tally) {
  const auto evaluation = engine.start(bindings, {});
  for (std::uint32_t root = 0; root < system.roots.size(); ++root) evaluation->evaluate(ir::RootId{root});
  for (const backend::EventReport& report : evaluation->reports()) {
    ++tally.groups;
    CHECK(report.schedule.find("wrong code") == std::string::npos);
    tally.in_lanes += report.schedule.find(" lanes,") != std::string::npos;
  }
}

}  // namespace

TEST_CASE("random recurrences have the same bits and the same failures in lanes of any shape") {
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1), count = rounds_of(25);
  const bool verbose = number_from("WAVE_RANDOM_VERBOSE", 0) != 0;
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::System system = test::random_recurrence(seed);
    const auto interpreter = parity::engine(backend::EngineKind::interpreter, system);
    const auto jit = parity::engine(backend::EngineKind::jit, system);
    test::Choices choose(seed);
    for (int shape = 0; shape < 2; ++shape) {
      const jit::LaneWishes wishes = wishes_for_strips(choose);
      const Wish wish(wishes);
      for (int extents = 0; extents < 2; ++extents) {
        const auto bindings = test::random_extents(system, seed * 10 + static_cast<std::uint64_t>(extents), 40);
        const parity::Comparison comparison = parity::compare(system, *interpreter, *jit, bindings);
        INFO("seed " << seed << ", shape " << shape << ", extents " << extents << ": " << text(wishes));
        CHECK(comparison.difference == "");
        tally.roots += comparison.roots;
        tally.failures += comparison.failures;
        if (extents == 0) count_lanes(*jit, system, bindings, tally);
        if (verbose && !comparison.difference.empty()) return;
      }
    }
  }
  INFO(tally.in_lanes << " of " << tally.groups << " events in lanes, " << tally.failures << " of " << tally.roots
                      << " roots fail");
  if (verbose)
    WARN(tally.in_lanes << " of " << tally.groups << " events in lanes, " << tally.failures << " of " << tally.roots
                        << " roots fail");
  CHECK(tally.in_lanes * 2 > tally.groups);
  CHECK(tally.failures * 3 < tally.roots);
}

TEST_CASE("random systems of all kinds have the same bits and the same failures where their events are in lanes") {
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1), count = rounds_of(25);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::System system = test::random_system(seed);
    const auto interpreter = parity::engine(backend::EngineKind::interpreter, system);
    const auto jit = parity::engine(backend::EngineKind::jit, system);
    test::Choices choose(seed);
    jit::LaneWishes wishes = wishes_for_strips(choose);
    wishes.vectors = static_cast<int>(choose.between(1, 3));
    const Wish wish(wishes);
    for (const bool bound : {false, true}) {
      backend::Limits limits;
      limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
      const auto bindings = bound ? test::random_bindings(system, seed) : std::vector<backend::Binding>{};
      INFO("seed " << seed << (bound ? ", bound: " : ": ") << text(wishes));
      CHECK(parity::compare(system, *interpreter, *jit, bindings, limits).difference == "");
    }
  }
}

namespace {

std::string schedule_of(backend::Engine& engine, const ir::System& system) {
  const auto evaluation = engine.start({}, {});
  evaluation->evaluate(ir::RootId{static_cast<std::uint32_t>(system.roots.size() - 1)});
  const auto reports = evaluation->reports();
  return reports.empty() ? "" : reports.front().schedule;
}

}  // namespace

TEST_CASE("the report says in which lanes a recurrence ran, or why it did not") {
  using parity::Model;
  jit::LaneWishes wishes;
  wishes.always = true;
  wishes.lanes = 4, wishes.vectors = 3, wishes.threads = 2;
  const Wish wish(wishes);
  Model start;
  parity::add_start(start, 100, 50);
  CHECK(schedule_of(*parity::engine(backend::EngineKind::jit, start.system), start.system) ==
        "rows i outer, j inner; rows i in 4 lanes, 3 vectors, skew 1; 2 threads");

  Model line;
  const ir::ValueId n = line.parameter("n", line.build.integer(2'000'000));
  const ir::EventId event = line.event("start", line.grid({"i"}, {n}));
  line.constrain(event, event, {-1}, {line.build.real(1)});
  line.system[event].otherwise = {line.build.real(0)};
  line.root("end", {line.read(event, {n})});
  const std::string schedule = schedule_of(*parity::engine(backend::EngineKind::jit, line.system), line.system);
  CHECK(schedule.find("not in lanes: it has one axis") != std::string::npos);
}

namespace {

// An event on n x n cells, which run in lanes however few they are.
struct InLanes {
  InLanes(std::int64_t extent, const std::string& name)
      : n(model.parameter("n", model.build.integer(extent))),
        grid(model.grid({"i", "j"}, {n, n})),
        event(model.event(name, grid)) {}

  Wish wish{[] {
    jit::LaneWishes wishes;
    wishes.always = true;
    return wishes;
  }()};
  parity::Model model;
  ir::ValueId n;
  ir::SpaceId grid;
  ir::EventId event;
};

}  // namespace

TEST_CASE("a body whose neighbour is missing is zero in lanes, too") {
  InLanes lanes(60, "half");
  auto& [wish, model, n, grid, half] = lanes;
  ir::Builder& build = model.build;
  const ir::ValueId is_low = build.less(model.index(grid, 0), build.integer(30));
  model.system[half].body =
      build.select(is_low, build.multiply(build.neighbour(half, {-1, 0}), build.real(0.5)), build.real(1));
  model.system[half].otherwise = {build.real(0)};
  model.root("end", {model.read(half, {n, n}), model.read(half, {build.integer(1), n})});
  const auto interpreter = parity::engine(backend::EngineKind::interpreter, model.system);
  const auto jit = parity::engine(backend::EngineKind::jit, model.system);
  CHECK(parity::compare(model.system, *interpreter, *jit, {}).difference == "");
  CHECK(schedule_of(*jit, model.system).find(" lanes,") != std::string::npos);
}

TEST_CASE("a cell that fails fails alike in lanes, with its indices") {
  InLanes lanes(40, "start");
  auto& [wish, model, n, grid, start] = lanes;
  ir::Builder& build = model.build;
  // False in two cells, of which (14, 26) comes first.
  const ir::SiteId overflow = model.site(ir::FailureKind::integer_overflow);
  const ir::ValueId product =
      build.multiply(model.index(grid, 0), build.subtract(model.index(grid, 1), build.integer(3), overflow), overflow);
  const ir::ValueId good = build.logical_not(build.equal(product, build.integer(14 * 23)));
  model.constrain(start, start, {-1, 0},
                  {build.check(good, build.real(5), model.site(ir::FailureKind::require_failed))});
  model.constrain(start, start, {0, -1}, {build.real(2)});
  model.system[start].otherwise = {build.real(0)};
  model.root("end", {model.read(start, {n, n})});
  const auto interpreter = parity::engine(backend::EngineKind::interpreter, model.system);
  const auto jit = parity::engine(backend::EngineKind::jit, model.system);
  const parity::Comparison comparison = parity::compare(model.system, *interpreter, *jit, {});
  CHECK(comparison.difference == "");
  CHECK(comparison.failures == 1);
  CHECK(schedule_of(*jit, model.system).empty());  // what failed has no report
}

// Before the first column weights are as large as fits, and there are many rows, or planes, to go along.
TEST_CASE("what is computed before the first column never reaches a cell") {
  using parity::Model;
  for (const bool has_planes : {false, true}) {
    Model model;
    ir::Builder& build = model.build;
    const std::vector<std::int64_t> extents =
        has_planes ? std::vector<std::int64_t>{3000, 8, 40} : std::vector<std::int64_t>{6000, 40};
    const std::size_t rank = extents.size(), columns = rank - 1;
    const std::vector<std::string> axes =
        has_planes ? std::vector<std::string>{"k", "i", "j"} : std::vector<std::string>{"i", "j"};
    std::vector<ir::ValueId> sizes, middle;
    for (const std::int64_t extent : extents) {
      sizes.push_back(build.integer(extent));
      middle.push_back(build.integer(extent / 2));
    }
    middle.back() = build.integer(1);
    const ir::SpaceId grid = model.grid(axes, sizes);
    const ir::EventId start = model.event("start", grid);
    // At most 100 on the space, and 200000, some 2^50 quanta, where j is 0. Tables have what looks at one index, but
    // only for those of the space, so this looks at two.
    const ir::ValueId zero = build.binary(ir::BinaryOp::modulo, model.index(grid, 0), build.integer(1),
                                          model.site(ir::FailureKind::division_by_zero));
    const ir::ValueId column =
        build.add(zero, model.index(grid, columns), model.site(ir::FailureKind::integer_overflow));
    const ir::ValueId steep = build.divide(build.real(100), build.add(build.to_real(column), build.real(0.0005)),
                                           model.site(ir::FailureKind::division_by_zero));
    for (std::size_t axis = 0; axis < rank; ++axis) {
      std::vector<std::int32_t> offset(rank, 0);
      offset[axis] = axis == 0 && !has_planes ? -2 : -1;
      model.constrain(start, start, offset, {axis == 0 ? steep : build.real(1.5)});
    }
    model.system[start].otherwise = {build.real(0)};
    model.root("corner", {model.read(start, sizes)});
    model.root("middle", {model.read(start, middle)});
    const auto interpreter = parity::engine(backend::EngineKind::interpreter, model.system);
    const auto jit = parity::engine(backend::EngineKind::jit, model.system);
    for (const int vectors : {1, 2, 8}) {
      jit::LaneWishes wishes;
      wishes.always = true;
      wishes.lanes = 8, wishes.vectors = vectors;
      const Wish wish(wishes);
      Tally tally;
      count_lanes(*jit, model.system, {}, tally);
      CHECK(tally.in_lanes == 1);
      CHECK(parity::compare(model.system, *interpreter, *jit, {}).difference == "");
    }
  }
}

// Its weight is in no bound, and may be as large as it likes.
TEST_CASE("a guarded constraint whose source no cell has adds nothing in lanes") {
  using parity::Model;
  Model model;
  ir::Builder& build = model.build;
  const ir::ValueId rows = build.integer(3000), columns = build.integer(1);
  const ir::ValueId holds = build.less(build.real(0), model.parameter("c", build.real(1)));
  const ir::EventId start = model.event("start", model.grid({"i", "j"}, {rows, columns}));
  model.constrain(start, start, {-1, 0}, {build.real(1)});
  model.constrain(start, start, {0, -1}, {model.parameter("w", build.real(5e4))});
  model.system[start].constraints.back().guard = holds;
  model.system[start].otherwise = {build.real(0)};
  model.root("corner", {model.read(start, {rows, columns})});
  jit::LaneWishes wishes;
  wishes.always = true;
  wishes.lanes = 8, wishes.vectors = 8;
  const Wish wish(wishes);
  const auto interpreter = parity::engine(backend::EngineKind::interpreter, model.system);
  const auto jit = parity::engine(backend::EngineKind::jit, model.system);
  Tally tally;
  count_lanes(*jit, model.system, {}, tally);
  CHECK(tally.in_lanes == 1);
  CHECK(parity::compare(model.system, *interpreter, *jit, {}).difference == "");
}
