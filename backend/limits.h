// Bounds that every engine keeps, so that no input overflows a stack and all engines stop at the same place. Also the
// failures for the user's limits.
#pragma once

#include "backend/engine.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace wave::backend {

// Activations of frames inside each other (recursion of functions); one more is recursion_too_deep.
inline constexpr std::size_t max_activations = 1000;

// "10^10", "16 777 216", "3.2 * 10^12".
std::string count_text(double count);
// "8 GiB", "80 GB": a binary unit where it is a round one.
std::string bytes_text(double bytes);
// "3 hours", "20 s".
std::string duration_text(double seconds);

// The failure of an event that would need `bytes` for `cells` cells.
ir::Failure memory_exceeded(const ir::System& system, ir::EventId event, double cells, double bytes,
                            const Limits& limits);
// The failure of an event whose `cells` cells would take about `seconds`.
ir::Failure time_exceeded(const ir::System& system, ir::EventId event, double cells, double seconds,
                          const Limits& limits);
// The deadline has passed.
ir::Failure deadline_passed(const Limits& limits);
// The failure for an event whose memory the limit would allow, but the system refuses.
ir::Failure memory_refused(const ir::System& system, ir::EventId event);
// Result rows outgrew the memory limit.
ir::Failure rows_exceed_memory(const Limits& limits);

// Sets a deadline this many seconds after `from`, and removes it if they are more than `longest_seconds`.
void set_time_limit(Limits& limits, double seconds,
                    std::chrono::steady_clock::time_point from = std::chrono::steady_clock::now());

// When half of the time that is left will be over: what is made to save time has to be ready then.
std::optional<std::chrono::steady_clock::time_point> half_time(const Limits& limits);

// Nobody wants the result any more.
bool is_stopped(const Limits& limits);
// The deadline has passed, or nobody wants the result any more.
bool is_over(const Limits& limits);

// Seconds until the deadline; infinite without one, negative once it is over.
double seconds_left(const Limits& limits);

}  // namespace wave::backend
