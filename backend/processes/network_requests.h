// Resources, and whom they serve next. Part of network_core.h.
//
// A request is looked at when everything that it needs may be free: the earliest first, and those of one moment by
// stamp. What is served leads only to later moments, so no later request could have come before.
#pragma once

#include "backend/processes/network_core.h"
#include "backend/processes/thresholds.h"

#include <cmath>
#include <utility>

namespace wave::backend::processes::network {

// What passes one resource asks for the next when that begins with it: one step of no length later.
template <class Times>
void Network<Times>::ask_for_next(const Request& served, const Moment& begins, const Cause& gap) {
  Request request = served;
  ++request.use;
  request.from = begins;
  step(request.from, 0, gap);
  request.stamp.at = at(request.from);
  ++request.stamp.order;
  ask(std::move(request));
}

template <class Times>
void Network<Times>::ask(Request request) {
  if (const std::size_t growth = requests_.growth()) claim(growth);
  const Stamp::At when = at(request.from);
  requests_.add(std::move(request), when);
}

// The program needs its processor. False: it has to wait, and is called again when that has served it: its clock then
// stands at the end.
template <class Times>
bool Network<Times>::use_processor(double time, const Cause& cause, std::uint32_t call, std::int32_t place) {
  Standing& me = control_.standing[here_];
  if (!processor_serves_) {
    step(clocks[here_], time, cause);
    return true;
  }
  if (std::exchange(me.is_served, false)) return true;
  Request request;
  request.kind = Request::Kind::processor;
  request.stamp = {handed_[here_], here_, call, place, 0};
  request.process = here_;
  request.from = clocks[here_];
  request.cause = cause;
  request.time = time;
  me.is_asking = true;
  ask(std::move(request));
  return false;
}

// Of the resource that the request needs.
template <class Times>
typename Network<Times>::Server Network<Times>::server(const Request& request) {
  const ResolvedUse& use = request.step->uses[request.use];
  return resources_.find(request.machine, use.resource).find(use.number, request.process);
}

// Calls what the request needs, by when it is free again.
template <class Times>
template <class Visit>
void Network<Times>::for_each_needed(const Request& request, const Visit& visit) {
  if (request.step && request.step->asks()) visit(server(request).free);
  const bool by_program = request.kind == Request::Kind::processor || request.kind == Request::Kind::arrival ||
                          (request.kind == Request::Kind::acquire && request.operation == none);
  if (by_program && processor_serves_) visit(processors_[request.process]);
}

// False: nobody asks for anything.
template <class Times>
bool Network<Times>::serve_next() {
  if (requests_.empty()) return false;
  if (++ticks_ % network_steps_between_clock_reads == 0) input_.look_at_clock();
  const auto [entry, first] = requests_.take_first();
  Stamp::At free = entry.when;
  for_each_needed(first, [&](const Moment& when) { free = std::max(free, at(when)); });
  if (input_.quantum > 0 && !(free.time < 0x1p52 * input_.quantum)) input_.too_late(free.time);
  // Of those that need a resource alone, all that came before have been served: it is known when this one is.
  if (entry.when < free && processor_serves_) {
    requests_.put_back(entry.number, free);
    return true;
  }
  Request request = std::move(first);
  requests_.remove(entry.number);
  serve(request);
  return true;
}

template <class Times>
void Network<Times>::tell_of_service([[maybe_unused]] const Request& request, [[maybe_unused]] const ResolvedUse& use,
                                     [[maybe_unused]] const Server& by, [[maybe_unused]] const Moment& begins) {
  if constexpr (requires { times_.serve(Service{}); }) {
    const Envelope& message = control_.messages[request.message];
    const Channel& channel = control_.channels[message.channel];
    Service service;
    service.by = {{request.machine, use.resource}, by.group, use.number};
    service.server = by.number;
    service.sender = channel.sender;
    service.receiver = channel.receiver;
    // The other end may not have been called yet. A receive without a size may learn it only when it has.
    const Envelope::End& own = message.ends[number_of(request.side)];
    const Envelope::End& of_other = message.ends[number_of(other(request.side))];
    service.size = (own.ends ? own : of_other).ends->size;
    service.tag = control_.channels.tag(channel.kind);
    service.begin = Times::time(begins.clock);
    service.end = service.begin + use.occupied;
    times_.serve(service);
  }
}

template <class Times>
void Network<Times>::serve(Request& request) {
  using Kind = typename Request::Kind;
  const Acting acting{request.process, request.message,   request.side,
                      request.machine, request.statement, request.operation};
  const ResolvedStep* const of = request.step;
  const Cause gap = of ? cause(Cause::Kind::gap, acting, *of, request.use) : request.cause;
  // Of the program it is its clock that waits, and the processor that it waits for.
  const bool is_program =
      request.operation == none && (request.kind == Kind::processor || request.kind == Kind::acquire);
  Moment& begins = is_program ? clocks[request.process] : request.from;
  for_each_needed(request, [&](const Moment& free) { join(begins, free, gap); });
  if (of && of->asks()) {
    const ResolvedUse& use = of->uses[request.use];
    const Server by = server(request);
    by.free = begins;
    step(by.free, use.occupied, gap);
    tell_of_service(request, use, by, begins);
    const bool passes_on = request.kind == Kind::emit || request.kind == Kind::await;
    if (passes_on && request.use + 1 < of->uses.size()) return ask_for_next(request, begins, gap);
  }
  Standing& standing = control_.standing[request.process];
  const auto hand_over = [&] { handed_[request.process] = {Times::time(begins.clock), begins.steps + 1}; };
  switch (request.kind) {
    case Kind::emit: {
      Moment arrives = begins;
      step(arrives, of->time, cause(Cause::Kind::wire, acting, *of));
      let_leave(*of, acting, begins);
      deliver(*of, acting, arrives);
      --control_.messages[request.message].departures;
      release(request.message);
      return;
    }
    case Kind::await:
      if (of->time > 0) step(begins, of->time, cause(Cause::Kind::wire, acting, *of));  // 0 is no step
      return let_pass(request.message, *of, begins);
    case Kind::arrival: {
      processors_[request.process] = begins;
      step(processors_[request.process], of->time, cause(Cause::Kind::overhead, acting, *of));
      const Envelope& message = control_.messages[request.message];
      const auto& steps = steps_of(*message.ends[number_of(other(request.side))].ends, request.side);
      for (const ResolvedStep& one : steps) {
        if (one.kind == ir::Step::Kind::await && one.signal == of->signal) let_pass(request.message, one, begins);
      }
      --control_.messages[request.message].departures;
      release(request.message);
      return;
    }
    case Kind::acquire:
      if (request.operation != none) {
        Moment& clock = backgrounds_[request.operation].clock;
        clock = std::move(begins);
        step(clock, 0, gap);
        control_.operations[request.operation].is_asking = false;
        ++control_.operations[request.operation].step;
      } else {
        if (processor_serves_) {
          hand_over();
          processors_[request.process] = begins;
          // What keeps the processor is the `busy` behind it.
          const auto& steps =
              steps_of(*control_.messages[request.message].ends[number_of(request.side)].ends, request.side);
          const auto is_busy = [](const ResolvedStep& later) { return later.kind == ir::Step::Kind::busy; };
          const auto work = std::find_if(steps.begin() + (of - steps.data()), steps.end(), is_busy);
          step(processors_[request.process], request.time,
               work == steps.end() ? gap : cause(Cause::Kind::overhead, acting, *work));
        }
        step(begins, 0, gap);
        standing.is_asking = false;
        standing.has_processor = true;
        ++standing.step;
      }
      return wake(request.process);
    case Kind::processor:
      hand_over();
      step(begins, request.time, request.cause);
      processors_[request.process] = begins;
      standing.is_asking = false;
      standing.is_served = true;
      return wake(request.process);
  }
}

}  // namespace wave::backend::processes::network
