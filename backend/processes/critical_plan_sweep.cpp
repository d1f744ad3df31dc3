// Tile by tile, process by process from the corner; who waits goes on as soon as its signal is there.
#include "backend/processes/critical_plan_sweep.h"

#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <cmath>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t no_operation = 0xffffffff;

}  // namespace

std::unique_ptr<TracedSweep> TracedSweep::make(const SweepPiece& piece, const std::vector<bool>& rising,
                                               const PlanGrid& grid) {
  std::unique_ptr<TracedSweep> sweep(new TracedSweep(piece, grid));
  if (!sweep->find_steps() || !sweep->find_peers(rising)) return nullptr;
  sweep->prepare();
  return sweep;
}

void TracedSweep::prepare() {
  registers_.assign(processes_ * piece_.body.registers, never);
  signals_.assign(processes_ * piece_.body.signals, none);
  next_.resize(processes_);
  bytes_ = (registers_.size() + signals_.size()) * sizeof(double) + processes_ * 2 * sizeof(std::uint16_t);
}

// False: the record of a process has no room for them.
bool TracedSweep::find_steps() {
  const SweepBody& body = piece_.body;
  emit_of_.assign(body.signals, no_operation);
  std::vector<bool> awaited(body.signals, false);
  for (const auto& operation : body.operations) {
    if (operation.kind == Kind::await) awaited[operation.signal] = true;
  }
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < body.operations.size(); ++i) {
    const auto& operation = body.operations[i];
    Step& step = steps_.emplace_back();
    step.kind = operation.kind;
    step.target = operation.target;
    step.source = operation.source;
    step.signal = operation.signal;
    if (step.kind == Kind::join || step.kind == Kind::await) step.bit = bits, bits += 2;
    if (step.kind == Kind::emit)
      step.is_awaited = awaited[step.signal], emit_of_[step.signal] = static_cast<std::uint32_t>(i);
    for (const std::uint32_t weight : operation.weights) {
      if (!piece_.weights[weight]->uniform()) step.by_process.push_back(piece_.weights[weight]->values.data());
    }
  }
  return bits <= 64 && steps_.size() < 0xffff;
}

// False: there are too many.
bool TracedSweep::find_peers(const std::vector<bool>& rising) {
  const auto strides = grid_.strides(grid_.all());
  std::vector<std::vector<std::int8_t>> peers;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::vector<std::int8_t>& peer = piece_.body.operations[i].peer;
    if (peer.empty()) continue;
    const auto found = std::find(peers.begin(), peers.end(), peer);
    const auto number = found - peers.begin();
    if (found == peers.end()) peers.push_back(peer);
    if (peers.size() > 16) return false;
    steps_[i].peer = std::uint32_t{1} << number;
    for (std::size_t axis = 0; axis < peer.size(); ++axis)
      steps_[i].offset += (rising[axis] ? peer[axis] : -peer[axis]) * strides[axis];
  }
  const std::vector<std::int64_t>& extents = grid_.extents();
  there_.reserve(processes_);
  grid_.for_each(grid_.all(), grid_.whole(), [&](const std::vector<std::int64_t>& point) {
    std::uint16_t there = 0;
    for (std::size_t number = 0; number < peers.size(); ++number) {
      bool is_there = true;
      for (std::size_t axis = 0; axis < point.size(); ++axis) {
        const std::int64_t at = point[axis] + (rising[axis] ? peers[number][axis] : -peers[number][axis]);
        is_there = is_there && at >= 0 && at < extents[axis];
      }
      if (is_there) there = static_cast<std::uint16_t>(there | 1u << number);
    }
    there_.push_back(there);
  });
  // Rows along the last axis, in the order of the sweep.
  GridBox rows = grid_.whole();
  const std::size_t last = grid_.axes() - 1;
  rows.last[last] = 0;
  grid_.for_each(grid_.all() & ~(AxisSet{1} << last), rows, [&](std::vector<std::int64_t> point) {
    for (std::size_t axis = 0; axis < last; ++axis) {
      if (!rising[axis]) point[axis] = extents[axis] - 1 - point[axis];
    }
    order_.push_back(place(point, strides));
  });
  last_rises_ = rising[last];
  return true;
}

// Weights that are the same for all processes, for a tile.
void TracedSweep::set_tile(std::int64_t tile) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    steps_[i].weight = 0;
    for (const std::uint32_t index : piece_.body.operations[i].weights) {
      if (!piece_.weights[index]->uniform()) continue;
      const std::vector<double>& by_tile = piece_.by_tile[index];
      const auto at = static_cast<std::size_t>(tile);
      steps_[i].weight += at < by_tile.size()  ? by_tile[at]
                          : by_tile.size() > 1 ? by_tile.back()
                                               : piece_.weights[index]->values[0];
    }
  }
}

template <bool recording>
inline void TracedSweep::take_larger(const Step& step, double& target, double other, std::size_t process) {
  if constexpr (recording) {
    std::uint64_t what = 0;
    if (other > target) what = 1;
    if (other == target && target != 0 && target != never) what |= 2;
    of_tile_[process] |= what << step.bit;
  }
  target = std::max(target, other);
}

