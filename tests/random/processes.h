// Random programs with a process, as text: what a user could have written. Most run through; some fail on purpose.
#pragma once

#include <cstdint>
#include <string>

namespace wave::test {

// Whether protocols ask for resources, and for the processor when signals arrive.
enum class Resources : std::uint8_t { none, some, always };  // `some`: those of a third of the programs

// One model `M` with a process `p`, and outputs for all that can be asked of it.
std::string random_process_program(std::uint64_t seed, Resources resources = Resources::some);

}  // namespace wave::test
