// Operations in the background, and the waits for them. Part of network_core.h.
#pragma once

#include "backend/processes/network_core.h"

namespace wave::backend::processes::network {

// After the last `emit`, `busy` is charged at the wait.
inline bool is_charged_later(const std::vector<ResolvedStep>& steps, std::size_t step) {
  for (std::size_t next = step + 1; next < steps.size(); ++next) {
    if (steps[next].kind == ir::Step::Kind::emit) return false;
  }
  return true;
}

// Is anything charged at the wait? What comes before the first `await` was at the call.
inline bool has_charge(const std::vector<ResolvedStep>& steps) {
  bool is_charged = false, is_after_await = false;
  for (const ResolvedStep& step : steps) {
    is_after_await = is_after_await || step.kind == ir::Step::Kind::await;
    if (step.kind == ir::Step::Kind::emit) is_charged = false;
    if (step.kind == ir::Step::Kind::busy && is_after_await) is_charged = true;
  }
  return is_charged;
}

template <class Times>
Number Network<Times>::new_operation() {
  if (control_.free_operation == none) {
    const std::size_t before = control_.operations.size(), after = std::max<std::size_t>(64, 2 * before);
    claim((after - before) * (sizeof(Operation) + sizeof(Background)));
    control_.operations.resize(after);
    backgrounds_.resize(after);
    for (std::size_t number = after; number-- > before;) {
      control_.operations[number].next = control_.free_operation;
      control_.free_operation = static_cast<Number>(number);
    }
  }
  const Number number = control_.free_operation;
  control_.free_operation = control_.operations[number].next;
  return number;
}

// Behind `before`; none: in front of all.
template <class Times>
void Network<Times>::insert(Number process, Number before, Number number) {
  Standing& standing = control_.standing[process];
  Number& link = before == none ? standing.first_pending : control_.operations[before].next;
  control_.operations[number].next = link;
  link = number;
  if (standing.last_pending == before) standing.last_pending = number;
}

// What comes before the first `await` has happened; the rest goes on from here.
template <class Times>
void Network<Times>::leave_in_background(const Communicate& n) {
  Standing& me = control_.standing[here_];
  const Number number = new_operation();
  control_.operations[number] = {here_, me.message,   none, n.message->side, n.message->handle, me.step,
                                 false, n.is_awaited, false};
  backgrounds_[number] = {clocks[here_], 0};
  insert(here_, me.last_pending, number);
  advance_pending(here_);
}

// Nobody waits for a signal to leave.
template <class Times>
void Network<Times>::depart_later(const Acting& acting, std::uint32_t step, const Clock& clock, Number before) {
  const Number number = new_operation();
  control_.operations[number] = {acting.process, acting.message, none, acting.side, {}, step, true, false, false};
  backgrounds_[number] = {clock, 0};
  ++control_.messages[acting.message].departures;
  insert(acting.process, before, number);
}

template <class Times>
void Network<Times>::advance_pending(Number process) {
  Number before = none;
  for (Number number = control_.standing[process].first_pending; number != none;) {
    const Number next = control_.operations[number].next;
    if (!control_.operations[number].is_complete) advance(number, before);
    const Operation operation = control_.operations[number];
    if (operation.is_complete && !operation.is_awaited) {
      unlink(process, before, number);
      if (!operation.is_departure) {
        complete(operation.message, operation.side);
      } else {
        --control_.messages[operation.message].departures;
        release(operation.message);
      }
    } else {
      before = number;
    }
    number = next;
  }
}

// As far as it gets. `before`: the operation in front of it.
template <class Times>
void Network<Times>::advance(Number number, Number& before) {
  const Operation operation = control_.operations[number];
  const Envelope& message = control_.messages[operation.message];
  const Envelope::End& end = message.ends[number_of(operation.side)];
  if (!ends_of(operation.message, operation.side) || (operation.side == Side::receive && message.is_mismatched)) return;
  const auto& steps = steps_of(*end.ends, operation.side);
  const ir::EndsId machine = std::get<ir::Message>(end.statement->node).ends;
  const Acting acting{operation.process, operation.message, operation.side, machine, end.statement, number};
  if (operation.is_departure) {
    control_.operations[number].is_complete = take_step(steps[operation.step], acting, backgrounds_[number].clock);
    return;
  }
  for (std::uint32_t at = operation.step; at < steps.size(); control_.operations[number].step = ++at) {
    const ResolvedStep& step = steps[at];
    if (step.kind == ir::Step::Kind::busy && is_charged_later(steps, at)) {
      backgrounds_[number].charged += step.time;
    } else if (!take_step(step, acting, backgrounds_[number].clock)) {
      if (step.kind != ir::Step::Kind::emit) return;
      const Clock now = backgrounds_[number].clock;
      depart_later(acting, at, now, before);
      before = before == none ? control_.standing[operation.process].first_pending : control_.operations[before].next;
    }
  }
  control_.operations[number].is_complete = true;
  if (operation.side == Side::receive && !has_charge(steps)) received(operation.message, backgrounds_[number].clock);
}

template <class Times>
void Network<Times>::unlink(Number process, Number before, Number number) {
  Standing& standing = control_.standing[process];
  Operation& operation = control_.operations[number];
  if (before == none)
    standing.first_pending = operation.next;
  else
    control_.operations[before].next = operation.next;
  if (standing.last_pending == number) standing.last_pending = before;
  operation.next = control_.free_operation;
  control_.free_operation = number;
}

template <class Times>
typename Network<Times>::Next Network<Times>::await_pending(const AwaitPending& n) {
  Standing& me = control_.standing[here_];
  if (never_waits_) {
    ++me.counter;
    return Next::go_on;
  }
  Number before = none;
  for (Number number = me.first_pending; number != none;) {
    const Operation operation = control_.operations[number];
    const bool is_meant = !operation.is_departure && (!n.handle.valid() || operation.handle == n.handle);
    if (is_meant && !operation.is_complete) return Next::wait;
    if (is_meant) {
      const Envelope::End& end = control_.messages[operation.message].ends[number_of(operation.side)];
      tell([&](ProgramWatcher& watcher, double now) {
        watcher.begin_wait(here_, operation.message, *end.statement, now);
      });
      charge(number);
      tell([&](ProgramWatcher& watcher, double now) { watcher.end_wait(here_, now); });
      unlink(here_, before, number);
      complete(operation.message, operation.side);
    } else {
      before = number;
    }
    number = operation.next;
  }
  ++operations_;
  ++me.counter;
  return Next::go_on;
}

template <class Times>
void Network<Times>::charge(Number number) {
  const Operation& operation = control_.operations[number];
  const Envelope::End& end = control_.messages[operation.message].ends[number_of(operation.side)];
  const auto& steps = steps_of(*end.ends, operation.side);
  Clock& clock = clocks[here_];
  times_.join(clock, backgrounds_[number].clock, {Cause::Kind::wire, here_, end.statement});
  if (!has_charge(steps)) return;
  times_.advance(clock, backgrounds_[number].charged, {Cause::Kind::overhead, here_, end.statement});
  if (operation.side == Side::receive) received(operation.message, clock);
}

}  // namespace wave::backend::processes::network
