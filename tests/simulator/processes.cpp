// Programs of processes: what each statement does, how long phases take, and who meets in collectives.
#include "tests/simulator/simulation.h"

#include <algorithm>

namespace wave::simulator {

void call_all(std::vector<std::function<void()>>& all) {
  const auto those = std::move(all);
  all.clear();
  for (const auto& one : those) one();
}

Simulation::Simulation(const Programs& programs, const std::vector<Moment>& starts) : programs_(programs) {
  for (std::size_t rank = 0; rank < programs.of.size(); ++rank) {
    Process& process = processes_.emplace_back(programs.of[rank], rank, agenda_);
    if (!starts.empty()) process.starts = process.stands = process.handed = starts[rank];
    add_ends(process, programs.of[rank]);
    agenda_.at(process.stands, [this, &process] { go(process); });
  }
}

void Simulation::add_ends(Process& process, const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) {
    if (const auto* list = std::get_if<std::shared_ptr<Ready>>(&operation)) {
      for (const Task& task : (*list)->tasks) add_ends(process, task.body);
    }
    const auto* message = std::get_if<Message*>(&operation);
    if (!message) continue;
    for (const Step& step : (*message)->steps) {
      for (const Use& use : step.uses) shares_resources_ = shares_resources_ || use.level;
    }
    End& end = ends_[*message];
    end.message = *message;
    end.process = &process;
  }
}

Result Simulation::run() {
  agenda_.run();
  for (const Process& process : processes_) {
    if (!process.ended) throw Failed{"deadlock", {}};
  }
  return result();
}

// ---- statements -------------------------------------------------------------------------------------------------

// Ends the statement at the moment where the program stands. The next one begins at that moment, too.
void Simulation::next(Process& process) {
  ++process.at;
  agenda_.at(process.stands, [this, &process] { go(process); });
}

void Simulation::go(Process& process) {
  for (; process.at < process.program->size(); ++process.at) {
    const Operation& operation = (*process.program)[process.at];
    if (const auto* enter = std::get_if<Enter>(&operation)) {
      process.entered[enter->phase].push_back(so_far(process));
      continue;
    }
    if (const auto* leave = std::get_if<Leave>(&operation)) {
      add_phase(process, leave->phase);
      continue;
    }
    if (std::holds_alternative<Hold>(operation)) continue;  // takes no time
    if (const auto* one = std::get_if<Compute>(&operation)) return compute(process, one->time);
    if (const auto* message = std::get_if<Message*>(&operation)) return call(process, **message);
    if (const auto* collective = std::get_if<Collective>(&operation)) return enter(process, *collective);
    if (const auto* any = std::get_if<WaitAny>(&operation)) return wait_for_first(process, any->handles);
    if (const auto* list = std::get_if<std::shared_ptr<Ready>>(&operation)) return enter(process, **list);
    return wait(process, std::get<Wait>(operation).handle);
  }
  if (process.outer) return take_next(process);
  process.ended = true;
}

void Simulation::stand(Process& process, const Moment& moment) { process.stands = process.handed = moment; }

// Continues at the moment when what the program waits for came.
void Simulation::wait_until(Process& process, Moment moment) {
  process.stands = after(std::max(process.stands, moment), 0);
  process.handed = after(std::max(process.handed, moment), 0);
}

// Uses the processor. The program has it for itself unless the processor also takes in what arrives.
void Simulation::work(Process& process, std::size_t message, std::int64_t place, double length, const Then& then) {
  const auto served = [this, &process, length, then](const Moment& moment) {
    process.handed = after(moment, 0);
    process.stands = after(moment, length);
    agenda_.at(process.stands, then);
  };
  if (!programs_.shares_processor) return served(process.stands);
  desk_of(process).ask(
      {{process.handed, process.rank, message, place}, process.stands, {processor_of(process, length)}, served});
}

void Simulation::compute(Process& process, double length) {
  process.account.compute += length;
  work(process, process.called, -1, length, [this, &process] { next(process); });
}

// ---- waits ------------------------------------------------------------------------------------------------------

void Simulation::wait(Process& process, const std::string& handle) {
  std::vector<End*> waited, others;
  for (End* end : process.pending) {
    const bool is_meant =
        (handle.empty() && !end->message->of_task) || (!handle.empty() && end->message->handle == handle);
    (is_meant ? waited : others).push_back(end);
  }
  process.pending = others;
  wait_for(process, waited, 0);
}

