// Measures with clocks of the process and of the machine. See timing.h.
#include "bench/timing.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <thread>

namespace wave::bench {

double now(Clock clock) {
  timespec time{};
  clock_gettime(clock == Clock::cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::vector<double> median_seconds(Clock clock, double budget, const std::vector<Timed>& works) {
  constexpr int fewest = 3, most = 31;
  constexpr double at_least = 3e-3;  // seconds
  std::vector<std::vector<double>> seconds(works.size());
  const auto run = [clock](const Timed& timed, int times) {
    double seconds = 0;
    for (int done = 0; done < times;) {
      if (timed.before) timed.before();
      const int next = timed.before ? done + 1 : times;
      const double begin = now(clock);
      for (; done < next; ++done) timed.work();
      seconds += now(clock) - begin;
    }
    return seconds / times;
  };
  std::vector<int> times;     // short work runs several times in a row, as it would in a study
  constexpr int warm_up = 8;  // the evaluator compiles a recurrence for lanes when it has been asked for several times
  for (const Timed& timed : works) {
    const double warming = now(Clock::wall);
    for (int time = 0; time < warm_up && (time == 0 || now(Clock::wall) - warming < 0.2); ++time) run(timed, 1);
    times.push_back(static_cast<int>(std::clamp(at_least / std::max(run(timed, 1), 1e-7), 1.0, 1000.0)));
  }
  const double begin = now(Clock::wall);
  for (int round = 0; round < most && (round < fewest || now(Clock::wall) - begin < budget); ++round) {
    for (std::size_t index = 0; index < works.size(); ++index)
      seconds[index].push_back(run(works[index], times[index]));
  }
  std::vector<double> medians;
  for (auto& runs : seconds) {
    std::sort(runs.begin(), runs.end());
    medians.push_back(runs[runs.size() / 2]);
  }
  return medians;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::map<std::string, std::string> first;  // of the first processor, by key
  for (std::string line; std::getline(info, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size())
      first.emplace(line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1), line.substr(colon + 2));
  }
  const std::time_t today = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&today));
  return first["model name"] + " (family " + first["cpu family"] + " model " + first["model"] + "), " +
         std::to_string(std::thread::hardware_concurrency()) + " cores, g++ " __VERSION__ ", " + date;
}

}  // namespace wave::bench
