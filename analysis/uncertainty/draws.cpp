// See draws.h.
#include "analysis/uncertainty/draws.h"

#include "base/random.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace wave::analysis {

namespace {

// FNV-1a. Names are short.
std::uint32_t number_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint32_t purpose)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      name_(number_of(name)),
      purpose_(purpose) {}

std::uint64_t RandomStream::bits(std::uint64_t k) const {
  const std::uint64_t block = k / 2;
  const auto words =
      philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), name_, purpose_}, key_);
  return k % 2 == 0 ? words[0] | std::uint64_t{words[1]} << 32 : words[2] | std::uint64_t{words[3]} << 32;
}

double RandomStream::uniform(std::uint64_t k) const { return uniform_of(bits(k)); }

std::uint64_t RandomStream::below(std::uint64_t k, std::uint64_t count) const {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(k)) * count) >> 64);
}

namespace {

// What the streams of an input are used for.
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
