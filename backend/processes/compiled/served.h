// Runs programs of processes whose messages ask for resources, which serve by time (docs/processes.md, Resources), as
// machine code. As in the network (network.h), which says what comes out to the bit, programs go on until they wait,
// and requests are served by ascending moment and stamp; but process by process. All resources that a request needs are
// one process's, so only its own requests have to be in order, and what others do takes a while to reach it: a process
// serves what it has been asked for before the end of the present window (served_agenda.h). Resources that nobody but
// programs in the foreground ask for need no queue, since moments of a program rise.
//
// That no request comes too late is checked when it is made: the process must not have served anything since. Where it
// has, for the effects that take no time (collectives, windows), windows have to be single moments.
#pragma once

#include "backend/processes/compiled/layout.h"
#include "backend/processes/compiled/recording.h"
#include "backend/processes/compiled/rings.h"
#include "backend/processes/compiled/served_agenda.h"
#include "backend/processes/compiled/served_ends.h"
#include "backend/processes/compiled/served_requests.h"
#include "backend/processes/compiled/served_resources.h"
#include "backend/processes/network.h"
#include "backend/processes/network_program.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace wave::backend::processes::compiled {

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

class Served : private Shared {
 public:
  // `recording`: null, nothing is recorded.
  Served(const NetworkInput& input, const network::Bytecode& program, ProcessState& state,
         Recording* recording = nullptr);
  Served(const Served&) = delete;
  ~Served();

  // Whether such programs can be run: whoever receives knows the size, where it matters when.
  static bool can_run(const ir::System& system, const network::Bytecode& program);

  enum class Result : std::uint8_t {
    done,
    failed,    // the network has to tell why
    overtaken  // a request came too late: windows have to be single moments
  };
  // All processes from the beginning to the ends of their programs. Throws Failed only for limits, and what
  // `too_late` throws. `state` is of no use unless it is done.
  Result run(const ProgramCode& code, bool by_moments);
  double operations() const { return static_cast<double>(Shared::operations); }
  const ServedResources& resources() const { return resources_; }

 private:
  using Ends = ServedEnds;
  using Message = ServedMessage;
  struct Channel {
    std::int32_t ahead = 0;                     // sends less receives that have been called
    Message *first = nullptr, *last = nullptr;  // messages with one end, in order
  };
  struct Operation {
    Message* message = nullptr;
    Number process = none, next = none;  // next: of the same handle, or free
    std::uint32_t step = 0, call = 0;
    ServedMoment clock;
    double charged = 0;
    Side side{};
    bool is_awaited = false, is_complete = false, is_asking = false, is_advancing = false;
    Choices choices = {};  // where they are recorded
  };
  // Of one handle, in the order of the calls.
  struct Pending {
    Number first, last;
  };
  // Of a process, behind its slots and pending operations. Then come its resources and its channels.
  struct Own {
    ServedMoment first = never;                 // when the first request may be served
    ServedMoment listed = never;                // the window for which it is on the agenda
    ServedMoment served{-1, 0};                 // when something was served last
    ServedMoment handed, processor;             // docs/processes.md, The processor
    Message* message = nullptr;                 // in whose steps the program is
    double work = 0;                            // for which it asks for its processor
    Number requests = none;                     // the first
    Number peers[2] = {none, none};             // to whom it has sent last
    bool is_asking = false, is_served = false;  // the program, for its processor
    bool has_processor = false;                 // for the `busy` that comes, from an `acquire`
    bool is_ahead = false;                      // of its receivers; it goes on when its clock has come
  };
  // Who does what to which message.
  struct Acting {
    Standing& process;
    Message& message;
    Side side;
    Number operation;  // in the background; or none
  };
  struct Site {
    const network::Communicate* call = nullptr;
    bool is_fixed = false;  // the key is the same for all processes, always
    Number list = 0;        // of pending operations
    RingKey key;
    Number kind = none;
    std::size_t home = 0;  // where a process has its channel
    bool is_at_home = false;
    const Ends* ends = nullptr;  // of `size` and `local`
    double size = 0;
    bool local = false;
  };
  struct Gathering {
    std::uint64_t arrived = 0, left = 0;
    ServedMoment last{}, root{};
    Recording::Last recorded = {};
    bool has_root = false;
    std::vector<Number> waiting;
  };
  using GatheringKey = Recording::GatheringKey;
  struct Window {
    std::uint64_t sent = 0, begin = 0;  // `received` is from `begin` on
    std::deque<std::optional<ServedMoment>> received;
  };
  struct Place {
    Number sender, receiver, kind;
    bool operator==(const Place&) const = default;
  };
  struct HashOfPlace {
    std::size_t operator()(const Place& place) const {
      std::uint64_t x = (std::uint64_t{place.sender} << 32 | place.receiver) * 0x9e3779b97f4a7c15u;
      x ^= x >> 29;
      x = (x + place.kind) * 0xbf58476d1ce4e5b9u;
      return x ^ x >> 32;
    }
  };

