// See stream_form.h.
#include "backend/processes/bulk/stream_form.h"

#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/bulk/request_order.h"
#include "backend/processes/never.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;

constexpr std::uint32_t clock_register = 0;

double of_process(const Field& field, std::size_t process) { return field.values[field.uniform() ? 0 : process]; }

std::vector<std::int64_t> on_grid(const std::vector<std::int8_t>& peer, const std::vector<bool>& rising) {
  std::vector<std::int64_t> offset;
  for (std::size_t axis = 0; axis < peer.size(); ++axis)
    offset.push_back(rising[axis] ? std::int64_t{peer[axis]} : -std::int64_t{peer[axis]});
  return offset;
}

StreamOperation::Kind kind_of(Kind kind) {
  switch (kind) {
    case Kind::add: return StreamOperation::Kind::add;
    case Kind::copy: return StreamOperation::Kind::copy;
    case Kind::join: return StreamOperation::Kind::join;
    case Kind::emit: return StreamOperation::Kind::emit;
    case Kind::await: return StreamOperation::Kind::await;
  }
  return {};
}

std::int64_t ranks_of(const PlanGrid& grid, const std::vector<std::int64_t>& offset) {
  std::int64_t ranks = 0;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) ranks = ranks * grid.extents()[axis] + offset[axis];
  return ranks;
}

}  // namespace

Directions::Directions(const PlanGrid& grid, std::vector<std::vector<std::int64_t>> offsets)
    : offsets_(std::move(offsets)), there_(grid.count(), 0) {
  std::ranges::sort(offsets_, [&](const auto& a, const auto& b) {
    return std::pair{ranks_of(grid, a), a} < std::pair{ranks_of(grid, b), b};
  });
  offsets_.erase(std::ranges::unique(offsets_).begin(), offsets_.end());
  const std::vector<bool> wrap(grid.axes(), false);
  const auto strides = grid.strides(grid.all());
  for (std::size_t direction = 0; direction < offsets_.size() && direction < most; ++direction) {
    ranks_.push_back(ranks_of(grid, offsets_[direction]));
    grid.for_each(grid.all(), grid.with_peer(offsets_[direction], wrap), [&](const std::vector<std::int64_t>& point) {
      there_[place(point, strides)] |= std::uint32_t{1} << direction;
    });
  }
}

std::uint32_t Directions::of(const std::vector<std::int64_t>& offset) const {
  return static_cast<std::uint32_t>(std::ranges::find(offsets_, offset) - offsets_.begin());
}

// --- pieces ---

std::unique_ptr<StreamPiece> StreamPiece::of(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising,
                                             const PlanGrid& grid, const SharedLevels& levels, const ir::System& system,
                                             std::vector<ResourceKey>& kinds) {
  auto made = std::make_unique<StreamPiece>();
  made->piece_ = std::move(piece);
  made->call_ = call_of(*made->piece_, rising, grid, 0, made->piece_->tiles);
  const std::vector<SweepBody::Operation>& operations = made->piece_->body.operations;
  for (const SweepBody::Operation& operation : operations) {
    made->places_.emplace_back();
    std::vector<std::int64_t> offset = on_grid(operation.peer, rising);
    if (operation.kind == Kind::emit) std::ranges::transform(offset, offset.begin(), std::negate{});
    made->offsets_.push_back(std::move(offset));
  }
  for (const Carried& carried : made->piece_->carried) {
    if (carried.pending) return nullptr;
  }
  for (const auto& [at, service] : made->piece_->services) {
    // await a; copy b from a, served
    const bool arrives = at > 0 && operations[at - 1].kind == Kind::await &&
                         operations[at - 1].target == operations[at].source && service.of_peer;
    if (!arrives || !service.count || !service.count->uniform() || service.count->values[0] != 0 ||
        !is_simple(system[service.resource.first], service.resource.second, &levels))
      return nullptr;
    const auto kind = std::ranges::find(kinds, service.resource);
    made->places_[at - 1].service = &service;
    made->places_[at - 1].kind = static_cast<std::size_t>(kind - kinds.begin());
    if (kind == kinds.end()) kinds.push_back(service.resource);
  }
  for (const SweepCall::Weight& weight : made->call_.weights) {
    made->varies_by_process_ = made->varies_by_process_ || weight.by_process;
    made->first_.push_back(weight.by_process ? 0 : weight.by_tile ? 0 : weight.value);
    made->least_.push_back(weight.by_process ? 0
                           : weight.by_tile  ? *std::min_element(weight.by_tile, weight.by_tile + made->tiles())
                                             : weight.value);
  }
  const auto by_process = [](const PlannedService& service) {
    return (service.mask && !service.mask->uniform()) || !service.occupied->uniform();
  };
  for (const auto& [at, service] : made->piece_->services)
    made->varies_by_process_ = made->varies_by_process_ || by_process(service);
  return made->leaves_in_time() ? std::move(made) : nullptr;
}

