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
    case Interpolation::step: return y0;
    case Interpolation::linear: return line(x, x0, x1, y0, y1);
    case Interpolation::logarithmic: {
      if (!(x > 0 && x0 > 0 && y0 > 0 && y1 > 0)) return FailureKind::outside_domain;
      return std::exp(line(std::log(x), std::log(x0), std::log(x1), std::log(y0), std::log(y1)).value);
    }
  }
  return FailureKind::outside_table;
}

bool find(const Table& table, const std::vector<double>& keys, double x, Segment& segment) {
  const bool inside = x >= keys.front() && x <= keys.back();  // false for NaN
  if (!inside && (!table.extend || std::isnan(x))) return false;
  const auto above = static_cast<std::size_t>(std::upper_bound(keys.begin(), keys.end(), x) - keys.begin());
  const std::size_t at = above == 0 ? 0 : above - 1;  // the largest key that is not greater, or the first
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

}  // namespace

Result<double> lookup(const Table& table, const double* keys) { return along(table, 0, 0, keys); }

}  // namespace wave::ir
