// Operations in the background. Whoever does what one waits for takes it on, so that nobody looks for those that can go
// on.
#include "backend/processes/compiled/runtime.h"

#include <algorithm>
#include <cmath>

namespace wave::backend::processes::compiled {

Number Runtime::new_operation() {
  if (free_operations_ == none) {
    const std::size_t before = operations_.size(), after = std::max<std::size_t>(64, 2 * before);
    claim(static_cast<std::int64_t>(after * sizeof(Operation)));
    operations_.resize(after);
    claim(-static_cast<std::int64_t>(before * sizeof(Operation)));  // while they moved there were both
    for (std::size_t number = after; number-- > before;) {
      operations_[number].next = free_operations_;
      free_operations_ = static_cast<Number>(number);
    }
  }
  const Number number = free_operations_;
  free_operations_ = operations_[number].next;
  return number;
}

void Runtime::free_operation(Number number) {
  operations_[number].next = free_operations_;
  free_operations_ = number;
}

// What comes before the first await has happened; the rest goes on from here.
void Runtime::leave_in_background(Standing& me, Site& site) {
  const Number number = new_operation();
  const Side side = site.call->message->side;
  operations_[number] = {&me, me.channel, me.ordinal, me.step, me.clock,
                         0,   none,       me.calls++, side,    site.call->is_awaited};
  me.channel->message(me.ordinal).in_background |= bit_of(side);
  rings_.aside(*me.channel, me.ordinal).operation[number_of(side)] = number;
  if (site.call->is_awaited) {
    Pending& list = pending(me)[site.list];
    (list.first == none ? list.first : operations_[list.last].next) = number;
    list.last = number;
    ++listed_;
  }
  advance(number);
}

// As far as it gets.
void Runtime::advance(Number number) {
  Operation& operation = operations_[number];
  Ring& channel = *operation.channel;
  Message& message = channel.message(operation.ordinal);
  const std::size_t side = number_of(operation.side);
  if (message.ends == 0 || operation.is_advancing) return;
  const Ends& ends = *ends_[message.ends - 1];
  const std::vector<Ends::Step>& steps = ends.steps[side];
  operation.is_advancing = true;
  for (; operation.step < steps.size(); ++operation.step) {
    const Ends::Step& step = steps[operation.step];
    if (step.kind == ir::Step::Kind::busy) {
      (step.is_charged_later ? operation.charged : operation.clock) += step.time;
    } else if (step.kind == ir::Step::Kind::emit) {
      deliver(channel, operation.ordinal, operation.side, step.awaits, operation.clock + step.time);
    } else {
      const double passes = channel.passes(operation.ordinal, step.awaits);
      if (std::isnan(passes)) break;
      if (recording_) operation.choices.add(LaterTime::of(operation.clock, passes));
      operation.clock = std::max(operation.clock, passes);
    }
  }
  operation.is_advancing = false;
  if (operation.step < steps.size()) return;
  operation.is_complete = true;
  message.in_background &= static_cast<std::uint8_t>(~bit_of(operation.side));
  if (operation.side == Side::receive && ends.window > 0 && !ends.is_charged[side])
    received(channel, operation.ordinal, ends, operation.clock);
  if (operation.is_awaited) {
    Standing& process = *operation.process;
    if (process.waits_for_pending) {
      process.waits_for_pending = false;
      wake(process);
    }
    return;
  }
  if (recording_) record_background(operation);
  complete(channel, operation.ordinal, operation.side);
  free_operation(number);
}

void Runtime::record_background(const Operation& operation) {
  recording_->in_background[{operation.channel, operation.ordinal, operation.side}] = operation.choices;
}

// `handle` none: all of them, in the order of their calls.
Outcome Runtime::await_pending(Standing& me, std::uint32_t handle) {
  Pending* const lists = pending(me);
  for (;;) {
    Pending* next = nullptr;
    if (handle < lists_) {
      if (lists[handle].first != none) next = &lists[handle];
    } else if (handle == none) {
      for (std::size_t i = 0; i < lists_; ++i) {
        if (lists[i].first == none) continue;
        if (!next || operations_[lists[i].first].call < operations_[next->first].call) next = &lists[i];
      }
    }
    if (!next) break;
    const Number number = next->first;
    const Operation& operation = operations_[number];
    if (!operation.is_complete) {
      me.waits_for_pending = true;
      return Outcome::again;
    }
    const Message& message = operation.channel->message(operation.ordinal);
    const std::size_t side = number_of(operation.side);
    if (recording_) recording_->add(me, operation.choices);
    // Without an await it has ended where it was called.
    if (operation.choices.count > 0 || !recording_) wait_for(me, operation.clock);
    me.clock += operation.charged;
    const Ends& ends = *ends_[message.ends - 1];
    if (operation.side == Side::receive && ends.window > 0 && ends.is_charged[side])
      received(*operation.channel, operation.ordinal, ends, me.clock);
    next->first = operation.next;
    if (next->first == none) next->last = none;
    complete(*operation.channel, operation.ordinal, operation.side);
    free_operation(number);
    --listed_;
  }
  ++Shared::operations;
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::compiled
