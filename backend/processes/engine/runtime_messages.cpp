// How messages are called, take their steps and end.
#include "backend/processes/engine/runtime.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace wave::backend::processes::engine {

void Runtime::find_channels(std::uint32_t number, const std::int64_t* key) {
  Site& site = sites_[number];
  site.find(key, rings_.others());
  site.first = rings_.first_at_home(site.kind);
  if (!site.is_fixed) return;
  found_[number].first = site.first;
  found_[number].stride = rings_.stride();
}

// 0: there are too many different ones.
std::uint16_t Runtime::find_ends(std::uint32_t number, double size, std::int64_t within) {
  SiteForCode& found = found_[number];
  if (found.ends != 0 && found.size == size && found.within == static_cast<std::uint32_t>(within))
    return static_cast<std::uint16_t>(found.ends);
  const auto only_one = alone();
  const std::uint16_t known =
      ends_->number(input_.resolver.resolve(sites_[number].call->message->ends, size, {within}));
  Shared::ends = ends_->for_code();
  found.ends = known;
  if (known != 0) {
    const Side side = sites_[number].call->message->side;
    found.protocol = (*ends_)[known].protocol;
    found.times = (*ends_)[known].times[number_of(side)].data();
  }
  found.size = size;
  found.within = static_cast<std::uint32_t>(within);
  return known;
}

Outcome Runtime::communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                             const std::int64_t* key) {
  Site& site = sites_[number];
  const Side side = site.call->message->side;
  const bool is_send = side == Side::send, has_size = site.call->size != program::no_operand;
  if (!site.is_found(key)) find_channels(number, key);
  const std::uint16_t found = has_size ? find_ends(number, size, within) : 0;
  if (has_size && found == 0) return Outcome::failed;
  const Number sender = is_send ? me.rank : peer, receiver = is_send ? peer : me.rank;
  Ring& channel = find_channel(site, sender, receiver);
  const std::uint32_t ordinal = channel.called[number_of(side)];
  if (ordinal - channel.oldest >= channel.capacity && rings_.is_small(channel)) grow(channel);
  if (ordinal - channel.oldest >= channel.capacity) {
    channel.is_full = 1;
    if (!std::exchange(channel.is_listed, true)) full_.push_back(&channel);
    stand(me, channel, side);
    return Outcome::again;
  }
  if (is_send) {
    const Ends& ends = (*ends_)[found];
    if (ends.window > 0) {
      if (const Outcome passes = pass_window(me, channel, ends); passes != Outcome::goes_on) return passes;
    }
  }
  ++channel.called[number_of(side)];
  const bool is_second = static_cast<std::int32_t>(channel.called[number_of(other(side))] - ordinal) > 0;
  Message& message = channel.message(ordinal);
  if (message.ends > 0) {
    if (has_size && found != message.ends) return Outcome::failed;  // sizes that differ
  } else if (has_size) {
    message.ends = found;
    if (is_second) tell(channel, ordinal, other(side));  // the receiver takes what is sent
  }
  me.channel = &channel;
  me.ordinal = ordinal;
  me.step = 0;
  return take_steps(me, site);
}

Outcome Runtime::go_on_with_message(Standing& me, std::uint32_t number) { return take_steps(me, sites_[number]); }

// Those that happen at the call.
Outcome Runtime::take_steps(Standing& me, Site& site) {
  const ir::Message& written = *site.call->message;
  const std::size_t side = number_of(written.side);
  Ring& channel = *me.channel;
  Message& message = channel.message(me.ordinal);
  if (message.ends == 0 && sent_ && written.side == Side::receive) message.ends = sent_->find(channel, me.ordinal);
  if (message.ends == 0) {
    if (written.background && !waits_for_size_[written.ends.index]) {
      leave_in_background(me, site);
      return Outcome::goes_on;
    }
    stand(me, channel, written.side);
    return Outcome::waits;
  }
  const Ends& ends = (*ends_)[message.ends];
  const std::vector<Ends::Step>& steps = ends.steps[side];
  for (; me.step < steps.size(); ++me.step) {
    const Ends::Step& step = steps[me.step];
    if (step.kind == ir::Step::Kind::busy) {
      me.clock += step.time;
    } else if (step.kind == ir::Step::Kind::emit) {
      leave(channel, me.ordinal, ends, written.side, me.step, me.clock);
      deliver(channel, me.ordinal, written.side, step.awaits, me.clock + step.time);
    } else if (written.background) {
      leave_in_background(me, site);
      return Outcome::goes_on;
    } else {
      const double passes = channel.passes(me.ordinal, step.awaits);
      if (std::isnan(passes)) {
        stand(me, channel, written.side);
        return Outcome::waits;
      }
      wait_for(me, passes);
    }
  }
  if (written.side == Side::receive && ends.window > 0) received(channel, me.ordinal, ends, me.clock);
  complete(channel, me.ordinal, written.side);
  return Outcome::goes_on;
}

