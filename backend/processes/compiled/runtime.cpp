// The queue of processes, and all statements but messages.
#include "backend/processes/compiled/runtime.h"

#include "backend/kernels/excerpt.h"
#include "backend/processes/checks.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <sys/mman.h>

namespace wave::backend::processes::compiled {

namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;

std::size_t most_awaits(const ir::System& system) {
  std::size_t most = 1;
  const auto is_await = [](const ir::Step& one) { return one.kind == ir::Step::Kind::await; };
  for (const ir::MessageEnds& ends : system.ends) {
    for (const ir::Protocol& protocol : ends.protocols) {
      most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(protocol.sender, is_await) +
                                                     std::ranges::count_if(protocol.receiver, is_await)));
    }
  }
  return most;
}

bool have_asides(const ir::System& system, const network::Bytecode& program) {
  return std::ranges::any_of(program.code, [&](const network::Instruction& instruction) {
    const auto* const n = std::get_if<network::Communicate>(&instruction);
    return n && (n->message->background ||
                 std::ranges::any_of(system[n->message->ends].protocols,
                                     [](const ir::Protocol& protocol) { return protocol.window.valid(); }));
  });
}

}  // namespace

Runtime::Runtime(const NetworkInput& input, const network::Bytecode& program, Recording* recording)
    : Shared{calls_of_code(), input.places.extents.data(), nullptr, nullptr, input.quantum, 0},
      input_(input),
      program_(program),
      recording_(recording),
      homes_(find_homes(input, program)),
      rings_(input.places.count(), homes_, most_awaits(input.scalars.system()),
             have_asides(input.scalars.system(), program), [this](std::int64_t bytes) { claim(bytes); }),
      sites_(program.code.size()),
      found_(program.code.size()),
      point_(input.places.extents.size()) {
  sites = found_.data();
  const ir::System& system = input.scalars.system();
  for (const ir::MessageEnds& ends : system.ends) {
    const auto is_late = [](const ir::Protocol& protocol) {
      return !protocol.receiver.empty() && protocol.receiver.front().kind != ir::Step::Kind::await;
    };
    waits_for_size_.push_back(std::ranges::any_of(ends.protocols, is_late));
  }
  bool waits = false;
  const auto handles = static_cast<Number>(input.process.handles.size());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (const auto* const n = std::get_if<network::Communicate>(&program.code[i])) {
      sites_[i].call = n;
      sites_[i].list = n->message->handle.valid() ? n->message->handle.index : handles;
      waits = waits || n->is_awaited;
      const auto is_fixed = [&](network::OperandId id) {
        return id == network::no_operand || program.operands[id].sources.empty();
      };
      sites_[i].is_fixed = is_fixed(n->tag) && std::ranges::all_of(n->coordinates, is_fixed);
    }
  }
  lists_ = waits ? handles + 1 : 0;
}

Runtime::~Runtime() { input_.claim_memory(-claimed_); }

std::vector<RingKey> Runtime::find_homes(const NetworkInput& input, const network::Bytecode& program) {
  std::vector<RingKey> homes;
  for (const network::Instruction& instruction : program.code) {
    const auto* const n = std::get_if<network::Communicate>(&instruction);
    if (!n || n->message->peer.kind != ir::Peer::Kind::offset || homes.size() == most_kinds_at_home) continue;
    std::vector<network::OperandId> operands{n->tag};
    operands.insert(operands.end(), n->coordinates.begin(), n->coordinates.end());
    std::vector<std::int64_t> key;
    for (const network::OperandId id : operands) {
      if (id == network::no_operand) {
        key.push_back(0);
        continue;
      }
      const network::Operand& operand = program.operands[id];
      if (!operand.sources.empty() || !kernels::is_quick(input.scalars.system(), operand.value)) break;
      try {
        key.push_back(input.scalars.value(operand.value).integer);
      } catch (const Failed& failed) {  // nobody may ever ask for it
        if (failed.failure.is_limit()) throw;
        break;
      }
    }
    if (key.size() < operands.size()) continue;
    RingKey home = key_of(*n->message, key);
    if (std::ranges::find(homes, home) == homes.end()) homes.push_back(std::move(home));
  }
  return homes;
}

void Runtime::claim(std::int64_t bytes) {
  input_.claim_memory(bytes);
  claimed_ += bytes;
}

// There are so many at once. What they leave behind is used again.
void Runtime::claim_entries(std::size_t entries, std::size_t bytes, std::size_t& claimed) {
  if (entries <= claimed) return;
  const std::size_t more = std::max<std::size_t>(entries, 64);
  claim(static_cast<std::int64_t>(more * bytes));
  claimed += more;
}

