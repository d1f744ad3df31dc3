// See subject.h.
#include "tests/faults/subject.h"

#include "tests/faults/tracer.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace wave::test {
namespace {

namespace files = std::filesystem;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words study{"sweep", "ring.wave", "--vary", "rounds=1..8", "--vary", "n=1..10", "--threads", "1"};
const Words batch{"batch", "ring.wave", "--columns", "points.csv", "--threads", "2", "-o", "rows.csv"};
const Words compiled{"batch", "ring.wave",      "--columns", "points.csv", "--threads", "2",   "--engine",
                     "jit",   "--no-shortcuts", "-o",        "rows.json",  "--format",  "json"};
const Words evaluates{"run", "ring.wave", "-D", "n=5", "--format", "csv", "--threads", "1"};
const Words project{"new", "halo"};
const Words merge{"merge", "1.part", "2.part", "-o", "merged.csv"};

// The names of all files, of folders only what lies in them.
std::set<std::string> names_below(const files::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : files::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) names.insert(entry.path().lexically_relative(folder).string());
  }
  return names;
}

}  // namespace

const std::vector<Subject::Kind>& subjects() {
  static const std::vector<Subject::Kind> all = {
      {"study", study + Words{"--out", "results.csv"}, study + Words{"--out", "results.csv", "--resume"}, "results.csv",
       false, true},
      {"compiled batch", compiled, compiled, "rows.json", true, false},
      {"study over an older file", study + Words{"--out", "results.json"},
       study + Words{"--out", "results.json", "--resume"}, "results.json", true, true},
      {"part", study + Words{"--out", "1.part"}, study + Words{"--out", "1.part", "--resume"}, "1.part", false, true},
      {"merge", merge, merge, "merged.csv", true, false},
      {"project", project, project, "halo/README.md", false, false, "halo"},
      {"batch", batch, batch, "rows.csv", true, false},
      {"run to standard output", evaluates, evaluates, "", false, false},
      {"study to standard output", study, study, "", false, false},
  };
  return all;
}

const Subject::Kind& subject(const std::string& name) {
  for (const auto& kind : subjects()) {
    if (kind.name == name) return kind;
  }
  throw std::runtime_error("no subject " + name);
}

Subject::Subject(const Kind& kind) : kind_(kind), old_(kind.replaces ? "what was there before\n" : "") {
  reset();
  const auto begin = std::chrono::steady_clock::now();
  const Finished finished = run(place(), kind_.first, prepare());
  duration_ = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  INFO(kind_.name << "\n" << finished.said);
  REQUIRE(finished.code == 0);
  expected_ = kind_.output.empty() ? finished.said : meaning(output());
  REQUIRE(expected_ != old_);
  expected_names_ = names();
}

void Subject::reset() {
  files::remove_all(place());
  files::create_directories(files::path(place()) / "temporary");
  files::copy_file(WAVE_SOURCE_DIR "/tests/studies/ring.wave", files::path(place()) / "ring.wave");
  std::string rows = "n,rounds\n";  // enough for two threads
  for (int n = 1; n <= 10; ++n) {
    for (int rounds = 1; rounds <= 5; ++rounds) rows += std::to_string(n) + "," + std::to_string(rounds) + "\n";
  }
  folder_.write("place/points.csv", rows);
  if (kind_.first == merge) {
    for (const std::string part : {"1", "2"}) {
      const files::path kept = folder_.path() / (part + ".part");
      const Words words = study + Words{"--shard", part + "/2", "--out", kept.string()};
      if (!files::exists(kept)) REQUIRE(run(place(), words, prepare()).code == 0);
      files::copy_file(kept, files::path(place()) / (part + ".part"));
    }
  }
  if (kind_.replaces) folder_.write("place/" + kind_.output, old_);
  for (const auto& [name, bytes] : left_) folder_.write("place/" + name, bytes);
}

void Subject::begin_where_one_was_before() {
  int left = 3;  // times that a study writes to its journal: the beginning and two chunks
  Watch watch;
  watch.folders = {place()};
  watch.prepare = prepare();
  watch.before = [&](const FileCall& call) {
    const bool is_last = call.writes() && call.path.ends_with(".journal") && --left == 0;
    return Fault{is_last ? Fault::Kind::death_after : Fault::Kind::none};
  };
  reset();
  REQUIRE((trace(place(), kind_.first, watch).signal == SIGKILL) == kind_.is_study);
  for (const std::string& name : names_below(place())) {
    if (name.ends_with(".journal") || name.starts_with("cache/"))
      left_[name] = contents_of(files::path(place()) / name);
  }
}

