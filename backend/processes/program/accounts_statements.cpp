// What each statement adds, and how often its blocks are walked.
#include "backend/processes/program/accounts_walk.h"
#include "backend/processes/program/checks.h"
#include "backend/processes/thresholds.h"
#include "ir/walk.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

// What occupies the processor at an end: charged at the call, and at the wait for an operation in the background. What
// is done on arrival counts in any case, as if it were done at the call.
struct Charges {
  std::vector<const ResolvedStep*> at_call, at_wait;
};

Charges charges(const std::vector<ResolvedStep>& steps, bool background) {
  using Kind = ir::Step::Kind;
  Charges charges;
  std::size_t at = 0;
  for (const ResolvedStep& step : steps) {
    if (step.kind == Kind::arrival) charges.at_call.push_back(&step);
  }
  for (; at < steps.size() && !(background && ir::is_awaiting(steps[at].kind)); ++at) {
    if (steps[at].kind == Kind::busy) charges.at_call.push_back(&steps[at]);
  }
  for (; at < steps.size(); ++at) {
    if (steps[at].kind == Kind::busy) charges.at_wait.push_back(&steps[at]);
    if (steps[at].kind == Kind::emit) charges.at_wait.clear();  // what came before only delayed it
  }
  return charges;
}

}  // namespace

struct Accountant::Walk::Statements {
  using Result = ir::NoResult;
  using Program = ir::ProcessWalk<Statements>;
  Walk& self;

  bool goes_on() const {
    self.tick();
    return true;
  }
  void begin(const ir::Statement& statement) const {
    if (!statement.call.valid() || !self.listener_ || self.state_.purpose != Purpose::everything) return;
    const ir::CollectiveCall& call = self.process_.calls[statement.call.index];
    const auto size = call.size.valid() ? std::optional(self.values_.real(call.size)) : std::nullopt;
    self.listener_->call(call, size, self.values_.integer(call.participants));
  }
  Result meet(const ir::Statement& statement, const ir::Compute& n) const {
    if (self.state_.purpose != Purpose::everything) return {};
    const double time = on_quantum(self.values_.real(n.time), self.quantum_, statement.site, statement.location);
    if (self.listener_) {
      self.listener_->inside = self.inside(statement);
      self.listener_->compute(statement, time);
    }
    if (self.spent_) {
      Cause cause{Cause::Kind::compute, 0, &statement};
      cause.inside = self.inside(statement);
      self.spend(cause, time, self.state_.times);
    }
    const __int128 quanta = self.in_quanta(time) * self.state_.times;
    self.for_each_account([&](Account& account) { account.compute += quanta; });
    return {};
  }
  Result meet(const ir::Statement& statement, const ir::Message& n) const {
    if (n.side == ir::Message::Side::receive && self.state_.purpose != Purpose::everything) return {};
    const FoundPeer peer = find_peer(n.peer, self.places_, self.state_.point, self.values_);
    if (peer.rank) n.side == ir::Message::Side::send ? self.send(statement, n, peer) : self.receive(statement, n, peer);
    return {};
  }
  Result meet(const ir::Statement& statement, const ir::Wait& n) const {
    if (self.state_.purpose != Purpose::everything) return {};
    if (self.is_by_call()) {
      self.wait_for_calls(statement, self.take_calls(n), std::nullopt);
      return {};
    }
    for (std::size_t handle = 0; handle < self.state_.pending.size(); ++handle) {
      if (!n.means({static_cast<std::uint32_t>(handle)})) continue;
      self.add_overhead(self.state_.pending[handle]);
      self.state_.pending[handle] = 0;
      if (!self.spent_) continue;
      for (const auto& [weight, spent] : self.spent_at_waits_[handle])
        self.spend(spent.cause, spent.weight, spent.times * self.state_.times);
      self.spent_at_waits_[handle].clear();
    }
    return {};
  }
  Result meet(const ir::Statement& statement, const ir::Collective& n) const {  // waiting
    if (!self.listener_ || self.state_.purpose != Purpose::everything) return {};
    self.listener_->inside = self.inside(statement);
    self.listener_->collective(statement, n);
    return {};
  }
  Result phase(const ir::Phase& n, Program& program) const {
    const bool is_told = self.listener_ && self.state_.purpose == Purpose::everything;
    self.state_.phases.push_back(n.phase);
    if (is_told) self.listener_->enter_phase(n.phase);
    program.block(n.body);
    if (is_told) self.listener_->leave_phase(n.phase);
    self.state_.phases.pop_back();
    return {};
  }
  // Where calls have an order, tasks are walked in that in which they were taken.
  Result ready(const ir::Statement& statement, const ir::Ready& n, Program& program) const {
    if (self.state_.purpose != Purpose::everything || !self.is_by_call()) return program.block(n.tasks);
    self.state_.tasks.clear();
    program.block(n.tasks);
    const std::vector<ListedTask> tasks = std::move(self.state_.tasks);
    const auto bindings = self.values_.bindings();
    for (std::uint32_t number = 0; number < tasks.size(); ++number) {
      const ListedTask& next = tasks.at(self.next_taken().value_or(number));
      self.values_.restore(next.bindings);
      if (self.listener_) self.listener_->choose(statement);
      self.wait_for_calls(statement, next.receives, self.last_arrived(next.receives));
      program.block(next.task->body);
    }
    self.values_.restore(bindings);
    return {};
  }
  Result task(const ir::Statement&, const ir::Task& n, Program& program) const {
    const bool is_listed = self.state_.purpose == Purpose::everything && self.is_by_call();
    if (is_listed) self.state_.tasks.push_back({&n, self.values_.bindings(), {}});
    program.block(n.receives);
    return is_listed ? Result{} : program.block(n.body);
  }
  Result branch(const ir::Branch& n, Program& program) const {
    return program.block(self.values_.boolean(n.condition) ? n.then_block : n.else_block);
  }
  Result level(const ir::Loop& loop, std::size_t number, Program& program) const;
  Result sweep(const ir::Sweep& sweep, Program& program) const;

