// Runs programs of processes whose messages may ask for resources, which serve by time (docs/processes.md, Resources).
// Programs go on until they wait, and requests are served by ascending moment and stamp, desk by desk. A desk is a
// process, or where processes share resources, a group of those that share any: a node, a switch. All resources that a
// request needs are one desk's, so only its own requests have to be in order, and what others do takes a while to reach
// it: a desk serves what it has been asked for before the end of the present window (served_agenda.h), and the programs
// of its members go on with what that leads to before it serves the next. Resources that nobody but programs in the
// foreground ask for, each for its own, need no queue, since moments of a program rise.
//
// That no request comes too late is checked when it is made: the desk must not have served anything since. Where it
// has, for the effects that take no time (collectives, windows), all processes have to be one desk.
#pragma once

#include "backend/processes/engine/deadlock.h"
#include "backend/processes/engine/gatherings.h"
#include "backend/processes/engine/message_walk.h"
#include "backend/processes/engine/pool.h"
#include "backend/processes/engine/program_host.h"
#include "backend/processes/engine/sent_ends.h"
#include "backend/processes/engine/served_agenda.h"
#include "backend/processes/engine/served_ends.h"
#include "backend/processes/engine/served_requests.h"
#include "backend/processes/engine/served_resources.h"
#include "backend/processes/engine/windows.h"
#include "backend/processes/program/causes.h"
#include "base/large_array.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes::engine {

// A message from the call of its first end until both ends are done and nothing of it waits to be served. Behind it lie
// the moments at which its awaits may pass; `never`: not known yet.
struct ServedMessage {
  const ServedEnds* ends = nullptr;    // null: not known yet
  ServedMessage* next = nullptr;       // on its channel, among those of which one end has been called; or free
  Number process[2] = {none, none};    // by side
  std::uint32_t call[2] = {0, 0};      // which of its process's messages it is
  Number operation[2] = {none, none};  // in the background
  std::uint16_t departures = 0;        // requests of it that nobody waits for and that have not been served
  std::uint8_t posted = 0, done = 0;   // a bit a side
  Number uncalled = none;              // recording.h: services of the end that has not been called
  ServedMoment* passes() { return reinterpret_cast<ServedMoment*>(this + 1); }
};

// Behind the moments, where a protocol has a window: which one's, and which of its messages it is.
struct InWindow {
  Number window = none;
  std::uint32_t ordinal = 0;
};

class Served : public ProgramHost {
 public:
  struct Options {
    Recording* recording = nullptr;     // null: nothing is recorded
    ProgramWatcher* watcher = nullptr;  // null: nobody is notified. Otherwise instructions are run, and no code
    bool is_one_desk = false;           // all processes are, which serves in the order of time
    std::int64_t receptions_kept = 0;   // windows.h
  };
  Served(const ProgramInput& input, const program::Bytecode& program, ProcessState& state, const Options& options);

  enum class Result : std::uint8_t {
    done,
    stopped,   // nothing moves, or something has failed
    overtaken  // a request came too late, or might at any moment: all have to be one desk
  };
  // All processes from the beginning to the ends of their programs. Throws Failed only for limits, and what
  // `too_late` throws. `state` is of no use unless it is done.
  Result run(const ProgramCode& code);
  // Behind a run that has stopped though all messages fit: where the process stands.
  StoppedAt stopped(Number rank);
  double operations() const { return static_cast<double>(Shared::operations); }
  const ServedResources& resources() const { return resources_; }

