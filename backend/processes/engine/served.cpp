// The windows of time, and the processes in them.
#include "backend/processes/engine/message_walk.h"
#include "backend/processes/engine/served_steps.h"
#include "backend/processes/program/uses.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wave::backend::processes::engine {

Served::Served(const ProgramInput& input, const program::Bytecode& program, ProcessState& state, const Options& options)
    : ProgramHost(input, program, calls_of_code(), options.recording),
      resources_(input.scalars.system(), input.process, program, input.levels),
      processor_serves_(resources_.processor_serves()),
      looks_again_(processor_serves_ && resource_use(input.scalars.system(), input.process).is_shared),
      watcher_(options.watcher),
      is_one_desk_(options.is_one_desk),
      shared_(input, claims()),
      others_(
          input.places.count(), homes_.kinds, [](Channel&) {}, claims()),
      ends_(input.resolver, claims(),
            [this](ir::EndsId machine, const ResolvedUse& use) { return find_resource(machine, use); }),
      too_late_(0x1p52 * input.quantum),
      lookahead_(std::numeric_limits<double>::infinity()),
      requests_(claims()),
      operations_(claims()),
      gatherings_(input, options.recording, claims()),
      have_windows_(has_windows(input.scalars.system(), input.process)),
      windows_(claims(), options.receptions_kept) {
  state_ = &state;
  for (std::size_t at = 0; at < program.code.size(); ++at) {
    Site one{site(at)};
    one.reads_ranks = one.call && input.scalars.system()[one.call->message->ends].reads_ranks;
    sites_.push_back(one);
  }
  if (is_one_desk_)
    become_one_desk();
  else if (resources_.desks())
    find_leaders(*resources_.desks());
}

// All processes share one desk from now on. Nothing has been served before.
void Served::become_one_desk() {
  is_one_desk_ = true;
  looks_again_ = processor_serves_;
  const auto count = static_cast<std::size_t>(input_.places.count());
  if (leaders_.empty()) claim(static_cast<std::int64_t>(count * sizeof(Number)));
  leaders_.assign(count, 0);
}

void Served::find_leaders(const SharedLevels::Groups& desks) {
  claim(static_cast<std::int64_t>((desks.of.size() + desks.count) * sizeof(Number)));
  std::vector<Number> first(desks.count, none);
  for (std::size_t rank = 0; rank < desks.of.size(); ++rank) {
    Number& found = first[desks.of[rank]];
    if (found == none) found = static_cast<Number>(rank);
    leaders_.push_back(found);
  }
}

void Served::set_up() {
  channels_at_ = rest_at_ + sizeof(Own) + resources_.count() * sizeof(ServedMoment) +
                 rounded_up(kinds_of_waiting() * sizeof(Number), alignof(Channel));
  bytes_of_message_ = rounded_up(
      sizeof(Message) + resources_.most_awaits() * sizeof(ServedMoment) + (have_windows_ ? sizeof(InWindow) : 0), line);
  reserve(channels_at_ - rest_at_ + homes_.kinds.size() * sizeof(Channel));
  if (resource_use(input_.scalars.system(), input_.process).chooses) {
    const auto count = static_cast<std::size_t>(input_.places.count());
    claim(static_cast<std::int64_t>(count * (sizeof(Chooser) + lists_ * sizeof(std::set<Ended>))));
    choosers_.resize(count);
    for (Chooser& chooser : choosers_) chooser.ended.resize(lists_);
    if (input_.taken) taken_.resize(count);
  }
  place_all([this](Standing& me) {
    new (&own(me)) Own;
    std::uninitialized_fill_n(&resource(me, 0), resources_.count(), ServedMoment{});
    std::uninitialized_fill_n(waiting(me), kinds_of_waiting(), none);
    std::uninitialized_fill_n(reinterpret_cast<Channel*>(behind(me, channels_at_)), homes_.kinds.size(), Channel{});
  });
}

