// See peers.h.
#include "backend/processes/program/peers.h"

namespace wave::backend::processes {

std::int64_t Places::count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::int64_t Places::rank(const std::vector<std::int64_t>& point) const {
  std::int64_t rank = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) rank = rank * extents[axis] + (point[axis] - 1);
  return rank;
}

std::vector<std::int64_t> Places::point(std::int64_t rank) const {
  std::vector<std::int64_t> point(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    point[axis] = rank % extents[axis] + 1;
    rank /= extents[axis];
  }
  return point;
}

namespace {

// With the index, and where there are several axes what it may be.
[[noreturn]] void fail_off_grid(const ir::Peer& peer, std::int64_t index, std::int64_t extent) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::index_off_grid;
  failure.site = peer.site;
  failure.values = {ir::Scalar::of(index)};
  if (peer.coordinates.size() > 1) {
    failure.values.push_back(ir::Scalar::of(std::int64_t{1}));
    failure.values.push_back(ir::Scalar::of(extent));
  }
  throw Failed{std::move(failure)};
}

// Where a distance from `from` leads on an axis of `extent` places, numbered from 1.
std::optional<std::int64_t> step(std::int64_t from, std::int64_t distance, std::int64_t extent, bool wrap) {
  const __int128 to = static_cast<__int128>(from) + distance;
  if (to >= 1 && to <= extent) return static_cast<std::int64_t>(to);
  if (!wrap) return std::nullopt;
  const auto rest = static_cast<std::int64_t>((to - 1) % extent);
  return (rest < 0 ? rest + extent : rest) + 1;
}

}  // namespace

std::int64_t hops(const ir::Front& front, const Places& places, const std::vector<std::int64_t>& point) {
  std::int64_t result = 0;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    result += front.rising[axis] ? point[axis] - 1 : places.extents[axis] - point[axis];
  }
  return result;
}

std::optional<std::int64_t> peer_rank(const ir::Peer& peer, const Places& places,
                                      const std::vector<std::int64_t>& point, const std::vector<std::int64_t>& written,
                                      std::vector<std::int64_t>& target) {
  const bool is_offset = peer.kind == ir::Peer::Kind::offset;
  if (peer.by_rank) {
    const auto to = step(is_offset ? places.rank(point) + 1 : 0, written[0], places.count(), false);
    if (!to && !is_offset) fail_off_grid(peer, written[0], places.count());
    return to ? std::optional(*to - 1) : std::nullopt;
  }
  target.resize(point.size());
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const auto to = is_offset ? step(point[axis], written[axis], places.extents[axis], places.wrap[axis])
                              : step(0, written[axis], places.extents[axis], false);
    if (!to && !is_offset) fail_off_grid(peer, written[axis], places.extents[axis]);
    if (!to) return std::nullopt;
    target[axis] = *to;
  }
  return places.rank(target);
}

FoundPeer find_peer(const ir::Peer& peer, const Places& places, const std::vector<std::int64_t>& point,
                    BoundScalars& values) {
  FoundPeer found;
  for (const ir::ValueId coordinate : peer.coordinates) found.written.push_back(values.integer(coordinate));
  std::vector<std::int64_t> target;
  found.rank = peer_rank(peer, places, point, found.written, target);
  return found;
}

}  // namespace wave::backend::processes
