// docs/processes.md says what the steps mean, and who is served first.
#include "frontend/lower/exchange.h"

#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "ir/builder.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

const item::Resource& resource_of(const Item& machine, const statement::Use& use) {
  return std::get<item::Resource>(check::find_member(machine, use.resource.text)->node);
}

// Calls `visit` with everything that an end asks for.
template <class Visit>
void for_each_use(const Block& program, Visit&& visit) {
  for (const auto& statement : program) {
    if (const auto* emit = std::get_if<statement::Emit>(&statement->node)) {
      for (const statement::Use& use : emit->uses) visit(use);
    } else if (const auto* await = std::get_if<statement::Await>(&statement->node)) {
      for (const statement::Use& use : await->uses) visit(use);
    } else if (const auto* acquire = std::get_if<statement::Acquire>(&statement->node)) {
      visit(acquire->use);
    } else if (const auto* arrival = std::get_if<statement::Arrival>(&statement->node)) {
      if (arrival->use) visit(*arrival->use);
    }
  }
}

}  // namespace

Exchange::Exchange(const Parts& parts, const Item& machine, const item::Protocol& protocol, const Scope& scope,
                   const std::set<std::string>& shared, SymbolicTime sender, SymbolicTime receiver, Location location)
    : parts_(parts), b_(parts.b), machine_(machine), shared_(shared), location_(location) {
  refuse_what_is_not_derived(protocol);
  sender_ = end_of(protocol.sender, scope, sender);
  receiver_ = end_of(protocol.receiver, scope, receiver);
  run();
}

// Who is served first is worked out for resources that serve one request at a time. Where one of several servers or
// resources is asked for more than once, or a signal passes on to something that others ask for, a formula would have
// to say too much.
void Exchange::refuse_what_is_not_derived(const item::Protocol& protocol) {
  std::map<std::string, std::size_t> uses;
  std::set<std::string> passed_on;
  for (const Block* end : {&protocol.sender, &protocol.receiver}) {
    for_each_use(*end, [&](const statement::Use& use) { ++uses[use.resource.text]; });
    for (const auto& statement : *end) {
      const auto* await = std::get_if<statement::Await>(&statement->node);
      const auto* emit = std::get_if<statement::Emit>(&statement->node);
      const auto* uses_of_signal = await ? &await->uses : emit ? &emit->uses : nullptr;
      for (std::size_t i = 1; uses_of_signal && i < uses_of_signal->size(); ++i)
        passed_on.insert((*uses_of_signal)[i].resource.text);
    }
  }
  for (const Block* end : {&protocol.sender, &protocol.receiver}) {
    for_each_use(*end, [&](const statement::Use& use) {
      const item::Resource& resource = resource_of(machine_, use);
      if (uses[use.resource.text] < 2) return;
      if (!resource.count && !resource.servers && passed_on.count(use.resource.text) == 0) return;
      parts_.sites.abandon(
          DiagnosticKind::not_expressible, location_,
          "no formula gives what a message costs that asks for `" + use.resource.text + "` more than once",
          "asked of this machine",
          "measure it in a process that sends one message, as in `p.time`; for `send` and `total`, `sharing = 1` does");
    });
  }
}

Exchange::Request Exchange::request_of(const statement::Use& use, SymbolicTime when) const {
  const item::Resource& resource = resource_of(machine_, use);
  return {when, when, false, use.resource.text, resource.level && shared_.count(resource.level->text) > 0};
}

Exchange::End Exchange::end_of(const Block& program, const Scope& scope, SymbolicTime called) {
  End end;
  end.program = &program;
  end.scope = scope;
  end.clock = end.handed = end.processor = called;
  for (const auto& statement : program) {
    if (const auto* arrival = std::get_if<statement::Arrival>(&statement->node)) {
      add_service(end, *statement, arrival->signal.text, arrival->use ? &*arrival->use : nullptr);
      end.services.back().request.for_processor = true;
      end.services.back().busy = time(end, arrival->time);
      end.takes_in = true;
    } else if (const auto* await = std::get_if<statement::Await>(&statement->node)) {
      for (const statement::Use& use : await->uses) {
        add_service(end, *statement, await->signal.text, &use);
        if (&use != &await->uses.front()) end.services.back().before = end.services.size() - 2;
      }
    }
  }
  return end;
}

void Exchange::add_service(End& end, const Statement& said, const std::string& signal, const statement::Use* use) {
  Service& service = end.services.emplace_back();
  service.said = &said;
  service.signal = signal;
  if (use) service.request = request_of(*use, {});
  if (use) service.occupied = time(end, use->occupied);
  service.is_done = b_.boolean(false);
}

