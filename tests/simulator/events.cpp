// The event queue: a process, or an operation that goes on behind it, is woken at the time at which something happens
// to it, does what it can, and says when it is to be woken next.
#include "tests/simulator/events.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>

namespace wave::simulator {

namespace {

struct Process;

// One end of a message under way.
struct End {
  const Message* message = nullptr;
  Process* process = nullptr;
  double clock = 0;
  std::size_t at = 0;    // step
  bool behind = false;   // goes on in the background
  bool waits = false;    // for what step `at` awaits
  bool ran = false;      // through all its steps
  bool charges = false;  // there is a `busy` left for the `wait`
  double charge = 0;
  bool finished = false;  // with all it has to do
  double finish = 0;
  std::map<std::string, double> arrived;  // signals from the other end
  std::map<std::size_t, double> passed;   // awaits by a resource: when the signal began to pass
  std::vector<std::function<void()>> when_ran, when_finished;
};

// A use of a resource, in the order of the calls.
struct Use {
  End* end;
  std::size_t step;
  bool wanted = false;
  double since = 0;
};
struct Resource {
  std::vector<Use> uses;
  std::size_t next = 0;
  double free = 0;
};

struct Process {
  const std::vector<Operation>* program = nullptr;
  std::size_t rank = 0, at = 0;
  double clock = 0;
  Account account;
  bool finished = false;
  std::vector<End*> pending;
  std::map<std::string, Account> phases;
  std::map<std::string, std::vector<Account>> entered;  // a phase may be inside itself
  std::map<std::pair<const Instance*, std::string>, Resource> resources;
};

struct Meeting {
  std::size_t arrived = 0;
  double last = 0;
  std::optional<double> root;
  std::vector<std::function<void()>> when_all, when_root;
};

class Simulation {
 public:
  explicit Simulation(const Programs& programs) : programs_(programs), processes_(programs.of.size()) {}

  Result run() {
    for (std::size_t rank = 0; rank < processes_.size(); ++rank) {
      processes_[rank].program = &programs_.of[rank];
      processes_[rank].rank = rank;
      at(0, [this, rank] { go(processes_[rank]); });
    }
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      if (event.time < now_) throw std::logic_error("an event in the past");
      now_ = event.time;
      event.happens();
    }
    for (const Process& process : processes_) {
      if (!process.finished) throw Failed{"deadlock", {}};
    }
    return result();
  }

 private:
  struct Event {
    double time;
    std::size_t number;
    std::function<void()> happens;
    bool operator<(const Event& other) const { return time != other.time ? time > other.time : number > other.number; }
  };
  void at(double time, std::function<void()> happens) { queue_.push({time, events_++, std::move(happens)}); }

  // ---- processes ----------------------------------------------------------------------------------------------------

  // The operation under way is over at `time`, not before now.
  void proceed(Process& process, double time) {
    at(time, [this, &process, time] {
      process.clock = time;
      ++process.at;
      go(process);
    });
  }

  void go(Process& process) {
    while (process.at < process.program->size()) {
      const Operation& operation = (*process.program)[process.at];
      if (const auto* compute = std::get_if<Compute>(&operation)) {
        process.account.compute += compute->time;
        return proceed(process, process.clock + compute->time);
      }
      if (const auto* message = std::get_if<Message*>(&operation)) return call(process, **message);
      if (const auto* collective = std::get_if<Collective>(&operation)) return meet(process, *collective);
      if (const auto* wait = std::get_if<Wait>(&operation)) {
        std::vector<End*> waited, others;
        for (End* end : process.pending) {
          (wait->handle.empty() || end->message->handle == wait->handle ? waited : others).push_back(end);
        }
        process.pending = others;
        return wait_for(process, waited, 0);
      }
      if (const auto* enter = std::get_if<Enter>(&operation)) process.entered[enter->phase].push_back(so_far(process));
      if (const auto* leave = std::get_if<Leave>(&operation)) add_phase(process, leave->phase);
      ++process.at;
    }
    process.finished = true;
    process.account.time = process.account.finish = process.clock;
  }

