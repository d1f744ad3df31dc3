// The windows of time, and the processes in them.
#include "backend/kernels/excerpt.h"
#include "backend/processes/compiled/runtime.h"
#include "backend/processes/compiled/served_steps.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace wave::backend::processes::compiled {

namespace {

using Kind = ir::Step::Kind;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

// Does its receiver do something before its first await, so that it has to know the size when it is called?
bool is_late(const ir::MessageEnds& ends) {
  return std::ranges::any_of(ends.protocols, [](const ir::Protocol& protocol) {
    const auto first =
        std::ranges::find_if(protocol.receiver, [](const ir::Step& one) { return one.kind != Kind::arrival; });
    return first != protocol.receiver.end() && first->kind != Kind::await;
  });
}

}  // namespace

bool Served::can_run(const ir::System& system, const network::Bytecode& program) {
  return std::ranges::none_of(program.code, [&](const network::Instruction& instruction) {
    const auto* const n = std::get_if<network::Communicate>(&instruction);
    return n && n->size == network::no_operand && is_late(system[n->message->ends]);
  });
}

Served::Served(const NetworkInput& input, const network::Bytecode& program, ProcessState& state, Recording* recording)
    : Shared{calls_of_code(), input.places.extents.data(), nullptr, nullptr, input.quantum, 0},
      input_(input),
      program_(program),
      state_(state),
      recording_(recording),
      resources_(input.scalars.system(), input.process, program),
      processor_serves_(resources_.processor_serves()),
      sites_(program.code.size()),
      too_late_(0x1p52 * input.quantum),
      lookahead_(std::numeric_limits<double>::infinity()),
      point_(input.places.extents.size()) {
  const auto handles = static_cast<Number>(input.process.handles.size());
  bool waits = false;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const auto* const n = std::get_if<network::Communicate>(&program.code[i]);
    if (!n) continue;
    sites_[i].call = n;
    sites_[i].list = n->message->handle.valid() ? n->message->handle.index : handles;
    waits = waits || n->is_awaited;
    const auto is_fixed = [&](network::OperandId id) {
      return id == network::no_operand || program.operands[id].sources.empty();
    };
    sites_[i].is_fixed = is_fixed(n->tag) && std::ranges::all_of(n->coordinates, is_fixed);
  }
  lists_ = waits ? handles + 1 : 0;
  for (const RingKey& key : Runtime::find_homes(input, program)) kinds_.try_emplace(key, homes_++);
  for (const ir::MessageEnds& ends : input.scalars.system().ends) waits_for_size_.push_back(is_late(ends));
}

Served::~Served() { input_.claim_memory(-claimed_); }

void Served::claim(std::int64_t bytes) {
  input_.claim_memory(bytes);
  claimed_ += bytes;
}

void Served::set_up() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  const std::size_t axes = point_.size();
  pending_at_ = sizeof(Standing) + 8 * (axes + program_.slots);
  own_at_ = pending_at_ + lists_ * sizeof(Pending);
  channels_at_ = own_at_ + sizeof(Own) + resources_.count() * sizeof(ServedMoment);
  stride_ = rounded_up(channels_at_ + homes_ * sizeof(Channel), line);
  bytes_of_message_ = rounded_up(sizeof(Message) + resources_.most_awaits() * sizeof(ServedMoment), line);
  const std::size_t alignment = count * stride_ >= huge_page ? huge_page : line;
  const std::size_t bytes = rounded_up(count * stride_, alignment);
  claim(static_cast<std::int64_t>(bytes));
  standings_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, bytes)));
  if (!standings_) throw std::bad_alloc();
  if (alignment == huge_page) madvise(standings_.get(), bytes, MADV_HUGEPAGE);
  std::fill(point_.begin(), point_.end(), 1);
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (rank % turns_between_clock_reads == 0) input_.look_at_clock();
    Standing& me = *new (&standing(rank)) Standing;
    me.rank = static_cast<Number>(rank);
    std::copy(point_.begin(), point_.end(), coordinates(me));
    std::fill_n(coordinates(me) + axes, program_.slots, 0);
    std::fill_n(pending(me), lists_, Pending{none, none});
    new (&own(me)) Own;
    std::uninitialized_fill_n(&resource(me, 0), resources_.count(), ServedMoment{});
    std::uninitialized_fill_n(reinterpret_cast<Channel*>(behind(me, channels_at_)), homes_, Channel{});
    wake(me);
    for (std::size_t axis = axes; axis > 0 && ++point_[axis - 1] > input_.places.extents[axis - 1]; --axis)
      point_[axis - 1] = 1;
  }
}