void Runtime::set_up() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  const std::size_t axes = point_.size();
  pending_at_ = sizeof(Standing) + 8 * (axes + program_.slots);
  channels_at_ = pending_at_ + lists_ * sizeof(Pending);
  stride_ = (channels_at_ + rings_.bytes_at_home() + line - 1) / line * line;
  const std::size_t alignment = count * stride_ >= huge_page ? huge_page : line;
  const std::size_t bytes = (count * stride_ + alignment - 1) / alignment * alignment;
  claim(static_cast<std::int64_t>(bytes));
  standings_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)));
  if (!standings_) throw std::bad_alloc();
  if (alignment == huge_page) madvise(standings_.get(), bytes, MADV_HUGEPAGE);
  // Blocks have an edge of about the same length along every axis.
  std::vector<std::int64_t> edge(axes), blocks(axes);
  double most = processes_of_block;
  std::vector<std::size_t> by_extent(axes);
  std::iota(by_extent.begin(), by_extent.end(), 0);
  std::ranges::sort(by_extent, {}, [&](std::size_t axis) { return input_.places.extents[axis]; });
  std::size_t left = axes, all = 1;
  for (const std::size_t axis : by_extent) {
    const double longest = std::max(1.0, std::pow(most, 1.0 / static_cast<double>(left--)));
    edge[axis] = std::min(input_.places.extents[axis], static_cast<std::int64_t>(longest + 0.5));
    most /= static_cast<double>(edge[axis]);
    blocks[axis] = (input_.places.extents[axis] + edge[axis] - 1) / edge[axis];
    all *= static_cast<std::size_t>(blocks[axis]);
  }
  blocks_.resize(all);
  row_ = axes > 0 ? edge.back() : 1;
  std::fill(point_.begin(), point_.end(), 1);
  rings_.set_home(standings_.get() + channels_at_, stride_);
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (rank % turns_between_clock_reads == 0) input_.look_at_clock();
    Standing& me = *new (&standing(rank)) Standing;
    me.rank = static_cast<Number>(rank);
    std::int64_t block = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) block = block * blocks[axis] + (point_[axis] - 1) / edge[axis];
    me.block = static_cast<Number>(block);
    if (axes > 0 && (point_.back() - 1) % edge.back() == 0)
      blocks_[static_cast<std::size_t>(block)].rows.push_back(me.rank);
    std::copy(point_.begin(), point_.end(), coordinates(me));
    std::fill_n(pending(me), lists_, Pending{none, none});
    rings_.set_up_home(rank);
    for (std::size_t axis = axes; axis > 0 && ++point_[axis - 1] > input_.places.extents[axis - 1]; --axis)
      point_[axis - 1] = 1;
  }
}

// What a run before has left behind are the numbers of messages on their channels.
void Runtime::stand_at_beginning() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  const std::size_t axes = input_.places.extents.size();
  for (std::size_t rank = 0; rank < count; ++rank) {
    Standing& me = standing(rank);
    me.clock = state_->clocks[rank];
    me.place = 0;
    me.rounds = 0;
    me.is_finished = false;
    std::fill_n(coordinates(me) + axes, program_.slots, 0);
    wake(me);
  }
  finished_ = 0;
  for (Site& site : sites_) site.kind = none;
  std::ranges::fill(found_, SiteForCode{});
  operations_before_ = all_operations();
}

void Runtime::wake(Standing& process) {
  if (process.is_queued) return;
  process.is_queued = true;
  Block& block = blocks_[process.block];
  (block.first == none ? block.first : standing(block.last).next) = process.rank;
  block.last = process.rank;
  ++block.queued;
  if (block.is_queued) return;
  block.is_queued = true;
  queue_.push_back(process.block);
}

bool Runtime::run(const ProgramCode& code, ProcessState& state) {
  state_ = &state;
  if (!standings_) set_up();
  stand_at_beginning();
  bool moved = true;
  while (moved) {
    if (!run_queue(code)) {
      if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
      return false;
    }
    moved = grow_rings();
  }
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (!is_complete()) return false;
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) state_->clocks[rank] = standing(rank).clock;
  if (recording_) end_recording();
  return true;
}

// Words that are not full, and what no wait has come for.
void Runtime::end_recording() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    Standing& me = standing(rank);
    recording_->keep(me);
    for (std::size_t list = 0; list < lists_; ++list) {
      for (Number number = pending(me)[list].first; number != none; number = operations_[number].next)
        record_background(operations_[number]);
    }
  }
}

bool Runtime::run_queue(const ProgramCode& code) {
  while (!queue_.empty()) {
    Block& block = blocks_[queue_.front()];
    queue_.pop_front();
    if (!run_block(code, block)) return false;
    block.is_queued = false;
  }
  return true;
}

// What its processes need, all at once: one by one each line would be waited for.
void Runtime::fetch(const Block& block) {
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (const Number first : block.rows) {
    const std::byte* const begin = standings_.get() + first * stride_;
    const std::byte* const end = standings_.get() + std::min(count, static_cast<std::size_t>(first + row_)) * stride_;
    for (const std::byte* at = begin; at < end; at += line) __builtin_prefetch(at);
  }
}

