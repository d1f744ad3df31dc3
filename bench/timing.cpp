// Clocks of the process and of the machine.
#include "bench/timing.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

namespace wave::bench {

namespace {

double now(Clock clock) {
  timespec time{};
  clock_gettime(clock == Clock::cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double median_seconds(Clock clock, int runs, const std::function<void()>& work) {
  work();
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    const double begin = now(clock);
    work();
    seconds.push_back(now(clock) - begin);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores";
}

}  // namespace wave::bench
