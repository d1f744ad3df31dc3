// Runs the program so that it can be killed, or disturbed otherwise.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
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
  // Starts the program at once, in `folder`. `prepare` is called in the new process before: false is no start.
  Run(const std::string& folder, const std::vector<std::string>& arguments, const std::function<bool()>& prepare = {});
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void send(int signal);
  bool has_ended();
  // Of processors, so far.
  double cpu_seconds() const;
  // Waits until the program ends.
  Finished finish();

  // For who waits for the process himself, and then tells how it ended.
  pid_t process() const { return process_; }
  void ended_with(int status) { status_ = status; }

 private:
  pid_t process_ = -1;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> said_;  // its output, in a file without a name
  std::optional<int> status_;
  rusage used_{};
};

Finished run(const std::string& folder, const std::vector<std::string>& arguments,
             const std::function<bool()>& prepare = {});

// The seed of a random test: WAVE_SEED, or a new one every time. Prints it.
unsigned seed();

// How often a random test tries: WAVE_COUNT, or as often as it does by itself.
int count_of_trials(int unless_given);

}  // namespace wave::test