void Exchange::run() {
  const auto is_done = [](const End& end) { return end.next == end.program->size(); };
  for (bool moved = true; moved;) {
    moved = advance(sender_, false) | advance(receiver_, false);
    // Neither end knows yet what will come to it. Whatever comes follows from a step that is still to be made, so that
    // step is earlier and may be forced.
    if (!moved) moved = advance(sender_, true) || advance(receiver_, true);
  }
  if (!is_done(sender_) || !is_done(receiver_))
    parts_.sites.abandon(DiagnosticKind::not_expressible, location_,
                         "the two ends of this protocol wait for each other");
}

// Advances as far as the end gets or, forced, by one step.
bool Exchange::advance(End& end, bool force) {
  bool moved = false;
  while (end.next < end.program->size() && !(moved && force) && step(end, *(*end.program)[end.next], force)) {
    ++end.next;
    moved = true;
  }
  return moved;
}

bool Exchange::step(End& end, const Statement& statement, bool force) {
  if (const auto* busy = std::get_if<statement::Busy>(&statement.node)) {
    if (!end.has_acquired && !acquire(end, nullptr, force)) return false;
    end.has_acquired = false;
    end.handed = end.clock;
    end.clock = later(end.clock, time(end, busy->time));
    if (end.takes_in) end.processor = end.clock;
    return true;
  }
  if (const auto* acquired = std::get_if<statement::Acquire>(&statement.node))
    return acquire(end, &acquired->use, force);
  if (const auto* emitted = std::get_if<statement::Emit>(&statement.node)) return emit(end, *emitted, force);
  if (const auto* awaited = std::get_if<statement::Await>(&statement.node))
    return await(end, statement, *awaited, force);
  if (const auto* sent = std::get_if<statement::Sent>(&statement.node)) {
    await_sent(end, *sent);
    return true;
  }
  if (std::holds_alternative<statement::Arrival>(statement.node)) return true;  // it is no step of the program
  parts_.sites.abandon(DiagnosticKind::not_expressible, statement.location,
                       "this statement has no place in a protocol");
}

// Acquires the processor, for the `busy` that follows, and the resource if there is one.
bool Exchange::acquire(End& end, const statement::Use* use, bool force) {
  Request request{end.handed, end.clock, true};
  if (use) {
    request = request_of(*use, end.clock);
    request.since = end.handed;
    request.for_processor = true;
  }
  if (!force && may_be_late(end, request)) return false;
  serve_earlier(end, request);
  end.clock = begin(end, request);
  if (use) is_free(end, request) = later(end.clock, time(end, use->occupied));
  end.has_acquired = true;
  return true;
}

bool Exchange::emit(End& end, const statement::Emit& emit, bool force) {
  for (const statement::Use& use : emit.uses) {
    if (!force && may_be_late(end, request_of(use, end.clock))) return false;
  }
  SymbolicTime leaves = end.clock;
  ValueId occupied;
  for (const statement::Use& use : emit.uses) {
    const Request request = request_of(use, leaves);
    serve_earlier(end, request);
    leaves = begin(end, request);
    occupied = time(end, use.occupied);
    is_free(end, request) = later(leaves, occupied);
  }
  end.leaving[emit.signal.text] = {leaves, occupied};
  const SymbolicTime arrives = later(leaves, time(end, emit.after));
  arrivals_[emit.signal.text] = arrives;
  for (Service& service : (&end == &sender_ ? receiver_ : sender_).services) {
    if (service.signal == emit.signal.text && service.before == Service::none)
      service.request.since = service.request.ready = arrives;
  }
  return true;
}

bool Exchange::await(End& end, const Statement& statement, const statement::Await& await, bool force) {
  const auto arrival = arrivals_.find(await.signal.text);
  if (arrival == arrivals_.end()) return false;
  SymbolicTime passes = arrival->second;
  for (Service& service : end.services) {
    const bool is_meant = service.said == &statement ||
                          (service.signal == await.signal.text && await.uses.empty() && service.request.for_processor);
    if (!is_meant) continue;
    if (service.before != Service::none) service.request.since = service.request.ready = passes;
    if (!force && may_be_late(end, service.request)) return false;
    serve_earlier(end, service.request);
    serve(end, service, b_.boolean(true));
    passes = service.begin;
  }
  end.clock = end.handed = latest(end.clock, later(passes, time(end, await.after)));
  return true;
}

void Exchange::await_sent(End& end, const statement::Sent& sent) {
  const End::Leaving& leaving = end.leaving.at(sent.signal.text);
  const SymbolicTime passes = later(leaving.begin, sent.after ? time(end, sent.after) : leaving.occupied);
  end.clock = end.handed = latest(end.clock, passes);
}

// --- who is served first ---

SymbolicTime& Exchange::is_free(End& end, const Request& request) {
  return is_free_[{request.is_shared ? nullptr : &end, *request.resource}];
}

bool Exchange::is_known(const End& end, const Service& service) const {
  if (service.before == Service::none) return arrivals_.count(service.signal) > 0;
  const auto done = b_.as_constant(end.services[service.before].is_done);
  return done && done->boolean;
}

