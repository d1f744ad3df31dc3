// What a send adds to a count, for the processes of a region.
#include "backend/processes/program/count_walk.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace wave::backend::processes {

namespace {

// The first and the last coordinate on an axis of so many places from which an offset leads to another.
Coordinates::Interval with_peer(std::int64_t offset, std::int64_t extent) {
  const std::int64_t by = std::clamp(offset, -extent, extent);  // larger ones have no peer either
  return {std::max<std::int64_t>(1, 1 - by), std::min(extent, extent - by)};
}

}  // namespace

void CountWalk::send(const ir::Message& message) {
  if (message.side == ir::Message::Side::receive || times_ == 0 || region_.empty()) return;
  const bool is_offset = message.peer.kind == ir::Peer::Kind::offset;
  AxisSet axes = 0;
  for (const ir::ValueId coordinate : message.peer.coordinates) axes |= scalars_.axes_of(coordinate);
  const AxisSet of_peer = axes;
  axes |= scalars_.axes_of(message.size);
  if (asks_ == CountListener::Asks::classes) {
    axes |= scalars_.axes_of(message.within);
    axes |= scalars_.axes_of(message.sender) | scalars_.axes_of(message.receiver);
  }
  if (axes == 0) return send_alike(message);
  if (asks_ == CountListener::Asks::totals && !is_offset && axes == of_peer && scalars_.axes_of(message.size) == 0 &&
      all_on_lines(message)) {
    return note_senders({message, phases_, scalars_.value(message.size).real, {}}, region_, {});
  }
  if (message.peer.by_rank && is_offset) axes = (AxisSet{1} << places_.extents.size()) - 1;
  send_each(message, axes);
}

Route CountWalk::route(const ir::Message& message) {
  return asks_ == CountListener::Asks::classes ? route_of(scalars_.values(), message) : Route{};
}

void CountWalk::note_senders(const Sent& sent, const Region& senders, std::span<const std::int64_t> written) {
  __int128 messages = 0;
  if (__builtin_mul_overflow(times_, senders.count(), &messages) || messages > most_messages) throw TooMany();
  listener_.sent(sent, messages);
  if (asks_ == CountListener::Asks::places) listener_.sent_by(sent, senders, written, times_);
}

// --- messages of which nothing looks at the place ---

void CountWalk::send_alike(const ir::Message& message) {
  const ir::Peer& peer = message.peer;
  std::vector<std::int64_t> written;
  for (const ir::ValueId coordinate : peer.coordinates) written.push_back(scalars_.value(coordinate).integer);
  std::vector<Region> senders;
  if (peer.kind != ir::Peer::Kind::offset) {
    std::vector<std::int64_t> nobody(places_.extents.size(), 1), target;
    peer_rank(peer, places_, nobody, written, target);  // it is on the grid
    senders.push_back(region_);
  } else if (peer.by_rank) {
    const Coordinates::Interval ranks = with_peer(written[0], places_.count());
    for (const Region& part : regions_of_ranks(places_.extents, ranks.first - 1, ranks.last - 1))
      senders.push_back(region_ & part);
  } else {
    senders.push_back(region_with_peer(written));
  }
  std::erase_if(senders, [](const Region& region) { return region.empty(); });
  if (senders.empty()) return;
  const Sent sent{message, phases_, scalars_.value(message.size).real, route(message)};
  for (const Region& region : senders) note_senders(sent, region, written);
}

Region CountWalk::region_with_peer(std::span<const std::int64_t> offset) const {
  Region region;
  for (std::size_t axis = 0; axis < places_.extents.size(); ++axis) {
    const Coordinates::Interval range = with_peer(offset[axis], places_.extents[axis]);
    region.axes.push_back(places_.wrap[axis] ? region_.axes[axis] : region_.axes[axis].within(range.first, range.last));
  }
  return region;
}

std::int64_t CountWalk::count_with_peer(std::size_t axis, std::int64_t offset) const {
  if (places_.wrap[axis]) return region_.axes[axis].count();
  const Coordinates::Interval range = with_peer(offset, places_.extents[axis]);
  return region_.axes[axis].count_within(range.first, range.last);
}

// Whether it is seen at once that all of a region find their peers on the grid, since places along its last axis rise
// evenly, as they do in the rounds of most collectives.
bool CountWalk::all_on_lines(const ir::Message& message) {
  const ir::Peer& peer = message.peer;
  if (peer.coordinates.size() != 1) return false;
  const std::int64_t extent = peer.by_rank ? places_.count() : places_.extents[0];
  return scalars_.all_within(peer.coordinates[0], region_, 1, extent);
}

// --- messages of which something does ---

// The rows of a chunk: combinations of the indices that a message looks at. Each stands for the processes that differ
// along the other axes.
class CountWalk::Rows {
 public:
  Rows(CountWalk& walk, const ir::Message& message, AxisSet axes, RegionScalars::Chunk& chunk)
      : walk_(walk), message_(message), axes_(axes), chunk_(chunk) {
    for (std::size_t axis = 0; axis < walk.places_.extents.size(); ++axis) {
      (axes >> axis & 1 ? looked_at_ : others_).push_back(axis);
    }
  }

