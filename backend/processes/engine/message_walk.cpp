// See message_walk.h.
#include "backend/processes/engine/message_walk.h"

#include "backend/processes/thresholds.h"

#include <utility>

namespace wave::backend::processes::engine {

MessageWalk::MessageWalk(const ProgramInput& input, const program::Bytecode& program,
                         std::function<bool(const CalledEnd&)> take)
    : ProgramHost(input, program, calls_of_code(), nullptr), take_(std::move(take)), sites_(program.code.size()) {
  Shared::sites = sites_.data();  // of which nothing is known, so that code asks
}

Calls MessageWalk::calls_of_code() {
  Calls calls = calls_of<MessageWalk>();
  calls.note_rounding = [](Shared*, Standing*, double, double) {};
  calls.leave_phase = [](Shared*, Standing*, std::uint32_t, double) {};
  calls.compute = [](Shared*, Standing*, double) { return Outcome::goes_on; };
  return calls;
}

bool MessageWalk::run_one_by_one(const ProgramCode& code) {
  reserve(0, 1);
  bool goes_on = true;
  const std::int64_t count = input_.places.count();
  for (std::int64_t rank = 0; goes_on && rank < count; ++rank) {
    Standing& me = standing(0);
    place(me, static_cast<Number>(rank));
    do {
      goes_on = run(code, me);
    } while (goes_on && !me.is_finished);
  }
  rethrow();
  return goes_on;
}

bool MessageWalk::run_together(const ProgramCode& code) {
  reserve(0);
  std::deque<Number> ready;
  place_all([&](Standing& me) { ready.push_back(me.rank); });
  bool goes_on = true;
  for (; goes_on && !ready.empty(); ready.pop_front()) {
    Standing& me = standing(ready.front());
    goes_on = run(code, me);
    if (!me.is_finished) ready.push_back(me.rank);
  }
  rethrow();
  return goes_on;
}

Outcome MessageWalk::communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                                 const std::int64_t* key) {
  if (++turns_ % turns_between_clock_reads == 0) input_.look_at_clock();
  const Side side = std::get<program::Communicate>(program_.code[number]).message->side;
  const bool is_send = side == Side::send;
  CalledEnd end{number, side, is_send ? me.rank : peer, is_send ? peer : me.rank, me.calls++, size, within, key};
  if (me.rank < running_.size()) end.list = running_[me.rank].lists, end.task = running_[me.rank].task;
  return take_(end) ? Outcome::waits : Outcome::goes_on;
}

Outcome MessageWalk::take_task(Standing& me, const program::TakeTask& list, std::int64_t* slots) {
  if (running_.empty()) running_.resize(static_cast<std::size_t>(input_.places.count()));
  Running& running = running_[me.rank];
  const std::uint32_t next = running.task == none ? 0 : running.task + 1;
  if (next < tasks(me).size()) {
    running.task = next;
    go_to_task(me, list, next, slots);
  } else {
    running = {running.lists + 1, none};
    leave_tasks(me, list, slots);
  }
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