  Standing& standing(std::size_t rank) { return *reinterpret_cast<Standing*>(standings_.get() + rank * stride_); }
  std::byte* behind(Standing& me, std::size_t at) { return reinterpret_cast<std::byte*>(&me) + at; }
  std::int64_t* coordinates(Standing& me) { return reinterpret_cast<std::int64_t*>(&me + 1); }
  Pending* pending(Standing& me) { return reinterpret_cast<Pending*>(behind(me, pending_at_)); }
  Own& own(Standing& me) { return *reinterpret_cast<Own*>(behind(me, own_at_)); }
  ServedMoment& resource(Standing& me, Number number) { return reinterpret_cast<ServedMoment*>(&own(me) + 1)[number]; }
  static ServedMoment now(const Standing& me) { return {me.clock, me.steps}; }
  static void set(Standing& me, const ServedMoment& moment) {
    me.clock = moment.time;
    me.steps = moment.steps;
  }

  // --- the run (served.cpp) ---
  void set_up();
  void end_recording();
  bool run_ready();
  bool run_program(Standing& me);
  bool settle(Standing& me);
  bool serve_window();
  void fetch_ahead();
  void open_agenda();
  // On the agenda, for the first that may happen to it without others.
  void enlist(Standing& me) {
    if (!agenda_) return;
    Own& mine = own(me);
    ServedMoment when = mine.first;
    if (mine.is_ahead) when = std::min(when, now(me));
    if (!(when < mine.listed)) return;
    const ServedMoment window = agenda_->window(when);
    if (!(window < mine.listed)) return;
    mine.listed = window;
    agenda_->add(me.rank, when);
  }
  void wake(Standing& me) {
    if (me.is_queued) return;
    me.is_queued = true;
    if (&me != active_) ready_.push_back(me.rank);
  }
  void claim(std::int64_t bytes);
  template <class Function>
  auto guarded(Function&& function, decltype(function()) failed) -> decltype(function());
  static Served& of(Shared* shared) { return *static_cast<Served*>(shared); }
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
  void pass(Standing& me, const ServedMoment& moment);
  // The program has come to something that passes then.
  void hand_over_at(Standing& me, const ServedMoment& moment) {
    ServedMoment& handed = own(me).handed;
    handed.join(moment);
    ++handed.steps;
  }
  Outcome synchronise(Standing& me, std::uint32_t number);
  Outcome pay(Standing& me, std::uint32_t number, double cost);
  Number root_of(Standing& me, const ir::Collective& collective, std::uint64_t& participants);
  void leave_gathering(Standing& me, const GatheringKey& key, std::uint64_t participants);

