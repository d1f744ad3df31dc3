// Every verb ends at the limits that it is given, whatever it is doing, and leaves nothing behind that is half made.
#include "cli/command_line.h"
#include "tests/folder.h"
#include "tests/studies/runs.h"
#include "tests/studies/verb_commands.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace wave;
using test::Finished;
using test::Run;
using test::Words;

namespace {

namespace fs = std::filesystem;

constexpr const char* time_limit = "100ms";
// Nobody waits as long for a limit. What has no end does not end before.
constexpr std::chrono::seconds too_long{60};

// A command under a limit, in a folder of its own.
struct Trial {
  std::string name;
  Words words;
  test::Files files;              // beside the usual ones
  std::string fifo;               // a file that nobody writes to, in place of one of them
  std::function<bool()> prepare;  // in the new process
};

struct Outcome {
  std::optional<Finished> finished;  // nothing: it did not end
  std::vector<std::string> left;     // temporary files
  std::string output;                // of the file that is to be written, which says "before"
};

std::string output_of(const Words& words) {
  const auto found = std::find(words.begin(), words.end(), "-o");
  return found == words.end() ? "" : *(found + 1);
}

class Started {
 public:
  Started(const Trial& trial, const std::string& part) {
    for (const auto& [name, text] : test::usual_files()) folder_.write(name, text);
    folder_.write("1.part", part);
    for (const auto& [name, text] : trial.files) folder_.write(name, text);
    if (!trial.fifo.empty()) {
      fs::remove(folder_.path() / trial.fifo);
      mkfifo((folder_.path() / trial.fifo).c_str(), 0600);
    }
    output_ = output_of(trial.words);
    if (!output_.empty() && output_ != trial.fifo) folder_.write(output_, "before");
    run_.emplace(folder_.path().string(), trial.words, trial.prepare);
  }

  bool has_ended() { return run_->has_ended(); }

  Outcome outcome(bool has_ended) {
    Outcome outcome;
    if (has_ended) outcome.finished = run_->finish();
    run_.reset();
    for (const auto& one : fs::recursive_directory_iterator(folder_.path())) {
      const std::string name = one.path().filename().string();
      if (name.find(".wave-new") != std::string::npos || name.ends_with(".new") || name.ends_with(".html.part"))
        outcome.left.push_back(name);
    }
    if (!output_.empty() && fs::is_regular_file(folder_.path() / output_))
      outcome.output = test::contents_of(folder_.path() / output_);
    return outcome;
  }

 private:
  const test::Folder folder_;
  std::string output_;
  std::optional<Run> run_;
};

// Several at once, since most of them only wait.
std::vector<Outcome> run_all(const std::vector<Trial>& trials, std::size_t at_once, const std::string& part = {}) {
  std::vector<Outcome> outcomes;
  for (std::size_t first = 0; first < trials.size(); first += at_once) {
    std::vector<std::unique_ptr<Started>> started;
    const std::size_t last = std::min(first + at_once, trials.size());
    for (std::size_t i = first; i < last; ++i) started.push_back(std::make_unique<Started>(trials[i], part));
    const auto begin = std::chrono::steady_clock::now();
    for (const auto& one : started) {
      while (!one->has_ended() && std::chrono::steady_clock::now() - begin < too_long)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      outcomes.push_back(one->outcome(one->has_ended()));
    }
  }
  return outcomes;
}

Words with_limit(Words words, const char* option, const std::string& limit) {
  const auto rest = std::find(words.begin(), words.end(), "--");
  words.insert(rest, {option, limit});
  return words;
}

void check_ended(const Trial& trial, const Outcome& outcome, const std::vector<std::string>& codes) {
  INFO(trial.name << ": wave " << fmt::format("{}", fmt::join(trial.words, " ")).substr(0, 300));
  REQUIRE(outcome.finished.has_value());
  INFO(outcome.finished->said.substr(0, 2000));
  CHECK(outcome.finished->signal == 0);
  CHECK(outcome.finished->code != 0);
  const bool is_said = std::any_of(codes.begin(), codes.end(), [&](const std::string& code) {
    return outcome.finished->said.find(code) != std::string::npos;
  });
  CHECK(is_said);
  CHECK(outcome.left.empty());
  // A page says what has no value, and a search writes what it has found by then. They are whole.
  const std::string& verb = trial.words.front();
  const char* const end = verb == "find" || verb == "optimize" ? "\n" : "</html>\n";
  CHECK((outcome.output.empty() || outcome.output == "before" || outcome.output.ends_with(end)));
}

// A part of a study, as the program writes it.
std::string part_of_study() {
  const test::Folder folder;
  for (const auto& [name, text] : test::usual_files()) folder.write(name, text);
  const Finished finished =
      test::run(folder.path().string(), {"sweep", "m.wave", "--vary", "n=1..20000", "--show", "o", "-o", "one.part"});
  INFO(finished.said);
  REQUIRE(finished.code == 0);
  return test::contents_of(folder.path() / "one.part");
}

constexpr std::size_t many = 16, several = 6;

}  // namespace

