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
#include "backend/processes/compiled/rings.h"
#include "backend/processes/compiled/served_agenda.h"
#include "backend/processes/compiled/served_ends.h"
#include "backend/processes/compiled/served_requests.h"
#include "backend/processes/network.h"
#include "backend/processes/network_program.h"
#include "backend/processes/program_uses.h"

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

class Served : private Shared {
 public:
  Served(const NetworkInput& input, const network::Bytecode& program, ProcessState& state);
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

 private:
  using Ends = ServedEnds;
  // A message from the call of its first end until both ends are done and nothing of it waits to be served. Behind it
  // lie the moments at which its awaits may pass; `never`: not known yet.
  struct Message {
    const Ends* ends = nullptr;  // null: not known yet
    Number process[2] = {none, none};
    std::uint32_t call[2] = {0, 0};
    Number operation[2] = {none, none};  // by side, in the background
    Number next = none;                  // on its channel, among those of which one end has been called; or free
    std::uint16_t departures = 0;        // requests of it that nobody waits for and that have not been served
    std::uint8_t posted = 0, done = 0;   // a bit a side
    Moment* passes() { return reinterpret_cast<Moment*>(this + 1); }
  };
  struct Channel {
    std::int32_t ahead = 0;            // sends less receives that have been called
    Number first = none, last = none;  // messages with one end, in order
  };
  struct Operation {
    Number process = none, message = none, next = none;  // next: of the same handle, or free
    std::uint32_t step = 0, call = 0;
    Moment clock;
    double charged = 0;
    Side side{};
    bool is_awaited = false, is_complete = false, is_asking = false, is_advancing = false;
  };
  // Of one handle, in the order of the calls.
  struct Pending {
    Number first, last;
  };
  // Of a process, behind its slots and pending operations. Then come its resources and its channels.
  struct Own {
    Moment handed, processor;                   // docs/processes.md, The processor
    Moment served{-1, 0};                       // when something was served last
    Moment listed = never;                      // the window for which it is on the agenda
    Number requests = none;                     // the first
    bool is_asking = false, is_served = false;  // the program, for its processor
    bool has_processor = false;                 // for the `busy` that comes, from an `acquire`
    bool is_ahead = false;                      // of its receivers; it goes on when its clock has come
  };
  // Who does what to which message.
  struct Acting {
    Standing& process;
    Number message;
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
    Moment last{}, root{};
    bool has_root = false;
    std::vector<Number> waiting;
  };
  using GatheringKey = std::tuple<Number, std::uint32_t, std::uint32_t>;  // the root, axis (or none), round
  struct Window {
    std::uint64_t sent = 0, begin = 0;  // `received` is from `begin` on
    std::deque<std::optional<Moment>> received;
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
  Moment& resource(Standing& me, Number number) { return reinterpret_cast<Moment*>(&own(me) + 1)[number]; }
  Message& message(Number number) {
    return *reinterpret_cast<Message*>(chunks_[number / messages_of_chunk].get() +
                                       number % messages_of_chunk * bytes_of_message_);
  }
  static Moment now(const Standing& me) { return {me.clock, me.steps}; }
  static void set(Standing& me, const Moment& moment) {
    me.clock = moment.time;
    me.steps = moment.steps;
  }

  // --- the run (served.cpp) ---
  void find_resources();
  void find_known_ends();
  void set_up();
  bool run_ready();
  bool run_program(Standing& me);
  bool settle(Standing& me);
  bool serve_window();
  void open_agenda();
  void enlist(Standing& me);
  void wake(Standing& me);
  void claim(std::int64_t bytes);
  template <class Function>
  auto guarded(Function&& function, decltype(function()) failed) -> decltype(function());
  static Served& of(Shared* shared) { return *static_cast<Served*>(shared); }
  static Calls calls_of_code();

  // --- other statements (served_statements.cpp) ---
  Outcome compute(Standing& me, double time);
  void step(Standing& me, double time);
  void pass(Standing& me, const Moment& moment);
  Outcome synchronise(Standing& me, std::uint32_t number);
  Outcome pay(Standing& me, std::uint32_t number, double cost);
  Number root_of(Standing& me, const ir::Collective& collective, std::uint64_t& participants);
  void leave_gathering(Standing& me, const GatheringKey& key, std::uint64_t participants);

  // --- messages (served_messages.cpp) ---
  std::int64_t find_peer(Standing& me, std::uint32_t number, const std::int64_t* key);
  void find_channels(Site& site, const std::int64_t* key);
  void find_ends(Site& site, double size, bool local);
  Channel& channel(const Site& site, Number sender, Number receiver);
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, bool local,
                      const std::int64_t* key);
  Outcome take_steps(Standing& me, Site& site);
  bool take_step(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock);
  bool await(const Acting& acting, const Ends::Step& step, Moment& clock);
  void emit(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock);
  void deliver(Number message, Side from, const Ends& ends, const Ends::Step& emitted, const Moment& arrives);
  void let_pass(Number message, Side side, const Ends::Step& await, const Moment& when);
  Number post(Channel& on, Side side);
  void complete(Number message, Side side);
  void release(Number message);
  bool pass_window(Standing& me, const Channel& on, const Ends& ends, std::uint64_t& ordinal);
  void received(Number message, const Moment& when);

  // --- the background (served_background.cpp) ---
  void leave_in_background(Standing& me, Site& site);
  void advance(Number operation);
  Number new_operation();
  void free_operation(Number operation);
  Outcome await_pending(Standing& me, std::uint32_t handle);

  // --- resources (served_requests.cpp) ---
  bool use_processor(Standing& me, double time, std::uint32_t call, std::int32_t place);
  bool acquire(const Acting& acting, const Ends& ends, const Ends::Step& step, Moment& clock);
  void ask(Standing& of, Request request);
  void serve(Standing& of, Request request);
  void serve_acquire(Standing& of, const Request& request, Moment begins);
  void look_at_time(const Moment& moment);

  const NetworkInput& input_;
  const network::Bytecode& program_;
  ProcessState& state_;
  std::size_t stride_ = 0, pending_at_ = 0, own_at_ = 0, channels_at_ = 0, lists_ = 0;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> standings_;
  std::vector<Site> sites_;                                 // by instruction
  std::map<RingKey, Number> kinds_;                         // of channels
  std::unordered_map<Place, Channel, HashOfPlace> others_;  // channels that are not at home
  Number homes_ = 0;                                        // kinds of channels that every process has
  bool processor_serves_ = false;
  std::vector<Number> first_resource_;  // by MessageEnds: of all machines
  std::vector<bool> is_at_once_;        // by resource: programs alone ask for it, in the foreground
  std::vector<bool> waits_for_size_;    // by MessageEnds
  std::vector<std::unique_ptr<Ends>> ends_;
  std::map<const ResolvedEnds*, const Ends*> known_ends_;
  double lookahead_;  // the least of all ends so far
  static constexpr std::size_t messages_of_chunk = 1024;
  std::size_t bytes_of_message_ = 0, awaits_ = 1;
  std::vector<std::unique_ptr<std::byte, Free>> chunks_;  // of messages
  Number free_messages_ = none;
  ServedRequests requests_;
  std::vector<Operation> operations_;
  Number free_operations_ = none;
  std::map<GatheringKey, Gathering> gatherings_;
  std::map<std::pair<const Channel*, std::uint32_t>, Window> windows_;        // by channel and protocol
  std::unordered_map<Number, std::pair<Window*, std::uint64_t>> in_windows_;  // by message: which of the window's it is
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