Served::Result Served::run(const ProgramCode& code, bool by_moments) {
  code_ = &code;
  by_moments_ = by_moments;
  if (!(input_.quantum > 0)) return Result::failed;
  set_up();
  bool goes_on = run_ready();
  open_agenda();
  while (goes_on && agenda_->go_on()) {
    goes_on = serve_window() && !is_overtaken_;
    if (goes_on && lookahead_ < agenda_->width()) open_agenda();
  }
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (is_overtaken_) return Result::overtaken;
  if (!goes_on || finished_ != static_cast<std::uint64_t>(input_.places.count()) || one_sided_ != 0)
    return Result::failed;
  for (std::size_t rank = 0; rank < state_.clocks.size(); ++rank) {
    Standing& me = standing(rank);
    state_.clocks[rank] = std::max(me.clock, own(me).processor.time);
  }
  if (recording_) end_recording();
  return Result::done;
}

// Words that are not full, what no wait has come for, and whether the processor is the last to finish.
void Served::end_recording() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    Standing& me = standing(rank);
    recording_->keep(me);
    for (std::size_t list = 0; list < lists_; ++list) {
      for (Number number = pending(me)[list].first; number != none; number = operations_[number].next)
        record_background(operations_[number]);
    }
    if (me.clock < own(me).processor.time) recording_->end_with_processor(me.rank);
  }
}

// With windows as wide as what has been seen of the messages allows.
void Served::open_agenda() {
  const double widest = std::min(lookahead_, 0x1p50 * input_.quantum);
  const bool is_wide = !by_moments_ && widest >= input_.quantum;
  agenda_.emplace(is_wide ? std::exp2(std::floor(std::log2(widest))) : 0);
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    own(standing(rank)).listed = never;
    enlist(standing(rank));
  }
}

// What the next ones look at, and then what that leads to: one by one the lines would be waited for.
void Served::fetch_ahead() {
  if (const Number later = agenda_->later(2 * processes_fetched_ahead); later != none) {
    for (std::size_t at = 0; at < stride_; at += line) __builtin_prefetch(behind(standing(later), at));
  }
  if (const Number later = agenda_->later(processes_fetched_ahead); later != none) {
    const Own& theirs = own(standing(later));
    if (theirs.requests != none) __builtin_prefetch(&requests_[theirs.requests]);
    for (const Number peer : theirs.peers) {
      for (std::size_t at = own_at_; peer != none && at < stride_; at += line)
        __builtin_prefetch(behind(standing(peer), at));
    }
  }
  if (const Number later = agenda_->later(processes_fetched_ahead / 2); later != none) {
    const Number first = own(standing(later)).requests;
    if (first != none && requests_[first].kind == ServedRequest::Kind::await)
      __builtin_prefetch(requests_[first].message);
  }
}

// What happens in the present window, and whatever that leads to.
bool Served::serve_window() {
  do {
    for (Number rank = agenda_->next(); rank != none; rank = agenda_->next()) {
      fetch_ahead();
      Standing& me = standing(rank);
      if (!(own(me).listed < agenda_->end())) continue;
      own(me).listed = never;
      if (++turns_ % turns_between_clock_reads == 0) input_.look_at_clock();
      if (!settle(me)) return false;
    }
    if (!run_ready()) return false;
  } while (agenda_->has_more());
  return true;
}

bool Served::run_ready() {
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    if (++turns_ % turns_between_clock_reads == 0) input_.look_at_clock();
    Standing& me = standing(ready_[i]);
    if (me.is_queued && !settle(me)) return false;
  }
  ready_.clear();
  return true;
}

bool Served::run_program(Standing& me) {
  me.is_queued = false;
  Own& mine = own(me);
  mine.is_ahead = false;
  if (me.is_finished || mine.is_asking) return true;
  if ((*code_)(*this, me) != 0) return false;
  if (me.is_finished) ++finished_;
  return true;
}

template <class Function>
auto Served::guarded(Function&& function, decltype(function()) failed) -> decltype(function()) {
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

Calls Served::calls_of_code() {
  Calls calls = Runtime::calls_of_loops();
  calls.note_rounding = [](Shared* shared, Standing*, double time, double rounded) {
    of(shared).input_.resolver.rounding.add(time, rounded);
  };
  calls.compute = [](Shared* shared, Standing* me, double time) {
    return of(shared).guarded([&] { return of(shared).compute(*me, time); }, Outcome::failed);
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
    return of(shared).guarded([&] { return of(shared).take_steps(*me, of(shared).sites_[site]); }, Outcome::failed);
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
    ProcessState::PhaseClocks& phase = of(shared).state_.phases[number];
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

}  // namespace wave::backend::processes::compiled
