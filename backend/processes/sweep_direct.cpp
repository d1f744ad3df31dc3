// A sweep by its definition: passes over the processes, each as far into the tile as its signals allow.
#include "backend/processes/sweep_body.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;
constexpr double never = -std::numeric_limits<double>::infinity();

class DirectSweep {
 public:
  DirectSweep(const SweepBody& body, const SweepCall& call) : body_(body), call_(call) {
    for (const std::int64_t extent : call.extents) processes_ *= extent;
    registers_.assign(static_cast<std::size_t>(processes_) * body.registers, never);
    signals_.resize(static_cast<std::size_t>(processes_) * body.signals);
    next_.assign(static_cast<std::size_t>(processes_), 0);
    awaited_.assign(body.signals, false);
    for (const auto& operation : body.operations) {
      if (operation.kind == Kind::await) awaited_[operation.signal] = true;
    }
  }

  bool run() {
    load();
    for (tile_ = 0; tile_ < call_.tiles; ++tile_) {
      if (!run_tile()) return false;
    }
    store();
    return true;
  }

 private:
  // False: no process can go on, and not all are done.
  bool run_tile() {
    std::fill(next_.begin(), next_.end(), 0);
    for (bool advanced = true, done = false; !done;) {
      if (!advanced) return false;
      advanced = false;
      done = true;
      for (std::int64_t process = 0; process < processes_; ++process) {
        const std::size_t before = next_[static_cast<std::size_t>(process)];
        done = advance(process) && done;
        advanced = advanced || next_[static_cast<std::size_t>(process)] != before;
      }
    }
    for (auto& queue : signals_) queue.clear();
    return true;
  }

  // True: the process is through with the tile.
  bool advance(std::int64_t process) {
    std::size_t& next = next_[static_cast<std::size_t>(process)];
    while (next < body_.operations.size()) {
      if (!execute(process, body_.operations[next])) return false;
      ++next;
    }
    return true;
  }

  // False: its signal is not there yet.
  bool execute(std::int64_t process, const SweepBody::Operation& operation) {
    const std::int64_t peer = neighbour(process, operation.peer);
    if (peer < 0) return true;
    double* const registers = &registers_[static_cast<std::size_t>(process) * body_.registers];
    double& target = registers[operation.target];
    const double w = weight(process, operation);
    switch (operation.kind) {
      case Kind::add: target += w; break;
      case Kind::copy: target = registers[operation.source] + w; break;
      case Kind::join: target = std::max(target, registers[operation.source] + w); break;
      case Kind::emit:
        if (awaited_[operation.signal]) signal(process, operation).push_back(registers[operation.source] + w);
        break;
      case Kind::await: {
        auto& queue = signal(peer, operation);
        if (queue.empty()) return false;
        target = std::max(target, queue.front() + w);
        queue.pop_front();
        break;
      }
    }
    return true;
  }

  std::deque<double>& signal(std::int64_t process, const SweepBody::Operation& operation) {
    return signals_[static_cast<std::size_t>(process) * body_.signals + operation.signal];
  }

  double weight(std::int64_t process, const SweepBody::Operation& operation) const {
    double sum = 0;
    for (const std::uint32_t index : operation.weights) {
      const SweepCall::Weight& weight = call_.weights[index];
      sum += weight.by_process ? weight.by_process[process] : weight.by_tile ? weight.by_tile[tile_] : weight.value;
    }
    return sum;
  }

  // -1: off the grid. Processes are numbered as in the grid; only `peer` is turned.
  std::int64_t neighbour(std::int64_t process, const std::vector<std::int8_t>& peer) const {
    if (peer.empty()) return process;
    std::int64_t result = 0, stride = 1, rest = process;
    for (std::size_t axis = call_.extents.size(); axis-- > 0;) {
      const std::int64_t extent = call_.extents[axis];
      const std::int64_t index = rest % extent + (call_.rising[axis] ? peer[axis] : -peer[axis]);
      if (index < 0 || index >= extent) return -1;
      result += index * stride;
      stride *= extent;
      rest /= extent;
    }
    return result;
  }

  void load() {
    for (std::uint32_t index = 0; index < body_.carried; ++index) {
      if (const double* const from = call_.state[index]) {
        for (std::int64_t p = 0; p < processes_; ++p)
          registers_[static_cast<std::size_t>(p) * body_.registers + index] = from[p];
      }
    }
  }

  void store() const {
    for (std::uint32_t index = 0; index < body_.carried; ++index) {
      if (double* const to = call_.state[index]) {
        for (std::int64_t p = 0; p < processes_; ++p)
          to[p] = registers_[static_cast<std::size_t>(p) * body_.registers + index];
      }
    }
  }

  const SweepBody& body_;
  const SweepCall& call_;
  std::int64_t processes_ = 1, tile_ = 0;
  std::vector<double> registers_;                // by process
  std::vector<std::deque<double>> signals_;      // by process
  std::vector<std::size_t> next_;                // by process: the operation that it has come to
  std::vector<bool> awaited_;
};

}  // namespace

bool run_directly(const SweepBody& body, const SweepCall& call) { return DirectSweep(body, call).run(); }

}  // namespace wave::backend::processes
