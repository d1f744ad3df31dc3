// See count_pairs.h.
#include "backend/processes/program/count_pairs.h"

#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

PairListener::~PairListener() { claim_memory_(-claimed_); }

void PairListener::sent_by(const Sent& sent, const Region& senders, std::span<const std::int64_t> written,
                           __int128 times) {
  const bool of_collective = sent.message.context != 0;
  for_each_pair(senders, sent.message.peer, written, places_, [&](std::int64_t sender, std::int64_t receiver) {
    add({sender, receiver, of_collective, sent.size, times});
  });
}

void PairListener::add(const Alike& alike) {
  if (alike_.size() == alike_.capacity()) {
    put_together();
    claim();
  }
  alike_.push_back(alike);
}

// As much room again as what is left takes.
void PairListener::claim() {
  const std::size_t room = std::max(least_pairs_together, 2 * alike_.size());
  if (room <= alike_.capacity()) return;
  const auto bytes = static_cast<std::int64_t>(room * sizeof(Alike));
  claim_memory_(bytes - claimed_);
  claimed_ = bytes;
  alike_.reserve(room);
}

void PairListener::put_together() {
  const auto middle = alike_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  const auto before = [](const Alike& a, const Alike& b) { return is_before(a, b); };
  std::sort(middle, alike_.end(), before);
  std::inplace_merge(alike_.begin(), middle, alike_.end(), before);
  std::size_t kept = 0;
  for (const Alike& one : alike_) {
    if (kept > 0 && !is_before(alike_[kept - 1], one))
      alike_[kept - 1].messages += one.messages;
    else
      alike_[kept++] = one;
  }
  alike_.resize(kept);
  sorted_ = kept;
}

std::vector<PairCount> PairListener::pairs() {
  put_together();
  std::vector<PairCount> pairs;
  for (const Alike& one : alike_) {
    if (pairs.empty() || pairs.back().sender != one.sender || pairs.back().receiver != one.receiver)
      pairs.push_back({one.sender, one.receiver, {}, {}});
    (one.of_collective ? pairs.back().of_collectives : pairs.back().own).add(one.size, one.messages);
  }
  return pairs;
}

std::vector<RankCount> PairListener::ranks(const std::set<std::int64_t>& which) {
  put_together();
  std::vector<RankCount> ranks;
  for (const std::int64_t rank : which) ranks.push_back({rank, {}, {}, 0, 0});
  if (which.empty()) {
    for (std::int64_t rank = 0; rank < places_.count(); ++rank) ranks.push_back({rank, {}, {}, 0, 0});
  }
  const auto of = [&](std::int64_t rank) -> RankCount& {
    return *std::lower_bound(ranks.begin(), ranks.end(), rank,
                             [](const RankCount& one, std::int64_t wanted) { return one.rank < wanted; });
  };
  const Alike* before = nullptr;
  for (const Alike& one : alike_) {
    RankCount& rank = of(one.sender);
    (one.of_collective ? rank.of_collectives : rank.own).add(one.size, one.messages);
    const bool is_known =
        before && before->sender == one.sender && before->receiver == one.receiver && !before->of_collective;
    if (!one.of_collective) rank.partners += !is_known;
    before = &one;
  }
  std::vector<std::int64_t> point(places_.extents.size());
  const AxisSet all = (AxisSet{1} << point.size()) - 1;
  for (const auto& [callers, times] : calls_) {
    for_each_point(callers, all, point, [&, times = times] { of(places_.rank(point)).calls += times; });
  }
  return ranks;
}

}  // namespace wave::backend::processes
