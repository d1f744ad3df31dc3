// See failures.h.
#include "analysis/tables/failures.h"

#include <algorithm>

namespace wave::analysis {

std::uint64_t count_rows(const std::vector<FailedRows>& failed) {
  std::uint64_t count = 0;
  for (const auto& one : failed) count += one.rows.size();
  return count;
}

void FailureList::add(std::size_t row, const RowFailure& failure) {
  if (is_failed_[row]) return;
  is_failed_[row] = true;
  auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.same_way(failure); });
  if (found == all_.end()) found = all_.insert(found, FailedRows{failure, {}});
  if (!found->rows.empty() && row < found->rows.front()) {
    found->diagnostic = failure.diagnostic;
    found->rows.insert(found->rows.begin(), row);
    return;
  }
  found->rows.push_back(row);
}

std::vector<FailedRows> FailureList::take() {
  for (auto& one : all_) std::sort(one.rows.begin(), one.rows.end());
  std::sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.rows.front() < b.rows.front(); });
  return std::move(all_);
}

void append_failed(std::vector<FailedRows>& all, const std::vector<FailedRows>& more, std::uint64_t offset) {
  for (const auto& one : more) {
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.same_way(one); });
    if (found == all.end()) found = all.insert(found, FailedRows{one, {}});
    const auto before = static_cast<std::ptrdiff_t>(found->rows.size());
    for (const std::uint64_t row : one.rows) found->rows.push_back(offset + row);
    std::inplace_merge(found->rows.begin(), found->rows.begin() + before, found->rows.end());
  }
}

}  // namespace wave::analysis
