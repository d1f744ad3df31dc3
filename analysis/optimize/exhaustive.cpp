// Every point, in the order of the product. See strategies.h.
#include "analysis/optimize/strategies.h"

namespace wave::analysis {
namespace {

constexpr std::size_t points_at_once = 1 << 16;

// The next point; false: that was the last.
bool advance(std::vector<double>& at, const Box& box) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (at[i] < box.high[i]) {
      at[i] += 1;
      return true;
    }
    at[i] = box.low[i];
  }
  return false;
}

}  // namespace

bool evaluate_all(Oracle& oracle) {
  if (oracle.problem().size() == 0) return true;
  const Box box = oracle.problem().whole();
  std::vector<double> at = box.low;
  Points points(at.size());
  for (bool more = true; more;) {
    points.clear();
    while (more && points.size() < points_at_once) {
      points.add(at);
      more = advance(at, box);
    }
    if (!oracle.ask(points)) return false;
  }
  return true;
}

}  // namespace wave::analysis
