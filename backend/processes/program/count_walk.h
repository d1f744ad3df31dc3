// Goes over a process's program once for all of its processes and adds up what they send. No clock is looked at, so the
// order does not matter: the walk stands at a statement for a whole region of processes, and for as many rounds as are
// alike. A statement in a loop whose variable it does not look at is met once, and so is a block that is reached in
// many rounds and does not look at them. Only what depends on the place in the grid is evaluated for each place, in
// columns.
#pragma once

#include "backend/processes/bulk/region_scalars.h"
#include "backend/processes/program/peers.h"
#include "backend/processes/program/uses.h"
#include "ir/walk.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wave::backend::processes {

// What is told of messages that are alike.
struct Sent {
  const ir::Message& message;
  const std::vector<ir::PhaseId>& phases;  // around the send, the innermost last
  double size = 0;
  Route route;  // only if classes are asked for
};

// Of calls of collectives that are alike.
struct Called {
  const ir::CollectiveCall& call;
  std::optional<double> size;
  std::int64_t participants = 0;
};

// Listens to a walk. What it is told is not in the order of any program.
class CountListener {
 public:
  enum class Asks : std::uint8_t {
    totals,   // only `sent`
    classes,  // with the route, and calls of collectives
    places,   // who sends to whom, and who calls
  };
  virtual ~CountListener() = default;
  virtual Asks asks() const = 0;
  // So many messages.
  virtual void sent(const Sent& sent, __int128 messages) = 0;
  // By each of these processes so many. `written`: the offset or place of the peer.
  virtual void sent_by(const Sent&, const Region&, std::span<const std::int64_t>, __int128) {}
  // By all of its participants together so many times.
  virtual void called(const Called&, __int128) {}
  virtual void called_by(const Region&, __int128) {}
};

class CountWalk {
 public:
  // Thrown where a statement sends more messages than an integer can say.
  struct TooMany {};

  CountWalk(Scalars& scalars, const ir::Process& process, const ir::FreeBinders& binders, const Places& places,
            CountListener& listener, std::function<void()> look_at_clock);

  // Throws Failed and RegionScalars::NoValue where something fails for one of these processes, not always the first of
  // all that do; TooMany.
  void walk(const Region& region);
  // One process, statement by statement in the order of its program. Throws Failed: what fails first.
  void walk_in_order(const std::vector<std::int64_t>& point);

 private:
  using Items = std::vector<const ir::Statement*>;
  // A block that is reached in rounds that it does not tell apart.
  struct PutOff {
    ir::BlockId block;
    std::vector<ir::PhaseId> phases;
    Region region;
    std::vector<std::pair<ir::BinderId, std::int64_t>> rounds;  // that it looks at
    friend auto operator<=>(const PutOff&, const PutOff&) = default;
  };
  struct In;  // while it lives, the walk stands in a part

  void block(ir::BlockId id);
  void enter(ir::BlockId id);
  void put_off(ir::BlockId id);
  void catch_up();
  void run(const Items& items);
  void run(const ir::Statement& statement);
  void visit(const ir::Statement&, const ir::Message& node) { send(node); }
  void visit(const ir::Statement&, const ir::Branch& node);
  void visit(const ir::Statement&, const ir::Phase& node);
  void visit(const ir::Statement&, const ir::Loop& node) { level(node, 0, items_of(node.body)); }
  void visit(const ir::Statement&, const ir::Sweep& node);
  void visit(const ir::Statement&, const ir::Ready& node) { block(node.tasks); }
  void visit(const ir::Statement&, const ir::Task& node) { block(node.receives), block(node.body); }
  void visit(const ir::Statement&, const ir::Compute&) {}
  void visit(const ir::Statement&, const ir::Wait&) {}
  void visit(const ir::Statement&, const ir::Collective&) {}
  void note_call(const ir::CollectiveCall& call);
  void note_callers(const ir::CollectiveCall& call, const RegionScalars::Part& alike);
  void level(const ir::Loop& loop, std::size_t number, const Items& items);
  void rounds(const ir::Loop& loop, std::size_t number, const ir::LoopRange& range, const Items& items);
  // One by one.
  void each_round(ir::BinderId variable, const ir::LoopRange& range, const std::function<void()>& round);
  void tiles(const ir::Sweep& node, std::int64_t count);
  bool looks_at(const ir::Statement& statement, ir::BinderId variable);
  Items items_of(ir::BlockId id) const;
  __int128 multiplied(__int128 count) const;

  // --- messages (count_messages.cpp) ---
  class Rows;
  void send(const ir::Message& message);
  void send_alike(const ir::Message& message);
  void send_each(const ir::Message& message, AxisSet axes);
  bool all_on_lines(const ir::Message& message);
  Route route(const ir::Message& message);
  std::int64_t count_with_peer(std::size_t axis, std::int64_t offset) const;
  Region region_with_peer(std::span<const std::int64_t> offset) const;
  void note_senders(const Sent& sent, const Region& senders, std::span<const std::int64_t> written);

  static constexpr __int128 most_messages = __int128{1} << 62;

  const ir::Process& process_;
  const Places& places_;
  CountListener& listener_;
  const CountListener::Asks asks_;
  std::function<void()> look_at_clock_;
  RegionScalars scalars_;
  ProgramUses uses_;
  std::unordered_map<const ir::Statement*, std::set<ir::BinderId>> uses_of_statement_;

  bool in_order_ = false;
  Region region_;
  __int128 times_ = 1;
  std::vector<ir::PhaseId> phases_;
  std::vector<std::pair<ir::BinderId, std::int64_t>> rounds_;  // the variables of loops around, as they are bound
  std::map<PutOff, __int128> put_off_;
  std::size_t ticks_ = 0;
};

}  // namespace wave::backend::processes
