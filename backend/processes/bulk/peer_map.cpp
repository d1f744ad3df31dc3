// See peer_map.h.
#include "backend/processes/bulk/peer_map.h"

#include "backend/processes/thresholds.h"

namespace wave::backend::processes {

PeerMap::Builder::Builder(std::size_t processes) : processes_(static_cast<std::int32_t>(processes)) {}

void PeerMap::Builder::close() {
  if (open_.count == 0) return;
  with_peer_ += open_.count;
  if (!each_.empty()) {
    for (std::int32_t i = 0; i < open_.count; ++i) each_[static_cast<std::size_t>(open_.first + i)] = open_.peer + i;
    return;
  }
  runs_.push_back(open_);
  if (runs_.size() >= few_runs && runs_.size() * least_run > static_cast<std::size_t>(processes_)) spread();
}

void PeerMap::Builder::spread() {
  each_.assign(static_cast<std::size_t>(processes_), none);
  for (const Run& run : runs_) {
    for (std::int32_t i = 0; i < run.count; ++i) each_[static_cast<std::size_t>(run.first + i)] = run.peer + i;
  }
  std::vector<Run>().swap(runs_);
}

PeerMap PeerMap::Builder::finish() {
  close();
  open_ = {0, 0, 0};
  PeerMap map;
  map.processes_ = processes_;
  map.with_peer_ = with_peer_;
  runs_.shrink_to_fit();
  map.runs_ = std::move(runs_);
  map.each_ = std::move(each_);
  map.swaps_ = swaps_of(map);
  if (!map.in_runs()) return map;
  std::size_t at = 0;
  for (std::int32_t begin = 0; begin < processes_; begin += unit) {
    while (at < map.runs_.size() && map.runs_[at].end() <= begin) ++at;
    map.first_run_.push_back(static_cast<std::int32_t>(at));
  }
  return map;
}

std::int32_t PeerMap::Builder::swaps_of(const PeerMap& map) {
  if (!map.everywhere() || (map.in_runs() && map.runs_.empty())) return 0;
  const std::int32_t distance = map.in_runs() ? map.runs_[0].peer : map.each_[0];
  if (distance <= 0 || distance >= unit || (distance & (distance - 1)) != 0) return 0;
  if (map.processes_ % (2 * distance) != 0) return 0;
  bool swaps = true;
  if (map.in_runs()) {
    for (const Run& run : map.runs_) swaps = swaps && run.count == distance && run.peer == (run.first ^ distance);
  } else {
    for (std::int32_t i = 0; i < map.processes_; ++i) swaps &= map.each_[static_cast<std::size_t>(i)] == (i ^ distance);
  }
  return swaps ? distance : 0;
}

PeerMap PeerMap::at_offset(const PlanGrid& grid, std::span<const std::int64_t> offset, const std::vector<bool>& wrap) {
  Builder builder(grid.count());
  const auto strides = grid.strides(grid.all());
  const std::size_t last = grid.axes() - 1;
  const std::int64_t extent_of_row = grid.extents()[last];
  std::vector<std::int64_t> peer(grid.axes());
  const GridBox box = grid.with_peer(offset, wrap);
  grid.for_each(grid.all() & ~(AxisSet{1} << last), box, [&](const std::vector<std::int64_t>& point) {
    for (std::size_t axis = 0; axis <= last; ++axis) {
      const std::int64_t extent = grid.extents()[axis];
      peer[axis] = ((point[axis] + offset[axis] % extent) % extent + extent) % extent;
    }
    const std::int64_t length = box.last[last] - box.first[last] + 1, start = peer[last];
    peer[last] = 0;
    const auto from = static_cast<std::int64_t>(place(point, strides)),
               to = static_cast<std::int64_t>(place(peer, strides));
    // In a few pieces where the axis wraps.
    for (std::int64_t done = 0; done < length;) {
      const std::int64_t at = (start + done) % extent_of_row;
      const std::int64_t piece = std::min(length - done, extent_of_row - at);
      builder.add(from + done, piece, to + at);
      done += piece;
    }
  });
  return builder.finish();
}

std::size_t PeerMap::bytes() const {
  return runs_.size() * sizeof(Run) + (first_run_.size() + each_.size()) * sizeof(std::int32_t);
}

bool PeerMap::is_inverse_of(const PeerMap& other) const {
  return with_peer_ == other.with_peer_ && (in_runs() ? holds_inverse(other) : other.holds_inverse(*this));
}

// As many have a peer in both, so one direction is enough.
bool PeerMap::holds_inverse(const PeerMap& other) const {
  bool holds = true;
  for_each_run(0, processes_, [&](const Run& run) {
    std::int32_t found = 0;
    if (!holds) return;
    other.for_each_run(run.peer, run.peer + run.count, [&](const Run& back) {
      holds = holds && back.peer == run.first + (back.first - run.peer);
      found += back.count;
    });
    holds = holds && found == run.count;
  });
  return holds;
}

}  // namespace wave::backend::processes
