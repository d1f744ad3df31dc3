// What a program goes on with as clocks decide: the first of several operations, or a task whose messages have arrived.
#include "backend/processes/engine/served_steps.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wave::backend::processes::engine {

// An end may be known before its moment, and another one come sooner. So the program chooses when its desk has come to
// the moment at which it would go on: by then all that ends up to that moment is known. `is_there`: something has
// ended; `when`: it would go on with that.
bool Served::may_choose(Standing& me, bool is_there, const ServedMoment& when) {
  Chooser& mine = choosers_[me.rank];
  me.waits_for_pending = !is_there || mine.chosen < when;
  if (!me.waits_for_pending) return true;
  if (!is_there || !(when < mine.chooses)) return false;
  mine.chooses = when;
  Number number = none;
  ServedRequest& request = new_request(number);
  request = {};
  request.kind = ServedRequest::Kind::choice;
  request.when = when;
  request.at = never;
  request.process = me.rank;
  ask(me, number);
  return false;
}

void Served::note_taken(Standing& me, std::uint32_t what) {
  if (!input_.taken) return;
  claim(sizeof(what));
  (*input_.taken)[me.rank].push_back(what);
}

// --- waitany ---

// Of those that have ended so far.
const Served::Ended* Served::first_ended(Standing& me, const ir::Wait& wait) {
  const Ended* first = nullptr;
  for (const ir::HandleId handle : wait.handles) {
    const std::set<Ended>& all = choosers_[me.rank].ended[handle.index];
    if (!all.empty() && (!first || *all.begin() < *first)) first = &*all.begin();
  }
  return first;
}

Outcome Served::await_first(Standing& me, const ir::Wait& wait) {
  Chooser& mine = choosers_[me.rank];
  if (mine.taken == none) {
    if (!next_pending(me, wait, operations_)) {
      ++Shared::operations;
      return Outcome::goes_on;
    }
    const Ended* const first = first_ended(me, wait);
    ServedMoment goes_on = now(me);
    if (first) goes_on.join(first->when);
    if (!may_choose(me, first != nullptr, goes_on)) return Outcome::again;
    mine.taken = first->operation;
    note_taken(me, first->call);
  }
  if (const Outcome outcome = take(me, mine.taken); outcome != Outcome::goes_on) return outcome;
  free(me, std::exchange(mine.taken, none));
  ++Shared::operations;
  return Outcome::goes_on;
}

// --- lists of tasks ---

Outcome Served::begin_task(Standing& me, std::uint32_t site, double priority, const std::int64_t* slots) {
  claim(sizeof(TaskWaits));
  choosers_[me.rank].waits.emplace_back();
  return ProgramHost::begin_task(me, site, priority, slots);
}

// One of the operations that a task waits for.
void Served::end_for_task(Chooser& chooser, const Operation& operation) {
  TaskWaits& task = chooser.waits[operation.task];
  task.arrived.join(operation.clock);
  if (--task.missing == 0 && chooser.is_listed) chooser.arrived.emplace(task.arrived, operation.task);
}

// Which one is the next. False: not yet.
bool Served::choose_task(Standing& me) {
  Chooser& mine = choosers_[me.rank];
  ServedMoment goes_on = now(me);
  if (mine.ready.empty() && !mine.arrived.empty()) goes_on.join(mine.arrived.begin()->first);
  if (!may_choose(me, !mine.ready.empty() || !mine.arrived.empty(), goes_on)) return false;
  while (!mine.arrived.empty() && !(mine.chosen < mine.arrived.begin()->first)) {
    const std::uint32_t task = mine.arrived.extract(mine.arrived.begin()).value().second;
    mine.ready.emplace(-tasks(me)[task].priority, task);
  }
  mine.task = mine.ready.extract(mine.ready.begin()).value().second;
  mine.charged = 0;
  note_taken(me, mine.task);
  // Of what has arrived the last is waited for first, so that nothing is charged before the choice.
  std::vector<Number>& operations = mine.waits[mine.task].operations;
  if (operations.empty()) pass(me, mine.chosen, Cause::Kind::wire);  // a step, as a wait is
  if (operations.size() < 2) return true;
  const auto ended = [this](Number operation) -> const ServedMoment& { return operations_[operation].clock; };
  const auto last = std::ranges::max_element(operations, std::less<ServedMoment>(), ended);
  note_taken(me, static_cast<std::uint32_t>(last - operations.begin()));
  std::rotate(operations.begin(), last, last + 1);
  return true;
}

Outcome Served::take_task(Standing& me, const program::TakeTask& list, std::int64_t* slots) {
  Chooser& mine = choosers_[me.rank];
  if (!std::exchange(mine.is_listed, true)) {
    mine.left = mine.waits.size();
    for (std::uint32_t task = 0; task < mine.waits.size(); ++task)
      if (mine.waits[task].missing == 0) mine.arrived.emplace(mine.waits[task].arrived, task);
  }
  if (mine.left == 0) {
    for (const TaskWaits& task : mine.waits)
      claim(-static_cast<std::int64_t>(sizeof(task) + task.operations.size() * sizeof(Number)));
    mine.waits = {};
    mine.is_listed = false;
    leave_tasks(me, list, slots);
    return Outcome::goes_on;
  }
  if (mine.task == none && !choose_task(me)) return Outcome::again;
  for (const std::vector<Number>& operations = mine.waits[mine.task].operations; mine.charged < operations.size();
       ++mine.charged) {
    const Number operation = operations[mine.charged];
    if (const Outcome outcome = take(me, operation); outcome != Outcome::goes_on) return outcome;
    free(me, operation);
  }
  go_to_task(list, tasks(me)[std::exchange(mine.task, none)], slots);
  --mine.left;
  ++Shared::operations;
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
