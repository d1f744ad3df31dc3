// How messages are called, find each other and end. Part of network_core.h.
#pragma once

#include "backend/processes/network_core.h"
#include "backend/processes/thresholds.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace wave::backend::processes::network {

template <class Times>
typename Network<Times>::Next Network<Times>::communicate(const Communicate& n) {
  Standing& me = control_.standing[here_];
  if (me.message == none) {
    bool is_skipped = false;
    if (!begin(n, is_skipped)) return Next::wait;
    if (is_skipped) {
      ++me.counter;
      return Next::go_on;
    }
  }
  bool is_done = never_waits_;
  if (!never_waits_ && !act(n, is_done)) return Next::wait;
  const Side side = n.message->side;
  if (is_done && side == Side::receive && !never_waits_) received(me.message, clocks[here_]);
  if (is_done)
    complete(me.message, side);
  else
    leave_in_background(n);
  me.message = none;
  me.step = 0;
  ++me.counter;
  if (!must_yield_) return Next::go_on;
  must_yield_ = false;
  return Next::yield;
}

// Takes the steps that happen at the call. False: it has to wait. Of a message whose sizes differ nothing is received:
// the process stays there, or goes on without what it receives in the background.
template <class Times>
bool Network<Times>::act(const Communicate& n, bool& is_done) {
  Standing& me = control_.standing[here_];
  const ir::Message& message = *n.message;
  const Envelope& envelope = control_.messages[me.message];
  const ResolvedEnds* const ends = ends_of(me.message, message.side);
  if (!ends) return message.background && !waits_for_size_[message.ends.index];
  if (message.side == Side::receive && envelope.is_mismatched) return message.background;
  const auto& steps = steps_of(*ends, message.side);
  const Acting acting{here_, me.message, message.side, message.ends, n.statement, none};
  for (; me.step < steps.size(); ++me.step) {
    if (message.background && ir::is_awaiting(steps[me.step].kind)) return true;
    if (!take_step(steps[me.step], acting, clocks[here_])) return false;
  }
  is_done = true;
  return true;
}

// Null: not known yet.
template <class Times>
const ResolvedEnds* Network<Times>::ends_of(Number message, Side side) {
  Envelope::End& end = control_.messages[message].ends[number_of(side)];
  if (end.ends || found_ends_.empty()) return end.ends;
  const auto found = found_ends_.find({end.process, end.call});
  if (found != found_ends_.end()) end.ends = found->second;
  return end.ends;
}

// Calls the message. False: it has to wait for a window. Off the grid there is nothing to do.
template <class Times>
bool Network<Times>::begin(const Communicate& n, bool& is_skipped) {
  Standing& me = control_.standing[here_];
  const std::optional<Number> peer = find_peer(n);
  is_skipped = !peer;
  if (!peer) return true;
  const bool is_send = n.message->side == Side::send;
  const bool has_size = n.size != no_operand;
  const double size = has_size ? values_(n.size).real : std::numeric_limits<double>::quiet_NaN();
  Route route{values_(n.within).integer};
  if (n.sender != no_operand) route.sender = values_(n.sender).integer, route.receiver = values_(n.receiver).integer;
  const std::int64_t tag = n.tag != no_operand ? values_(n.tag).integer : 0;
  const ResolvedEnds* const ends = has_size ? &resolve(n, size, route) : nullptr;
  const Number on = channel(n, *peer, tag);
  std::uint64_t ordinal = 0;
  if (is_send && ends->window > 0 && !never_waits_ && !pass_window(n, *ends, on, *peer, ordinal)) return false;

  ++operations_;
  me.message = post(on, n.message->side);
  Envelope& message = control_.messages[me.message];
  const std::size_t side = number_of(n.message->side);
  message.ends[side] = {n.statement, ends, here_, me.calls++, true, false};
  message.size[side] = size;
  message.channel = on;
  if (is_send) message.ordinal = ordinal;
  if (message.ends[0].is_posted && message.ends[1].is_posted) match(me.message);
  const std::int32_t ahead = std::abs(control_.channels[on].ahead);
  must_yield_ = (is_send || never_waits_) && ahead >= messages_far_ahead && ahead % messages_far_ahead == 0;
  return true;
}

