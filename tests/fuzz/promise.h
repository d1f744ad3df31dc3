// What the targets have in common. Each defines libFuzzer's function, which gets any bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace wave::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return std::string(reinterpret_cast<const char*>(data), size);
}

// If a promise is broken, its words are shown, and libFuzzer keeps the input.
inline void promise(bool is_kept, const std::string& words) {
  if (is_kept) return;
  std::fprintf(stderr, "a promise is broken: %s\n", words.c_str());
  std::abort();
}

}  // namespace wave::fuzz
