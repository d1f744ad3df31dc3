// `fit_campaign [WORD [PART/PARTS]]`: every number of every file of measurements (whose name has the word), times each
// factor and taken out; says where the fit is not what it has to be. One part of the cases is every PARTS-th of them.
#include "tests/unit/machine_fit/damage.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int count, char** arguments) {
  using namespace wave::tests;
  const std::string_view asked = count > 2 ? arguments[2] : "1/1";
  const std::size_t slash = asked.find('/');
  const std::size_t part = std::strtoul(asked.data(), nullptr, 10);
  const std::size_t parts = slash == asked.npos ? 0 : std::strtoul(asked.data() + slash + 1, nullptr, 10);
  if (part < 1 || part > parts) {
    fmt::print(stderr, "usage: fit_campaign [WORD [PART/PARTS]]\n");
    return 2;
  }
  int wrong = 0;
  for (const auto& measured : measured_files()) {
    if (count > 1 && measured.name.find(arguments[1]) == std::string::npos) continue;
    const Fitted clean = fitted(measured);
    const std::vector<Case> cases = cases_of(measured);
    std::size_t tried = 0;
    for (std::size_t i = part - 1; i < cases.size(); i += parts) {
      const Case& one = cases[i];
      if (tried++ % 100 == 0) fmt::print(stderr, "{}: {} of {}\n", measured.name, i, cases.size());
      const std::string text = what_is_wrong(measured, clean, one);
      if (text.empty()) continue;
      fmt::print("{}: {}\n", text_of(measured, one), text);
      std::fflush(stdout);
      ++wrong;
    }
    fmt::print("{}: {} cases\n", measured.name, tried);
    std::fflush(stdout);
  }
  return wrong == 0 ? 0 : 1;
}
