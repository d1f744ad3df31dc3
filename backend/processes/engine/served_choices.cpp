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
  ask_to_go_on(me, ServedRequest::Kind::choice, when, never);
  return false;
}

void Served::note_taken(Standing& me, std::uint32_t what) {
  if (!input_.taken) return;
  claim(sizeof(what));
  taken_[me.rank].push_back(what);
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

std::int64_t Served::Chooser::bytes_of_tasks() const {
  return static_cast<std::int64_t>(waits.capacity() * sizeof(waits[0]) + operations.capacity() * sizeof(operations[0]) +
                                   arrived.capacity() * sizeof(arrived[0]) + ready.capacity() * sizeof(ready[0]));
}

namespace {

// The first is the least.
template <class Entry>
void add_to_heap(std::vector<Entry>& heap, const Entry& entry) {
  heap.push_back(entry);
  std::ranges::push_heap(heap, std::greater<Entry>());
}
template <class Entry>
Entry take_from_heap(std::vector<Entry>& heap) {
  std::ranges::pop_heap(heap, std::greater<Entry>());
  const Entry least = heap.back();
  heap.pop_back();
  return least;
}

}  // namespace

Outcome Served::begin_task(Standing& me, std::uint32_t site, double priority, const std::int64_t* slots) {
  Chooser& mine = choosers_[me.rank];
  TaskWaits task;
  task.first = mine.operations.size();
  mine.waits.push_back(task);
  return ProgramHost::begin_task(me, site, priority, slots);
}

void Served::add_to_task(Chooser& chooser, Number operation) {
  operations_[operation].task = static_cast<std::uint32_t>(chooser.waits.size() - 1);
  chooser.operations.push_back(operation);
  ++chooser.waits.back().count;
  ++chooser.waits.back().missing;
}

// One of the operations that a task waits for.
void Served::end_for_task(Chooser& chooser, const Operation& operation) {
  TaskWaits& task = chooser.waits[operation.task];
  task.arrived.join(operation.clock);
  if (--task.missing == 0 && chooser.is_listed) add_to_heap(chooser.arrived, {task.arrived, operation.task});
}

// All tasks of the list have been begun.
void Served::list_tasks(Chooser& chooser) {
  const std::size_t count = chooser.waits.size();
  chooser.left = count;
  chooser.arrived.reserve(count);
  chooser.ready.reserve(count);
  for (std::uint32_t task = 0; task < count; ++task)
    if (chooser.waits[task].missing == 0) add_to_heap(chooser.arrived, {chooser.waits[task].arrived, task});
  const std::int64_t bytes = chooser.bytes_of_tasks();
  claim(bytes - std::exchange(chooser.claimed, bytes));
}

// Which one is the next. False: not yet.
bool Served::choose_task(Standing& me) {
  Chooser& mine = choosers_[me.rank];
  ServedMoment goes_on = now(me);
  if (mine.ready.empty() && !mine.arrived.empty()) goes_on.join(mine.arrived.front().first);
  if (!may_choose(me, !mine.ready.empty() || !mine.arrived.empty(), goes_on)) return false;
  while (!mine.arrived.empty() && !(mine.chosen < mine.arrived.front().first)) {
    const std::uint32_t task = take_from_heap(mine.arrived).second;
    add_to_heap(mine.ready, {-tasks(me)[task].priority, task});
  }
  mine.task = take_from_heap(mine.ready).second;
  mine.charged = 0;
  note_taken(me, mine.task);
  // The last message to arrive is waited for first, so that nothing is charged before the choice.
  const std::span<Number> operations = operations_of(mine, mine.task);
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
  if (!std::exchange(mine.is_listed, true)) list_tasks(mine);
  if (mine.left == 0) {
    mine.waits.clear();
    mine.operations.clear();
    mine.is_listed = false;
    leave_tasks(me, list, slots);
    return Outcome::goes_on;
  }
  if (mine.task == none) {
    // The program cannot hand its next work over ahead, since it does not know yet what that is.
    if (!mine.is_free && !own(me).is_served) own(me).handed.join(now(me));
    if (!mine.is_free && !use_processor(me, 0, me.calls, before_steps)) return Outcome::again;
    mine.is_free = true;
    if (!choose_task(me)) return Outcome::again;
    mine.is_free = false;
  }
  for (const std::span<Number> operations = operations_of(mine, mine.task); mine.charged < operations.size();
       ++mine.charged) {
    const Number operation = operations[mine.charged];
    if (const Outcome outcome = take(me, operation); outcome != Outcome::goes_on) return outcome;
    free(me, operation);
  }
  go_to_task(me, list, std::exchange(mine.task, none), slots);
  --mine.left;
  ++Shared::operations;
  return Outcome::goes_on;
}

}  // namespace wave::backend::processes::engine