// Its clock goes on to the later of the two.
void Runtime::wait_for(Standing& me, Time when) {
  if (recording_) recording_->add(me, LaterTime::of(me.clock, when));
  me.clock = std::max(me.clock, when);
}

// Until something happens to its end of the channel.
void Runtime::stand(Standing& me, Ring& channel, Side side) {
  channel.waits[number_of(side)] = 1;
  channel.process[number_of(side)] = me.rank;
}

// An end has come to this emit. It goes on by itself.
void Runtime::leave(Ring& channel, std::uint32_t ordinal, const Ends& ends, Side side, std::uint32_t emit, Time when) {
  for (const Ends::Leaving& one : ends.leaving[number_of(side)]) {
    if (one.emit == emit) channel.passes(ordinal, one.await) = when + one.time;
  }
}

// A signal reaches the other end, which may not have been called yet.
void Runtime::deliver(Ring& channel, std::uint32_t ordinal, Side from, std::uint32_t awaits, Time when) {
  if (awaits == 0) return;
  for (; awaits != 0; awaits &= awaits - 1)
    channel.passes(ordinal, static_cast<std::uint32_t>(std::countr_zero(awaits))) = when;
  tell(channel, ordinal, other(from));
}

// An end that something has happened to goes on, in the background at once.
void Runtime::tell(Ring& channel, std::uint32_t ordinal, Side side) {
  if (channel.message(ordinal).in_background & bit_of(side))
    advance(rings_.aside(channel, ordinal).operation[number_of(side)]);
  else
    notice(channel, side);
}

void Runtime::notice(Ring& channel, Side side) {
  if (channel.waits[number_of(side)] == 0) return;
  channel.waits[number_of(side)] = 0;
  wake(standing(channel.process[number_of(side)]));
}

void Runtime::grow(Ring& channel) {
  const auto only_one = alone();
  rings_.grow(channel);
}

void Runtime::complete(Ring& channel, std::uint32_t ordinal, Side side) {
  Message& message = channel.message(ordinal);
  message.done |= bit_of(side);
  if (message.is_done() && ordinal == channel.oldest) make_room(channel);
}

// Messages that are done make room in their order.
void Runtime::make_room(Ring& channel) {
  for (Message* oldest = &channel.message(channel.oldest); oldest->is_done();
       oldest = &channel.message(channel.oldest)) {
    for (std::uint32_t awaits = (*ends_)[oldest->ends].awaits; awaits != 0; awaits &= awaits - 1)
      channel.passes(channel.oldest, static_cast<std::uint32_t>(std::countr_zero(awaits))) =
          std::numeric_limits<double>::quiet_NaN();
    *oldest = {};
    ++channel.oldest;
  }
  if (std::exchange(channel.is_full, 0) != 0) {
    notice(channel, Side::send);
    notice(channel, Side::receive);
  }
}

// --- windows ---

Outcome Runtime::pass_window(Standing& me, Ring& channel, const Ends& ends) {
  const auto sent = windows_.send(windows_.find(channel.window, ends.protocol), ends.window, me.rank);
  if (const Outcome* const refused = std::get_if<Outcome>(&sent)) return *refused;
  const auto& [ordinal, after] = std::get<0>(sent);
  if (after) wait_for(me, *after);
  rings_.aside(channel, channel.called[number_of(Side::send)]).in_window = ordinal;
  return Outcome::goes_on;
}

// The receiver has finished its steps. What has not been sent yet does not count.
void Runtime::received(Ring& channel, std::uint32_t ordinal, const Ends& ends, Time when) {
  if (static_cast<std::int32_t>(channel.called[number_of(Side::send)] - ordinal) <= 0) return;
  const Number window = windows_.find(channel.window, ends.protocol);
  const Number waiting = windows_.receive(window, rings_.aside(channel, ordinal).in_window, when);
  if (waiting != none) wake(standing(waiting));
}

}  // namespace wave::backend::processes::engine
