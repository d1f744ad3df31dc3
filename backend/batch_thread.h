// Threads that evaluate rows of a batch beside others leave no room for more threads inside a row.
#pragma once

namespace wave::backend {

inline thread_local bool is_one_of_several_batch_threads = false;

// How many threads an evaluation may use where it would like `wanted`.
inline int threads_within_row(int wanted) { return is_one_of_several_batch_threads ? 1 : wanted; }

}  // namespace wave::backend
