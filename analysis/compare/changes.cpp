// See changes.h.
#include "analysis/compare/changes.h"

#include "analysis/uncertainty/draws.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace wave::analysis {

Changes::Changes(std::size_t count, std::uint64_t seed) : count_(count) {
  if (is_exact())
    add_all();
  else
    add_orders(seed);
}

void Changes::add_all() {
  for (std::size_t set = 0; set < std::size_t{1} << count_; ++set) {
    Mix mix(count_);
    for (std::size_t i = 0; i < count_; ++i) mix[i] = (set >> i & 1) != 0;
    mixes_.push_back(std::move(mix));
  }
}

void Changes::add_orders(std::uint64_t seed) {
  std::map<Mix, std::size_t> known;
  const auto number_of = [&](const Mix& mix) {
    const auto [found, is_new] = known.try_emplace(mix, mixes_.size());
    if (is_new) mixes_.push_back(mix);
    return found->second;
  };
  const auto add = [&](std::vector<std::size_t> changes) {
    Order order;
    Mix mix(count_);
    order.mixes.push_back(number_of(mix));
    for (const std::size_t change : changes) {
      mix[change] = true;
      order.mixes.push_back(number_of(mix));
    }
    order.changes = std::move(changes);
    orders_.push_back(std::move(order));
  };
  const RandomStream stream(seed, "orders of changes");
  std::uint64_t drawn = 0;
  while (orders_.size() < sampled_orders) {
    std::vector<std::size_t> changes(count_);
    std::iota(changes.begin(), changes.end(), std::size_t{0});
    for (std::size_t i = count_; i > 1; --i) std::swap(changes[i - 1], changes[stream.below(drawn++, i)]);
    add(changes);
    std::reverse(changes.begin(), changes.end());
    add(std::move(changes));
  }
  // The mix with all changes goes to the end.
  const std::size_t all = orders_.front().mixes.back(), last = mixes_.size() - 1;
  std::swap(mixes_[all], mixes_[last]);
  for (Order& order : orders_) {
    for (std::size_t& mix : order.mixes) mix = mix == all ? last : mix == last ? all : mix;
  }
}

std::optional<Attribution> Changes::attribute(std::span<const double> values) const {
  if (!std::isfinite(values.front()) || !std::isfinite(values.back())) return std::nullopt;
  auto attribution = is_exact() ? over_all_orders(values) : over_sampled_orders(values);
  if (attribution) attribution->rest = settle(attribution->parts, values.back() - values.front());
  return attribution;
}

// How often a step is made follows from how many ways lead to its beginning, and how many lead on from its end.
std::optional<Attribution> Changes::over_all_orders(std::span<const double> values) const {
  const std::size_t sets = mixes_.size();
  std::vector<double> ways_to(sets), ways_on(sets);
  ways_to.front() = ways_on.back() = 1;
  Attribution result;
  for (const double value : values) result.has_gaps |= !std::isfinite(value);
  for (std::size_t set = 0; set < sets; ++set) {
    if (!std::isfinite(values[set])) continue;
    for (std::size_t i = 0; i < count_; ++i) {
      if (set >> i & 1) ways_to[set] += ways_to[set ^ std::size_t{1} << i];
    }
  }
  for (std::size_t set = sets; set-- > 0;) {
    if (!std::isfinite(values[set])) continue;
    for (std::size_t i = 0; i < count_; ++i) {
      if ((set >> i & 1) == 0) ways_on[set] += ways_on[set | std::size_t{1} << i];
    }
  }
  const double ways = ways_to.back();
  if (ways == 0) return std::nullopt;
  result.parts.resize(count_);
  result.orders = static_cast<std::size_t>(ways);
  for (std::size_t set = 0; set < sets; ++set) {
    if (!std::isfinite(values[set])) continue;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t next = set | std::size_t{1} << i;
      if (next == set || !std::isfinite(values[next])) continue;
      result.parts[i] += ways_to[set] * ways_on[next] / ways * (values[next] - values[set]);
    }
  }
  return result;
}

std::optional<Attribution> Changes::over_sampled_orders(std::span<const double> values) const {
  Attribution result;
  result.is_sampled = true;
  result.parts.resize(count_);
  for (const Order& order : orders_) {
    const auto is_gap = [&](std::size_t mix) { return !std::isfinite(values[mix]); };
    if (std::any_of(order.mixes.begin(), order.mixes.end(), is_gap)) {
      result.has_gaps = true;
      continue;
    }
    ++result.orders;
    for (std::size_t k = 0; k < count_; ++k)
      result.parts[order.changes[k]] += values[order.mixes[k + 1]] - values[order.mixes[k]];
  }
  if (result.orders == 0) return std::nullopt;
  for (double& part : result.parts) part /= static_cast<double>(result.orders);
  return result;
}

namespace {

using Key = std::tuple<Input::Kind, std::string, std::uint32_t, std::uint32_t>;

Key key_of(const Input& input) {
  const bool has_location =
      input.location.known() && input.kind != Input::Kind::parameter && input.kind != Input::Kind::cut;
  return {input.kind, input.name, has_location ? input.location.file : 0, has_location ? input.location.begin : 0};
}

}  // namespace

PartsOfBoth match(const Breakdown& first, const Breakdown& second) {
  PartsOfBoth both;
  std::map<Key, std::size_t> known;
  const auto part_of = [&](const Share& share) -> PartOfBoth& {
    const auto [found, is_new] = known.try_emplace(key_of(share.of), both.parts.size());
    if (is_new) both.parts.push_back({share.of, false, false, 0, 0, 0});
    return both.parts[found->second];
  };
  for (const Share& share : first.shares) {
    PartOfBoth& part = part_of(share);
    part.in_first = true;
    part.first += share.time;
  }
  for (const Share& share : second.shares) {
    PartOfBoth& part = part_of(share);
    part.in_second = true;
    part.second += share.time;
  }
  for (PartOfBoth& part : both.parts) part.difference = part.second - part.first;
  std::stable_sort(both.parts.begin(), both.parts.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.difference) > std::fabs(b.difference); });
  std::vector<double> differences;
  for (const PartOfBoth& part : both.parts) differences.push_back(part.difference);
  both.rest = settle(differences, second.total - first.total);
  for (std::size_t i = 0; i < differences.size(); ++i) both.parts[i].difference = differences[i];
  both.rest_first = first.rest;
  both.rest_second = second.rest;
  return both;
}

std::vector<KindOfBoth> match_paths(const Breakdown& first, const Breakdown& second) {
  std::map<std::pair<std::string, PathKind>, std::pair<double, double>> sums;
  for (const PathOfProcess& one : first.paths) {
    for (const auto& term : one.path.terms) sums[{one.process, kind_of(term)}].first += one.times * term.sum;
  }
  for (const PathOfProcess& one : second.paths) {
    for (const auto& term : one.path.terms) sums[{one.process, kind_of(term)}].second += one.times * term.sum;
  }
  std::vector<KindOfBoth> kinds;
  for (const auto& [key, sum] : sums) kinds.push_back({key.first, key.second, sum.first, sum.second});
  return kinds;
}

}  // namespace wave::analysis
