// See clock_arrays.h. The loops are plain ones that a compiler turns into vector code.
#include "backend/processes/bulk/clock_arrays.h"

#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace wave::backend::processes {

namespace {

// Whether holds(array, i) for all i of all arrays.
template <class Holds>
bool for_all(const ClockArrays& arrays, Holds&& holds) {
  for (std::size_t array = 0; array < arrays.size(); ++array) {
    const std::size_t size = arrays[array].size();
    for (std::size_t begin = 0; begin < size; begin += clocks_compared_together) {
      const std::size_t end = std::min(size, begin + clocks_compared_together);
      if (!holds(array, begin, end)) return false;
    }
  }
  return true;
}

double rise_of(double before, double after) { return after == before ? 0 : after - before; }

double magnitude(double x) { return x == never ? 0 : std::fabs(x); }

// Largest values in several lanes, so that no addition of them waits for the one before.
class Largest {
 public:
  template <class Of>
  void add(std::size_t begin, std::size_t end, Of&& of) {
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double x = of(i + lane);
        values_[lane] = x > values_[lane] ? x : values_[lane];
      }
    }
    for (; i < end; ++i) values_[0] = std::max(values_[0], of(i));
  }
  double get() const { return *std::max_element(values_, values_ + lanes); }

 private:
  static constexpr std::size_t lanes = 8;
  double values_[lanes] = {};
};

}  // namespace

// --- copies ---

ClockSample::ClockSample(const ClockArrays& arrays) {
  for (const auto array : arrays) {
    const std::size_t count = std::min(most_clocks_sampled, array.size());
    for (std::size_t i = 0; i < count; ++i) {
      // Not all in one column of a grid.
      const std::size_t stretch = array.size() / count;
      const std::size_t place = i * array.size() / count + i * 7919 % stretch;
      values_.push_back(array[std::min(place, array.size() - 1)]);
    }
    values_.push_back(array.back());
  }
}

ClockMemory::~ClockMemory() {
  for (const auto& [size, values] : spare_) claim_(-static_cast<std::int64_t>(size * sizeof(double)));
}

ClockMemory::Values ClockMemory::take(std::size_t size) {
  if (const auto found = spare_.find(size); found != spare_.end()) {
    Values values = std::move(found->second);
    spare_.erase(found);
    return values;
  }
  const auto bytes = static_cast<std::int64_t>(size * sizeof(double));
  if (!claim_(bytes)) return nullptr;
  Values values(new (std::nothrow) double[size]);
  if (!values) claim_(-bytes);
  return values;
}

std::unique_ptr<ClockCopy> ClockCopy::make(ClockMemory& memory, const ClockArrays& arrays) {
  std::unique_ptr<ClockCopy> copy(new ClockCopy(memory));
  for (const auto array : arrays) {
    ClockMemory::Values values = memory.take(array.size());
    if (!values) return nullptr;
    std::copy(array.begin(), array.end(), values.get());
    copy->arrays_.emplace_back(values.get(), array.size());
    copy->values_.push_back(std::move(values));
  }
  return copy;
}

ClockCopy::~ClockCopy() {
  for (std::size_t i = 0; i < values_.size(); ++i) memory_.give_back(std::move(values_[i]), arrays_[i].size());
}

bool ClockCopy::has_shape(const ClockArrays& other) const {
  return std::equal(arrays_.begin(), arrays_.end(), other.begin(), other.end(),
                    [](const auto a, const auto b) { return a.size() == b.size(); });
}

// --- comparisons ---

std::optional<Rise> rise(const ClockArrays& before, const ClockArrays& after) {
  std::optional<double> first;
  const auto is_found = [&](std::size_t array, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !first; ++i) {
      if (before[array][i] != never || after[array][i] != never) first = after[array][i] - before[array][i];
    }
    return !first;
  };
  for_all(before, is_found);
  const double by = first.value_or(0);
  Largest largest;
  const auto rises = [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const from = before[array].data();
    const double* const to = after[array].data();
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) others += to[i] != from[i] + by;
    if (others > 0) return false;
    largest.add(begin, end, [&](std::size_t i) { return magnitude(to[i]); });
    return true;
  };
  if (!std::isfinite(by) || !for_all(before, rises)) return std::nullopt;
  return Rise{by, largest.get()};
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

std::optional<Rise> straight_rise(const ClockArrays& first, const ClockArrays& second, const ClockArrays& third) {
  Largest steepest, largest;
  const auto rises = [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const a = first[array].data();
    const double* const b = second[array].data();
    const double* const c = third[array].data();
    std::size_t others = 0;
    for (std::size_t i = begin; i < end; ++i) {
      others += (a[i] + c[i] != 2 * b[i]) | ((a[i] == never) != (b[i] == never)) | ((b[i] == never) != (c[i] == never));
    }
    if (others > 0) return false;
    steepest.add(begin, end, [&](std::size_t i) { return rise_of(b[i], c[i]); });
    largest.add(begin, end, [&](std::size_t i) { return magnitude(c[i]); });
    return true;
  };
  if (!for_all(first, rises)) return std::nullopt;
  return Rise{steepest.get(), largest.get()};
}

bool rise_alike(const ClockArrays& before, const ClockArrays& after) {
  std::vector<double> rises;
  return for_all(before, [&](std::size_t array, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double by = rise_of(before[array][i], after[array][i]);
      if (std::find(rises.begin(), rises.end(), by) == rises.end()) rises.push_back(by);
      if (rises.size() > most_different_rises) return false;
    }
    return true;
  });
}

double largest_after(const ClockArrays& before, const ClockArrays& after, double times) {
  Largest largest;
  for_all(before, [&](std::size_t array, std::size_t begin, std::size_t end) {
    const double* const from = before[array].data();
    const double* const to = after[array].data();
    largest.add(begin, end,
                [&](std::size_t i) { return magnitude(to[i]) + times * std::fabs(rise_of(from[i], to[i])); });
    return true;
  });
  return largest.get();
}

// --- moving on ---

void add(std::span<double> clocks, double time) {
  for (double& clock : clocks) clock += time;
}

void extrapolate(const ClockArrays& before, const ClockArrays& after, double times) {
  place_on_line(before, after, times, after);
}

void place_on_line(const ClockArrays& first, const ClockArrays& second, double times, const ClockArrays& to) {
  for (std::size_t array = 0; array < first.size(); ++array) {
    const double* const a = first[array].data();
    const double* const b = second[array].data();
    double* const c = to[array].data();
    for (std::size_t i = 0; i < first[array].size(); ++i) c[i] = b[i] + times * rise_of(a[i], b[i]);
  }
}

std::optional<double> leaves_line(const ClockArrays& first, const ClockArrays& second, double times,
                                  const ClockArrays& clocks, double steepest) {
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
