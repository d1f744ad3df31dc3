// See exclusion.h.
#include "analysis/optimize/exclusion.h"

namespace wave::analysis {

void Exclusion::add(std::uint64_t violated) {
  has_any_ = true;
  none_ &= violated;
  for (std::size_t i = 0; i < met_with_.size(); ++i) {
    if ((violated >> i & 1) == 0) met_with_[i] |= ~violated;
  }
}

std::vector<std::size_t> Exclusion::alone() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; has_any_ && i < met_with_.size(); ++i) {
    if ((none_ >> i & 1) != 0) result.push_back(i);
  }
  return result;
}

std::optional<std::pair<std::size_t, std::size_t>> Exclusion::pair() const {
  if (!has_any_ || !alone().empty()) return std::nullopt;
  for (std::size_t i = 0; i < met_with_.size(); ++i) {
    for (std::size_t j = i + 1; j < met_with_.size(); ++j) {
      if ((met_with_[i] >> j & 1) == 0) return std::pair(i, j);
    }
  }
  return std::nullopt;
}

}  // namespace wave::analysis
