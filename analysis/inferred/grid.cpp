// See grid.h.
#include "analysis/inferred/grid.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace wave::analysis::inferred {

using recorded::Step;
using Place = std::vector<std::int64_t>;
using Pair = std::pair<std::int64_t, std::int64_t>;

std::int64_t RankGrid::count() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

Place RankGrid::place_of(std::int64_t rank) const {
  Place place(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0; rank /= extents[axis]) place[axis] = rank % extents[axis];
  return place;
}

std::int64_t RankGrid::rank_at(const Place& place) const {
  std::int64_t rank = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) rank = rank * extents[axis] + place[axis];
  return rank;
}

std::int64_t peer_of(const PeerRule& rule, std::int64_t rank, const RankGrid& grid) {
  constexpr std::int64_t nobody = -1;
  Place place = grid.place_of(rank);
  switch (rule.kind) {
    case PeerRule::Kind::none: return nobody;
    case PeerRule::Kind::rank: return rule.by[0] < grid.count() ? rule.by[0] : nobody;
    case PeerRule::Kind::transposed:
      if (place.size() != 2 || grid.extents[0] != grid.extents[1]) return nobody;
      std::swap(place[0], place[1]);
      return grid.rank_at(place);
    case PeerRule::Kind::exclusive:
    case PeerRule::Kind::offset:
      for (std::size_t axis = 0; axis < place.size(); ++axis) {
        const std::int64_t extent = grid.extents[axis];
        if (rule.kind == PeerRule::Kind::exclusive)
          place[axis] ^= rule.by[axis];
        else
          place[axis] += rule.by[axis];
        if (grid.wraps[axis]) place[axis] = ((place[axis] % extent) + extent) % extent;
        if (place[axis] < 0 || place[axis] >= extent) return nobody;
      }
      return grid.rank_at(place);
  }
  return nobody;
}

std::vector<Place> extents_of(std::int64_t ranks, std::size_t axes) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t divisor = 1; divisor <= ranks; ++divisor) {
    if (ranks % divisor == 0) divisors.push_back(divisor);
  }
  std::vector<Place> result;
  Place chosen;
  const std::function<void(std::int64_t)> choose = [&](std::int64_t left) {
    if (chosen.size() + 1 == axes) {
      chosen.push_back(left);
      result.push_back(chosen);
      chosen.pop_back();
      return;
    }
    for (const std::int64_t extent : divisors) {
      if (left % extent != 0) continue;
      chosen.push_back(extent);
      choose(left / extent);
      chosen.pop_back();
    }
  };
  choose(ranks);
  return result;
}

namespace {

struct Pairs {
  std::set<Pair> sends, receives;
};

Pairs pairs_of(const Run& run) {
  Pairs pairs;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const auto own = static_cast<std::int64_t>(rank);
    for (const Call& call : run.ranks[rank].calls) {
      switch (call.kind) {
        case Step::Kind::send:
        case Step::Kind::started_send:
        case Step::Kind::exchange:
          if (call.peer >= 0) pairs.sends.insert({own, call.peer});
          if (call.kind == Step::Kind::exchange && call.from >= 0) pairs.receives.insert({own, call.from});
          break;
        case Step::Kind::receive:
        case Step::Kind::posted_receive:
          if (call.peer >= 0) pairs.receives.insert({own, call.peer});
          break;
        case Step::Kind::wait:
        case Step::Kind::collective: break;
      }
    }
  }
  return pairs;
}

// The way round that is shorter; halfway a send goes up, and a receive comes from below.
std::int64_t shortest(std::int64_t way, std::int64_t extent, bool is_receive) {
  way = ((way % extent) + extent) % extent;
  const bool is_back = is_receive ? 2 * way >= extent : 2 * way > extent;
  return way != 0 && is_back ? way - extent : way;
}

