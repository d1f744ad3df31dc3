// How a network runs its processes, and all statements but messages. Part of network_core.h.
#pragma once

#include "backend/processes/checks.h"
#include "backend/processes/network_core.h"
#include "backend/processes/program_uses.h"
#include "backend/processes/thresholds.h"
#include "ir/arithmetic.h"

#include <algorithm>
#include <bit>

namespace wave::backend::processes::network {

inline constexpr std::int32_t before_steps = -1;  // the place of a request that is no step of a message

template <class Times>
Network<Times>::Network(const NetworkInput& input, std::span<const ir::Statement> statements, Times& times)
    : input_(input),
      statements_(statements),
      times_(times),
      control_(input.scalars.system(), input.process, input.places,
               Bytecode(input.scalars.system(), input.process, input.binders, statements)),
      values_(input.scalars, control_.program, input.places.extents),
      point_(input.places.extents.size(), 1),
      last_(control_.program.code.size()) {
  using Kind = ir::Step::Kind;
  for (const ir::MessageEnds& ends : control_.system.ends) {
    bool is_late = false;
    for (const ir::Protocol& protocol : ends.protocols) {
      const auto is_await = [](const ir::Step& one) { return ir::is_awaiting(one.kind); };
      const auto count = [&](const std::vector<ir::Step>& steps) { return std::ranges::count_if(steps, is_await); };
      stride_ = std::max(stride_, static_cast<std::size_t>(count(protocol.sender) + count(protocol.receiver)));
      const auto first =
          std::ranges::find_if(protocol.receiver, [](const auto& one) { return one.kind != Kind::arrival; });
      is_late = is_late || (first != protocol.receiver.end() && first->kind != Kind::await);
    }
    waits_for_size_.push_back(is_late);
  }
  const ResourceUse use = resource_use(control_.system, control_.process);
  has_resources_ = use.any;
  processor_serves_ = use.on_arrival;
}

template <class Times>
void Network<Times>::claim(std::size_t bytes) {
  input_.claim_memory(static_cast<std::int64_t>(bytes));
  claimed_ += static_cast<std::int64_t>(bytes);
}

template <class Times>
void Network<Times>::run() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  claim(count * (sizeof(Standing) + control_.program.slots * sizeof(std::int64_t)));
  control_.standing.resize(count);
  slots_.resize(count * control_.program.slots);
  clocks.resize(count);
  if (processor_serves_) {
    claim(count * (sizeof(Moment) + sizeof(Stamp::At)));
    processors_.resize(count);
    handed_.resize(count);
  }
  // Requests are made in the order of time: nobody may wait for what another will have called by then.
  if (has_resources_ && !never_waits_ && has_late_receives()) find_ends_beforehand();
  if (Times::needs_causes && has_resources_ && !never_waits_) find_other_ends_beforehand();
  for (std::size_t process = 0; process < count; ++process) run_process(static_cast<Number>(process));
  run_ready();
  if (never_waits_ || !found_ends_.empty() || !waits_for_ends()) return;
  find_ends_beforehand();
  for (std::size_t process = 0; process < count; ++process) wake(static_cast<Number>(process));
  run_ready();
}

template <class Times>
std::vector<typename Times::Clock> Network<Times>::finishes() {
  std::vector<typename Times::Clock> result;
  result.reserve(clocks.size());
  for (std::size_t process = 0; process < clocks.size(); ++process) {
    typename Times::Clock& end = clocks[process].clock;
    if (processor_serves_ && Times::time(end) < Times::time(processors_[process].clock))
      end = processors_[process].clock;
    result.push_back(std::move(end));
  }
  return result;
}

// What receives without a size take does not depend on times.
template <class Times>
void Network<Times>::find_ends_beforehand() {
  PlainTimes plain;
  found_ends_ = Network<PlainTimes>(input_, statements_, plain).find_ends();
}

