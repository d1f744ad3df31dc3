// Why clocks move, what resources do, and who is notified of it.
#pragma once

#include "backend/processes/program/ends.h"
#include "ir/process.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wave::backend::processes {

using ResourceKey = std::pair<ir::EndsId, std::uint32_t>;  // of MessageEnds::resources

// Tiles and loop variables with their values, in the order of the binders.
using Bindings = std::vector<std::pair<ir::BinderId, std::int64_t>>;

// Why a clock moves.
struct Cause {
  enum class Kind : std::uint8_t { compute, overhead, gap, wire, handshake, collective } kind{};
  std::uint32_t process = 0;  // row-major from 0
  const ir::Statement* statement = nullptr;
  // Of a step of a message: which (not that of a `busy` charged at a wait).
  const ResolvedEnds* ends = nullptr;
  const ResolvedStep* step = nullptr;
  std::uint32_t use = 0;             // of a gap: which of the step's
  const Bindings* inside = nullptr;  // what the weight looks at in the program (weight_places.h); null: nothing
  // Of an end of a message that gives no size: the other, which does, and its process. `inside` is then its own.
  const ir::Statement* sized_by = nullptr;
  std::uint32_t sized_at = 0;

  // Of a gap: what was occupied.
  std::optional<ResourceKey> resource() const {
    if (kind != Kind::gap || !step || use >= step->uses.size()) return std::nullopt;
    return ResourceKey{ends->machine, step->uses[use].resource};
  }
};

// One of those that stand side by side, of one group of those who share it.
struct ResourceInstance {
  ResourceKey resource;
  std::uint32_t group = 0;  // SharedLevels::Groups; where nothing is shared on its level, or without one, the process
  std::int64_t number = 0;
  friend auto operator<=>(const ResourceInstance&, const ResourceInstance&) = default;
};

// What a resource does for a step of a message.
struct Service {
  ResourceInstance by;
  std::uint32_t server = 0;
  std::uint32_t sender = 0, receiver = 0;  // of the message: ranks, from 0
  double size = 0;                         // bytes
  std::int64_t tag = 0;
  double begin = 0, end = 0;  // ps
};

// Is notified of what processes do and when: at times of their own clocks, ps; what a process begins ends before what
// is around it. Messages are told apart by addresses that are used again once both ends are over.
class ProgramWatcher {
 public:
  virtual ~ProgramWatcher() = default;
  virtual void enter_phase(std::uint32_t /*process*/, ir::PhaseId, double /*time*/) {}
  virtual void leave_phase(std::uint32_t /*process*/, double /*time*/) {}
  // The clock of the cause's process moves; `waiting`: up to something that it has waited for.
  virtual void move_clock(const Cause&, bool /*waiting*/, double /*begin*/, double /*end*/) {}
  // An end of a message is called, and the process goes on; `is_done`: nothing of it is left to the background.
  virtual void begin_call(std::uint32_t /*process*/, const void* /*message*/, const ir::Statement&, double /*time*/) {}
  virtual void end_call(std::uint32_t /*process*/, double /*time*/, bool /*is_done*/) {}
  // A wait takes what is left of an end.
  virtual void begin_wait(std::uint32_t /*process*/, const void* /*message*/, const ir::Statement&, double /*time*/) {}
  virtual void end_wait(std::uint32_t /*process*/, double /*time*/) {}
  // Those of one server in the order of time.
  virtual void serve(const Service&) {}
};

}  // namespace wave::backend::processes
