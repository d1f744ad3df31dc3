// Whom each process of a grid has as its peer. Peers are mostly runs, neighbours that have neighbours as their peers,
// and are kept as such; where runs are short, process by process.
#pragma once

#include "backend/processes/bulk/plan_grid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

// Ranks count from 0, row-major.
class PeerMap {
 public:
  static constexpr std::int32_t none = -1;
  // Grids of more processes have no such maps.
  static constexpr std::size_t most_processes = std::size_t{1} << 30;
  // Processes `first`, first + 1, ... have the peers `peer`, peer + 1, ...
  struct Run {
    std::int32_t first, count, peer;
    std::int32_t end() const { return first + count; }
    friend bool operator==(const Run&, const Run&) = default;
  };
  // Runs are found by the unit of consecutive processes in which they end.
  static constexpr std::int32_t unit = 256;

  // Takes runs, or processes one by one, in ascending order; those that are left out have no peer.
  class Builder {
   public:
    explicit Builder(std::size_t processes);
    void add(std::int64_t first, std::int64_t count, std::int64_t peer) {
      const Run run{static_cast<std::int32_t>(first), static_cast<std::int32_t>(count),
                    static_cast<std::int32_t>(peer)};
      if (run.first == open_.end() && run.peer == open_.peer + open_.count) {
        open_.count += run.count;
      } else if (run.count > 0) {
        close();
        open_ = run;
      }
    }
    PeerMap finish();

   private:
    void close();
    void spread();
    static std::int32_t swaps_of(const PeerMap& map);
    std::int32_t processes_, with_peer_ = 0;
    Run open_{0, 0, 0};  // goes on as long as it can
    std::vector<Run> runs_;
    std::vector<std::int32_t> each_;
  };
  // Those at a distance on the grid.
  static PeerMap at_offset(const PlanGrid& grid, std::span<const std::int64_t> offset, const std::vector<bool>& wrap);

  std::int32_t processes() const { return processes_; }
  bool everywhere() const { return with_peer_ == processes_; }
  bool nowhere() const { return with_peer_ == 0; }
  bool in_runs() const { return each_.empty(); }
  // All exchange with the one whose rank differs in this bit, in the same unit; 0: they do not.
  std::int32_t swaps() const { return swaps_; }
  std::size_t bytes() const;
  // Where peers are not kept in runs: by process, or `none`.
  const std::int32_t* each() const { return each_.data(); }
  // Calls f(run) for the parts of runs in [begin, end), in ascending order.
  template <class Function>
  void for_each_run(std::int32_t begin, std::int32_t end, Function&& f) const;
  std::optional<std::size_t> of(std::size_t process) const {
    std::optional<std::size_t> peer;
    const auto at = static_cast<std::int32_t>(process);
    for_each_run(at, at + 1, [&](const Run& run) { peer = static_cast<std::size_t>(run.peer); });
    return peer;
  }
  // Is the one the peer of its peer in the other, for all processes that have one, in both?
  bool is_inverse_of(const PeerMap& other) const;
  friend bool operator==(const PeerMap&, const PeerMap&) = default;

 private:
  bool holds_inverse(const PeerMap& other) const;

  std::int32_t processes_ = 0, with_peer_ = 0, swaps_ = 0;
  std::vector<Run> runs_;
  std::vector<std::int32_t> first_run_;  // by unit: the first that ends behind its begin
  std::vector<std::int32_t> each_;
};
using PeerMapPtr = std::shared_ptr<const PeerMap>;

template <class Function>
void PeerMap::for_each_run(std::int32_t begin, std::int32_t end, Function&& f) const {
  if (in_runs()) {
    if (begin >= end || runs_.empty()) return;
    auto at = static_cast<std::size_t>(first_run_[static_cast<std::size_t>(begin / unit)]);
    for (; at < runs_.size() && runs_[at].end() <= begin; ++at) {}
    for (; at < runs_.size() && runs_[at].first < end; ++at) {
      const Run& run = runs_[at];
      const std::int32_t from = std::max(begin, run.first), to = std::min(end, run.end());
      f(Run{from, to - from, run.peer + (from - run.first)});
    }
    return;
  }
  for (std::int32_t at = begin; at < end;) {
    const std::int32_t peer = each_[static_cast<std::size_t>(at)];
    std::int32_t next = at + 1;
    if (peer != none) {
      while (next < end && each_[static_cast<std::size_t>(next)] == peer + (next - at)) ++next;
      f(Run{at, next - at, peer});
    }
    at = next;
  }
}

}  // namespace wave::backend::processes
