// Operations in the background. Whoever does what one waits for takes it on, so that nobody looks for those that can go
// on; but what only its own process waits for is left to that one.
#include "backend/processes/engine/runtime.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace wave::backend::processes::engine {

namespace {

// Threads that run different blocks may both come to operations of a process between them.
std::atomic_ref<bool> waits_for_pending(Standing& process) { return std::atomic_ref(process.waits_for_pending); }

}  // namespace

// What comes before the first await has happened; the rest goes on from here.
void Runtime::leave_in_background(Standing& me, Site& site) {
  const Side side = site.call->message->side;
  const auto only_one = operations_.is_empty() ? alone() : std::unique_lock<std::recursive_mutex>();
  const Number number = operations_.make(
      {&me, me.channel, me.ordinal, me.step, me.clock, 0, none, me.calls++, side, site.call->is_awaited});
  rings_.aside(*me.channel, me.ordinal).operation[number_of(side)] = number;
  if (site.call->is_awaited) {
    append(pending(me)[site.list], number, operations_);
    ++listed_;
  }
  Message& message = me.channel->message(me.ordinal);
  if (is_private(operations_[number], message)) return;
  message.in_background |= bit_of(side);
  advance(number);
}

bool Runtime::is_private(const Operation& operation, const Message& message) const {
  return operation.is_awaited && message.ends != 0 &&
         operation.step >= (*ends_)[message.ends].private_from[number_of(operation.side)];
}

// As far as it gets.
void Runtime::advance(Number number) {
  Operation& operation = operations_[number];
  Ring& channel = *operation.channel;
  Message& message = channel.message(operation.ordinal);
  const std::size_t side = number_of(operation.side);
  if (message.ends == 0 || operation.is_advancing || operation.is_complete) return;
  const Ends& ends = (*ends_)[message.ends];
  const std::vector<Ends::Step>& steps = ends.steps[side];
  operation.is_advancing = true;
  for (; operation.step < steps.size(); ++operation.step) {
    const Ends::Step& step = steps[operation.step];
    if (step.kind == ir::Step::Kind::busy) {
      (step.is_charged_later ? operation.charged : operation.clock) += step.time;
    } else if (step.kind == ir::Step::Kind::emit) {
      leave(channel, operation.ordinal, ends, operation.side, operation.step, operation.clock);
      deliver(channel, operation.ordinal, operation.side, step.awaits, operation.clock + step.time);
    } else {
      const double passes = channel.passes(operation.ordinal, step.awaits);
      if (std::isnan(passes)) break;
      if (recording_) operation.choices.add(LaterTime::of(operation.clock, passes));
      operation.clock = std::max(operation.clock, passes);
    }
  }
  operation.is_advancing = false;
  operation.is_complete = operation.step == steps.size();
  Standing& process = *operation.process;
  if (operation.is_complete || is_private(operation, message))
    message.in_background &= static_cast<std::uint8_t>(~bit_of(operation.side));
  if (!operation.is_complete) {
    if (waits_for_pending(process).load(std::memory_order_relaxed)) stand(process, channel, operation.side);
    return;
  }
  if (operation.side == Side::receive && ends.window > 0 && !ends.is_charged[side])
    received(channel, operation.ordinal, ends, operation.clock);
  if (operation.is_awaited) {
    if (waits_for_pending(process).load(std::memory_order_relaxed)) {
      waits_for_pending(process).store(false, std::memory_order_relaxed);
      wake(process);
    }
    return;
  }
  if (recording_) record_background(operation);
  complete(channel, operation.ordinal, operation.side);
  operations_.free(number);
}

void Runtime::record_background(const Operation& operation) {
  recording_->in_background[{operation.channel, operation.ordinal, operation.side}] = operation.choices;
}

// No `waitany`: programs with one are run by time (ResourceUse).
Outcome Runtime::await_pending(Standing& me, const ir::Wait& wait) {
  while (Pending* const next = next_pending(me, wait, operations_)) {
    const Number number = next->first;
    const Operation& operation = operations_[number];
    const bool is_private = (operation.channel->message(operation.ordinal).in_background & bit_of(operation.side)) == 0;
    if (!operation.is_complete && is_private) advance(number);
    if (!operation.is_complete) {
      me.waits_for_pending = !is_private;
      if (is_private) stand(me, *operation.channel, operation.side);
      return Outcome::again;
    }
    const Message& message = operation.channel->message(operation.ordinal);
    const std::size_t side = number_of(operation.side);
    if (recording_) recording_->add(me, operation.choices);
    // Without an await it has ended where it was called.
    if (operation.choices.count > 0 || !recording_) wait_for(me, operation.clock);
    me.clock += operation.charged;
    const Ends& ends = (*ends_)[message.ends];
    if (operation.side == Side::receive && ends.window > 0 && ends.is_charged[side])
      received(*operation.channel, operation.ordinal, ends, me.clock);
    next->first = operation.next;
    complete(*operation.channel, operation.ordinal, operation.side);
    operations_.free(number);
    --listed_;
  }
  ++Shared::operations;
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
