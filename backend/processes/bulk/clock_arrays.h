// Comparing the clocks of all processes between steps, and moving them on. All clocks are multiples of the quantum, and
// small enough for sums of them to be exact; -infinity stays what it is.
#pragma once

#include "backend/processes/bulk/identical_steps.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
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

// Memory for copies, which is kept for the next ones until this is destroyed.
class ClockMemory {
 public:
  // `claim`: bytes, or bytes given back (negative); false: the limit is exceeded.
  explicit ClockMemory(std::function<bool(std::int64_t bytes)> claim) : claim_(std::move(claim)) {}
  ~ClockMemory();
  ClockMemory(const ClockMemory&) = delete;

 private:
  friend class ClockCopy;
  using Values = std::unique_ptr<double[]>;
  Values take(std::size_t size);  // null: there is none
  void give_back(Values values, std::size_t size) { spare_.emplace(size, std::move(values)); }
  std::function<bool(std::int64_t)> claim_;
  std::multimap<std::size_t, Values> spare_;
};

class ClockCopy {
 public:
  // Null: there is no memory.
  static std::unique_ptr<ClockCopy> make(ClockMemory& memory, const ClockArrays& arrays);
  ~ClockCopy();
  ClockCopy(const ClockCopy&) = delete;
  const ClockArrays& arrays() const { return arrays_; }
  bool has_shape(const ClockArrays& other) const;

 private:
  explicit ClockCopy(ClockMemory& memory) : memory_(memory) {}
  ClockMemory& memory_;
  std::vector<ClockMemory::Values> values_;
  ClockArrays arrays_;
};

// Of arrays of the same shape.

// By what all clocks have risen, where it is the same, and the largest afterwards.
struct Rise {
  double by = 0, largest = 0;
};
std::optional<Rise> rise(const ClockArrays& before, const ClockArrays& after);
// Whether each has risen by that much, or not at all.
bool rise_or_rest(const ClockArrays& before, const ClockArrays& after, double rise);
// Where each has risen by the same from the first to the second as from the second to the third: by how much the one
// that has risen most, and the largest of the third.
std::optional<Rise> straight_rise(const ClockArrays& first, const ClockArrays& second, const ClockArrays& third);
// Whether clocks have risen by few different amounts, so that they might go on rising by them.
bool rise_alike(const ClockArrays& before, const ClockArrays& after);
// The largest absolute value, but for -infinity, where each goes on by `times` its rise.
double largest_after(const ClockArrays& before, const ClockArrays& after, double times);
void add(std::span<double> clocks, double time);
// `after` goes on by `times` its rise.
void extrapolate(const ClockArrays& before, const ClockArrays& after, double times);
// On the line through `first` and `second`, `times` rises behind `second`.
void place_on_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& to);
// Whether `clocks` are there; else, after how many rises the first of them would leave the line if from there on it
// rose as fast as `steepest`.
std::optional<double> leaves_line(const ClockArrays& first, const ClockArrays& second, double times,
                                  const ClockArrays& clocks, double steepest);

}  // namespace wave::backend::processes
