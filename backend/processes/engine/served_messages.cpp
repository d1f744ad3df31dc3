// How messages are called, take their steps and end, where resources serve by time.
#include "backend/processes/engine/served_steps.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace wave::backend::processes::engine {

void Served::find_channels(Site& site, const std::int64_t* key) {
  site.find(key, others_);
  site.home = site.kind < homes_.kinds.size() ? channels_at_ + site.kind * sizeof(Channel) : 0;
}

const Served::Ends& Served::resolve(Site& site, double size, const Route& route) {
  const ir::EndsId machine = site.call->message->ends;
  const Ends* const ends = ends_.resolve(machine, size, route, [&](const Ends& made) {
    if (leaves_desk(route)) lookahead_ = std::min(lookahead_, lookahead_of(made, resources_.at_once()));
  });
  if (!ends) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::memory_limit;
    failure.location = site.call->statement->location;
    failure.detail = "its protocol has more steps than can be followed";
    throw Failed{std::move(failure)};
  }
  site.size = size;
  site.route = route;
  site.ends = ends;
  return *ends;
}

ServedUse Served::find_resource(ir::EndsId machine, const ResolvedUse& use) {
  ServedUse found;
  found.resource = resources_.number(machine, use.resource);
  found.declared = use.resource;
  found.number = use.number;
  if (resources_.is_simple(found.resource)) return found;
  found.kind = &shared_.find(machine, use.resource);
  return found;
}

// Ends that share the level of desks, or one inside it, are at one desk.
bool Served::leaves_desk(const Route& route) const {
  const std::int64_t level = ir::MessageEnds::level_of(route.within);
  const SharedLevels::Groups* const shared = level == 0 ? nullptr : input_.levels.find(level);
  return !resources_.desks() || !shared || shared->count < resources_.desks()->count;
}

Outcome Served::communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                            const std::int64_t* key) {
  Site& site = sites_[number];
  const Side side = site.call->message->side;
  const bool is_send = side == Side::send, has_size = site.call->size != program::no_operand;
  if (!site.is_found(key)) find_channels(site, key);
  const Number ends[2] = {is_send ? me.rank : peer, is_send ? peer : me.rank};
  if (has_size) find_ends(site, size, within, ends[0], ends[1]);
  Channel& on = channel(site, ends[0], ends[1]);
  if (is_send && on.ahead >= messages_far_ahead && (!agenda_ || !(now(me) < agenda_->end()))) {
    stay_ahead(me);
    return Outcome::again;
  }
  InWindow place;
  if (is_send && site.ends->window > 0) {
    own(me).window_of = peer;
    if (const Outcome passes = pass_window(me, on, *site.ends, place); passes != Outcome::goes_on) return passes;
  }
  ++Shared::operations;
  Message& message = post(on, side);
  const std::uint32_t received = sent_ && !is_send ? aside(on).received++ : 0;
  std::copy_n(ends, 2, message.process);
  message.call[number_of(side)] = me.calls++;
  message.posted |= bit_of(side);
  if (recording_) recording_->call(me.rank, std::exchange(message.uncalled, none), message.call[number_of(side)]);
  if (is_send && have_windows_) in_window(message) = place;
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
  if (!message.ends && sent_ && !is_send) message.ends = sent_->find(on, received);
  Own& mine = own(me);
  if (is_send && peer != mine.peers[0]) mine.peers[1] = std::exchange(mine.peers[0], peer);
  mine.message = &message;
  me.step = 0;
  if (watcher_) watch_call(me, *site.call->statement, key[0]);
  return take_steps(me, site);
}

void Served::make_messages() {
  // As many as there are, so that large ones lie in large pages.
  const std::size_t more = std::clamp<std::size_t>(messages_, 1024, 65536);
  const std::size_t bytes = more * bytes_of_message_;
  claim(static_cast<std::int64_t>(bytes));
  chunks_.emplace_back(bytes);
  messages_ += more;
  for (std::size_t at = bytes; at > 0;) {
    at -= bytes_of_message_;
    auto* const made = new (chunks_.back().data() + at) Message;
    made->next = free_messages_;
    free_messages_ = made;
  }
}

// --- windows ---

Outcome Served::pass_window(Standing& me, Channel& on, const Ends& ends, InWindow& place) {
  place.window = windows_.find(aside(on).window, ends.protocol->number);
  const auto sent = windows_.send(place.window, ends.window, me.rank);
  if (const Outcome* const refused = std::get_if<Outcome>(&sent)) return *refused;
  const auto& [ordinal, after] = std::get<0>(sent);
  place.ordinal = ordinal;
  if (!after) return Outcome::goes_on;
  record(me, after->time);
  pass(me, *after, Cause::Kind::handshake);
  return Outcome::goes_on;
}

// The receiver has finished its steps. What has not been sent yet does not count.
void Served::received(Message& message, const ServedMoment& when) {
  if ((message.posted & bit_of(Side::send)) == 0) return;
  const InWindow& place = in_window(message);
  const Number waiting = windows_.receive(place.window, place.ordinal, when);
  if (waiting != none) wake(standing(waiting));
}

}  // namespace wave::backend::processes::engine