 private:
  friend class ProgramHost;
  using Ends = ServedEnds;
  using Message = ServedMessage;
  using Server = SharedInstances::Kind::Server;
  struct Channel {
    std::int32_t ahead = 0;                     // sends less receives that have been called
    Number aside = none;                        // among `asides_`; where that is needed
    Message *first = nullptr, *last = nullptr;  // messages with one end, in order
  };
  struct Aside {
    std::uint32_t received = 0;  // how many receives have been called
    Number window = none;        // the first
  };
  struct Operation {
    Message* message = nullptr;
    Number process = none, next = none;  // next: of the same handle, or free
    std::uint32_t step = 0, call = 0, site = 0;
    ServedMoment clock;
    double charged = 0;
    Side side{};
    bool is_awaited = false, is_complete = false, is_asking = false, is_advancing = false;
    bool is_taken = false;      // by a wait; others of its handle may come before it
    std::uint32_t task = none;  // that waits for it
    Choices choices = {};       // where they are recorded
  };
  // Of a desk, at its first member.
  struct Desk {
    ServedMoment first = never;   // the first request is not served before
    ServedMoment listed = never;  // the window for which it is on the agenda
    ServedMoment served{-1, 0};   // when something was served last
    Number requests = none;       // the first that need not have waited; `waiting` has the others
    Number ready = none;          // members whose programs can go on
  };
  // Of a process, behind its slots and pending operations. Then come its resources and its channels.
  struct Own {
    Desk desk;
    ServedMoment handed, processor;             // docs/processes.md, The processor
    Message* message = nullptr;                 // in whose steps the program is
    double work = 0;                            // for which it asks for its processor
    Number next_ready = none;                   // of its desk
    Number peers[2] = {none, none};             // to whom it has sent last
    Number window_of = none;                    // whose reception it waits for before a message
    bool is_asking = false, is_served = false;  // the program, for its processor
    bool has_processor = false;                 // for the `busy` that comes, from an `acquire`
    bool is_ahead = false;                      // of its receivers; it goes on when its clock has come
  };
  // An operation that has ended, and that no wait has come for.
  struct Ended {
    ServedMoment when;
    std::uint32_t call = 0;
    Number operation = none;
    friend bool operator<(const Ended& a, const Ended& b) {
      return a.when < b.when || (!(b.when < a.when) && a.call < b.call);
    }
  };
  // What a task of a list waits for.
  struct TaskWaits {
    std::size_t first = 0;                 // of its operations, which are in the order of their calls
    std::uint32_t count = 0, missing = 0;  // of these; that have not ended
    ServedMoment arrived;                  // the last that has
  };
  // Of a process, where programs have a `waitany` or lists of tasks.
  struct Chooser {
    ServedMoment chooses = never;  // when it is to go on with what is there by then
    ServedMoment chosen{-1, 0};    // when it has done so last
    // --- waitany ---
    std::vector<std::set<Ended>> ended;  // by handle
    Number taken = none;                 // with what it goes on, while that is charged
    // --- a list of tasks; each is in one of the heaps while it is waiting and nothing is missing ---
    std::vector<TaskWaits> waits;                                 // by task
    std::vector<Number> operations;                               // of one task after the other
    std::vector<std::pair<ServedMoment, std::uint32_t>> arrived;  // when, which; the least first
    std::vector<std::pair<double, std::uint32_t>> ready;          // its priority, negative, and which; the least first
    bool is_free = false;                                         // it has its processor, and chooses
    bool is_listed = false;                                       // all are known
    std::uint32_t task = none;                                    // with which it goes on, while that is charged
    std::size_t charged = 0;                                      // of its operations
    std::int64_t claimed = 0;
    std::int64_t bytes_of_tasks() const;
    std::size_t left = 0;  // tasks
  };
  // Who does what to which message.
  struct Acting {
    Standing& process;
    Message& message;
    Side side;
    Number operation;  // in the background; or none
  };
  struct Site : MessageSite {
    bool reads_ranks = false;    // its machine does
    std::size_t home = 0;        // where a process has its channel; 0: elsewhere
    const Ends* ends = nullptr;  // of `size` and `route`
    double size = 0;
    Route route;
  };

  Own& own(Standing& me) { return *reinterpret_cast<Own*>(behind(me, rest_at_)); }
  // The first member of the desk of a process.
  Standing& leader(Standing& me) { return leaders_.empty() ? me : standing(leaders_[me.rank]); }
  ServedMoment& resource(Standing& me, Number number) { return reinterpret_cast<ServedMoment*>(&own(me) + 1)[number]; }
  // Requests that wait for the same things, by what they are: the first of them. Only where the processor serves: one
  // that needs a single resource is served after all that have come before it.
  Number* waiting(Standing& me) { return reinterpret_cast<Number*>(&resource(me, resources_.count())); }
  std::size_t kinds_of_waiting() const { return processor_serves_ && !looks_again_ ? 2 * (resources_.count() + 1) : 0; }
  static ServedMoment now(const Standing& me) { return {me.clock, me.steps}; }
  static void set(Standing& me, const ServedMoment& moment) {
    me.clock = moment.time;
    me.steps = moment.steps;
  }

