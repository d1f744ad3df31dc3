// Tells why processes wait for each other. This value goes with FailureKind::deadlock, so that the message can say how
// to mend it.
#pragma once

#include <cstdint>

namespace wave::ir {

// Some of them at a send that waits for its receiver; else some at a receive; else all at a `wait` or a collective.
inline constexpr std::int64_t deadlock_at_send = 0, deadlock_at_receive = 1, deadlock_at_wait = 2;

}  // namespace wave::ir
