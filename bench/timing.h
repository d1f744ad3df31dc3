// Medians of repeated runs, and rows of a table.
#pragma once

#include <functional>
#include <string>

namespace wave::bench {

// Seconds of one run: the median of `runs` runs, after one that warms up. CPU time of this process, so that other
// work on the machine does not count, or wall time.
enum class Clock { cpu, wall };
double median_seconds(Clock clock, int runs, const std::function<void()>& work);

// "Intel(R) Xeon(R) Processor, 2 cores"
std::string machine();

}  // namespace wave::bench
