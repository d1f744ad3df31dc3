// Compiled sweeps give the bits of the definition, for random bodies, calls, shapes of the code, and widths of vectors,
// and record the same choices.
#include "backend/jit/sweep/kernels.h"

#include "backend/threads.h"
#include "tests/unit/sweep/random_bodies.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <random>

using namespace wave;
using namespace wave::sweep_tests;
using backend::processes::SweepKernels;
using backend::processes::SweepRecord;
using jit::sweep::make_sweep_kernels;
using jit::sweep::Wishes;

namespace {

bool same_bits(const OwnedCall& left, const OwnedCall& right) {
  for (std::size_t number = 0; number < left.state.size(); ++number) {
    const std::size_t bytes = left.state[number].size() * sizeof(double);
    if (bytes > 0 && std::memcmp(left.state[number].data(), right.state[number].data(), bytes) != 0) return false;
  }
  return true;
}

struct Tally {
  int done = 0, not_possible = 0, deadlocks = 0, recorded = 0;
};

// Of every join and await that happens, and from which a register leads on, both say what was the later. Else says of
// which not.
std::string difference(const SweepBody& body, const SweepCall& call, const SweepRecord& direct,
                       const SweepRecord& compiled) {
  std::vector<std::int64_t> point(call.extents.size(), 0);
  const auto happens = [&](const std::vector<std::int8_t>& peer) {
    for (std::size_t axis = 0; axis < peer.size(); ++axis) {
      const std::int64_t at = point[axis] + (call.rising[axis] ? peer[axis] : -peer[axis]);
      if (at < 0 || at >= call.extents[axis]) return false;
    }
    return true;
  };
  while (true) {
    for (std::size_t number = 0; number < body.operations.size(); ++number) {
      if (compiled.layout().operations[number] == SweepRecord::none || !happens(body.operations[number].peer)) continue;
      for (std::int64_t tile = 0; tile < call.tiles; ++tile) {
        const SweepRecord::Choice left = direct.of(number, tile, point), right = compiled.of(number, tile, point);
        if (left.source == right.source && left.tie == right.tie) continue;
        return "operation " + std::to_string(number) + ", tile " + std::to_string(tile) + ", last index " +
               std::to_string(point.back());
      }
    }
    std::size_t axis = point.size();
    while (axis-- > 0) {
      if (++point[axis] < call.extents[axis]) break;
      point[axis] = 0;
    }
    if (axis == std::size_t(-1)) return {};
  }
}

// The clock is wanted, so what it was made of is not contracted away.
bool is_recorded(const SweepBody& body, const SweepRecord& record) {
  for (std::size_t number = body.operations.size(); number-- > 0;) {
    const SweepBody::Operation& operation = body.operations[number];
    if (operation.kind == SweepBody::Operation::Kind::emit || operation.target != 0) continue;
    const bool takes_larger =
        operation.kind == SweepBody::Operation::Kind::join || operation.kind == SweepBody::Operation::Kind::await;
    return !takes_larger || record.layout().operations[number] != SweepRecord::none;
  }
  return true;
}

void compare_records(SweepKernels& kernels, const SweepBody& body, const OwnedCall& call, Tally& tally) {
  OwnedCall direct = copy_of(call), compiled = copy_of(call);
  SweepRecord by_definition, by_kernels;
  direct.call.record = &by_definition;
  compiled.call.record = &by_kernels;
  const bool through = run_directly(body, direct.call);
  const double needed = kernels.needs(body, compiled.call).record;
  if (kernels.run(body, compiled.call) == SweepKernels::Outcome::not_possible) return;
  REQUIRE(through);
  REQUIRE(same_bits(direct, compiled));
  if (by_kernels.layout().operations.empty() || call.call.tiles == 0) return;  // nothing is wanted
  INFO(kernels.schedule());
  ++tally.recorded;
  const std::int64_t lanes = by_kernels.layout().lanes;
  CHECK(needed * static_cast<double>((call.call.tiles + lanes - 1) / lanes * lanes) ==
        static_cast<double>(by_kernels.layout().bytes));
  const bool has_one = std::all_of(call.call.extents.begin(), call.call.extents.end(), [](auto n) { return n > 1; });
  if (has_one && call.call.state[0]) CHECK(is_recorded(body, by_kernels));
  REQUIRE(difference(body, call.call, by_definition, by_kernels) == "");
}

void compare(SweepKernels& kernels, const SweepBody& body, const OwnedCall& call, Tally& tally) {
  INFO(describe(body, call.call));
  OwnedCall direct = copy_of(call), compiled = copy_of(call);
  const bool through = run_directly(body, direct.call);
  const auto outcome = kernels.run(body, compiled.call);
  INFO(kernels.schedule());
  tally.deadlocks += through ? 0 : 1;
  if (outcome == SweepKernels::Outcome::not_possible) {
    tally.not_possible += through ? 1 : 0;
    REQUIRE(same_bits(call, compiled));
    return;
  }
  REQUIRE(outcome == SweepKernels::Outcome::done);
  REQUIRE(through);
  ++tally.done;
  REQUIRE(same_bits(direct, compiled));
  if (tally.done % 3 == 0) compare_records(kernels, body, call, tally);
}

std::vector<std::int64_t> random_extents(std::mt19937_64& random, std::size_t axes) {
  static constexpr std::int64_t largest[] = {0, 90, 24, 9};
  std::vector<std::int64_t> extents;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    extents.push_back(
        1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(random() % 3 == 0 ? 4 : largest[axes])));
  }
  if (axes == 2 && random() % 4 == 0) extents[1] += 40;
  return extents;
}

