// Runs a network. Processes that can continue are on a list, and each runs until it must wait. A process that has run
// far ahead of its receivers lets others go first, so that few messages are on their way at a time. When no process can
// continue, the resource with the earliest request serves next (network_requests.h); all requests made from then on are
// later.
//
// What a clock is and what is done to it is said by `Times` (network_times.h): a number, or a number that remembers how
// it came about.
#pragma once

#include "backend/processes/network.h"
#include "backend/processes/network_control.h"
#include "backend/processes/network_moments.h"
#include "backend/processes/network_times.h"
#include "backend/processes/network_values.h"
#include "backend/processes/resource_instances.h"

#include <deque>
#include <span>
#include <tuple>

namespace wave::backend::processes::network {

template <class Times>
class Network {
 public:
  using Moment = network::Moment<Times>;

  // All clocks begin at `Clock{}`.
  Network(const NetworkInput& input, std::span<const ir::Statement> statements, Times& times);
  Network(const Network&) = delete;
  ~Network() { input_.claim_memory(-claimed_); }

  std::vector<Moment> clocks;                                // by process
  std::vector<ProcessState::PhaseClocks>* phases = nullptr;  // those that are wanted are added to

  // Until nothing moves any more.
  void run();
  // The same, but nothing ever waits, and times mean nothing. Every message is called, so that messages without their
  // other end and messages whose sizes differ are found even if processes wait for each other.
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
  OtherEnds find_other_ends() {
    looks_for_other_ends_ = true;
    run_without_waiting();
    return std::move(other_ends_);
  }
  const Control& control() const { return control_; }
  double operations() const { return static_cast<double>(operations_); }
  // When the last thing is done: by the program, or by the processor with what arrived. By process.
  std::vector<typename Times::Clock> finishes();

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
    Moment last{}, root{};
    Number last_process = none;
    bool has_root = false;
    std::vector<Number> waiting;
  };
  using GatheringKey = std::tuple<Number, std::uint32_t, std::uint32_t>;  // the root, axis (or none), round
  struct Window {
    std::uint64_t sent = 0, begin = 0;  // `received` is from `begin` on
    std::deque<std::optional<Moment>> received;
  };

  // --- processes (network_flow.h) ---
  bool has_late_receives() const;
  void find_ends_beforehand();
  void find_other_ends_beforehand();
  void run_ready();
  void step(Moment& moment, double time, const Cause& cause);
  void join(Moment& moment, const Moment& other, const Cause& cause);
  void pass(const Moment& moment, const Cause& cause);
  bool waits_for_ends() const;
  void run_process(Number process);
  void stand(Number process);
  void wake(Number process);
  std::int64_t* slots() { return slots_.data() + std::size_t{here_} * control_.program.slots; }
  double weight(OperandId operand, const ir::Statement& statement);
  Next synchronise(const Synchronise& n);
  bool may_leave(const ir::Collective& collective, const Gathering& gathering, bool is_root,
                 std::uint64_t participants) const;
  bool enter_loop(const EnterLoop& n);
  void next_block(const NextBlock& n);
  void claim(std::size_t bytes);
  // Of the process that runs.
  template <class Function>
  void tell([[maybe_unused]] Function&& function) {
    if constexpr (requires { times_.watcher(); }) function(times_.watcher(), Times::time(clocks[here_].clock));
  }

  void pass_phase([[maybe_unused]] ir::PhaseId phase, [[maybe_unused]] bool enters) {
    if constexpr (requires { times_.pass_phase(here_, phase, enters, clocks[here_].clock); })
      times_.pass_phase(here_, phase, enters, clocks[here_].clock);
  }

  // --- messages (network_messages.h) ---
  Next communicate(const Communicate& n);
  bool begin(const Communicate& n, bool& is_skipped);
  bool act(const Communicate& n, bool& is_done);
  const ResolvedEnds* ends_of(Number message, Side side);
  std::optional<Number> find_peer(const Communicate& n);
  Number channel(const Communicate& n, Number peer, std::int64_t tag);
  const ResolvedEnds& resolve(const Communicate& n, double size, const Route& route);
  bool pass_window(const Communicate& n, const ResolvedEnds& ends, Number channel, Number peer, std::uint64_t& ordinal);
  Number post(Number channel, Side side);
  void match(Number message);
  void remember_other_end(const Envelope::End& end, const Envelope::End& other);
  const ir::Statement* statement_of(const Envelope& message, Side side) const;
  void complete(Number message, Side side);
  void release(Number message);
  void received(Number message, const Moment& when);
  Window& window(Number channel, const ResolvedEnds& ends);
  bool waits_for_size(ir::EndsId ends) const;

