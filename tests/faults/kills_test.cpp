// Commands that are killed at random moments: what they write is whole or as it was, and the next run cleans up and
// comes to the same bytes. Long studies, which go on where they ended, are killed in tests/studies/kill_test.cpp.
#include "tests/faults/subject.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <thread>

using namespace wave;
using test::Finished;
using test::Run;
using test::Subject;

TEST_CASE("commands that are killed at random moments leave nothing half done, and go on") {
  std::mt19937 random(test::seed());
  const auto& kinds = test::subjects();
  const int rounds = std::max(1, test::count_of_trials(WAVE_KILLS) / static_cast<int>(kinds.size()));
  int all = 0;
  for (const auto& kind : kinds) {
    Subject subject(kind);
    std::uniform_int_distribution<std::int64_t> moment(0, subject.duration().count());
    int killed = 0;
    for (int round = 0; round < rounds; ++round) {
      subject.reset();
      Run run(subject.place(), kind.first, subject.prepare());
      std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
      run.send(SIGKILL);
      const Finished finished = run.finish();
      killed += finished.signal == SIGKILL ? 1 : 0;
      subject.check(finished);
    }
    std::printf("%s: killed %d times\n", kind.name, killed);
    all += killed;
  }
  CHECK(all > 0);
}
