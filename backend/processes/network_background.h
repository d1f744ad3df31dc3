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

inline bool has_charge(const std::vector<ResolvedStep>& steps) {
  for (std::size_t step = steps.size(); step-- > 0 && steps[step].kind != ir::Step::Kind::emit;) {
    if (steps[step].kind == ir::Step::Kind::busy) return true;
  }
  return false;
}

// What comes before the first `await` has happened; the rest goes on from here.
template <class Times>
void Network<Times>::leave_in_background(const Communicate& n) {
  Standing& me = control_.standing[here_];
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
  Operation& operation = control_.operations[number];
  control_.free_operation = operation.next;
  operation = {here_, me.message, none, n.message->side, n.message->handle, me.step, n.is_awaited, false};
  backgrounds_[number] = {clocks[here_], 0};
  if (me.last_pending == none) me.first_pending = number;
  else control_.operations[me.last_pending].next = number;
  me.last_pending = number;
  advance_pending(here_);
}

template <class Times>
void Network<Times>::advance_pending(Number process) {
  Number before = none;
  for (Number number = control_.standing[process].first_pending; number != none;) {
    const Number next = control_.operations[number].next;
    if (!control_.operations[number].is_complete) advance(number);
    const Operation& operation = control_.operations[number];
    if (operation.is_complete && !operation.is_awaited) {
      const Number message = operation.message;
      const Side side = operation.side;
      unlink(process, before, number);
      complete(message, side);
    } else {
      before = number;
    }
    number = next;
  }
}

// As far as it gets.
template <class Times>
void Network<Times>::advance(Number number) {
  Operation& operation = control_.operations[number];
  const Envelope& message = control_.messages[operation.message];
  const Envelope::End& end = message.ends[number_of(operation.side)];
  if (!end.ends || (operation.side == Side::receive && message.is_mismatched)) return;
  const auto& steps = steps_of(*end.ends, operation.side);
  const ir::EndsId machine = std::get<ir::Message>(end.statement->node).ends;
  const Acting acting{operation.process, operation.message, operation.side, machine, end.statement, number};
  Background& background = backgrounds_[number];
  for (; operation.step < steps.size(); ++operation.step) {
    const ResolvedStep& step = steps[operation.step];
    if (step.kind == ir::Step::Kind::busy && is_charged_later(steps, operation.step)) background.charged += step.time;
    else if (!take_step(step, acting, background.clock)) return;
  }
  operation.is_complete = true;
  if (operation.side == Side::receive && !has_charge(steps)) received(operation.message, background.clock);
}

template <class Times>
void Network<Times>::unlink(Number process, Number before, Number number) {
  Standing& standing = control_.standing[process];
  Operation& operation = control_.operations[number];
  if (before == none) standing.first_pending = operation.next;
  else control_.operations[before].next = operation.next;
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
    if (is_meant && !operation.is_complete) return Next::wait;
    if (is_meant) {
      charge(number);
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
