// What each statement adds, and how often its blocks are walked.
#include "backend/processes/accounts_walk.h"
#include "backend/processes/checks.h"
#include "ir/arithmetic.h"

#include <cmath>

namespace wave::backend::processes {

namespace {

// What occupies the processor at an end: charged at the call, and at the wait for an operation in the background. What
// is done on arrival counts in any case, as if it were done at the call.
struct Charges {
  double at_call = 0, at_wait = 0;
};

Charges charges(const std::vector<ResolvedStep>& steps, bool background) {
  using Kind = ir::Step::Kind;
  Charges sums;
  std::size_t at = 0;
  for (const ResolvedStep& step : steps) {
    if (step.kind == Kind::arrival) sums.at_call += step.time;
  }
  for (; at < steps.size() && !(background && steps[at].kind == Kind::await); ++at) {
    if (steps[at].kind == Kind::busy) sums.at_call += steps[at].time;
  }
  for (; at < steps.size(); ++at) {
    if (steps[at].kind == Kind::busy) sums.at_wait += steps[at].time;
    if (steps[at].kind == Kind::emit) sums.at_wait = 0;  // what came before only delayed it
  }
  return sums;
}

// How many values a loop runs through; at least one step is possible.
__int128 count_of(const ir::Level& level, std::int64_t first, std::int64_t last, std::int64_t step) {
  if (step > 0 ? first > last : first < last) return 0;
  if (!level.geometric) return (static_cast<__int128>(last) - first) / step + 1;
  __int128 count = 0;
  for (__int128 at = first; at <= last; at *= step) ++count;
  return count;
}

}  // namespace

struct Accountant::Walk::Statements {
  Walk& self;
  const ir::Statement& statement;

