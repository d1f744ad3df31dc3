// `fit_coverage [DRAWS [WORD [SEED]]]`: how often 95 % intervals hold the true value, for every number of a fit; of the
// machines whose name has the word.
#include "tests/unit/machine_fit/coverage.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int count, char** arguments) {
  using namespace wave::tests;
  const int draws = count > 1 ? std::atoi(arguments[1]) : 1000;
  const std::string_view word = count > 2 ? arguments[2] : "";
  const std::uint64_t seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
  const struct {
    const char* name;
    CoverageOf (*of)(std::uint64_t, int, double);
  } all[] = {{"one pair", coverage_of_one_pair},
             {"small overheads", coverage_of_small_overheads},
             {"pairs", coverage_of_pairs}};
  for (const double noise : {0.005, 0.02, 0.05}) {
    for (const auto& one : all) {
      if (std::string_view(one.name).find(word) == std::string_view::npos) continue;
      const CoverageOf found = one.of(seed, draws, noise);
      fmt::print("{}, noise {:.1f} %: {} draws, other classes in {}\n", one.name, 100 * noise, found.draws,
                 found.other_classes);
      for (const auto& [name, coverage] : found.numbers)
        fmt::print("  {:<6} {:.1f} % of {}\n", name, 100 * coverage.share(), coverage.stated);
      std::fflush(stdout);
    }
  }
  return 0;
}
