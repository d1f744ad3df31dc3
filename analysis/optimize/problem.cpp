// See problem.h.
#include "analysis/optimize/problem.h"

#include <algorithm>

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
    points *= one.is_interval ? (one.low < one.high ? infinity : 1) : static_cast<double>(one.size());
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

namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return a.costs != b.costs ? a.costs < b.costs : a.at < b.at;
}

}  // namespace

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

Best::Best(std::size_t goals, std::size_t most, std::vector<bool> intervals)
    : goals_(goals), most_(std::max<std::size_t>(most, 1)), intervals_(std::move(intervals)) {
  has_intervals_ = std::find(intervals_.begin(), intervals_.end(), true) != intervals_.end();
}

bool Best::same_place(const Candidate& a, std::span<const double> at) const {
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool matters = intervals_.empty() || !intervals_[i];
    if (matters && a.at[i] != at[i]) return false;
  }
  return true;
}

void Best::offer(std::span<const double> at, std::span<const double> costs) {
  if (goals_ == 1 && list_.size() == most_ && costs[0] > list_.back().costs[0]) return;
  Candidate one{{at.begin(), at.end()}, {costs.begin(), costs.end()}, 0};
  for (double& cost : one.costs) cost += 0.0;  // -0 is 0
  if (goals_ == 1)
    offer_to_list(std::move(one));
  else
    offer_to_front(std::move(one));
}

void Best::offer_to_list(Candidate&& one) {
  if (has_intervals_) {
    const auto same =
        std::find_if(list_.begin(), list_.end(), [&](const Candidate& old) { return same_place(old, one.at); });
    if (same != list_.end()) {
      if (!comes_before(one, *same)) return;
      list_.erase(same);
    }
  }
  const auto place = std::lower_bound(list_.begin(), list_.end(), one, comes_before);
  if (place != list_.end() && place->at == one.at && place->costs == one.costs) return;
  if (list_.size() < most_) {
    list_.insert(place, std::move(one));
    return;
  }
  const double last = list_.back().costs[0];
  if (place == list_.end()) {
    ++more_equals_;  // worse points were rejected before
    return;
  }
  list_.insert(place, std::move(one));
  list_.pop_back();
  more_equals_ = list_.back().costs[0] == last ? more_equals_ + 1 : 0;
}

void Best::offer_to_front(Candidate&& one) {
  for (std::size_t i = 0; i < list_.size(); ++i) {
    Candidate& old = list_[i];
    if (old.costs == one.costs) {
      if (old.at == one.at) return;
      if (has_intervals_ && same_place(old, one.at)) return;
      if (one.at < old.at) old.at = std::move(one.at);
      ++old.equals;
      return;
    }
    if (!dominates(old.costs, one.costs)) continue;
    // A point that has dominated one is likely to dominate another.
    if (i > 0) std::swap(list_[i], list_[i / 2]);
    return;
  }
  std::erase_if(list_, [&](const Candidate& old) { return dominates(one.costs, old.costs); });
  if (list_.size() >= most_of_front) {
    overflowed_ = true;
    return;
  }
  list_.push_back(std::move(one));
}

void Best::merge(const Best& other) {
  for (const Candidate& one : other.list_) offer(one.at, one.costs);
}

std::vector<Candidate> Best::sorted() const {
  auto result = list_;
  if (goals_ > 1) std::sort(result.begin(), result.end(), comes_before);
  return result;
}

bool Best::excludes(std::span<const double> lower) const {
  if (goals_ == 1) return lower[0] > threshold();
  return std::any_of(list_.begin(), list_.end(), [&](const Candidate& one) { return dominates(one.costs, lower); });
}

double Best::threshold() const { return list_.size() < most_ ? infinity : list_.back().costs[0]; }

double Best::least() const {
  double least = infinity;
  if (goals_ == 0) return least;
  for (const Candidate& one : list_) least = std::min(least, one.costs[0]);
  return least;
}

// --- exclusion ---

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
