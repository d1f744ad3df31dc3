// Runs of the program that can be killed.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wave::test {

struct Finished {
  int code = 0;      // of an exit
  int signal = 0;    // that ended it; 0: none
  std::string said;  // on both streams
};

class Run {
 public:
  // The program is started at once, in `folder`.
  Run(const std::string& folder, const std::vector<std::string>& arguments);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void send(int signal);
  bool has_ended();
  // Waits for the end.
  Finished finish();

 private:
  pid_t process_ = -1;
  std::string said_;  // a file
  std::optional<int> status_;
};

Finished run(const std::string& folder, const std::vector<std::string>& arguments);

// The number of a random test: WAVE_SEED, or one that is new every time. It is printed.
unsigned seed();

}  // namespace wave::test
