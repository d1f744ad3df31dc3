// Processes keep to their limits wherever they are evaluated: what they take of memory beyond what small ones take is
// less than the limit, and a limit of time or Ctrl-C ends them soon. Times are those of processors, so other programs
// on the machine do not count.
#include "tests/folder.h"
#include "tests/studies/runs.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

using namespace wave;
using test::Finished;
using test::Run;

namespace {

using Words = std::vector<std::string>;

struct Way {
  const char* model;
  const char* engine;
};

Words command(const Way& way, const Words& more) {
  Words words{"run",        WAVE_SOURCE_DIR "/tests/studies/processes.wave",
              "--model",    way.model,
              "--engine",   way.engine,
              "--threads",  "1",
              "--no-cache", "--no-shortcuts"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

#ifndef WAVE_SANITIZED
constexpr std::int64_t megabyte = 1'000'000;
// Of the allocator, which rounds up to pages and keeps what is free.
constexpr std::int64_t slack = 8 * megabyte;

// As one compiled program, over arrays, in compiled sweeps, and by instructions.
const std::vector<Way> ways = {{"Corners", "jit"},         {"Pending", "jit"},         {"Channels", "jit"},
                               {"Windows", "jit"},         {"Gathered", "jit"},        {"Doubling", "jit"},
                               {"Front", "jit"},           {"Corners", "interpreter"}, {"Pending", "interpreter"},
                               {"Doubling", "interpreter"}};
#endif

}  // namespace

#ifndef WAVE_SANITIZED  // ASan keeps what is freed
TEST_CASE("what processes take beyond what small ones take is less than the limit of memory") {
  const test::Folder folder;
  for (const Way& way : ways) {
    const Finished small = test::run(folder.path().string(), command(way, {}));
    INFO(way.model << " by " << way.engine << "\n" << small.said);
    REQUIRE(small.code == 0);
    // The first does not suffice.
    for (const std::int64_t limit : {16, 64}) {
      const Finished large = test::run(
          folder.path().string(),
          command(way, {"-D", "scale=1000", "--memory-limit", std::to_string(limit) + "MB", "--time-limit", "5s"}));
      INFO("limit " << limit << " MB: peak " << large.peak_bytes / megabyte << " MB, of the small one "
                    << small.peak_bytes / megabyte << " MB\n"
                    << large.said);
      CHECK(large.signal == 0);
      CHECK(large.peak_bytes - small.peak_bytes <= limit * megabyte + slack);
      const bool is_refused = large.said.find("E0611") != std::string::npos;
      CHECK((is_refused || large.code == 0 || large.said.find("E0610") != std::string::npos));
    }
  }
}
#endif

TEST_CASE("a limit of time ends compiled processes within a second of work") {
  const test::Folder folder;
  for (const char* const model : {"Corners", "Pending", "Endless"}) {
    const Way way{model, "jit"};
    const Finished small = test::run(folder.path().string(), command(way, {}));
    REQUIRE(small.code == 0);
    const Finished stopped =
        test::run(folder.path().string(), command(way, {"-D", "scale=1000000", "--time-limit", "1s"}));
    INFO(model << " took " << stopped.cpu_seconds << " s, a small one " << small.cpu_seconds << " s\n" << stopped.said);
    CHECK(stopped.code == 1);
    CHECK(stopped.said.find("E061") != std::string::npos);
    CHECK(stopped.cpu_seconds < small.cpu_seconds + 2);
  }
}

TEST_CASE("Ctrl-C ends compiled processes within a second of work") {
  const test::Folder folder;
  const Way way{"Endless", "jit"};
  const Finished small = test::run(folder.path().string(), command(way, {}));
  REQUIRE(small.code == 0);
  Run run(folder.path().string(), command(way, {"-D", "scale=1000000", "--time-limit", "none"}));
  // By then it is in compiled code.
  while (!run.has_ended() && run.cpu_seconds() < small.cpu_seconds + 0.5)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE_FALSE(run.has_ended());
  const double before = run.cpu_seconds();
  run.send(SIGINT);
  const Finished stopped = run.finish();
  CHECK(stopped.signal == SIGINT);
  CHECK(stopped.cpu_seconds < before + 1);
}
