// How messages are called, take their steps and end.
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace wave::backend::processes::compiled {

// The rank of a peer whose coordinates are ranks or places, so that it may be anywhere.
std::int64_t Runtime::find_peer(Standing& me, std::uint32_t number, const std::int64_t* key) {
  const ir::Peer& peer = sites_[number].call->message->peer;
  written_.assign(key + 1, key + 1 + peer.coordinates.size());
  point_.assign(coordinates(me), coordinates(me) + point_.size());
  const auto found = peer_rank(peer, input_.places, point_, written_, target_);
  return found ? *found : -1;
}

// As in the network, the offset of a channel is the sender's. `key`: the tag, and the coordinates as written.
RingKey key_of(const ir::Message& message, std::span<const std::int64_t> key) {
  const bool is_offset = message.peer.kind == ir::Peer::Kind::offset;
  RingKey result{message.context, key[0], !is_offset ? by_place : message.peer.by_rank ? by_offset_of_rank : by_offset};
  if (!is_offset) return result;
  for (const std::int64_t offset : key.subspan(1)) {
    const bool is_send = message.side == Side::send;
    result.push_back(is_send ? offset : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(offset)));
  }
  return result;
}

void Runtime::find_channels(std::uint32_t number, const std::int64_t* key) {
  Site& site = sites_[number];
  const ir::Message& message = *site.call->message;
  const bool is_offset = message.peer.kind == ir::Peer::Kind::offset;
  site.key.assign(key, key + (is_offset ? 1 + message.peer.coordinates.size() : 1));
  const auto known = std::ranges::find(site.known, site.key, &Site::Known::key);
  if (known != site.known.end()) {
    site.kind = known->kind;
  } else {
    site.kind = rings_.kind(key_of(message, site.key));
    if (site.known.size() < most_kinds_of_statement) site.known.emplace_back();
    site.known[site.oldest++ % most_kinds_of_statement] = {site.key, site.kind};
  }
  site.first = rings_.first_at_home(site.kind);
  if (!site.is_fixed) return;
  found_[number].first = site.first;
  found_[number].stride = rings_.stride();
}

void Runtime::find_ends(std::uint32_t number, double size, bool local) {
  const ResolvedEnds& resolved = input_.resolver.resolve(sites_[number].call->message->ends, size, local);
  std::uint16_t& known = known_ends_[&resolved];
  std::unique_ptr<Ends> made;
  if (known == 0 && ends_.size() < std::numeric_limits<std::uint16_t>::max()) made = Ends::make(resolved);
  if (made) {
    ends_for_code_.push_back({made->protocol, made->awaits, {made->times[0].data(), made->times[1].data()}});
    Shared::ends = ends_for_code_.data();
    ends_.push_back(std::move(made));
    known = static_cast<std::uint16_t>(ends_.size());
  }
  SiteForCode& found = found_[number];
  found.ends = known;
  if (known != 0) {
    const Side side = sites_[number].call->message->side;
    found.protocol = ends_[known - 1]->protocol;
    found.times = ends_[known - 1]->times[number_of(side)].data();
  }
  found.size = size;
  found.local = local ? 1 : 0;
}

