// See stream_form.h.
#include "backend/processes/bulk/stream_form.h"

#include "backend/processes/bulk/plan_kernels.h"
#include "backend/processes/bulk/plan_operations.h"
#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

namespace {

using BodyKind = SweepBody::Operation::Kind;

std::vector<std::int64_t> on_grid(const std::vector<std::int8_t>& peer, const std::vector<bool>& rising) {
  std::vector<std::int64_t> offset;
  for (std::size_t axis = 0; axis < peer.size(); ++axis)
    offset.push_back(rising[axis] ? std::int64_t{peer[axis]} : -std::int64_t{peer[axis]});
  return offset;
}

StreamOperation::Kind kind_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::add: return StreamOperation::Kind::add;
    case BodyKind::copy: return StreamOperation::Kind::copy;
    case BodyKind::join: return StreamOperation::Kind::join;
    case BodyKind::emit: return StreamOperation::Kind::emit;
    case BodyKind::await: return StreamOperation::Kind::await;
  }
  return {};
}

}  // namespace

Directions::Directions(const PlanGrid& grid, std::vector<std::vector<std::int64_t>> offsets)
    : offsets_(std::move(offsets)), there_(grid.count(), 0) {
  const auto strides = grid.strides(grid.all());
  const auto ranks = [&](const auto& offset) { return static_cast<std::int64_t>(place(offset, strides)); };
  std::ranges::sort(offsets_, {}, [&](const auto& offset) { return std::pair{ranks(offset), offset}; });
  offsets_.erase(std::ranges::unique(offsets_).begin(), offsets_.end());
  const std::vector<bool> wrap(grid.axes(), false);
  const auto here = std::ranges::find(offsets_, std::vector<std::int64_t>(grid.axes(), 0));
  if (here != offsets_.end()) self_ = static_cast<std::uint32_t>(here - offsets_.begin());
  for (std::size_t direction = 0; direction < offsets_.size() && direction < most; ++direction) {
    ranks_.push_back(ranks(offsets_[direction]));
    grid.for_each(grid.all(), grid.with_peer(offsets_[direction], wrap), [&](const std::vector<std::int64_t>& point) {
      there_[place(point, strides)] |= std::uint32_t{1} << direction;
    });
  }
}

std::uint32_t Directions::of(const std::vector<std::int64_t>& offset) const {
  return static_cast<std::uint32_t>(std::ranges::find(offsets_, offset) - offsets_.begin());
}

// --- pieces ---

std::shared_ptr<StreamPiece> StreamPiece::of(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising,
                                             const PlanGrid& grid, std::vector<StreamKind>& kinds) {
  auto made = std::make_shared<StreamPiece>();
  made->piece_ = std::move(piece);
  made->call_ = call_of(*made->piece_, rising, grid, 0, made->piece_->tiles);
  const std::vector<SweepBody::Operation>& operations = made->piece_->body.operations;
  for (const SweepBody::Operation& operation : operations) {
    made->places_.emplace_back();
    std::vector<std::int64_t> offset = on_grid(operation.peer, rising);
    if (operation.kind == BodyKind::emit) std::ranges::transform(offset, offset.begin(), std::negate{});
    made->offsets_.push_back(std::move(offset));
  }
  for (const Carried& carried : made->piece_->carried) {
    if (carried.pending) return nullptr;
  }
  for (const auto& [at, service] : made->piece_->services) {
    if (!made->add_service(at, service, kinds)) return nullptr;
  }
  for (const SweepCall::Weight& weight : made->call_.weights) {
    made->varies_by_process_ = made->varies_by_process_ || weight.by_process;
    made->first_.push_back(weight.by_process ? 0 : weight.by_tile ? 0 : weight.value);
    made->least_.push_back(weight.by_process ? 0
                           : weight.by_tile  ? *std::min_element(weight.by_tile, weight.by_tile + made->tiles())
                                             : weight.value);
  }
  return made->leaves_in_time() ? made : nullptr;
}

