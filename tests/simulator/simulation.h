// Processes at work: where each of them stands, and both ends of every message.
#pragma once

#include "tests/simulator/program.h"
#include "tests/simulator/requests.h"
#include "tests/simulator/simulator.h"

#include <deque>
#include <optional>
#include <tuple>

namespace wave::simulator {

struct Process;

// One end of a message.
struct End {
  const Message* message = nullptr;
  Process* process = nullptr;
  std::size_t number = 0;  // among the messages that the process calls
  bool called = false;
  std::size_t at = 0;          // the current step
  bool behind = false;         // whether it goes on in the background
  Moment stands;               // how far it has come there
  bool has_processor = false;  // for the next `busy`, because its `acquire` was served
  bool waits = false;          // for the signal that step `at` awaits
  bool charges = false;        // some `busy` is left to be charged at the `wait`
  double charge = 0;
  std::map<std::size_t, Moment> passes;  // for each await, since when it may pass
  std::optional<Moment> ran;             // when it was through all its steps
  std::optional<Moment> finished;        // when it had done everything
  std::vector<std::function<void()>> when_ran, when_finished;
};

struct Process {
  Process(const std::vector<Operation>& operations, std::size_t place, Agenda& agenda)
      : program(&operations), rank(place), desk(agenda) {}

  const std::vector<Operation>* program;
  std::size_t rank, at = 0;
  // Around the body of a task: where its list stands, and which of its tasks have not been run.
  const std::vector<Operation>* outer = nullptr;
  std::size_t outer_at = 0;
  std::vector<const Task*> left;
  Moment stands, handed;  // where its program is, and since when its next action is known
  Moment starts;
  std::vector<std::pair<Moment, double>> taken_in;  // what its processor did on arrival: from when, and for how long
  std::size_t called = 0;                           // the number of messages called
  Account account;
  bool ended = false;
  std::vector<End*> pending;
  std::map<std::string, Account> phases;
  std::map<std::string, std::vector<Account>> entered;  // a stack, since a phase may be inside itself
  Desk desk;
};

// The participants in a collective that is a cost.
struct Meeting {
  std::size_t arrived = 0;
  Moment last{false, 0, 0};
  std::optional<Moment> root;
  std::vector<std::function<void()>> when_all, when_root;
};

class Simulation {
 public:
  Simulation(const Programs& programs, const std::vector<Moment>& starts);
  Result run();

 private:
  using Then = std::function<void()>;

  // processes.cpp: statements, phases, waits, collectives
  void add_ends(Process& process, const std::vector<Operation>& operations);
  void go(Process& process);
  void next(Process& process);
  void stand(Process& process, const Moment& moment);
  void wait_until(Process& process, Moment moment);
  void work(Process& process, std::size_t message, std::int64_t place, double length, const Then& then);
  void compute(Process& process, double length);
  void wait(Process& process, const std::string& handle);
  void wait_for(Process& process, const std::vector<End*>& ends, std::size_t number);
  void wait_for_first(Process& process, const std::vector<std::string>& handles);
  void choose(Process& process, const std::vector<End*>& waited);
  void enter(Process& process, const Ready& list);
  void take_next(Process& process);
  void look_for_ready(Process& process);
  void take_ready(Process& process);
  std::optional<Moment> arrived(const Task& task);
  void charge(Process& process, const std::vector<End*>& ends, std::size_t number);
  void enter(Process& process, const Collective& collective);
  void meet(Process& process, const Collective& collective);
  static Account so_far(const Process& process);
  static void add_phase(Process& process, const std::string& name);
  static double finish_of(const Process& process);
  static double kept(const Process& process);
  Result result() const;

  // ends.cpp: the steps of messages, signals
  void call(Process& process, const Message& message);
  void begin(Process& process, End& end);
  Need need(const End& end, const Use& use);
  static Need processor_of(const Process& process, double length);
  Desk& desk_of(Process& process) { return shares_resources_ ? common_ : process.desk; }
  void leave(End& end, std::size_t place, std::size_t use, const Moment& moment);
  void ask_on_arrival(End& end, std::size_t place, std::size_t use, const Stamp& stamp);
  static Moment& stands(End& end) { return end.behind ? end.stands : end.process->stands; }
  void advance(End& end);
  bool leave_to_wait(End& end, double length);
  void busy(End& end, const Step& step);
  void emit(End& end, const Step& step);
  void await(End& end);
  void acquire(End& end, const Step& step);
  void go_on(End& end, const Moment& moment);
  void ran(End& end);
  void finish(End& end, const Moment& moment);
  void send_signal(End& end, std::size_t place, const Moment& leaves);
  void arrive(End& end, const std::string& signal, Stamp stamp);
  void take_in(End& end, const Step& step, const Stamp& stamp);
  void pass(End& end, std::size_t place, const Moment& moment);

  const Programs& programs_;
  Agenda agenda_;
  Desk common_{agenda_};  // where processes share resources
  bool shares_resources_ = false;
  std::deque<Process> processes_;
  std::map<const Message*, End> ends_;
  std::map<std::tuple<std::size_t, int, std::vector<std::size_t>>, std::size_t> met_;
  std::map<std::tuple<int, std::vector<std::size_t>, std::size_t>, Meeting> meetings_;
};

// Calls everything that waited, and forgets it.
void call_all(std::vector<std::function<void()>>& all);

// Fails with `deadlock` where processes wait for each other. `starts` says when each process starts; empty: all at 0.
Result run(const Programs& programs, const std::vector<Moment>& starts = {});

}  // namespace wave::simulator
