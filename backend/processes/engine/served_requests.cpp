// Who asks for resources, and how they are served.
#include "backend/processes/engine/served_steps.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes::engine {

// The program needs its processor. False: it has to wait, and calls again when that has served it: its clock then
// stands at the end.
bool Served::use_processor(Standing& me, double time, std::uint32_t call, std::int32_t place) {
  Own& mine = own(me);
  if (!processor_serves_) {
    if (watcher_) watch(me, kind_of_work(me), false, me.clock, me.clock + time);
    step(me, time);
    return true;
  }
  if (std::exchange(mine.is_served, false)) return true;
  Number number = none;
  ServedRequest& request = new_request(number);
  request.kind = ServedRequest::Kind::processor;
  request.when = now(me);
  request.at = mine.handed;
  request.process = me.rank;
  request.call = call;
  request.place = static_cast<std::int16_t>(place);
  request.order = 0;
  request.use = 0;
  request.step = nullptr;
  mine.work = time;
  mine.is_asking = true;
  ask(me, number);
  return false;
}

// True: it has been served at once.
bool Served::acquire(const Acting& acting, const Ends::Step& step, ServedMoment& clock) {
  const bool is_program = acting.operation == none;
  Own& mine = own(acting.process);
  if (resources_.is_at_once(step.use.resource)) {
    const ServedMoment begins = serve_at_once(acting, step, clock);
    watch(acting.process, Cause::Kind::gap, true, clock.time, begins.time);
    clock = begins;
    clock.step(0);
    return true;
  }
  Number number = none;
  ServedRequest& request = new_request(number);
  request.kind = ServedRequest::Kind::acquire;
  request.when = clock;
  request.at = is_program && processor_serves_ ? mine.handed : clock;
  request.process = acting.process.rank;
  request.call = acting.message.call[number_of(acting.side)];
  request.place = step.place;
  request.order = 0;
  request.use = 0;
  request.message = &acting.message;
  request.operation = acting.operation;
  request.side = acting.side;
  request.step = &step;
  if (is_program)
    mine.is_asking = true;
  else
    operations_[acting.operation].is_asking = true;
  ask(acting.process, number);
  return false;
}

// What passes one resource asks for the next when that begins with it: one step of no length later.
void Served::ask_for_next(const ServedRequest& served, const ServedMoment& begins) {
  Standing& process = asking(served);
  Number number = none;
  const ServedRequest before = served;  // the pool may move
  ServedRequest& request = new_request(number);
  request = before;
  request.when = begins;
  request.when.step(0);
  request.at = request.when;
  ++request.order;
  ++request.use;
  ask(process, number);
}

inline Served::Needs Served::needs_of(const ServedRequest& request) const {
  using Kind = ServedRequest::Kind;
  Needs needs;
  if (request.step && request.step->use.resource != none) {
    const ServedEnds::Step& step = *request.step;
    needs.use = request.use == 0 ? &step.use : &request.message->ends->protocol->passes[step.next + request.use - 1];
  }
  needs.processor = processor_serves_ && (request.kind == Kind::processor || request.kind == Kind::arrival ||
                                          (request.kind == Kind::acquire && request.operation == none));
  return needs;
}

// Of the requests that wait, each kind's first: whose turn comes first.
inline Served::Turn Served::next_turn(Standing& me) {
  Turn turn;
  Number* const waits = waiting(me);
  for (std::size_t kind = 0; kind < kinds_of_waiting(); ++kind) {
    if (waits[kind] == none) continue;
    const ServedMoment free = free_at(me, needs_of(requests_[waits[kind]]));
    if (comes_before(free, waits[kind], turn)) turn = {&waits[kind], free};
  }
  return turn;
}

// The request that this desk serves next, and when; none: not before the window ends. A request for one thing alone is
// served after all that have come before it, so when it is looked at that is known, even if it has to wait.
inline Number Served::take_first(Standing& of, ServedMoment& begins) {
  if (looks_again_) return take_first_that_is_free(of, begins);
  if (processor_serves_) return take_first_of_turns(of, begins);
  Desk& desk = own(of).desk;
  const Number number = desk.requests;
  desk.first = number == none ? never : requests_[number].when;
  if (!(desk.first < agenda_->end())) return none;
  begins = desk.first;
  begins.join(free_at(asking(requests_[number]), needs_of(requests_[number])));
  fetch_operation(requests_[number]);
  desk.requests = requests_.rest<ByMoment>(number);
  if (desk.requests != none) fetch_message(requests_[desk.requests]);
  return number;
}

