// The order in which events are evaluated: consecutive tiles lie in vector lanes, and a lane lags behind the one before
// by `skew`; an event lags behind the step by its `shift`. Event e of lane l is evaluated, in step, for the process
// that `lean` takes to step - l * skew - shift[e], and then no dependence points forward on any axis: steps may be
// taken in any order that rises on every axis, strips of rows among them.
#pragma once

#include "backend/jit/sweep/events.h"

namespace wave::jit::sweep {

using strips::Dependence;

// Where a process comes in the order of steps: rows may be put off from plane to plane, and columns from plane to plane
// and from row to row.
struct Lean {
  int rows_by_plane = 0, columns_by_plane = 0, columns_by_row = 0;
  Offset step(const Offset& place) const;
  Offset place(const Offset& step) const;  // the reverse
};

struct StepOrder {
  Lean lean;
  Offset skew{};
  std::vector<Offset> shift;         // per event, at least 0
  std::vector<std::uint32_t> order;  // of the events within a step
  // By how many steps `to` comes after `from`; at least 0 on every axis.
  Offset distance(const Dependence& dependence) const;
};

std::vector<Dependence> dependences(const Events& events);

// The one that leans and lags least. Nothing: dependences have a cycle, or there is no such order with small numbers.
std::optional<StepOrder> schedule(std::size_t events, const std::vector<Dependence>& dependences);

// Whether each operation can be evaluated in program order, each after its signal, on any grid: there is no deadlock.
// May err on the safe side.
bool runs_through(const backend::processes::SweepBody& body);

}  // namespace wave::jit::sweep
