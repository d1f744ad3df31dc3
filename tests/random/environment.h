// What a user asks of random tests with the environment variables WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace wave::test {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// A tenth in slow builds (WAVE_FEW_ROUNDS), where more would repeat the same code for minutes and find nothing else.
constexpr std::uint64_t fewer(std::uint64_t usual) {
#ifdef WAVE_FEW_ROUNDS
  return (usual + 9) / 10;
#else
  return usual;
#endif
}

// The distance between those of `count` things that a test takes: 1, but more in slow builds.
constexpr std::uint64_t step_over(std::uint64_t count) { return count == 0 ? 1 : count / fewer(count); }

// How often a random test draws: WAVE_RANDOM_COUNT, or as usual, but fewer in slow builds.
inline std::uint64_t rounds_of(std::uint64_t usual) { return number_from("WAVE_RANDOM_COUNT", fewer(usual)); }

}  // namespace wave::test