  void send() {
    find_peers();
    if (chunk_.count() == 0) return;
    chunk_.reals(message_.size, sizes_);
    if (walk_.asks_ == CountListener::Asks::classes) find_routes();
    if (walk_.asks_ == CountListener::Asks::places)
      note_places();
    else
      note_totals();
  }

 private:
  bool is_offset() const { return message_.peer.kind == ir::Peer::Kind::offset; }

  // Leaves out what has no peer. Where a place is off the grid, NoValue is thrown.
  void find_peers() {
    const auto& coordinates = message_.peer.coordinates;
    written_.resize(coordinates.size());
    for (std::size_t k = 0; k < coordinates.size(); ++k) chunk_.integers(coordinates[k], written_[k]);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < chunk_.count(); ++row) {
      const bool exists = message_.peer.by_rank ? has_ranked(row) : has_placed(row);
      if (exists && others(row) > 0) kept.push_back(row);
      if (!exists && !is_offset()) throw RegionScalars::NoValue();
    }
    if (kept.size() == chunk_.count()) return;
    for (std::vector<std::int64_t>& column : written_) {
      for (std::size_t k = 0; k < kept.size(); ++k) column[k] = column[kept[k]];
    }
    chunk_.keep(kept);
  }
  bool has_ranked(std::size_t row) {
    const std::int64_t count = walk_.places_.count(), written = written_[0][row];
    if (!is_offset()) return written >= 1 && written <= count;
    const Coordinates::Interval range = with_peer(written, count);
    const std::int64_t rank = walk_.places_.rank(point_of(row));
    return rank + 1 >= range.first && rank + 1 <= range.last;
  }
  bool has_placed(std::size_t row) {
    const Places& places = walk_.places_;
    for (std::size_t axis = 0; axis < places.extents.size(); ++axis) {
      const std::int64_t written = written_[axis][row];
      const Coordinates::Interval range = with_peer(written, places.extents[axis]);
      if (!is_offset() && (written < 1 || written > places.extents[axis])) return false;
      if (!is_offset() || places.wrap[axis] || !(axes_ >> axis & 1)) continue;
      const std::int64_t at = chunk_.along(axis)[row];
      if (at < range.first || at > range.last) return false;
    }
    return true;
  }
  const std::vector<std::int64_t>& point_of(std::size_t row) {
    point_.resize(walk_.places_.extents.size());
    for (const std::size_t axis : looked_at_) point_[axis] = chunk_.along(axis)[row];
    return point_;
  }

  void find_routes() {
    std::vector<std::int64_t> within, sender, receiver;
    chunk_.integers(message_.within, within);
    if (message_.sender.valid()) chunk_.integers(message_.sender, sender), chunk_.integers(message_.receiver, receiver);
    for (std::size_t row = 0; row < chunk_.count(); ++row) {
      routes_.push_back(sender.empty() ? Route{within[row]} : Route{within[row], sender[row], receiver[row]});
    }
  }
  Sent sent(std::size_t row) const {
    return {message_, walk_.phases_, sizes_[row], routes_.empty() ? Route{} : routes_[row]};
  }

  // How many processes a row stands for.
  __int128 others(std::size_t row) {
    __int128 count = 1;
    for (const std::size_t axis : others_) {
      count *= is_offset() && !message_.peer.by_rank ? walk_.count_with_peer(axis, written_[axis][row])
                                                     : walk_.region_.axes[axis].count();
    }
    return count;
  }
  bool is_like_before(std::size_t row) const {
    return sizes_[row] == sizes_[row - 1] && (routes_.empty() || routes_[row] == routes_[row - 1]);
  }

  void note_totals() {
    __int128 senders = 0;
    for (std::size_t row = 0; row < chunk_.count(); ++row) {
      senders += others(row);
      if (row + 1 < chunk_.count() && is_like_before(row + 1)) continue;
      __int128 messages = 0;
      if (__builtin_mul_overflow(walk_.times_, senders, &messages) || messages > most_messages) throw TooMany();
      walk_.listener_.sent(sent(row), messages);
      senders = 0;
    }
  }
  void note_places() {
    std::vector<std::int64_t> written(written_.size());
    for (std::size_t row = 0; row < chunk_.count(); ++row) {
      for (std::size_t k = 0; k < written.size(); ++k) written[k] = written_[k][row];
      Region senders = is_offset() && !message_.peer.by_rank ? walk_.region_with_peer(written) : walk_.region_;
      for (const std::size_t axis : looked_at_) {
        const std::int64_t at = chunk_.along(axis)[row];
        senders.axes[axis] = {at, at};
      }
      walk_.note_senders(sent(row), senders, written);
    }
  }

  CountWalk& walk_;
  const ir::Message& message_;
  const AxisSet axes_;
  RegionScalars::Chunk& chunk_;
  std::vector<std::size_t> looked_at_, others_;  // axes
  std::vector<std::vector<std::int64_t>> written_;
  std::vector<double> sizes_;
  std::vector<Route> routes_;
  std::vector<std::int64_t> point_;
};

void CountWalk::send_each(const ir::Message& message, AxisSet axes) {
  scalars_.for_each_chunk(region_, axes,
                          [&](RegionScalars::Chunk& chunk) { Rows(*this, message, axes, chunk).send(); });
}

}  // namespace wave::backend::processes
