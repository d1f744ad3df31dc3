// See problem.h.
#include "analysis/optimize/problem.h"

#include <algorithm>
#include <limits>

namespace wave::analysis {

std::uint64_t Domain::size() const {
  return std::visit([](const auto& list) { return static_cast<std::uint64_t>(list.size()); }, values);
}

double Domain::value(double at) const {
  if (is_interval) return at;
  return std::visit([&](const auto& list) { return static_cast<double>(list[static_cast<std::size_t>(at)]); }, values);
}

Points Points::part(std::size_t begin, std::size_t end) const {
  Points result(width_);
  result.at_.assign(at_.begin() + static_cast<std::ptrdiff_t>(begin * width_),
                    at_.begin() + static_cast<std::ptrdiff_t>(end * width_));
  return result;
}

double Problem::size() const {
  double points = 1;
  for (const Domain& one : domains) {
    points *= one.is_interval ? (one.low < one.high ? std::numeric_limits<double>::infinity() : 1)
                              : static_cast<double>(one.size());
  }
  return points;
}

Box Problem::whole() const {
  Box box;
  for (const Domain& one : domains) {
    box.low.push_back(one.is_interval ? one.low : 0);
    box.high.push_back(one.is_interval ? one.high : static_cast<double>(one.size()) - 1);
  }
  return box;
}

bool Problem::has_intervals() const {
  return std::any_of(domains.begin(), domains.end(), [](const Domain& one) { return one.is_interval; });
}

}  // namespace wave::analysis
