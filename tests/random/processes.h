// Random programs with a process, as text that a user could have written. Most run to their end, and some fail on
// purpose.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace wave::test {

// Whether protocols ask for resources, and for the processor when signals arrive.
enum class Resources : std::uint8_t { none, some, always };  // `some`: in a third of the programs

// What people write, as far as it occurs in a program: "three axes", "window", "pending over tiles".
using Features = std::set<std::string>;

struct WrittenProcess {
  std::string text;  // a model `M` with a process `p`, and an output for everything that can be asked about it
  Features features;
};

// `repeated`: all of it as often as the parameter `times` says, for programs that take long.
WrittenProcess random_process(std::uint64_t seed, Resources resources = Resources::some, bool repeated = false);

}  // namespace wave::test