// Does what is sent leave when the clock has come to it, or later? `late`: the registers that are no earlier than the
// clock. A weight of -infinity says that nobody looks.
bool StreamPiece::leaves_in_time() const {
  std::vector<bool> is_late(piece_->body.registers, false);
  is_late[clock_register] = true;
  for (const SweepBody::Operation& operation : piece_->body.operations) {
    const std::uint32_t to = operation.target;
    switch (operation.kind) {
      case Kind::add:
        if (to == clock_register) std::fill(is_late.begin() + 1, is_late.end(), false);
        break;
      case Kind::copy: is_late[to] = is_late[operation.source]; break;
      case Kind::join:
      case Kind::await:
        if (to == clock_register)
          std::fill(is_late.begin() + 1, is_late.end(), false);
        else if (operation.kind == Kind::join)
          is_late[to] = is_late[to] || is_late[operation.source];
        break;
      case Kind::emit:
        if (!is_late[operation.source]) return false;
        break;
    }
  }
  return true;
}

// Of both ends of each message: an operation happens where there is a peer on its side.
void StreamPiece::add_offsets(std::vector<std::vector<std::int64_t>>& offsets) const {
  for (std::size_t at = 0; at < offsets_.size(); ++at) {
    if (offsets_[at].empty()) continue;
    for (const std::int64_t side : {1, -1}) {
      std::vector<std::int64_t> offset = offsets_[at];
      std::ranges::transform(offset, offset.begin(), [&](std::int64_t step) { return side * step; });
      if (std::ranges::find(offsets, offset) == offsets.end()) offsets.push_back(std::move(offset));
    }
  }
}

void StreamPiece::number(const Directions& directions) {
  directions_ = &directions;
  slots_.assign(directions.count(), {});
  const std::vector<SweepBody::Operation>& operations = piece_->body.operations;
  std::vector<const Place*> emitted(piece_->body.signals);
  for (std::size_t at = 0; at < operations.size(); ++at) {
    const SweepBody::Operation& operation = operations[at];
    Place& place = places_[at];
    if (operation.peer.empty()) continue;
    place.peer = directions.of(offsets_[at]);
    if (operation.kind != Kind::emit) continue;
    place.direction = place.peer;
    std::vector<std::int64_t> back = offsets_[at];
    std::ranges::transform(back, back.begin(), std::negate{});
    place.peer = directions.of(back);
    place.slot = static_cast<std::uint32_t>(slots_[place.direction].size());
    slots_[place.direction].push_back({nullptr, 0, at});
    emitted[operation.signal] = &place;
  }
  for (std::size_t at = 0; at < operations.size(); ++at) {
    if (operations[at].kind != Kind::await) continue;
    Place& place = places_[at];
    const Place& sent = *emitted[operations[at].signal];
    place.direction = sent.direction;
    place.slot = sent.slot;
    slots_[place.direction][place.slot].service = place.service;
    slots_[place.direction][place.slot].kind = place.kind;
  }
}

double StreamPiece::occupied(const StreamSlot& slot, std::size_t process) const {
  if (!slot.service || (slot.service->mask && of_process(*slot.service->mask, process) == 0)) return of_nobody;
  return of_process(*slot.service->occupied, process);
}

bool StreamPiece::has_peer(std::size_t process, std::size_t operation) const {
  const std::uint32_t peer = places_[operation].peer;
  return peer == none || (directions_->of_process(process) >> peer & 1) != 0;
}

double StreamPiece::weight(std::size_t process, std::size_t operation, const std::vector<double>& uniform) const {
  double sum = 0;
  for (const std::uint32_t index : piece_->body.operations[operation].weights) {
    const double* const by_process = call_.weights[index].by_process;
    sum += by_process ? by_process[process] : uniform[index];
  }
  return sum;
}

double StreamPiece::work(std::size_t process, std::size_t from, std::size_t to) const {
  double sum = 0;
  for (std::size_t at = from; at < to; ++at) {
    const SweepBody::Operation& operation = piece_->body.operations[at];
    const bool is_work = operation.kind == Kind::add && operation.target == clock_register;
    if (is_work && has_peer(process, at)) sum += weight(process, at, least_);
  }
  return sum;
}

const StreamCode& StreamPiece::code(std::size_t process) {
  if (varies_by_process_) return own_ = make_code(process);
  const auto [found, is_new] = codes_.try_emplace(directions_->of_process(process));
  if (is_new) found->second = make_code(process);
  return found->second;
}

