// Compares both engines on random systems.
#include "tests/parity/random.h"

#include "tests/parity/compare.h"
#include "tests/random/random_system.h"

#include <fmt/format.h>

namespace wave::parity {

namespace {

// This is far more than a small system needs: random recursions may take exponential time in both engines.
constexpr std::chrono::milliseconds patience(500);

backend::Limits limits() {
  backend::Limits result;
  result.deadline = std::chrono::steady_clock::now() + patience;
  return result;
}

}  // namespace

Campaign compare_random_systems(std::uint64_t first, std::uint64_t count) {
  Campaign campaign;
  for (std::uint64_t seed = first; seed < first + count && campaign.difference.empty(); ++seed) {
    const ir::System system = test::random_system(seed);
    const auto interpreter = engine(backend::EngineKind::interpreter, system);
    backend::force_jit_code(seed % 2 == 0);
    const auto jit = engine(backend::EngineKind::jit, system);
    backend::force_jit_code(true);
    ++campaign.systems;
    for (const bool windows : {false, true}) {
      backend::force_jit_windows(windows);
      for (const bool bound : {false, true}) {
        const auto bindings = bound ? test::random_bindings(system, seed) : std::vector<backend::Binding>{};
        const Comparison comparison = compare(system, *interpreter, *jit, bindings, limits());
        campaign.roots += comparison.roots;
        campaign.failures += comparison.failures;
        campaign.interpreted += comparison.interpreted;
        campaign.limited += comparison.limited;
        if (comparison.difference.empty() || !campaign.difference.empty()) continue;
        campaign.difference = fmt::format("seed {}{}{}: {}", seed, bound ? ", bound" : "", windows ? ", windows" : "",
                                          comparison.difference);
      }
    }
    backend::force_jit_windows(false);
  }
  return campaign;
}

}  // namespace wave::parity