TEST_CASE("every verb, every kind of question and every file that is read is tried under limits") {
  std::set<std::string> verbs, words;
  for (const auto& command : test::verb_commands()) {
    verbs.insert(command.words.front());
    for (const auto& word : command.words) words.insert(command.words.front() + " " + word);
  }
  for (const cli::VerbShape& verb : cli::shapes_of_verbs()) {
    INFO("`wave " << verb.name << "` has no command in tests/studies/verb_commands.cpp");
    CHECK((verbs.count(verb.name) == 1 || verb.name == "lsp"));  // which ends when its editor does
    bool has_time = false, has_memory = false;
    for (const cli::OptionShape& option : verb.options) {
      const auto& name = option.names.back();
      has_time |= name == "--time-limit";
      has_memory |= name == "--memory-limit";
      INFO("none has `" << name << "`, which is read");
      if (option.value == "CSV" && verb.name != "report") CHECK(words.count(verb.name + " " + name) == 1);
      // "osu|imb|csv and files of that kind"
      const std::string kinds = option.description.substr(0, option.description.find(' '));
      if (!option.is_argument() || kinds.find('|') == std::string::npos) continue;
      for (std::size_t begin = 0; begin < kinds.size();) {
        const std::size_t end = std::min(kinds.find('|', begin), kinds.size());
        INFO("none has " << kinds.substr(begin, end - begin));
        CHECK(words.count(verb.name + " " + kinds.substr(begin, end - begin)) == 1);
        begin = end + 1;
      }
    }
    INFO("`wave " << verb.name << "` has no limits");
    CHECK(has_time);
    CHECK(has_memory);
  }
}

TEST_CASE("the commands that are tried under limits work without") {
  const std::string part = part_of_study();
  std::vector<Trial> trials;
  for (const auto& command : test::verb_commands()) trials.push_back({"usual", command.words, {}, {}, {}});
  const auto outcomes = run_all(trials, several, part);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    INFO(fmt::format("wave {}", fmt::join(trials[i].words, " ")));
    REQUIRE(outcomes[i].finished.has_value());
    INFO(outcomes[i].finished->said.substr(0, 2000));
    CHECK(outcomes[i].finished->code == 0);
    CHECK(outcomes[i].output != "before");
  }
}

TEST_CASE("a limit of time ends every verb that waits for a file") {
  std::vector<Trial> trials;
  for (const auto& command : test::verb_commands()) {
    for (const std::string& file : command.reads) {
      trials.push_back({"nobody writes " + file, with_limit(command.words, "--time-limit", time_limit), {}, file, {}});
    }
  }
  const auto outcomes = run_all(trials, many);
  // Some refuse what is no plain file.
  const std::vector<std::string> codes{"E0610", "E0612", "E0217", "E0204", "E0203", "E0624"};
  for (std::size_t i = 0; i < trials.size(); ++i) check_ended(trials[i], outcomes[i], codes);
}