template <class Times>
std::optional<Number> Network<Times>::find_peer(const Communicate& n) {
  written_.clear();
  for (const OperandId coordinate : n.coordinates) written_.push_back(values_(coordinate).integer);
  const auto found = peer_rank(n.message->peer, input_.places, point_, written_, target_);
  if (!found) return std::nullopt;
  return static_cast<Number>(*found);
}

// The offset on a channel is the sender's.
template <class Times>
Number Network<Times>::channel(const Communicate& n, Number peer, std::int64_t tag) {
  const ir::Peer& written = n.message->peer;
  const bool is_send = n.message->side == Side::send;
  const bool is_offset = written.kind == ir::Peer::Kind::offset;
  key_.clear();
  key_.push_back(n.message->context);
  key_.push_back(tag);
  key_.push_back(static_cast<std::int64_t>(written.kind));
  if (is_offset) {
    key_.push_back(written.by_rank ? 1 : 0);
    for (const std::int64_t offset : written_) {
      key_.push_back(is_send ? offset : static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(offset)));
    }
  }
  Last& last = last_[control_.standing[here_].counter];
  if (last.kind == none || last.key != key_) {
    last.key = key_;
    last.kind = control_.channels.kind(key_);
  }
  if (const std::size_t growth = control_.channels.growth()) claim(growth);
  return control_.channels.find(is_send ? here_ : peer, is_send ? peer : here_, last.kind);
}

template <class Times>
const ResolvedEnds& Network<Times>::resolve(const Communicate& n, double size, const Route& route) {
  Last& last = last_[control_.standing[here_].counter];
  if (!last.ends || last.size != size || last.route != route) {
    last.ends = &input_.resolver.resolve(n.message->ends, size, route);
    last.size = size;
    last.route = route;
  }
  return *last.ends;
}

template <class Times>
typename Network<Times>::Window& Network<Times>::window(Number channel, const ResolvedEnds& ends) {
  return windows_[{channel, ends.protocol}];
}

template <class Times>
bool Network<Times>::pass_window(const Communicate& n, const ResolvedEnds& ends, Number on, Number peer,
                                 std::uint64_t& ordinal) {
  Window& of = window(on, ends);
  ordinal = of.sent;
  Standing& me = control_.standing[here_];
  if (ordinal >= static_cast<std::uint64_t>(ends.window)) {
    const std::uint64_t before = ordinal - static_cast<std::uint64_t>(ends.window);
    const std::uint64_t place = before - of.begin;
    if (place >= of.received.size() || !of.received[place]) {
      me.window_of = peer;
      return false;
    }
    pass(*of.received[place], {Cause::Kind::handshake, here_, n.statement});
    // Windows of one protocol on one channel may differ by size, but few need more than the last.
    for (; of.begin + std::uint64_t{receptions_kept} < before; ++of.begin) of.received.pop_front();
  }
  me.window_of = none;
  ++of.sent;
  return true;
}

// The message that this end meets, or a new one that waits for the other end.
template <class Times>
Number Network<Times>::post(Number on, Side side) {
  Channel& channel = control_.channels[on];
  const bool is_expected = side == Side::send ? channel.ahead < 0 : channel.ahead > 0;
  channel.ahead += side == Side::send ? 1 : -1;
  if (is_expected) {
    const Number message = channel.first;
    channel.first = control_.messages[message].next;
    if (channel.first == none) channel.last = none;
    --control_.one_sided;
    return message;
  }
  if (control_.free_message == none) {
    const std::size_t before = control_.messages.size(), after = std::max<std::size_t>(256, 2 * before);
    claim((after - before) * (sizeof(Envelope) + stride_ * (sizeof(Moment) + 1)));
    control_.messages.resize(after);
    passes_.resize(after * stride_);
    may_pass_.resize(after * stride_);
    for (std::size_t number = after; number-- > before;) {
      control_.messages[number].next = control_.free_message;
      control_.free_message = static_cast<Number>(number);
    }
  }
  const Number message = control_.free_message;
  control_.free_message = control_.messages[message].next;
  control_.messages[message] = Envelope{};
  std::fill_n(may_pass_.begin() + static_cast<std::ptrdiff_t>(slot(message, 0)), stride_, 0);
  if (channel.last == none)
    channel.first = message;
  else
    control_.messages[channel.last].next = message;
  channel.last = message;
  ++control_.one_sided;
  return message;
}

