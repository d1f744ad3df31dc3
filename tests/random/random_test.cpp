// Random systems: the verifier accepts them, the interpreter answers the same way twice, and most of them have answers.
// WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose other systems.
#include "ir/arithmetic.h"
#include "ir/passes.h"
#include "ir/printer.h"
#include "ir/verify.h"
#include "tests/random/environment.h"
#include "tests/random/random_system.h"

#include <catch2/catch.hpp>

using namespace wave;

namespace {

bool same(const backend::Outcome& a, const backend::Outcome& b) {
  if (a.index() != b.index()) return false;
  if (const auto* failure = std::get_if<ir::Failure>(&a)) {
    const auto& other = std::get<ir::Failure>(b);
    return failure->kind == other.kind && failure->site == other.site && failure->indices == other.indices;
  }
  const auto& left = std::get<backend::Rows>(a).cells;
  const auto& right = std::get<backend::Rows>(b).cells;
  return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), ir::arithmetic::same_bits);
}

std::vector<backend::Outcome> answers(const ir::System& system, const std::vector<backend::Binding>& bindings) {
  const auto engine = backend::make_interpreter(system);
  const auto evaluation = engine->start(bindings, {});
  std::vector<backend::Outcome> result;
  for (std::uint32_t i = 0; i < system.roots.size(); ++i) result.push_back(evaluation->evaluate(ir::RootId{i}));
  return result;
}

// Whether two outcomes are the same although their quanta may differ. Failures are not compared, because the end of
// lowering decides what is hoisted, and so which failure comes first.
bool alike(const backend::Outcome& a, const backend::Outcome& b) {
  const auto* const left = std::get_if<backend::Rows>(&a);
  const auto* const right = std::get_if<backend::Rows>(&b);
  if (!left || !right) return !left && !right;
  const auto is_near = [](ir::Scalar x, ir::Scalar y) {
    if (x.type != ir::ScalarType::real || ir::arithmetic::same_bits(x, y)) return ir::arithmetic::same_bits(x, y);
    return x.real == Approx(y.real).epsilon(1e-9).margin(1e-9);
  };
  return left->cells.size() == right->cells.size() &&
         std::equal(left->cells.begin(), left->cells.end(), right->cells.begin(), is_near);
}

}  // namespace

TEST_CASE("random systems are well formed and mostly have answers") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(150);
  std::size_t asked = 0, answered = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const ir::System system = test::random_system(seed);
    const auto complaints = ir::verify(system);
    if (!complaints.empty()) FAIL(complaints.front());
    REQUIRE(!ir::print(system).empty());
    REQUIRE(ir::print_schedule(system).empty() == system.events.empty());
    for (const auto& outcome : answers(system, test::random_bindings(system, seed))) {
      ++asked;
      answered += std::holds_alternative<backend::Rows>(outcome);
    }
  }
  WARN(answered << " of " << asked << " roots have an answer");
  CHECK(answered * 2 > asked);
}

TEST_CASE("every pass keeps values and failures to the last bit") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(150);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    ir::System system = test::random_system(seed);
    const auto bindings = test::random_bindings(system, seed);
    const auto expected = answers(system, bindings);
    for (const ir::Pass& pass : ir::pipeline()) {
      system = pass.run(system);
      INFO("seed " << seed << ", pass " << pass.name);
      const auto complaints = ir::verify(system);
      if (!complaints.empty()) FAIL(complaints.front());
      const auto found = answers(system, bindings);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        INFO("root " << system.roots[i].name);
        REQUIRE(same(found[i], expected[i]));
      }
    }
  }
}

TEST_CASE("what lowering ends with keeps values, but for the rounding of costs") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(150);
  std::size_t changed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const ir::System system = test::random_system(seed), lowered = ir::end_lowering(system);
    const auto complaints = ir::verify(lowered);
    if (!complaints.empty()) FAIL(complaints.front());
    changed +=
        lowered.parameters.size() != system.parameters.size() || lowered.events.size() != system.events.size() ? 1 : 0;
    const auto bindings = test::random_bindings(system, seed);
    const auto expected = answers(system, bindings), found = answers(lowered, bindings);
    for (std::size_t i = 0; i < found.size(); ++i) {
      INFO("root " << system.roots[i].name);
      REQUIRE(alike(found[i], expected[i]));
    }
  }
  CHECK(changed * 4 > count);
}