// Where some need two things. One that comes before what it needs is free waits with the others of its kind, and is
// looked at again when it is their turn: not whenever something has been served.
Number Served::take_first_of_turns(Standing& me, ServedMoment& begins) {
  Desk& desk = own(me).desk;
  Turn turn = next_turn(me);
  while (desk.requests != none) {
    const Number number = desk.requests;
    const ServedMoment when = requests_[number].when;
    if (!comes_before(when, number, turn)) break;
    const Needs needs = needs_of(requests_[number]);
    const ServedMoment free = free_at(me, needs);
    const bool waits = when < free;
    if (!waits && !(when < agenda_->end())) {
      desk.first = when;
      return none;
    }
    desk.requests = requests_.rest<ByMoment>(number);
    if (!waits) {
      begins = when;
      return number;
    }
    Number& kind = waiting(me)[kind_of(needs)];
    kind = requests_.add<ByStamp>(kind, number);
    if (comes_before(free, kind, turn)) turn = {&kind, free};
  }
  desk.first = turn.begins;
  if (!turn.first || !(turn.begins < agenda_->end())) return none;
  begins = turn.begins;
  const Number number = *turn.first;
  *turn.first = requests_.rest<ByStamp>(number);
  return number;
}

// Where a desk has several of what they need: the earliest is looked at when all of it may be free, and again when it
// will be.
Number Served::take_first_that_is_free(Standing& of, ServedMoment& begins) {
  Desk& desk = own(of).desk;
  for (;;) {
    const Number number = desk.requests;
    desk.first = number == none ? never : requests_[number].when;
    if (!(desk.first < agenda_->end())) return none;
    const ServedMoment free = free_at(asking(requests_[number]), needs_of(requests_[number]));
    desk.requests = requests_.rest<ByMoment>(number);
    begins = requests_[number].when;
    if (!(begins < free)) return number;
    look_at_time(free);
    requests_[number].when = free;
    desk.requests = requests_.add<ByMoment>(desk.requests, number);
  }
}

inline void Served::serve_first(Standing& of) {
  using Kind = ServedRequest::Kind;
  Desk& desk = own(of).desk;
  ServedMoment begins;
  const Number number = take_first(of, begins);
  if (number == none) return;
  const ServedRequest& request = requests_[number];
  const Kind kind = request.kind;
  const ServedEnds::Step* const step = request.step;
  const Number operation = kind == Kind::acquire ? request.operation : none;
  Message* const message = request.message;
  const Side side = request.side;
  const Needs needs = needs_of(request);
  Standing& me = asking(request);
  if (recording_ && kind != Kind::ahead && kind != Kind::choice) record_service(me, request, needs);
  if (watcher_) watch_waits(me, request, needs);
  desk.first = desk.requests == none ? never : requests_[desk.requests].when;
  if (processor_serves_ && begins < desk.first) desk.first = begins;  // others may wait
  if (kind != Kind::ahead) desk.served = processor_serves_ ? begins : request.when;
  look_at_time(begins);
  if (needs.use) {
    const Server by = server(me, *needs.use);
    by.free = begins;
    by.free.step(message->ends->occupied(*needs.use));
    if (watcher_) watch_service(*message, *step, request.use, by, begins);
    const bool passes_on = kind == Kind::emit || kind == Kind::await;
    if (passes_on && request.use < step->last - step->next) {
      ask_for_next(request, begins);
      return requests_.free(number);
    }
  }
  requests_.free(number);
  switch (kind) {
    case Kind::emit:
      depart(*message, side, *message->ends, *step, begins);
      if (step->is_watched) go_on(*message, side);
      --message->departures;
      return release(*message);
    case Kind::await:
      if (const double time = message->ends->time(*step); time > 0) begins.step(time);  // 0 is no step
      return let_pass(*message, side, *step, begins);
    case Kind::arrival: return serve_arrival(me, *message, side, *step, begins);
    case Kind::acquire: return serve_acquire(me, message->ends->time(*step), operation, begins);
    case Kind::processor:
      own(me).handed = {begins.time, begins.steps + 1};
      if (watcher_) watch(me, kind_of_work(me), false, begins.time, begins.time + own(me).work);
      set(me, begins);
      this->step(me, own(me).work);
      own(me).processor = now(me);
      own(me).is_asking = false;
      own(me).is_served = true;
      return wake(me);
    case Kind::ahead: own(me).is_ahead = false; return wake(me);
    case Kind::choice:
      if (begins < choosers_[me.rank].chooses || choosers_[me.rank].chooses < begins) return;  // another came sooner
      choosers_[me.rank].chosen = std::exchange(choosers_[me.rank].chooses, never);
      return wake(me);
  }
}

