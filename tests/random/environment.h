// What a user asks of random tests with the environment variables WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace wave::test {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace wave::test
