// The other end of a message: which process it is.
#pragma once

#include "backend/processes/known_values.h"

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

struct FoundPeer {
  std::optional<std::int64_t> rank;              // none: off the grid
  std::vector<std::int64_t> written;             // offset or place as written
};

// Throws Failed: index_off_grid at the peer's site.
FoundPeer find_peer(const ir::Peer& peer, const Places& places, const std::vector<std::int64_t>& point,
                    KnownValues& values);

}  // namespace wave::backend::processes