// Resources serve for an end before it is called. Whether that is so depends on times, whose statement it is does not.
template <class Times>
void Network<Times>::find_other_ends_beforehand() {
  PlainTimes plain;
  other_ends_ = Network<PlainTimes>(input_, statements_, plain).find_other_ends();
  claim(other_ends_.unusual.size() * OtherEnds::bytes_each);
}

template <class Times>
bool Network<Times>::has_late_receives() const {
  return std::ranges::any_of(control_.program.code, [&](const Instruction& instruction) {
    const auto* const n = std::get_if<Communicate>(&instruction);
    return n && n->size == no_operand && waits_for_size_[n->message->ends.index];
  });
}

// A step of this length.
template <class Times>
void Network<Times>::step(Moment& moment, double time, const Cause& cause) {
  times_.advance(moment.clock, time, cause);
  if (has_resources_) moment.steps = time > 0 ? 0 : moment.steps + 1;
}

// The later of the two.
template <class Times>
void Network<Times>::join(Moment& moment, const Moment& other, const Cause& cause) {
  if (at(moment) < at(other)) moment.steps = other.steps;
  times_.join(moment.clock, other.clock, cause);
}

// The program has waited for something, which came at that moment.
template <class Times>
void Network<Times>::pass(const Moment& moment, const Cause& cause) {
  join(clocks[here_], moment, cause);
  step(clocks[here_], 0, cause);
  if (!processor_serves_) return;
  Stamp::At& handed = handed_[here_];
  handed = std::max(handed, at(moment));
  ++handed.steps;
}

template <class Times>
void Network<Times>::run_ready() {
  do {
    while (!ready_.empty() || !later_.empty()) {
      if (ready_.empty()) ready_.swap(later_);
      const Number process = ready_.front();
      ready_.pop_front();
      run_process(process);
    }
  } while (serve_next());
}

template <class Times>
bool Network<Times>::waits_for_ends() const {
  for (Number channel = 0; channel < control_.channels.count(); ++channel) {
    for (Number number = control_.channels[channel].first; number != none; number = control_.messages[number].next) {
      const Envelope::End& receiver = control_.messages[number].ends[number_of(Side::receive)];
      if (receiver.is_posted && !receiver.ends) return true;
    }
  }
  return false;
}

template <class Times>
void Network<Times>::wake(Number process) {
  Standing& standing = control_.standing[process];
  if (standing.is_queued) return;
  standing.is_queued = true;
  ready_.push_back(process);
}

template <class Times>
void Network<Times>::stand(Number process) {
  here_ = process;
  std::int64_t rest = process;
  for (std::size_t axis = point_.size(); axis-- > 0;) {
    point_[axis] = rest % input_.places.extents[axis] + 1;
    rest /= input_.places.extents[axis];
  }
  values_.stand(point_.data(), slots());
}

// One instruction; the counter moves on unless the process has to wait there.
template <class Times>
struct Network<Times>::Execute {
  Network& self;
  Standing& me;

  Next passed() const {
    ++me.counter;
    return Next::go_on;
  }
  Next jump(Counter to) const {
    me.counter = to;
    return Next::go_on;
  }

