// Random programs with a process, as text: what a user could have written. Most run through; some fail on purpose.
#pragma once

#include <cstdint>
#include <string>

namespace wave::test {

// One model `M` with a process `p`, and outputs for all that can be asked of it.
std::string random_process_program(std::uint64_t seed);

}  // namespace wave::test
