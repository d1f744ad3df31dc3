// Records what processes do when, as slices of time and arrows between them, for pictures of small grids.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/input.h"

#include <functional>
#include <vector>

namespace wave::backend::processes {

struct Slice {
  enum class Kind : std::uint8_t {
    phase,
    call,     // of a message, up to where the process goes on
    wait,     // for what a call has left to the background
    stretch,  // computation, overhead, waiting: nothing is inside it
  } kind{};
  std::uint32_t process = 0;                 // its rank, from 0
  double begin = 0, end = 0;                 // ps
  const ir::Statement* statement = nullptr;  // not of a phase
  ir::PhaseId phase;                         // of a phase
  Cause::Kind cause{};                       // of a stretch; of waiting: for what
  bool waiting = false;                      // of a stretch
};

// What a process is doing, as people call it: "compute", "wait for data".
const char* slice_kind(const Slice& slice);

// A message, from the call of its send to its arrival at a process that waits for it or takes it up. Both times are in
// their slices, numbers in `slices`; the end is before that of a slice that takes time.
struct Arrow {
  std::size_t from = 0, to = 0;
  double begin = 0, end = 0;
};

struct Timeline {
  std::vector<Slice> slices;  // by process, in the order in which they begin, the outer before the inner
  std::vector<Arrow> arrows;
  // Of resources that processes share by a level, where one of these is wanted; those of one server in the order of
  // time, without those that take none.
  std::vector<Service> services;
};

// `is_wanted` is asked of a rank before each slice and service, with the number of these so far, and may throw. What
// goes on in the background or on arrival is not shown, only what the process itself is busy with or waits for, and
// what shared resources do.
Timeline record_timeline(const ProgramInput& input,
                         const std::function<bool(std::uint32_t process, std::size_t slices)>& is_wanted);

}  // namespace wave::backend::processes
