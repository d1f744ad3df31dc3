// Turns Ctrl-C and SIGTERM into a request. The present work is told, and ends at the next good place. A second signal,
// or too long a wait for that place, ends the program.
#pragma once

#include <atomic>
#include <string>

namespace wave::cli {

class Interrupt {
 public:
  // The words, on standard error, with which the program ends if it must end at once. One object at a time.
  explicit Interrupt(std::string last_words = {});
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // As if it were pressed after so long.
  void press_after(double seconds);

  bool pressed() const { return flag().load(std::memory_order_relaxed); }
  // The flag, for code that polls it elsewhere.
  const std::atomic<bool>& flag() const;
  bool is_out_of_time() const;
  // What the program exits with then: as shells have it, 130 after Ctrl-C and 143 after SIGTERM; 1 where it is out of
  // time.
  int exit_code() const;
};

}  // namespace wave::cli
