// How messages are called, take their steps and end, where resources serve by time.
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/compiled/served_steps.h"
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
    const auto number = [&](std::uint32_t resource) { return resources_.number(machine, resource); };
    if (auto made = Ends::make(resolved, number, resources_.at_once())) {
      lookahead_ = std::min(lookahead_, made->lookahead);
      known = made.get();
      ends_.push_back(std::move(made));
    }
  }
  site.ends = known;
  site.size = size;
  site.local = local;
}

Served::Channel& Served::find_channel(const Site& site, Number sender, Number receiver) {
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
  Message& message = post(on, side);
  std::copy_n(ends, 2, message.process);
  message.call[number_of(side)] = me.calls++;
  message.posted |= bit_of(side);
  if (recording_) recording_->call(me.rank, std::exchange(message.uncalled, none), message.call[number_of(side)]);
  if (has_window) in_windows_[&message] = {&windows_[{&on, site.ends->protocol}], ordinal};
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
  Own& mine = own(me);
  if (is_send && peer != mine.peers[0]) mine.peers[1] = std::exchange(mine.peers[0], peer);
  mine.message = &message;
  me.step = 0;
  return take_steps(me, site);
}

void Served::make_messages() {
  const std::size_t bytes = messages_of_chunk * bytes_of_message_;
  claim(static_cast<std::int64_t>(bytes));
  chunks_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(line, bytes)));
  if (!chunks_.back()) throw std::bad_alloc();
  for (std::size_t at = bytes; at > 0;) {
    at -= bytes_of_message_;
    auto* const made = new (chunks_.back().get() + at) Message;
    made->next = free_messages_;
    free_messages_ = made;
  }
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
    record(me, of.received[place]->time);
    pass(me, *of.received[place]);
    // Windows of one protocol on one channel may differ by size, but few need more than the last.
    for (; of.begin + receipts_kept < before; ++of.begin) of.received.pop_front();
  }
  ++of.sent;
  return true;
}

// The receiver has finished its steps.
void Served::received(Message& message, const ServedMoment& when) {
  const auto found = in_windows_.extract(&message);
  if (!found) return;
  auto& [of, ordinal] = found.mapped();
  if (ordinal < of->begin) return;
  const std::uint64_t place = ordinal - of->begin;
  if (of->received.size() <= place) of->received.resize(place + 1);
  of->received[place] = when;
  if (const auto waiting = waiting_for_window_.extract(of)) wake(standing(waiting.mapped()));
}

}  // namespace wave::backend::processes::compiled
