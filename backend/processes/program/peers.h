// The other end of a message: which process it is.
#pragma once

#include "backend/processes/program/bound_scalars.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wave::backend::processes {

// The places of a process's grid; coordinates count from 1, ranks from 0, the last axis fastest.
struct Places {
  std::vector<std::int64_t> extents;
  std::vector<bool> wrap;

  Places(const ir::System& system, const ir::Process& process, std::vector<std::int64_t> extents_)
      : extents(std::move(extents_)) {
    for (const ir::Axis& axis : system[process.space].axes) wrap.push_back(axis.wrap);
  }
  std::int64_t count() const;
  std::int64_t rank(const std::vector<std::int64_t>& point) const;
  std::vector<std::int64_t> point(std::int64_t rank) const;
};

// How far a process is from the corner where a front begins.
std::int64_t hops(const ir::Front& front, const Places& places, const std::vector<std::int64_t>& point);

struct FoundPeer {
  std::optional<std::int64_t> rank;   // none: off the grid
  std::vector<std::int64_t> written;  // offset or place as written
};

// The rank of the other end, seen from `point`, for coordinates as they are written; none: off the grid. Throws Failed:
// index_off_grid at the peer's site. `target` is room to work in.
std::optional<std::int64_t> peer_rank(const ir::Peer& peer, const Places& places,
                                      const std::vector<std::int64_t>& point, const std::vector<std::int64_t>& written,
                                      std::vector<std::int64_t>& target);

// The same for the present values of the coordinates.
FoundPeer find_peer(const ir::Peer& peer, const Places& places, const std::vector<std::int64_t>& point,
                    BoundScalars& values);

}  // namespace wave::backend::processes
