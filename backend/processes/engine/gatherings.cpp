// See gatherings.h.
#include "backend/processes/engine/gatherings.h"

#include "backend/processes/engine/channels.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes::engine {

Gatherings::Part Gatherings::part(const Standing& me, const std::int64_t* coordinates,
                                  const ir::Collective& collective) const {
  const std::vector<std::int64_t>& extents = input_.places.extents;
  Number root = 0;
  auto participants = static_cast<std::uint64_t>(input_.places.count());
  std::int64_t stride = 1;
  if (collective.along) {
    for (std::size_t axis = *collective.along + 1; axis < extents.size(); ++axis) stride *= extents[axis];
    root = me.rank - static_cast<Number>((coordinates[*collective.along] - 1) * stride);
    participants = static_cast<std::uint64_t>(extents[*collective.along]);
  }
  return {{root, collective.along.value_or(none), me.rounds},
          participants,
          static_cast<std::uint64_t>(stride),
          me.rank == root};
}

Outcome Gatherings::come(Standing& me, const std::int64_t* coordinates, const ir::Collective& collective,
                         const ServedMoment& now, const std::function<void(Number)>& wake) {
  using Root = ir::Collective::Root;
  const Part own = part(me, coordinates, collective);
  Gathering& gathering = all_[own.key];
  if (all_.size() > claimed_) {  // what they leave behind is used again
    const std::size_t more = std::max<std::size_t>(all_.size(), 64);
    claim_(static_cast<std::int64_t>(more * bytes_of_sorted_entry));
    claimed_ += more;
  }
  if (!std::exchange(me.has_arrived, true)) {
    if (recording_) gathering.recorded.meet(me.rank, now, gathering.last);
    gathering.last.join(now);
    if (own.is_root) gathering.root = now, gathering.has_root = true;
    if (++gathering.arrived == own.participants || (own.is_root && collective.root == Root::from)) {
      for (const Number waiting : std::exchange(gathering.waiting, {})) wake(waiting);
    }
  }
  const bool needs_all = collective.root == Root::none || (collective.root == Root::to && own.is_root);
  const bool may_leave =
      needs_all ? gathering.arrived == own.participants : collective.root == Root::to || gathering.has_root;
  if (!may_leave) gathering.waiting.push_back(me.rank);
  return !may_leave ? Outcome::again : needs_all || collective.root == Root::from ? Outcome::pays : Outcome::goes_on;
}

void Gatherings::leave(Standing& me, const std::int64_t* coordinates, const ir::Collective& collective) {
  const Part own = part(me, coordinates, collective);
  me.has_arrived = false;
  ++me.rounds;
  const auto found = all_.find(own.key);
  if (++found->second.left < own.participants) return;
  if (recording_) recording_->gatherings[own.key] = found->second.recorded;
  all_.erase(found);
}

Number Gatherings::missing(const Standing& me, const std::int64_t* coordinates, const ir::Collective& collective,
                           const std::function<Standing&(Number)>& standing) const {
  const Part own = part(me, coordinates, collective);
  for (std::uint64_t i = 0; i < own.participants; ++i) {
    const auto other = std::get<0>(own.key) + static_cast<Number>(i * own.stride);
    const Standing& one = standing(other);
    if (one.rounds < me.rounds || (one.rounds == me.rounds && !one.has_arrived)) return other;
  }
  return none;
}

}  // namespace wave::backend::processes::engine
