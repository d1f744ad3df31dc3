// Many steps that do the same to the clocks of all processes: the tiles of a sweep, or the iterations of a loop. Only
// as many of them are evaluated as it takes to know the outcome of the others. docs/shortcuts.md has the proof.
//
// A step takes clocks x to F(x), whose every element is a largest of x[j] + w[j]. So F(x + c) = F(x) + c: if a step
// adds one number to every clock, all further ones add it, too. And t -> F(x + t r) is convex: if it goes through y, y
// + r and y + K r at t = 0, 1 and K then it is y + t r at every t between. Three steps whose clocks rise by the same r,
// each process by its own, and one more that is evaluated where they would be after K of them, tell of all K.
#pragma once

#include "backend/processes/thresholds.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wave::backend::processes {

class ClockMemory;  // clock_arrays.h

class IdenticalSteps {
 public:
  virtual ~IdenticalSteps() = default;
  // Evaluates this many steps. False: it has been told to stop.
  virtual bool evaluate(std::int64_t steps) = 0;
  // All that a step reads, as one of several clocks of each process; -infinity where there is none. Arrays may be added
  // by the first steps. Empty: a step depends on more than that, or leaves more behind.
  virtual std::vector<std::span<double>> clocks() = 0;
  // Arrays to which steps add differences of clocks, and which they do not read.
  virtual std::vector<std::span<double>> sums() { return {}; }
  // Clocks that steps write, or leave as they are, and do not read.
  virtual std::vector<std::span<double>> marks() { return {}; }
  // Called while steps do not repeat: if none can be skipped, the rest takes about this long. May throw.
  virtual void expect(double /*seconds*/) {}
  // The first array of clocks will not stay below `exact_below`: its largest will be at least this. May throw; steps
  // are evaluated one by one otherwise.
  virtual void exceed(double /*clock*/) {}
  // For copies of the clocks.
  virtual ClockMemory& memory() = 0;
};

struct StepCount {
  std::int64_t steps = 0;
  std::int64_t together = 1;  // that are best evaluated at a time
  double exact_below = 0;     // times whose absolute value is less are sums without rounding
  // So many times `together` are worth the copies and comparisons that it takes where processes rise by different
  // amounts.
  std::int64_t least_skip = least_skip_in_cache;
};

struct StepsTaken {
  std::int64_t evaluated = 0;  // fewer than `steps`: the others were not
  bool is_stopped = false;
};

// The state after all steps, bit for bit.
StepsTaken take_steps(IdenticalSteps& steps, const StepCount& count);

}  // namespace wave::backend::processes