Outcome Runtime::communicate(Standing& me, std::uint32_t number, Number peer, double size, bool local,
                             const std::int64_t* key) {
  Site& site = sites_[number];
  const Side side = site.call->message->side;
  const bool is_send = side == Side::send, has_size = site.call->size != network::no_operand;
  const bool is_known = site.kind != none && (site.is_fixed || std::equal(site.key.begin(), site.key.end(), key));
  if (!is_known) find_channels(number, key);
  const SiteForCode& found = found_[number];
  if (has_size && (found.ends == 0 || found.size != size || (found.local != 0) != local))
    find_ends(number, size, local);
  if (has_size && found.ends == 0) return Outcome::failed;  // too many different ones
  const Number sender = is_send ? me.rank : peer, receiver = is_send ? peer : me.rank;
  Ring& channel = find_channel(site.first, site.kind, sender, receiver);
  const std::uint32_t ordinal = channel.called[number_of(side)];
  if (ordinal - channel.oldest >= channel.capacity) {
    channel.is_full = 1;
    if (!std::exchange(channel.is_listed, true)) full_.push_back(&channel);
    stand(me, channel, side);
    return Outcome::again;
  }
  if (is_send) {
    const Ends& ends = *ends_[found.ends - 1];
    if (ends.window > 0 && !pass_window(me, channel, ends)) {
      stand(me, channel, side);
      return Outcome::again;
    }
  }
  ++channel.called[number_of(side)];
  const bool is_second = static_cast<std::int32_t>(channel.called[number_of(other(side))] - ordinal) > 0;
  Message& message = channel.message(ordinal);
  if (message.ends > 0) {
    if (has_size && found.ends != message.ends) return Outcome::failed;  // sizes that differ
  } else if (has_size) {
    message.ends = static_cast<std::uint16_t>(found.ends);
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
  const Message& message = channel.message(me.ordinal);
  if (message.ends == 0) {
    if (written.background && !waits_for_size_[written.ends.index]) {
      leave_in_background(me, site);
      return Outcome::goes_on;
    }
    stand(me, channel, written.side);
    return Outcome::waits;
  }
  const Ends& ends = *ends_[message.ends - 1];
  const std::vector<Ends::Step>& steps = ends.steps[side];
  for (; me.step < steps.size(); ++me.step) {
    const Ends::Step& step = steps[me.step];
    if (step.kind == ir::Step::Kind::busy) {
      me.clock += step.time;
    } else if (step.kind == ir::Step::Kind::emit) {
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

Ring& Runtime::find_channel(std::byte* first, Number kind, Number sender, Number receiver) {
  return first ? *reinterpret_cast<Ring*>(first + receiver * rings_.stride()) : rings_.find(sender, receiver, kind);
}

// Until something happens to its end of the channel.
void Runtime::stand(Standing& me, Ring& channel, Side side) {
  channel.waits[number_of(side)] = 1;
  channel.process[number_of(side)] = me.rank;
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

void Runtime::complete(Ring& channel, std::uint32_t ordinal, Side side) {
  Message& message = channel.message(ordinal);
  message.done |= bit_of(side);
  if (message.is_done() && ordinal == channel.oldest) make_room(channel);
}

// Messages that are done make room in their order.
void Runtime::make_room(Ring& channel) {
  for (Message* oldest = &channel.message(channel.oldest); oldest->is_done();
       oldest = &channel.message(channel.oldest)) {
    for (std::uint32_t awaits = ends_[oldest->ends - 1]->awaits; awaits != 0; awaits &= awaits - 1)
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

Runtime::Window& Runtime::window(Ring& channel, std::uint32_t protocol) {
  Number* at = &channel.window;
  for (; *at != none; at = &windows_[*at].next) {
    if (windows_[*at].protocol == protocol) return windows_[*at];
  }
  claim(sizeof(Window));
  *at = static_cast<Number>(windows_.size());
  windows_.emplace_back().protocol = protocol;
  return windows_.back();
}

// The protocol's message before which `window` others may be on their way has been received.
bool Runtime::pass_window(Standing& me, Ring& channel, const Ends& ends) {
  Window& of = window(channel, ends.protocol);
  const std::uint32_t ordinal = of.sent;
  if (static_cast<std::int64_t>(ordinal) >= ends.window) {
    const std::uint32_t before = ordinal - static_cast<std::uint32_t>(ends.window);
    const std::uint32_t place = before - of.begin;
    if (place >= of.received.size() || std::isnan(of.received[place])) return false;
    wait_for(me, of.received[place]);
    // Windows of one protocol on one channel may differ by size, but few need more than the last.
    if (before - of.begin > 2 * receipts_kept) {
      of.received.erase(of.received.begin(), of.received.begin() + static_cast<std::ptrdiff_t>(receipts_kept));
      of.begin += static_cast<std::uint32_t>(receipts_kept);
    }
  }
  ++of.sent;
  rings_.aside(channel, channel.called[number_of(Side::send)]).in_window = ordinal;
  // Not when they are received, which code tells where nothing may be thrown. There is twice the room while it grows.
  claim_entries(of.sent - of.begin, 3 * sizeof(Time), of.claimed);
  return true;
}

// The receiver has finished its steps.
void Runtime::received(Ring& channel, std::uint32_t ordinal, const Ends& ends, Time when) {
  Window& of = window(channel, ends.protocol);
  const std::uint32_t sent = rings_.aside(channel, ordinal).in_window;
  if (sent < of.begin) return;
  const std::uint32_t place = sent - of.begin;
  if (of.received.size() <= place) of.received.resize(place + 1, std::numeric_limits<double>::quiet_NaN());
  of.received[place] = when;
  notice(channel, Side::send);
}

}  // namespace wave::backend::processes::compiled
