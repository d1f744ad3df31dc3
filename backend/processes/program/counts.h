// Counts what the processes of a program send: in all and by phase, of one process, by class, by pair; and which
// collectives they call. No time is evaluated, and of the program only what decides how many messages of which size go
// to whom: conditions, loops, peers, sizes. A message whose peer is off the grid is none. Sums are exact.
#pragma once

#include "backend/processes/program/count_walk.h"
#include "backend/processes/program/exact_sum.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wave::backend::processes {

struct Count {
  __int128 messages = 0;  // sent
  ExactSum bytes;         // of them

  void add(double size, __int128 number) {
    messages += number;
    bytes.add(size, static_cast<unsigned __int128>(number));
  }
};

struct Counts {
  Count whole;
  std::vector<Count> phases;  // by PhaseId; summed over the runs of the phase
};

// Messages that are alike. `phase`: the innermost around the send, or not valid.
struct MessageClass {
  ir::PhaseId phase;
  ir::EndsId ends;
  std::uint32_t protocol = 0;
  double size = 0;
  std::int64_t within = 0;
  bool of_collective = false;  // of the algorithm of one, and not of the program itself
  friend auto operator<=>(const MessageClass&, const MessageClass&) = default;
};
using MessageTally = std::map<MessageClass, __int128>;

// Calls of collectives that are alike, by the statement that calls.
struct CallClass {
  std::string name;
  std::optional<double> size;  // bytes; nothing: it is called with none
  std::int64_t participants = 0;
  std::uint32_t file = Location::no_file, begin = 0, end = 0;  // where the call stands
  Location location() const { return {file, begin, end}; }
  friend auto operator<=>(const CallClass&, const CallClass&) = default;
};
using CallTally = std::map<CallClass, __int128>;

// What one process sends to another.
struct PairCount {
  std::int64_t sender = 0, receiver = 0;  // ranks
  Count own, of_collectives;
};

// What one process sends.
struct RankCount {
  std::int64_t rank = 0;
  Count own, of_collectives;
  std::int64_t partners = 0;  // processes that it sends messages of its own to
  __int128 calls = 0;         // of collectives
};

// Of one process in one activation; `scalars` stands in that activation. Everything throws Failed: where something
// fails, the first process in row-major order for which it does, the first in its program.
class Counter {
 public:
  // `claim_memory`: bytes, or bytes given back (negative); may throw Failed.
  Counter(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, const Places& places,
          std::function<void()> look_at_clock, std::function<void(std::int64_t bytes)> claim_memory);
  ~Counter();

  // Of all processes together.
  const Counts& all();
  // Of one.
  const Count& of(std::int64_t rank, ir::PhaseId phase);
  struct Tallies {
    MessageTally messages;
    CallTally calls;
  };
  Tallies tallies();
  // In ascending order; of these senders only.
  std::vector<PairCount> by_pair(const std::set<std::int64_t>& senders);
  std::vector<RankCount> by_rank(const std::set<std::int64_t>& ranks);

 private:
  class Totals;
  class Columns;
  template <class Listener, class... Arguments>
  std::unique_ptr<Listener> counted(const std::vector<Region>& regions, Arguments&&... arguments);
  bool try_to_count(CountListener& listener, const std::vector<Region>& regions);
  void find_failure(CountListener::Asks asks, const Region& region);
  std::vector<Region> regions_of(const std::set<std::int64_t>& ranks) const;
  void make_columns();

  Scalars& scalars_;
  const ir::Process& process_;
  const ir::FreeBinders& binders_;
  const Places& places_;
  std::function<void()> look_at_clock_;
  std::function<void(std::int64_t)> claim_memory_;
  std::optional<Counts> all_, one_;
  std::int64_t rank_ = -1;  // of one_
  std::unique_ptr<Columns> columns_;
};

}  // namespace wave::backend::processes
