// Who asks for resources, and how they are served.
#include "backend/processes/compiled/served.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes::compiled {

// As the network looks at the times of all requests: what is too late for the quantum may have been rounded.
void Served::look_at_time(const Moment& moment) {
  if (!(moment.time < 0x1p52 * input_.quantum)) input_.too_late(moment.time);
}

// The program needs its processor. False: it has to wait, and calls again when that has served it: its clock then
// stands at the end.
bool Served::use_processor(Standing& me, double time, std::uint32_t call, std::int32_t place) {
  Own& mine = own(me);
  if (!processor_serves_) {
    step(me, time);
    return true;
  }
  if (std::exchange(mine.is_served, false)) return true;
  Request request;
  request.kind = Request::Kind::processor;
  request.when = request.from = now(me);
  request.at = mine.handed;
  request.process = me.rank;
  request.call = call;
  request.place = static_cast<std::int16_t>(place);
  request.time = time;
  mine.is_asking = true;
  ask(me, request);
  return false;
}

// True: it has been served at once.
bool Served::acquire(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock) {
  const bool is_program = acting.operation == none;
  Own& mine = own(acting.process);
  if (is_at_once_[step.resource]) {
    Moment& free = resource(acting.process, step.resource);
    clock.join(free);
    look_at_time(clock);
    free = clock;
    free.step(step.occupied);
    clock.step(0);
    mine.has_processor = true;
    return true;
  }
  Request request;
  request.kind = Request::Kind::acquire;
  request.when = request.from = clock;
  request.at = is_program && processor_serves_ ? mine.handed : clock;
  request.process = acting.process.rank;
  request.call = message(acting.message).call[number_of(acting.side)];
  request.place = static_cast<std::int16_t>(&step - ends.steps[number_of(acting.side)].data());
  request.message = acting.message;
  request.operation = acting.operation;
  request.side = acting.side;
  request.step = &step;
  request.time = step.work;
  if (is_program)
    mine.is_asking = true;
  else
    operations_[acting.operation].is_asking = true;
  ask(acting.process, request);
  return false;
}

void Served::ask(Standing& of, Request request) {
  Own& theirs = own(of);
  if (!(theirs.served < request.from)) is_overtaken_ = true;
  if (const std::size_t growth = requests_.growth()) claim(static_cast<std::int64_t>(growth));
  const Number before = theirs.requests;
  theirs.requests = requests_.add(before, request);
  if (theirs.requests != before && &of != active_) enlist(of);
}

// The first of that process's. Without a processor that serves it needs one resource, and all others come after it.
void Served::serve(Standing& me, Request request) {
  using Kind = Request::Kind;
  Own& mine = own(me);
  const ServedEnds::Step* const step = request.step;
  const bool needs_resource = step && step->resource != none;
  const bool needs_processor = processor_serves_ && (request.kind == Kind::processor || request.kind == Kind::arrival ||
                                                     (request.kind == Kind::acquire && request.operation == none));
  Moment free = request.when;
  if (needs_resource) free.join(resource(me, step->resource));
  if (needs_processor) free.join(mine.processor);
  if (processor_serves_ && request.when < free) {
    request.when = free;
    mine.requests = requests_.add(mine.requests, request);
    return;
  }
  look_at_time(free);
  mine.served = request.when;
  const Moment begins = free;
  if (needs_resource) {
    resource(me, step->resource) = begins;
    resource(me, step->resource).step(step->occupied);
  }
  switch (request.kind) {
    case Kind::emit: {
      Moment arrives = begins;
      arrives.step(step->time);
      deliver(request.message, request.side, *message(request.message).ends, *step, arrives);
      --message(request.message).departures;
      return release(request.message);
    }
    case Kind::await: return let_pass(request.message, request.side, *step, begins);
    case Kind::arrival: {
      if (processor_serves_) {
        mine.processor = begins;
        mine.processor.step(step->time);
      }
      const std::vector<ServedEnds::Step>& steps = message(request.message).ends->steps[number_of(request.side)];
      for (const ServedEnds::Step& one : steps) {
        if (one.kind == ir::Step::Kind::await && one.signal == step->signal)
          let_pass(request.message, request.side, one, begins);
      }
      --message(request.message).departures;
      return release(request.message);
    }
    case Kind::acquire: return serve_acquire(me, request, begins);
    case Kind::processor:
      mine.handed = {begins.time, begins.steps + 1};
      set(me, begins);
      this->step(me, request.time);
      mine.processor = now(me);
      mine.is_asking = false;
      mine.is_served = true;
      return wake(me);
  }
}

void Served::serve_acquire(Standing& me, const Request& request, Moment begins) {
  if (request.operation != none) {
    Operation& operation = operations_[request.operation];
    operation.clock = begins;
    operation.clock.step(0);
    operation.is_asking = false;
    ++operation.step;
    return advance(request.operation);
  }
  Own& mine = own(me);
  if (processor_serves_) {
    mine.handed = {begins.time, begins.steps + 1};
    mine.processor = begins;
    mine.processor.step(request.time);
  }
  begins.step(0);
  set(me, begins);
  mine.is_asking = false;
  mine.has_processor = true;
  ++me.step;
  wake(me);
}

}  // namespace wave::backend::processes::compiled
