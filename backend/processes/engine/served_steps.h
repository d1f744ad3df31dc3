// The steps of messages where resources serve by time, in place where they are taken. Part of served.h.
#pragma once

#include "backend/processes/engine/served.h"

#include <utility>

namespace wave::backend::processes::engine {

// The message that this end meets, or a new one that waits for the other end.
inline Served::Message& Served::post(Channel& on, Side side) {
  const bool is_expected = side == Side::send ? on.ahead < 0 : on.ahead > 0;
  on.ahead += side == Side::send ? 1 : -1;
  if (is_expected) {
    Message& met = *on.first;
    on.first = met.next;
    if (!on.first) on.last = nullptr;
    --one_sided_;
    return met;
  }
  if (!free_messages_) make_messages();
  Message& made = *free_messages_;
  free_messages_ = made.next;
  made = {};
  for (std::size_t await = 0; await < resources_.most_awaits(); ++await) made.passes()[await] = never;
  (on.last ? on.last->next : on.first) = &made;
  on.last = &made;
  ++one_sided_;
  return made;
}

// A signal reaches the other end, which may not have been called yet.
inline void Served::deliver(Message& message, Side from, const Ends& ends, const Ends::Step& emitted,
                            const ServedMoment& arrives) {
  const Side side = other(from);
  std::uint32_t order = 0;
  for (std::uint16_t i = emitted.first; i != emitted.end; ++i) {
    const Ends::Step& step = ends.steps(number_of(side))[ends.protocol->targets[i]];
    if (step.kind == ir::Step::Kind::await && step.use.resource == none) {
      if (!emitted.is_taken) let_pass(message, side, step, arrives);
      continue;
    }
    Number number = none;
    ServedRequest& request = new_request(number);
    request.kind = step.kind == ir::Step::Kind::await ? ServedRequest::Kind::await : ServedRequest::Kind::arrival;
    request.when = request.at = arrives;
    request.process = message.process[number_of(from)];
    request.call = message.call[number_of(from)];
    request.place = emitted.place;
    request.order = order;
    order += 1 + (step.last - step.next);  // each use has its own
    request.use = 0;
    request.message = &message;
    request.side = side;
    request.step = &step;
    if (step.kind == ir::Step::Kind::arrival) ++message.departures;  // nobody may wait for it
    ask(standing(message.process[number_of(side)]), number);
  }
}

inline bool Served::await(const Acting& acting, const Ends::Step& step, ServedMoment& clock) {
  const ServedMoment passes = acting.message.passes()[step.slot];
  if (!(passes < never)) return false;
  if (recording_) {
    const LaterTime choice = LaterTime::of(clock.time, passes.time);
    if (acting.operation == none)
      recording_->add(acting.process, choice);
    else
      operations_[acting.operation].choices.add(choice);
  }
  if (watcher_ && acting.operation == none) {
    const bool is_sent = step.kind == ir::Step::Kind::sent;
    watch(acting.process, is_sent ? Cause::Kind::gap : transfer_of(*acting.message.ends, step.signal), true, clock.time,
          passes.time);
  }
  clock.join(passes);
  clock.step(0);
  if (acting.operation == none && processor_serves_) hand_over_at(acting.process, passes);
  return true;
}

inline ServedMoment Served::serve_at_once(const Acting& acting, const Ends::Step& step, ServedMoment begins) {
  ServedMoment& free = resource(acting.process, step.use.resource);
  if (recording_) recording_->add(acting.process, LaterTime::of(begins.time, free.time));
  begins.join(free);
  look_at_time(begins);
  free = begins;
  free.step(acting.message.ends->occupied(step.use));
  if (watcher_) watch_service(acting.message, step, 0, server(acting.process, step.use), begins);
  return begins;
}

inline void Served::emit(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock) {
  ServedMoment begins = clock;
  clock.step(0);
  if (step.use.resource != none && !resources_.is_at_once(step.use.resource)) {
    Number number = none;
    ServedRequest& request = new_request(number);
    request.kind = ServedRequest::Kind::emit;
    request.when = request.at = begins;
    request.process = acting.process.rank;
    request.call = acting.message.call[number_of(acting.side)];
    request.place = step.place;
    request.order = 0;
    request.use = 0;
    request.message = &acting.message;
    request.side = acting.side;
    request.step = &step;
    ++acting.message.departures;
    return ask(acting.process, number);
  }
  if (step.use.resource != none) begins = serve_at_once(acting, step, begins);
  depart(acting.message, acting.side, ends, step, begins);
}

// The last that a signal passes at its end has begun with it, or there is nothing that it passes.
inline void Served::depart(Message& message, Side from, const Ends& ends, const Ends::Step& emitted,
                           ServedMoment begins) {
  if (emitted.is_watched) let_leave(message, from, ends, emitted, begins);
  begins.step(ends.time(emitted));
  deliver(message, from, ends, emitted, begins);
}

// False: it has to wait.
inline bool Served::take_step(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock) {
  using Kind = ir::Step::Kind;
  switch (step.kind) {
    case Kind::busy:
      if (acting.operation == none && processor_serves_ && !std::exchange(own(acting.process).has_processor, false)) {
        set(acting.process, clock);
        if (!use_processor(acting.process, ends.time(step), acting.message.call[number_of(acting.side)], step.place))
          return false;
        clock = now(acting.process);
        return true;
      }
      if (acting.operation == none)
        watch(acting.process, Cause::Kind::overhead, false, clock.time, clock.time + ends.time(step));
      clock.step(ends.time(step));
      return true;
    case Kind::emit: emit(acting, ends, step, clock); return true;
    case Kind::await:
    case Kind::sent: return await(acting, step, clock);
    case Kind::acquire: return acquire(acting, step, clock);
    case Kind::arrival: return true;  // no step of the program
  }
  return true;
}

// Those that happen at the call.
inline Outcome Served::take_steps(Standing& me, Site& site) {
  const ir::Message& written = *site.call->message;
  Message& message = *own(me).message;
  if (!message.ends) {
    if (!written.background || waits_for_size_[written.ends.index]) return Outcome::waits;
    leave_in_background(me, site);
    return Outcome::goes_on;
  }
  const Ends& ends = *message.ends;
  const std::vector<Ends::Step>& steps = ends.steps(number_of(written.side));
  const Acting acting{me, message, written.side, none};
  ServedMoment clock = now(me);
  for (const Ends::Step *step = steps.data() + me.step, *const end = steps.data() + steps.size(); step != end; ++step) {
    if (written.background && ir::is_awaiting(step->kind)) {
      me.step = static_cast<std::uint32_t>(step - steps.data());
      set(me, clock);
      leave_in_background(me, site);
      return Outcome::goes_on;
    }
    if (take_step(acting, ends, *step, clock)) continue;
    me.step = static_cast<std::uint32_t>(step - steps.data());
    set(me, clock);
    return Outcome::waits;
  }
  set(me, clock);
  watch_end(me, true);
  if (written.side == Side::receive && ends.window > 0) received(message, clock);
  complete(message, written.side);
  own(me).message = nullptr;
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
