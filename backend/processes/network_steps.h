// The steps of a message's ends. Part of network_core.h.
#pragma once

#include "backend/processes/network_core.h"

namespace wave::backend::processes::network {

template <class Times>
Cause Network<Times>::cause(Cause::Kind kind, const Acting& acting, const ResolvedStep& step, std::uint32_t use) const {
  const ResolvedEnds* ends_of = nullptr;
  if constexpr (Times::needs_causes) {
    const Envelope& message = control_.messages[acting.message];
    const std::size_t side = number_of(acting.side);
    // What arrives before its receive has been called is known from its sender.
    const ResolvedEnds& ends = *(message.ends[side].ends ? message.ends[side] : message.ends[1 - side]).ends;
    ends_of = &ends;
    if (kind == Cause::Kind::wire) {
      const bool is_payload =
          control_.system[acting.machine].protocols[ends.protocol].signals[step.signal] == "payload";
      if (!is_payload) kind = Cause::Kind::handshake;
    }
  }
  return {kind, acting.process, acting.statement, ends_of, &step, use};
}

// False: it has to wait. ir/process.h says what the steps mean.
template <class Times>
bool Network<Times>::take_step(const ResolvedStep& one, const Acting& acting, Moment& clock) {
  const bool is_program = acting.operation == none;
  Standing& standing = control_.standing[acting.process];
  const Envelope::End& end = control_.messages[acting.message].ends[number_of(acting.side)];
  const auto place = static_cast<std::int32_t>(&one - steps_of(*end.ends, acting.side).data());
  switch (one.kind) {
    case ir::Step::Kind::busy: {
      const Cause overhead = cause(Cause::Kind::overhead, acting, one);
      if (is_program && !std::exchange(standing.has_processor, false))
        return use_processor(one.time, overhead, end.call, place);
      step(clock, one.time, overhead);
      return true;
    }
    case ir::Step::Kind::emit:
      if (one.asks()) {
        Request request;
        request.kind = Request::Kind::emit;
        request.stamp = {at(clock), acting.process, end.call, place, 0};
        request.from = clock;
        request.process = acting.process;
        request.step = &one;
        request.message = acting.message;
        request.side = acting.side;
        request.machine = acting.machine;
        request.statement = acting.statement;
        ++control_.messages[acting.message].departures;
        ask(std::move(request));
      } else {
        Moment arrives = clock;
        step(arrives, one.time, cause(Cause::Kind::wire, acting, one));
        let_leave(one, acting, clock);
        deliver(one, acting, arrives);
      }
      step(clock, 0, cause(Cause::Kind::wire, acting, one));
      return true;
    case ir::Step::Kind::await:
    case ir::Step::Kind::sent: return await(one, acting, clock);
    case ir::Step::Kind::acquire: acquire(one, acting, clock); return false;
    case ir::Step::Kind::arrival: return true;  // no step of the program
  }
  return true;
}

template <class Times>
bool Network<Times>::await(const ResolvedStep& one, const Acting& acting, Moment& clock) {
  const std::size_t place = slot(acting.message, one.slot);
  if (!may_pass_[place]) return false;
  const bool is_sent = one.kind == ir::Step::Kind::sent;
  const Cause wire = cause(is_sent ? Cause::Kind::gap : Cause::Kind::wire, acting, one);
  if (acting.operation == none) {
    pass(passes_[place], wire);
  } else {
    join(clock, passes_[place], wire);
    step(clock, 0, wire);
  }
  if constexpr (Times::needs_causes) passes_[place] = Moment{};  // nobody awaits it again; it may be large
  return true;
}

template <class Times>
void Network<Times>::let_pass(Number message, const ResolvedStep& await, const Moment& when) {
  const std::size_t place = slot(message, await.slot);
  passes_[place] = when;
  may_pass_[place] = 1;
  for (const Envelope::End& end : control_.messages[message].ends) {
    if (end.is_posted) wake(end.process);
  }
}

// The last that a signal passes at this end has begun with it, or there is nothing that it passes.
template <class Times>
void Network<Times>::let_leave(const ResolvedStep& emitted, const Acting& acting, const Moment& begins) {
  const Envelope::End& end = control_.messages[acting.message].ends[number_of(acting.side)];
  for (const ResolvedStep& one : steps_of(*end.ends, acting.side)) {
    if (one.kind != ir::Step::Kind::sent || one.signal != emitted.signal) continue;
    Moment leaves = begins;
    step(leaves, one.time, cause(Cause::Kind::wire, acting, one));
    let_pass(acting.message, one, leaves);
  }
}

// A signal reaches the other end, which may not have been called yet.
template <class Times>
void Network<Times>::deliver(const ResolvedStep& emitted, const Acting& acting, const Moment& arrives) {
  Envelope& message = control_.messages[acting.message];
  const Side side = other(acting.side);
  const Envelope::End& from = message.ends[number_of(acting.side)];
  const Channel& channel = control_.channels[message.channel];
  const auto& steps = steps_of(*from.ends, side);
  const auto place = static_cast<std::int32_t>(&emitted - steps_of(*from.ends, acting.side).data());
  const bool is_taken = std::any_of(steps.begin(), steps.end(), [&](const ResolvedStep& one) {
    return one.kind == ir::Step::Kind::arrival && one.signal == emitted.signal;
  });
  std::uint32_t order = 0;
  for (const ResolvedStep& one : steps) {
    using Kind = ir::Step::Kind;
    if ((one.kind != Kind::await && one.kind != Kind::arrival) || one.signal != emitted.signal) continue;
    if (one.kind == Kind::await && !one.asks()) {
      if (!is_taken) let_pass(acting.message, one, arrives);
      continue;
    }
    Request request;
    request.kind = one.kind == Kind::await ? Request::Kind::await : Request::Kind::arrival;
    request.stamp = {at(arrives), acting.process, from.call, place, order};
    order += static_cast<std::uint32_t>(std::max<std::size_t>(1, one.uses.size()));
    request.from = arrives;
    request.process = side == Side::send ? channel.sender : channel.receiver;
    request.step = &one;
    request.message = acting.message;
    request.side = side;
    request.machine = acting.machine;
    request.statement = statement_of(message, side);
    if (one.kind == Kind::arrival) ++message.departures;  // nobody may wait for it
    ask(std::move(request));
  }
}

template <class Times>
void Network<Times>::acquire(const ResolvedStep& one, const Acting& acting, const Moment& clock) {
  const bool is_program = acting.operation == none;
  const Envelope::End& end = control_.messages[acting.message].ends[number_of(acting.side)];
  const auto& steps = steps_of(*end.ends, acting.side);
  Request request;
  request.kind = Request::Kind::acquire;
  request.step = &one;
  request.stamp = {is_program && processor_serves_ ? handed_[acting.process] : at(clock), acting.process, end.call,
                   static_cast<std::int32_t>(&one - steps.data()), 0};
  request.from = clock;
  request.process = acting.process;
  request.message = acting.message;
  request.side = acting.side;
  request.machine = acting.machine;
  request.statement = acting.statement;
  request.operation = acting.operation;
  // The `busy` that follows is what the processor is needed for.
  const auto is_busy = [](const ResolvedStep& later) { return later.kind == ir::Step::Kind::busy; };
  const auto work = std::find_if(steps.begin() + (&one - steps.data()), steps.end(), is_busy);
  if (work != steps.end()) request.time = work->time;
  if (is_program)
    control_.standing[acting.process].is_asking = true;
  else
    control_.operations[acting.operation].is_asking = true;
  ask(std::move(request));
}

}  // namespace wave::backend::processes::network
