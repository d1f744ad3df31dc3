// See philox.h.
#include "analysis/uncertainty/philox.h"

namespace wave::analysis {

namespace {

constexpr std::uint32_t multipliers[] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t increments[] = {0x9E3779B9, 0xBB67AE85};
constexpr int rounds = 10;

// FNV-1a, of names that are short.
std::uint32_t number_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::uint64_t{multipliers[0]} * counter[0];
    const std::uint64_t second = std::uint64_t{multipliers[1]} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key = {key[0] + increments[0], key[1] + increments[1]};
  }
  return counter;
}

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

double RandomStream::uniform(std::uint64_t k) const {
  constexpr double part = 1.0 / 9007199254740992.0;  // 2^-53
  const double whole = static_cast<double>(bits(k) >> 11);
  // The last part's middle would round to 1.
  return whole == 9007199254740991.0 ? 1 - part : (whole + 0.5) * part;
}

std::uint64_t RandomStream::below(std::uint64_t k, std::uint64_t count) const {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(k)) * count) >> 64);
}

}  // namespace wave::analysis
