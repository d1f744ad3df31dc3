// See clock_arrays.h. The loops are plain ones that a compiler turns into vector code.
#include "backend/processes/clock_arrays.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

namespace wave::backend::processes {

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr std::size_t sampled = 512;               // of an array
constexpr std::size_t at_a_time = 4096;            // compared before it is asked whether to go on

// Whether holds(array, i) for all i of all arrays.
template <class Holds>
bool for_all(const ClockArrays& arrays, Holds&& holds) {
  for (std::size_t array = 0; array < arrays.size(); ++array) {
    const std::size_t size = arrays[array].size();
    for (std::size_t begin = 0; begin < size; begin += at_a_time) {
      const std::size_t end = std::min(size, begin + at_a_time);
      if (!holds(array, begin, end)) return false;
    }
  }
  return true;
}

double rise_of(double before, double after) { return after == before ? 0 : after - before; }

template <class Function>
double largest_of(const ClockArrays& arrays, Function&& of) {
  double result = 0;
  for (std::size_t array = 0; array < arrays.size(); ++array) {
    for (std::size_t i = 0; i < arrays[array].size(); ++i) result = std::max(result, of(array, i));
  }
  return result;
}

double magnitude(double x) { return x == never ? 0 : std::fabs(x); }

}  // namespace

// --- copies ---

ClockSample::ClockSample(const ClockArrays& arrays) {
  for (const auto array : arrays) {
    const std::size_t count = std::min(sampled, array.size());
    for (std::size_t i = 0; i < count; ++i) {
      // Not all in one column of a grid.
      const std::size_t stretch = array.size() / count;
      const std::size_t place = i * array.size() / count + i * 7919 % stretch;
      values_.push_back(array[std::min(place, array.size() - 1)]);
    }
    values_.push_back(array.back());
  }
}

std::unique_ptr<ClockCopy> ClockCopy::make(IdenticalSteps& steps, const ClockArrays& arrays) {
  std::size_t count = 0;
  for (const auto array : arrays) count += array.size();
  const auto bytes = static_cast<std::int64_t>(count * sizeof(double));
  if (!steps.claim_memory(bytes)) return nullptr;
  std::unique_ptr<ClockCopy> copy(new ClockCopy(steps, bytes));
  try {
    for (const auto array : arrays) {
      copy->values_.emplace_back(new double[array.size()]);
      std::copy(array.begin(), array.end(), copy->values_.back().get());
      copy->arrays_.emplace_back(copy->values_.back().get(), array.size());
    }
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return copy;
}

ClockCopy::~ClockCopy() { steps_.claim_memory(-bytes_); }

bool ClockCopy::has_shape(const ClockArrays& other) const {
  return std::equal(arrays_.begin(), arrays_.end(), other.begin(), other.end(),
                    [](const auto a, const auto b) { return a.size() == b.size(); });
}

// --- comparisons ---

std::optional<double> rise(const ClockArrays& before, const ClockArrays& after) {
  std::optional<double> first;
  const auto is_found = [&](std::size_t array, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !first; ++i) {
      if (before[array][i] != never || after[array][i] != never) first = after[array][i] - before[array][i];
    }
    return !first;
  };
  for_all(before, is_found);
  const double by = first.value_or(0);
  const auto rises = [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const from = before[array].data();
    const double* const to = after[array].data();
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) others += to[i] != from[i] + by;
    return others == 0;
  };
  if (!std::isfinite(by) || !for_all(before, rises)) return std::nullopt;
  return by;
}

bool rise_or_rest(const ClockArrays& before, const ClockArrays& after, double rise) {
  return for_all(before, [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const from = before[array].data();
    const double* const to = after[array].data();
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) others += to[i] != from[i] + rise && to[i] != from[i];
    return others == 0;
  });
}

bool is_straight(const ClockArrays& first, const ClockArrays& second, const ClockArrays& third) {
  return for_all(first, [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const a = first[array].data();
    const double* const b = second[array].data();
    const double* const c = third[array].data();
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) others += a[i] + c[i] != 2 * b[i] || (a[i] == never) != (b[i] == never) || (b[i] == never) != (c[i] == never);
    return others == 0;
  });
}

double largest_rise(const ClockArrays& before, const ClockArrays& after) {
  return largest_of(before, [&](std::size_t array, std::size_t i) { return rise_of(before[array][i], after[array][i]); });
}

double largest(const ClockArrays& arrays) {
  return largest_of(arrays, [&](std::size_t array, std::size_t i) { return magnitude(arrays[array][i]); });
}

double largest_after(const ClockArrays& before, const ClockArrays& after, double times) {
  return largest_of(after, [&](std::size_t array, std::size_t i) {
    return magnitude(after[array][i]) + times * std::fabs(rise_of(before[array][i], after[array][i]));
  });
}

// --- moving on ---

void add(std::span<double> clocks, double time) {
  for (double& clock : clocks) clock += time;
}

void extrapolate(const ClockArrays& before, const ClockArrays& after, double times) { place_on_line(before, after, times, after); }

void place_on_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& to) {
  for (std::size_t array = 0; array < first.size(); ++array) {
    const double* const a = first[array].data();
    const double* const b = second[array].data();
    double* const c = to[array].data();
    for (std::size_t i = 0; i < first[array].size(); ++i) c[i] = b[i] + times * rise_of(a[i], b[i]);
  }
}

std::optional<double> leaves_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& clocks,
                                  double steepest) {
  std::optional<double> soonest;
  for (std::size_t array = 0; array < first.size(); ++array) {
    for (std::size_t i = 0; i < first[array].size(); ++i) {
      const double by = rise_of(first[array][i], second[array][i]);
      const double above = rise_of(second[array][i] + times * by, clocks[array][i]);
      if (above == 0) continue;
      const double when = above > 0 && steepest > by ? times - above / (steepest - by) : 0;
      soonest = std::min(soonest.value_or(when), when);
    }
  }
  return soonest;
}

}  // namespace wave::backend::processes