  static Account so_far(const Process& process) {
    Account account = process.account;
    account.time = account.finish = process.clock;
    return account;
  }

  static void add_phase(Process& process, const std::string& name) {
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

  // ---- messages
  // -------------------------------------------------------------------------------------------------------

  End& end_of(const Message* message) {
    End& end = ends_[message];
    end.message = message;
    return end;
  }

  void call(Process& process, const Message& message) {
    if (message.before_in_window) {
      End& earlier = end_of(message.before_in_window);
      if (!earlier.finished) {
        earlier.when_finished.push_back([this, &process, &message] { begin(process, message); });
        return;
      }
    }
    begin(process, message);
  }

  void begin(Process& process, const Message& message) {
    process.clock = std::max(process.clock, now_);
    if (message.sends) {
      ++process.account.messages;
      process.account.bytes += *message.size;
    }
    End& end = end_of(&message);
    end.process = &process;
    end.clock = process.clock;
    if (message.background) process.pending.push_back(&end);
    std::vector<Resource*> touched;
    for (std::size_t k = 0; k < message.steps.size(); ++k) {
      const Step& step = message.steps[k];
      if (step.resource.empty()) continue;
      Resource& resource = process.resources[{message.machine.get(), step.resource}];
      Use use{&end, k};
      if (const auto arrival = end.arrived.find(step.signal);
          step.kind == Step::Kind::await && arrival != end.arrived.end()) {
        use.wanted = true;
        use.since = arrival->second;
      }
      resource.uses.push_back(use);
      touched.push_back(&resource);
    }
    for (Resource* resource : touched) pass(*resource);
    advance(end);
  }

  bool emits_later(const End& end) const {
    const auto& steps = end.message->steps;
    return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(end.at), steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::emit; });
  }

  void advance(End& end) {
    const auto& steps = end.message->steps;
    for (; end.at < steps.size(); ++end.at) {
      const Step& step = steps[end.at];
      if (step.kind == Step::Kind::busy) {
        if (end.behind && !emits_later(end)) {
          end.charges = true;
          end.charge += step.time;
          continue;
        }
        if (!end.behind) end.process->account.overhead += step.time;
        const double time = end.clock + step.time;
        at(time, [this, &end, time] {
          end.clock = time;
          ++end.at;
          advance(end);
        });
        return;
      }
      if (step.kind == Step::Kind::emit) {
        if (step.resource.empty())
          emit(end, step, end.clock);
        else
          want(end, end.at, end.clock);
        continue;
      }
      if (end.message->background && !end.behind) {
        end.behind = true;
        proceed(*end.process, end.clock);
      }
      std::optional<double> came;
      if (step.resource.empty()) {
        if (const auto found = end.arrived.find(step.signal); found != end.arrived.end()) came = found->second;
      } else if (const auto found = end.passed.find(end.at); found != end.passed.end()) {
        came = found->second;
      }
      end.waits = !came || *came > now_;
      if (end.waits) return;  // woken when it comes
      end.clock = std::max(end.clock, *came);
    }
    ran(end);
  }

  void wake(End& end) {
    if (!end.waits) return;
    end.waits = false;
    advance(end);
  }

  void ran(End& end) {
    end.ran = true;
    const bool background = end.message->background;
    if (!background || !end.charges) finish(end, end.clock);
    if (!end.behind) proceed(*end.process, end.clock);
    const auto waiting = std::move(end.when_ran);
    for (const auto& one : waiting) one();
  }

  void finish(End& end, double time) {
    end.finished = true;
    end.finish = time;
    const auto waiting = std::move(end.when_finished);
    for (const auto& one : waiting) one();
  }

  void wait_for(Process& process, const std::vector<End*>& ends, std::size_t number) {
    if (number == ends.size()) return proceed(process, process.clock);
    End& end = *ends[number];
    if (!end.ran) {
      end.when_ran.push_back([this, &process, ends, number] { wait_for(process, ends, number); });
      return;
    }
    process.clock = std::max(process.clock, end.clock);
    if (!end.charges) return wait_for(process, ends, number + 1);
    process.account.overhead += end.charge;
    const double time = process.clock + end.charge;
    at(time, [this, &process, &end, ends, number, time] {
      process.clock = time;
      finish(end, time);
      wait_for(process, ends, number + 1);
    });
  }