// Requests are made in the order of time: nobody may wait for what another will have called by then. Nor does a
// `waitany` know otherwise which calls have left something to the background.
bool Served::find_sent(const ProgramCode& code) {
  const bool chooses = !choosers_.empty();
  const bool is_asked = has_late_receives() || (chooses && has_receives_without_size());
  if (!is_asked && !has_tasks()) return true;
  if (is_asked) sent_.emplace(claims());
  MessageWalk walk(input_, program_, [&](const CalledEnd& end) {
    Site& site = sites_[end.site];
    const bool is_kept =
        is_asked && end.side == Side::send && (chooses || waits_for_size_[site.call->message->ends.index]);
    if (!is_kept && end.task == none) return false;
    if (!site.is_found(end.key)) find_channels(site, end.key);
    Channel& on = channel(site, end.sender, end.receiver);
    if (end.task != none) forbid_open_order(end, on);
    if (is_kept) sent_->add(on, &find_ends(site, end.size, end.within, end.sender, end.receiver));
    return false;
  });
  const bool is_walked = walk.run_one_by_one(code);
  for (auto& callers : callers_) {
    claim(-static_cast<std::int64_t>(callers.size() * bytes_of_hashed_entry));
    callers = {};
  }
  if (!is_walked) walk.rethrow_failure();
  return is_walked;
}

// Two tasks of a list may be run in either order, so messages of both on one channel could meet either end.
void Served::forbid_open_order(const CalledEnd& called, const Channel& on) {
  const Number process = called.side == Side::send ? called.sender : called.receiver;
  const std::tuple caller(process, called.list, called.task);
  const auto [before, is_first] = callers_[number_of(called.side)].try_emplace(&on, caller);
  if (is_first) claim(bytes_of_hashed_entry);
  const auto& [process_before, list, task] = std::exchange(before->second, caller);
  if (process_before != process || list != called.list || task == called.task) return;
  ir::Failure failure;
  failure.kind = ir::FailureKind::order_left_open;
  failure.location = sites_[called.site].call->statement->location;
  throw Failed{std::move(failure)};
}

Served::Result Served::run(const ProgramCode& code) {
  code_ = &code;
  set_up();
  bool goes_on = find_sent(code);
  if (lookahead_ < input_.quantum && !is_one_desk_) become_one_desk();  // no window would be wide
  for (std::size_t rank = 0; rank < state_->clocks.size(); ++rank) wake(standing(rank));
  goes_on = goes_on && run_ready();
  open_agenda();
  while (goes_on && agenda_->go_on()) {
    if (agenda_->width() == 0 && !is_one_desk_) return Result::overtaken;  // one desk is faster
    goes_on = serve_window() && !is_overtaken_;
    if (goes_on && lookahead_ < agenda_->width()) open_agenda();
  }
  rethrow();
  if (is_overtaken_) return Result::overtaken;
  if (!goes_on || finished_ != static_cast<std::uint64_t>(input_.places.count()) || one_sided_ != 0)
    return Result::stopped;
  for (std::size_t rank = 0; rank < state_->clocks.size(); ++rank) {
    Standing& me = standing(rank);
    state_->clocks[rank] = std::max(me.clock, own(me).processor.time);
  }
  if (recording_) end_recording();
  if (input_.taken) *input_.taken = std::move(taken_);
  give_rounding();
  return Result::done;
}

// Words that are not full, what no wait has come for, and whether the processor is the last to finish.
void Served::end_recording() {
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    Standing& me = standing(rank);
    recording_->keep(me);
    for_each_pending(me, operations_, [this](Number operation) {
      if (!operations_[operation].is_taken) record_background(operations_[operation]);
    });
    if (me.clock < own(me).processor.time) recording_->end_with_processor(me.rank);
  }
}

