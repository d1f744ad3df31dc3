// Compares the interpreter and the JIT on random systems.
#include "tests/parity/random.h"

#include "backend/kernels/choice.h"
#include "tests/parity/compare.h"
#include "tests/random/random_system.h"

#include <fmt/format.h>

#include <memory>
#include <random>

namespace wave::parity {

namespace {

// This is far more than a small system needs: random recursions may take exponential time.
constexpr std::chrono::milliseconds patience(500);

backend::Limits limits() {
  backend::Limits result;
  result.deadline = std::chrono::steady_clock::now() + patience;
  return result;
}

}  // namespace

Campaign compare_random_systems(std::uint64_t first, std::uint64_t count) {
  enum class Way { all, windows, by_lot };
  Campaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    const ir::System random = test::random_system(seed), system = seed % 2 == 0 ? random : in_functions(random);
    const auto interpreter = engine(backend::EngineKind::interpreter, system);
    const auto jit = engine(backend::EngineKind::jit, system);
    ++campaign.systems;
    for (const Way way : {Way::all, Way::windows, Way::by_lot}) {
      backend::force_jit_windows(way == Way::windows);
      const auto lots = std::make_shared<std::mt19937_64>(seed);
      backend::kernels::decide_by([=] { return way != Way::by_lot || (*lots)() % 2 == 0; });
      for (const bool bound : {false, true}) {
        const auto bindings = bound ? test::random_bindings(system, seed) : std::vector<backend::Binding>{};
        const Comparison comparison = compare(system, *interpreter, *jit, bindings, limits());
        campaign.roots += comparison.roots;
        campaign.failures += comparison.failures;
        campaign.limited += comparison.limited;
        if (comparison.difference.empty() || !campaign.difference.empty()) continue;
        const char* const name = way == Way::all ? "" : way == Way::windows ? ", windows" : ", by lot";
        campaign.difference = fmt::format("seed {}{}{}: {}", seed, bound ? ", bound" : "", name, comparison.difference);
      }
    }
    backend::force_jit_windows(false);
    backend::kernels::decide_by([] { return true; });
  }
  return campaign;
}

}  // namespace wave::parity
