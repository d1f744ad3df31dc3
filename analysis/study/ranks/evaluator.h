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

// Why points cannot be computed, as one that has been told to stop cannot.
struct Trouble {
  std::string text;
};

struct Work {
  // What is found at the points of a range. One call at a time, on a thread of its own; what it throws is trouble too.
  std::function<std::variant<std::string, Trouble>(PointRange)> compute;
  // Makes the present call, and all later ones, end soon. Called from another thread.
  std::function<void()> stop = [] {};
};

class Evaluator {
 public:
  struct Result {
    PointRange range;                  // as it was given
    std::vector<ComputedRange> parts;  // from its beginning, one after the other; at least one unless there is trouble
    double seconds = 0;
    std::optional<Trouble> trouble;
  };

  // A range that takes much longer than `seconds` is left unfinished: where costs rise suddenly, the rest is for all
  // ranks.
  Evaluator(Work work, double seconds);
  // Stops the work, and waits until it has.
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Nothing is being computed, and the last result was taken.
  bool is_idle() const { return idle_; }
  void start(PointRange range);
  void stop() { work_.stop(); }
  // The result, once there is one. Waits at most this long.
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
