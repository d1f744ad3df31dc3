// Runs a function on a stack so large that bounded recursion cannot overflow it: one that the thread keeps, or that of
// another thread.
#pragma once

#include <cstddef>
#include <functional>

namespace wave {

// A generous estimate of the stack that one nested node takes (with a sanitizer).
inline constexpr std::size_t stack_bytes_per_level = 4096;

// Returns when `work` has; an exception passes through. `work` gets the size of the stack that it runs on. `at_least`:
// bytes that it has to have, up to 1 GiB; std::bad_alloc where there are none. Without, it may be smaller where memory
// is short.
void run_on_big_stack(const std::function<void(std::size_t stack_bytes)>& work, std::size_t at_least = 0);

}  // namespace wave
