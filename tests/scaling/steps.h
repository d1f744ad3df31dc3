// The steps of this program: branches of code that was compiled with `-fsanitize-coverage=trace-pc`.
#pragma once

#include <cstdint>

namespace wave::test {

// How many there were so far, on all threads. The places where they were are told to libFuzzer, if it is linked in:
// with GCC it has no other way to see that an input reaches something new.
std::uint64_t steps();

}  // namespace wave::test
