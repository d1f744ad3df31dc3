// What the machine code of programs and its runtime share. The code knows the places of these members
// (backend/jit/programs/), and leaves everything else to the runtime.
#pragma once

#include "ir/process.h"

#include <cstddef>
#include <cstdint>

namespace wave::backend::processes::engine {

using Number = std::uint32_t;  // of a process (row-major from 0), an operation, a kind of channel
inline constexpr Number none = 0xffffffff;
using Side = ir::Message::Side;
inline constexpr std::size_t number_of(Side side) { return side == Side::send ? 0 : 1; }
inline constexpr Side other(Side side) { return side == Side::send ? Side::receive : Side::send; }

// A message from the call of its first end until both ends are done. Zero: it has not been called.
struct Message {
  std::uint16_t ends = 0;          // a number, from 1; 0: not known yet
  std::uint8_t done = 0;           // a bit a side
  std::uint8_t in_background = 0;  // a bit a side: there is an operation
  bool is_done() const { return done == 3; }
};
inline constexpr std::uint8_t bit_of(Side side) { return static_cast<std::uint8_t>(1u << number_of(side)); }

// A channel, where messages meet. Those on their way lie in a ring: `Message`, then the times at which their awaits may
// pass (NaN: not known yet), await by await, so that protocols with few awaits touch little.
struct Ring {
  Message* messages = nullptr;
  std::uint32_t capacity = 0;        // messages; a power of two, or 0
  std::uint32_t oldest = 0;          // that is not done at both ends
  std::uint32_t called[2] = {0, 0};  // by side: how many
  Number process[2] = {none, none};  // by side, where it waits
  std::uint8_t waits[2] = {0, 0};    // by side, 1: its process stands here until something happens
  std::uint8_t is_full = 0;          // 1: somebody waits for room
  bool is_listed = false;            // among those that may be full
  Number window = none;              // the first of its windows

