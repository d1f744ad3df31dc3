// A receive may leave out its size. Then the size is that of the matching send.
#include "backend/processes/accounts_walk.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

std::int64_t opposite(std::int64_t x) { return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)); }

std::optional<std::int64_t> constant(const ir::System& system, ir::ValueId value) {
  if (!value.valid()) return 0;
  const auto* node = std::get_if<ir::Constant>(&system[value].node);
  return node ? std::optional(node->value.integer) : std::nullopt;
}

}  // namespace

Accountant::Walk::Channel Accountant::Walk::channel_of(const ir::Message& message, const FoundPeer& peer,
                                                       std::int64_t tag) {
  const bool is_offset = message.peer.kind == ir::Peer::Kind::offset;
  std::vector<std::int64_t> offset;
  for (const std::int64_t coordinate : peer.written) {
    if (is_offset) offset.push_back(message.side == ir::Message::Side::send ? coordinate : opposite(coordinate));
  }
  return {message.context, tag, message.peer.kind, is_offset && message.peer.by_rank, std::move(offset)};
}

// Could the k-th of these sends be received by that statement? Sure of the answer `false` only.
bool Accountant::Walk::may_meet(const ir::Message& send, const ir::Message& receive) const {
  const ir::Peer &to = send.peer, &from = receive.peer;
  if (send.context != receive.context || to.kind != from.kind) return false;
  const auto tag = constant(system_, send.tag), wanted = constant(system_, receive.tag);
  if (tag && wanted && *tag != *wanted) return false;
  if (to.kind != ir::Peer::Kind::offset) return true;
  if (to.by_rank != from.by_rank) return false;
  for (std::size_t axis = 0; axis < to.coordinates.size(); ++axis) {
    const auto a = constant(system_, to.coordinates[axis]), b = constant(system_, from.coordinates[axis]);
    if (a && b && *a != opposite(*b)) return false;
  }
  return true;
}

// The size, if every send that the receive may meet has the same one everywhere.
std::optional<double> Accountant::Walk::only_size(const ir::Message& receive) {
  if (const auto known = only_sizes_.find(&receive); known != only_sizes_.end()) return known->second;
  std::optional<double> only;
  bool is_one = true;
  for (const ir::Block& block : process_.blocks) {
    for (const ir::Statement& statement : block) {
      const auto* send = std::get_if<ir::Message>(&statement.node);
      if (!send || send->side != ir::Message::Side::send || !may_meet(*send, receive)) continue;
      if (!binders_.of(send->size).empty()) is_one = false;
      if (!is_one) break;
      try {
        const double size = values_.real(send->size);
        is_one = !only || *only == size;
        only = size;
      } catch (const Failed&) {
        is_one = false;  // it may never be reached
      }
    }
  }
  if (!is_one) only.reset();
  return only_sizes_[&receive] = only;
}

bool Accountant::Walk::knows_all_sizes() {
  return std::all_of(process_.blocks.begin(), process_.blocks.end(), [&](const ir::Block& block) {
    return std::all_of(block.begin(), block.end(), [&](const ir::Statement& statement) {
      const auto* message = std::get_if<ir::Message>(&statement.node);
      return !message || message->side == ir::Message::Side::send || message->size.valid() || only_size(*message);
    });
  });
}

// Everything that a process sends to the one that is being walked.
const Accountant::Walk::SizesByChannel& Accountant::Walk::sends_of(std::int64_t rank) {
  if (const auto known = sent_.find(rank); known != sent_.end()) return known->second;
  const State state = state_;
  const auto bindings = values_.bindings();
  SizesByChannel& sizes = sent_[rank];
  collected_ = &sizes;
  begin(Purpose::sends, places_.point(rank));
  state_.step_by_step = true;
  state_.receiver = places_.rank(state.point);
  walk(process_.body);
  state_ = state;
  values_.restore(bindings);
  return sizes;
}

double Accountant::Walk::next_size(const ir::Message& receive, const FoundPeer& peer, std::int64_t tag) {
  const Channel channel = channel_of(receive, peer, tag);
  const auto& sends = sends_of(*peer.rank);
  const auto sizes = sends.find(channel);
  const std::size_t number = received_[*peer.rank][channel]++;
  if (sizes == sends.end() || number >= sizes->second.size()) {
    ir::Failure failure;
    failure.kind = ir::FailureKind::unmatched_message;
    failure.site = receive.peer.site;
    throw Failed{std::move(failure)};
  }
  return sizes->second[number];
}

}  // namespace wave::backend::processes