void compare_random(std::uint64_t seed, int bodies, const Wishes& wishes) {
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  Tally tally;
  auto kernels = make_sweep_kernels(wishes);
  for (int index = 0; index < bodies; ++index) {
    const std::size_t axes = 1 + random() % 3;
    const SweepBody body = random_body(random, axes);
    for (int repetition = 0; repetition < 3; ++repetition) {
      const auto tiles = static_cast<std::int64_t>(random() % 41);
      compare(*kernels, body, random_call(random, body, random_extents(random, axes), tiles), tally);
    }
  }
  WARN("lanes " << wishes.lanes << ", rows " << wishes.rows << ", width " << wishes.widest << ": " << tally.done
                << " compared, " << tally.recorded << " with records, " << tally.not_possible << " without a schedule, "
                << tally.deadlocks << " deadlocks");
  CHECK(tally.done > tally.not_possible);
  // Records are asked for every third time, which a slow build does eight times. Some bodies have nothing to record.
  CHECK(6 * tally.recorded > tally.done);
}

}  // namespace

TEST_CASE("the listing of every protocol gives the bits of the definition") {
  std::mt19937_64 random(7);
  Tally tally;
  for (const Wishes& wishes :
       {Wishes{}, Wishes{.widest = 4}, Wishes{.widest = 2}, Wishes{.lanes = 16, .rows = 3}, Wishes{.threads = 2}}) {
    auto kernels = make_sweep_kernels(wishes);
    for (const bool first : {false, true}) {
      for (const bool second : {false, true}) {
        const SweepBody body = listing({first, second});
        compare(*kernels, body, random_call(random, body, {30, 70}, 37), tally);
        compare(*kernels, body, random_call(random, body, {3, 2}, 100), tally);
      }
    }
    const SweepBody body = listing({true, false, true});
    compare(*kernels, body, random_call(random, body, {20, 9, 30}, 20), tally);
  }
  CHECK(tally.not_possible == 0);
}

