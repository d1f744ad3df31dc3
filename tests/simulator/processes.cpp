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
    std::size_t number = 0;
    for (const Operation& operation : programs.of[rank]) {
      const auto* message = std::get_if<Message*>(&operation);
      if (!message) continue;
      for (const Step& step : (*message)->steps) {
        for (const Use& use : step.uses) shares_resources_ = shares_resources_ || use.level;
      }
      End& end = ends_[*message];
      end.message = *message;
      end.process = &process;
      end.number = number++;
    }
    agenda_.at(process.stands, [this, &process] { go(process); });
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
    return wait(process, std::get<Wait>(operation).handle);
  }
  process.ended = true;
}

void Simulation::stand(Process& process, const Moment& moment) { process.stands = process.handed = moment; }

// Continues at the moment when what the program waits for came.
void Simulation::wait_until(Process& process, const Moment& moment) {
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
    (handle.empty() || end->message->handle == handle ? waited : others).push_back(end);
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
