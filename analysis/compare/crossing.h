// Finds where one of two sides overtakes the other, along a parameter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace wave::analysis {

// Which side is the smaller.
enum class Smaller : std::uint8_t { first, second, equal, unknown };  // unknown if one of them has no value

struct TwoValues {
  double first = 0, second = 0;
};  // NaN where there is no value
Smaller smaller(const TwoValues& sides);

// A stretch of values of the parameter over which the same side stays the smaller, as far as was looked.
template <class Value>
struct Stretch {
  Value begin{}, end{};  // the first and the last value that was looked at
  TwoValues at_begin, at_end;
  Smaller which{};
};

// --- integers ---

struct IntegerCrossings {
  std::vector<Stretch<std::int64_t>>
      stretches;                // without gaps: the end of one and the begin of the next are neighbours
  std::uint64_t looked_at = 0;  // how many values; `last - first + 1` if all of them
};

// Evaluates both sides for values of the parameter. The result is empty if it was told to stop (out of time, say).
template <class Value>
using EvaluateSides = std::function<std::vector<TwoValues>(std::span<const Value>)>;

// Evaluates all values in `first..last` as long as `may_go_on(left)` allows it. That is asked before each piece of the
// range, with the number of values left. If it refuses, the search goes on with the values so far, with those `listed`
// and with some between them. Wherever the sides change places between two of these, it evaluates more values until it
// finds neighbours. An empty answer of `evaluate` ends the search without any stretches.
IntegerCrossings find_crossings(std::int64_t first, std::int64_t last, std::span<const std::int64_t> listed,
                                const EvaluateSides<std::int64_t>& evaluate,
                                const std::function<bool(std::uint64_t left)>& may_go_on);

// --- reals ---

struct RealCrossings {
  std::vector<Stretch<double>> stretches;  // the end of one and the begin of the next are as near as `tolerance` says
  std::uint64_t looked_at = 0;
};

// `points` rise. Further values are evaluated only between points where the sides change places. `tolerance` is
// relative to the values.
RealCrossings find_crossings(std::span<const double> points, double tolerance, const EvaluateSides<double>& evaluate);

// `count` points from `first` to `last`, at equal distances or, if `geometric`, with equal ratios. Then both are above
// 0.
std::vector<double> spread_points(double first, double last, std::size_t count, bool geometric);

}  // namespace wave::analysis
