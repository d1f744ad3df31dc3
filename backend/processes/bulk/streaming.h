// One evaluation of sweeps that are served in streams: streams.h says how. Processes, and what arrives at them, are in
// streaming.cpp; who serves that, and what may still come, in stream_service.cpp.
#pragma once

#include "backend/processes/bulk/stream_form.h"
#include "backend/processes/bulk/stream_state.h"
#include "backend/processes/bulk/streams.h"
#include "backend/processes/claimed.h"
#include "backend/processes/thresholds.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wave::backend::processes {

// Evaluates pieces of sweeps, one after the other.
class Streaming {
 public:
  using Pieces = std::vector<std::shared_ptr<StreamPiece>>;
  Streaming(const StreamedSweeps::Setting& setting, const Pieces& pieces, const std::vector<StreamKind>& kinds,
            const Directions& directions);
  // Who shares those that serve on arrival, and those that serve what processes ask for; null: each is by itself.
  struct Sharing {
    const SharedLevels::Groups *on_arrival = nullptr, *by_program = nullptr;
  };
  // Refused as StreamedSweeps::run is.
  [[nodiscard]] bool run(const Sharing& sharing);

 private:
  void set_up_units(const Sharing& sharing);
  void add_units(const SharedLevels::Groups* groups, bool on_arrival);
  bool is_ever_served(const Stream& stream);

  void advance(std::uint32_t process);
  [[nodiscard]] bool run_tiles(std::uint32_t process, StreamPiece& piece);
  [[nodiscard]] bool run_tile(std::uint32_t process, const StreamCode& code, std::uint32_t tile);
  void take_weights(std::int64_t tile);
  void load(std::uint32_t process, StreamPiece& piece);
  void store(std::uint32_t process, const SweepPiece& piece);
  [[nodiscard]] bool has_room(Stream* own, const StreamCode& code);
  [[nodiscard]] bool is_served(std::uint32_t process, std::uint32_t direction, std::uint32_t number);
  void end_visit(std::uint32_t process);
  void look_again_for(std::uint32_t process);

  // What is sent without a request must not overtake what is sent behind one.
  void leave(Stream& to, double time) {
    is_overtaken_ = is_overtaken_ || to.requested > 0;
    send(to, time);
  }
  void send(Stream& to, double time);
  void grow(Stream& stream);
  void pass_unserved(Stream& stream);
  void wake_sender(Stream& stream);
  void take_slot(Stream& stream);
  void find_piece(Stream& stream, std::uint32_t from);
  void go_on(Stream& stream);

  void serve(std::uint32_t unit);
  void serve_first(StreamUnit& unit, Stream& first);
  // When the next of a stream arrives at the earliest, as far as `depth` neighbours say.
  double earliest(const Stream& stream, double enough, int depth);
  double earliest_clock(std::uint32_t process, double enough, int depth);
  double earliest_asked(const Stream& requests, std::uint32_t direction);
  double least_until(std::uint32_t sender, std::uint32_t direction, std::uint32_t receiver);

  void put_in_queue(std::uint32_t process) {
    StreamedProcess& it = processes_[process];
    if (it.is_queued || it.is_done) return;
    it.is_queued = true;
    next_.push_back(process);
  }
  void put_unit_in_queue(std::uint32_t number) {
    if (!std::exchange(units_[number].is_queued, true)) next_units_.push_back(number);
  }
  bool is_worth_it() const {
    return static_cast<double>(visits_) < 8 * operations_ + least_looks_of_streams * static_cast<double>(count_);
  }
  [[nodiscard]] bool look_again();

  Stream& stream(std::uint32_t process, std::uint32_t direction) {
    return streams_[std::size_t{process} * directions_.count() + direction];
  }
  std::uint32_t neighbour(std::uint32_t process, std::uint32_t direction) const {
    return static_cast<std::uint32_t>(process + directions_.ranks(direction));
  }
  double* registers(std::uint32_t process) { return registers_.data() + process * width_; }
  static double later(double a, double b) { return a < b ? b : a; }
  template <class Function>
  void for_each_direction(std::uint32_t process, Function&& f) const {
    for (std::uint32_t there = directions_.of_process(process); there != 0; there &= there - 1)
      f(static_cast<std::uint32_t>(std::countr_zero(there)));
  }

  const StreamedSweeps::Setting& setting_;
  const Pieces& pieces_;
  const std::vector<StreamKind>& kinds_;
  const Directions& directions_;
  std::size_t width_ = 1;
  std::size_t count_;
  Claimed claimed_;
  RingPool pool_;
  std::vector<StreamedProcess> processes_;
  std::vector<Stream> streams_;              // by receiver and direction
  std::vector<double> registers_;            // by process
  std::vector<std::vector<double*>> state_;  // by piece and carried register
  std::vector<Servers::Kind*> servers_;      // by kind
  std::vector<StreamUnit> units_;
  struct OfUnit {
    Stream* stream = nullptr;
    std::uint32_t sender = 0;
  };
  std::vector<OfUnit> of_units_;
  std::vector<std::uint32_t> queue_, next_, next_units_;  // those that may go on now, and after them
  StreamCode of_tile_;                                    // with the weights of one, where these vary
  StreamCode made_;                                       // of one of too many
  std::size_t done_ = 0;
  std::uint32_t room_ = most_waiting_in_stream;
  double operations_ = 0, served_ = 0, seen_at_ = -1;
  std::uint64_t visits_ = 0, looks_for_room_ = 0;
  bool is_overtaken_ = false;
};

}  // namespace wave::backend::processes
