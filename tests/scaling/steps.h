// The steps of this program so far: how often code that was compiled with `-fsanitize-coverage=trace-pc` branched.
#pragma once

#include <cstdint>

namespace wave::test {

std::uint64_t steps();

}  // namespace wave::test
