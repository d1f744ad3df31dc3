// Where compiled code finds what it shares with the host (backend/jit/runtime.h), in bytes.
#pragma once

#include <cstdint>

namespace wave::jit {

struct ContextLayout {
  static constexpr std::uint32_t fuel = 0;   // i64: steps until the clock is looked at
  static constexpr std::uint32_t depth = 8;  // i64: activations of frames
};

}  // namespace wave::jit
