// Random texts of values: what only fails, empty lists, branches in each other and lists of lists, wherever a value may
// stand. What they come to is the same as without, or an error.
#pragma once

#include "tests/random/choices.h"
#include "tests/random/processes.h"

#include <cstdint>
#include <string>

namespace wave::test {

// The same value in other words: in a branch beside others that fail, or as an element of a list beside empty ones.
// What decides is known at run time alone; `k` and `n0` are parameters with values from 1 to 8.
std::string disguised(Choices& choose, const std::string& value);

// A model `M` of nothing but parameters, `let`s and outputs of all types. In some programs the branches that fail are
// taken, too.
WrittenProcess random_values(std::uint64_t seed);

}  // namespace wave::test
