// See crossing.h.
#include "analysis/compare/crossing.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace wave::analysis {

namespace {

// How many points to look at between the listed ones if not all are, and how many values a piece has if all are.
constexpr std::size_t points_between = 256;
constexpr std::uint64_t values_a_piece = std::uint64_t{1} << 16;

template <class Value>
using Known = std::map<Value, TwoValues>;

template <class Value>
bool look(Known<Value>& known, std::vector<Value> values, const EvaluateSides<Value>& evaluate) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::erase_if(values, [&](Value value) { return known.count(value) != 0; });
  if (values.empty()) return true;
  const auto found = evaluate(values);
  if (found.size() != values.size()) return false;
  for (std::size_t i = 0; i < values.size(); ++i) known[values[i]] = found[i];
  return true;
}

// A value between two neighbours where one side overtakes the other, as long as there is one.
template <class Value, class Between>
bool close_in(Known<Value>& known, const EvaluateSides<Value>& evaluate, const Between& between) {
  for (;;) {
    std::vector<Value> wanted;
    for (auto here = known.begin(), next = std::next(here); next != known.end(); ++here, ++next) {
      if (smaller(here->second) == smaller(next->second)) continue;
      const Value middle = between(here->first, next->first);
      if (middle > here->first && middle < next->first) wanted.push_back(middle);
    }
    if (wanted.empty()) return true;
    if (!look(known, std::move(wanted), evaluate)) return false;
  }
}

template <class Value>
std::vector<Stretch<Value>> stretches_of(const Known<Value>& known) {
  std::vector<Stretch<Value>> stretches;
  for (const auto& [value, sides] : known) {
    const Smaller which = smaller(sides);
    if (stretches.empty() || stretches.back().which != which) stretches.push_back({value, value, sides, sides, which});
    stretches.back().end = value;
    stretches.back().at_end = sides;
  }
  return stretches;
}

// What is known about a range of integers if every value is looked at, a stretch at a time.
class Sequence {
 public:
  void add(std::int64_t value, const TwoValues& sides) {
    const Smaller which = smaller(sides);
    if (stretches.empty() || stretches.back().which != which) stretches.push_back({value, value, sides, sides, which});
    stretches.back().end = value;
    stretches.back().at_end = sides;
  }
  std::vector<Stretch<std::int64_t>> stretches;
};

// Written so that nothing overflows.
std::int64_t middle_of(std::int64_t a, std::int64_t b) {
  return a + static_cast<std::int64_t>((static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)) / 2);
}

}  // namespace

Smaller smaller(const TwoValues& sides) {
  if (!std::isfinite(sides.first) || !std::isfinite(sides.second)) return Smaller::unknown;
  if (sides.first == sides.second) return Smaller::equal;
  return sides.first < sides.second ? Smaller::first : Smaller::second;
}

IntegerCrossings find_crossings(std::int64_t first, std::int64_t last, std::span<const std::int64_t> listed,
                                const EvaluateSides<std::int64_t>& evaluate,
                                const std::function<bool(std::uint64_t left)>& may_go_on) {
  IntegerCrossings result;
  const std::uint64_t distance = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  Known<std::int64_t> known;
  std::vector<std::int64_t> points{first, last};
  for (const std::int64_t value : listed) {
    if (value >= first && value <= last) points.push_back(value);
  }
  for (std::size_t k = 1; k < points_between; ++k) {
    // distance * k / points_between, which may be more than 64 bits on the way.
    const std::uint64_t part = distance / points_between * k + distance % points_between * k / points_between;
    points.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + part));
  }
  if (!look(known, std::move(points), evaluate)) return result;
  Sequence all;
  std::uint64_t at = 0;  // first + at comes next
  bool is_whole = distance < known.size();
  while (!is_whole && may_go_on(distance - at + 1)) {
    const std::uint64_t end = distance - at < values_a_piece ? distance : at + values_a_piece - 1;
    std::vector<std::int64_t> piece;
    for (std::uint64_t i = at; i <= end; ++i)
      piece.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + i));
    const auto found = evaluate(piece);
    if (found.size() != piece.size()) return result;
    for (std::size_t i = 0; i < piece.size(); ++i) all.add(piece[i], found[i]);
    is_whole = end == distance;
    at = end + 1;
  }
  if (is_whole && at > 0) {
    result.stretches = std::move(all.stretches);
    result.looked_at = distance + 1;
    return result;
  }
  for (const auto& stretch : all.stretches) {
    known[stretch.begin] = stretch.at_begin;
    known[stretch.end] = stretch.at_end;
  }
  if (!close_in<std::int64_t>(known, evaluate, middle_of)) return result;
  result.stretches = stretches_of(known);
  result.looked_at = std::max<std::uint64_t>(at, 0) + known.size();
  if (is_whole)
    result.looked_at = distance + 1;
  else if (at > 0)
    result.looked_at = at + static_cast<std::uint64_t>(std::count_if(known.begin(), known.end(), [&](const auto& one) {
                         return static_cast<std::uint64_t>(one.first) - static_cast<std::uint64_t>(first) >= at;
                       }));
  return result;
}

RealCrossings find_crossings(std::span<const double> points, double tolerance, const EvaluateSides<double>& evaluate) {
  RealCrossings result;
  Known<double> known;
  if (points.empty() || !look(known, {points.begin(), points.end()}, evaluate)) return result;
  const auto between = [&](double a, double b) {
    const double size = std::max(std::fabs(a), std::fabs(b));
    return b - a <= tolerance * size ? a : a + (b - a) / 2;
  };
  if (!close_in<double>(known, evaluate, between)) return result;
  result.stretches = stretches_of(known);
  result.looked_at = known.size();
  return result;
}

std::vector<double> spread_points(double first, double last, std::size_t count, bool geometric) {
  std::vector<double> points{first};
  for (std::size_t k = 1; k + 1 < count; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(count - 1);
    const double point = geometric ? first * std::pow(last / first, part) : first + (last - first) * part;
    if (point > points.back() && point < last) points.push_back(point);
  }
  if (last > first) points.push_back(last);
  return points;
}

}  // namespace wave::analysis
