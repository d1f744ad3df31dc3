// Operations in the background, and the waits for them. Part of network_core.h.
#pragma once

#include "backend/processes/network_core.h"

namespace wave::backend::processes::network {

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

// What comes before the first `await` has happened; the rest goes on from here.
template <class Times>
void Network<Times>::leave_in_background(const Communicate& n) {
  Standing& me = control_.standing[here_];
  const Number number = new_operation();
  control_.operations[number] = {here_, me.message, none, n.message->side, n.message->handle, me.step, n.is_awaited};
  backgrounds_[number] = {clocks[here_], 0};
  (me.last_pending == none ? me.first_pending : control_.operations[me.last_pending].next) = number;
  me.last_pending = number;
  advance_pending(here_);
}

template <class Times>
void Network<Times>::advance_pending(Number process) {
  Number before = none;
  for (Number number = control_.standing[process].first_pending; number != none;) {
    const Number next = control_.operations[number].next;
    if (!control_.operations[number].is_complete) advance(number);
    const Operation operation = control_.operations[number];
    if (operation.is_complete && !operation.is_awaited) {
      unlink(process, before, number);
      complete(operation.message, operation.side);
    } else {
      before = number;
    }
    number = next;
  }
}

// As far as it gets.
template <class Times>
void Network<Times>::advance(Number number) {
  const Operation operation = control_.operations[number];
  const Envelope& message = control_.messages[operation.message];
  const Envelope::End& end = message.ends[number_of(operation.side)];
  if (operation.is_asking) return;
  if (!ends_of(operation.message, operation.side) || (operation.side == Side::receive && message.is_mismatched)) return;
  const auto& steps = steps_of(*end.ends, operation.side);
  const ir::EndsId machine = std::get<ir::Message>(end.statement->node).ends;
  const Acting acting{operation.process, operation.message, operation.side, machine, end.statement, number};
  for (std::uint32_t at = operation.step; at < steps.size(); control_.operations[number].step = ++at) {
    const ResolvedStep& one = steps[at];
    if (one.kind == ir::Step::Kind::busy && is_charged_at_wait(steps, at))
      backgrounds_[number].charged += one.time;
    else if (!take_step(one, acting, backgrounds_[number].clock))
      return;
  }
  control_.operations[number].is_complete = true;
  if (operation.side == Side::receive && !has_charge_at_wait(steps))
    received(operation.message, backgrounds_[number].clock);
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
    const bool is_meant = !n.handle.valid() || operation.handle == n.handle;
    if (is_meant) {
      if (!operation.is_complete) return Next::wait;
      const Envelope::End& end = control_.messages[operation.message].ends[number_of(operation.side)];
      if (!charge(number)) return Next::wait;
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

// What an operation leaves to the wait for it. False: the processor is not free.
template <class Times>
bool Network<Times>::charge(Number number) {
  const Operation& operation = control_.operations[number];
  const Envelope::End& end = control_.messages[operation.message].ends[number_of(operation.side)];
  const auto& steps = steps_of(*end.ends, operation.side);
  if (!control_.standing[here_].is_served) pass(backgrounds_[number].clock, {Cause::Kind::wire, here_, end.statement});
  if (!has_charge_at_wait(steps)) return true;
  const Cause overhead{Cause::Kind::overhead, here_, end.statement};
  if (!use_processor(backgrounds_[number].charged, overhead, end.call, static_cast<std::int32_t>(steps.size())))
    return false;
  if (operation.side == Side::receive) received(operation.message, clocks[here_]);
  return true;
}

}  // namespace wave::backend::processes::network
