// What happens next, of what comes and goes in any order, against a queue of the standard library.
#include "backend/processes/engine/calendar.h"

#include <catch2/catch.hpp>

#include <functional>
#include <queue>
#include <random>
#include <vector>

using wave::backend::processes::engine::Calendar;

TEST_CASE("a calendar gives the earliest, however times are spread") {
  using Entry = Calendar::Entry;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    Calendar calendar;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    double now = 0;
    const auto add = [&](double time) {
      const Entry entry{{time, static_cast<std::uint32_t>(random() % 3)}, 0};
      calendar.push(entry);
      queue.push(entry);
    };
    // Many at one time, or at a few; then about as many come as go, some at once, some much later than most.
    for (std::uint64_t left = random() % 3000; left > 0; --left) add(seed % 3 == 0 ? 0 : double(random() % 1000));
    for (int turn = 0; turn < 5000; ++turn) {
      REQUIRE(calendar.empty() == queue.empty());
      if (queue.empty() || random() % 2 == 0) {
        add(random() % 4 == 0 ? now : now + double(random() % (std::uint64_t{1} << random() % 30)));
        continue;
      }
      const auto expected = queue.top().when, found = calendar.top().when;
      REQUIRE(found.time == expected.time);
      REQUIRE(found.steps == expected.steps);
      now = found.time;
      queue.pop();
      calendar.pop();
    }
  }
}