bool Runtime::run_block(const ProgramCode& code, Block& block) {
  input_.look_at_clock();
  const std::size_t all = block.rows.size() * static_cast<std::size_t>(row_);
  if (blocks_.size() > blocks_in_cache && block.queued * few_of_block >= all) fetch(block);
  for (std::uint32_t turns = 0; block.first != none;) {
    Standing& me = standing(block.first);
    block.first = std::exchange(me.next, none);
    --block.queued;
    me.is_queued = false;
    if (me.is_finished) continue;
    if (code(*this, me) != 0) return false;
    if (me.is_finished) ++finished_;
    if (++turns % turns_between_clock_reads == 0) input_.look_at_clock();
  }
  return true;
}

// All have finished, and every message has had both ends.
bool Runtime::is_complete() const {
  bool is_complete = finished_ == static_cast<std::uint64_t>(input_.places.count());
  rings_.for_each([&](const Ring& one) { is_complete = is_complete && one.called[0] == one.called[1]; });
  return is_complete;
}

double Runtime::all_operations() const {
  double all = static_cast<double>(Shared::operations);
  rings_.for_each([&](const Ring& one) { all += static_cast<double>(one.called[0] + std::uint64_t{one.called[1]}); });
  return all;
}

// Nobody can go on. Those who only wait for room get it.
bool Runtime::grow_rings() {
  bool is_grown = false;
  for (Ring* const channel : full_) {
    channel->is_listed = false;
    if (std::exchange(channel->is_full, 0) == 0) continue;
    rings_.grow(*channel);
    for (const Side side : {Side::send, Side::receive}) notice(*channel, side);
    is_grown = true;
  }
  full_.clear();
  return is_grown;
}

template <class Function>
auto Runtime::guarded(Function&& function, decltype(function()) failed) -> decltype(function()) {
  try {
    return function();
  } catch (const Failed& met) {
    if (met.failure.is_limit()) thrown_ = std::current_exception();
    return failed;
  } catch (...) {
    thrown_ = std::current_exception();
    return failed;
  }
}

Calls Runtime::calls_of_loops() {
  Calls calls{};
  calls.enter_loop = [](Shared*, Standing*, std::int64_t* slots, std::int32_t geometric) -> std::int32_t {
    const ir::LoopRange range{slots[0], slots[1], slots[2], geometric != 0};
    if (!range.makes_progress()) return -1;
    return range.begin().has_value() ? 1 : 0;
  };
  calls.next_iteration = [](Shared*, Standing*, std::int64_t* slots, std::int32_t geometric) -> std::int32_t {
    const auto next = ir::LoopRange{slots[0], slots[1], slots[2], geometric != 0}.after(slots[0]);
    if (next) slots[0] = *next;
    return next.has_value() ? 1 : 0;
  };
  return calls;
}

Calls Runtime::calls_of_code() {
  Calls calls = calls_of_loops();
  calls.note_rounding = [](Shared* shared, Standing*, double time, double rounded) {
    of(shared).input_.resolver.rounding.add(time, rounded);
  };
  calls.find_peer = [](Shared* shared, Standing* me, std::uint32_t site, const std::int64_t* key) {
    return of(shared).guarded([&] { return of(shared).find_peer(*me, site, key); }, std::int64_t{-2});
  };
  calls.communicate = [](Shared* shared, Standing* me, std::uint32_t site, Number peer, double size, std::int32_t local,
                         const std::int64_t* key) {
    return of(shared).guarded([&] { return of(shared).communicate(*me, site, peer, size, local != 0, key); },
                              Outcome::failed);
  };
  calls.go_on_with_message = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded([&] { return of(shared).go_on_with_message(*me, site); }, Outcome::failed);
  };
  calls.leave_in_background = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded(
        [&] {
          of(shared).leave_in_background(*me, of(shared).sites_[site]);
          return Outcome::goes_on;
        },
        Outcome::failed);
  };
  calls.tell = [](Shared* shared, Ring* channel, std::uint32_t ordinal, std::uint32_t side) {
    of(shared).tell(*channel, ordinal, static_cast<Side>(side));
  };
  calls.make_room = [](Shared* shared, Ring* channel) { of(shared).make_room(*channel); };
  calls.keep_choices = [](Shared* shared, Standing* me) -> std::int32_t {
    const auto keep = [&] {
      of(shared).recording_->keep(*me);
      return Outcome::goes_on;
    };
    return static_cast<std::int32_t>(of(shared).guarded(keep, Outcome::failed));
  };
  calls.await_pending = [](Shared* shared, Standing* me, std::uint32_t handle) {
    return of(shared).guarded([&] { return of(shared).await_pending(*me, handle); }, Outcome::failed);
  };
  calls.synchronise = [](Shared* shared, Standing* me, std::uint32_t site) {
    return of(shared).guarded([&] { return of(shared).synchronise(*me, site); }, Outcome::failed);
  };
  calls.pay = [](Shared* shared, Standing* me, std::uint32_t site, double cost) {
    return of(shared).guarded([&] { return of(shared).pay(*me, site, cost); }, Outcome::failed);
  };
  calls.leave_phase = [](Shared* shared, Standing* me, std::uint32_t number, double entered) {
    ProcessState::PhaseClocks& phase = of(shared).state_->phases[number];
    if (!phase.wanted()) return;
    phase.spent[me->rank] += me->clock - entered;
    phase.left[me->rank] = me->clock;
    if (!of(shared).recording_) return;
    const auto record = [&] {
      of(shared).recording_->leave_phase(*me, number, entered);
      return Outcome::goes_on;
    };
    of(shared).guarded(record, Outcome::failed);  // code cannot fail here; the run does, at its end
  };
  return calls;
}

