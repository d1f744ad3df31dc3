// The state of streams.h: processes, messages on their way between them, and the interfaces that serve these.
#pragma once

#include "backend/processes/bulk/stream_form.h"
#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace wave::backend::processes {

inline constexpr double far = std::numeric_limits<double>::infinity();

// Memory for rings, by their capacity, a power of two. What is given back is used again.
class RingPool {
 public:
  explicit RingPool(const std::function<void(std::int64_t)>& claim) : claim_(claim) {}
  ~RingPool() { claim_(-claimed_); }
  RingPool(const RingPool&) = delete;

  double* take(std::uint32_t capacity) {
    std::vector<double*>& free = free_[static_cast<std::size_t>(std::countr_zero(capacity))];
    if (free.empty()) {
      const std::size_t size = std::max<std::size_t>(capacity, times_of_stream_chunk);
      const auto bytes = static_cast<std::int64_t>(size * sizeof(double));
      claim_(bytes);
      claimed_ += bytes;
      chunks_.push_back(std::make_unique<double[]>(size));
      for (std::size_t at = 0; at < size; at += capacity) free.push_back(chunks_.back().get() + at);
    }
    double* const ring = free.back();
    free.pop_back();
    return ring;
  }
  void give_back(double* ring, std::uint32_t capacity) {
    free_[static_cast<std::size_t>(std::countr_zero(capacity))].push_back(ring);
  }

 private:
  const std::function<void(std::int64_t)>& claim_;
  std::int64_t claimed_ = 0;
  std::vector<double*> free_[32];
  std::vector<std::unique_ptr<double[]>> chunks_;
};

// The signals that arrive at a process from one direction, or its own requests: the times at which they arrive, and of
// those that have been served when that began. Numbers count from the begin and may overflow.
struct Stream {
  double* times = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t awaited = 0;  // the first of the tile that its process is in
  std::uint32_t served = 0;   // the first that has not been served; what nothing serves has been
  std::uint32_t arrived = 0;  // the first that has not arrived
  // The slot of `served`: the number of its piece, and how many signals of this piece there are from it on.
  std::uint32_t piece = 0, slot = 0;
  std::int64_t left = 0;
  double occupied = StreamPiece::of_nobody;  // how long it is served
  double earliest = never;                   // what has not arrived arrives then or later
  std::uint32_t process = 0, direction = 0;  // the receiver, and from where
  std::uint32_t unit = no_unit;              // StreamUnit
  std::uint32_t kind = 0;                    // StreamKind
  std::uint32_t wanted = 0;                  // the number that its process waits for, or waited for last
  std::uint32_t requested = 0;               // how many arrive when their sender's requests have been served
  enum class Wakes : std::uint8_t { nobody, arrival, service } wakes{};  // when its process goes on
  bool is_watched = false;   // its unit waits for `earliest`, or for what arrives
  bool is_full = false;      // its sender waits until fewer are on their way
  bool has_one_slot = true;  // of those that are sent
  static constexpr std::uint32_t no_unit = 0xffffffff;

  double& at(std::uint32_t number) { return times[number & (capacity - 1)]; }
  bool holds_unserved() const { return served != arrived; }
  bool has_served_wanted() const { return static_cast<std::int32_t>(served - wanted) > 0; }
  std::uint32_t waiting() const { return arrived - awaited; }
};

struct StreamedProcess {
  std::uint32_t piece = 0;      // the number of the piece that it is in
  std::uint32_t operation = 0;  // StreamCode
  std::uint32_t of_body = 0;    // the same one in SweepBody
  std::int64_t tile = 0;
  const StreamCode* code = nullptr;  // null: too many differ
  double floor = never;              // its clock is no less when it goes on
  std::uint32_t other = 0;           // Waits::arrival: the direction
  enum class Waits : std::uint8_t { no, arrival, room } waits{};
  bool is_bound = true;  // its clock becomes no less than the time of what it waits for
  bool is_queued = false, is_loaded = false, is_done = false;
};

// Streams whose requests are served together: of what arrives at the processes of a group, or of their own requests.
struct StreamUnit {
  std::size_t first = 0, end = 0;  // their streams, in a list
  std::uint32_t group = 0;
  bool on_arrival = false;  // StreamKind
  // Of the last request.
  double last = never;
  std::uint32_t last_sender = 0xffffffff;
  const Stream* last_stream = nullptr;
  double looks_for = far;  // it waits until nothing comes before that
  bool is_waiting = false, is_queued = false;
  bool is_forced = false;  // nothing comes before its first request any more
  // At one time what comes from the lower rank is first. The order of what one process sends to two is not known.
  bool comes_after(double time, std::uint32_t sender, const Stream* stream) const {
    return time > last || (time == last && (sender > last_sender || stream == last_stream));
  }
};

}  // namespace wave::backend::processes