// Rules that name a pair, on this grid.
std::vector<PeerRule> rules_of(const Pair& pair, const RankGrid& grid, const std::vector<Place>& places,
                               bool is_receive) {
  const Place& own = places[static_cast<std::size_t>(pair.first)];
  const Place& other = places[static_cast<std::size_t>(pair.second)];
  PeerRule offset{PeerRule::Kind::offset, Place(own.size())}, exclusive{PeerRule::Kind::exclusive, Place(own.size())};
  for (std::size_t axis = 0; axis < own.size(); ++axis) {
    const std::int64_t way = other[axis] - own[axis];
    offset.by[axis] = grid.wraps[axis] ? shortest(way, grid.extents[axis], is_receive) : way;
    exclusive.by[axis] = own[axis] ^ other[axis];
  }
  std::vector<PeerRule> rules{offset, exclusive, {PeerRule::Kind::rank, {pair.second}}};
  if (own.size() == 2 && grid.extents[0] == grid.extents[1] && own[0] == other[1] && own[1] == other[0])
    rules.push_back({PeerRule::Kind::transposed, {}});
  return rules;
}

// How much has to be written for a rule.
double cost_of(const PeerRule& rule, const RankGrid& grid) {
  constexpr double one_rank = 3, bits = 4.5, mirrored = 1.5, further_axis = 0.3, further_step = 0.5;
  const auto moved = [&] { return std::count_if(rule.by.begin(), rule.by.end(), [](auto by) { return by != 0; }); };
  switch (rule.kind) {
    case PeerRule::Kind::offset: {
      double cost = 1;
      for (const std::int64_t by : rule.by)
        cost += further_step * static_cast<double>(std::max<std::int64_t>(std::abs(by) - 1, 0));
      return cost + further_axis * static_cast<double>(std::max<std::ptrdiff_t>(moved() - 1, 0));
    }
    case PeerRule::Kind::exclusive:
      return bits + further_axis * static_cast<double>(moved()) +
             (std::count(grid.wraps.begin(), grid.wraps.end(), true) > 0 ? bits : 0);
    case PeerRule::Kind::transposed: return mirrored;
    default: return one_rank;
  }
}

// Chooses rules for all pairs, those first that name most for what they cost. A rule that names some of the pairs that
// it could is dearer than one that names all.
double choose(const std::set<Pair>& pairs, const RankGrid& grid, const std::vector<Place>& places, bool is_receive,
              std::map<Pair, PeerRule>& chosen) {
  constexpr double for_exceptions = 4;
  std::map<PeerRule, std::vector<Pair>> named;
  for (const Pair& pair : pairs) {
    for (const PeerRule& rule : rules_of(pair, grid, places, is_receive)) named[rule].push_back(pair);
  }
  struct Offer {
    const PeerRule* rule;
    const std::vector<Pair>* pairs;
    double cost;
    std::size_t open;  // of its pairs: not named yet
  };
  std::vector<Offer> offers;
  std::map<Pair, std::vector<std::size_t>> offers_of;
  for (const auto& [rule, all] : named) {
    std::int64_t possible = 0;
    for (std::int64_t rank = 0; rank < grid.count() && rule.kind != PeerRule::Kind::rank; ++rank) {
      const std::int64_t peer = peer_of(rule, rank, grid);
      possible += peer >= 0 && (peer != rank || rule.kind != PeerRule::Kind::transposed);
    }
    if (rule.kind == PeerRule::Kind::rank) possible = grid.count() - 1;
    const bool is_whole = static_cast<std::int64_t>(all.size()) >= possible;
    for (const Pair& pair : all) offers_of[pair].push_back(offers.size());
    offers.push_back({&rule, &all, cost_of(rule, grid) * (is_whole ? 1 : for_exceptions), all.size()});
  }
  double cost = 0;
  while (chosen.size() < pairs.size()) {
    const Offer* best = nullptr;
    double most = 0;
    for (const Offer& offer : offers) {
      const double worth = static_cast<double>(offer.open) / offer.cost;
      if (offer.open > 0 && worth > most * (1 + 1e-9)) {
        most = worth;
        best = &offer;
      }
    }
    if (best == nullptr) break;
    for (const Pair& pair : *best->pairs) {
      if (!chosen.emplace(pair, *best->rule).second) continue;
      for (const std::size_t offer : offers_of[pair]) --offers[offer].open;
    }
    cost += best->cost;
  }
  return cost;
}

