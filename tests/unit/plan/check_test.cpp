// The checks of programs and operations pass what the compiler makes, and find every kind of damage.
#include "backend/processes/bulk/check.h"

#include "backend/processes/program/check.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/random_process.h"
#include "tests/unit/sweep/random_bodies.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace wave;
using namespace wave::backend::processes;

namespace {

using Kind = SweepBody::Operation::Kind;

// Each makes a body wrong; false: it has nothing of that kind.
const std::vector<std::pair<const char*, std::function<bool(SweepBody&)>>> damages{
    {"a register that is not there",
     [](SweepBody& body) {
       body.operations.front().target = body.registers;
       return body.operations.front().kind != Kind::emit;
     }},
    {"a register that nobody has written",
     [](SweepBody& body) {
       const std::uint32_t fresh = body.registers++;
       body.operations.push_back({Kind::join, 0, fresh, 0, {}, {}});
       return true;
     }},
    {"a weight that is not there",
     [](SweepBody& body) {
       body.operations.back().weights.push_back(body.weights);
       return true;
     }},
    {"a signal that is sent twice",
     [](SweepBody& body) {
       for (const auto& one : body.operations) {
         if (one.kind != Kind::emit) continue;
         body.operations.push_back(SweepBody::Operation(one));
         return true;
       }
       return false;
     }},
    {"a signal that is never sent",
     [](SweepBody& body) {
       for (auto& one : body.operations) {
         if (one.kind == Kind::await) return one.signal = body.signals++, true;
       }
       return false;
     }},
    {"a signal that is not there",
     [](SweepBody& body) {
       for (auto& one : body.operations) {
         if (one.kind == Kind::emit) return one.signal = body.signals, true;
       }
       return false;
     }},
    {"a peer on a grid of more axes",
     [](SweepBody& body) {
       for (auto& one : body.operations) {
         if (!one.peer.empty()) return one.peer.push_back(0), true;
       }
       return false;
     }},
    {"more registers carried than there are",
     [](SweepBody& body) {
       body.carried = body.registers + 1;
       return true;
     }},
};

}  // namespace

TEST_CASE("bodies of sweeps are whole, and each kind of damage is found") {
  std::mt19937_64 random(test::number_from("WAVE_RANDOM_SEED", 1));
  std::vector<int> found(damages.size(), 0);
  for (int round = 0; round < 300; ++round) {
    const SweepBody body = sweep_tests::random_body(random, 1 + random() % 3);
    INFO("round " << round);
    REQUIRE(find_breach(body).empty());
    for (std::size_t i = 0; i < damages.size(); ++i) {
      SweepBody damaged = body;
      if (!damages[i].second(damaged)) continue;
      INFO(damages[i].first);
      REQUIRE_FALSE(find_breach(damaged).empty());
      ++found[i];
    }
  }
  for (std::size_t i = 0; i < damages.size(); ++i) {
    INFO(damages[i].first);
    CHECK(found[i] > 0);
  }
}

TEST_CASE("programs of random processes are whole, and each kind of damage is found") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1);
  int jumps = 0, operands = 0, slots = 0;
  for (std::uint64_t seed = first; seed < first + 200; ++seed) {
    INFO("seed " << seed);
    const test::RandomProcess random = test::random_process(seed);
    const ir::Process& process = random.system[random.process];
    const ir::FreeBinders binders(random.system);
    const program::Bytecode whole(random.system, process, binders, process.blocks[process.body.index]);
    REQUIRE(program::find_breach(whole).empty());
    {
      program::Bytecode damaged = whole;
      damaged.code.pop_back();
      REQUIRE_FALSE(program::find_breach(damaged).empty());
    }
    const auto beyond = static_cast<program::Counter>(whole.code.size());
    for (std::size_t at = 0; at < whole.code.size(); ++at) {
      program::Bytecode damaged = whole;
      if (auto* const n = std::get_if<program::NextTile>(&damaged.code[at])) {
        n->again = beyond;
        ++jumps;
      } else if (auto* const n = std::get_if<program::EnterLoop>(&damaged.code[at])) {
        n->slot = whole.slots;
        ++slots;
      } else if (auto* const n = std::get_if<program::Compute>(&damaged.code[at])) {
        n->time = static_cast<program::OperandId>(whole.operands.size());
        ++operands;
      } else {
        continue;
      }
      REQUIRE_FALSE(program::find_breach(damaged).empty());
    }
  }
  CHECK(jumps > 0);
  CHECK(operands > 0);
  CHECK(slots > 0);
}
