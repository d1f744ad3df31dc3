// `fit_campaign [WORD]`: every number of every file of measurements (whose name has the word), times each factor and
// taken out; says where the fit is not what it has to be.
#include "tests/unit/machine_fit/damage.h"

#include <fmt/format.h>

#include <cstdio>

int main(int count, char** arguments) {
  using namespace wave::tests;
  int wrong = 0;
  for (const auto& measured : measured_files()) {
    if (count > 1 && measured.name.find(arguments[1]) == std::string::npos) continue;
    const Fitted clean = fitted(measured);
    const std::vector<Case> cases = cases_of(measured);
    for (const auto& one : cases) {
      const std::string text = what_is_wrong(measured, clean, one);
      if (text.empty()) continue;
      fmt::print("{}: {}\n", text_of(measured, one), text);
      std::fflush(stdout);
      ++wrong;
    }
    fmt::print("{}: {} cases\n", measured.name, cases.size());
    std::fflush(stdout);
  }
  return wrong == 0 ? 0 : 1;
}