  Next operator()(const Compute& n) const {
    const Cause cause{Cause::Kind::compute, self.here_, n.statement};
    if (!std::exchange(me.is_served, false)) {
      ++self.operations_;
      if (!self.use_processor(self.weight(n.time, *n.statement), cause, me.calls, before_steps)) return Next::wait;
    }
    return passed();
  }
  Next operator()(const Communicate& n) const { return self.communicate(n); }
  Next operator()(const AwaitPending& n) const { return self.await_pending(n); }
  Next operator()(const Synchronise& n) const { return self.synchronise(n); }
  Next operator()(const Jump& n) const { return jump(n.to); }
  Next operator()(const Test& n) const { return self.values_(n.condition).boolean ? passed() : jump(n.otherwise); }
  Next operator()(const EnterPhase& n) const {
    self.slots()[n.slot] = std::bit_cast<std::int64_t>(Times::time(self.clocks[self.here_].clock));
    self.pass_phase(n.phase, true);
    self.tell([&](ProgramWatcher& watcher, double now) { watcher.enter_phase(self.here_, n.phase, now); });
    return passed();
  }
  Next operator()(const LeavePhase& n) const {
    if (self.phases && (*self.phases)[n.phase.index].wanted()) {
      auto& phase = (*self.phases)[n.phase.index];
      const double now = Times::time(self.clocks[self.here_].clock);
      phase.spent[self.here_] += now - std::bit_cast<double>(self.slots()[n.slot]);
      phase.left[self.here_] = now;
    }
    self.pass_phase(n.phase, false);
    self.tell([&](ProgramWatcher& watcher, double now) { watcher.leave_phase(self.here_, now); });
    return passed();
  }
  Next operator()(const EnterLoop& n) const { return self.enter_loop(n) ? passed() : jump(n.exit); }
  Next operator()(const NextIteration& n) const {
    std::int64_t* const slot = self.slots() + n.slot;
    const auto next = ir::LoopRange{slot[0], slot[1], slot[2], n.geometric}.after(slot[0]);
    if (!next) return passed();
    slot[0] = *next;
    return jump(n.again);
  }
  Next operator()(const EnterSweep& n) const {
    std::int64_t* const slot = self.slots() + n.slot;
    slot[1] = self.values_(n.tiles).integer;
    slot[0] = 1;
    return slot[1] >= 1 ? passed() : jump(n.exit);
  }
  Next operator()(const NextTile& n) const {
    std::int64_t* const slot = self.slots() + n.slot;
    if (slot[0] >= slot[1]) return passed();
    ++slot[0];
    return jump(n.again);
  }
  Next operator()(const EnterFronts& n) const {
    std::int64_t* const slot = self.slots() + n.slot;
    slot[1] = self.values_(n.tiles).integer;
    slot[2] = 0;   // the diagonal
    slot[3] = -1;  // the front served last
    return passed();
  }
  Next operator()(const NextBlock& n) const {
    self.next_block(n);
    return Next::go_on;
  }
  Next operator()(const EndOfProgram&) const {
    if (!me.is_finished) ++self.control_.finished;
    me.is_finished = true;
    return Next::wait;
  }
};

template <class Times>
void Network<Times>::run_process(Number process) {
  stand(process);
  Standing& me = control_.standing[process];
  me.is_queued = false;
  if (me.first_pending != none) advance_pending(process);
  if (me.is_asking) return;
  const Execute execute{*this, me};
  for (;;) {
    if (++ticks_ % network_steps_between_clock_reads == 0) input_.look_at_clock();
    const Next next = std::visit(execute, control_.program.code[me.counter]);
    if (next == Next::go_on) continue;
    if (next == Next::yield && !me.is_queued) {
      me.is_queued = true;
      later_.push_back(process);
    }
    return;
  }
}

template <class Times>
double Network<Times>::weight(OperandId operand, const ir::Statement& statement) {
  const ir::Scalar time = values_(operand);
  const double rounded = on_quantum(time.real, input_.quantum, statement.site, statement.location);
  input_.resolver.rounding.add(time.real, rounded);
  return rounded;
}

template <class Times>
bool Network<Times>::enter_loop(const EnterLoop& n) {
  std::int64_t* const slot = slots() + n.slot;
  const ir::LoopRange range{values_(n.first).integer, values_(n.last).integer, values_(n.step).integer, n.geometric};
  require_progress(range, n.site);
  slot[0] = range.first;
  slot[1] = range.last;
  slot[2] = range.step;
  return range.begin().has_value();
}

