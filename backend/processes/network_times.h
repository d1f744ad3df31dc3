// What a clock of the network can be.
#pragma once

#include "backend/processes/resolved_ends.h"
#include "ir/process.h"

#include <cstdint>

namespace wave::backend::processes {

// Why a clock moves.
struct Cause {
  enum class Kind : std::uint8_t { compute, overhead, gap, wire, handshake, collective } kind{};
  std::uint32_t process = 0;  // row-major from 0
  const ir::Statement* statement = nullptr;
  // Of a step of a message: which (not that of a `busy` charged at a wait).
  const ResolvedEnds* ends = nullptr;
  const ResolvedStep* step = nullptr;
};

// Clocks that are just times, in ps. Others have the same members.
struct PlainTimes {
  using Clock = double;  // Clock{} is the beginning of everything
  // Are causes looked at?
  static constexpr bool needs_causes = false;

  static double time(const Clock& clock) { return clock; }
  void advance(Clock& clock, double time, const Cause&) { clock += time; }
  // The later of the two; at a tie `clock` as it is. `cause`: what waits, and for a signal of which kind.
  void join(Clock& clock, const Clock& other, const Cause&) { clock = other > clock ? other : clock; }
};

}  // namespace wave::backend::processes
