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

// As one compiled program, over arrays, in compiled sweeps, and in the network.
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

// Whatever asks for the memory: parsers, checkers, tables, batches, LLVM.
TEST_CASE("hostile files take no more memory than the limit and what every run may take") {
  const test::Folder folder;
  const std::int64_t reserve =
      (std::int64_t{512} << 20) + (std::int64_t{8} << 20) * std::thread::hardware_concurrency();
  constexpr std::int64_t program = 160 * megabyte;  // its code and that of the libraries, as far as it was looked at
  const auto repeated = [](int count, const auto& text) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text(i);
    return all;
  };
  struct Hostile {
    const char* name;
    std::string text;
    Words words;
  };
  const std::string list = "[" + repeated(9000, [](int) { return "1,"; }) + "1]";
  const std::string arms =
      repeated(2000, [](int i) { return fmt::format("    i mod {0} == 1: f[i-1, j] * 0.5 + ln(i + {0}.0)\n", i + 2); });
  const std::vector<Hostile> hostile = {
      {"lists", "wave 1\n" + repeated(200, [&](int i) { return fmt::format("let l{} = {}\n", i, list); }), {"check"}},
      {"outputs",
       "wave 1\nmodel M {\n" + repeated(20000, [](int i) { return fmt::format("  output o{} = {}\n", i, i); }) + "}\n",
       {"run"}},
      {"parameters",
       "wave 1\nmodel M {\n" + repeated(20000, [](int i) { return fmt::format("  param p{}: int = 1\n", i); }) +
           "  output t = p0\n}\n",
       {"run"}},
      {"arms",
       "wave 1\nmodel M {\n  param n: int = 100\n  grid P[i: n, j: n]\n  rec f[i, j] over P: real = when {\n" + arms +
           "    else: 1\n  } else 0\n  output t = f[n, n]\n}\n",
       {"run", "--engine", "jit", "--no-cache"}},
      {"line", "wave 1\nlet a = " + repeated(900'000, [](int) { return "x x "; }) + "\n", {"check"}},
      {"recurrence",
       "wave 1\nmodel M {\n  grid P[i: 100000, j: 100000]\n  rec t[i, j] over P: real =\n"
       "    max(t[i-1, j] + 1.5, t[i, j-1] * 1.25 + 1 / (i + j)) else 0\n  output o = sum(k in 1..100000: t[k, "
       "k])\n}\n",
       {"run", "--time-limit", "5s"}},
  };
  for (const Hostile& one : hostile) {
    const std::string file = one.name + std::string(".wave");
    folder.write(file, one.text);
    for (const std::int64_t limit : {1, 60, 300}) {
      Words words = one.words;
      words.insert(words.end(), {file, "--memory-limit", std::to_string(limit) + "MB"});
      const Finished finished = test::run(folder.path().string(), words);
      INFO(one.name << " with " << limit << " MB: peak " << finished.peak_bytes / megabyte << " MB\n"
                    << finished.said.substr(0, 2000));
      CHECK(finished.signal == 0);
      // Nothing else is wrong with them, but for the line, which is no declaration.
      const bool is_limit =
          finished.said.find("(E061") != std::string::npos || finished.said.find("error[E061") != std::string::npos;
      const bool is_line = one.name == std::string("line") && finished.said.find("error[E0112]") != std::string::npos;
      CHECK((finished.code == 0 || is_limit || is_line));
      CHECK(finished.peak_bytes <= limit * megabyte + reserve + program);
    }
  }
  std::string table = "n\n";
  for (int i = 0; i < 3'000'000; ++i) table += std::to_string(i) + "\n";
  folder.write("rows.csv", table);
  folder.write("rows.wave", "wave 1\nmodel M {\n  param n: int\n  output t = n * 2.5\n}\n");
  const Finished finished = test::run(folder.path().string(), {"batch", "rows.wave", "--columns", "rows.csv", "-o",
                                                               "out.csv", "--memory-limit", "60MB"});
  INFO("peak " << finished.peak_bytes / megabyte << " MB\n" << finished.said.substr(0, 2000));
  CHECK(finished.signal == 0);
  CHECK((finished.code == 0 || finished.said.find("error[E061") != std::string::npos));
  CHECK(finished.peak_bytes <= 60 * megabyte + reserve + program);
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