bool StreamPiece::add_service(std::size_t at, const PlannedService& service, std::vector<StreamKind>& kinds) {
  if (!service.count || !service.count->uniform() || service.count->values[0] != 0) return false;
  const std::vector<SweepBody::Operation>& operations = piece_->body.operations;
  // await a; copy b from a, served
  const bool arrives = service.of_peer && at > 0 && operations[at - 1].kind == BodyKind::await &&
                       operations[at - 1].target == operations[at].source;
  const std::size_t then = service.of_peer ? StreamSlot::nothing : sent_after(at);
  if (!arrives && then == StreamSlot::nothing) return false;
  const StreamKind kind{service.resource, arrives};
  const auto found = std::ranges::find(kinds, kind);
  Place& place = places_[arrives ? at - 1 : at];
  varies_by_process_ = varies_by_process_ || (service.mask && !service.mask->uniform());
  place.service = &service;
  place.kind = static_cast<std::size_t>(found - kinds.begin());
  place.then = then;
  if (!arrives) places_[then].request = at;
  if (found == kinds.end()) kinds.push_back(kind);
  return true;
}

// copy b from a, served; ... emit b, which nothing else uses and which takes as long in all tiles.
std::size_t StreamPiece::sent_after(std::size_t request) const {
  const std::vector<SweepBody::Operation>& operations = piece_->body.operations;
  const std::uint32_t served = operations[request].target;
  if (served < piece_->body.carried) return StreamSlot::nothing;
  std::size_t then = StreamSlot::nothing;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    const SweepBody::Operation& one = operations[at];
    const bool reads = one.source == served && one.kind != BodyKind::add && one.kind != BodyKind::await;
    const bool writes = one.target == served && one.kind != BodyKind::emit && at != request;
    if (!reads && !writes) continue;
    if (writes || one.kind != BodyKind::emit || at < request || then != StreamSlot::nothing) return StreamSlot::nothing;
    if (one.peer != operations[request].peer) return StreamSlot::nothing;
    then = at;
  }
  if (then == StreamSlot::nothing) return then;
  const bool varies =
      std::ranges::any_of(operations[then].weights, [&](std::uint32_t index) { return call_.weights[index].by_tile; });
  return varies ? StreamSlot::nothing : then;
}

// Does what is sent leave when the clock has come to it, or later? `is_late`: the registers that are no earlier than
// the clock.
bool StreamPiece::leaves_in_time() const {
  std::vector<bool> is_late(piece_->body.registers, false);
  is_late[clock_register] = true;
  for (const SweepBody::Operation& operation : piece_->body.operations) {
    const std::uint32_t to = operation.target;
    switch (operation.kind) {
      case BodyKind::add:
        if (to == clock_register) std::fill(is_late.begin() + 1, is_late.end(), false);
        break;
      case BodyKind::copy: is_late[to] = is_late[operation.source]; break;
      case BodyKind::join:
      case BodyKind::await:
        if (to == clock_register)
          std::fill(is_late.begin() + 1, is_late.end(), false);
        else if (operation.kind == BodyKind::join)
          is_late[to] = is_late[to] || is_late[operation.source];
        break;
      case BodyKind::emit:
        if (!is_late[operation.source]) return false;
        break;
    }
  }
  return true;
}

// Of both ends of each message: an operation happens where there is a peer on its side.
void StreamPiece::add_offsets(std::vector<std::vector<std::int64_t>>& offsets) const {
  const std::vector<std::int64_t> here(call_.extents.size(), 0);
  const auto makes_requests = [](const Place& place) { return place.then != StreamSlot::nothing; };
  if (std::ranges::any_of(places_, makes_requests) && std::ranges::find(offsets, here) == offsets.end())
    offsets.push_back(here);
  for (std::size_t at = 0; at < offsets_.size(); ++at) {
    if (offsets_[at].empty()) continue;
    for (const std::int64_t side : {1, -1}) {
      std::vector<std::int64_t> offset = offsets_[at];
      std::ranges::transform(offset, offset.begin(), [&](std::int64_t step) { return side * step; });
      if (std::ranges::find(offsets, offset) == offsets.end()) offsets.push_back(std::move(offset));
    }
  }
}

