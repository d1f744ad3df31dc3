// Runs programs of processes that ask for no resources, where no order is known beforehand. A process goes on until it
// waits; whoever does what it waits for puts it into a queue. Messages lie in rings, so that machine code finds them by
// itself. This finds no failures: where anything fails, or nothing moves any more, whole_program.h finds out why.
//
// On several threads each has a runtime of its own, with what it has found out last; they share the processes, whose
// blocks keep them apart (blocks.h), and the numbers of what messages do.
#pragma once

#include "backend/processes/engine/blocks.h"
#include "backend/processes/engine/gatherings.h"
#include "backend/processes/engine/known_ends.h"
#include "backend/processes/engine/pool.h"
#include "backend/processes/engine/program_host.h"
#include "backend/processes/engine/rings.h"
#include "backend/processes/engine/sent_ends.h"
#include "backend/processes/engine/windows.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes::engine {

class Runtime : public ProgramHost {
 public:
  // Whether several threads may run a program: its processes share nothing but channels whose ends are known
  // beforehand.
  static bool may_run_on_threads(const ProgramInput& input, const program::Bytecode& program);

  // `threads`: on which it may run; more than one only where they may. `recording`: of code that records; null: it does
  // not.
  Runtime(const ProgramInput& input, const program::Bytecode& program, int threads, Recording* recording = nullptr);

  std::size_t threads() const { return others_.size() + 1; }
  // All processes to the ends of their programs, on as many threads as there is code for. False: they do not
  // come there (whole_program.h), and `state` is of no use. Throws Failed only for limits, and what questions to the
  // evaluator throw that is no failure.
  bool run(std::span<const ProgramCode> codes, ProcessState& state);
  // Behind a run that has failed, on whatever thread: see ProgramHost::rethrow_failure.
  void rethrow_failures() const {
    rethrow_failure();
    for (const std::unique_ptr<Runtime>& other : others_) other->rethrow_failure();
  }
  // Behind a run: no operation in the background is left that a wait may come for.
  bool is_quiet() const {
    std::int64_t listed = listed_;
    for (const std::unique_ptr<Runtime>& other : others_) listed += other->listed_;
    return listed == 0;
  }
  // Behind a run that has been quiet: whether there may be another one, where variables around the program may have
  // other values.
  bool can_run_again() const { return !sent_ && kinds_at_home(input_, program_) == homes_; }
  // Of the last run: messages, computations, waits and collectives.
  double operations() const { return all_operations() - operations_before_; }
  // After a run: where messages with this key meet.
  const Ring& channel(Number sender, Number receiver, const ChannelKey& key) {
    return rings_.find(sender, receiver, rings_.others().kind(key));
  }

 private:
  friend class ProgramHost;
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
  // What a message statement found last.
  struct Site : MessageSite {
    std::byte* first = nullptr;  // as in `SiteForCode`
  };

  using Operations = SharedSegments<Operation>;
  // What is shared with those of other threads.
  Runtime(const ProgramInput& input, const program::Bytecode& program, Recording* recording,
          std::shared_ptr<Blocks> blocks, std::shared_ptr<KnownEnds> ends, Operations operations);

  // --- the run (runtime.cpp) ---
  void set_up();
  void stand_at_beginning();
  void end_recording();
  bool run_all(std::span<const ProgramCode> codes);
  Outcome run_blocks(const ProgramCode& code, bool may_leave);
  // `turns`: of processes, so far.
  bool run_block(const ProgramCode& code, Blocks::Block& block, std::uint32_t& turns);
  void fetch(const std::byte* begin, std::size_t bytes);
  bool grow_rings();
  bool find_sent(const ProgramCode& code);
  bool is_complete() const;
  double all_operations() const;
  template <class Visit>
  void for_each_thread(const Visit& visit) {
    visit(*this);
    for (const std::unique_ptr<Runtime>& other : others_) visit(*other);
  }
  void wake(Standing& process);
  // What several threads share and may change is looked at by one of them.
  std::unique_lock<std::recursive_mutex> alone() const {
    return is_one_of_several_ ? std::unique_lock(input_.scalars.asking()) : std::unique_lock<std::recursive_mutex>();
  }
  static Calls calls_of_code();

  // --- messages (runtime_messages.cpp) ---
  Outcome communicate(Standing& me, std::uint32_t number, Number peer, double size, std::int64_t within,
                      const std::int64_t* key);
  Outcome take_steps(Standing& me, Site& site);
  Outcome go_on_with_message(Standing& me, std::uint32_t number);
  void find_channels(std::uint32_t number, const std::int64_t* key);
  std::uint16_t find_ends(std::uint32_t number, double size, std::int64_t within);
  Ring& find_channel(const Site& site, Number sender, Number receiver) {
    return site.first ? *reinterpret_cast<Ring*>(site.first + receiver * rings_.stride())
                      : rings_.others().find(sender, receiver, site.kind);
  }
  void wait_for(Standing& me, Time when);
  void stand(Standing& me, Ring& channel, Side side);
  static void leave(Ring& channel, std::uint32_t ordinal, const Ends& ends, Side side, std::uint32_t emit, Time when);
  void deliver(Ring& channel, std::uint32_t ordinal, Side from, std::uint32_t awaits, Time when);
  void tell(Ring& channel, std::uint32_t ordinal, Side side);
  void complete(Ring& channel, std::uint32_t ordinal, Side side);
  void make_room(Ring& channel);
  void notice(Ring& channel, Side side);
  void grow(Ring& channel);
  Outcome pass_window(Standing& me, Ring& channel, const Ends& ends);
  void received(Ring& channel, std::uint32_t ordinal, const Ends& ends, Time when);

  // --- the background (runtime_background.cpp) ---
  void leave_in_background(Standing& me, Site& site);
  bool is_private(const Operation& operation, const Message& message) const;
  void advance(Number operation);
  void record_background(const Operation& operation);
  Outcome await_pending(Standing& me, const ir::Wait& wait);
  // Programs with tasks are run by time (ResourceUse).
  Outcome take_task(Standing&, const program::TakeTask&, std::int64_t*) { return Outcome::failed; }

  // --- collectives that are costs (runtime.cpp) ---
  Outcome synchronise(Standing& me, const ir::Collective& collective);
  Outcome pay(Standing& me, const ir::Collective& collective, double cost);

  const std::shared_ptr<Blocks> blocks_;
  const std::shared_ptr<KnownEnds> ends_;
  std::vector<std::unique_ptr<Runtime>> others_;  // of the first one: those of other threads
  bool is_one_of_several_ = false;                // threads
  Number present_ = none;                         // on several threads: the block that this one runs
  std::vector<Standing*> woken_;                  // meanwhile, in other blocks
  Rings rings_;
  std::vector<Site> sites_;  // by instruction
  std::vector<SiteForCode> found_;
  std::vector<Ring*> full_;  // somebody waits for room
  Pool<Operation, Operations> operations_;
  Gatherings gatherings_;
  Windows<Time> windows_;
  // Where receives that have to know what is sent when they are called would otherwise wait for each other.
  std::optional<SentEnds<Ring, std::uint16_t>> sent_;
  std::int64_t listed_ = 0;  // by this thread: pending operations that a wait may come for, less those it has come for
  std::uint64_t finished_ = 0;
  double operations_before_ = 0;  // the run
};

}  // namespace wave::backend::processes::engine
