// Random systems through the interpreter and the JIT, as many as you like: parity_campaign [COUNT [FIRST-SEED]].
#include "tests/parity/random.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

int main(int count, char** arguments) {
  setenv("WAVE_JIT_PLUGIN", WAVE_JIT_MODULE, 0);
  const std::uint64_t systems = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
  const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : std::random_device()();
  fmt::print("{} systems from seed {}\n", systems, first);
  constexpr std::uint64_t batch = 100;
  for (std::uint64_t done = 0; done < systems; done += batch) {
    const auto campaign = wave::parity::compare_random_systems(first + done, std::min(batch, systems - done));
    fmt::print("{} systems: {} roots, {} failed alike, {} beyond a limit\n", done + campaign.systems, campaign.roots,
               campaign.failures, campaign.limited);
    std::fflush(stdout);
    if (campaign.difference.empty()) continue;
    fmt::print("{}\n", campaign.difference);
    return 1;
  }
  return 0;
}
