// docs/processes.md says what the steps mean, and who is served first.
#include "frontend/lower/exchange.h"

#include "frontend/lower/expressions.h"
#include "ir/builder.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::ValueId;

Exchange::Exchange(const Parts& parts, const item::Protocol& protocol, const Scope& scope, SymbolicTime sender,
                   SymbolicTime receiver, Location location)
    : parts_(parts),
      b_(parts.b),
      sender_(end_of(protocol.sender, scope, sender)),
      receiver_(end_of(protocol.receiver, scope, receiver)),
      location_(location) {
  run();
}

Exchange::End Exchange::end_of(const Block& program, const Scope& scope, SymbolicTime called) {
  End end;
  end.program = &program;
  end.scope = scope;
  end.clock = end.handed = end.processor = called;
  for (const auto& statement : program) {
    const auto* arrival = std::get_if<statement::Arrival>(&statement->node);
    const auto* await = std::get_if<statement::Await>(&statement->node);
    if (!arrival && !(await && await->resource)) continue;
    Service& service = end.services.emplace_back();
    service.said = statement.get();
    service.signal = arrival ? arrival->signal.text : await->signal.text;
    const std::optional<Identifier>& resource = arrival ? arrival->resource : await->resource;
    if (resource) service.request.resource = resource->text;
    service.request.for_processor = arrival != nullptr;
    service.busy = arrival ? time(end, arrival->time) : ValueId{};
    service.occupied = time(end, arrival ? arrival->occupied : await->occupied);
    service.is_done = b_.boolean(false);
    end.takes_in = end.takes_in || arrival;
  }
  return end;
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
    if (!end.has_acquired && !acquire(end, {}, nullptr, force)) return false;
    end.has_acquired = false;
    end.handed = end.clock;
    end.clock = later(end.clock, time(end, busy->time));
    if (end.takes_in) end.processor = end.clock;
    return true;
  }
  if (const auto* acquired = std::get_if<statement::Acquire>(&statement.node))
    return acquire(end, acquired->resource, acquired->occupied, force);
  if (const auto* emitted = std::get_if<statement::Emit>(&statement.node)) return emit(end, *emitted, force);
  if (const auto* awaited = std::get_if<statement::Await>(&statement.node))
    return await(end, statement, *awaited, force);
  if (std::holds_alternative<statement::Arrival>(statement.node)) return true;  // it is no step of the program
  parts_.sites.abandon(DiagnosticKind::not_expressible, statement.location,
                       "this statement has no place in a protocol");
}

// Acquires the processor, for the `busy` that follows, and the resource if there is one.
bool Exchange::acquire(End& end, const std::optional<Identifier>& resource, const ExprPtr& occupied, bool force) {
  Request request{end.handed, end.clock, true, {}};
  if (resource) request.resource = resource->text;
  if (!force && may_be_late(end, request)) return false;
  serve_earlier(end, request);
  end.clock = begin(end, request);
  if (resource) end.is_free[resource->text] = later(end.clock, time(end, occupied));
  end.has_acquired = true;
  return true;
}

bool Exchange::emit(End& end, const statement::Emit& emit, bool force) {
  SymbolicTime leaves = end.clock;
  if (emit.resource) {
    const Request request{end.clock, end.clock, false, emit.resource->text};
    if (!force && may_be_late(end, request)) return false;
    serve_earlier(end, request);
    leaves = begin(end, request);
    end.is_free[emit.resource->text] = later(leaves, time(end, emit.occupied));
  }
  const SymbolicTime arrives = later(leaves, time(end, emit.after));
  arrivals_[emit.signal.text] = arrives;
  for (Service& service : (&end == &sender_ ? receiver_ : sender_).services) {
    if (service.signal == emit.signal.text) service.request.since = service.request.ready = arrives;
  }
  return true;
}

bool Exchange::await(End& end, const Statement& statement, const statement::Await& await, bool force) {
  const auto arrival = arrivals_.find(await.signal.text);
  if (arrival == arrivals_.end()) return false;
  SymbolicTime passes = arrival->second;
  for (Service& service : end.services) {
    const bool is_meant = service.said == &statement ||
                          (service.signal == await.signal.text && !await.resource && service.request.for_processor);
    if (!is_meant) continue;
    if (!force && may_be_late(end, service.request)) return false;
    serve_earlier(end, service.request);
    serve(end, service, b_.boolean(true));
    passes = service.begin;
  }
  end.clock = end.handed = latest(end.clock, passes);
  return true;
}

// --- who is served first ---

// Whether something that is not yet known may ask for the same resource earlier.
bool Exchange::may_be_late(const End& end, const Request& request) const {
  return std::any_of(end.services.begin(), end.services.end(), [&](const Service& service) {
    return shares(service.request, request) && !arrivals_.count(service.signal);
  });
}

bool Exchange::shares(const Request& one, const Request& other) {
  return (one.for_processor && other.for_processor) || (one.resource && one.resource == other.resource);
}

void Exchange::serve_earlier(End& end, const Request& request) {
  for (Service& service : end.services) {
    if (&service.request == &request || !shares(service.request, request) || !arrivals_.count(service.signal)) continue;
    serve(end, service, comes_first(end, service.request, request));
  }
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
    SymbolicTime& is_free = end.is_free[*service.request.resource];
    is_free = choose(later(begins, service.occupied), is_free);
  }
  service.is_done = b_.logical_or(service.is_done, now);
}

// What came infinitely long ago passed its resource then. The processor is charged all the same.
SymbolicTime Exchange::begin(End& end, const Request& request) const {
  SymbolicTime result = request.ready;
  if (request.for_processor && end.takes_in) result = latest(result, end.processor);
  if (request.resource && request.ready) result = latest(result, end.is_free[*request.resource]);
  return result;
}

// Whether `one` can be served before the other, or both can be served at once and `one` has the smaller stamp.
ValueId Exchange::comes_first(End& end, const Request& one, const Request& other) const {
  const SymbolicTime mine = begin(end, one), others = begin(end, other);
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
