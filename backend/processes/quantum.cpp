// See quantum.h.
#include "backend/processes/quantum.h"

#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace wave::backend::processes {

namespace {

constexpr double safety = 2;
constexpr int largest_exponent = 1000;  // of a bound; far below overflow

std::set<std::vector<std::int64_t>> samples(const std::vector<std::int64_t>& extents) {
  std::set<std::vector<std::int64_t>> result;
  const std::size_t axes = std::min(extents.size(), most_cornered_axes);
  for (std::size_t corner = 0; corner < (std::size_t{1} << axes); ++corner) {
    std::vector<std::int64_t> point(extents.size(), 1);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (corner >> axis & 1) point[axis] = extents[axis];
    }
    result.insert(std::move(point));
  }
  std::vector<std::int64_t> middle;
  for (const std::int64_t extent : extents) middle.push_back((extent + 1) / 2);
  result.insert(extents);
  result.insert(std::move(middle));
  return result;
}

}  // namespace

Guess guess_quantum(Scalars& scalars, const ir::Process& process, const Places& places, const ir::FreeBinders& binders,
                    const std::function<void()>& look_at_clock) {
  LoadWalk walk(scalars, process, places, binders, look_at_clock, most_iterations_guessed);
  Guess guess;
  double count = 0, least = std::numeric_limits<double>::infinity();
  for (const auto& point : samples(places.extents)) {
    const Load load = walk.load(point);
    guess.bound = std::max(guess.bound, safety * load.time);
    count = std::max(count, load.count);
    least = std::min(least, load.count);
  }
  guess.summands = count * static_cast<double>(places.count());
  guess.least_summands = least * static_cast<double>(places.count());
  int exponent = largest_exponent;
  if (std::isfinite(guess.bound)) std::frexp(guess.bound, &exponent);
  exponent = std::min(exponent, largest_exponent);
  guess.quantum = guess.bound == 0 ? 0x1p-52 : std::ldexp(1.0, std::max(exponent - 52, -1022));
  return guess;
}

double next_quantum(double quantum, double finish, bool has_resources) {
  constexpr double largest = 0x1p960;
  if (finish < 0x1p52 * quantum || quantum >= largest) return quantum;
  if (has_resources) return 2 * quantum;
  if (!std::isfinite(finish)) return quantum * 0x1p64;
  while (!(finish < 0x1p52 * quantum)) quantum *= 2;
  return quantum;
}

}  // namespace wave::backend::processes
