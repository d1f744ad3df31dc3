// How messages are called, take their steps and end, where resources serve by time.
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/compiled/served.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace wave::backend::processes::compiled {

using Kind = ir::Step::Kind;

// The rank of a peer whose coordinates are ranks or places, so that it may be anywhere.
std::int64_t Served::find_peer(Standing& me, std::uint32_t number, const std::int64_t* key) {
  const ir::Peer& peer = sites_[number].call->message->peer;
  written_.assign(key + 1, key + 1 + peer.coordinates.size());
  point_.assign(coordinates(me), coordinates(me) + point_.size());
  const auto found = peer_rank(peer, input_.places, point_, written_, target_);
  return found ? *found : -1;
}

void Served::find_channels(Site& site, const std::int64_t* key) {
  const ir::Message& written = *site.call->message;
  const bool is_offset = written.peer.kind == ir::Peer::Kind::offset;
  site.key.assign(key, key + (is_offset ? 1 + written.peer.coordinates.size() : 1));
  site.kind = kinds_.try_emplace(key_of(written, site.key), static_cast<Number>(kinds_.size())).first->second;
  site.is_at_home = site.kind < homes_;
  site.home = channels_at_ + site.kind * sizeof(Channel);
}

void Served::find_ends(Site& site, double size, bool local) {
  const ir::EndsId machine = site.call->message->ends;
  const ResolvedEnds& resolved = input_.resolver.resolve(machine, size, local);
  const Ends*& known = known_ends_[&resolved];
  if (!known) {
    const auto number = [&](std::uint32_t resource) { return first_resource_[machine.index] + resource; };
    if (auto made = Ends::make(resolved, number, is_at_once_)) {
      lookahead_ = std::min(lookahead_, made->lookahead);
      known = made.get();
      ends_.push_back(std::move(made));
    }
  }
  site.ends = known;
  site.size = size;
  site.local = local;
}

Served::Channel& Served::channel(const Site& site, Number sender, Number receiver) {
  if (site.is_at_home) return *reinterpret_cast<Channel*>(behind(standing(receiver), site.home));
  const auto [found, is_new] = others_.try_emplace({sender, receiver, site.kind});
  if (is_new) claim(static_cast<std::int64_t>(sizeof(Place) + sizeof(Channel) + 4 * sizeof(void*)));
  return found->second;
}

Outcome Served::communicate(Standing& me, std::uint32_t number, Number peer, double size, bool local,
                            const std::int64_t* key) {
  Site& site = sites_[number];
  const Side side = site.call->message->side;
  const bool is_send = side == Side::send, has_size = site.call->size != network::no_operand;
  const bool is_known = site.kind != none && (site.is_fixed || std::equal(site.key.begin(), site.key.end(), key));
  if (!is_known) find_channels(site, key);
  if (has_size && (!site.ends || site.size != size || site.local != local)) find_ends(site, size, local);
  if (has_size && !site.ends) return Outcome::failed;
  const Number ends[2] = {is_send ? me.rank : peer, is_send ? peer : me.rank};
  Channel& on = channel(site, ends[0], ends[1]);
  if (is_send && on.ahead >= messages_far_ahead && (!agenda_ || !(now(me) < agenda_->end()))) {
    own(me).is_ahead = true;
    return Outcome::again;
  }
  std::uint64_t ordinal = 0;
  const bool has_window = is_send && site.ends->window > 0;
  if (has_window && !pass_window(me, on, *site.ends, ordinal)) return Outcome::again;
  ++Shared::operations;
  const Number posted = post(on, side);
  Message& message = this->message(posted);
  std::copy_n(ends, 2, message.process);
  message.call[number_of(side)] = me.calls++;
  message.posted |= bit_of(side);
  if (has_window) in_windows_[posted] = {&windows_[{&on, site.ends->protocol}], ordinal};
  if (has_size && message.ends != site.ends) {
    if (message.ends) return Outcome::failed;  // sizes that differ
    message.ends = site.ends;
    if (message.posted == 3) {  // the receiver takes what is sent
      const Number operation = message.operation[number_of(other(side))];
      if (operation != none)
        advance(operation);
      else
        wake(standing(peer));
    }
  }
  me.ordinal = posted;
  me.step = 0;
  return take_steps(me, site);
}

// Those that happen at the call.
Outcome Served::take_steps(Standing& me, Site& site) {
  const ir::Message& written = *site.call->message;
  const Message& message = this->message(me.ordinal);
  if (!message.ends) {
    if (!written.background || waits_for_size_[written.ends.index]) return Outcome::waits;
    leave_in_background(me, site);
    return Outcome::goes_on;
  }
  const Ends& ends = *message.ends;
  const std::vector<Ends::Step>& steps = ends.steps[number_of(written.side)];
  const Acting acting{me, me.ordinal, written.side, none};
  for (; me.step < steps.size(); ++me.step) {
    if (written.background && steps[me.step].kind == Kind::await) {
      leave_in_background(me, site);
      return Outcome::goes_on;
    }
    Moment clock = now(me);
    if (!take_step(acting, ends, steps[me.step], clock)) return Outcome::waits;
    set(me, clock);
  }
  if (written.side == Side::receive) received(me.ordinal, now(me));
  complete(me.ordinal, written.side);
  me.ordinal = none;
  return Outcome::goes_on;
}

// False: it has to wait, and the clock does not matter.
bool Served::take_step(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock) {
  switch (step.kind) {
    case Kind::busy:
      if (acting.operation == none && !std::exchange(own(acting.process).has_processor, false)) {
        const auto place = static_cast<std::int32_t>(&step - ends.steps[number_of(acting.side)].data());
        if (!use_processor(acting.process, step.time, message(acting.message).call[number_of(acting.side)], place))
          return false;
        clock = now(acting.process);
        return true;
      }
      clock.step(step.time);
      return true;
    case Kind::emit: emit(acting, ends, step, clock); return true;
    case Kind::await: return await(acting, step, clock);
    case Kind::acquire: return acquire(acting, ends, step, clock);
    case Kind::arrival: return true;  // no step of the program
  }
  return true;
}

bool Served::await(const Acting& acting, const Ends::Step& step, Moment& clock) {
  const Moment passes = message(acting.message).passes()[step.slot];
  if (!(passes < never)) return false;
  if (acting.operation == none) {
    pass(acting.process, passes);
    clock = now(acting.process);
  } else {
    clock.join(passes);
    clock.step(0);
  }
  return true;
}

void Served::emit(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock) {
  Moment begins = clock;
  if (step.resource != none && !is_at_once_[step.resource]) {
    Message& message = this->message(acting.message);
    Request request;
    request.kind = Request::Kind::emit;
    request.when = request.from = request.at = clock;
    request.process = acting.process.rank;
    request.call = message.call[number_of(acting.side)];
    request.place = static_cast<std::int16_t>(&step - ends.steps[number_of(acting.side)].data());
    request.message = acting.message;
    request.side = acting.side;
    request.step = &step;
    ++message.departures;
    ask(acting.process, request);
  } else {
    if (step.resource != none) {
      Moment& free = resource(acting.process, step.resource);
      begins.join(free);
      look_at_time(begins);
      free = begins;
      free.step(step.occupied);
    }
    begins.step(step.time);
    deliver(acting.message, acting.side, ends, step, begins);
  }
  clock.step(0);
}

// A signal reaches the other end, which may not have been called yet.
void Served::deliver(Number number, Side from, const Ends& ends, const Ends::Step& emitted, const Moment& arrives) {
  const Side side = other(from);
  Standing& there = standing(message(number).process[number_of(side)]);
  std::uint16_t order = 0;
  for (std::uint16_t i = emitted.first; i != emitted.end; ++i) {
    const Ends::Step& step = ends.steps[number_of(side)][ends.targets[i]];
    if (step.kind == Kind::await && step.resource == none) {
      if (!emitted.is_taken) let_pass(number, side, step, arrives);
      continue;
    }
    Message& message = this->message(number);
    Request request;
    request.kind = step.kind == Kind::await ? Request::Kind::await : Request::Kind::arrival;
    request.when = request.from = request.at = arrives;
    request.process = message.process[number_of(from)];
    request.call = message.call[number_of(from)];
    request.place = static_cast<std::int16_t>(&emitted - ends.steps[number_of(from)].data());
    request.order = order++;
    request.message = number;
    request.side = side;
    request.step = &step;
    if (step.kind == Kind::arrival) ++message.departures;  // nobody may wait for it
    ask(there, request);
  }
}

void Served::let_pass(Number number, Side side, const Ends::Step& await, const Moment& when) {
  Message& message = this->message(number);
  message.passes()[await.slot] = when;
  if (const Number operation = message.operation[number_of(side)]; operation != none) return advance(operation);
  if ((message.posted & bit_of(side)) == 0) return;
  Standing& process = standing(message.process[number_of(side)]);
  if (process.ordinal == number) wake(process);
}

// The message that this end meets, or a new one that waits for the other end.
Number Served::post(Channel& on, Side side) {
  const bool is_expected = side == Side::send ? on.ahead < 0 : on.ahead > 0;
  on.ahead += side == Side::send ? 1 : -1;
  if (is_expected) {
    const Number number = on.first;
    on.first = message(number).next;
    if (on.first == none) on.last = none;
    --one_sided_;
    return number;
  }
  if (free_messages_ == none) {
    claim(static_cast<std::int64_t>(messages_of_chunk * bytes_of_message_));
    chunks_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(64, messages_of_chunk * bytes_of_message_)));
    if (!chunks_.back()) throw std::bad_alloc();
    const std::size_t after = chunks_.size() * messages_of_chunk;
    for (std::size_t number = after; number-- > after - messages_of_chunk;) {
      (new (&message(static_cast<Number>(number))) Message)->next = free_messages_;
      free_messages_ = static_cast<Number>(number);
    }
  }
  const Number number = free_messages_;
  Message& made = message(number);
  free_messages_ = made.next;
  made = {};
  std::uninitialized_fill_n(made.passes(), awaits_, never);
  (on.last == none ? on.first : message(on.last).next) = number;
  on.last = number;
  ++one_sided_;
  return number;
}