// Axes that wrap: along which some pair lies closer around the end. An axis of two is like the others.
std::vector<bool> wraps_of(const Pairs& pairs, const Place& extents) {
  const RankGrid flat{extents, std::vector<bool>(extents.size())};
  std::vector<bool> wraps(extents.size());
  for (const auto* const some : {&pairs.sends, &pairs.receives}) {
    for (const auto& [own, other] : *some) {
      const Place from = flat.place_of(own), to = flat.place_of(other);
      for (std::size_t axis = 0; axis < extents.size(); ++axis)
        wraps[axis] = wraps[axis] || 2 * std::abs(to[axis] - from[axis]) > extents[axis];
    }
  }
  const bool any = std::count(wraps.begin(), wraps.end(), true) > 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) wraps[axis] = wraps[axis] || (any && extents[axis] <= 2);
  return wraps;
}

// Of many grids, those on which there are fewest different offsets: rules are chosen for these alone.
void keep_plainest(const Pairs& pairs, std::vector<RankGrid>& grids) {
  constexpr std::size_t most_work = 400000, least = 8;
  const std::size_t all = pairs.sends.size() + pairs.receives.size();
  const std::size_t most = std::max(least, most_work / std::max<std::size_t>(all, 1));
  if (grids.size() <= most) return;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // offsets, and which grid
  for (std::size_t k = 0; k < grids.size(); ++k) {
    std::set<Place> offsets;
    for (const auto* const some : {&pairs.sends, &pairs.receives}) {
      for (const auto& [own, other] : *some) {
        Place from = grids[k].place_of(own);
        const Place to = grids[k].place_of(other);
        for (std::size_t axis = 0; axis < from.size(); ++axis) {
          const std::int64_t way = to[axis] - from[axis];
          from[axis] = grids[k].wraps[axis] ? shortest(way, grids[k].extents[axis], some == &pairs.receives) : way;
        }
        offsets.insert(std::move(from));
      }
    }
    order.emplace_back(offsets.size(), k);
  }
  std::stable_sort(order.begin(), order.end());
  std::vector<RankGrid> kept;
  for (std::size_t k = 0; k < most; ++k) kept.push_back(std::move(grids[order[k].second]));
  grids = std::move(kept);
}

}  // namespace

std::vector<Neighbourhood> neighbourhoods_of(const Run& run, std::size_t most) {
  constexpr double for_an_axis = 0.05;
  const auto count = static_cast<std::int64_t>(run.ranks.size());
  const Pairs pairs = pairs_of(run);
  std::vector<RankGrid> grids;
  for (std::size_t axes = 1; axes <= most_axes; ++axes) {
    if (!run.extents.empty() && run.extents.size() != axes) continue;
    for (Place& extents : extents_of(count, axes)) {
      const bool is_flat = axes > 1 && std::count(extents.begin(), extents.end(), 1) > 0;
      const bool is_hinted = extents == run.hint;
      if (run.extents.empty() ? is_flat && !is_hinted : extents != run.extents) continue;
      const std::vector<bool> wraps = wraps_of(pairs, extents);
      grids.push_back({extents, wraps});
      // Where no axis is longer than two, the neighbours on both sides are one, and nothing tells whether they wrap.
      const bool is_open = std::all_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent <= 2; });
      std::vector<bool> wraps_two;
      for (const std::int64_t extent : extents) wraps_two.push_back(is_open && extent == 2);
      for (const std::vector<bool>& others : {std::vector<bool>(axes), wraps_two}) {
        const bool is_new =
            others != wraps && (others != wraps_two || std::count(wraps_two.begin(), wraps_two.end(), true) > 0);
        if (is_new) grids.push_back({extents, others});
      }
    }
  }
  keep_plainest(pairs, grids);
  std::vector<Neighbourhood> result;
  for (RankGrid& grid : grids) {
    Neighbourhood one{std::move(grid), {}, {}, 0};
    std::vector<Place> places;
    for (std::int64_t rank = 0; rank < count; ++rank) places.push_back(one.grid.place_of(rank));
    constexpr double of_a_hint = 0.5;
    one.cost = choose(pairs.sends, one.grid, places, false, one.sends) +
               choose(pairs.receives, one.grid, places, true, one.receives) +
               for_an_axis * static_cast<double>(one.grid.extents.size()) +
               for_an_axis / 2 * static_cast<double>(std::count(one.grid.wraps.begin(), one.grid.wraps.end(), true));
    if (one.grid.extents == run.hint) one.cost *= of_a_hint;
    result.push_back(std::move(one));
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  if (result.size() > most) result.resize(most);
  return result;
}

}  // namespace wave::analysis::inferred
