// See clauses.h.
#include "analysis/study/clauses.h"

#include "base/numbers.h"
#include "frontend/source/diagnostics.h"

#include <fmt/format.h>

namespace wave::analysis {

std::string StudyClauses::set(const std::string& option, const std::string& value) {
  for (const auto& one : lists_of_clauses) {
    if (option != one.option) continue;
    (this->*one.texts).push_back(value);
    return {};
  }
  if (option == "study") {
    study = value;
  } else if (option == "samples") {
    const auto samples = parse_number<std::size_t>(value);
    if (!samples || *samples < 2 || *samples > most_drawn)
      return fmt::format("`samples` is `{}`: 2 to {} may be", value, most_drawn);
    sampling.samples = *samples;
  } else if (option == "seed") {
    const auto seed = parse_number<std::uint64_t>(value);
    if (!seed) return fmt::format("`seed` is `{}`, which is no whole number", value);
    sampling.seed = *seed;
  } else {
    return fmt::format("there is no option `{}`", option);
  }
  return {};
}

std::vector<std::string> StudyClauses::options() {
  std::vector<std::string> names;
  for (const auto& one : lists_of_clauses) names.emplace_back(one.option);
  names.insert(names.end(), {"study", "samples", "seed"});
  return names;
}

}  // namespace wave::analysis
