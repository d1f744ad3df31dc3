// Processes: what every processor of a grid does, in program order. This is the meaning (a process network): each
// process runs its own program, and a signal is delivered to the message it belongs to. No statement looks at a time;
// only resources serve by time, so without them the result does not depend on the order of evaluation. Protocols stand
// at both ends of a message as little programs (`MessageEnds`); procedures and the algorithms of collectives are
// written out in place.
//
// Every process starts at time 0 with its clock there. Times are weights: each is rounded to the quantum of the
// process by itself (ir/exact.h), and none may be negative; Check nodes see to that where they are lowered.
#pragma once

#include "ir/ids.h"
#include "ir/place.h"
#include "ir/scalar.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::ir {

using EndsId = Id<struct EndsTag>;
using BlockId = Id<struct BlockTag>;    // of a process: Process::blocks
using HandleId = Id<struct HandleTag>;  // Process::handles

// ---- what a message does at its two ends ------------------------------------------------------------------------

// One step of an end. Steps run in order on the clock of their end.
//   busy     the processor is occupied for `time`
//   emit     the signal reaches the other end `time` later; by a resource: `time` after the resource served it, which
//            is then occupied for `occupied`. The end goes on at once
//   await    waits for the signal; by a resource, which is asked when the signal arrives: until it is served, which
//            occupies the resource for `occupied`
//   acquire  waits until the resource and, but for the background, the processor are both free; occupies the resource
//            for `occupied`. A `busy` follows, with nothing but `emit`s between: what the processor is needed for
//   arrival  when the signal arrives, the processor is occupied for `time`, and with a resource that for `occupied`,
//            as soon as both are free. Stands anywhere in its end: it is no step of the program; the `await` of the
//            signal passes when that begins
// Who is served first is said in docs/processes.md. Each process has its own resources, free at time 0.
struct Step {
  enum class Kind : std::uint8_t { busy, emit, await, acquire, arrival } kind{};
  std::uint32_t signal = 0;               // of emit, await, arrival: Protocol::signals
  std::optional<std::uint32_t> resource;  // MessageEnds::resources; of an acquire always
  ValueId time;                           // of busy, emit, arrival; not valid: none
  ValueId occupied;                       // with a resource; not valid: none
  Place place;
  SiteId site;  // weight_not_finite
};

struct Protocol {
  std::string name;
  ValueId condition;                 // boolean; not valid: always
  ValueId window;                    // integer k; not valid: none. See MessageEnds.
  std::vector<std::string> signals;  // a signal that is called `payload` carries the data, others are handshake
  std::vector<Step> sender, receiver;
  Place place;
};

// The protocols of a machine in the order in which they are tried, in a frame of its own whose two parameters are the
// size of the message in bytes (real, not negative) and whether its two ends share a node (boolean). Both ends of
// a message take the protocol that the sender's size and `local` select.
// A window k: a sender that comes to its k-th message or a later one of this protocol to the same peer (the same
// channel, see Message) first waits until the k-th message before has been received: until its receiver has
// finished the receiver's steps.
struct MessageEnds {
  std::string name;  // of the machine: `net`
  FrameId frame;
  ParameterId size, local;
  std::vector<Protocol> protocols;
  std::vector<std::string> resources;
  SiteId site;  // error_called: no protocol's condition holds
};

// ---- statements --------------------------------------------------------------------------------------------------

// The other end of a message.
//   offset   the process at a distance, coordinate by coordinate. Off the grid (an axis that does not wrap): the
//   message
//            is neither sent nor received, and size, tag and `local` are not looked at.
//   place    the process with these coordinates, from 1. Off the grid: fails at `site` (index_off_grid).
// Coordinates are those of the grid (one per axis) or, with `by_rank`, one number: the rank in row-major order from 1,
// where the last axis runs fastest.
struct Peer {
  enum class Kind : std::uint8_t { offset, place } kind{};
  bool by_rank = false;
  std::vector<ValueId> coordinates;  // integers
  SiteId site;
};

// Messages meet on channels. A channel is: the sender, the receiver, `context` (of the program itself or of one
// collective's algorithm), the tag, and, where the peer is an offset, the offset as the sender wrote it (the receiver
// wrote its opposite) and `by_rank`. On a channel the k-th send meets the k-th receive. A receive that
// gives another size than its send is an error (size_mismatch).
struct Message {
  enum class Side : std::uint8_t { send, receive } side{};
  // isend, irecv: what comes before the first `await` of its end happens at the call. The rest goes on in the
  // background, from the clock at the call: a `busy` before a later `emit` only delays it, and the `busy` after the
  // last emit is charged at the wait, once everything awaited has come.
  bool background = false;
  HandleId handle;  // of background operations; not valid: only `waitall` waits for it
  EndsId ends;
  ValueId size;   // real, bytes; of a receive not valid: what is sent
  ValueId local;  // boolean: do the two ends share a node?
  ValueId tag;    // integer; not valid: 0
  Peer peer;
  std::uint32_t context = 0;  // 0: the program's own messages
};

struct Compute {
  ValueId time;
};
// Waits for the pending operations of this name, or for all, in the order of their calls. Waiting for nothing is
// nothing.
struct Wait {
  HandleId handle;
};  // not valid: waitall

// The body is run for tile 1 ... tiles. Of several fronts the blocks are served by ascending (hops from the corner +
// tile), ties in the order of the list; hops: the sum over the axes of the distance to the corner's end. A front is a
// corner and the body as lowered for it: `upwind` and `downwind` are offsets, and `corner` is a constant. A sweep from
// several corners in turn is several sweeps.
struct Front {
  std::vector<bool> rising;  // per axis: does it start at the low end?
  BlockId body;
};
struct Sweep {
  ValueId tiles;  // integer, not negative (a Check sees to it)
  BinderId tile;
  std::vector<Front> fronts;  // one, or all at once
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
// A collective as a cost, of all processes or of each line along an axis. `none`: no participant is done before
// its `cost` has passed since the last one arrived. `from`: since the root arrived, nor before it arrived itself.
// `to`: the root waits until its `cost` has passed since the last one arrived, the others go on at once.
// The root is the first participant. `cost` is that of the participant that looks at it.
struct Collective {
  std::string name;
  ValueId cost;
  enum class Root : std::uint8_t { none, from, to } root{};
  std::optional<std::uint32_t> along;  // axis
};

struct Statement {
  std::variant<Compute, Message, Wait, Sweep, Loop, Branch, Phase, Collective> node;
  Place place;
  SiteId site;  // weight_not_finite, of compute and collectives
};
using Block = std::vector<Statement>;

// A block may be used at several places (a sweep from the same corner twice).
struct Process {
  std::string name;  // `transport`, `net.barrier`
  FrameId frame;
  SpaceId space;  // its axes start at 1; their binders are the process's indices
  Place place;
  BlockId body;
  std::vector<Block> blocks;
  std::vector<std::string> handles, phases;
};

}  // namespace wave::ir
