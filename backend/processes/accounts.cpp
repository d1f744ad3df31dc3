// The questions of accounts.h, which processes are walked and how often each counts, and the sizes of messages whose
// receive does not say them. What each statement adds is in accounts_statements.cpp.
#include "backend/processes/accounts_walk.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

constexpr __int128 most_processes = __int128{1} << 62;

void check_count(const ir::Process& process, const std::vector<std::int64_t>& extents) {
  __int128 count = 1;
  for (const std::int64_t extent : extents) {
    count *= extent;
    if (count <= most_processes) continue;
    ir::Failure failure;
    failure.kind = ir::FailureKind::memory_limit;
    failure.location = process.location;
    failure.detail = "the grid has more than 2^62 processes";
    throw Failed{std::move(failure)};
  }
}

std::int64_t opposite(std::int64_t x) { return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)); }

std::optional<std::int64_t> constant(const ir::System& system, ir::ValueId value) {
  if (!value.valid()) return 0;
  const auto* node = std::get_if<ir::Constant>(&system[value].node);
  return node ? std::optional(node->value.integer) : std::nullopt;
}

}  // namespace

// --- questions ---

Accountant::Accountant(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock)
    : walk_(std::make_unique<Walk>(scalars, process, binders, std::move(extents), quantum, std::move(look_at_clock))) {}

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

const Accounts& Accountant::all() {
  if (!all_) all_ = walk_->count(nullptr);
  return *all_;
}

const MessageTally& Accountant::tally() {
  if (!tally_) {
    MessageTally tally;
    all_ = walk_->count(&tally);
    tally_ = std::move(tally);
  }
  return *tally_;
}

void Accountant::list(const std::vector<std::int64_t>& point, ProgramListener& listener) {
  walk_->account(point, &listener);
}

// --- the grid ---

Accountant::Walk::Walk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
                       std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock)
    : system_(scalars.system()),
      process_(process),
      binders_(binders),
      places_(system_, process, std::move(extents)),
      quantum_(quantum),
      look_at_clock_(std::move(look_at_clock)),
      values_(scalars),
      ends_(scalars, quantum),
      ends_of_tally_(scalars, quantum),
      uses_of_all_(system_, process, binders, ProgramUses::Of::accounts),
      uses_of_counts_(system_, process, binders, ProgramUses::Of::counts) {
  check_count(process, places_.extents);
}

Accounts Accountant::Walk::account(const std::vector<std::int64_t>& point, ProgramListener* listener, Weights* spent) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  sent_.clear();
  received_.clear();
  begin(Purpose::everything, point);
  state_.counts_sizes = !knows_all_sizes();
  state_.step_by_step = listener || state_.counts_sizes;
  into_ = &accounts;
  tally_ = nullptr;
  listener_ = listener;
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

Accounts Accountant::Walk::count(MessageTally* tally) {
  Accounts accounts{{}, std::vector<Account>(process_.phases.size())};
  begin(Purpose::counts, std::vector<std::int64_t>(places_.extents.size(), 1));
  into_ = &accounts;
  tally_ = tally;
  listener_ = nullptr;
  visit_grid([&](__int128 count) {
    state_.times = count;
    walk();
  });
  return accounts;
}

std::vector<std::int64_t> Accountant::Walk::same_account(std::vector<std::int64_t> point) {
  if (!reaches_) {
    reaches_.emplace(point.size());
    const bool is_known = knows_all_sizes();
    for (std::uint32_t axis = 0; is_known && axis < point.size(); ++axis) (*reaches_)[axis] = uses_of_all_.reach(axis);
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

// Calls `visit` standing at processes, in row-major order, each with the number of those that it stands for: the
// first of those that are as far from the borders as any message may look.
void Accountant::Walk::visit_grid(const std::function<void(__int128)>& visit) {
  std::vector<std::int64_t> point(places_.extents.size(), 1);
  visit_axis(0, point, 1, visit);
}

void Accountant::Walk::visit_axis(std::size_t axis, std::vector<std::int64_t>& point, __int128 count,
                                  const std::function<void(__int128)>& visit) {
  if (axis == point.size()) {
    stand_at(point);
    visit(count);
    return;
  }
  const std::int64_t extent = places_.extents[axis];
  const auto reach = uses_of_counts_.reach(static_cast<std::uint32_t>(axis));
  for (std::int64_t at = 1; at <= extent; ++at) {
    point[axis] = at;
    const bool stands_for_many = reach && at == *reach + 1 && extent > 2 * *reach + 1;
    const std::int64_t alike = stands_for_many ? extent - 2 * *reach : 1;
    visit_axis(axis + 1, point, count * alike, visit);
    at += alike - 1;
  }
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
