// The grid on which a program's ranks lie, and how a call's peer follows from the place of the rank that calls.
#pragma once

#include "analysis/inferred/calls.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wave::analysis::inferred {

// Ranks are numbered row by row: along the last axis first.
struct RankGrid {
  std::vector<std::int64_t> extents;
  std::vector<bool> wraps;  // along this axis the last is beside the first

  std::int64_t count() const;
  std::vector<std::int64_t> place_of(std::int64_t rank) const;  // from 0 along each axis
  std::int64_t rank_at(const std::vector<std::int64_t>& place) const;
};

struct PeerRule {
  enum class Kind : std::uint8_t {
    none,
    offset,      // so far along each axis
    exclusive,   // the place whose bits differ in these, along each axis
    transposed,  // of two axes as long as each other: the place mirrored
    rank,        // one rank for all
  };
  Kind kind = Kind::none;
  std::vector<std::int64_t> by;  // an offset or bits for each axis; of `rank` the rank
  friend auto operator<=>(const PeerRule&, const PeerRule&) = default;
};

// -1: there is none, beyond the end of the grid.
std::int64_t peer_of(const PeerRule& rule, std::int64_t rank, const RankGrid& grid);

// The grid and the rules that name all peers of a run most plainly.
struct Neighbourhood {
  RankGrid grid;
  std::map<std::pair<std::int64_t, std::int64_t>, PeerRule> sends, receives;  // by rank and peer
  double cost = 0;                                                            // the lower the plainer
};

inline constexpr std::size_t most_axes = 5;
// The plainest first, at most as many as asked for.
std::vector<Neighbourhood> neighbourhoods_of(const Run& run, std::size_t most);

// All grids of so many ranks with this number of axes; extents of 1 only where there are fewer factors.
std::vector<std::vector<std::int64_t>> extents_of(std::int64_t ranks, std::size_t axes);

}  // namespace wave::analysis::inferred
