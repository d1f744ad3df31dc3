// Pieces of sweeps as streams.h runs them: the operations of one process, what its neighbours send it, and what it asks
// for itself.
#pragma once

#include "backend/processes/bulk/services.h"
#include "backend/processes/bulk/sweep_form.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace wave::backend::processes {

// Where senders are, seen from the receiver: distances on the grid, numbered by the ranks that lie between them. So of
// two senders the one in the lower direction has the lower rank.
class Directions {
 public:
  static constexpr std::size_t most = 32;
  Directions(const PlanGrid& grid, std::vector<std::vector<std::int64_t>> offsets);
  std::size_t count() const { return offsets_.size(); }
  std::uint32_t of(const std::vector<std::int64_t>& offset) const;
  // The direction of the process itself, to which its own requests go. `none`: no process has any.
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t self() const { return self_; }
  std::int64_t ranks(std::size_t direction) const { return ranks_[direction]; }
  // A bit for each direction in which the process has somebody.
  std::uint32_t of_process(std::size_t process) const { return there_[process]; }
  std::size_t bytes() const { return there_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::vector<std::int64_t>> offsets_;
  std::vector<std::int64_t> ranks_;
  std::vector<std::uint32_t> there_;
  std::uint32_t self_ = none;
};

// An operation of one process; those that it does not come to are left out, and those of a message are put together.
struct StreamOperation {
  enum class Kind : std::uint8_t {
    add,      // target += weight
    copy,     // target = source + weight
    join,     // target = max(target, source + weight)
    emit,     // source + weight goes to `stream`
    take,     // target = signal + weight
    await,    // target = max(target, signal + weight)
    receive,  // the same with the clock, and clock += after
    request,  // source + weight goes to the process's own stream; when it is served, something goes to `then`
    send,     // clock += before; target = max(target, clock); target + weight goes to `stream`; target += after
  } kind{};
  bool is_never = false;  // of a signal: its time changes nothing
  std::uint32_t target = 0, source = 0;
  std::uint32_t direction = 0;        // of a signal: StreamPiece::slots
  std::uint32_t slot = 0, slots = 0;  // of a signal that is awaited: which of those of a tile, of how many
  std::int64_t stream = 0, then = 0;  // from the first stream of the process to the one that it goes to
  double before = 0, weight = 0, after = 0;
  double fixed = 0;                  // the weight without what varies by tile
  std::uint32_t of_body = 0;         // SweepBody::operations; of several the last one that counts for `work`
  std::uint32_t by_tile = no_table;  // StreamCode::by_tile: what is to be added to the weight
  static constexpr std::uint32_t no_table = 0xffffffff;
};

struct StreamCode {
  std::vector<StreamOperation> operations;
  std::vector<std::vector<const double*>> by_tile;
  std::vector<std::int64_t> streams;   // where something is sent to
  std::vector<std::uint32_t> arrives;  // by direction: the signals of a tile
  bool is_whole = true;                // something is sent behind every request
};

// Who serves: a resource, and whether it is asked by what arrives or by the programs of its processes.
struct StreamKind {
  ResourceKey resource;
  bool on_arrival = false;
  friend bool operator==(const StreamKind&, const StreamKind&) = default;
};

// A signal that arrives from one direction in every tile, in the order in which they are sent; or a request of the
// process itself.
struct StreamSlot {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  const PlannedService* service = nullptr;  // null: nothing serves it
  std::size_t kind = 0;                     // of what does
  std::size_t emit = 0;                     // SweepBody::operations: where it is sent, or where the request is made
  std::size_t await = nothing;              // where it is awaited
  std::size_t then = nothing;               // what is sent when the request is served
  bool is_sent = false;                     // everywhere, unless that varies by process
};

class StreamPiece {
 public:
  // Null: refused. Something is served in another way than where it arrives or before it leaves, or leaves before its
  // sender has come to it. `kinds`: those that serve, found or added.
  static std::shared_ptr<StreamPiece> of(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising,
                                         const PlanGrid& grid, std::vector<StreamKind>& kinds);
  void add_offsets(std::vector<std::vector<std::int64_t>>& offsets) const;
  // Refused where signals from one direction are sent in another order than that of their calls.
  [[nodiscard]] bool number(const Directions& directions);

  const SweepPiece& piece() const { return *piece_; }
  std::int64_t tiles() const { return call_.tiles; }
  const std::vector<StreamSlot>& slots(std::size_t direction) const { return slots_[direction]; }
  // Of what arrives from there. `of_nobody` where nothing serves it.
  static constexpr double of_nobody = -1;
  double occupied(const StreamSlot& slot, std::size_t process) const;
  // Does such a signal reach that process? Of a message with several protocols those of one do.
  bool is_sent(const StreamSlot& slot, std::uint32_t direction, std::size_t process) const;
  // Stays where it is; null: there are too many to keep, and `make_code` makes it.
  const StreamCode* code(std::size_t process);
  StreamCode make_code(std::size_t process) const;
  // What the clock of a process rises by at least in the operations [from, to) of a tile.
  double work(std::size_t process, std::size_t from, std::size_t to) const;
  // From when an operation that sends comes to its source, to when what it sends arrives, at least.
  double on_way(std::size_t process, std::size_t operation) const { return weight(process, operation, least_); }
  // The same for what is sent when a request is served, which takes as long in all tiles.
  double after_service(std::size_t process, const StreamSlot& slot) const { return weight(process, slot.then, first_); }
  std::uint32_t direction_of(const StreamSlot& request) const { return places_[request.then].direction; }

 private:
  void leave_out_unused(std::vector<StreamOperation>& operations) const;
  std::vector<std::uint32_t> uses_of(const std::vector<StreamOperation>& operations) const;
  std::vector<StreamOperation> put_together(const std::vector<StreamOperation>& operations) const;
  double weight(std::size_t process, std::size_t operation, const std::vector<double>& uniform) const;
  bool has_peer(std::size_t process, std::size_t operation) const;
  bool is_request(std::size_t process, std::size_t operation) const;
  // Of an emit or an await.
  bool is_sent(std::size_t process, std::size_t operation) const;
  [[nodiscard]] bool leaves_in_time() const;
  [[nodiscard]] bool add_service(std::size_t at, const PlannedService& service, std::vector<StreamKind>& kinds);
  std::size_t sent_after(std::size_t request) const;

  static constexpr std::uint32_t none = Directions::none;
  std::shared_ptr<const SweepPiece> piece_;
  SweepCall call_;
  const Directions* directions_ = nullptr;
  std::vector<std::vector<std::int64_t>>
      offsets_;                      // by operation with a peer: where the sender is, seen from the receiver
  struct Place {                     // of an operation
    std::uint32_t peer = none;       // the direction in which its peer is; none: it has no peer
    std::uint32_t direction = none;  // of a signal
    std::uint32_t slot = 0;
    const PlannedService* service = nullptr;  // of an await, or of a copy that is a request of the process itself
    std::size_t kind = 0;
    std::size_t then = StreamSlot::nothing;     // of a request
    std::size_t request = StreamSlot::nothing;  // of an emit: after which it is sent
  };
  std::vector<Place> places_;
  std::vector<std::vector<StreamSlot>> slots_;
  std::vector<double> first_, least_;  // by weight that is the same for all processes: in the first tile, in any
  bool varies_by_process_ = false;     // are weights, or who asks
  // By what the code depends on: Directions::of_process, weights, and what is sent.
  std::map<std::vector<double>, StreamCode> codes_;
  std::vector<double> key_;
};

}  // namespace wave::backend::processes
