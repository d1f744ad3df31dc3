// Interpolation, along the last axis first.
#include "ir/table.h"

#include <algorithm>

namespace wave::ir {

namespace {

using arithmetic::Result;

// Where a key lies: between keys[low] and keys[high]; low == high for a key of the table or beyond its ends with
// `step`.
struct Segment {
  std::size_t low = 0, high = 0;
};

Result<double> line(double x, double x0, double x1, double y0, double y1) {
  return y0 + (x - x0) * (y1 - y0) / (x1 - x0);
}

Result<double> interpolate(Interpolation kind, double x, double x0, double x1, double y0, double y1) {
  switch (kind) {
    case Interpolation::step:
    case Interpolation::exact: return y0;
    case Interpolation::linear: return line(x, x0, x1, y0, y1);
    case Interpolation::logarithmic: {
      if (!(x > 0 && x0 > 0 && y0 > 0 && y1 > 0)) return FailureKind::outside_domain;
      return std::exp(line(std::log(x), std::log(x0), std::log(x1), std::log(y0), std::log(y1)).value);
    }
  }
  return FailureKind::outside_table;
}

// The place of the largest key that is not greater than `x`; 0 if there is none. Keys that count one by one, as
// those of ranks and of rows do, are not searched.
std::size_t last_not_above(const std::vector<double>& keys, double x) {
  const double steps = x - keys.front();
  if (steps >= 0 && steps < static_cast<double>(keys.size())) {
    const auto guess = static_cast<std::size_t>(steps);
    if (keys[guess] == x) return guess;
  }
  const auto above = static_cast<std::size_t>(std::upper_bound(keys.begin(), keys.end(), x) - keys.begin());
  return above == 0 ? 0 : above - 1;
}

bool find(const Table& table, const std::vector<double>& keys, double x, Segment& segment) {
  const bool inside = x >= keys.front() && x <= keys.back();  // false for NaN
  if (!inside && (!table.extend || std::isnan(x))) return false;
  const std::size_t at = last_not_above(keys, x);
  if (keys[at] == x || keys.size() == 1 || (table.interpolation == Interpolation::step && !inside)) {
    segment = {at, at};
  } else {
    const std::size_t low = std::min(at, keys.size() - 2);
    segment = {low, low + 1};
  }
  return true;
}

Result<double> along(const Table& table, std::size_t axis, std::size_t row, const double* keys) {
  if (axis == table.keys.size()) return table.values[row];
  const std::vector<double>& own = table.keys[axis];
  Segment segment;
  if (!find(table, own, keys[axis], segment)) return FailureKind::outside_table;
  const Result<double> low = along(table, axis + 1, row * own.size() + segment.low, keys);
  if (low.failed || segment.low == segment.high) return low;
  const Result<double> high = along(table, axis + 1, row * own.size() + segment.high, keys);
  if (high.failed) return high;
  return interpolate(table.interpolation, keys[axis], own[segment.low], own[segment.high], low.value, high.value);
}

// The values whose first keys are these, narrowed from axis to axis.
Result<double> only_at(const Table& table, const double* keys) {
  std::size_t first = 0, last = table.values.size();
  for (std::size_t axis = 0; axis < table.keys.size(); ++axis) {
    const auto begin = table.keys[axis].begin();
    const auto [low, high] = std::equal_range(begin + static_cast<std::ptrdiff_t>(first),
                                              begin + static_cast<std::ptrdiff_t>(last), keys[axis]);
    first = static_cast<std::size_t>(low - begin), last = static_cast<std::size_t>(high - begin);
    if (first == last || std::isnan(keys[axis])) return table.otherwise.value();
  }
  return table.values[first];
}

}  // namespace

Result<double> lookup(const Table& table, const double* keys) {
  return table.interpolation == Interpolation::exact ? only_at(table, keys) : along(table, 0, 0, keys);
}

}  // namespace wave::ir
