// The walk over one process's program that accounts.h is about. It counts statements, and needs no order of all
// processes, so it does not look at parts (plan_parts.h), which not every program has.
#pragma once

#include "backend/processes/program/accounts.h"
#include "backend/processes/program/bound_scalars.h"
#include "backend/processes/program/ends.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/program/uses.h"
#include "backend/processes/program/weight_places.h"

#include <map>
#include <set>
#include <tuple>

namespace wave::backend::processes {

class Accountant::Walk {
 public:
  Walk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, std::vector<std::int64_t> extents,
       double quantum, std::function<void()> look_at_clock, const TakenCalls* taken);

  // With a listener, which may be null, every step is told as it comes.
  Accounts account(const std::vector<std::int64_t>& point, ProgramListener* listener) {
    return account(point, listener, nullptr);
  }
  std::vector<SpentTime> spent(const std::vector<std::int64_t>& point, ir::PhaseId phase);
  // The first process that has the same account for sure.
  std::vector<std::int64_t> same_account(std::vector<std::int64_t> point);

 private:
  struct Statements;
  // What is looked for:
  //   everything  of one process
  //   sends       the sizes of what a process sends to another, one after the other
  enum class Purpose { everything, sends };
  // Between two processes: context, tag, how the peer is written; of offsets as the sender wrote it.
  using Channel = std::tuple<std::uint32_t, std::int64_t, ir::Peer::Kind, bool, std::vector<std::int64_t>>;
  using SizesByChannel = std::map<Channel, std::vector<double>>;
  // What a wait comes for.
  struct BackgroundCall {
    bool is_pending = false;  // it awaits something
    const ir::Statement* statement = nullptr;
    const ResolvedEnds* ends = nullptr;
    std::vector<const ResolvedStep*> charged;
    const Bindings* place = nullptr;
  };
  using BackgroundCalls = std::map<std::uint32_t, BackgroundCall>;  // by number
  struct ListedTask {
    const ir::Task* task = nullptr;
    BoundScalars::Bindings bindings;  // that its body goes by
    BackgroundCalls receives;
  };
  struct State {
    Purpose purpose = Purpose::everything;
    bool step_by_step = false;  // nothing is multiplied
    bool counts_sizes = false;  // a receive takes the size of the send that it meets
    std::vector<std::int64_t> point;
    std::vector<ir::PhaseId> phases;  // around the statement, the innermost last
    __int128 times = 1;               // how often what is walked happens
    __int128 copies = 1;              // how many operations of it are pending at the same time
    // The `busy` time that waits for pending operations will charge: by handle, of those without one at the end.
    std::vector<__int128> pending;
    std::int64_t receiver = 0;  // of `sends`
    // --- where the program is walked call by call ---
    std::uint32_t calls = 0;                     // messages so far
    std::vector<BackgroundCalls> in_background;  // by handle, as `pending`
    std::vector<std::set<std::uint32_t>> open;   // of these the numbers of those that await something
    std::size_t taken = 0;                       // by `waitany` and lists of tasks, so far
    std::vector<ListedTask> tasks;               // of the list around
  };

  // By what they are of, what they look at, and their value.
  using Weight = std::tuple<Cause::Kind, const ir::Statement*, const ResolvedStep*, const Bindings*, double>;
  using Weights = std::map<Weight, SpentTime>;
  Accounts account(const std::vector<std::int64_t>& point, ProgramListener* listener, Weights* spent);
  void begin(Purpose purpose, const std::vector<std::int64_t>& point);
  void stand_at(const std::vector<std::int64_t>& point);

  // --- statements (accounts_statements.cpp) ---
  void walk();
  void tick();
  // A block so many times: `once` runs it.
  void repeat(__int128 count, ir::BlockId body, const std::function<void()>& once);
  void send(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer);
  void receive(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer);
  void tell(const ir::Statement& statement, const ir::Message& message, const FoundPeer& peer, double size,
            const Route& route, std::int64_t tag);
  void charge(const ir::Statement& statement, const ir::Message& message, double size, const Route& route);
  bool is_by_call() const { return listener_ || chooses_; }
  std::optional<std::uint32_t> next_taken();
  BackgroundCalls take_calls(const ir::Wait& wait);
  BackgroundCalls take_first(const ir::Wait& wait);
  // `first`: that of these for which the wait comes first; nothing: all in the order of the calls.
  void wait_for_calls(const ir::Statement& statement, const BackgroundCalls& calls, std::optional<std::uint32_t> first);
  std::optional<std::uint32_t> last_arrived(const BackgroundCalls& calls);
  // Where it is asked for, and where the walk is in the phase that is.
  void spend(const Cause& cause, double time, __int128 times);
  const Bindings* inside(const ir::Statement& statement) {
    return weight_places_.inside(statement, [this](ir::BinderId binder) { return values_.bound(binder); });
  }
  static void add_to(Weights& weights, const Cause& cause, double time, __int128 times);
  void add_overhead(__int128 quanta);
  template <class Function>
  void for_each_account(Function&& add);
  __int128 in_quanta(double time) const { return processes::in_quanta(time, quantum_); }
  std::int64_t tag_of(const ir::Message& message) { return message.tag.valid() ? values_.integer(message.tag) : 0; }

  std::int64_t number_of(const Channel& channel);

  // --- receives without a size (accounts.cpp) ---
  static Channel channel_of(const ir::Message& message, const FoundPeer& peer, std::int64_t tag);
  double next_size(const ir::Message& receive, const FoundPeer& peer, std::int64_t tag);
  std::optional<double> only_size(const ir::Message& receive);
  bool may_meet(const ir::Message& send, const ir::Message& receive) const;
  bool knows_all_sizes();
  const SizesByChannel& sends_of(std::int64_t rank);

  const ir::System& system_;
  const ir::Process& process_;
  const ir::FreeBinders& binders_;
  Places places_;
  double quantum_;
  std::function<void()> look_at_clock_;
  const TakenCalls* const taken_;
  bool chooses_ = false;              // there is a `waitany` or a list of tasks
  std::vector<bool> may_be_awaited_;  // by handle, as State::pending
  BoundScalars values_;
  EndsResolver ends_;  // of the accounts, which point to them
  ProgramUses uses_;
  WeightPlaces weight_places_;
  // By axis: how far from its ends processes may have accounts of their own; nothing: everywhere.
  std::optional<std::vector<std::optional<std::int64_t>>> reaches_;

  State state_;
  Accounts* into_ = nullptr;
  SizesByChannel* collected_ = nullptr;
  ProgramListener* listener_ = nullptr;
  // --- what the time is spent on; null: nobody asks ---
  Weights* spent_ = nullptr;
  ir::PhaseId spent_in_;
  std::vector<Weights> spent_at_waits_;  // as State::pending
  std::map<Channel, std::int64_t> channel_numbers_;
  std::size_t ticks_ = 0;
  std::map<const ir::Message*, std::optional<double>> only_sizes_;
  std::map<std::int64_t, SizesByChannel> sent_;                      // to the process at hand, by sender
  std::map<std::int64_t, std::map<Channel, std::size_t>> received_;  // how many of them so far
};

}  // namespace wave::backend::processes
