// Processes: what every processor of a grid does, in program order. This is their meaning (a process network): each
// process runs its own program, and a signal is delivered to the message that it belongs to. No statement looks at a
// time, but for `waitany` (Wait) and lists of tasks (Ready), which go on with what comes first. Resources serve by
// time. Without all these, the result does not depend on the order of evaluation. Protocols are little programs at both
// ends of a message (`MessageEnds`). Procedures and the algorithms of collectives are written out in place.
//
// Every process starts with its clock at 0. Times are weights: each is rounded to the quantum of the process by itself
// (ir/exact.h). None may be negative, which Check nodes ensure where the times are lowered.
#pragma once

#include "ir/ids.h"
#include "ir/location.h"
#include "ir/scalar.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::ir {

using EndsId = Id<struct EndsTag>;
using BlockId = Id<struct BlockTag>;    // of a process: Process::blocks
using HandleId = Id<struct HandleTag>;  // Process::handles
using CallId = Id<struct CallTag>;      // Process::calls
using HeldId = Id<struct HeldTag>;      // Process::held

// ---- what a message does at its two ends ------------------------------------------------------------------------

// One step of an end. Steps run in order on the clock of their end.
//   busy     occupies the processor for `time`
//   emit     the signal reaches the other end `time` later. With uses: `time` after the last of them was served.
//            The end goes on at once
//   await    waits for the signal. With uses, the first of which is asked for when the signal arrives: until the
//            last of them is served, and `time` longer: the signal arrives with its first byte, and passes with its
//            last
//   sent     waits until `time` after the last use of the `emit` of the signal, at the same end, was served: until its
//            bytes have left. That emit stands before it. Where it has no uses: `time` after the end came to it
//   acquire  waits until its one use and, except in the background, the processor are both free. A `busy` follows, with
//            nothing but `emit`s between: it needs the processor
//   arrival  when the signal arrives, occupies the processor for `time` and, with a use, the resource, as soon as both
//            are free. It may stand anywhere in its end, since it is not a step of the program. The `await` of the
//            signal passes when this begins
// Of several uses each is asked for when the one before is served. docs/processes.md says who is served first. All
// resources are free at time 0.
struct Use {
  std::uint32_t resource = 0;  // MessageEnds::resources
  ValueId occupied;            // how long it serves this
  ValueId number;              // integer, from 0; not valid: there is one
};
struct Step {
  enum class Kind : std::uint8_t { busy, emit, await, sent, acquire, arrival } kind{};
  std::uint32_t signal = 0;  // of emit, await, sent, arrival: Protocol::signals
  std::vector<Use> uses;     // of emit and await any number, of an acquire one, of an arrival at most one
  ValueId time;              // of busy, emit, sent, arrival, and of an await with uses; not valid: none
  Location location;
  SiteId site;  // weight_not_finite
};

// Does an end wait there for something that is not there yet? In the background such a step begins what is done there.
constexpr bool is_awaiting(Step::Kind kind) { return kind == Step::Kind::await || kind == Step::Kind::sent; }

struct Protocol {
  std::string name;
  ValueId condition;                 // boolean; not valid: always
  ValueId window;                    // integer k; not valid: none. See MessageEnds.
  std::vector<std::string> signals;  // a signal that is called `payload` carries the data, others are handshake
  std::vector<Step> sender, receiver;
  Location location;
};

// Something that processes may share: a node, a switch. Levels have the same number in all machines and processes.
struct LevelName {
  std::int64_t number = 0;  // from 1
  std::string name;
};

// Serves one request at a time, or as many as it has servers. The processes of a level share it. `count` of them stand
// side by side, and a use says by number which it means.
struct Resource {
  std::string name;
  std::optional<std::uint32_t> level;  // MessageEnds::levels; none: each process has its own
  ValueId count, servers;              // integers of at least 1; not valid: 1
  Location location;
};

// The protocols of a machine in the order in which they are tried, in a frame of their own. Its four parameters are, in
// this order, the size of the message in bytes (real, not negative), the number of the innermost level of the machine
// that its ends share (0: none), and the ranks of its sender and receiver in row-major order from 0. Both ends of a
// message take the protocol that the sender's size and the others select. With a window k, a sender that comes to its
// n-th message of this protocol to the same peer (the same channel, see Message), n > k, first waits until the (n -
// k)-th has been received, that is, until its receiver has finished the receiver's steps.
struct MessageEnds {
  std::string name;  // of the machine: `net`
  FrameId frame;
  ParameterId size, within, sender, receiver;
  bool reads_ranks = false;  // whether anything depends on the last two
  // Where processes have machines of several kinds, `within` also has the number of the pair of kinds, above this.
  static constexpr std::int64_t most_levels = 1024;
  static std::int64_t level_of(std::int64_t within) { return within % most_levels; }
  std::vector<LevelName> levels;  // that the machine knows, the innermost first
  std::vector<Protocol> protocols;
  std::vector<Resource> resources;
  SiteId site;  // error_called: no protocol's condition holds
};

// ---- statements --------------------------------------------------------------------------------------------------

// The other end of a message.
//   offset   the process at a distance, coordinate by coordinate. If it is off the grid (on an axis that does not
// wrap),
//            the message is neither sent nor received, and size, tag and `within` are not looked at
//   place    the process with these coordinates, from 1. If it is off the grid, this fails at `site` (index_off_grid)
//   member   the same, but the program wrote an offset among the members of a group, which the grid may put anywhere
// Coordinates are those of the grid (one per axis) or, with `by_rank`, one number: the rank in row-major order from 1,
// where the last axis runs fastest.
struct Peer {
  enum class Kind : std::uint8_t { offset, place, member } kind{};
  bool by_rank = false;
  std::vector<ValueId> coordinates;  // integers
  SiteId site;
};

