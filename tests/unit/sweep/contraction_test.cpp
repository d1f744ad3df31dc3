// What contraction leaves of known bodies, and the order that it finds for them.
#include "backend/jit/sweep/plan.h"
#include "tests/unit/sweep/random_bodies.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::sweep_tests;
using jit::sweep::Offset;
using jit::sweep::Plan;
using jit::sweep::SweepEvent;
using jit::sweep::Variation;

namespace {

Plan plan_of(SweepBody body) {
  body.axes = 3;
  for (auto& operation : body.operations) {
    if (!operation.peer.empty()) operation.peer.insert(operation.peer.begin(), 0);
  }
  Variation variation{.weights = std::vector(body.weights, Variation::Kind::uniform), .kept = {true}};
  auto plan = jit::sweep::make_plan(body, variation, std::vector<double>(body.weights, 3));
  REQUIRE(plan);
  return std::move(*plan);
}

std::size_t maxima(const Plan& plan) {
  std::size_t count = 0;
  for (const SweepEvent& event : plan.events.events) count += event.kind == SweepEvent::Kind::largest ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("one event per block is left of an eager sweep") {
  const Plan plan = plan_of(listing({false, false}));
  CHECK(maxima(plan) == 1);
  CHECK(plan.events.events.size() == 2);
  CHECK(plan.schedule.skew == Offset{0, 0, 1});
}

TEST_CASE("a rendezvous along both axes has one order for all tiles in lanes") {
  const Plan plan = plan_of(listing({true, true}));
  CHECK(maxima(plan) == 3);  // both meetings, and the end of the block
  CHECK(plan.schedule.skew[1] == 1);
}
