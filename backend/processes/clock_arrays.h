// Comparing the clocks of all processes between steps, and moving them on. All clocks are multiples of the quantum, and
// small enough for sums of them to be exact; -infinity stays what it is.
#pragma once

#include "backend/processes/identical_steps.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

using ClockArrays = std::vector<std::span<double>>;

// A few clocks of each array, at the same places every time.
class ClockSample {
 public:
  explicit ClockSample(const ClockArrays& arrays);
  ClockArrays arrays() { return {values_}; }

 private:
  std::vector<double> values_;
};

// Memory claimed for as long as it lives.
class ClockCopy {
 public:
  // Null: there is no memory.
  static std::unique_ptr<ClockCopy> make(IdenticalSteps& steps, const ClockArrays& arrays);
  ~ClockCopy();
  ClockCopy(const ClockCopy&) = delete;
  const ClockArrays& arrays() const { return arrays_; }
  bool has_shape(const ClockArrays& other) const;

 private:
  ClockCopy(IdenticalSteps& steps, std::int64_t bytes) : steps_(steps), bytes_(bytes) {}
  IdenticalSteps& steps_;
  std::int64_t bytes_;
  std::vector<std::unique_ptr<double[]>> values_;
  ClockArrays arrays_;
};

// Of arrays of the same shape.

// By what all clocks have risen, where it is the same.
std::optional<double> rise(const ClockArrays& before, const ClockArrays& after);
// Whether each has risen by that much, or not at all.
bool rise_or_rest(const ClockArrays& before, const ClockArrays& after, double rise);
// Whether each has risen by the same from the first to the second as from the second to the third.
bool is_straight(const ClockArrays& first, const ClockArrays& second, const ClockArrays& third);
double largest_rise(const ClockArrays& before, const ClockArrays& after);
// The largest absolute value, but for -infinity.
double largest(const ClockArrays& arrays);
// The same, where each goes on by `times` its rise.
double largest_after(const ClockArrays& before, const ClockArrays& after, double times);
void add(std::span<double> clocks, double time);
// `after` goes on by `times` its rise.
void extrapolate(const ClockArrays& before, const ClockArrays& after, double times);
// On the line through `first` and `second`, `times` rises behind `second`.
void place_on_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& to);
// Whether `clocks` are there; else, after how many rises the first of them would leave the line if from there on it rose as
// fast as `steepest`.
std::optional<double> leaves_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& clocks,
                                  double steepest);

}  // namespace wave::backend::processes
