// Runs programs of processes as machine code, where no order is known beforehand. A process goes on until it waits;
// whoever does what it waits for puts it into a queue. The network (network.h) says what comes out, to the bit. This
// finds no failures: where anything fails, or nothing moves any more, the network has to find out why.
#pragma once

#include "backend/processes/compiled/layout.h"
#include "backend/processes/compiled/recording.h"
#include "backend/processes/compiled/rings.h"
#include "backend/processes/network.h"
#include "backend/processes/network_program.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace wave::backend::processes::compiled {

RingKey key_of(const ir::Message& message, std::span<const std::int64_t> key);

class Runtime : private Shared {
 public:
  // `recording`: of code that records; null: it does not.
  Runtime(const NetworkInput& input, const network::Bytecode& program, Recording* recording = nullptr);
  Runtime(const Runtime&) = delete;
  ~Runtime();

  // All processes to the ends of their programs. False: the network has to tell why not, and `state` is of no use.
  // Throws Failed only for limits, and what questions to the evaluator throw that is no failure.
  bool run(const ProgramCode& code, ProcessState& state);
  // Behind a run: no operation in the background is left that a wait may come for.
  bool is_quiet() const { return listed_ == 0; }
  // Behind a run that has been quiet: whether there may be another one, where variables around the program may have
  // other values.
  bool can_run_again() const { return find_homes(input_, program_) == homes_; }
  // Of the last run, as the network counts them.
  double operations() const { return all_operations() - operations_before_; }
  // After a run: where messages with this key meet.
  const Ring& channel(Number sender, Number receiver, const RingKey& key) {
    const Number kind = rings_.kind(key);
    return find_channel(rings_.first_at_home(kind), kind, sender, receiver);
  }

  // Kinds of channels whose tag and offset are known beforehand.
  static std::vector<RingKey> find_homes(const NetworkInput& input, const network::Bytecode& program);
  // Those that have nothing to do with messages.
  static Calls calls_of_loops();

 private:
  using Time = double;
  // A message in the background.
  struct Operation {
    Standing* process = nullptr;
    Ring* channel = nullptr;
    std::uint32_t ordinal = 0, step = 0;
    Time clock = 0, charged = 0;  // `charged`: `busy` that the wait will take
    Number next = none;           // of the same handle, or free
    std::uint32_t call = 0;       // which of its process's
    Side side{};
    bool is_awaited = false, is_complete = false;
    bool is_advancing = false;  // the other end, which it lets go on, may come back to it
    Choices choices = {};       // where they are recorded
  };
  // Of one handle, in the order of the calls.
  struct Pending {
    Number first, last;
  };
  // What a message statement found last.
  struct Site {
    const network::Communicate* call = nullptr;
    bool is_fixed = false;  // the key is the same for all processes, always
    Number list = 0;        // of pending operations
    RingKey key;            // the tag and the offset; of a place the tag alone
    Number kind = none;
    std::byte* first = nullptr;  // as in `SiteForCode`
    struct Known {
      RingKey key;
      Number kind = none;
    };
    std::vector<Known> known;  // the last few
    std::size_t oldest = 0;    // of these
  };
  struct Gathering {
    std::uint64_t arrived = 0, left = 0;
    Time last = 0, root = 0;
    Recording::Last recorded = {};
    bool has_root = false;
    std::vector<Standing*> waiting;
  };
  using GatheringKey = Recording::GatheringKey;
  // Of a protocol on a channel.
  struct Window {
    std::uint32_t protocol = 0;
    Number next = none;                 // of the channel
    std::uint32_t sent = 0, begin = 0;  // `received` is from `begin` on
    std::vector<Time> received;         // NaN: not yet
    std::size_t claimed = 0;            // of these
  };
  // Processes that are run together: those that can go on.
  struct Block {
    Number first = none, last = none;
    Number queued = 0;  // how many
    bool is_queued = false;
    std::vector<Number> rows;  // where its processes lie: the first of each row of them
  };

