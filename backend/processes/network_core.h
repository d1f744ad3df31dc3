// How a network runs. There is no queue of events: processes that may go on are on a list, and a process that has run
// far ahead of its receivers lets others go first, so that few messages are on their way at a time.
//
// What a clock is and what is done to it is said by `Times` (network_times.h): a number, or a number that remembers how
// it came about.
#pragma once

#include "backend/processes/network.h"
#include "backend/processes/network_control.h"
#include "backend/processes/network_times.h"
#include "backend/processes/network_values.h"

#include <deque>
#include <memory>
#include <span>
#include <tuple>

namespace wave::backend::processes::network {

template <class Times>
class Network {
 public:
  using Clock = typename Times::Clock;

  // All clocks and resources begin at `Clock{}`.
  Network(const NetworkInput& input, std::span<const ir::Statement> statements, Times& times);
  Network(const Network&) = delete;
  ~Network() { input_.claim_memory(-claimed_); }

  std::vector<Clock> clocks;                                 // by process
  std::map<ResourceKey, std::vector<Clock>> resources;       // not here: free from the beginning
  std::vector<ProcessState::PhaseClocks>* phases = nullptr;  // those that are wanted are added to

  // Until nothing moves any more.
  void run();
  // The same, but nothing ever waits, and times mean nothing: every message is called, so that those without another
  // end and those whose sizes differ are known even where processes wait for each other.
  void run_without_waiting() {
    never_waits_ = true;
    run();
  }
  // What receives without a size take: by process and which of its messages it is.
  using FoundEnds = std::map<std::pair<Number, std::uint32_t>, const ResolvedEnds*>;
  FoundEnds find_ends() {
    looks_for_ends_ = true;
    run_without_waiting();
    return std::move(found_ends_);
  }
  const Control& control() const { return control_; }
  double operations() const { return static_cast<double>(operations_); }

 private:
  enum class Next { go_on, wait, yield };
  struct Execute;
  // An end of a message as its steps see it.
  struct Acting {
    Number process, message;
    Side side;
    ir::EndsId machine;
    const ir::Statement* statement;
    Number operation;  // in the background; or none
  };
  struct Gathering {
    std::uint64_t arrived = 0, left = 0;
    Clock last{}, root{};
    Number last_process = none;
    bool has_root = false;
    std::vector<Number> waiting;
  };
  using GatheringKey = std::tuple<Number, std::uint32_t, std::uint32_t>;  // the root, axis (or none), round
  struct Window {
    std::uint64_t sent = 0, begin = 0;  // `received` is from `begin` on
    std::deque<std::optional<Clock>> received;
  };

  // --- processes (network_flow.h) ---
  void run_ready();
  bool waits_for_ends() const;
  void run_process(Number process);
  void stand(Number process);
  void wake(Number process);
  std::int64_t* slots() { return slots_.data() + std::size_t{here_} * control_.program.slots; }
  double weight(OperandId operand, const ir::Statement& statement);
  Next synchronise(const Synchronise& n);
  bool may_leave(const ir::Collective& collective, const Gathering& gathering, bool is_root,
                 std::uint64_t participants) const;
  void enter_loop(const EnterLoop& n);
  void next_block(const NextBlock& n);
  void claim(std::size_t bytes);
  // Of the process that runs.
  template <class Function>
  void tell([[maybe_unused]] Function&& function) {
    if constexpr (requires { times_.watcher(); }) function(times_.watcher(), Times::time(clocks[here_]));
  }

  // --- messages (network_messages.h) ---
  Next communicate(const Communicate& n);
  bool begin(const Communicate& n, bool& is_skipped);
  bool act(const Communicate& n, bool& is_done);
  const ResolvedEnds* ends_of(Number message, Side side);
  std::optional<Number> find_peer(const Communicate& n);
  Number channel(const Communicate& n, Number peer, std::int64_t tag);
  const ResolvedEnds& resolve(const Communicate& n, double size, bool local);
  bool pass_window(const Communicate& n, const ResolvedEnds& ends, Number channel, Number peer, std::uint64_t& ordinal);
  Number post(Number channel, Side side);
  void match(Number message);
  void complete(Number message, Side side);
  void release(Number message);
  void received(Number message, const Clock& when);
  Window& window(Number channel, const ResolvedEnds& ends);
  bool waits_for_size(ir::EndsId ends) const;

  // --- steps (network_steps.h) ---
  bool take_step(const ResolvedStep& step, const Acting& acting, Clock& clock);
  Clock& resource(std::uint32_t resource, const Acting& acting);
  std::size_t signal(Number message, std::uint32_t signal) const { return std::size_t{message} * stride_ + signal; }
  Cause cause(Cause::Kind kind, const Acting& acting, const ResolvedStep& step) const;

  // --- operations in the background (network_background.h) ---
  void leave_in_background(const Communicate& n);
  void advance_pending(Number process);
  void advance(Number operation, Number& before);
  Number new_operation();
  void insert(Number process, Number before, Number operation);
  void depart_later(const Acting& acting, std::uint32_t step, const Clock& clock, Number before);
  Next await_pending(const AwaitPending& n);
  void unlink(Number process, Number before, Number operation);
  void charge(Number operation);

  const NetworkInput& input_;
  std::span<const ir::Statement> statements_;
  Times& times_;
  Control control_;
  Values values_;
  std::vector<std::int64_t> slots_;
  std::vector<std::int64_t> point_;  // of the process that runs
  Number here_ = 0;
  std::deque<Number> ready_, later_;
  std::vector<Clock> signals_;  // by message and signal, `stride_` of each
  std::vector<std::uint8_t> has_signal_;
  std::size_t stride_ = 1;
  struct Background {
    Clock clock{};
    double charged = 0;  // `busy` that the wait will take
  };
  std::vector<Background> backgrounds_;  // by operation
  std::map<GatheringKey, Gathering> gatherings_;
  std::map<std::pair<Number, std::uint32_t>, Window> windows_;  // by channel and protocol
  // What a message statement found last.
  struct Last {
    const ResolvedEnds* ends = nullptr;
    double size = 0;
    bool local = false;
    ChannelKey key;
    Number kind = none;
  };
  std::vector<Last> last_;  // by instruction
  ChannelKey key_;
  std::vector<std::int64_t> written_, target_;
  std::vector<bool> waits_for_size_;  // by MessageEnds
  std::uint64_t operations_ = 0, ticks_ = 0;
  std::int64_t claimed_ = 0;
  bool must_yield_ = false, never_waits_ = false, looks_for_ends_ = false;
  FoundEnds found_ends_;
};

}  // namespace wave::backend::processes::network

#include "backend/processes/network_background.h"
#include "backend/processes/network_flow.h"
#include "backend/processes/network_messages.h"
#include "backend/processes/network_steps.h"