 private:
  void serve_in_order(const ir::Sweep& sweep, std::int64_t tiles, Program& program) const;
  // Serves one block of a front.
  void serve(const ir::Sweep& sweep, const ir::Front& front, std::int64_t tile, Program& program) const {
    self.values_.bind(sweep.tile, tile);
    program.block(front.body);
  }
};

void Accountant::Walk::walk() {
  Statements statements{*this};
  Statements::Program(process_, statements).whole();
}

void Accountant::Walk::tick() {
  if (++ticks_ % walk_steps_between_clock_reads == 0 && look_at_clock_) look_at_clock_();
}

ir::NoResult Accountant::Walk::Statements::level(const ir::Loop& loop, std::size_t number, Program& program) const {
  const ir::Level& level = loop.levels[number];
  BoundScalars& values = self.values_;
  const ir::LoopRange range{values.integer(level.first), values.integer(level.last), values.integer(level.step),
                            level.geometric};
  require_progress(range, level.site);
  // A listener also asks for what accounts do not look at, the costs of collectives.
  if (!self.state_.step_by_step && !level.filter.valid() && !self.uses_.looks_at(loop, number)) {
    self.repeat(range.count(), loop.body, [&] { program.inside_of(loop, number); });
    return {};
  }
  for (auto at = range.begin(); at; at = range.after(*at)) {
    self.tick();
    values.bind(level.binder, *at);
    if (!level.filter.valid() || values.boolean(level.filter)) program.inside_of(loop, number);
  }
  return {};
}

ir::NoResult Accountant::Walk::Statements::sweep(const ir::Sweep& sweep, Program& program) const {
  const std::int64_t tiles = self.values_.integer(sweep.tiles);
  const bool waits = std::any_of(sweep.fronts.begin(), sweep.fronts.end(),
                                 [&](const ir::Front& front) { return self.uses_.of(front.body).waits; });
  if (sweep.fronts.size() > 1 && (self.state_.step_by_step || waits)) {
    serve_in_order(sweep, tiles, program);
    return {};
  }
  for (const ir::Front& front : sweep.fronts) {
    if (self.state_.step_by_step || self.uses_.looks_at(front.body, sweep.tile)) {
      for (std::int64_t tile = 1; tile <= tiles; ++tile) serve(sweep, front, tile, program);
    } else {
      self.repeat(tiles, front.body, [&] { serve(sweep, front, 1, program); });
    }
  }
  return {};
}

