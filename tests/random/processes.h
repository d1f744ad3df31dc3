// Random programs with a process, as text that a user could have written. Most run to their end, and some fail on
// purpose.
#pragma once

#include <cstdint>
#include <string>

namespace wave::test {

// Whether protocols ask for resources, and for the processor when signals arrive.
enum class Resources : std::uint8_t { none, some, always };  // `some`: in a third of the programs

// A model `M` with a process `p`, and an output for everything that can be asked about it.
std::string random_process_program(std::uint64_t seed, Resources resources = Resources::some);

}  // namespace wave::test
