// Pieces of sweeps as streams.h runs them: the operations of one process, and what its neighbours send it.
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
  std::int64_t ranks(std::size_t direction) const { return ranks_[direction]; }
  // A bit for each direction in which the process has somebody.
  std::uint32_t of_process(std::size_t process) const { return there_[process]; }
  std::size_t bytes() const { return there_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::vector<std::int64_t>> offsets_;
  std::vector<std::int64_t> ranks_;
  std::vector<std::uint32_t> there_;
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
    send,     // clock += before; target = max(target, clock); target + weight goes to `stream`; target += after
  } kind{};
  bool is_never = false;  // of a signal: its time changes nothing
  std::uint32_t target = 0, source = 0;
  std::uint32_t direction = 0;        // of a signal: StreamPiece::slots
  std::uint32_t slot = 0, slots = 0;  // of a signal that is awaited: which of those of a tile, of how many
  std::int64_t stream = 0;            // from the first stream of the process to the one that it goes to
  double before = 0, weight = 0, after = 0;
  std::uint32_t of_body = 0;         // SweepBody::operations; of several the last one that counts for `work`
  std::uint32_t by_tile = no_table;  // StreamCode::by_tile: what is to be added to the weight
  static constexpr std::uint32_t no_table = 0xffffffff;
};

struct StreamCode {
  std::vector<StreamOperation> operations;
  std::vector<std::vector<const double*>> by_tile;
  std::vector<std::int64_t> streams;  // where something is sent to
};

// A signal that arrives from one direction in every tile, in the order in which they are sent.
struct StreamSlot {
  const PlannedService* service = nullptr;  // null: nothing serves it
  std::size_t kind = 0;                     // of what does
  std::size_t emit = 0;                     // SweepBody::operations
};

class StreamPiece {
 public:
  // Null: refused. Something is served in another way than where it arrives, asks for what is not its receiver's own,
  // or leaves before its sender has come to it. `kinds`: those that serve, found or added.
  static std::unique_ptr<StreamPiece> of(std::shared_ptr<const SweepPiece> piece, const std::vector<bool>& rising,
                                         const PlanGrid& grid, const SharedLevels& levels, const ir::System& system,
                                         std::vector<ResourceKey>& kinds);
  void add_offsets(std::vector<std::vector<std::int64_t>>& offsets) const;
  void number(const Directions& directions);

  const SweepPiece& piece() const { return *piece_; }
  std::int64_t tiles() const { return call_.tiles; }
  const std::vector<StreamSlot>& slots(std::size_t direction) const { return slots_[direction]; }
  // Of what arrives from there. `of_nobody` where nothing serves it.
  static constexpr double of_nobody = -1;
  double occupied(const StreamSlot& slot, std::size_t process) const;
  // Until it is asked for that of another process.
  const StreamCode& code(std::size_t process);
  // What the clock of a process rises by at least in the operations [from, to) of a tile.
  double work(std::size_t process, std::size_t from, std::size_t to) const;
  // From when an operation that sends comes to its source, to when what it sends arrives, at least.
  double on_way(std::size_t process, std::size_t operation) const { return weight(process, operation, least_); }

 private:
  StreamCode make_code(std::size_t process) const;
  void leave_out_unused(std::vector<StreamOperation>& operations) const;
  std::vector<std::uint32_t> uses_of(const std::vector<StreamOperation>& operations) const;
  std::vector<StreamOperation> put_together(const std::vector<StreamOperation>& operations) const;
  double weight(std::size_t process, std::size_t operation, const std::vector<double>& uniform) const;
  bool has_peer(std::size_t process, std::size_t operation) const;
  [[nodiscard]] bool leaves_in_time() const;

  static constexpr std::uint32_t none = 0xffffffff;
  std::shared_ptr<const SweepPiece> piece_;
  SweepCall call_;
  const Directions* directions_ = nullptr;
  std::vector<std::vector<std::int64_t>>
      offsets_;                      // by operation with a peer: where the sender is, seen from the receiver
  struct Place {                     // of an operation
    std::uint32_t peer = none;       // the direction in which its peer is; none: it has no peer
    std::uint32_t direction = none;  // of a signal
    std::uint32_t slot = 0;
    const PlannedService* service = nullptr;  // await
    std::size_t kind = 0;
  };
  std::vector<Place> places_;
  std::vector<std::vector<StreamSlot>> slots_;
  std::vector<double> first_, least_;  // by weight that is the same for all processes: in the first tile, in any
  bool varies_by_process_ = false;
  std::map<std::uint32_t, StreamCode> codes_;  // by Directions::of_process, as far as that decides
  StreamCode own_;
};

}  // namespace wave::backend::processes
