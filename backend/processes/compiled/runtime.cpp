// The queue of processes, and all statements but messages.
#include "backend/processes/compiled/runtime.h"

#include "backend/processes/program_uses.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wave::backend::processes::compiled {

namespace {

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

bool have_asides(const NetworkInput& input, const network::Bytecode& program) {
  const auto is_in_background = [](const network::Instruction& instruction) {
    const auto* const n = std::get_if<network::Communicate>(&instruction);
    return n && n->message->background;
  };
  return has_windows(input.scalars.system(), input.process) || std::ranges::any_of(program.code, is_in_background);
}

}  // namespace

Runtime::Runtime(const NetworkInput& input, const network::Bytecode& program, Recording* recording)
    : ProgramHost(input, program, calls_of_code(), recording),
      rings_(input.places.count(), homes_, most_awaits(input.scalars.system()), have_asides(input, program), claims()),
      found_(program.code.size()),
      operations_(claims()),
      gatherings_(input, recording, claims()),
      windows_(claims()) {
  sites = found_.data();
  for (std::size_t at = 0; at < program.code.size(); ++at) sites_.push_back({site(at)});
}

void Runtime::set_up() {
  const std::vector<std::int64_t>& extents = input_.places.extents;
  const std::size_t axes = extents.size();
  reserve(rings_.bytes_at_home());
  // Blocks have an edge of about the same length along every axis.
  std::vector<std::int64_t> edge(axes), blocks(axes);
  double most = processes_of_block;
  std::vector<std::size_t> by_extent(axes);
  std::iota(by_extent.begin(), by_extent.end(), 0);
  std::ranges::sort(by_extent, {}, [&](std::size_t axis) { return extents[axis]; });
  std::size_t left = axes, all = 1;
  for (const std::size_t axis : by_extent) {
    const double longest = std::max(1.0, std::pow(most, 1.0 / static_cast<double>(left--)));
    edge[axis] = std::min(extents[axis], static_cast<std::int64_t>(longest + 0.5));
    most /= static_cast<double>(edge[axis]);
    blocks[axis] = (extents[axis] + edge[axis] - 1) / edge[axis];
    all *= static_cast<std::size_t>(blocks[axis]);
  }
  blocks_.resize(all);
  row_ = axes > 0 ? edge.back() : 1;
  rings_.set_home(behind(standing(0), rest_at_), stride_);
  place_all([&](Standing& me) {
    const std::int64_t* const point = coordinates(me);
    std::int64_t block = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) block = block * blocks[axis] + (point[axis] - 1) / edge[axis];
    me.block = static_cast<Number>(block);
    if (axes > 0 && (point[axes - 1] - 1) % edge.back() == 0)
      blocks_[static_cast<std::size_t>(block)].rows.push_back(me.rank);
    rings_.set_up_home(me.rank);
  });
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
  if (!is_reserved()) set_up();
  stand_at_beginning();
  bool moved = true;
  while (moved) {
    if (!run_queue(code)) {
      rethrow();
      return false;
    }
    moved = grow_rings() || find_sent(code);
  }
  rethrow();
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
    for_each_pending(me, operations_, [this](Number operation) {
      advance(operation);
      record_background(operations_[operation]);
    });
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

// What processes need, all at once: one by one each line would be waited for.
void Runtime::fetch(const std::byte* begin, std::size_t bytes) {
  for (const std::byte* at = begin; at < begin + bytes; at += line) __builtin_prefetch(at);
}

bool Runtime::run_block(const ProgramCode& code, Block& block) {
  input_.look_at_clock();
  const std::size_t all = block.rows.size() * static_cast<std::size_t>(row_);
  if (blocks_.size() > blocks_in_cache && block.queued * few_of_block >= all) {
    const auto count = static_cast<std::size_t>(input_.places.count());
    for (const Number first : block.rows)
      fetch(behind(standing(first), 0), std::min(count - first, static_cast<std::size_t>(row_)) * stride_);
  }
  for (std::uint32_t turns = 0; block.first != none;) {
    Standing& me = standing(block.first);
    block.first = std::exchange(me.next, none);
    --block.queued;
    me.is_queued = false;
    if (me.is_finished) continue;
    if (block.first != none) fetch(behind(standing(block.first), 0), std::min(stride_, bytes_fetched_of_next));
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

// Nor does anybody wait for room. Those who wait to know what is sent are told.
bool Runtime::find_sent(const ProgramCode& code) {
  if (sent_ || !has_late_receives()) return false;
  const auto count = static_cast<std::size_t>(input_.places.count());
  if (finished_ == count) return false;
  sent_.emplace(claims());
  const bool is_done = for_each_send(input_, program_, code, [&](const Send& send) {
    Site& site = sites_[send.site];
    if (!waits_for_size_[site.call->message->ends.index]) return;
    if (!site.is_found(send.key)) find_channels(send.site, send.key);
    if (const std::uint16_t ends = find_ends(send.site, send.size, send.local))
      sent_->add(find_channel(site, send.sender, send.receiver), ends);
  });
  if (!is_done) return false;
  for (std::size_t rank = 0; rank < count; ++rank) wake(standing(rank));
  return true;
}

Calls Runtime::calls_of_code() {
  Calls calls = calls_of<Runtime>();
  static constexpr auto of = [](Shared* shared) -> Runtime& { return *static_cast<Runtime*>(shared); };
  calls.leave_in_background = [](Shared* shared, Standing* me, std::uint32_t site) {
    const auto leave = [&] {
      of(shared).leave_in_background(*me, of(shared).sites_[site]);
      return Outcome::goes_on;
    };
    return of(shared).guarded(leave, Outcome::failed);
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
  return calls;
}

// --- collectives that are costs ---

Outcome Runtime::synchronise(Standing& me, const ir::Collective& collective) {
  if (!me.has_arrived) ++Shared::operations;
  const Outcome outcome = gatherings_.come(me, coordinates(me), collective, {me.clock, 0},
                                           [this](Number waiting) { wake(standing(waiting)); });
  if (outcome == Outcome::goes_on) gatherings_.leave(me, coordinates(me), collective);
  return outcome;
}

Outcome Runtime::pay(Standing& me, const ir::Collective& collective, double cost) {
  const std::optional<double> paid = cost_on_quantum(me, cost);
  if (!paid) return Outcome::failed;
  const Gatherings::Gathering& all = gatherings_.at(me, coordinates(me), collective);
  const bool is_from_root = collective.root == ir::Collective::Root::from;
  wait_for(me, is_from_root ? all.root.time + *paid : all.last.time);
  if (!is_from_root) me.clock += *paid;
  gatherings_.leave(me, coordinates(me), collective);
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::compiled
