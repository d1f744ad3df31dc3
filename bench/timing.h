// Medians of runs that alternate.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wave::bench {

// The CPU time of this process does not count other work on the machine; wall time does.
enum class Clock { cpu, wall };
double now(Clock clock);

struct Timed {
  std::function<void()> work;
  std::function<void()> before = {};  // called before each run of `work`, and not timed
};

// The seconds of one run of each: medians of several runs, after up to eight that warm up. The runs alternate, so that
// anything that slows the machine for a while slows all of them. Work of less than 3 ms runs several times in a row.
// There are 3 to 31 rounds, which take about `budget` seconds in all.
std::vector<double> median_seconds(Clock clock, double budget, const std::vector<Timed>& works);

// "Intel(R) Xeon(R) Processor (family 6 model 207), 2 cores, g++ 12.2.0, 2026-11-20"
std::string machine();

}  // namespace wave::bench
