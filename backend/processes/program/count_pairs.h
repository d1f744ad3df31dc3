// Who sends how much to whom.
#pragma once

#include "backend/processes/program/counts.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes {

class PairListener final : public CountListener {
 public:
  PairListener(const Places& places, const std::function<void(std::int64_t bytes)>& claim_memory)
      : places_(places), claim_memory_(claim_memory) {}
  PairListener(const PairListener&) = delete;
  ~PairListener() override;

  Asks asks() const override { return Asks::places; }
  void sent(const Sent&, __int128) override {}
  void sent_by(const Sent& sent, const Region& senders, std::span<const std::int64_t> written, __int128 times) override;
  void called_by(const Region& callers, __int128 times) override { calls_.emplace_back(callers, times); }

  std::vector<PairCount> pairs();
  // Of these, or of all.
  std::vector<RankCount> ranks(const std::set<std::int64_t>& which);

 private:
  // Messages of one size from one process to another.
  struct Alike {
    std::int64_t sender, receiver;
    bool of_collective;
    double size;
    __int128 messages = 0;
    friend bool is_before(const Alike& a, const Alike& b) {
      return std::tie(a.sender, a.receiver, a.of_collective, a.size) <
             std::tie(b.sender, b.receiver, b.of_collective, b.size);
    }
  };
  void add(const Alike& alike);
  void put_together();
  void claim();

  const Places& places_;
  const std::function<void(std::int64_t)>& claim_memory_;
  std::vector<Alike> alike_;  // the first `sorted_` ascend, no two of which are of the same messages
  std::size_t sorted_ = 0;
  std::int64_t claimed_ = 0;
  std::vector<std::pair<Region, __int128>> calls_;
};

// Calls f(sender, receiver) for all of a region that send to the peer that is written, by ranks.
template <class Function>
void for_each_pair(const Region& senders, const ir::Peer& peer, std::span<const std::int64_t> written,
                   const Places& places, Function&& f) {
  const std::size_t last = places.extents.size() - 1;
  // Along the last axis the peers' ranks rise with the senders', stay, or have to be looked for one by one.
  const bool is_offset = peer.kind == ir::Peer::Kind::offset;
  const bool rises = is_offset && (peer.by_rank || !places.wrap[last]);
  const std::vector<std::int64_t> as_written(written.begin(), written.end());
  std::vector<std::int64_t> point(last + 1), target;
  const AxisSet others = (AxisSet{1} << last) - 1;
  for_each_point(senders, others, point, [&] {
    for (const Coordinates::Interval& interval : senders.axes[last].intervals()) {
      point[last] = interval.first;
      std::int64_t sender = places.rank(point);
      std::int64_t receiver = *peer_rank(peer, places, point, as_written, target);
      for (; point[last] <= interval.last; ++point[last], ++sender, receiver += rises) {
        if (is_offset && !rises) receiver = *peer_rank(peer, places, point, as_written, target);
        f(sender, receiver);
      }
    }
  });
}

}  // namespace wave::backend::processes