  // ---- signals and resources
  // --------------------------------------------------------------------------------------------

  void emit(End& end, const Step& step, double leaves) {
    const double arrives = leaves + step.time;
    const Message* other = end.message->partner;
    if (!other) return;  // nobody receives: an error that is reported otherwise
    at(arrives, [this, other, signal = step.signal, arrives] { arrive(end_of(other), signal, arrives); });
  }

  void arrive(End& end, const std::string& signal, double time) {
    end.arrived[signal] = time;
    if (!end.process) return;  // not called yet
    for (std::size_t k = 0; k < end.message->steps.size(); ++k) {
      const Step& step = end.message->steps[k];
      if (step.kind == Step::Kind::await && step.signal == signal && !step.resource.empty()) want(end, k, time);
    }
    wake(end);
  }

  void want(End& end, std::size_t step, double since) {
    Resource& resource = end.process->resources[{end.message->machine.get(), end.message->steps[step].resource}];
    for (std::size_t k = resource.next; k < resource.uses.size(); ++k) {
      Use& use = resource.uses[k];
      if (use.end == &end && use.step == step) {
        use.wanted = true;
        use.since = since;
      }
    }
    pass(resource);
  }

  // Lets through what is next, in the order of the program.
  void pass(Resource& resource) {
    for (; resource.next < resource.uses.size() && resource.uses[resource.next].wanted; ++resource.next) {
      const Use use = resource.uses[resource.next];
      const Step& step = use.end->message->steps[use.step];
      const double begin = std::max(use.since, resource.free);
      resource.free = begin + step.occupied;
      if (step.kind == Step::Kind::emit) {
        emit(*use.end, step, begin);
      } else {
        use.end->passed[use.step] = begin;
        End* const end = use.end;
        at(std::max(begin, now_), [this, end] { wake(*end); });
      }
    }
  }

  // ---- collectives
  // --------------------------------------------------------------------------------------------------------

  void meet(Process& process, const Collective& collective) {
    using Root = frontend::item::Collective::Root;
    const std::size_t number = met_[{process.rank, collective.participants}]++;
    Meeting& meeting = meetings_[{collective.participants, number}];
    const bool is_root = process.rank == collective.participants.front();
    const double cost = collective.cost;
    ++meeting.arrived;
    meeting.last = std::max(meeting.last, process.clock);
    const auto after_all = [this, &process, &meeting, cost] { proceed(process, meeting.last + cost); };
    const auto after_root = [this, &process, &meeting, cost] {
      proceed(process, std::max(process.clock, *meeting.root + cost));
    };
    if (is_root) meeting.root = process.clock;
    if (collective.root == Root::from)
      meeting.when_root.push_back(after_root);
    else if (collective.root == Root::to && !is_root)
      proceed(process, process.clock);
    else
      meeting.when_all.push_back(after_all);
    if (meeting.root) call_all(meeting.when_root);
    if (meeting.arrived == collective.participants.size()) call_all(meeting.when_all);
  }

  static void call_all(std::vector<std::function<void()>>& all) {
    const auto those = std::move(all);
    all.clear();
    for (const auto& one : those) one();
  }

  Result result() const {
    Result result;
    result.extents = programs_.grid.extents;
    for (const Process& process : processes_) {
      result.processes.push_back(process.account);
      for (const auto& [name, account] : process.phases) result.phases[name].resize(processes_.size());
    }
    for (const Process& process : processes_) {
      for (const auto& [name, account] : process.phases) result.phases[name][process.rank] = account;
    }
    return result;
  }

  const Programs& programs_;
  std::vector<Process> processes_;
  std::map<const Message*, End> ends_;
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> met_;
  std::map<std::pair<std::vector<std::size_t>, std::size_t>, Meeting> meetings_;
  std::priority_queue<Event> queue_;
  std::size_t events_ = 0;
  double now_ = 0;
};

}  // namespace

Result run(const Programs& programs) { return Simulation(programs).run(); }

}  // namespace wave::simulator
