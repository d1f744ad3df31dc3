// Operations in the background, where resources serve by time. Whoever does what one waits for takes it on, so that
// nobody looks for those that can go on.
#include "backend/processes/engine/served_steps.h"

#include <algorithm>

namespace wave::backend::processes::engine {

using Kind = ir::Step::Kind;

// What comes before the first await has happened; the rest goes on from here.
void Served::leave_in_background(Standing& me, Site& site) {
  const Side side = site.call->message->side;
  Message& message = *own(me).message;
  Operation operation;
  operation.process = me.rank;
  operation.message = &message;
  operation.step = me.step;
  operation.call = message.call[number_of(side)];
  operation.site = static_cast<std::uint32_t>(&site - sites_.data());
  operation.clock = now(me);
  operation.side = side;
  operation.is_awaited = site.call->is_awaited;
  const Number number = operations_.make(operation);
  message.operation[number_of(side)] = number;
  own(me).message = nullptr;
  watch_end(me, false);
  if (site.call->message->of_task) {
    add_to_task(choosers_[me.rank], number);
  } else if (operation.is_awaited) {
    append(pending(me)[site.list], number, operations_);
  }
  advance(number);
}

// As far as it gets.
void Served::advance(Number number) {
  const Operation started = operations_[number];
  const Ends* const ends = started.message->ends;
  if (!ends || started.is_asking || started.is_advancing || started.is_complete) return;
  const std::vector<Ends::Step>& steps = ends->steps(number_of(started.side));
  Standing& process = standing(started.process);
  const Acting acting{process, *started.message, started.side, number};
  operations_[number].is_advancing = true;
  for (std::uint32_t at = started.step; at < steps.size(); operations_[number].step = ++at) {
    if (steps[at].kind == Kind::busy && steps[at].is_charged_later) {
      operations_[number].charged += ends->time(steps[at]);
      continue;
    }
    ServedMoment clock = operations_[number].clock;
    const bool is_taken = take_step(acting, *ends, steps[at], clock);
    if (!is_taken) break;
    operations_[number].clock = clock;
  }
  Operation& operation = operations_[number];
  operation.is_advancing = false;
  if (operation.step < steps.size()) return;
  operation.is_complete = true;
  if (!choosers_.empty() && operation.is_awaited) {
    Chooser& chooser = choosers_[process.rank];
    if (!(chooser.chosen < operation.clock)) is_overtaken_ = true;
    if (operation.task != none) {
      end_for_task(chooser, operation);
    } else {
      claim(bytes_of_sorted_entry);
      chooser.ended[sites_[operation.site].list].insert({operation.clock, operation.call, number});
    }
  }
  if (operation.side == Side::receive && ends->window > 0 && !ends->protocol->is_charged[1])
    received(*operation.message, operation.clock);
  if (operations_[number].is_awaited) {
    if (process.waits_for_pending) {
      process.waits_for_pending = false;
      wake(process);
    }
    return;
  }
  if (recording_) record_background(operations_[number]);
  complete(*started.message, started.side);
  operations_.free(number);
}

void Served::record_background(const Operation& operation) {
  recording_->keep(operation.process, operation.call, operation.choices);
}

// All of them, in the order of their calls.
Outcome Served::await_pending(Standing& me, const ir::Wait& wait) {
  if (wait.is_any) return await_first(me, wait);
  while (Pending* const next = next_pending(me, wait, operations_)) {
    const Number number = next->first;
    if (!operations_[number].is_complete) {
      me.waits_for_pending = true;
      return Outcome::again;
    }
    if (const Outcome outcome = take(me, number); outcome != Outcome::goes_on) return outcome;
    free(me, number);
  }
  ++Shared::operations;
  return Outcome::goes_on;
}

// The program goes on with an operation that has ended, and is charged what that has left. Where the processor serves,
// it comes again when that has been served.
Outcome Served::take(Standing& me, Number number) {
  const Operation operation = operations_[number];
  const Ends& ends = *operation.message->ends;
  const std::size_t side = number_of(operation.side);
  if (!own(me).is_served) {
    const ir::Statement& call = *sites_[operation.site].call->statement;
    if (watcher_) watcher_->begin_wait(me.rank, operation.message, call, me.clock);
    if (recording_) recording_->add(me, operation.choices);
    // Without an await it has ended where it was called.
    if (operation.choices.count > 0) record(me, operation.clock.time);
    pass(me, operation.clock, Cause::Kind::wire);
  }
  if (ends.protocol->is_charged[side]) {
    const auto place = static_cast<std::int32_t>(ends.steps(side).size());
    if (!use_processor(me, operation.charged, operation.call, place)) return Outcome::again;
    if (operation.side == Side::receive && ends.window > 0) received(*operation.message, now(me));
  }
  if (watcher_) watcher_->end_wait(me.rank, me.clock);
  complete(*operation.message, operation.side);
  return Outcome::goes_on;
}

// One that has been taken. Behind others of its handle it stays in their list until these are gone.
void Served::free(Standing& me, Number number) {
  const Operation& taken = operations_[number];
  if (taken.task != none) return operations_.free(number);
  const Number handle = sites_[taken.site].list;
  if (!choosers_.empty()) {
    choosers_[me.rank].ended[handle].erase({taken.clock, taken.call, number});
    claim(-static_cast<std::int64_t>(bytes_of_sorted_entry));
  }
  Pending& list = pending(me)[handle];
  operations_[number].is_taken = true;
  while (list.first != none && operations_[list.first].is_taken)
    operations_.free(std::exchange(list.first, operations_[list.first].next));
}

}  // namespace wave::backend::processes::engine
