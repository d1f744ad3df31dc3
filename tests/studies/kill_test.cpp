// Studies that are killed and resumed end with the same file as one that was left alone.
#include "tests/folder.h"
#include "tests/studies/runs.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string_view>
#include <thread>

using namespace wave;
using test::Finished;
using test::Run;
namespace files = std::filesystem;

namespace {

using Words = std::vector<std::string>;
constexpr std::uint64_t points = 2 * 4 * 150 - 2 * 10;  // without the points that are left out
constexpr int rounds = 8, most_kills = 6;
// Evaluated like this, no machine is fast enough to finish the study: the rings of 100 (ring.wave) go round for hours.
const Words without_end{"--no-shortcuts", "--point-limit", "none"};
// The same, but such a study soon notices that it should end.
const Words without_end_in_sight{"--no-shortcuts", "--point-limit", "1min"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Study {
 public:
  Study() { files::copy_file(WAVE_SOURCE_DIR "/tests/studies/ring.wave", folder_.path() / "ring.wave"); }

  // Some points fail, and some take a hundred times as long as others.
  Words command(const std::string& output, const Words& more = {}) const {
    const Words words{"sweep",     "ring.wave",
                      "-D",        "endless=100",
                      "--vary",    "net=[SP2(), SP2(L = 5 us)]",
                      "--vary",    "rounds=[1, 10, 300, 600]",
                      "--vary",    "n=1..150",
                      "--where",   "rounds > 1 or n mod 15 != 7",
                      "--threads", "1",
                      "--out",     output};
    return words + more;
  }
  Finished run(const Words& words) const { return test::run(folder_.path().string(), words); }
  const test::Folder& folder() const { return folder_; }
  std::string text(const std::string& name) const { return test::contents_of(folder_.path() / name); }
  bool exists(const std::string& name) const { return files::exists(folder_.path() / name); }
  // Waits until the journal of a study that never ends holds some points.
  void wait_for_points(const std::string& output, Run& run) const {
    constexpr std::string_view chunk = "\xfaWvRec\x0a\x03";  // how a record of a chunk begins
    while (text(output + ".journal").find(chunk) == std::string::npos) {
      REQUIRE_FALSE(run.has_ended());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // Roughly how long the study takes here and now.
  std::chrono::microseconds duration = std::chrono::microseconds(0);
  std::string undisturbed(const std::string& name) {
    const auto begin = std::chrono::steady_clock::now();
    const auto finished = run(command(name));
    duration = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    INFO(finished.said);
    REQUIRE(finished.code == 1);  // there is no ring of 13
    REQUIRE(!exists(name + ".journal"));
    return text(name);
  }

 private:
  test::Folder folder_;
};

// "1 234 points evaluated in ... ; 56 were in the journal"
struct Account {
  std::uint64_t evaluated = 0, kept = 0;
};
Account account_of(const std::string& said) {
  const auto number_before = [&](const std::string& words) {
    const std::size_t end = said.find(words);
    REQUIRE(end != std::string::npos);
    std::uint64_t number = 0, ten = 1;
    for (std::size_t at = end;
         at-- > 0 && (said[at] == ' ' || std::isdigit(static_cast<unsigned char>(said[at])) != 0);) {
      if (said[at] == ' ') continue;
      number += ten * static_cast<std::uint64_t>(said[at] - '0');
      ten *= 10;
    }
    return number;
  };
  return {number_before(" points evaluated in"), number_before(" were in the journal")};
}

// Runs the study again and again until it is done, and kills it before: first in the middle, then at random moments.
// Returns what the last run says.
Finished run_and_kill(const Study& study, const std::string& output, const std::string& expected, const Words& more,
                      std::mt19937& random) {
  const Words words = study.command(output, Words{"--resume", "--verbose"} + more);
  {
    Run run(study.folder().path().string(), words + without_end);
    study.wait_for_points(output, run);
    run.send(SIGKILL);
    REQUIRE(run.finish().signal == SIGKILL);
  }
  for (int kill = 1;; ++kill) {
    Run run(study.folder().path().string(), words);
    if (kill < most_kills) {
      std::uniform_int_distribution<std::int64_t> moment(0, study.duration.count());
      std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
      run.send(SIGKILL);
    }
    const Finished finished = run.finish();
    if (finished.signal == 0) return finished;
    if (study.exists(output) && !expected.empty()) REQUIRE(study.text(output) == expected);  // either whole or absent
  }
}

}  // namespace

TEST_CASE("a study that is killed at random moments comes to the same file, and evaluates nothing twice") {
  std::mt19937 random(test::seed());
  Study study;
  const std::vector<std::string> endings{".csv", ".json", ".jsonl"};
  std::vector<std::string> whole;
  for (const auto& ending : endings) whole.push_back(study.undisturbed("whole" + ending));
  for (int round = 0; round < test::count_of_trials(rounds); ++round) {
    const std::size_t format = static_cast<std::size_t>(round) % endings.size();
    const std::string name = "killed" + std::to_string(round) + endings[format], &expected = whole[format];
    const Finished finished = run_and_kill(study, name, expected, {}, random);
    INFO(finished.said);
    // A file whose run was killed between the last two steps is whole already.
    const bool was_whole = finished.said.find("is whole already") != std::string::npos;
    REQUIRE(finished.code == (was_whole ? 0 : 1));
    REQUIRE(study.text(name) == expected);
    CHECK(!study.exists(name + ".journal"));
    CHECK(!study.exists(name + ".journal.new"));
    if (was_whole) continue;
    const Account account = account_of(finished.said);
    CHECK(account.evaluated + account.kept == points);
  }
}

TEST_CASE("parts that are killed and put together come to the file of an undivided study") {
  std::mt19937 random(test::seed());
  Study study;
  const std::string expected = study.undisturbed("whole.jsonl");
  for (const int parts : {1, 3}) {
    Words merge{"merge"};
    for (int part = 1; part <= parts; ++part) {
      const std::string name = std::to_string(part) + "of" + std::to_string(parts) + ".part";
      const Finished finished =
          run_and_kill(study, name, "", {"--shard", std::to_string(part) + "/" + std::to_string(parts)}, random);
      INFO(finished.said);
      REQUIRE(finished.code == 0);
      merge.insert(merge.begin() + 1, name);
    }
    merge.insert(merge.end(), {"-o", "merged.jsonl"});
    const Finished merged = study.run(merge);
    INFO(merged.said);
    CHECK(merged.code == 1);
    REQUIRE(study.text("merged.jsonl") == expected);
  }
}

TEST_CASE("Ctrl-C and SIGTERM keep what was found and say how to go on") {
  Study study;
  const std::string expected = study.undisturbed("whole.csv");
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "stopped" + std::to_string(signal) + ".csv";
    Run run(study.folder().path().string(), study.command(name, without_end_in_sight));
    study.wait_for_points(name, run);
    run.send(signal);
    const Finished finished = run.finish();
    INFO(finished.said);
    CHECK(finished.code == 128 + signal);
    CHECK(finished.said.find("--resume") != std::string::npos);
    CHECK(!study.exists(name));
    CHECK(study.exists(name + ".journal"));
    CHECK(study.run(study.command(name, {"--resume"})).code == 1);
    CHECK(study.text(name) == expected);
  }
}

TEST_CASE("a limit of time ends a study as Ctrl-C does") {
  Study study;
  const std::string expected = study.undisturbed("whole.csv");
  const Finished stopped = study.run(study.command("limited.csv", without_end_in_sight + Words{"--time-limit", "2s"}));
  INFO(stopped.said);
  CHECK(stopped.code == 1);
  CHECK(stopped.said.find("E0610") != std::string::npos);
  CHECK(stopped.said.find("--resume") != std::string::npos);
  CHECK(!study.exists("limited.csv"));
  REQUIRE(study.exists("limited.csv.journal"));
  CHECK(study.run(study.command("limited.csv", {"--resume"})).code == 1);
  CHECK(study.text("limited.csv") == expected);
}

TEST_CASE("a point that takes too long is an error of its row, and the others go on") {
  Study study;
  const Finished finished =
      study.run({"sweep", "ring.wave", "--vary", "rounds=[1, 1000000000]", "--vary", "n=[2, 3]", "--show", "total",
                 "--no-shortcuts", "--point-limit", "1s", "--out", "slow.csv"});
  INFO(finished.said);
  CHECK(finished.code == 1);
  const std::string text = study.text("slow.csv");
  INFO(text);
  CHECK(text.find("\n1,2,") != std::string::npos);
  CHECK(text.find("\n1000000000,2,,E0610: out of time\n") != std::string::npos);
  CHECK(text.find("\n1000000000,3,,E0610: out of time\n") != std::string::npos);
}