  Standing& standing(std::size_t rank) { return *reinterpret_cast<Standing*>(standings_.get() + rank * stride_); }
  std::int64_t* coordinates(Standing& me) { return reinterpret_cast<std::int64_t*>(&me + 1); }
  Pending* pending(Standing& me) { return reinterpret_cast<Pending*>(reinterpret_cast<std::byte*>(&me) + pending_at_); }
  void set_up();
  void stand_at_beginning();
  void end_recording();
  bool run_queue(const ProgramCode& code);
  bool run_block(const ProgramCode& code, Block& block);
  void fetch(const Block& block);
  bool grow_rings();
  bool is_complete() const;
  double all_operations() const;
  void wake(Standing& process);
  void claim(std::int64_t bytes);
  // Entries of a table, and what each takes. `claimed`: for how many there is memory.
  void claim_entries(std::size_t entries, std::size_t bytes, std::size_t& claimed);
  // What must not be thrown through machine code; `failed` where something was.
  template <class Function>
  auto guarded(Function&& function, decltype(function()) failed) -> decltype(function());
  static Runtime& of(Shared* shared) { return *static_cast<Runtime*>(shared); }
  static Calls calls_of_code();

  // --- messages (runtime_messages.cpp) ---
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, bool local,
                      const std::int64_t* key);
  Outcome take_steps(Standing& me, Site& site);
  Outcome go_on_with_message(Standing& me, std::uint32_t number);
  std::int64_t find_peer(Standing& me, std::uint32_t number, const std::int64_t* key);
  void find_channels(std::uint32_t number, const std::int64_t* key);
  void find_ends(std::uint32_t number, double size, bool local);
  Ring& find_channel(std::byte* first, Number kind, Number sender, Number receiver);
  void wait_for(Standing& me, Time when);
  void stand(Standing& me, Ring& channel, Side side);
  void deliver(Ring& channel, std::uint32_t ordinal, Side from, std::uint32_t awaits, Time when);
  void tell(Ring& channel, std::uint32_t ordinal, Side side);
  void complete(Ring& channel, std::uint32_t ordinal, Side side);
  void make_room(Ring& channel);
  void notice(Ring& channel, Side side);
  Window& window(Ring& channel, std::uint32_t protocol);
  bool pass_window(Standing& me, Ring& channel, const Ends& ends);
  void received(Ring& channel, std::uint32_t ordinal, const Ends& ends, Time when);

  // --- the background (runtime_background.cpp) ---
  void leave_in_background(Standing& me, Site& site);
  void advance(Number operation);
  Number new_operation();
  void free_operation(Number operation);
  void record_background(const Operation& operation);
  Outcome await_pending(Standing& me, std::uint32_t handle);

  // --- other statements (runtime.cpp) ---
  Outcome synchronise(Standing& me, std::uint32_t number);
  Outcome pay(Standing& me, std::uint32_t number, double cost);
  Gathering& gathering(Standing& me, const ir::Collective& collective, bool& is_root, std::uint64_t& participants);
  void leave_gathering(Standing& me, const ir::Collective& collective, Gathering& gathering,
                       std::uint64_t participants);

  const NetworkInput& input_;
  const network::Bytecode& program_;
  ProcessState* state_ = nullptr;
  Recording* const recording_;
  const std::vector<RingKey> homes_;
  std::size_t stride_ = 0, pending_at_ = 0, channels_at_ = 0, lists_ = 0;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> standings_;
  Rings rings_;
  std::vector<Site> sites_;  // by instruction
  std::vector<SiteForCode> found_;
  std::vector<std::unique_ptr<Ends>> ends_;
  std::vector<EndsForCode> ends_for_code_;
  std::map<const ResolvedEnds*, std::uint16_t> known_ends_;  // by number, from 1
  std::vector<bool> waits_for_size_;                         // by MessageEnds
  std::vector<Block> blocks_;
  std::int64_t row_ = 1;      // processes in a row of a block, at most
  std::deque<Number> queue_;  // of blocks
  std::vector<Ring*> full_;   // somebody waits for room
  std::vector<Operation> operations_;
  Number free_operations_ = none;
  std::map<GatheringKey, Gathering> gatherings_;
  std::deque<Window> windows_;
  std::vector<std::int64_t> point_, written_, target_;  // room to work in
  std::int64_t listed_ = 0;                             // pending operations that a wait may come for
  std::uint64_t finished_ = 0;
  std::int64_t claimed_ = 0;
  std::size_t claimed_gatherings_ = 0;  // entries
  double operations_before_ = 0;        // the run
  std::exception_ptr thrown_;
};

}  // namespace wave::backend::processes::compiled