  void operator()(const ir::Compute& n) const {
    if (self.state_.purpose != Purpose::everything) return;
    const double time = on_quantum(self.values_.real(n.time), self.quantum_, statement.site, statement.place);
    if (self.listener_) self.listener_->compute(time);
    const __int128 quanta = self.in_quanta(time) * self.state_.times;
    self.for_each_account([&](Account& account) { account.compute += quanta; });
  }
  void operator()(const ir::Message& n) const {
    if (n.side == ir::Message::Side::receive && self.state_.purpose != Purpose::everything) return;
    const FoundPeer peer = find_peer(n.peer, self.places_, self.state_.point, self.values_);
    if (!peer.rank) return;
    n.side == ir::Message::Side::send ? self.send(n, peer) : self.receive(n, peer);
  }
  void operator()(const ir::Wait& n) const {
    if (self.state_.purpose != Purpose::everything) return;
    if (self.listener_) self.listener_->wait(n.handle);
    for (std::size_t handle = 0; handle < self.state_.pending.size(); ++handle) {
      if (n.handle.valid() && n.handle.index != handle) continue;
      self.add_overhead(self.state_.pending[handle]);
      self.state_.pending[handle] = 0;
    }
  }
  void operator()(const ir::Sweep& n) const {
    const std::int64_t tiles = self.values_.integer(n.tiles);
    bool waits = false;
    for (const ir::Front& front : n.fronts) waits = waits || self.uses(front.body).waits;
    if (n.fronts.size() > 1 && (self.state_.step_by_step || waits)) return self.serve_in_order(n, tiles);
    for (const ir::Front& front : n.fronts) {
      if (self.looks_at({}, front.body, n.tile)) {
        for (std::int64_t tile = 1; tile <= tiles; ++tile) self.serve(n, front, tile);
      } else {
        self.repeat(tiles, front.body, [&] { self.serve(n, front, 1); });
      }
    }
  }
  void operator()(const ir::Loop& n) const { self.run(n.levels, n); }
  void operator()(const ir::Branch& n) const {
    const ir::BlockId block = self.values_.boolean(n.condition) ? n.then_block : n.else_block;
    if (block.valid()) self.walk(block);
  }
  void operator()(const ir::Phase& n) const {
    self.state_.phases.push_back(n.phase);
    self.walk(n.body);
    self.state_.phases.pop_back();
  }
  void operator()(const ir::Collective& n) const {  // waiting
    if (self.listener_ && self.state_.purpose == Purpose::everything) self.listener_->collective(n);
  }
};

void Accountant::Walk::walk(ir::BlockId block) {
  for (const ir::Statement& statement : process_.blocks[block.index]) {
    if (++ticks_ % 1024 == 0 && look_at_clock_) look_at_clock_();
    std::visit(Statements{*this, statement}, statement.node);
  }
}

void Accountant::Walk::serve(const ir::Sweep& sweep, const ir::Front& front, std::int64_t tile) {
  values_.bind(sweep.tile, tile);
  walk(front.body);
}

// Of several fronts the blocks by ascending (hops from the corner + tile), ties in the order of the list.
void Accountant::Walk::serve_in_order(const ir::Sweep& sweep, std::int64_t tiles) {
  std::vector<std::int64_t> hops;
  std::int64_t furthest = 0;
  for (const ir::Front& front : sweep.fronts) {
    std::int64_t distance = 0;
    for (std::size_t axis = 0; axis < places_.extents.size(); ++axis) {
      distance += front.rising[axis] ? state_.point[axis] - 1 : places_.extents[axis] - state_.point[axis];
    }
    hops.push_back(distance);
    furthest = std::max(furthest, distance);
  }
  for (std::int64_t stage = 1; stage <= furthest + tiles; ++stage) {
    for (std::size_t front = 0; front < hops.size(); ++front) {
      const std::int64_t tile = stage - hops[front];
      if (tile >= 1 && tile <= tiles) serve(sweep, sweep.fronts[front], tile);
    }
  }
}

void Accountant::Walk::run(std::span<const ir::Level> levels, const ir::Loop& loop) {
  if (levels.empty()) return walk(loop.body);
  const ir::Level& level = levels.front();
  const std::int64_t first = values_.integer(level.first), last = values_.integer(level.last);
  const std::int64_t step = values_.integer(level.step);
  require_progress(level.geometric, first, last, step, level.site);
  if (level.filter.valid() || looks_at(levels.subspan(1), loop.body, level.binder)) {
    return run_each(levels, loop, first, last, step);
  }
  repeat(count_of(level, first, last, step), loop.body, [&] { run(levels.subspan(1), loop); });
}

void Accountant::Walk::run_each(std::span<const ir::Level> levels, const ir::Loop& loop, std::int64_t first,
                                std::int64_t last, std::int64_t step) {
  const ir::Level& level = levels.front();
  for (std::int64_t at = first; step > 0 ? at <= last : at >= last;) {
    if (++ticks_ % 1024 == 0 && look_at_clock_) look_at_clock_();
    values_.bind(level.binder, at);
    if (!level.filter.valid() || values_.boolean(level.filter)) run(levels.subspan(1), loop);
    const auto next = level.geometric ? ir::arithmetic::multiply(at, step) : ir::arithmetic::add(at, step);
    if (next.failed) break;
    at = next.value;
  }
}

const Uses& Accountant::Walk::uses(ir::BlockId block) {
  return state_.purpose == Purpose::counts ? uses_of_counts_.of(block) : uses_of_all_.of(block);
}

bool Accountant::Walk::looks_at(std::span<const ir::Level> levels, ir::BlockId body, ir::BinderId binder) {
  if (uses(body).binders.count(binder) != 0) return true;
  for (const ir::Level& level : levels) {
    for (const ir::ValueId value : {level.first, level.last, level.step, level.filter}) {
      if (!value.valid()) continue;
      const auto& free = binders_.of(value);
      if (std::find(free.begin(), free.end(), binder) != free.end()) return true;
    }
  }
  return false;
}

// `once` does the same each time, except that other operations may be pending when it begins. As soon as the pending
// operations are the same as the time before, all later times are alike.
void Accountant::Walk::repeat(__int128 count, ir::BlockId body, const std::function<void()>& once) {
  if (count <= 0) return;
  const __int128 times = state_.times, copies = state_.copies;
  if (!state_.step_by_step && (state_.purpose == Purpose::counts || !uses(body).waits)) {
    state_.times *= count;
    state_.copies *= count;
    once();
    state_.times = times;
    state_.copies = copies;
    return;
  }
  for (__int128 done = 0; done < count;) {
    const auto before = state_.pending;
    once();
    ++done;
    if (state_.step_by_step || state_.pending != before || done == count) continue;
    state_.times *= count - done;
    once();
    state_.times = times;
    return;
  }
}

template <class Function>
void Accountant::Walk::for_each_account(Function&& add) {
  add(into_->whole);
  for (const ir::PhaseId phase : state_.phases) add(into_->phases[phase.index]);
}

void Accountant::Walk::add_overhead(__int128 quanta) {
  if (quanta == 0) return;
  for_each_account([&](Account& account) { account.overhead += quanta * state_.times; });
}

void Accountant::Walk::send(const ir::Message& message, const FoundPeer& peer) {
  const double size = values_.real(message.size);
  const bool local = values_.boolean(message.local);
  const std::int64_t tag = tag_of(message);
  if (state_.purpose == Purpose::sends) {
    if (*peer.rank == state_.receiver) (*collected_)[channel_of(message, peer, tag)].push_back(size);
    return;
  }
  for_each_account([&](Account& account) {
    account.messages += state_.times;
    account.bytes.add(size, static_cast<unsigned __int128>(state_.times));
  });
  if (tally_) {
    const ir::PhaseId phase = state_.phases.empty() ? ir::PhaseId{} : state_.phases.back();
    (*tally_)[{phase, message.ends, ends_.resolve(message.ends, size, local).protocol, size, local}] += state_.times;
  }
  if (state_.purpose != Purpose::everything) return;
  if (listener_) listener_->message(message, *peer.rank, size, number_of(channel_of(message, peer, tag)));
  charge(message, size, local);
}

void Accountant::Walk::receive(const ir::Message& message, const FoundPeer& peer) {
  std::optional<double> size;
  if (message.size.valid()) size = values_.real(message.size);
  const bool local = values_.boolean(message.local);
  const std::int64_t tag = tag_of(message);
  if (state_.step_by_step) {
    const double sent = next_size(message, peer, tag);
    size = size.value_or(sent);
  } else if (!size) {
    size = only_size(message);
  }
  if (listener_) listener_->message(message, *peer.rank, *size, number_of(channel_of(message, peer, tag)));
  charge(message, *size, local);
}

std::int64_t Accountant::Walk::number_of(const Channel& channel) {
  return channel_numbers_.try_emplace(channel, static_cast<std::int64_t>(channel_numbers_.size())).first->second;
}

void Accountant::Walk::charge(const ir::Message& message, double size, bool local) {
  const ResolvedEnds& ends = ends_.resolve(message.ends, size, local);
  const bool is_send = message.side == ir::Message::Side::send;
  const Charges busy = charges(is_send ? ends.sender : ends.receiver, message.background);
  add_overhead(in_quanta(busy.at_call));
  const std::size_t handle = message.handle.valid() ? message.handle.index : process_.handles.size();
  state_.pending[handle] += in_quanta(busy.at_wait) * state_.copies;
}

}  // namespace wave::backend::processes
