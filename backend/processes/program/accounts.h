// Adds up what a process does, without evaluating a time: computation and overhead, in all and by phase. What it sends
// is counted by counts.h.
//
// Found by a walk over its program. A loop whose body looks at nothing that the loop changes is walked once and
// multiplied, and so are the tiles of a sweep; processes that differ by nothing but their place far from the borders of
// the grid are walked once. Sums are exact.
//
// Overhead is the `busy` time that occupies the processor. Of a background operation that is what comes before its
// first `await`, at the call, and what comes after its last `emit`, at the wait for it; what a signal is delayed by in
// between does not count, nor does an operation that nothing waits for. What is done on arrival always counts, in the
// phases of the call.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/scalars.h"
#include "backend/processes/program/taken_calls.h"
#include "ir/dependences.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

struct Account {
  __int128 compute = 0, overhead = 0;  // in quanta
};

struct Accounts {
  Account whole;
  std::vector<Account> phases;  // by PhaseId; summed over the runs of the phase
};

// Quanta as picoseconds, rounded once.
inline double in_picoseconds(__int128 quanta, double quantum) { return static_cast<double>(quanta) * quantum; }
// Without a quantum nobody asks for times.
inline __int128 in_quanta(double picoseconds, double quantum) {
  return quantum > 0 ? static_cast<__int128>(picoseconds / quantum) : 0;
}

// What a process spends its own time on, weight by weight: computation, and the steps of the ends of its messages.
struct SpentTime {
  Cause cause;
  double weight = 0;   // ps
  __int128 times = 0;  // how often
};

// Listens to what a process does, in program order. The only times are those of its own computation.
class ProgramListener {
 public:
  // What the weight of the statement that comes looks at in the program (weight_places.h); null: nothing. It lives as
  // long as the accountant.
  const Bindings* inside = nullptr;
  struct Call {
    const ir::Statement& statement;
    const ir::Message& message;
    std::int64_t peer;  // its rank
    double size;
    std::int64_t within;
    // A number that only the two ends of this message have, among all messages between these two processes that could
    // be confused with it.
    std::int64_t channel;
    std::int64_t tag;
    const std::vector<std::int64_t>& written;  // the offset or place of the peer
  };
  virtual ~ProgramListener() = default;
  virtual void compute(const ir::Statement& statement, double time) = 0;  // ps
  virtual void message(const Call& call) = 0;
  // A wait, for calls of this process in the background, by their numbers among all that were told; in their order.
  virtual void wait(const ir::Statement& statement, std::span<const std::uint32_t> calls) = 0;
  // A list goes on with one of its tasks, before the wait for what that receives.
  virtual void choose(const ir::Statement&) {}
  virtual void collective(const ir::Statement& statement, const ir::Collective& collective) = 0;
  // The program calls a collective, whether that is a cost or an algorithm, which comes next. `size` as in
  // ir::CollectiveCall.
  virtual void call(const ir::CollectiveCall&, std::optional<double> /*size*/, std::int64_t /*participants*/) {}
  virtual void enter_phase(ir::PhaseId) {}
  virtual void leave_phase(ir::PhaseId) {}
};

// The accounts of one process in one activation; `scalars` stands in that activation. Everything throws Failed: where a
// scalar fails, the first that the walk meets (the processes in row-major order).
class Accountant {
 public:
  // `extents` of the process's space; `quantum` as in the evaluation of the process, or 0 where no time will be asked
  // for. `look_at_clock` is called now and then and throws when time is up. `taken`: null, every `waitany` goes on with
  // the operation that was called first, and tasks come in the order of their list.
  Accountant(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders,
             std::vector<std::int64_t> extents, double quantum, std::function<void()> look_at_clock,
             const TakenCalls* taken = nullptr);
  ~Accountant();

  // Of the process with these coordinates, from 1. The reference holds until the next call; the last is remembered, for
  // all processes that have the same.
  const Accounts& of(const std::vector<std::int64_t>& point);
  // What its computation and overhead consist of, in all or in a phase. What the causes point to lives as long as this.
  std::vector<SpentTime> spent(const std::vector<std::int64_t>& point, ir::PhaseId phase);
  // Step by step what the process with these coordinates does.
  void list(const std::vector<std::int64_t>& point, ProgramListener& listener);

 private:
  class Walk;

  std::unique_ptr<Walk> walk_;
  std::vector<std::int64_t> point_;
  std::optional<Accounts> one_;
};

}  // namespace wave::backend::processes