  // --- the run (served.cpp) ---
  void find_leaders(const SharedLevels::Groups& desks);
  void become_one_desk();
  void set_up();
  void end_recording();
  bool run_ready();
  bool run_program(Standing& me);
  bool settle(Standing& me);
  bool serve_window();
  void fetch_ahead();
  void open_agenda();
  // On the agenda, for the first that may happen at a desk without others.
  void enlist(Standing& of) {
    if (!agenda_) return;
    Desk& desk = own(of).desk;
    const ServedMoment when = desk.first;
    if (!(when < desk.listed)) return;
    const ServedMoment window = agenda_->window(when);
    if (!(window < desk.listed)) return;
    desk.listed = window;
    agenda_->add(of.rank, when);
  }
  void wake(Standing& me) {
    if (me.is_queued) return;
    me.is_queued = true;
    Standing& of = leader(me);
    const Number before = std::exchange(own(of).desk.ready, me.rank);
    own(me).next_ready = before;
    if (before == none && &of != active_) ready_.push_back(of.rank);
  }
  void ask_to_go_on(Standing& me, ServedRequest::Kind kind, const ServedMoment& when, const ServedMoment& at);
  void stay_ahead(Standing& me);
  static Calls calls_of_code();

  // --- other statements (served_statements.cpp) ---
  Outcome compute(Standing& me, double time);
  static void step(Standing& me, double time) {
    ServedMoment moment = now(me);
    moment.step(time);
    set(me, moment);
  }
  // The program takes the later of its clock and that.
  void record(Standing& me, double other) {
    if (recording_) recording_->add(me, LaterTime::of(me.clock, other));
  }
  void pass(Standing& me, const ServedMoment& moment, Cause::Kind kind);
  // The program has come to something that passes then.
  void hand_over_at(Standing& me, const ServedMoment& moment) {
    ServedMoment& handed = own(me).handed;
    handed.join(moment);
    ++handed.steps;
  }
  Outcome synchronise(Standing& me, const ir::Collective& collective);
  Outcome pay(Standing& me, const ir::Collective& collective, double cost);
  void leave(Standing& me, const ir::Collective& collective) {
    if (processor_serves_) own(me).handed = now(me);
    gatherings_.leave(me, coordinates(me), collective);
  }

  // --- what a watcher is notified of (served_watched.cpp) ---
  const ir::Statement& statement(Standing& me);
  Cause::Kind kind_of_work(const Standing& me) const;
  // The clock of a program goes on.
  void watch(Standing& me, Cause::Kind kind, bool waiting, double begin, double end) {
    if (watcher_ && begin < end) watcher_->move_clock({kind, me.rank, &statement(me)}, waiting, begin, end);
  }
  void watch_call(Standing& me, const ir::Statement& statement, std::int64_t tag);
  void watch_end(Standing& me, bool is_done) {
    if (watcher_) watcher_->end_call(me.rank, me.clock, is_done);
  }
  // What a message asks for at a step, or passes after that: `use` from 0.
  void watch_service(const Message& message, const Ends::Step& step, std::uint32_t use, const Server& by,
                     const ServedMoment& begins);
  void leave_phase(Standing& me, std::uint32_t phase, double entered) {
    ProgramHost::leave_phase(me, phase, entered);
    if (watcher_) watcher_->leave_phase(me.rank, me.clock);
  }
  // Of a signal on its way.
  Cause::Kind transfer_of(const Ends& ends, std::uint32_t signal) const;