// --- collectives that are costs ---

Runtime::Gathering& Runtime::gathering(Standing& me, const ir::Collective& collective, bool& is_root,
                                       std::uint64_t& participants) {
  Number root = 0;
  participants = static_cast<std::uint64_t>(input_.places.count());
  if (collective.along) {
    std::int64_t stride = 1;
    for (std::size_t axis = *collective.along + 1; axis < point_.size(); ++axis) stride *= input_.places.extents[axis];
    root = me.rank - static_cast<Number>((coordinates(me)[*collective.along] - 1) * stride);
    participants = static_cast<std::uint64_t>(input_.places.extents[*collective.along]);
  }
  is_root = me.rank == root;
  Gathering& found = gatherings_[{root, collective.along.value_or(none), me.rounds}];
  claim_entries(gatherings_.size(), bytes_of_sorted_entry, claimed_gatherings_);
  return found;
}

void Runtime::leave_gathering(Standing& me, const ir::Collective& collective, Gathering& gathering,
                              std::uint64_t participants) {
  me.has_arrived = false;
  if (++gathering.left == participants) {
    Number root = 0;
    if (collective.along) {
      std::int64_t stride = 1;
      for (std::size_t axis = *collective.along + 1; axis < point_.size(); ++axis)
        stride *= input_.places.extents[axis];
      root = me.rank - static_cast<Number>((coordinates(me)[*collective.along] - 1) * stride);
    }
    const GatheringKey key{root, collective.along.value_or(none), me.rounds};
    if (recording_) recording_->gatherings[key] = gathering.recorded;
    gatherings_.erase(key);
  }
  ++me.rounds;
}

Outcome Runtime::synchronise(Standing& me, std::uint32_t number) {
  const ir::Collective& collective = *std::get<network::Synchronise>(program_.code[number]).collective;
  using Root = ir::Collective::Root;
  bool is_root = false;
  std::uint64_t participants = 0;
  Gathering& all = gathering(me, collective, is_root, participants);
  if (!me.has_arrived) {
    ++Shared::operations;
    me.has_arrived = true;
    if (recording_) all.recorded.meet(me.rank, {me.clock, 0}, {all.last, 0});
    all.last = std::max(all.last, me.clock);
    if (is_root) all.root = me.clock, all.has_root = true;
    if (++all.arrived == participants || (is_root && collective.root == Root::from)) {
      for (Standing* const waiting : all.waiting) wake(*waiting);
      all.waiting.clear();
    }
  }
  const bool needs_all = collective.root == Root::none || (collective.root == Root::to && is_root);
  const bool may_leave = needs_all ? all.arrived == participants : collective.root == Root::to || all.has_root;
  if (!may_leave) {
    all.waiting.push_back(&me);
    return Outcome::again;
  }
  if (needs_all || collective.root == Root::from) return Outcome::pays;
  leave_gathering(me, collective, all, participants);
  return Outcome::goes_on;
}

Outcome Runtime::pay(Standing& me, std::uint32_t number, double cost) {
  const ir::Collective& collective = *std::get<network::Synchronise>(program_.code[number]).collective;
  const auto rounded = ir::arithmetic::quantize(cost, input_.quantum);
  if (rounded.failed) return Outcome::failed;
  input_.resolver.rounding.add(cost, rounded.value);
  bool is_root = false;
  std::uint64_t participants = 0;
  Gathering& all = gathering(me, collective, is_root, participants);
  const bool is_from_root = collective.root == ir::Collective::Root::from;
  if (recording_) recording_->pay(me, rounded.value);
  wait_for(me, is_from_root ? all.root + rounded.value : all.last);
  if (!is_from_root) me.clock += rounded.value;
  leave_gathering(me, collective, all, participants);
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::compiled
