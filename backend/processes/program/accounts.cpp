// The questions of accounts.h, which process is walked for another, and the sizes of messages whose
// receive does not say them. What each statement adds is in accounts_statements.cpp.
#include "backend/processes/program/accounts_walk.h"
#include "ir/visit.h"

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

// --- questions ---

Accountant::Accountant(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock,
                       const TakenCalls* taken)
    : walk_(std::make_unique<Walk>(scalars, process, binders, std::move(extents), quantum, std::move(look_at_clock),
                                   taken)) {}

Accountant::~Accountant() = default;

const Accounts& Accountant::of(const std::vector<std::int64_t>& point) {
  std::vector<std::int64_t> walked = walk_->same_account(point);
  if (!one_ || point_ != walked) {
    one_.reset();
    one_ = walk_->account(walked, nullptr);
    point_ = std::move(walked);
  }
  return *one_;
}

std::vector<SpentTime> Accountant::spent(const std::vector<std::int64_t>& point, ir::PhaseId phase) {
  return walk_->spent(point, phase);
}

void Accountant::list(const std::vector<std::int64_t>& point, ProgramListener& listener) {
  walk_->account(point, &listener);
}

// --- the grid ---

Accountant::Walk::Walk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock,
                       const TakenCalls* taken)
    : system_(scalars.system()),
      process_(process),
      binders_(binders),
      places_(system_, process, std::move(extents)),
      quantum_(quantum),
      look_at_clock_(std::move(look_at_clock)),
      taken_(taken),
      may_be_awaited_(process.handles.size() + 1),
      values_(scalars),
      ends_(scalars, quantum),
      uses_(system_, process, binders, ProgramUses::Of::accounts),
      weight_places_(process, system_, binders) {
  ir::for_each_statement(process, [&](const ir::Statement& statement) {
    chooses_ = chooses_ || std::holds_alternative<ir::Ready>(statement.node);
    const auto* const wait = std::get_if<ir::Wait>(&statement.node);
    if (!wait) return;
    chooses_ = chooses_ || wait->is_any;
    for (std::size_t handle = 0; handle < may_be_awaited_.size(); ++handle)
      if (wait->means({static_cast<std::uint32_t>(handle)})) may_be_awaited_[handle] = true;
  });
}

Accounts Accountant::Walk::account(const std::vector<std::int64_t>& point, ProgramListener* listener, Weights* spent) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  sent_.clear();
  received_.clear();
  listener_ = listener;
  begin(Purpose::everything, point);
  state_.counts_sizes = !knows_all_sizes();
  state_.step_by_step = is_by_call() || state_.counts_sizes;
  into_ = &accounts;
  spent_ = spent;
  walk();
  return accounts;
}

std::vector<SpentTime> Accountant::Walk::spent(const std::vector<std::int64_t>& point, ir::PhaseId phase) {
  Weights weights;
  spent_in_ = phase;
  spent_at_waits_.assign(process_.handles.size() + 1, {});
  account(point, nullptr, &weights);
  std::vector<SpentTime> result;
  for (const auto& [weight, spent] : weights) result.push_back(spent);
  return result;
}

std::vector<std::int64_t> Accountant::Walk::same_account(std::vector<std::int64_t> point) {
  if (!reaches_) {
    reaches_.emplace(point.size());
    const bool is_known = knows_all_sizes() && !chooses_;
    for (std::uint32_t axis = 0; is_known && axis < point.size(); ++axis) (*reaches_)[axis] = uses_.reach(axis);
  }
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const auto reach = (*reaches_)[axis];
    if (reach && point[axis] > *reach && point[axis] <= places_.extents[axis] - *reach) point[axis] = *reach + 1;
  }
  return point;
}

void Accountant::Walk::begin(Purpose purpose, const std::vector<std::int64_t>& point) {
  state_ = State();
  state_.purpose = purpose;
  state_.pending.assign(process_.handles.size() + 1, 0);
  state_.in_background.resize(process_.handles.size() + 1);
  state_.open.resize(process_.handles.size() + 1);
  stand_at(point);
}

void Accountant::Walk::stand_at(const std::vector<std::int64_t>& point) {
  const auto& axes = system_[process_.space].axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axis < state_.point.size() && state_.point[axis] == point[axis]) continue;
    values_.bind(axes[axis].binder, point[axis]);
  }
  state_.point = point;
}

// --- sizes: what the matching send says ---

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
  const auto has_another_size = [&](const ir::Message& send) {
    if (send.side != ir::Message::Side::send || !may_meet(send, receive)) return false;
    if (!binders_.of(send.size).empty()) return true;
    try {
      const double size = values_.real(send.size);
      const bool is_other = only && *only != size;
      only = size;
      return is_other;
    } catch (const Failed&) {
      return true;  // it may never be reached
    }
  };
  if (ir::any_statement<ir::Message>(process_, has_another_size)) only.reset();
  return only_sizes_[&receive] = only;
}

bool Accountant::Walk::knows_all_sizes() {
  return !ir::any_statement<ir::Message>(process_, [&](const ir::Message& message) {
    return message.side == ir::Message::Side::receive && !message.size.valid() && !only_size(message);
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
  walk();
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
