// Compares the interpreter and the JIT on random systems.
#pragma once

#include <cstdint>
#include <string>

namespace wave::parity {

struct Campaign {
  std::string difference;  // of the first system that differs, with its seed; empty if none does
  std::size_t systems = 0, roots = 0, failures = 0, limited = 0;
};

// Compares systems for `count` seeds from `first` on, each under its defaults and under random bindings: with all
// kernels and all cells stored, with the smallest possible windows, and with kernels by lot, from the system's seed.
Campaign compare_random_systems(std::uint64_t first, std::uint64_t count);

}  // namespace wave::parity