TEST_CASE("the statements of the listing may come in any order") {
  std::mt19937_64 random(9);
  Tally tally;
  auto kernels = make_sweep_kernels();
  for (const std::size_t axes : {2, 3}) {
    for (int index = 0; index < 16; ++index) {
      std::vector<std::size_t> receives(axes), sends(axes);
      std::iota(receives.begin(), receives.end(), 0);
      std::iota(sends.begin(), sends.end(), 0);
      std::shuffle(receives.begin(), receives.end(), random);
      std::shuffle(sends.begin(), sends.end(), random);
      std::vector<bool> rendezvous(axes);
      for (std::size_t axis = 0; axis < axes; ++axis) rendezvous[axis] = random() % 4 != 0;
      const SweepBody body = listing(rendezvous, receives, sends);
      const auto tiles = static_cast<std::int64_t>(1 + random() % 20);
      compare(*kernels, body, random_call(random, body, random_extents(random, axes), tiles), tally);
      if (axes == 2) compare(*kernels, body, random_call(random, body, {50, 20}, tiles), tally);
    }
  }
  CHECK(tally.deadlocks == 0);
  CHECK(tally.not_possible == 0);
}

TEST_CASE("random bodies give the bits of the definition") { compare_random(1, 40, {}); }

TEST_CASE("random bodies give the bits of the definition in other shapes of the code") {
  compare_random(2, 12, {.lanes = 4, .rows = 1});
  compare_random(3, 12, {.lanes = 16, .rows = 2});
  compare_random(4, 12, {.lanes = 8, .rows = 5});
  compare_random(5, 12, {.lanes = 2, .rows = 3});
}

TEST_CASE("random bodies give the bits of the definition with narrow vectors") {
  compare_random(6, 12, {.widest = 4});
  compare_random(7, 12, {.widest = 2});
}

TEST_CASE("random bodies give the bits of the definition on several threads") {
  compare_random(8, 30, {.threads = 3});
  compare_random(9, 10, {.lanes = 2, .rows = 2, .threads = 2});
}

TEST_CASE("several threads may have sweeps compiled and run at the same time") {
  std::mt19937_64 random(10);
  std::vector<SweepBody> bodies;
  std::vector<OwnedCall> calls;
  for (int index = 0; index < 12; ++index) {
    bodies.push_back(index % 3 == 2 ? bodies[bodies.size() - 2] : random_body(random, 2));
    calls.push_back(random_call(random, bodies.back(), {20, 30}, 20));
  }
  auto kernels = make_sweep_kernels({.threads = 2});
  std::atomic<int> done{0}, different{0};
  backend::work_on_threads(4, [&](int number, int threads) {
    for (auto index = static_cast<std::size_t>(number); index < bodies.size();
         index += static_cast<std::size_t>(threads)) {
      OwnedCall direct = copy_of(calls[index]), compiled = copy_of(calls[index]);
      const bool through = run_directly(bodies[index], direct.call);
      if (kernels->run(bodies[index], compiled.call) != SweepKernels::Outcome::done) continue;
      ++done;
      if (!through || !same_bits(direct, compiled)) ++different;
    }
  });
  CHECK(done > 6);
  CHECK(different == 0);
}

// Many more bodies, to be run by hand: test_sweep "[campaign]".
TEST_CASE("many random bodies give the bits of the definition", "[.campaign]") {
  std::random_device device;
  const Wishes all[] = {{}, {.widest = 4}, {.widest = 2}, {.lanes = 4, .rows = 3}, {.threads = 2}, {.lanes = 16}};
  for (int round = 0; round < 60; ++round) compare_random(device(), 10, all[round % 6]);
}

TEST_CASE("a sweep that is told to stop says so") {
  const SweepBody body = listing({false, false});
  std::mt19937_64 random(8);
  OwnedCall call = random_call(random, body, {400, 400}, 400);
  int questions = 0;
  call.call.go_on = [&] { return ++questions < 3; };
  CHECK(make_sweep_kernels()->run(body, call.call) == SweepKernels::Outcome::stopped);
  CHECK(questions == 3);
  questions = 0;
  CHECK(make_sweep_kernels({.threads = 3})->run(body, call.call) == SweepKernels::Outcome::stopped);
}
