// Random systems through both engines.
#pragma once

#include <cstdint>
#include <string>

namespace wave::parity {

struct Campaign {
  std::string difference;  // of the first system that differs, with its seed; empty: none does
  std::size_t systems = 0, roots = 0, failures = 0, interpreted = 0, limited = 0;
};

// Systems of `count` seeds from `first` on, each under its defaults and under random bindings, with all cells stored
// and with windows as small as they can be.
Campaign compare_random_systems(std::uint64_t first, std::uint64_t count);

}  // namespace wave::parity