// Messages meet on channels. A channel is: the sender, the receiver, `context` (of the program itself or of one
// collective's algorithm), the tag, the kind of the peer, and, where that is an offset, the offset as the sender wrote
// it (the receiver wrote its opposite) and `by_rank`. On a channel the k-th send meets the k-th receive. A receive that
// gives another size than its send is an error (size_mismatch).
struct Message {
  enum class Side : std::uint8_t { send, receive } side{};
  // isend, irecv: what comes before the first await (or sent) of its end happens at the call. The rest goes on in the
  // background, from the clock at the call: a `busy` before a later `emit` only delays it, and the `busy` after the
  // last emit is charged at the wait, once everything awaited has come.
  bool background = false;
  HandleId handle;       // of background operations; not valid: only `waitall` waits for it
  bool of_task = false;  // only its task waits for it, see Ready
  EndsId ends;
  ValueId size;              // real, bytes; of a receive not valid: what is sent
  ValueId within;            // integer: the level that the two ends share, and their kinds; see MessageEnds
  ValueId sender, receiver;  // integers: ranks from 0; valid where MessageEnds::reads_ranks
  ValueId tag;               // integer; not valid: 0
  Peer peer;
  std::uint32_t context = 0;  // 0: the program's own messages
};

struct Compute {
  ValueId time;
};
// Waits for the pending operations of these names, or of all, in the order of their calls; or for the first of them
// that ends, the first by its call of several that end at one moment. If there are none, it does nothing.
struct Wait {
  std::vector<HandleId> handles = {};  // none: waitall
  bool is_any = false;                 // waitany, which has names
  bool means(HandleId handle) const {
    return handles.empty() || std::find(handles.begin(), handles.end(), handle) != handles.end();
  }
};

// A list of tasks, which stand in loops and branches of the block. All of it is walked when the process comes there:
// what a task receives is called then, in the background, and its priority is evaluated. Whenever the process is free,
// it takes one of the tasks whose messages have all arrived: of the highest priority, and of these the first in the
// list. If there is none, it waits for the earliest. Then it waits for these messages as `wait` does, and runs the
// body.
struct Ready {
  BlockId tasks;
};
struct Task {
  BlockId receives;
  ValueId priority;  // real
  BlockId body;
};

// Runs the body for tile 1 ... tiles. The blocks of several fronts are served by ascending (hops from the corner +
// tile), and ties in the order of the list. Hops are the sum over the axes of the distance to the corner's end. A front
// is a corner and the body as lowered for it: `upwind` and `downwind` are offsets, and `corner` is a constant. A sweep
// from several corners in turn is several sweeps.
struct Front {
  std::vector<bool> rising;  // for each axis, whether the front starts at the low end
  BlockId body;
};
struct Sweep {
  ValueId tiles;  // integer; a Check ensures that it is not negative
  BinderId tile;
  std::vector<Front> fronts;  // one front, or several that run at once
};

struct Loop {
  std::vector<Level> levels;
  BlockId body;
};  // `repeat`, `for`
struct Branch {
  ValueId condition;
  BlockId then_block, else_block;
};  // either may be not valid: nothing
struct Phase {
  PhaseId phase;
  BlockId body;
};
// A collective as a cost, of all processes or of each line along an axis. `none`: no participant goes on before its
// `cost` has passed since the last one arrived. `from`: before it has passed since the root arrived, nor before the
// participant arrived itself. `to`: the root waits until its `cost` has passed since the last one arrived, and the
// others go on at once. The root is the first participant. Each participant evaluates its own `cost`.
struct Collective {
  std::string name;
  ValueId cost;
  enum class Root : std::uint8_t { none, from, to } root{};
  std::optional<std::uint32_t> along;  // axis
};

// Where the program itself calls a collective operation, whether that is a cost or an algorithm. For counts, it happens
// with the statement that it is written at; no time looks at it.
struct CollectiveCall {
  std::string name;  // with that of the machine: `net.allreduce`
  Location location;
  ValueId size;                   // real, bytes: what this process gives; not valid: it is called without a size
  ValueId participants;           // integer
  std::vector<ValueId> is_first;  // booleans that all hold for the first of the participants, and only for it
};

// Memory that a process takes, or gives back, before it comes to the statement that this is written at. No time looks
// at it.
struct Held {
  MemoryId memory;
  ValueId size;  // real, bytes; a Check ensures that it is not negative
  bool is_released = false;
  SiteId site;  // released_more
};

struct Statement {
  std::variant<Compute, Message, Wait, Ready, Task, Sweep, Loop, Branch, Phase, Collective> node;
  Location location;
  SiteId site;                 // weight_not_finite, of compute and collectives
  CallId call{};               // the call that begins with this statement; not valid: none
  std::vector<HeldId> held{};  // in this order
};
using Block = std::vector<Statement>;

// What processes share on a level: those of which `group` is equal share it.
struct SharedLevel {
  LevelName level;
  ValueId group;  // integer, of the process's indices
  Location location;
};

// Several statements may use one block (a sweep from the same corner twice).
struct Process {
  std::string name;  // `transport`, `net.barrier`
  FrameId frame;
  SpaceId space;                    // its axes start at 1; their binders are the process's indices
  std::vector<SharedLevel> levels;  // the innermost first: each lies within the next
  Location location;
  BlockId body;
  std::vector<Block> blocks;
  std::vector<std::string> handles, phases;
  std::vector<CollectiveCall> calls;
  std::vector<Held> held;
  std::vector<std::string> memories;
};

}  // namespace wave::ir