  Message& message(std::uint32_t ordinal) const { return messages[ordinal & (capacity - 1)]; }
  double& passes(std::uint32_t ordinal, std::uint32_t await) const {
    auto* const times = reinterpret_cast<double*>(messages + capacity);
    return times[std::size_t{await} * capacity + (ordinal & (capacity - 1))];
  }
};

// What a message of one size does, for code.
struct EndsForCode {
  std::uint32_t protocol = 0;                   // MessageEnds::protocols
  std::uint32_t awaits = 0;                     // of both ends, a bit each
  const double* times[2] = {nullptr, nullptr};  // by side: of its steps, ps, on the quantum
};

// What a message statement whose channels are the same for all processes, always, has found last.
struct SiteForCode {
  std::byte* first = nullptr;  // the channel of the first receiver, in row-major order; null: nothing yet
  std::size_t stride = 0;      // bytes from there to that of the next
  double size = 0;
  std::uint32_t within = 0;
  std::uint32_t ends = 0;         // of that size; 0: nothing yet
  const double* times = nullptr;  // as in `EndsForCode`, of its side
  std::uint32_t protocol = 0;
};

// Where a process stands. Behind it lie 8 bytes for each coordinate (from 1), then 8 for each slot of its program
// (program/bytecode.h), then its pending operations, then channels on which it receives.
struct Standing {
  double clock = 0;               // ps
  std::uint32_t place = 0;        // where its program goes on: see `EntryPoint`
  Number rank = 0;                // row-major from 0
  Number block = 0;               // of the processes that are run together
  Number next = none;             // in the queue of its block
  Ring* channel = nullptr;        // of the message in whose steps it is
  std::uint32_t ordinal = 0;      // of that message on the channel
  std::uint32_t step = 0;         // the next one of its end
  std::uint32_t calls = 0;        // in the background, so far
  std::uint32_t rounds = 0;       // collectives that it has left
  std::uint32_t choice_bits = 0;  // of `choices`, in use
  std::uint32_t steps = 0;        // of no duration since it reached its clock; counted where there are resources
  std::uint64_t choices = 0;      // recording.h
  bool is_queued = false, is_finished = false;
  bool has_arrived = false;        // at the collective where it stands
  bool waits_for_pending = false;  // something in the background
};

// Code is entered at an instruction from its beginning, or behind the call of a message, in its steps.
struct EntryPoint {
  static constexpr std::uint32_t begin(std::uint32_t instruction) { return 2 * instruction; }
  static constexpr std::uint32_t in_steps(std::uint32_t instruction) { return 2 * instruction + 1; }
};

// What a call of the runtime leads to.
enum class Outcome : std::int32_t {
  goes_on = 0,
  failed = 1,
  waits = 2,  // behind the call
  again = 3,  // the call has to be made again, later
  pays = 4,   // of a collective: its cost is asked for
};

struct Shared;

// The runtime, as code calls it. `site`: the number of the instruction. `key`: the tag, and the coordinates as written.
struct Calls {
  // A computation, on the quantum, where resources serve by time and the processor is one of them.
  Outcome (*compute)(Shared*, Standing*, double time) = nullptr;
  void (*note_rounding)(Shared*, Standing*, double time, double rounded);
  // The rank of a peer that is not found by offsets on the axes; -1: there is none, -2: it failed.
  std::int64_t (*find_peer)(Shared*, Standing*, std::uint32_t site, const std::int64_t* key);
  // Calls an end of a message and takes its steps. `size` means nothing where the message has none.
  Outcome (*communicate)(Shared*, Standing*, std::uint32_t site, Number peer, double size, std::int32_t within,
                         const std::int64_t* key);
  // Goes on in the steps of the message where the process stands.
  Outcome (*go_on_with_message)(Shared*, Standing*, std::uint32_t site);
  // What is left of that message is done in the background.
  Outcome (*leave_in_background)(Shared*, Standing*, std::uint32_t site);
  // An end of a message, that process's or the other, is told that something has happened to it.
  void (*tell)(Shared*, Ring*, std::uint32_t ordinal, std::uint32_t side);
  // One end of the message is done, and the other was.
  void (*make_room)(Shared*, Ring*);
  // Of a run that records: the word of choices is full.
  std::int32_t (*keep_choices)(Shared*, Standing*);
  Outcome (*await_pending)(Shared*, Standing*, std::uint32_t site);
  // Lists of tasks. `slots`: of the process, from the first.
  Outcome (*begin_task)(Shared*, Standing*, std::uint32_t site, double priority, const std::int64_t* slots);
  Outcome (*take_task)(Shared*, Standing*, std::uint32_t site, std::int64_t* slots);
  Outcome (*synchronise)(Shared*, Standing*, std::uint32_t site);
  Outcome (*pay)(Shared*, Standing*, std::uint32_t site, double cost);
  void (*leave_phase)(Shared*, Standing*, std::uint32_t phase, double entered);
  // Null: nobody asks where phases begin.
  void (*enter_phase)(Shared*, Standing*, std::uint32_t phase) = nullptr;
  // Loops: whether there is an iteration, or that it fails. `slots`: the variable, its last value, its step.
  std::int32_t (*enter_loop)(Shared*, Standing*, std::int64_t* slots, std::int32_t geometric);
  std::int32_t (*next_iteration)(Shared*, Standing*, std::int64_t* slots, std::int32_t geometric);
};

struct Shared {
  Calls calls;
  const std::int64_t* extents = nullptr;  // by axis
  const SiteForCode* sites = nullptr;     // by instruction
  const EndsForCode* ends = nullptr;      // by number less 1
  double quantum = 0;
  std::uint64_t operations = 0;  // computations so far
};

// The program of one process, from where it stands until it waits. 1: it has failed.
using Code = std::int32_t (*)(void* context, void* record, Shared* shared, Standing* standing);

struct ProgramCode {
  Code code = nullptr;
  void* context = nullptr;  // handed to it
  void* record = nullptr;
  std::int32_t operator()(Shared& shared, Standing& standing) const {
    return code(context, record, &shared, &standing);
  }
};

}  // namespace wave::backend::processes::engine