std::function<bool()> Subject::prepare() const {
  return [this] {
    const std::string cache = place() + "/cache", temporary = place() + "/temporary";
    // What leaks are found by is tracing as well.
    return setenv("WAVE_CACHE", cache.c_str(), 1) == 0 && setenv("TMPDIR", temporary.c_str(), 1) == 0 &&
           setenv("ASAN_OPTIONS", "detect_leaks=0", 1) == 0;
  };
}

std::string Subject::output() const { return contents_of(files::path(place()) / kind_.output); }

std::set<std::string> Subject::names() const {
  std::set<std::string> all = names_below(place());
  // The cache removes what is left in it after a while.
  for (auto name = all.begin(); name != all.end();) name = name->starts_with("cache/") ? all.erase(name) : ++name;
  return all;
}

// How a part is cut into chunks depends on the moment, so of parts that counts which `wave merge` makes of them.
std::string Subject::meaning(const std::string& bytes) {
  if (!kind_.output.ends_with(".part") || bytes.empty()) return bytes;
  const auto known = meanings_.find(bytes);
  if (known != meanings_.end()) return known->second;
  const std::string part = folder_.write("there.part", bytes), merged = root() + "/there.csv";
  const Finished finished = run(root(), {"merge", part, "-o", merged}, prepare());
  const std::string text = finished.code == 2 || !files::exists(merged) ? "no part" : contents_of(merged);
  files::remove(merged);
  return meanings_[bytes] = text;
}

bool Subject::is_expected(const std::string& bytes) { return meaning(bytes) == expected_; }

bool Subject::holds_result(const Finished& finished) {
  return kind_.output.empty() ? finished.said.find(expected_) != std::string::npos : is_expected(output());
}

bool Subject::gave_up() {
  const std::string now = meaning(output());
  if (now.find("E0611") == std::string::npos) return false;
  if (kind_.output.ends_with(".json")) return true;
  std::istringstream lines(now), expected_lines(expected_);
  for (std::string line, expected; std::getline(lines, line) && std::getline(expected_lines, expected);) {
    INFO(line);
    REQUIRE((line == expected || line.find("E0611") != std::string::npos));
  }
  return true;
}

void Subject::check(const Finished& disturbed, Memory memory) {
  INFO(kind_.name << ", disturbed:\n" << disturbed.said);
  const bool exists = !kind_.output.empty() && files::exists(files::path(place()) / kind_.output);
  const bool has_given_up = memory == Memory::scarce && gave_up();
  if (disturbed.signal != 0) {
    REQUIRE(disturbed.signal == SIGKILL);
  } else if (disturbed.code == 0) {
    REQUIRE((has_given_up || holds_result(disturbed)));
  } else if (memory == Memory::scarce && disturbed.code == 127) {
    // The GNU C library itself ends a thread's program that has no memory for the variables of a module.
    REQUIRE(disturbed.said.find("cannot allocate memory for thread-local data") != std::string::npos);
  } else {
    REQUIRE(disturbed.code == 1);
    REQUIRE(disturbed.said.find("error[E") != std::string::npos);
  }
  if (exists && !has_given_up) {
    const std::string now = output();
    REQUIRE((is_expected(now) || (kind_.replaces && now == old_)));
  }
  REQUIRE((exists || !kind_.replaces));
  if (kind_.folder != nullptr && !exists) REQUIRE_FALSE(files::exists(files::path(place()) / kind_.folder));
  const auto journal = left_.find(kind_.output + ".journal");
  if (journal != left_.end() && !(exists && is_expected(output()))) {
    INFO("what was found before is lost");
    REQUIRE(contents_of(place() + "/" + journal->first).starts_with(journal->second));
  }
  if (has_given_up) return;  // nothing makes up for such points but a new study
  // What is left under a temporary name goes with the next run.
  const bool is_tidy = names() == expected_names_;
  if (disturbed.signal != 0 || disturbed.code != 0 || (!is_tidy && !kind_.is_study))
    run_again();
  else
    REQUIRE(is_tidy);
}

void Subject::run_again() {
  if (kind_.folder != nullptr && is_expected(output())) {
    REQUIRE(names() == expected_names_);
    return;
  }
  // A study that has not begun does not go on: `--resume` would ask what to do about the file of another one.
  const bool has_begun =
      !kind_.replaces || output() != old_ || files::exists(place() + "/" + kind_.output + ".journal");
  const Finished finished = run(place(), has_begun ? kind_.again : kind_.first, prepare());
  INFO(kind_.name << ", once more:\n" << finished.said);
  REQUIRE(finished.code == 0);
  REQUIRE(holds_result(finished));
  REQUIRE(names() == expected_names_);
}

}  // namespace wave::test
