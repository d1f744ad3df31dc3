// The queue of processes, and all statements but messages.
#include "backend/processes/engine/runtime.h"

#include "backend/processes/engine/message_walk.h"
#include "backend/processes/program/uses.h"
#include "backend/processes/thresholds.h"
#include "backend/threads.h"
#include "base/big_stack.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace wave::backend::processes::engine {

namespace {

std::size_t most_awaits(const ir::System& system) {
  std::size_t most = 1;
  const auto is_await = [](const ir::Step& one) { return ir::is_awaiting(one.kind); };
  for (const ir::MessageEnds& ends : system.ends) {
    for (const ir::Protocol& protocol : ends.protocols) {
      most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(protocol.sender, is_await) +
                                                     std::ranges::count_if(protocol.receiver, is_await)));
    }
  }
  return most;
}

bool have_asides(const ProgramInput& input, const program::Bytecode& program) {
  const auto is_in_background = [](const program::Instruction& instruction) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    return n && n->message->background;
  };
  return has_windows(input.scalars.system(), input.process) || std::ranges::any_of(program.code, is_in_background);
}

// On several threads, blocks so small that there are some for each of them, though their neighbours have to wait.
double most_of_block(const Places& places, int threads) {
  if (threads == 1) return processes_of_block;
  const double each = static_cast<double>(places.count()) / (threads * blocks_of_thread);
  return std::clamp(each, 1.0, processes_of_block);
}

}  // namespace

bool Runtime::may_run_on_threads(const ProgramInput& input, const program::Bytecode& program) {
  if (has_windows(input.scalars.system(), input.process)) return false;
  const auto is_shared = [&](const program::Instruction& instruction) {
    const auto* const n = std::get_if<program::Communicate>(&instruction);
    return std::holds_alternative<program::Synchronise>(instruction) ||
           (n && (n->message->peer.by_rank ||
                  (n->size == program::no_operand && is_late(input.scalars.system()[n->message->ends]))));
  };
  return std::ranges::none_of(program.code, is_shared) && kinds_at_home(input, program).are_all;
}

Runtime::Runtime(const ProgramInput& input, const program::Bytecode& program, int threads, Recording* recording)
    : Runtime(input, program, recording,
              std::make_shared<Blocks>(input.places.extents, input.places.wrap, most_of_block(input.places, threads)),
              std::make_shared<KnownEnds>(), {}) {
  if (threads == 1) return;
  ends_->stay_in_place();
  for (int number = 1; number < threads; ++number)
    others_.emplace_back(new Runtime(input, program, nullptr, blocks_, ends_, operations_.all()));
  for_each_thread([&](Runtime& one) {
    one.is_one_of_several_ = true;
    one.Shared::ends = ends_->for_code();
  });
}

Runtime::Runtime(const ProgramInput& input, const program::Bytecode& program, Recording* recording,
                 std::shared_ptr<Blocks> blocks, std::shared_ptr<KnownEnds> ends, Operations operations)
    : ProgramHost(input, program, calls_of_code(), recording),
      blocks_(std::move(blocks)),
      ends_(std::move(ends)),
      rings_(input.places.count(), homes_.kinds, most_awaits(input.scalars.system()), have_asides(input, program),
             claims()),
      found_(program.code.size()),
      operations_(claims(), std::move(operations)),
      gatherings_(input, recording, claims()),
      windows_(claims()) {
  sites = found_.data();
  for (std::size_t at = 0; at < program.code.size(); ++at) sites_.push_back({site(at)});
}

