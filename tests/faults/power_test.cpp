// Power that fails at any call of a command: what is on the disk then, by the worst that a file system may do, is the
// old file or the whole new one, and the same command once more comes to the same bytes.
#include "tests/faults/disk.h"
#include "tests/faults/subject.h"
#include "tests/faults/tracer.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace wave;
using test::Disk;
using test::FileCall;
using test::Finished;
using test::Subject;
using test::Words;

namespace {

struct Moment {
  std::string when;
  Disk::State state;
  std::string journal;  // what was certain of it
};

// Runs it once, and collects what the disk may hold if the power fails between any two calls. Equal states count once.
std::vector<Moment> moments_of(Subject& subject, const Words& words) {
  subject.reset();
  Disk disk(subject.place());
  const std::string journal = subject.kind().output + ".journal";
  std::vector<Moment> moments;
  std::set<Disk::Contents> met;
  std::string synced;
  test::Watch watch;
  watch.folders = {subject.place()};
  watch.prepare = subject.prepare();
  watch.after = [&](const FileCall& call, long result) {
    disk.made(call, result);
    // What the program asked to have on the disk has to be found again, until the results are there.
    const bool is_sync = call.name == "fdatasync" || call.name == "fsync";
    if (is_sync && result == 0 && call.path.ends_with(journal)) synced = test::contents_of(call.path);
    for (Disk::State& state : disk.after_power_loss()) {
      if (met.insert(state.files).second) moments.push_back({"after " + call.text(), std::move(state), synced});
    }
  };
  const Finished finished = test::trace(subject.place(), words, watch);
  INFO(finished.said);
  REQUIRE(finished.code == 0);
  // Who is told that it is done finds it again, whatever happens then.
  if (!subject.kind().output.empty()) REQUIRE(subject.is_expected(disk.certain()[subject.kind().output]));
  return moments;
}

void lose_power(Subject& subject, const Words& words) {
  const std::vector<Moment> moments = moments_of(subject, words);
  const std::string& output = subject.kind().output;
  for (const Moment& moment : moments) {
    INFO(subject.kind().name << ", " << moment.when << ": " << moment.state.name);
    const auto& files = moment.state.files;
    const auto found = files.find(output);
    const bool is_whole = found != files.end() && subject.is_expected(found->second);
    if (!is_whole) REQUIRE((found != files.end()) == subject.kind().replaces);
    if (!is_whole && found != files.end()) REQUIRE(found->second == subject.old());
    if (subject.kind().is_study && !moment.journal.empty() && !is_whole) {
      const auto journal = files.find(output + ".journal");
      REQUIRE(journal != files.end());
      REQUIRE(journal->second.starts_with(moment.journal));
    }
    subject.reset();
    Disk::restore(subject.place(), files);
    subject.run_again();
  }
  std::printf("%s: %zu states of the disk\n", subject.kind().name, moments.size());
  CHECK(moments.size() > 2);
}

}  // namespace

TEST_CASE("power that fails at any moment of a command leaves what was there or what was to come, and it goes on") {
  std::string why;
  if (!test::can_trace(why)) {
    WARN("skipped: " << why);
    return;
  }
  for (const auto& kind : test::subjects()) {
    if (kind.output.empty()) continue;
    if (kind.folder != nullptr) continue;  // this disk keeps names of files, and does not see that a folder was renamed
    Subject subject(kind);
    lose_power(subject, kind.first);
    subject.begin_where_one_was_before();
    lose_power(subject, kind.again);
  }
}