TEST_CASE("a limit of time ends every verb whose output nobody takes") {
  const std::string part = part_of_study();
  int pipe_ends[2]{};
  REQUIRE(pipe2(pipe_ends, O_CLOEXEC) == 0);
  REQUIRE(fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK) == 0);
  const std::string some(4096, ' ');
  while (write(pipe_ends[1], some.data(), some.size()) > 0) {}
  REQUIRE(fcntl(pipe_ends[1], F_SETFL, 0) == 0);
  const auto prepare = [end = pipe_ends[1]] { return dup2(end, STDOUT_FILENO) >= 0; };
  std::vector<Trial> trials, unwritten;
  for (const auto& command : test::verb_commands()) {
    const Words words = with_limit(command.words, "--time-limit", "1s");
    const std::string output = output_of(command.words);
    if (output.empty()) {
      trials.push_back({"nobody takes the output", words, {}, {}, prepare});
    } else {
      trials.push_back({"nobody reads " + output, words, {}, output, {}});
    }
  }
  const auto outcomes = run_all(trials, several, part);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    // What writes files, or nothing, has no output that it would wait with.
    const bool is_silent = outcomes[i].finished && outcomes[i].finished->code == 0;
    if (!is_silent) check_ended(trials[i], outcomes[i], {"E0610", "E0613"});
  }
  CHECK(std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& one) {
          return one.finished && one.finished->said.find("E0610") != std::string::npos;
        }) > 15);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_CASE("a limit of time ends every verb at every stage of a model") {
  const std::vector<std::string> stages{"parse", "check", "lower", "evaluate"};
  std::vector<Trial> trials;
  for (const auto& heavy : test::heavy_models()) {
    for (const auto& command : test::verb_commands()) {
      const auto last = std::find(stages.begin(), stages.end(), command.last);
      if (last == stages.end() || std::find(stages.begin(), last + 1, heavy.stage) == last + 1) continue;
      trials.push_back(
          {heavy.stage, with_limit(command.words, "--time-limit", time_limit), {{"m.wave", heavy.text}}, {}, {}});
    }
  }
  const auto outcomes = run_all(trials, several);
  for (std::size_t i = 0; i < trials.size(); ++i) check_ended(trials[i], outcomes[i], {"E0610"});
}

TEST_CASE("a limit of time ends what a verb does by itself") {
  const std::string part = part_of_study();
  std::vector<Trial> trials;
  for (const auto& heavy : test::heavy_commands())
    trials.push_back({heavy.name, with_limit(heavy.words, "--time-limit", time_limit), heavy.files, {}, {}});
  const auto outcomes = run_all(trials, several, part);
  for (std::size_t i = 0; i < trials.size(); ++i) check_ended(trials[i], outcomes[i], {"E0610"});
}

TEST_CASE("a study that a limit of time has ended goes on, and comes to the same bytes") {
  const test::Folder folder;
  folder.write("slow.wave", "wave 1\nmodel M { param n: int = 1  output o = sum(k in 1..2000: ln(n + k)) }\n");
  const Words whole{"sweep", "slow.wave", "--vary", "n=1..4000", "--engine", "interpreter", "--threads", "1", "-o"};
  const auto into = [&](const std::string& output, const Words& more) {
    Words words = whole;
    words.push_back(output);
    words.insert(words.end(), more.begin(), more.end());
    return test::run(folder.path().string(), words);
  };
  const Finished ended = into("ended.csv", {"--time-limit", "200ms"});
  INFO(ended.said);
  CHECK(ended.code == 1);
  CHECK(ended.said.find("E0610") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path() / "ended.csv"));
  const Finished resumed = into("ended.csv", {"--resume"}), plain = into("plain.csv", {});
  INFO(resumed.said << plain.said);
  REQUIRE(resumed.code == 0);
  REQUIRE(plain.code == 0);
  CHECK(test::contents_of(folder.path() / "ended.csv") == test::contents_of(folder.path() / "plain.csv"));
}

#ifndef WAVE_SANITIZED  // ASan keeps what is freed
TEST_CASE("a limit of memory ends any verb that reads a model") {
  std::vector<Trial> trials;
  const std::string parse = test::heavy_models().front().text;
  for (const auto& command : test::verb_commands()) {
    if (!command.last.empty())
      trials.push_back({"memory", with_limit(command.words, "--memory-limit", "1MB"), {{"m.wave", parse}}, {}, {}});
  }
  // Each fills half a gigabyte first.
  std::shuffle(trials.begin(), trials.end(), std::mt19937(test::seed()));
  trials.resize(std::min(trials.size(), static_cast<std::size_t>(test::count_of_trials(14))));
  const auto outcomes = run_all(trials, 2);
  for (std::size_t i = 0; i < trials.size(); ++i) check_ended(trials[i], outcomes[i], {"E0611"});
}
#endif