  // --- messages (served_messages.cpp) ---
  void find_channels(Site& site, const std::int64_t* key);
  const Ends& find_ends(Site& site, double size, std::int64_t within, Number sender, Number receiver) {
    Route route{within};
    if (site.reads_ranks) route.sender = sender, route.receiver = receiver;
    return site.ends && site.size == size && site.route == route ? *site.ends : resolve(site, size, route);
  }
  const Ends& resolve(Site& site, double size, const Route& route);
  ServedUse find_resource(ir::EndsId machine, const ResolvedUse& use);
  bool leaves_desk(const Route& route) const;
  Channel& channel(const Site& site, Number sender, Number receiver) {
    if (site.home != 0) return *reinterpret_cast<Channel*>(behind(standing(receiver), site.home));
    return others_.find(sender, receiver, site.kind);
  }
  bool find_sent(const ProgramCode& code);
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                      const std::int64_t* key);
  Outcome take_steps(Standing& me, Site& site);
  Outcome go_on_with_message(Standing& me, std::uint32_t number) { return take_steps(me, sites_[number]); }
  bool take_step(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock);
  bool await(const Acting& acting, const Ends::Step& step, ServedMoment& clock);
  void emit(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock);
  void depart(Message& message, Side from, const Ends& ends, const Ends::Step& emitted, ServedMoment begins);
  static void let_leave(Message& message, Side side, const Ends& ends, const Ends::Step& emitted,
                        const ServedMoment& begins);
  void deliver(Message& message, Side from, const Ends& ends, const Ends::Step& emitted, const ServedMoment& arrives);
  void let_pass(Message& message, Side side, const Ends::Step& await, const ServedMoment& when) {
    message.passes()[await.slot] = when;
    go_on(message, side);
  }
  // An end that something has happened to.
  void go_on(Message& message, Side side) {
    if (const Number operation = message.operation[number_of(side)]; operation != none) return advance(operation);
    if ((message.posted & bit_of(side)) == 0) return;
    Standing& process = standing(message.process[number_of(side)]);
    if (own(process).message == &message) wake(process);
  }
  Message& post(Channel& on, Side side);
  void make_messages();
  void complete(Message& message, Side side) {
    message.done |= bit_of(side);
    release(message);
  }
  // What nobody needs any more.
  void release(Message& message) {
    if (message.done != 3 || message.departures > 0) return;
    message.next = free_messages_;
    free_messages_ = &message;
  }
  InWindow& in_window(Message& message) {
    return *reinterpret_cast<InWindow*>(message.passes() + resources_.most_awaits());
  }
  Aside& aside(Channel& on) {
    if (on.aside == none) {
      claim(sizeof(Aside));
      on.aside = static_cast<Number>(asides_.size());
      asides_.emplace_back();
    }
    return asides_[on.aside];
  }
  Outcome pass_window(Standing& me, Channel& on, const Ends& ends, InWindow& place);
  void received(Message& message, const ServedMoment& when);

  // --- the background (served_background.cpp) ---
  void leave_in_background(Standing& me, Site& site);
  void advance(Number operation);
  void record_background(const Operation& operation);
  Outcome await_pending(Standing& me, const ir::Wait& wait);
  Outcome take(Standing& me, Number operation);
  void free(Standing& me, Number operation);

  // --- choices (served_choices.cpp) ---
  Outcome await_first(Standing& me, const ir::Wait& wait);
  const Ended* first_ended(Standing& me, const ir::Wait& wait);
  Outcome begin_task(Standing& me, std::uint32_t site, double priority, const std::int64_t* slots);
  Outcome take_task(Standing& me, const program::TakeTask& list, std::int64_t* slots);
  static void end_for_task(Chooser& chooser, const Operation& operation);
  void add_to_task(Chooser& chooser, Number operation);
  void list_tasks(Chooser& chooser);
  static std::span<Number> operations_of(Chooser& chooser, std::uint32_t task) {
    const TaskWaits& waits = chooser.waits[task];
    return std::span(chooser.operations).subspan(waits.first, waits.count);
  }
  bool choose_task(Standing& me);
  bool may_choose(Standing& me, bool is_there, const ServedMoment& when);
  void note_taken(Standing& me, std::uint32_t what);
  void forbid_open_order(const CalledEnd& called, const Channel& on);

  // --- resources (served_requests.cpp) ---
  bool use_processor(Standing& me, double time, std::uint32_t call, std::int32_t place);
  // When a resource that only programs ask for begins with this step, which asks for it at `begins`.
  ServedMoment serve_at_once(const Acting& acting, const Ends::Step& step, ServedMoment begins);
  bool acquire(const Acting& acting, const Ends::Step& step, ServedMoment& clock);
  ServedRequest& new_request(Number& number) {
    number = requests_.make();
    return requests_[number];
  }
  // `when` of the request is when it is made.
  void ask(Standing& process, Number request) {
    Standing& of = leader(process);
    Desk& desk = own(of).desk;
    const ServedMoment when = requests_[request].when;
    if (!(desk.served < when) && requests_[request].kind != ServedRequest::Kind::ahead) is_overtaken_ = true;
    desk.requests = requests_.add<ByMoment>(desk.requests, request);
    if (!(when < desk.first)) return;
    desk.first = when;
    if (&of != active_) enlist(of);
  }
  void ask_for_next(const ServedRequest& served, const ServedMoment& begins);
  // What a request asks for.
  struct Needs {
    const ServedUse* use = nullptr;
    bool processor = false;
  };
  Needs needs_of(const ServedRequest& request) const;
  std::size_t kind_of(const Needs& needs) const {
    return 2 * (needs.use ? needs.use->resource : resources_.count()) + (needs.processor ? 1 : 0);
  }
  // Whose resources it asks for.
  Standing& asking(const ServedRequest& request) {
    using Kind = ServedRequest::Kind;
    const bool is_arriving = request.kind == Kind::await || request.kind == Kind::arrival;
    return standing(is_arriving ? request.message->process[number_of(request.side)] : request.process);
  }
  // What serves a process.
  Server server(Standing& process, const ServedUse& use) {
    if (use.kind) return use.kind->find(use.number, process.rank);
    return {process.rank, 0, resource(process, use.resource)};
  }
  ServedMoment free_at(Standing& process, const Needs& needs) {
    ServedMoment free{};
    if (needs.use) free = server(process, *needs.use).free;
    if (needs.processor) free.join(own(process).processor);
    return free;
  }
  struct Turn {
    Number* first = nullptr;  // of a kind; null: nobody waits
    ServedMoment begins = never;
  };
  bool comes_before(const ServedMoment& when, Number request, const Turn& turn) const {
    return when < turn.begins || (turn.first && !(turn.begins < when) && requests_[request] < requests_[*turn.first]);
  }
  // What serving a request looks at: its message, and then what that has in the background.
  void fetch_message(const ServedRequest& request) const {
    if (!request.message) return;
    const auto* const begin = reinterpret_cast<const std::byte*>(request.message);
    for (std::size_t at = 0; at < bytes_of_message_; at += line) __builtin_prefetch(begin + at);
  }
  void fetch_operation(const ServedRequest& request) const {
    if (!request.message) return;
    const Number operation = request.message->operation[number_of(request.side)];
    if (operation == none) return;
    const auto* const begin = reinterpret_cast<const std::byte*>(&operations_[operation]);
    __builtin_prefetch(begin);
    __builtin_prefetch(begin + sizeof(Operation) - 1);
  }
  Turn next_turn(Standing& of);
  Number take_first(Standing& of, ServedMoment& begins);
  Number take_first_of_turns(Standing& me, ServedMoment& begins);
  Number take_first_that_is_free(Standing& of, ServedMoment& begins);
  void serve_first(Standing& of);
  void record_service(Standing& of, const ServedRequest& request, const Needs& needs);
  void watch_waits(Standing& me, const ServedRequest& request, const Needs& needs);
  void serve_arrival(Standing& of, Message& message, Side side, const Ends::Step& step, const ServedMoment& begins);
  // `work`: for which the processor is needed.
  void serve_acquire(Standing& of, double work, Number operation, ServedMoment begins);
  // What is too late for the quantum may have been rounded.
  void look_at_time(const ServedMoment& moment) {
    if (!(moment.time < too_late_)) input_.too_late(moment.time);
  }

  const ServedResources resources_;
  const bool processor_serves_;
  // Requests may need a processor, and things of which there are several: one that is not free is looked at again.
  bool looks_again_;
  ProgramWatcher* const watcher_;
  bool is_one_desk_;
  std::vector<Number> leaders_;  // of the desks of all processes; empty: each is one by itself
  SharedInstances shared_;       // and those that are not simple
  std::size_t channels_at_ = 0;
  std::vector<Site> sites_;   // by instruction
  Channels<Channel> others_;  // that are not at home
  AllServedEnds ends_;
  const double too_late_;  // for the quantum, ps
  double lookahead_;       // the least of all ends so far that leave their desk
  std::size_t bytes_of_message_ = 0;
  std::size_t messages_ = 0;                   // in all chunks
  std::vector<LargeArray<std::byte>> chunks_;  // of messages
  Message* free_messages_ = nullptr;
  ServedRequests requests_;
  Pool<Operation> operations_;
  Gatherings gatherings_;
  std::optional<SentEnds<Channel, const Ends*>> sent_;
  TakenCalls taken_;               // so far
  std::vector<Chooser> choosers_;  // by process; empty: there is neither `waitany` nor a list of tasks
  // By side, who calls ends in the bodies of tasks: the process, its list, which task. Only while programs are walked.
  std::unordered_map<const Channel*, std::tuple<Number, std::uint32_t, std::uint32_t>> callers_[2];
  const bool have_windows_;
  Windows<ServedMoment> windows_;
  std::deque<Aside> asides_;
  std::vector<Number> ready_;  // desks with programs that can go on
  std::optional<Agenda> agenda_;
  const ProgramCode* code_ = nullptr;
  Standing* active_ = nullptr;  // the desk that is being settled
  std::uint64_t finished_ = 0, one_sided_ = 0, turns_ = 0;
  bool is_overtaken_ = false;
  std::unordered_map<const void*, std::int64_t> tags_;  // of messages, where they are watched
  // By server that is not simple, where they are recorded.
  std::unordered_map<const ServedMoment*, Recording::ServiceOf> last_served_;
};

}  // namespace wave::backend::processes::engine
