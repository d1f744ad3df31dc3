// The steps of a message's ends. Part of network_core.h.
#pragma once

#include "backend/processes/network_core.h"

namespace wave::backend::processes::network {

template <class Times>
Cause Network<Times>::cause(Cause::Kind kind, const Acting& acting, const ResolvedStep& step) const {
  const ResolvedEnds* ends_of = nullptr;
  if constexpr (Times::needs_causes) {
    const ResolvedEnds& ends = *control_.messages[acting.message].ends[number_of(acting.side)].ends;
    ends_of = &ends;
    if (kind == Cause::Kind::wire) {
      const bool is_payload =
          control_.system[acting.machine].protocols[ends.protocol].signals[step.signal] == "payload";
      if (!is_payload) kind = Cause::Kind::handshake;
    }
  }
  return {kind, acting.process, acting.statement, ends_of, &step};
}

template <class Times>
typename Network<Times>::Clock& Network<Times>::resource(std::uint32_t number, const Acting& acting) {
  std::vector<Clock>& clocks_of = resources[{acting.machine, number}];
  if (clocks_of.empty()) {
    claim(clocks.size() * sizeof(Clock));
    clocks_of.resize(clocks.size());
  }
  return clocks_of[acting.process];
}

// False: it has to wait. ir/process.h says what the steps mean.
template <class Times>
bool Network<Times>::take_step(const ResolvedStep& step, const Acting& acting, Clock& clock) {
  if (step.resource) {
    const Number earlier = control_.use_before(acting.process, acting.machine, *step.resource, acting.operation);
    if (earlier != none) return false;  // a resource is used in the order of the calls
  }
  switch (step.kind) {
    case ir::Step::Kind::busy:
      times_.advance(clock, step.time, cause(Cause::Kind::overhead, acting, step));
      return true;
    case ir::Step::Kind::emit: {
      Clock arrives = clock;
      if (step.resource) {
        Clock& free = resource(*step.resource, acting);
        const Cause gap = cause(Cause::Kind::gap, acting, step);
        times_.join(arrives, free, gap);
        free = arrives;
        times_.advance(free, step.occupied, gap);
      }
      times_.advance(arrives, step.time, cause(Cause::Kind::wire, acting, step));
      const std::size_t place = signal(acting.message, step.signal);
      signals_[place] = std::move(arrives);
      has_signal_[place] = 1;
      const Envelope::End& receiver = control_.messages[acting.message].ends[number_of(other(acting.side))];
      if (receiver.is_posted) wake(receiver.process);
      return true;
    }
    case ir::Step::Kind::await: {
      const std::size_t place = signal(acting.message, step.signal);
      if (!has_signal_[place]) return false;
      const Cause wire = cause(Cause::Kind::wire, acting, step);
      if (!step.resource) {
        times_.join(clock, signals_[place], wire);
        if constexpr (Times::needs_causes) signals_[place] = Clock{};  // nobody awaits it again; it may be large
        return true;
      }
      Clock passes = signals_[place];
      Clock& free = resource(*step.resource, acting);
      const Cause gap = cause(Cause::Kind::gap, acting, step);
      times_.join(passes, free, gap);
      free = passes;
      times_.advance(free, step.occupied, gap);
      times_.join(clock, passes, wire);
      return true;
    }
    case ir::Step::Kind::acquire:
    case ir::Step::Kind::arrival: return true;
  }
  return true;
}

}  // namespace wave::backend::processes::network
