// See parts.h.
#include "analysis/compare/parts.h"

#include "analysis/compare/changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace wave::analysis {

namespace {

using Key = std::tuple<Input::Kind, std::string, std::uint32_t, std::uint32_t>;

Key key_of(const Input& input) {
  const bool has_place = input.place.known() && input.kind != Input::Kind::parameter && input.kind != Input::Kind::cut;
  return {input.kind, input.name, has_place ? input.place.file : 0, has_place ? input.place.begin : 0};
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
  std::map<std::pair<std::string, backend::processes::Cause::Kind>, std::pair<double, double>> sums;
  for (const auto& [name, path] : first.paths) {
    for (const auto& term : path.terms) sums[{name, term.kind}].first += term.sum;
  }
  for (const auto& [name, path] : second.paths) {
    for (const auto& term : path.terms) sums[{name, term.kind}].second += term.sum;
  }
  std::vector<KindOfBoth> kinds;
  for (const auto& [key, sum] : sums) kinds.push_back({key.first, key.second, sum.first, sum.second});
  return kinds;
}

}  // namespace wave::analysis
