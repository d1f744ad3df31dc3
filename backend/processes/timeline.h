// What processes do when: every stretch of computation, overhead and waiting, for a picture of small grids.
#pragma once

#include "backend/processes/network.h"
#include "backend/processes/network_times.h"

#include <functional>

namespace wave::backend::processes {

struct Stretch {
  std::uint32_t process = 0;  // its rank, from 0
  Cause::Kind kind{};         // of waiting: for what
  bool waiting = false;
  const ir::Statement* statement = nullptr;
  double begin = 0, end = 0;  // ps
};

// Calls `show` for the stretches of every process in its own order, those of different processes mixed. What goes on in
// the background is not shown, only what the process itself is busy with or waits for.
void record_timeline(const NetworkInput& input, const std::function<void(const Stretch&)>& show);

}  // namespace wave::backend::processes
