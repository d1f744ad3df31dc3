// Every call of the system that a command makes on files fails in every way, or is where the program dies: then nothing
// is half done, and the same command once more comes to the same bytes.
#include "tests/faults/subject.h"
#include "tests/faults/tracer.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace wave;
using test::Fault;
using test::FileCall;
using test::Finished;
using test::Subject;
using test::Words;

namespace {

struct Way {
  std::string name;
  Fault fault;
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"fails with EIO", {Fault::Kind::error, EIO}},       {"fails with ENOSPC", {Fault::Kind::error, ENOSPC}},
      {"fails with EINTR", {Fault::Kind::error, EINTR}},   {"comes short", {Fault::Kind::short_count, 0}},
      {"kills before", {Fault::Kind::death_before, 0}},    {"kills after", {Fault::Kind::death_after, 0}},
      {"fails with EMFILE", {Fault::Kind::error, EMFILE}}, {"fails with EACCES", {Fault::Kind::error, EACCES}},
  };
  return all;
}

// What only looks cannot run out of room or be interrupted, and nothing has changed after it.
bool makes_sense(const Way& way, const FileCall& call) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return call.name.starts_with(name); });
  };
  const bool looks = is({"stat", "lstat", "fstat", "newfstatat", "access", "faccessat", "readlink", "getdents"});
  if (way.fault.kind == Fault::Kind::short_count) return call.bytes > 1;
  if (way.fault.error == ENOSPC) return !looks && !is({"read", "pread", "mmap", "flock"});
  if (way.fault.error == EMFILE) return is({"open"});
  if (way.fault.error == EACCES) return is({"open", "rename", "mkdir", "unlink", "access", "faccessat"});
  return !looks || way.fault.error == EIO || way.fault.kind == Fault::Kind::death_before;
}

test::Watch watch_of(const Subject& subject) {
  test::Watch watch;
  watch.folders = {subject.place()};
  watch.prepare = subject.prepare();
  return watch;
}

std::vector<FileCall> calls_of(Subject& subject, const Words& words) {
  std::vector<FileCall> calls;
  test::Watch watch = watch_of(subject);
  watch.after = [&](const FileCall& call, long) { calls.push_back(call); };
  subject.reset();
  const Finished finished = test::trace(subject.place(), words, watch);
  INFO(finished.said);
  REQUIRE(finished.code == 0);
  return calls;
}

// Whether the call of this number was made and disturbed. Calls differ a little from run to run: chunks are as large
// as a moment allows.
bool disturb(Subject& subject, const Words& words, std::size_t number, const Way& way) {
  std::size_t at = 0;
  std::string disturbed, file;
  test::Watch watch = watch_of(subject);
  watch.before = [&](const FileCall& call) {
    if (at++ != number || !makes_sense(way, call)) return Fault{};
    disturbed = call.text();
    file = call.file();
    return way.fault;
  };
  subject.reset();
  const Finished finished = test::trace(subject.place(), words, watch);
  INFO("call " << number << ", " << disturbed << ", " << way.name);
  if (finished.signal == 0 && finished.code != 0) {
    INFO(finished.said);
    const std::vector<std::string> names{file,
                                         subject.kind().output,
                                         subject.kind().folder != nullptr ? subject.kind().folder : "",
                                         "standard output",
                                         "a file for what is found",
                                         "temporary"};
    REQUIRE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !name.empty() && finished.said.find(name) != std::string::npos;
    }));
  }
  subject.check(finished);
  return !disturbed.empty();
}

// Calls that chance chooses, each in one way unless WAVE_COUNT asks for more.
void disturb_calls(Subject& subject, const Words& words, std::size_t most_calls, std::mt19937& random) {
  const auto most_ways = static_cast<std::size_t>(test::count_of_trials(1));
  const std::vector<FileCall> calls = calls_of(subject, words);
  std::vector<std::size_t> numbers(calls.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  std::shuffle(numbers.begin(), numbers.end(), random);
  numbers.resize(std::min(numbers.size(), most_calls));
  int count = 0;
  for (const std::size_t number : numbers) {
    std::vector<Way> chosen;
    for (const Way& way : ways()) {
      if (makes_sense(way, calls[number])) chosen.push_back(way);
    }
    std::shuffle(chosen.begin(), chosen.end(), random);
    chosen.resize(std::min(chosen.size(), most_ways));
    for (const Way& way : chosen) count += disturb(subject, words, number, way) ? 1 : 0;
  }
  std::printf("%s: %zu calls, %d failures\n", subject.kind().name, calls.size(), count);
  CHECK(count > 0);
}

// Says why there is nothing to test, if so.
bool cannot_trace() {
  std::string why;
  if (test::can_trace(why)) return false;
  WARN("skipped: " << why);
  return true;
}

}  // namespace

TEST_CASE("whatever call of a study fails, or is its last, it goes on to the same file") {
  if (cannot_trace()) return;
  std::mt19937 random(test::seed());
  Subject subject(test::subject("study"));
  disturb_calls(subject, subject.kind().first, ~std::size_t{0}, random);
}

TEST_CASE("whatever call of another command fails, or is its last, its file is whole or as it was") {
  if (cannot_trace()) return;
  std::mt19937 random(test::seed());
  const auto most_calls = static_cast<std::size_t>(test::count_of_trials(WAVE_FAULTY_CALLS));
  for (const auto& kind : test::subjects()) {
    Subject subject(kind);
    disturb_calls(subject, kind.first, most_calls, random);
    if (!kind.is_study && kind.name != std::string("compiled batch")) continue;
    subject.begin_where_one_was_before();
    disturb_calls(subject, kind.again, most_calls, random);
  }
}
