// What takes long: a user at a terminal sees how long it will take, and can interrupt it.
#pragma once

#include "backend/observer.h"
#include "base/clock.h"
#include "cli/console.h"
#include "frontend/format/quantities.h"

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

namespace wave::cli {

// "430 000 of 1 000 000 rows, 2.1 million a second, 0.3 s left".
std::string progress_text(std::string_view what, double done, double all, double seconds);
// "[##########..............]  43 %"
std::string progress_bar(double part);
using frontend::grouped;
using frontend::plural;

// A line that is rewritten now and then, once the work has taken a while. Only on a terminal.
class ProgressLine {
 public:
  ProgressLine(Console& console, std::string what, double all);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void advance(double done);

 private:
  Console& console_;
  const std::string what_;
  const double all_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_;
};

// Announces long evaluations before they begin: "start: 10^10 cells, about 1.2 s". Then it shows how much is done.
class EvaluationWatch final : public backend::Observer {
 public:
  // With `always`, also without a terminal, and for shorter evaluations.
  EvaluationWatch(Console& console, bool always) : console_(console), always_(always) {}
  ~EvaluationWatch() override;
  void begin(std::string_view name, double count, std::string_view what, double seconds) override;
  void advance(double part) override;

 private:
  Console& console_;
  const bool always_;
  std::string name_;
  std::chrono::steady_clock::time_point begin_, next_;
};

// Turns Ctrl-C, SIGTERM and the time limit that the user has given into a request: the work under way sees it, and ends
// where it can stop cleanly. A second signal, or too long a wait, ends the program.
class Interrupt {
 public:
  // `last_words` go to standard error if the program must end at once. There may be one object at a time. Where a
  // client asks, it alone stops the work.
  explicit Interrupt(const Console& console, std::string last_words = {});
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool pressed() const { return flag().load(std::memory_order_relaxed); }
  // The flag, for code that polls it elsewhere.
  const std::atomic<bool>& flag() const;
  bool is_out_of_time() const;
  // The program's exit code in that case: 130 after Ctrl-C and 143 after SIGTERM, as in shells, and 1 if it is out of
  // time.
  int exit_code() const;
  // The same, after saying what took longer than the time limit, if that was it, and what has become of it.
  int report_end(Console& console, std::string_view what, const std::string& kept) const;

 private:
  const Client* client_;
};

}  // namespace wave::cli
