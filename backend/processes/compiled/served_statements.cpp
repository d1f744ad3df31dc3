// All statements but messages, where resources serve by time.
#include "backend/processes/compiled/served.h"
#include "ir/arithmetic.h"

#include <utility>

namespace wave::backend::processes::compiled {

namespace {

constexpr std::int32_t before_steps = -1;  // the place of a request that is no step of a message

}  // namespace

// The program has waited for something, which came at that moment.
void Served::pass(Standing& me, const ServedMoment& moment) {
  ServedMoment clock = now(me);
  clock.join(moment);
  clock.step(0);
  set(me, clock);
  if (processor_serves_) hand_over_at(me, moment);
}

// `time`: on the quantum.
Outcome Served::compute(Standing& me, double time) {
  if (!own(me).is_served) ++Shared::operations;
  return use_processor(me, time, me.calls, before_steps) ? Outcome::goes_on : Outcome::again;
}

// --- collectives that are costs ---

Number Served::root_of(Standing& me, const ir::Collective& collective, std::uint64_t& participants) {
  participants = static_cast<std::uint64_t>(input_.places.count());
  if (!collective.along) return 0;
  std::int64_t stride = 1;
  for (std::size_t axis = *collective.along + 1; axis < point_.size(); ++axis) stride *= input_.places.extents[axis];
  participants = static_cast<std::uint64_t>(input_.places.extents[*collective.along]);
  return me.rank - static_cast<Number>((coordinates(me)[*collective.along] - 1) * stride);
}

void Served::leave_gathering(Standing& me, const GatheringKey& key, std::uint64_t participants) {
  if (processor_serves_) own(me).handed = now(me);
  me.has_arrived = false;
  ++me.rounds;
  const auto found = gatherings_.find(key);
  if (++found->second.left < participants) return;
  if (recording_) recording_->gatherings[key] = found->second.recorded;
  gatherings_.erase(found);
}

Outcome Served::synchronise(Standing& me, std::uint32_t number) {
  const ir::Collective& collective = *std::get<network::Synchronise>(program_.code[number]).collective;
  using Root = ir::Collective::Root;
  std::uint64_t participants = 0;
  const Number root = root_of(me, collective, participants);
  const bool is_root = me.rank == root;
  if (!me.has_arrived && processor_serves_ && !use_processor(me, 0, me.calls, before_steps)) return Outcome::again;
  const GatheringKey key{root, collective.along.value_or(none), me.rounds};
  Gathering& all = gatherings_[key];
  if (!me.has_arrived) {
    ++Shared::operations;
    me.has_arrived = true;
    if (recording_) all.recorded.meet(me.rank, now(me), all.last);
    all.last.join(now(me));
    if (is_root) all.root = now(me), all.has_root = true;
    if (++all.arrived == participants || (is_root && collective.root == Root::from)) {
      for (const Number waiting : std::exchange(all.waiting, {})) wake(standing(waiting));
    }
  }
  const bool needs_all = collective.root == Root::none || (collective.root == Root::to && is_root);
  const bool may_leave = needs_all ? all.arrived == participants : collective.root == Root::to || all.has_root;
  if (!may_leave) {
    all.waiting.push_back(me.rank);
    return Outcome::again;
  }
  if (needs_all || collective.root == Root::from) return Outcome::pays;
  step(me, 0);
  leave_gathering(me, key, participants);
  return Outcome::goes_on;
}

Outcome Served::pay(Standing& me, std::uint32_t number, double cost) {
  const ir::Collective& collective = *std::get<network::Synchronise>(program_.code[number]).collective;
  const auto rounded = ir::arithmetic::quantize(cost, input_.quantum);
  if (rounded.failed) return Outcome::failed;
  input_.resolver.rounding.add(cost, rounded.value);
  std::uint64_t participants = 0;
  const GatheringKey key{root_of(me, collective, participants), collective.along.value_or(none), me.rounds};
  const Gathering& all = gatherings_[key];
  if (recording_) recording_->pay(me, rounded.value);
  ServedMoment clock = now(me);
  if (collective.root == ir::Collective::Root::from) {
    ServedMoment from_root = all.root;
    from_root.step(rounded.value);
    record(me, from_root.time);
    clock.step(0);
    clock.join(from_root);
  } else {
    record(me, all.last.time);
    clock.join(all.last);
    clock.step(rounded.value);
  }
  set(me, clock);
  leave_gathering(me, key, participants);
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::compiled