void Runtime::set_up() {
  try {
    reserve(rings_.bytes_at_home());
  } catch (const Failed& met) {
    if (met.failure.kind != ir::FailureKind::memory_limit) throw;
    for_each_thread([](Runtime& one) { one.rings_.begin_small(); });
    reserve(rings_.bytes_at_home());
  }
  rings_.set_home(behind(standing(0), rest_at_), stride_);
  blocks_->set_places(behind(standing(0), 0), stride_);
  place_all([&](Standing& me) {
    blocks_->place(me, coordinates(me));
    rings_.set_up_home(me.rank);
  });
  if (!is_one_of_several_) return;
  blocks_->connect(homes_.kinds);
  for (const std::unique_ptr<Runtime>& other : others_) {
    other->share(*this);
    other->rings_.set_home(behind(standing(0), rest_at_), stride_);
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
  operations_before_ = all_operations();
  for_each_thread([&](Runtime& one) {
    one.state_ = state_;
    one.finished_ = 0;
    for (Site& site : one.sites_) site.kind = none;
    std::ranges::fill(one.found_, SiteForCode{});
  });
}

// On several threads, other blocks may be told by others that run at the same time.
void Runtime::wake(Standing& process) {
  if (present_ != none && process.block != present_)
    woken_.push_back(&process);
  else
    blocks_->add(process);
}

bool Runtime::run(std::span<const ProgramCode> codes, ProcessState& state) {
  state_ = &state;
  if (!is_reserved()) set_up();
  stand_at_beginning();
  bool moved = true;
  while (moved) {
    if (!run_all(codes)) return false;
    moved = grow_rings() || find_sent(codes.front());
  }
  rethrow();
  if (!is_complete()) return false;
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) state_->clocks[rank] = standing(rank).clock;
  if (recording_) end_recording();
  for_each_thread([](Runtime& one) { one.give_rounding(); });
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

bool Runtime::run_all(std::span<const ProgramCode> codes) {
  blocks_->start();
  std::atomic<bool> goes_on = true;
  const auto run_on_thread = [&](int number, int) {
    Runtime& one = number == 0 ? *this : *others_[static_cast<std::size_t>(number) - 1];
    const ProgramCode& code = codes[static_cast<std::size_t>(number)];
    const Outcome outcome = one.guarded([&] { return one.run_blocks(code, number > 0); }, Outcome::failed);
    if (outcome == Outcome::goes_on) return;
    goes_on = false;
    blocks_->stop();
  };
  if (codes.size() == 1)
    run_on_thread(0, 1);
  else  // functions of the model may call themselves as deeply there as here
    work_on_threads(static_cast<int>(codes.size()), [&](int number, int threads) {
      run_on_big_stack([&](std::size_t) { run_on_thread(number, threads); });
    });
  for_each_thread([](Runtime& one) { one.rethrow(); });
  return goes_on;
}

Outcome Runtime::run_blocks(const ProgramCode& code, bool may_leave) {
  for (;;) {
    const Number block = blocks_->take(may_leave);
    if (block == none) return Outcome::goes_on;
    if (is_one_of_several_) present_ = block;
    std::uint32_t turns = 0;
    const bool goes_on = run_block(code, (*blocks_)[block], turns);
    present_ = none;
    blocks_->give_back(block, turns, woken_);
    woken_.clear();
    if (!goes_on) return Outcome::failed;
  }
}

// What processes need, all at once: one by one each line would be waited for.
void Runtime::fetch(const std::byte* begin, std::size_t bytes) {
  for (const std::byte* at = begin; at < begin + bytes; at += line) __builtin_prefetch(at);
}

bool Runtime::run_block(const ProgramCode& code, Blocks::Block& block, std::uint32_t& turns) {
  input_.look_at_clock();
  const auto row = static_cast<std::size_t>(blocks_->row());
  if (blocks_->count() > blocks_in_cache && block.queued * few_of_block >= block.rows.size() * row) {
    const auto count = static_cast<std::size_t>(input_.places.count());
    for (const Number first : block.rows) fetch(behind(standing(first), 0), std::min(count - first, row) * stride_);
  }
  while (block.first != none) {
    Standing& me = blocks_->take_first(block);
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
  std::uint64_t finished = finished_;
  for (const std::unique_ptr<Runtime>& other : others_) finished += other->finished_;
  bool is_complete = finished == static_cast<std::uint64_t>(input_.places.count());
  rings_.for_each([&](const Ring& one) { is_complete = is_complete && one.called[0] == one.called[1]; });
  return is_complete;
}

double Runtime::all_operations() const {
  double all = static_cast<double>(Shared::operations);
  for (const std::unique_ptr<Runtime>& other : others_) all += static_cast<double>(other->Shared::operations);
  rings_.for_each([&](const Ring& one) { all += static_cast<double>(one.called[0] + std::uint64_t{one.called[1]}); });
  return all;
}

// Nobody can go on. Those who only wait for room get it.
bool Runtime::grow_rings() {
  bool is_grown = false;
  for_each_thread([&](Runtime& one) {
    for (Ring* const channel : one.full_) {
      channel->is_listed = false;
      if (std::exchange(channel->is_full, 0) == 0) continue;
      rings_.grow(*channel);
      for (const Side side : {Side::send, Side::receive}) notice(*channel, side);
      is_grown = true;
    }
    one.full_.clear();
  });
  return is_grown;
}

// Nor does anybody wait for room. Those who wait to know what is sent are told.
bool Runtime::find_sent(const ProgramCode& code) {
  if (sent_ || !has_late_receives()) return false;
  const auto count = static_cast<std::size_t>(input_.places.count());
  if (finished_ == count) return false;
  sent_.emplace(claims());
  MessageWalk walk(input_, program_, [&](const CalledEnd& send) {
    Site& site = sites_[send.site];
    if (send.side != Side::send || !waits_for_size_[site.call->message->ends.index]) return false;
    if (!site.is_found(send.key)) find_channels(send.site, send.key);
    if (const std::uint16_t ends = find_ends(send.site, send.size, send.within))
      sent_->add(find_channel(site, send.sender, send.receiver), ends);
    return false;
  });
  if (!walk.run_one_by_one(code)) return false;
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

}  // namespace wave::backend::processes::engine