void Simulation::wait_for(Process& process, const std::vector<End*>& ends, std::size_t number) {
  if (number == ends.size()) return next(process);
  End& end = *ends[number];
  if (!end.ran) {
    end.when_ran.push_back([this, &process, ends, number] { wait_for(process, ends, number); });
    return;
  }
  wait_until(process, *end.ran);
  agenda_.at(process.stands, [this, &process, ends, number] { charge(process, ends, number); });
}

void Simulation::charge(Process& process, const std::vector<End*>& ends, std::size_t number) {
  End& end = *ends[number];
  if (!end.charges) return wait_for(process, ends, number + 1);
  process.account.overhead += end.charge;
  work(process, end.number, static_cast<std::int64_t>(end.message->steps.size()), end.charge,
       [this, &process, &end, ends, number] {
         finish(end, process.stands);
         wait_for(process, ends, number + 1);
       });
}

// ---- the first of several ---

void Simulation::wait_for_first(Process& process, const std::vector<std::string>& handles) {
  std::vector<End*> waited;
  for (End* end : process.pending) {
    if (std::find(handles.begin(), handles.end(), end->message->handle) != handles.end()) waited.push_back(end);
  }
  if (waited.empty()) return next(process);
  // Behind all that happens at that moment, because several may have run to their ends then.
  const auto choose_at = [this, &process, waited](const Moment& moment) {
    agenda_.at(moment, [this, &process, waited] { choose(process, waited); });
  };
  if (std::any_of(waited.begin(), waited.end(), [](const End* end) { return end->ran.has_value(); }))
    return choose_at(process.stands);
  const auto is_chosen = std::make_shared<bool>(false);
  for (End* end : waited) {
    end->when_ran.push_back([choose_at, is_chosen, end] {
      if (!std::exchange(*is_chosen, true)) choose_at(*end->ran);
    });
  }
}

void Simulation::choose(Process& process, const std::vector<End*>& waited) {
  End* first = nullptr;
  for (End* end : waited) {
    if (end->ran && (!first || *end->ran < *first->ran || (*end->ran == *first->ran && end->number < first->number)))
      first = end;
  }
  std::erase(process.pending, first);
  wait_for(process, {first}, 0);
}

// ---- lists of tasks ----

void Simulation::enter(Process& process, const Ready& list) {
  process.outer = process.program;
  process.outer_at = process.at + 1;
  for (const Task& task : list.tasks) process.left.push_back(&task);
  take_next(process);
}

// When the last of its messages had arrived; nothing: some have not.
std::optional<Moment> Simulation::arrived(const Task& task) {
  Moment last{false, 0, 0};
  for (const Message* message : task.receives) {
    const End& end = ends_.at(message);
    if (!end.behind) continue;  // nothing was left to the background
    if (!end.ran) return std::nullopt;
    last = std::max(last, *end.ran);
  }
  return last;
}

// The process is free. It looks again when the last message of some task has come.
void Simulation::take_next(Process& process) {
  if (process.left.empty()) {
    process.program = std::exchange(process.outer, nullptr);
    process.at = process.outer_at;
    return go(process);
  }
  process.handed = process.stands;
  work(process, process.called, -1, 0, [this, &process] { look_for_ready(process); });
}

void Simulation::look_for_ready(Process& process) {
  const auto has_arrived = [this](const Task* task) { return arrived(*task).has_value(); };
  if (std::any_of(process.left.begin(), process.left.end(), has_arrived)) {
    agenda_.at(process.stands, [this, &process] { take_ready(process); });
    return;
  }
  const auto is_awake = std::make_shared<bool>(false);
  for (const Task* task : process.left) {
    for (const Message* message : task->receives) {
      End& end = ends_.at(message);
      if (!end.behind || end.ran) continue;
      end.when_ran.push_back([this, &process, is_awake, task, &end] {
        if (*is_awake || !arrived(*task)) return;
        *is_awake = true;
        agenda_.at(*end.ran, [this, &process] { take_ready(process); });
      });
    }
  }
}

