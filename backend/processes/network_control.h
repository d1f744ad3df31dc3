// Knows where all processes of a network stand: everything but the times. Once nothing moves any more, none of it
// depends on the order in which processes were run or resources served.
#pragma once

#include "backend/processes/network_program.h"
#include "backend/processes/peers.h"
#include "backend/processes/resolved_ends.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace wave::backend::processes::network {

using Number = std::uint32_t;  // of a process (row-major from 0), a channel, a message, an operation
inline constexpr Number none = 0xffffffff;
using Side = ir::Message::Side;
inline constexpr std::size_t number_of(Side side) { return side == Side::send ? 0 : 1; }
inline constexpr Side other(Side side) { return side == Side::send ? Side::receive : Side::send; }

inline const std::vector<ResolvedStep>& steps_of(const ResolvedEnds& ends, Side side) {
  return side == Side::send ? ends.sender : ends.receiver;
}

struct Standing {
  Counter counter = 0;
  Number message = none;                             // in whose steps it is
  std::uint32_t step = 0;                            // the next one
  Number first_pending = none, last_pending = none;  // operations in the background, in the order of their calls
  std::uint32_t calls = 0;                           // messages so far
  std::uint32_t rounds = 0;                          // collectives that it has left
  Number window_of = none;                           // the process whose reception it waits for before a message
  bool has_arrived = false;                          // at the collective where it stands
  bool is_asking = false, is_served = false;         // its program for the processor
  bool has_processor = false;                        // for the `busy` that comes, from an `acquire`
  bool is_queued = false, is_finished = false;
};

// A message from the call of its first end until both ends are done.
struct Envelope {
  struct End {
    const ir::Statement* statement = nullptr;
    const ResolvedEnds* ends = nullptr;  // null: not known yet (a receive without a size)
    Number process = none;
    std::uint32_t call = 0;  // which of the process's messages it is
    bool is_posted = false, is_done = false;
  };
  End ends[2];              // by number_of(side)
  double size[2] = {0, 0};  // bytes; not a number: what is sent
  Number channel = none;
  Number next = none;  // on its channel, among those whose other end has not come; or in the free list
  bool is_mismatched = false;
  std::uint32_t departures = 0;  // requests of it that nobody waits for and that have not been served
  std::uint64_t ordinal = 0;     // among the messages of its protocol on the channel, where there is a window
};

// A message in the background. A process's are in the order of their calls.
struct Operation {
  Number process = none, message = none, next = none;
  Side side{};
  ir::HandleId handle;
  std::uint32_t step = 0;
  bool is_awaited = false;   // some wait may come for it
  bool is_complete = false;  // but for what is charged at the wait
  bool is_asking = false;    // for a resource
};

struct Channel {
  Number sender = none, receiver = none, kind = none;
  std::int32_t ahead = 0;            // sends less receives that have been called
  Number first = none, last = none;  // messages with one end, in order
};

// What tells channels between the same processes apart: context, tag, and how the peer was written.
using ChannelKey = std::vector<std::int64_t>;
inline constexpr std::size_t tag_in_key = 1;

class Channels {
 public:
  Number kind(const ChannelKey& key) {
    const auto [found, is_new] = kinds_.try_emplace(key, static_cast<Number>(kinds_.size()));
    if (is_new) tags_.push_back(key[tag_in_key]);
    return found->second;
  }
  std::int64_t tag(Number kind) const { return tags_[kind]; }
  Number find(Number sender, Number receiver, Number kind);
  Number count() const { return static_cast<Number>(channels_.size()); }
  Channel& operator[](Number channel) { return channels_[channel]; }
  const Channel& operator[](Number channel) const { return channels_[channel]; }
  // How many bytes the next `find` may need beyond those in use.
  std::size_t growth() const;

 private:
  static std::uint64_t hash(Number sender, Number receiver, Number kind);
  void rehash();
  std::map<ChannelKey, Number> kinds_;
  std::vector<std::int64_t> tags_;  // by kind
  std::vector<Channel> channels_;
  std::vector<Number> table_;  // open addressing; a power of two
};

// The statements of the other ends of messages. Those of one statement usually meet the same one.
struct OtherEnds {
  std::map<const ir::Statement*, const ir::Statement*> usual;
  // All others: by process and which of its messages it is.
  std::map<std::pair<Number, std::uint32_t>, const ir::Statement*> unusual;
  static constexpr std::size_t bytes_each = 128;  // of those, with all that a map needs
};

struct Control {
  Control(const ir::System& system_, const ir::Process& process_, const Places& places_, Bytecode program_)
      : system(system_), process(process_), places(places_), program(std::move(program_)) {}

  const ir::System& system;
  const ir::Process& process;
  const Places& places;
  const Bytecode program;
  std::vector<Standing> standing;
  std::vector<Envelope> messages;
  std::vector<Operation> operations;
  Channels channels;
  Number free_message = none, free_operation = none;
  std::uint64_t finished = 0;
  std::uint64_t one_sided = 0;       // messages of which one end has been called
  std::optional<Envelope> mismatch;  // of those whose sizes differ the first, by receiver and its program

  // Everything has come to its end, and no message is on its way.
  bool is_complete() const { return finished == standing.size() && one_sided == 0 && !mismatch; }
  // The same, and no operation is pending.
  bool is_quiet() const;
};

// Where all processes have called all their messages: sizes that differ, or a message without its other end; of
// several, the first by process and program order.
std::optional<ir::Failure> explain_messages(const Control& control);
// Where nothing moves and a process has not finished though all messages match: who waits for whom.
ir::Failure explain_deadlock(const Control& control);
// Either.
ir::Failure explain(const Control& control);

}  // namespace wave::backend::processes::network