// Before it has served: what begins later than it was asked for has waited for a service before.
void Served::record_service(Standing& me, const ServedRequest& request, const Needs& needs) {
  using Kind = ServedRequest::Kind;
  const bool is_program =
      request.kind == Kind::processor || (request.kind == Kind::acquire && request.operation == none);
  double begins = is_program ? me.clock : request.at.time;
  Choices waits;
  for (const auto& [is_needed, free] :
       {std::pair(needs.use != nullptr, needs.use ? server(me, *needs.use).free.time : 0),
        std::pair(needs.processor, own(me).processor.time)}) {
    waits.add(is_needed ? LaterTime::of(begins, free) : LaterTime{});
    if (is_needed) begins = std::max(begins, free);
  }
  if (request.kind == Kind::processor) return recording_->serve_program(me.rank, waits);
  ServedMessage& message = *request.message;
  const auto step = static_cast<std::uint16_t>(request.step->place);
  const bool is_called = (message.posted & bit_of(request.side)) != 0;
  const Number call = is_called ? message.call[number_of(request.side)] : message.uncalled;
  const Number number = recording_->serve(me.rank, call, step, request.use, waits);
  if (!is_called) message.uncalled = number;
  if (!needs.use || !needs.use->kind) return;
  const auto [last, is_first] = last_served_.try_emplace(&server(me, *needs.use).free);
  if (is_first) claim(bytes_of_hashed_entry);
  if (LaterTime::at(waits.word, 0).is_other) recording_->wait_for({me.rank, number}, last->second);
  last->second = {me.rank, number};
}

// For the steps that wait until the bytes of a signal have left. Their end does not go on by itself.
void Served::let_leave(Message& message, Side side, const Ends& ends, const Ends::Step& emitted,
                       const ServedMoment& begins) {
  for (const Ends::Step& one : ends.steps(number_of(side))) {
    if (one.kind != ir::Step::Kind::sent || one.signal != emitted.signal) continue;
    ServedMoment& leaves = message.passes()[one.slot];
    leaves = begins;
    leaves.step(ends.time(one));
  }
}

void Served::serve_arrival(Standing& me, Message& message, Side side, const Ends::Step& step,
                           const ServedMoment& begins) {
  ServedMoment& processor = own(me).processor;
  processor = begins;
  processor.step(message.ends->time(step));
  for (const Ends::Step& one : message.ends->steps(number_of(side))) {
    if (one.kind == ir::Step::Kind::await && one.signal == step.signal) let_pass(message, side, one, begins);
  }
  --message.departures;
  release(message);
}

void Served::serve_acquire(Standing& me, double work, Number number, ServedMoment begins) {
  if (number != none) {
    Operation& operation = operations_[number];
    operation.clock = begins;
    operation.clock.step(0);
    operation.is_asking = false;
    ++operation.step;
    return advance(number);
  }
  Own& mine = own(me);
  if (processor_serves_) {
    mine.handed = {begins.time, begins.steps + 1};
    mine.processor = begins;
    mine.processor.step(work);
    mine.has_processor = true;
  }
  begins.step(0);
  set(me, begins);
  mine.is_asking = false;
  ++me.step;
  wake(me);
}

// The program goes on when its desk comes to that moment. The request needs no resource, and `at` places it among the
// others of the moment.
void Served::ask_to_go_on(Standing& me, ServedRequest::Kind kind, const ServedMoment& when, const ServedMoment& at) {
  Number number = none;
  ServedRequest& request = new_request(number);
  request = {};
  request.kind = kind;
  request.when = when;
  request.at = at;
  request.process = me.rank;
  ask(me, number);
}

// A sender is too far ahead of its receiver.
void Served::stay_ahead(Standing& me) {
  own(me).is_ahead = true;
  ask_to_go_on(me, ServedRequest::Kind::ahead, now(me), {-1, 0});
}

// All that this desk can do before the window ends.
bool Served::settle(Standing& of) {
  Desk& desk = own(of).desk;
  active_ = &of;
  for (;;) {
    if (desk.ready != none) {
      Standing& me = standing(desk.ready);
      desk.ready = own(me).next_ready;
      if (!run_program(me)) return false;
    } else if (agenda_ && desk.first < agenda_->end()) {
      serve_first(of);
    } else {
      break;
    }
  }
  active_ = nullptr;
  enlist(of);
  return true;
}

}  // namespace wave::backend::processes::engine