void Simulation::take_ready(Process& process) {
  const Task* next = nullptr;
  for (const Task* task : process.left) {
    if (arrived(*task) && (!next || task->priority > next->priority)) next = task;
  }
  std::erase(process.left, next);
  std::vector<End*> waited;
  for (const Message* message : next->receives) {
    End& end = ends_.at(message);
    if (end.behind) waited.push_back(&end);
  }
  // The one that came last is waited for first.
  const auto came_before = [](const End* a, const End* b) { return *a->ran < *b->ran; };
  const auto last = std::max_element(waited.begin(), waited.end(), came_before);
  if (last != waited.end()) std::rotate(waited.begin(), last, last + 1);
  if (waited.empty()) wait_until(process, process.stands);
  std::erase_if(process.pending,
                [&](End* end) { return std::find(waited.begin(), waited.end(), end) != waited.end(); });
  process.program = &next->body;
  process.at = static_cast<std::size_t>(-1);  // behind the waits comes the first
  wait_for(process, waited, 0);
}

// ---- collectives that are costs ---------------------------------------------------------------------------------

void Simulation::enter(Process& process, const Collective& collective) {
  if (!programs_.shares_processor) return meet(process, collective);
  work(process, process.called, -1, 0, [this, &process, &collective] { meet(process, collective); });
}

void Simulation::meet(Process& process, const Collective& collective) {
  using Root = frontend::item::Collective::Root;
  const std::size_t number = met_[{process.rank, collective.line, collective.participants}]++;
  Meeting& meeting = meetings_[{collective.line, collective.participants, number}];
  const bool is_root = process.rank == collective.participants.front();
  ++meeting.arrived;
  meeting.last = std::max(meeting.last, process.stands);
  if (is_root) meeting.root = process.stands;
  // Leaving is a step of its own. It takes time only for those who have to stay.
  const auto leave = [this, &process](const Moment& earliest) {
    stand(process, std::max(after(process.stands, 0), earliest));
    next(process);
  };
  const double cost = collective.cost;
  if (collective.root == Root::from)
    meeting.when_root.push_back([leave, &meeting, cost] { leave(after(*meeting.root, cost)); });
  else if (collective.root == Root::to && !is_root)
    leave(process.stands);
  else
    meeting.when_all.push_back([leave, &meeting, cost] { leave(after(meeting.last, cost)); });
  if (meeting.root) call_all(meeting.when_root);
  if (meeting.arrived == collective.participants.size()) call_all(meeting.when_all);
}

// ---- accounts ---------------------------------------------------------------------------------------------------

Account Simulation::so_far(const Process& process) {
  Account account = process.account;
  account.time = account.finish = process.stands.time;
  return account;
}

void Simulation::add_phase(Process& process, const std::string& name) {
  const Account before = process.entered[name].back(), now = so_far(process);
  process.entered[name].pop_back();
  Account& phase = process.phases[name];
  phase.time += now.time - before.time;
  phase.compute += now.compute - before.compute;
  phase.overhead += now.overhead - before.overhead;
  phase.messages += now.messages - before.messages;
  phase.bytes += now.bytes - before.bytes;
  phase.finish = now.finish;
}

// When its program has ended and its processor has done what arrived.
double Simulation::finish_of(const Process& process) {
  double finish = process.stands.time;
  for (const auto& [from, length] : process.taken_in) finish = std::max(finish, from.time + length);
  return finish;
}

// The same, without the time after the end of the program that passes until something arrives.
double Simulation::kept(const Process& process) {
  double kept = process.stands.time;
  for (const auto& [from, length] : process.taken_in) kept = std::max(kept, std::min(kept, from.time) + length);
  return kept;
}

Result Simulation::result() const {
  Result result;
  result.extents = programs_.grid.extents;
  for (const Process& process : processes_) {
    Account& account = result.processes.emplace_back(process.account);
    account.time = account.finish = finish_of(process);
    result.kept.push_back(kept(process));
    for (const auto& [name, phase] : process.phases) result.phases[name].resize(processes_.size());
  }
  for (const Process& process : processes_) {
    for (const auto& [name, account] : process.phases) result.phases[name][process.rank] = account;
  }
  return result;
}

Result run(const Programs& programs, const std::vector<Moment>& starts) { return Simulation(programs, starts).run(); }

}  // namespace wave::simulator