  // --- steps (network_steps.h) ---
  bool take_step(const ResolvedStep& step, const Acting& acting, Moment& clock);
  bool await(const ResolvedStep& step, const Acting& acting, Moment& clock);
  void deliver(const ResolvedStep& emitted, const Acting& acting, const Moment& arrives);
  void let_leave(const ResolvedStep& emitted, const Acting& acting, const Moment& begins);
  void let_pass(Number message, const ResolvedStep& await, const Moment& when);
  std::size_t slot(Number message, std::uint32_t slot) const { return std::size_t{message} * stride_ + slot; }
  Cause cause(Cause::Kind kind, const Acting& acting, const ResolvedStep& step, std::uint32_t use = 0) const;

  // --- resources (network_requests.h) ---
  using Request = network::Request<Times>;
  bool use_processor(double time, const Cause& cause, std::uint32_t call, std::int32_t place);
  void acquire(const ResolvedStep& step, const Acting& acting, const Moment& clock);
  void ask(Request request);
  bool serve_next();
  void serve(Request& request);
  using Server = typename ResourceInstances<Moment, IsEarlier<Times>>::Kind::Server;
  Server server(const Request& request);
  void tell_of_service(const Request& request, const ResolvedUse& use, const Server& by, const Moment& begins);
  template <class Visit>
  void for_each_needed(const Request& request, const Visit& visit);
  void ask_for_next(const Request& served, const Moment& begins, const Cause& gap);

  // --- operations in the background (network_background.h) ---
  void leave_in_background(const Communicate& n);
  void advance_pending(Number process);
  void advance(Number operation);
  Number new_operation();
  Next await_pending(const AwaitPending& n);
  void unlink(Number process, Number before, Number operation);
  bool charge(Number operation);

  const NetworkInput& input_;
  std::span<const ir::Statement> statements_;
  Times& times_;
  Control control_;
  Values values_;
  std::vector<std::int64_t> slots_;
  std::vector<std::int64_t> point_;  // of the process that runs
  Number here_ = 0;
  std::deque<Number> ready_, later_;
  std::vector<Moment> passes_;          // by message and await (ResolvedStep::slot), `stride_` of each
  std::vector<std::uint8_t> may_pass_;  // whether that is known
  std::size_t stride_ = 1;
  struct Background {
    Moment clock{};
    double charged = 0;  // `busy` that the wait will take
  };
  std::vector<Background> backgrounds_;  // by operation
  std::map<GatheringKey, Gathering> gatherings_;
  std::map<std::pair<Number, std::uint32_t>, Window> windows_;  // by channel and protocol
  // What a message statement found last.
  struct Last {
    const ResolvedEnds* ends = nullptr;
    double size = 0;
    Route route;
    ChannelKey key;
    Number kind = none;
  };
  std::vector<Last> last_;  // by instruction
  ChannelKey key_;
  std::vector<std::int64_t> written_, target_;
  std::vector<bool> waits_for_size_;  // by MessageEnds
  std::uint64_t operations_ = 0, ticks_ = 0;
  std::int64_t claimed_ = 0;
  bool must_yield_ = false, never_waits_ = false, looks_for_ends_ = false, looks_for_other_ends_ = false;
  // Are there resources; does something happen on arrival, so that the processor is one of them?
  bool has_resources_ = false, processor_serves_ = false;
  ResourceInstances<Moment, IsEarlier<Times>> resources_{
      input_, [this](std::int64_t bytes) { claim(static_cast<std::size_t>(bytes)); }};
  std::vector<Moment> processors_;  // when they are free again; by process
  std::vector<Stamp::At> handed_;   // docs/processes.md, The processor; by process
  Requests<Times> requests_;
  FoundEnds found_ends_;
  OtherEnds other_ends_;  // where causes are looked at, and something may happen before an end is called
};

}  // namespace wave::backend::processes::network

#include "backend/processes/network_background.h"
#include "backend/processes/network_flow.h"
#include "backend/processes/network_messages.h"
#include "backend/processes/network_requests.h"
#include "backend/processes/network_steps.h"