StreamCode StreamPiece::make_code(std::size_t process) const {
  StreamCode code;
  std::vector<StreamOperation> all;
  for (std::size_t at = 0; at < piece_->body.operations.size(); ++at) {
    const SweepBody::Operation& operation = piece_->body.operations[at];
    if (!has_peer(process, at)) continue;
    const Place& place = places_[at];
    StreamOperation& one = all.emplace_back();
    one.kind = kind_of(operation.kind);
    one.target = operation.target;
    one.source = operation.source;
    one.direction = place.direction;
    one.slot = place.slot;
    one.weight = weight(process, at, first_);
    one.of_body = static_cast<std::uint32_t>(at);
    if (operation.kind == Kind::await) {
      one.slots = static_cast<std::uint32_t>(slots_[place.direction].size());
      one.is_never = one.weight == never;
    }
    if (operation.kind == Kind::emit) {
      one.stream = directions_->ranks(place.peer) * static_cast<std::int64_t>(directions_->count()) + place.direction;
      if (std::ranges::find(code.streams, one.stream) == code.streams.end()) code.streams.push_back(one.stream);
    }
    std::vector<const double*> by_tile;
    for (const std::uint32_t index : operation.weights) {
      if (call_.weights[index].by_tile) by_tile.push_back(call_.weights[index].by_tile);
    }
    if (by_tile.empty()) continue;
    one.before = one.weight;
    one.by_tile = static_cast<std::uint32_t>(code.by_tile.size());
    code.by_tile.push_back(std::move(by_tile));
  }
  leave_out_unused(all);
  code.operations = put_together(all);
  return code;
}

// Copies that nobody reads, say of what would come from behind the border.
void StreamPiece::leave_out_unused(std::vector<StreamOperation>& operations) const {
  std::vector<std::uint32_t> uses = uses_of(operations);
  for (std::size_t at = operations.size(); at-- > 0;) {
    const StreamOperation& one = operations[at];
    if (one.kind != StreamOperation::Kind::copy || one.target < piece_->body.carried || uses[one.target] > 0) continue;
    --uses[one.source];
    operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

// By register: how many read it.
std::vector<std::uint32_t> StreamPiece::uses_of(const std::vector<StreamOperation>& operations) const {
  using Of = StreamOperation::Kind;
  std::vector<std::uint32_t> uses(piece_->body.registers, 0);
  for (const StreamOperation& one : operations) {
    if (one.kind == Of::copy || one.kind == Of::join || one.kind == Of::emit) ++uses[one.source];
  }
  return uses;
}

// What a register that is not carried is used for once goes to where it is used; then what one message does to the
// clock is one operation. A weight that varies by tile stays by itself.
std::vector<StreamOperation> StreamPiece::put_together(const std::vector<StreamOperation>& operations) const {
  using Of = StreamOperation::Kind;
  const std::vector<std::uint32_t> uses = uses_of(operations);
  const auto is_between = [&](std::uint32_t number) { return number >= piece_->body.carried && uses[number] == 1; };
  const auto varies = [](const StreamOperation& one) { return one.by_tile != StreamOperation::no_table; };
  std::vector<StreamOperation> result;
  // Whether `next` becomes a part of the last one.
  const auto joins = [&](const StreamOperation& next) {
    if (result.empty() || varies(next) || varies(result.back())) return false;
    StreamOperation& last = result.back();
    const bool is_clock = next.target == clock_register;
    if (last.kind == Of::copy && last.weight == never && next.kind == Of::await && next.target == last.target) {
      last = next;
      last.kind = Of::take;
      return true;
    }
    if (last.kind == Of::take && (next.kind == Of::copy || next.kind == Of::join) && next.source == last.target &&
        is_between(last.target) && (next.kind == Of::copy || is_clock)) {
      last.target = next.target;
      last.weight += next.weight;
      last.is_never = last.weight == never;
      if (next.kind == Of::join) last.kind = Of::receive;
      return true;
    }
    if (last.kind == Of::await && last.target == clock_register && next.kind == Of::add && is_clock) {
      last.kind = Of::receive;
      last.after = next.weight;
      return true;
    }
    if (last.kind == Of::receive && next.kind == Of::add && is_clock) {
      last.after += next.weight;
      return true;
    }
    if (last.kind == Of::add && next.kind == Of::add && last.target == next.target) {
      last.weight += next.weight;
      return true;
    }
    if (last.kind == Of::join && last.source == clock_register && last.weight == 0 && last.target != clock_register &&
        next.kind == Of::emit && next.source == last.target) {
      const std::uint32_t target = last.target;
      last = next;
      last.kind = Of::send;
      last.target = target;
      return true;
    }
    if (last.kind == Of::send && next.kind == Of::add && next.target == last.target) {
      last.after += next.weight;
      return true;
    }
    return false;
  };
  for (const StreamOperation& next : operations) {
    if (!joins(next)) result.push_back(next);
    // What the clock is added before a message leaves.
    const std::size_t count = result.size();
    if (count < 2 || result[count - 1].kind != Of::send || result[count - 1].before != 0) continue;
    const StreamOperation& work = result[count - 2];
    if (work.kind != Of::add || work.target != clock_register || varies(work)) continue;
    result[count - 1].before = work.weight;
    result.erase(result.end() - 2);
  }
  return result;
}

}  // namespace wave::backend::processes
