// See hypercube.h.
#include "analysis/uncertainty/hypercube.h"

#include "analysis/uncertainty/normal.h"
#include "analysis/uncertainty/philox.h"

#include <numeric>
#include <utility>

namespace wave::analysis {

namespace {

// What the numbers of an input's streams are for.
enum Purpose : std::uint32_t { place_in_part = 0, order_of_parts = 1, again = 2 };

}  // namespace

std::vector<double> draw_normals(std::uint64_t seed, std::string_view input, std::size_t samples) {
  const RandomStream places(seed, input, place_in_part), order(seed, input, order_of_parts);
  std::vector<std::size_t> parts(samples);
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  for (std::size_t i = samples; i > 1; --i) std::swap(parts[i - 1], parts[order.below(i, i)]);  // Fisher and Yates
  std::vector<double> draws(samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const double p = (static_cast<double>(parts[i]) + places.uniform(i)) / static_cast<double>(samples);
    draws[i] = normal_quantile(p < 1 ? p : 1 - 0x1p-53);
  }
  return draws;
}

double draw_again(std::uint64_t seed, std::string_view input, std::size_t row, std::uint32_t attempt) {
  const RandomStream stream(seed, input, again + attempt - 1);
  return normal_quantile(stream.uniform(row));
}

}  // namespace wave::analysis