// The blocks of all fronts by diagonal, then in the order of the list. Diagonals without a block of this process are
// jumped over.
template <class Times>
void Network<Times>::next_block(const NextBlock& n) {
  std::int64_t* const slot = slots() + n.slot;
  const std::int64_t tiles = slot[1], diagonal = slot[2], served = slot[3];
  const auto& fronts = n.sweep->fronts;
  Counter& counter = control_.standing[here_].counter;
  counter = n.exit;
  std::int64_t best = 0;
  for (std::size_t front = 0; front < fronts.size(); ++front) {
    const std::int64_t distance = hops(fronts[front], input_.places, point_);
    const bool is_after = static_cast<std::int64_t>(front) > served;
    const std::int64_t earliest = std::max(is_after ? diagonal : diagonal + 1, distance + 1);
    if (earliest - distance > tiles) continue;
    if (counter != n.exit && earliest >= best) continue;
    best = earliest;
    slot[0] = earliest - distance;
    slot[2] = earliest;
    slot[3] = static_cast<std::int64_t>(front);
    counter = n.bodies[front];
  }
}

template <class Times>
bool Network<Times>::may_leave(const ir::Collective& collective, const Gathering& gathering, bool is_root,
                               std::uint64_t participants) const {
  switch (collective.root) {
    case ir::Collective::Root::none: return gathering.arrived == participants;
    case ir::Collective::Root::from: return gathering.has_root;
    case ir::Collective::Root::to: return !is_root || gathering.arrived == participants;
  }
  return true;
}

template <class Times>
typename Network<Times>::Next Network<Times>::synchronise(const Synchronise& n) {
  const ir::Collective& collective = *n.collective;
  Standing& me = control_.standing[here_];
  if (never_waits_) {
    ++me.counter;
    return Next::go_on;
  }
  Moment& clock = clocks[here_];
  Number root = 0;
  auto participants = static_cast<std::uint64_t>(input_.places.count());
  if (collective.along) {
    std::int64_t stride = 1;
    for (std::size_t axis = *collective.along + 1; axis < point_.size(); ++axis) stride *= input_.places.extents[axis];
    root = here_ - static_cast<Number>((point_[*collective.along] - 1) * stride);
    participants = static_cast<std::uint64_t>(input_.places.extents[*collective.along]);
  }
  const bool is_root = here_ == root;
  const Cause cause{Cause::Kind::collective, here_, n.statement};
  const auto found = gatherings_.try_emplace({root, collective.along.value_or(none), me.rounds}).first;
  Gathering& gathering = found->second;
  if (!me.has_arrived) {
    if (processor_serves_ && !use_processor(0, cause, me.calls, before_steps)) return Next::wait;
    ++operations_;
    me.has_arrived = true;
    const Stamp::At now = at(clock), last = at(gathering.last);
    const bool is_last =
        gathering.last_process == none || last < now || (!(now < last) && here_ < gathering.last_process);
    if (is_last) gathering.last = clock, gathering.last_process = here_;
    if (is_root) gathering.root = clock, gathering.has_root = true;
    if (++gathering.arrived == participants || (is_root && collective.root == ir::Collective::Root::from)) {
      for (const Number waiting : gathering.waiting) wake(waiting);
      gathering.waiting.clear();
    }
    if (!may_leave(collective, gathering, is_root, participants)) gathering.waiting.push_back(here_);
  }
  if (!may_leave(collective, gathering, is_root, participants)) return Next::wait;
  if (collective.root == ir::Collective::Root::from) {
    Moment from_root = gathering.root;
    step(from_root, weight(n.cost, *n.statement), cause);
    step(clock, 0, cause);
    join(clock, from_root, cause);
  } else if (collective.root == ir::Collective::Root::none || is_root) {
    join(clock, gathering.last, cause);
    step(clock, weight(n.cost, *n.statement), cause);
  } else {
    step(clock, 0, cause);
  }
  if (processor_serves_) handed_[here_] = at(clock);
  if (++gathering.left == participants) gatherings_.erase(found);
  me.has_arrived = false;
  ++me.rounds;
  ++me.counter;
  return Next::go_on;
}

}  // namespace wave::backend::processes::network