// Calls `visit` with the services, and their ends, that want what the request wants.
template <class Visit>
void Exchange::for_each_rival(End& end, const Request& request, Visit&& visit) {
  for (End* other : {&sender_, &receiver_}) {
    for (Service& service : other->services) {
      if (&service.request != &request && shares(service.request, request, other == &end)) visit(*other, service);
    }
  }
}

// Whether something that is not yet known may ask for the same resource earlier.
bool Exchange::may_be_late(End& end, const Request& request) {
  bool may = false;
  for_each_rival(end, request, [&](const End& of, const Service& rival) { may = may || !is_known(of, rival); });
  return may;
}

bool Exchange::shares(const Request& one, const Request& other, bool same_end) {
  if (same_end && one.for_processor && other.for_processor) return true;
  return one.resource && one.resource == other.resource && (same_end || one.is_shared);
}

void Exchange::serve_earlier(End& end, const Request& request) {
  for_each_rival(end, request, [&](End& of, Service& rival) {
    if (is_known(of, rival)) serve(of, rival, comes_first(of, rival.request, end, request));
  });
}

// Serves if `now` holds and it has not been served before.
void Exchange::serve(End& end, Service& service, ValueId now) {
  now = b_.logical_and(b_.logical_not(service.is_done), now);
  const auto known = b_.as_constant(now);
  if (known && !known->boolean) return;
  const auto choose = [&](SymbolicTime then, SymbolicTime otherwise) -> SymbolicTime {
    if (known || !then) return then;
    return b_.select(now, *then, otherwise.value_or(b_.real(0)));
  };
  const SymbolicTime begins = begin(end, service.request);
  service.begin = choose(begins, service.begin);
  if (service.request.for_processor) end.processor = choose(later(begins, service.busy), end.processor);
  if (service.request.resource && service.request.ready) {
    SymbolicTime& free = is_free(end, service.request);
    free = choose(later(begins, service.occupied), free);
  }
  service.is_done = b_.logical_or(service.is_done, now);
}

// What came infinitely long ago passed its resource then. The processor is charged all the same.
SymbolicTime Exchange::begin(End& end, const Request& request) {
  SymbolicTime result = request.ready;
  if (request.for_processor && end.takes_in) result = latest(result, end.processor);
  if (request.resource && request.ready) result = latest(result, is_free(end, request));
  return result;
}

// Whether `one` can be served before the other, or both can be served at once and `one` has the smaller stamp.
ValueId Exchange::comes_first(End& end, const Request& one, End& other_end, const Request& other) {
  const SymbolicTime mine = begin(end, one), others = begin(other_end, other);
  const ValueId is_together = b_.logical_not(is_before(others, mine));
  return b_.logical_or(is_before(mine, others), b_.logical_and(is_older(one.since, other.since), is_together));
}

// Stamps also count steps of no length, which times do not show. Of two at the same time, what arrives was there before
// the program asked. Only at the beginning it was not, since nothing comes before that.
ValueId Exchange::is_older(SymbolicTime arrives, SymbolicTime since) const {
  if (!arrives) return b_.boolean(true);
  if (!since || is_origin(since)) return b_.boolean(false);
  return b_.logical_not(is_before(since, arrives));
}

// --- moments ---

ValueId Exchange::is_before(SymbolicTime a, SymbolicTime b) const {
  if (!b || is_origin(b)) return b_.boolean(b && !a);
  if (!a || *a == *b) return b_.boolean(!a);
  return b_.less(*a, *b);
}

bool Exchange::is_origin(SymbolicTime moment) const {
  const auto known = moment ? b_.as_constant(*moment) : std::nullopt;
  return known && known->real == 0;
}

SymbolicTime Exchange::later(SymbolicTime moment, ValueId delay) const {
  if (!moment || !delay.valid() || is_origin(delay)) return moment;
  return is_origin(moment) ? delay : b_.add(*moment, delay);
}

SymbolicTime Exchange::latest(SymbolicTime a, SymbolicTime b) const {
  if (!a || (b && is_origin(a))) return b;
  if (!b || is_origin(b) || *a == *b) return a;
  return b_.maximum({*a, *b});
}

ValueId Exchange::time(const End& end, const ExprPtr& expr) const {
  return expr ? parts_.expressions.real(*expr, end.scope) : ValueId{};
}

// --- results ---

SymbolicTime Exchange::finish(End& end) {
  for (Service& service : end.services) {
    if (service.before != Service::none)
      service.request.since = service.request.ready = end.services[service.before].begin;
    serve_earlier(end, service.request);
    serve(end, service, b_.boolean(true));
  }
  return end.takes_in ? latest(end.clock, end.processor) : end.clock;
}

SymbolicTime Exchange::cost(End& end) {
  SymbolicTime result = end.takes_in ? latest(end.clock, end.processor) : end.clock;
  for (const Service& service : end.services) {
    if (service.request.for_processor) result = later(result, b_.select(service.is_done, b_.real(0), service.busy));
  }
  return result;
}

}  // namespace wave::frontend::lowering