template <class Times>
void Network<Times>::match(Number number) {
  Envelope& message = control_.messages[number];
  Envelope::End& sender = message.ends[number_of(Side::send)];
  Envelope::End& receiver = message.ends[number_of(Side::receive)];
  if (looks_for_other_ends_) {
    remember_other_end(sender, receiver);
    remember_other_end(receiver, sender);
  }
  if (std::isnan(message.size[number_of(Side::receive)])) {
    receiver.ends = sender.ends;
    if (looks_for_ends_) found_ends_[{receiver.process, receiver.call}] = sender.ends;
    message.size[number_of(Side::receive)] = message.size[number_of(Side::send)];
    wake(receiver.process);
  } else if (message.size[0] != message.size[1]) {
    // Nothing of it passes, so that who came first does not matter.
    message.is_mismatched = true;
    const auto order = [](const Envelope& one) { return std::pair(one.ends[1].process, one.ends[1].call); };
    if (!control_.mismatch || order(message) < order(*control_.mismatch)) control_.mismatch = message;
    std::fill_n(may_pass_.begin() + static_cast<std::ptrdiff_t>(slot(number, 0)), stride_, 0);
  }
}

template <class Times>
void Network<Times>::remember_other_end(const Envelope::End& end, const Envelope::End& other) {
  const ir::Statement* const usual = other_ends_.usual.try_emplace(end.statement, other.statement).first->second;
  if (usual->location == other.statement->location) return;
  claim(OtherEnds::bytes_each);
  other_ends_.unusual[{end.process, end.call}] = other.statement;
}

// Also of an end that has not been called yet. Where none ever is, the other's.
template <class Times>
const ir::Statement* Network<Times>::statement_of(const Envelope& message, Side side) const {
  const Envelope::End &end = message.ends[number_of(side)], &other = message.ends[number_of(network::other(side))];
  if (end.is_posted) return end.statement;
  const auto unusual = other_ends_.unusual.find({other.process, other.call});
  if (unusual != other_ends_.unusual.end()) return unusual->second;
  const auto usual = other_ends_.usual.find(other.statement);
  return usual == other_ends_.usual.end() ? other.statement : usual->second;
}

template <class Times>
void Network<Times>::complete(Number number, Side side) {
  Envelope& message = control_.messages[number];
  message.ends[number_of(side)].is_done = true;
  release(number);
}

// What nobody needs any more.
template <class Times>
void Network<Times>::release(Number number) {
  Envelope& message = control_.messages[number];
  if (!message.ends[0].is_done || !message.ends[1].is_done || message.departures > 0) return;
  message.next = control_.free_message;
  control_.free_message = number;
}

// The receiver has finished its steps.
template <class Times>
void Network<Times>::received(Number number, const Moment& when) {
  const Envelope& message = control_.messages[number];
  const Envelope::End& sender = message.ends[number_of(Side::send)];
  if (!sender.is_posted || sender.ends->window == 0) return;
  Window& of = window(message.channel, *sender.ends);
  if (message.ordinal < of.begin) return;
  const std::uint64_t place = message.ordinal - of.begin;
  if (of.received.size() <= place) of.received.resize(place + 1);
  of.received[place] = when;
  wake(sender.process);
}

}  // namespace wave::backend::processes::network
