// Computes ranges of points on a thread of its own, while another one speaks with the other ranks.
#pragma once

#include "analysis/study/ranks/scheduler.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <variant>

namespace wave::ranks {

// A range and its results, as bytes that only their writer understands.
struct ComputedRange {
  PointRange range;
  std::string bytes;
};

// Why points cannot be computed, for instance because the work was told to stop.
struct Trouble {
  std::string text;
};

struct Work {
  // Returns what is found at the points of a range. Called on a thread of its own, one call at a time. An exception is
  // trouble, too.
  std::function<std::variant<std::string, Trouble>(PointRange)> compute;
  // Makes the present call, and all later ones, end soon. Called from another thread.
  std::function<void()> stop = [] {};
};

class Evaluator {
 public:
  struct Result {
    PointRange range;  // as it was given
    // From the beginning of the range, one after the other. At least one unless there is trouble.
    std::vector<ComputedRange> parts;
    double seconds = 0;
    std::optional<Trouble> trouble;
  };

  // A range that takes much longer than `seconds` is left unfinished. So where costs rise suddenly, all ranks share the
  // rest.
  Evaluator(Work work, double seconds);
  // Stops the work, and waits until it has ended.
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Whether nothing is being computed, and the last result was taken.
  bool is_idle() const { return idle_; }
  void start(PointRange range);
  void stop() { work_.stop(); }
  // The result, if there is one. Waits for it, but no longer than `pause`.
  std::optional<Result> wait(std::chrono::microseconds pause);

 private:
  void run();
  Result compute(PointRange range) const;

  const Work work_;
  const double seconds_;
  bool idle_ = true;  // of the thread that asks
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<PointRange> wanted_;
  std::optional<Result> result_;
  bool ended_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace wave::ranks