// Of several fronts the blocks by ascending (hops from the corner + tile), ties in the order of the list.
void Accountant::Walk::Statements::serve_in_order(const ir::Sweep& sweep, std::int64_t tiles, Program& program) const {
  std::vector<std::int64_t> distances;
  std::int64_t furthest = 0;
  for (const ir::Front& front : sweep.fronts) {
    distances.push_back(hops(front, self.places_, self.state_.point));
    furthest = std::max(furthest, distances.back());
  }
  for (std::int64_t diagonal = 1; diagonal <= furthest + tiles; ++diagonal) {
    for (std::size_t front = 0; front < distances.size(); ++front) {
      const std::int64_t tile = diagonal - distances[front];
      if (tile >= 1 && tile <= tiles) serve(sweep, sweep.fronts[front], tile, program);
    }
  }
}

// `once` does the same each time, except that other operations may be pending when it begins. As soon as the pending
// operations are the same as the time before, all later times are alike.
void Accountant::Walk::repeat(__int128 count, ir::BlockId body, const std::function<void()>& once) {
  if (count <= 0) return;
  const __int128 times = state_.times, copies = state_.copies;
  if (!state_.step_by_step && !uses_.of(body).waits) {
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

void Accountant::Walk::spend(const Cause& cause, double time, __int128 times) {
  const auto& around = state_.phases;
  if (time == 0) return;
  const auto runs = spent_in_.valid() ? std::count(around.begin(), around.end(), spent_in_) : 1;
  if (runs > 0) add_to(*spent_, cause, time, times * runs);
}

void Accountant::Walk::add_to(Weights& weights, const Cause& cause, double time, __int128 times) {
  SpentTime& spent = weights[{cause.kind, cause.statement, cause.step, cause.inside, time}];
  spent.cause = cause;
  spent.weight = time;
  spent.times += times;
}

void Accountant::Walk::send(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer) {
  const double size = values_.real(message.size);
  const Route route = route_of(values_, message);
  const std::int64_t tag = tag_of(message);
  if (state_.purpose == Purpose::sends) {
    if (*peer.rank == state_.receiver) (*collected_)[channel_of(message, peer, tag)].push_back(size);
    return;
  }
  tell(statement, message, peer, size, route, tag);
  charge(statement, message, size, route);
}

void Accountant::Walk::receive(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer) {
  std::optional<double> size;
  if (message.size.valid()) size = values_.real(message.size);
  const Route route = route_of(values_, message);
  const std::int64_t tag = tag_of(message);
  if (state_.counts_sizes) {
    const double sent = next_size(message, peer, tag);
    size = size.value_or(sent);
  } else if (!size) {
    size = only_size(message);
  }
  tell(statement, message, peer, *size, route, tag);
  charge(statement, message, *size, route);
}

void Accountant::Walk::tell(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer,
                            double size, const Route& route, std::int64_t tag) {
  if (!listener_) return;
  listener_->inside = inside(statement);
  const std::int64_t channel = number_of(channel_of(message, peer, tag));
  listener_->message({statement, message, *peer.rank, size, route.within, channel, tag, peer.written});
}

std::int64_t Accountant::Walk::number_of(const Channel& channel) {
  return channel_numbers_.try_emplace(channel, static_cast<std::int64_t>(channel_numbers_.size())).first->second;
}

void Accountant::Walk::charge(const ir::Statement& statement, const ir::Message& message, double size,
                              const Route& route) {
  const ResolvedEnds& ends = ends_.resolve(message.ends, size, route);
  const bool is_send = message.side == ir::Message::Side::send;
  const Charges busy = charges(is_send ? ends.sender : ends.receiver, message.background);
  const std::size_t handle = message.handle.valid() ? message.handle.index : process_.handles.size();
  const Bindings* const place = spent_ ? inside(statement) : nullptr;
  const auto cause = [&](const ResolvedStep* step) {
    return Cause{Cause::Kind::overhead, 0, &statement, &ends, step, 0, place};
  };
  __int128 at_call = 0;
  for (const ResolvedStep* const step : busy.at_call) {
    at_call += in_quanta(step->time);
    if (spent_) spend(cause(step), step->time, state_.times);
  }
  add_overhead(at_call);
  if (is_by_call()) {
    const std::uint32_t number = state_.calls++;
    const auto awaits = [](const ResolvedStep& step) { return ir::is_awaiting(step.kind); };
    if (!message.background || !(message.of_task || may_be_awaited_[handle])) return;
    const bool is_pending = std::ranges::any_of(is_send ? ends.sender : ends.receiver, awaits);
    BackgroundCalls& calls = message.of_task ? state_.tasks.back().receives : state_.in_background[handle];
    calls[number] = {is_pending, &statement, &ends, busy.at_wait, place};
    if (is_pending && !message.of_task) state_.open[handle].insert(number);
    return;
  }
  for (const ResolvedStep* const step : busy.at_wait) {
    state_.pending[handle] += in_quanta(step->time) * state_.copies;
    if (spent_ && step->time != 0) add_to(spent_at_waits_[handle], cause(step), step->time, state_.copies);
  }
}

// Those that a wait comes for, which are no longer in the background then.
Accountant::Walk::BackgroundCalls Accountant::Walk::take_calls(const ir::Wait& wait) {
  if (wait.is_any) return take_first(wait);
  BackgroundCalls found;
  for (std::size_t handle = 0; handle < state_.in_background.size(); ++handle) {
    if (!wait.means({static_cast<std::uint32_t>(handle)})) continue;
    found.merge(state_.in_background[handle]);
    state_.open[handle].clear();
  }
  return found;
}

// That of `waitany`: the one that was taken, or where nothing was evaluated the first that was called.
Accountant::Walk::BackgroundCalls Accountant::Walk::take_first(const ir::Wait& wait) {
  std::optional<std::uint32_t> first;
  for (const ir::HandleId handle : wait.handles) {
    const std::set<std::uint32_t>& open = state_.open[handle.index];
    if (!open.empty()) first = std::min(first.value_or(*open.begin()), *open.begin());
  }
  if (!first) return {};
  const std::uint32_t number = next_taken().value_or(*first);
  BackgroundCalls found;
  for (const ir::HandleId handle : wait.handles) {
    if (state_.open[handle.index].erase(number) > 0) found.insert(state_.in_background[handle.index].extract(number));
  }
  return found;
}

// Nothing where nothing was evaluated.
std::optional<std::uint32_t> Accountant::Walk::next_taken() {
  const auto rank = static_cast<std::size_t>(places_.rank(state_.point));
  if (!taken_ || rank >= taken_->size()) return std::nullopt;
  return (*taken_)[rank].at(state_.taken++);
}

// Of what a task has waited for.
std::optional<std::uint32_t> Accountant::Walk::last_arrived(const BackgroundCalls& calls) {
  std::vector<std::uint32_t> pending;
  for (const auto& [number, call] : calls)
    if (call.is_pending) pending.push_back(number);
  if (pending.size() < 2) return std::nullopt;
  return pending.at(next_taken().value_or(0));
}

void Accountant::Walk::wait_for_calls(const ir::Statement& statement, const BackgroundCalls& calls,
                                      std::optional<std::uint32_t> first) {
  std::vector<std::uint32_t> numbers;
  if (first) numbers.push_back(*first);
  for (const auto& [number, call] : calls) {
    if (number != first) numbers.push_back(number);
    for (const ResolvedStep* const step : call.charged) {
      add_overhead(in_quanta(step->time));
      if (spent_)
        spend({Cause::Kind::overhead, 0, call.statement, call.ends, step, 0, call.place}, step->time, state_.times);
    }
  }
  if (listener_) listener_->wait(statement, numbers);
}

}  // namespace wave::backend::processes