bool StreamPiece::number(const Directions& directions) {
  directions_ = &directions;
  slots_.assign(directions.count(), {});
  const std::vector<SweepBody::Operation>& operations = piece_->body.operations;
  std::vector<const Place*> emitted(piece_->body.signals);
  for (std::size_t at = 0; at < operations.size(); ++at) {
    const SweepBody::Operation& operation = operations[at];
    Place& place = places_[at];
    if (operation.peer.empty()) continue;
    place.peer = directions.of(offsets_[at]);
    if (place.then != StreamSlot::nothing) {
      place.direction = directions.self();
      slots_[place.direction].push_back({place.service, place.kind, at, StreamSlot::nothing, place.then});
    }
    if (operation.kind != BodyKind::emit) continue;
    place.direction = place.peer;
    std::vector<std::int64_t> back = offsets_[at];
    std::ranges::transform(back, back.begin(), std::negate{});
    place.peer = directions.of(back);
    place.slot = static_cast<std::uint32_t>(slots_[place.direction].size());
    slots_[place.direction].push_back({nullptr, 0, at, StreamSlot::nothing, StreamSlot::nothing});
    emitted[operation.signal] = &place;
  }
  for (std::size_t at = 0; at < operations.size(); ++at) {
    if (operations[at].kind != BodyKind::await) continue;
    Place& place = places_[at];
    const Place& sent = *emitted[operations[at].signal];
    place.direction = sent.direction;
    place.slot = sent.slot;
    StreamSlot& slot = slots_[place.direction][place.slot];
    slot.service = place.service;
    slot.kind = place.kind;
    slot.await = at;
    slot.is_sent = weight(0, slot.emit, first_) != never && weight(0, at, first_) != never;
  }
  const auto descends = [](const StreamSlot& one, const StreamSlot& next) {
    return one.service && next.service && one.service->order > next.service->order;
  };
  return std::ranges::none_of(
      slots_, [&](const auto& slots) { return std::ranges::adjacent_find(slots, descends) != slots.end(); });
}

double StreamPiece::occupied(const StreamSlot& slot, std::size_t process) const {
  if (!slot.service || (slot.service->mask && slot.service->mask->of_process(process) == 0)) return of_nobody;
  return slot.service->occupied->of_process(process);
}

bool StreamPiece::is_sent(const StreamSlot& slot, std::uint32_t direction, std::size_t process) const {
  if (direction == directions_->self()) return has_peer(process, slot.emit) && occupied(slot, process) != of_nobody;
  if (!varies_by_process_) return slot.is_sent;
  const auto sender = static_cast<std::size_t>(static_cast<std::int64_t>(process) + directions_->ranks(direction));
  return slot.await != StreamSlot::nothing && weight(sender, slot.emit, first_) != never &&
         weight(process, slot.await, first_) != never;
}

bool StreamPiece::is_sent(std::size_t process, std::size_t operation) const {
  const Place& place = places_[operation];
  const bool sends = piece_->body.operations[operation].kind == BodyKind::emit;
  const auto from = static_cast<std::int64_t>(process) - (sends ? directions_->ranks(place.direction) : 0);
  return is_sent(slots_[place.direction][place.slot], place.direction, static_cast<std::size_t>(from));
}

bool StreamPiece::is_request(std::size_t process, std::size_t operation) const {
  if (operation == StreamSlot::nothing || places_[operation].then == StreamSlot::nothing) return false;
  const Place& place = places_[operation];
  return is_sent({place.service, place.kind, operation, StreamSlot::nothing, place.then}, directions_->self(), process);
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
    const bool is_work = operation.kind == BodyKind::add && operation.target == clock_register;
    if (is_work && has_peer(process, at)) sum += weight(process, at, least_);
  }
  return sum;
}

