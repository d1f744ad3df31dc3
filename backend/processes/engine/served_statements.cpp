// All statements but messages, where resources serve by time.
#include "backend/processes/engine/served.h"

#include <utility>

namespace wave::backend::processes::engine {

// The program has waited for something, which came at that moment.
void Served::pass(Standing& me, const ServedMoment& moment, Cause::Kind kind) {
  watch(me, kind, true, me.clock, moment.time);
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

Outcome Served::synchronise(Standing& me, const ir::Collective& collective) {
  if (!me.has_arrived) {
    if (processor_serves_ && !use_processor(me, 0, me.calls, before_steps)) return Outcome::again;
    ++Shared::operations;
  }
  const Outcome outcome =
      gatherings_.come(me, coordinates(me), collective, now(me), [this](Number waiting) { wake(standing(waiting)); });
  if (outcome != Outcome::goes_on) return outcome;
  step(me, 0);
  leave(me, collective);
  return outcome;
}

Outcome Served::pay(Standing& me, const ir::Collective& collective, double cost) {
  const std::optional<double> paid = cost_on_quantum(me, cost);
  if (!paid) return Outcome::failed;
  const Gatherings::Gathering& all = gatherings_.at(me, coordinates(me), collective);
  ServedMoment clock = now(me);
  if (collective.root == ir::Collective::Root::from) {
    ServedMoment from_root = all.root;
    from_root.step(*paid);
    record(me, from_root.time);
    watch(me, Cause::Kind::collective, true, clock.time, from_root.time);
    clock.step(0);
    clock.join(from_root);
  } else {
    record(me, all.last.time);
    watch(me, Cause::Kind::collective, true, clock.time, all.last.time);
    clock.join(all.last);
    watch(me, Cause::Kind::collective, false, clock.time, clock.time + *paid);
    clock.step(*paid);
  }
  set(me, clock);
  leave(me, collective);
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
