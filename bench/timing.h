// Medians of runs that take turns.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wave::bench {

// CPU time of this process, so that other work on the machine does not count, or wall time.
enum class Clock { cpu, wall };
double now(Clock clock);

struct Timed {
  std::function<void()> work;
  std::function<void()> before = {};  // every run of it, not timed
};

// Seconds of one run of each: the medians of several, after two that warm up. They take turns, so that what slows the
// machine for a while slows all of them; what takes less than 3 ms runs several times in a row in its turn. About
// `budget` seconds in all, at least 3 and at most 31 rounds.
std::vector<double> median_seconds(Clock clock, double budget, const std::vector<Timed>& works);

// "Intel(R) Xeon(R) Processor (family 6 model 207), 2 cores, g++ 12.2.0, 2026-11-20"
std::string machine();

}  // namespace wave::bench