template <bool recording>
bool TracedSweep::advance(std::size_t process) {
  double* const registers = &registers_[process * piece_.body.registers];
  const std::size_t signals = piece_.body.signals;
  for (std::size_t at = next_[process]; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    if (!happens(step, process)) continue;
    switch (step.kind) {
      case Kind::add: registers[step.target] += weight(step, process); break;
      case Kind::copy: registers[step.target] = registers[step.source] + weight(step, process); break;
      case Kind::join:
        take_larger<recording>(step, registers[step.target], registers[step.source] + weight(step, process), process);
        break;
      case Kind::emit: {
        if (!step.is_awaited) break;
        signals_[process * signals + step.signal] = registers[step.source] + weight(step, process);
        const auto receiver = static_cast<std::size_t>(static_cast<std::int64_t>(process) + step.offset);
        const std::size_t next = next_[receiver];
        if (next < steps_.size() && steps_[next].kind == Kind::await && steps_[next].signal == step.signal)
          ready_.push_back(receiver);
        break;
      }
      case Kind::await: {
        const auto sender = static_cast<std::size_t>(static_cast<std::int64_t>(process) + step.offset);
        double& signal = signals_[sender * signals + step.signal];
        if (std::isnan(signal)) {
          next_[process] = static_cast<std::uint16_t>(at);
          return false;
        }
        take_larger<recording>(step, registers[step.target], signal + weight(step, process), process);
        signal = none;
        break;
      }
    }
  }
  next_[process] = static_cast<std::uint16_t>(steps_.size());
  return true;
}

// False: a deadlock.
bool TracedSweep::run_tile(bool recording, const std::function<void()>& look_at_clock) {
  std::fill(next_.begin(), next_.end(), std::uint16_t{0});
  const auto length = static_cast<std::size_t>(grid_.extents().back());
  std::size_t through = 0;
  const auto go = [&](std::size_t process) {
    if (next_[process] == steps_.size()) return;
    through += recording ? advance<true>(process) : advance<false>(process);
  };
  std::size_t since = 0;
  for (const std::size_t row : order_) {
    for (std::size_t i = 0; i < length; ++i) {
      go(row + (last_rises_ ? i : length - 1 - i));
      while (!ready_.empty()) {
        const std::size_t process = ready_.back();
        ready_.pop_back();
        go(process);
      }
    }
    if ((since += length) < traced_processes_between_clock_reads) continue;
    since = 0;
    look_at_clock();
  }
  return through == processes_ || steps_.empty();
}

bool TracedSweep::run(std::int64_t begin, std::int64_t end, const std::vector<double*>& state, bool recording,
                      const std::function<void()>& look_at_clock) {
  begin_ = begin;
  end_ = end;
  const std::size_t stride = piece_.body.registers;
  for (std::size_t carried = 0; carried < state.size(); ++carried) {
    for (std::size_t p = 0; p < processes_; ++p) registers_[p * stride + carried] = state[carried][p];
  }
  if (recording) record_.assign(processes_ * static_cast<std::size_t>(end - begin), 0);
  for (std::int64_t tile = begin; tile < end; ++tile) {
    set_tile(tile);
    look_at_clock();
    if (recording) of_tile_ = &record_[processes_ * static_cast<std::size_t>(tile - begin)];
    if (!run_tile(recording, look_at_clock)) return false;
  }
  for (std::size_t carried = 0; carried < state.size(); ++carried) {
    for (std::size_t p = 0; p < processes_; ++p) state[carried][p] = registers_[p * stride + carried];
  }
  return true;
}

bool TracedSweep::walk_back(Point& point, const OnWeight& on_weight) {
  for (std::int64_t tile = end_ - 1; tile >= begin_; --tile) {
    set_tile(tile);
    const std::uint64_t* const record = &record_[processes_ * static_cast<std::size_t>(tile - begin_)];
    for (std::size_t at = steps_.size(); at-- > 0;) {
      const Step& step = steps_[at];
      if (step.kind == Kind::emit || step.target != point.at_register || !happens(step, point.process)) continue;
      const bool takes_larger = step.kind == Kind::join || step.kind == Kind::await;
      if (takes_larger) {
        const std::uint64_t what = record[point.process] >> step.bit;
        point.tied = point.tied || (what & 2) != 0;
        if ((what & 1) == 0) continue;
      }
      const auto add = [&](std::size_t of) {
        const double w = weight(steps_[of], point.process);
        return w == 0 || on_weight(w, piece_.causes[of], point.process);
      };
      if (!add(at)) return false;
      if (step.kind == Kind::copy || step.kind == Kind::join) point.at_register = step.source;
      if (step.kind != Kind::await) continue;
      point.process = static_cast<std::size_t>(static_cast<std::int64_t>(point.process) + step.offset);
      at = emit_of_[step.signal];
      if (!add(at)) return false;
      point.at_register = steps_[at].source;
    }
  }
  return true;
}

}  // namespace wave::backend::processes
