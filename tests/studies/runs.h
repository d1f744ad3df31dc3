// Runs the program so that it can be killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace wave::test {

struct Finished {
  int code = 0;      // the exit code
  int signal = 0;    // the signal that ended it, or 0
  std::string said;  // on both standard output and standard error
  double cpu_seconds = 0;
  std::int64_t peak_bytes = 0;  // of memory
};

class Run {
 public:
  // Starts the program at once, in `folder`.
  Run(const std::string& folder, const std::vector<std::string>& arguments);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void send(int signal);
  bool has_ended();
  // Of processors, so far.
  double cpu_seconds() const;
  // Waits until the program ends.
  Finished finish();

 private:
  pid_t process_ = -1;
  std::string said_;  // the file with its output
  std::optional<int> status_;
  rusage used_{};
};

Finished run(const std::string& folder, const std::vector<std::string>& arguments);

// The seed of a random test: WAVE_SEED, or a new one every time. Prints it.
unsigned seed();

}  // namespace wave::test