  // --- messages (served_messages.cpp) ---
  std::int64_t find_peer(Standing& me, std::uint32_t number, const std::int64_t* key);
  void find_channels(Site& site, const std::int64_t* key);
  void find_ends(Site& site, double size, bool local);
  Channel& channel(const Site& site, Number sender, Number receiver) {
    if (site.is_at_home) return *reinterpret_cast<Channel*>(behind(standing(receiver), site.home));
    return find_channel(site, sender, receiver);
  }
  Channel& find_channel(const Site& site, Number sender, Number receiver);
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, bool local,
                      const std::int64_t* key);
  Outcome take_steps(Standing& me, Site& site);
  bool take_step(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock);
  bool await(const Acting& acting, const Ends::Step& step, ServedMoment& clock);
  void emit(const Acting& acting, const Ends& ends, const Ends::Step& step, ServedMoment& clock);
  void deliver(Message& message, Side from, const Ends& ends, const Ends::Step& emitted, const ServedMoment& arrives);
  void let_pass(Message& message, Side side, const Ends::Step& await, const ServedMoment& when) {
    message.passes()[await.slot] = when;
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
  bool pass_window(Standing& me, const Channel& on, const Ends& ends, std::uint64_t& ordinal);
  void received(Message& message, const ServedMoment& when);

  // --- the background (served_background.cpp) ---
  void leave_in_background(Standing& me, Site& site);
  void advance(Number operation);
  Number new_operation();
  void free_operation(Number operation);
  void record_background(const Operation& operation);
  Outcome await_pending(Standing& me, std::uint32_t handle);

  // --- resources (served_requests.cpp) ---
  bool use_processor(Standing& me, double time, std::uint32_t call, std::int32_t place);
  bool acquire(const Acting& acting, const Ends::Step& step, ServedMoment& clock);
  ServedRequest& new_request(Number& number) {
    if (const std::size_t growth = requests_.growth()) claim(static_cast<std::int64_t>(growth));
    number = requests_.make();
    return requests_[number];
  }
  // `when` of the request is when it is made.
  void ask(Standing& of, Number request) {
    Own& theirs = own(of);
    const ServedMoment when = requests_[request].when;
    if (!(theirs.served < when)) is_overtaken_ = true;
    theirs.requests = requests_.add(theirs.requests, request);
    if (theirs.requests != request) return;
    theirs.first = when;
    if (&of != active_) enlist(of);
  }
  void serve_first(Standing& of);
  void record_service(Standing& of, const ServedRequest& request, bool needs_resource, bool needs_processor);
  void serve_arrival(Standing& of, Message& message, Side side, const Ends::Step& step, const ServedMoment& begins);
  void serve_acquire(Standing& of, const Ends::Step& step, Number operation, ServedMoment begins);
  // As the network looks at the times of all requests: what is too late for the quantum may have been rounded.
  void look_at_time(const ServedMoment& moment) {
    if (!(moment.time < too_late_)) input_.too_late(moment.time);
  }

  const NetworkInput& input_;
  const network::Bytecode& program_;
  ProcessState& state_;
  Recording* const recording_;
  const ServedResources resources_;
  const bool processor_serves_;
  std::size_t stride_ = 0, pending_at_ = 0, own_at_ = 0, channels_at_ = 0, lists_ = 0;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> standings_;
  std::vector<Site> sites_;                                 // by instruction
  std::map<RingKey, Number> kinds_;                         // of channels
  std::unordered_map<Place, Channel, HashOfPlace> others_;  // channels that are not at home
  Number homes_ = 0;                                        // kinds of channels that every process has
  std::vector<bool> waits_for_size_;                        // by MessageEnds
  std::vector<std::unique_ptr<Ends>> ends_;
  std::map<const ResolvedEnds*, const Ends*> known_ends_;
  const double too_late_;  // for the quantum, ps
  double lookahead_;       // the least of all ends so far
  static constexpr std::size_t messages_of_chunk = 1024, line = 64;
  std::size_t bytes_of_message_ = 0;
  std::vector<std::unique_ptr<std::byte, Free>> chunks_;  // of messages
  Message* free_messages_ = nullptr;
  ServedRequests requests_;
  std::vector<Operation> operations_;
  Number free_operations_ = none;
  std::map<GatheringKey, Gathering> gatherings_;
  std::map<std::pair<const Channel*, std::uint32_t>, Window> windows_;                // by channel and protocol
  std::unordered_map<const Message*, std::pair<Window*, std::uint64_t>> in_windows_;  // which of the window's it is
  std::unordered_map<Window*, Number> waiting_for_window_;
  std::vector<Number> ready_;  // processes whose programs can go on
  std::optional<Agenda> agenda_;
  double width_ = 0;  // of its windows
  const ProgramCode* code_ = nullptr;
  Standing* active_ = nullptr;                          // the process that is being settled
  std::vector<std::int64_t> point_, written_, target_;  // room to work in
  std::uint64_t finished_ = 0, one_sided_ = 0, turns_ = 0;
  bool is_overtaken_ = false, by_moments_ = false;
  std::int64_t claimed_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace wave::backend::processes::compiled