// With windows as wide as what has been seen of the messages allows; of one desk they are single moments.
void Served::open_agenda() {
  const double widest = std::min(lookahead_, 0x1p50 * input_.quantum);
  const bool is_wide = widest >= input_.quantum && !is_one_desk_;
  agenda_.emplace(is_wide ? std::exp2(std::floor(std::log2(widest))) : 0);
  const auto count = static_cast<std::size_t>(input_.places.count());
  for (std::size_t rank = 0; rank < count; ++rank) {
    own(standing(rank)).desk.listed = never;
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
    if (theirs.desk.requests != none) __builtin_prefetch(&requests_[theirs.desk.requests]);
    for (const Number peer : theirs.peers) {
      for (std::size_t at = rest_at_; peer != none && at < stride_; at += line)
        __builtin_prefetch(behind(standing(peer), at));
    }
  }
  if (const Number later = agenda_->later(processes_fetched_ahead / 2); later != none) {
    const Number first = own(standing(later)).desk.requests;
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
      if (!(own(me).desk.listed < agenda_->end())) continue;
      own(me).desk.listed = never;
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
    Standing& of = standing(ready_[i]);
    if (own(of).desk.ready != none && !settle(of)) return false;
  }
  ready_.clear();
  return true;
}

bool Served::run_program(Standing& me) {
  me.is_queued = false;
  Own& mine = own(me);
  if (me.is_finished || mine.is_asking || mine.is_ahead) return true;
  if ((*code_)(*this, me) != 0) return false;
  if (me.is_finished) ++finished_;
  return true;
}

Calls Served::calls_of_code() {
  Calls calls = calls_of<Served>();
  calls.compute = [](Shared* shared, Standing* me, double time) {
    Served& served = *static_cast<Served*>(shared);
    return served.guarded([&] { return served.compute(*me, time); }, Outcome::failed);
  };
  calls.enter_phase = [](Shared* shared, Standing* me, std::uint32_t phase) {
    Served& served = *static_cast<Served*>(shared);
    if (served.watcher_) served.watcher_->enter_phase(me->rank, ir::PhaseId{phase}, me->clock);
  };
  return calls;
}

StoppedAt Served::stopped(Number rank) {
  Standing& me = standing(rank);
  if (me.is_finished) return {};
  StoppedAt at;
  const program::Instruction& instruction = program_.code[me.place / 2];
  const auto peer_in = [](const Message& message, Side side) { return message.process[number_of(other(side))]; };
  if (const auto* const n = std::get_if<program::Communicate>(&instruction)) {
    const Side side = n->message->side;
    const Message* const message = own(me).message;
    at = {n->statement, message ? peer_in(*message, side) : own(me).window_of,
          side == Side::send ? ir::deadlock_at_send : ir::deadlock_at_receive, !message};
  } else if (const auto* const wait = std::get_if<program::AwaitPending>(&instruction)) {
    at.statement = wait->statement;
    const Pending* const next = next_pending(me, *wait->wait, operations_);
    if (next) at.other = peer_in(*operations_[next->first].message, operations_[next->first].side);
  } else if (const auto* const list = std::get_if<program::TakeTask>(&instruction)) {
    at.statement = list->statement;
    Chooser& chooser = choosers_[rank];
    const auto waiting = std::ranges::find_if(chooser.waits, [](const TaskWaits& task) { return task.missing > 0; });
    if (waiting == chooser.waits.end()) return at;
    const auto task = static_cast<std::uint32_t>(waiting - chooser.waits.begin());
    const auto is_open = [&](Number operation) { return !operations_[operation].is_complete; };
    const Operation& first = operations_[*std::ranges::find_if(operations_of(chooser, task), is_open)];
    at.other = peer_in(*first.message, first.side);
  } else if (const auto* const collective = std::get_if<program::Synchronise>(&instruction)) {
    at.statement = collective->statement;
    at.other = gatherings_.missing(me, coordinates(me), *collective->collective,
                                   [this](Number of) -> Standing& { return standing(of); });
  }
  return at;
}

}  // namespace wave::backend::processes::engine
