// Commands that write a file, small ones, and what must be true of them however they were disturbed: nothing that is
// half done stands under the final name, who fails says so, and the same command once more ends with the same bytes and
// leaves nothing else behind.
#pragma once

#include "tests/folder.h"
#include "tests/studies/runs.h"

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wave::test {

using Words = std::vector<std::string>;

class Subject {
 public:
  struct Kind {
    const char* name;
    Words first, again;            // the command, and what goes on after it
    std::string output;            // the file that it writes; empty: standard output
    bool replaces;                 // a file that is there already
    bool is_study;                 // keeps a journal
    const char* folder = nullptr;  // which the command makes as a whole, and only once
  };
  // Runs the command without disturbing it, to know what to expect.
  explicit Subject(const Kind& kind);

  // An empty folder with the files that the command reads, and perhaps what was written before.
  void reset();
  // From now on reset() adds what an earlier run has left: of a study that was stopped in the middle the journal, of
  // another command that came to its end the compiled code.
  void begin_where_one_was_before();

  // Where it runs; calls of the system on other files do not count.
  std::string place() const { return root() + "/place"; }
  std::string root() const { return folder_.path().string(); }
  const Kind& kind() const { return kind_; }
  // The environment, in the new process: all that is kept between runs lies in the folder.
  std::function<bool()> prepare() const;

  // Where memory is scarce, points may have been given up for want of it: then all others are as expected.
  enum class Memory { ample, scarce };
  // Checks what a disturbed run has left, and where it did not come to its end, that the next one does.
  void check(const Finished& disturbed, Memory memory = Memory::ample);
  // Runs it once more, undisturbed, and checks what comes of it.
  void run_again();

  std::string output() const;  // what is under the final name
  const std::string& old() const { return old_; }
  // Whether a file holds the results; for parts, whatever chunks they came in.
  bool is_expected(const std::string& bytes);
  std::chrono::microseconds duration() const { return duration_; }  // here and now, of a run

 private:
  bool holds_result(const Finished& finished);
  std::string meaning(const std::string& bytes);
  bool gave_up();
  std::set<std::string> names() const;

  const Kind& kind_;
  Folder folder_;
  std::string expected_;
  const std::string old_;
  std::set<std::string> expected_names_;
  std::map<std::string, std::string> left_;  // files that reset() adds
  std::map<std::string, std::string> meanings_;
  std::chrono::microseconds duration_{};
};

// All of them.
const std::vector<Subject::Kind>& subjects();
const Subject::Kind& subject(const std::string& name);

}  // namespace wave::test