const StreamCode* StreamPiece::code(std::size_t process) {
  key_.assign(1, static_cast<double>(directions_->of_process(process)));
  for (const SweepCall::Weight& weight : call_.weights) {
    if (weight.by_process) key_.push_back(weight.by_process[process]);
  }
  for (std::size_t at = 0; varies_by_process_ && at < places_.size(); ++at) {
    if (!has_peer(process, at)) continue;
    const BodyKind kind = piece_->body.operations[at].kind;
    if (kind == BodyKind::emit || kind == BodyKind::await) key_.push_back(is_sent(process, at) ? 1 : 0);
    if (places_[at].then != StreamSlot::nothing) key_.push_back(is_request(process, at) ? 1 : 0);
  }
  const auto found = codes_.find(key_);
  if (found != codes_.end()) return &found->second;
  if (codes_.size() >= most_codes_of_streams) return nullptr;
  return &codes_.emplace(key_, make_code(process)).first->second;
}

StreamCode StreamPiece::make_code(std::size_t process) const {
  StreamCode code;
  std::vector<StreamOperation> all;
  // Which of the signals of a tile each is, of those that are sent.
  std::vector<std::vector<std::uint32_t>> numbers(directions_->count());
  for (std::uint32_t direction = 0; direction < directions_->count(); ++direction) {
    code.arrives.push_back(0);
    if (!(directions_->of_process(process) >> direction & 1)) continue;
    for (const StreamSlot& slot : slots_[direction])
      numbers[direction].push_back(is_sent(slot, direction, process) ? code.arrives.back()++ : none);
  }
  const auto offset = [&](std::size_t at) {
    const Place& to = places_[at];
    return directions_->ranks(to.peer) * static_cast<std::int64_t>(directions_->count()) + to.direction;
  };
  const auto add_stream = [&](std::int64_t stream) {
    if (std::ranges::find(code.streams, stream) == code.streams.end()) code.streams.push_back(stream);
    return stream;
  };
  for (std::size_t at = 0; at < piece_->body.operations.size(); ++at) {
    const SweepBody::Operation& operation = piece_->body.operations[at];
    const Place& place = places_[at];
    if (!has_peer(process, at)) continue;
    const bool is_signal = operation.kind == BodyKind::emit || operation.kind == BodyKind::await;
    if (is_signal && !is_sent(process, at)) continue;
    if (operation.kind == BodyKind::emit && is_request(process, place.request)) continue;
    StreamOperation& one = all.emplace_back();
    one.kind = kind_of(operation.kind);
    one.target = operation.target;
    one.source = operation.source;
    one.direction = place.direction;
    one.weight = weight(process, at, first_);
    one.of_body = static_cast<std::uint32_t>(at);
    if (operation.kind == BodyKind::await) {
      one.slot = numbers[place.direction][place.slot];
      one.slots = code.arrives[place.direction];
      one.is_never = one.weight == never;
    }
    if (operation.kind == BodyKind::emit) one.stream = add_stream(offset(at));
    if (is_request(process, at)) {
      one.kind = StreamOperation::Kind::request;
      one.stream = add_stream(place.direction);
      one.then = offset(place.then);
      code.is_whole = code.is_whole && is_sent(process, place.then);
    }
    std::vector<const double*> by_tile;
    for (const std::uint32_t index : operation.weights) {
      if (call_.weights[index].by_tile) by_tile.push_back(call_.weights[index].by_tile);
    }
    if (by_tile.empty()) continue;
    one.fixed = one.weight;
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
    if (one.kind == Of::copy || one.kind == Of::join || one.kind == Of::emit || one.kind == Of::request)
      ++uses[one.source];
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
