// The numbers that decide how strips are ordered, and how threads wait for each other.
#pragma once

namespace wave::jit::strips {

// Looks at how far another thread has come, before the processor is given to others.
inline constexpr int turns_before_yielding = 200;

}  // namespace wave::jit::strips