void Served::complete(Number number, Side side) {
  message(number).done |= bit_of(side);
  release(number);
}

// What nobody needs any more.
void Served::release(Number number) {
  Message& message = this->message(number);
  if (message.done != 3 || message.departures > 0) return;
  message.next = free_messages_;
  free_messages_ = number;
}

// --- windows ---

// The protocol's message before which `window` others may be on their way has been received.
bool Served::pass_window(Standing& me, const Channel& on, const Ends& ends, std::uint64_t& ordinal) {
  Window& of = windows_[{&on, ends.protocol}];
  ordinal = of.sent;
  if (ordinal >= static_cast<std::uint64_t>(ends.window)) {
    const std::uint64_t before = ordinal - static_cast<std::uint64_t>(ends.window);
    const std::uint64_t place = before - of.begin;
    if (place >= of.received.size() || !of.received[place]) {
      waiting_for_window_[&of] = me.rank;
      return false;
    }
    pass(me, *of.received[place]);
    // Windows of one protocol on one channel may differ by size, but few need more than the last.
    for (; of.begin + receipts_kept < before; ++of.begin) of.received.pop_front();
  }
  ++of.sent;
  return true;
}

// The receiver has finished its steps.
void Served::received(Number number, const Moment& when) {
  if (in_windows_.empty()) return;
  const auto found = in_windows_.extract(number);
  if (!found) return;
  auto& [of, ordinal] = found.mapped();
  if (ordinal < of->begin) return;
  const std::uint64_t place = ordinal - of->begin;
  if (of->received.size() <= place) of->received.resize(place + 1);
  of->received[place] = when;
  if (const auto waiting = waiting_for_window_.extract(of)) wake(standing(waiting.mapped()));
}

}  // namespace wave::backend::processes::compiled
