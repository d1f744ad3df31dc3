// A sweep by its definition: the processes one after the other, each as far into the tile as its signals allow.
#include "backend/processes/never.h"
#include "backend/processes/sweep_body.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;

class DirectSweep {
 public:
  DirectSweep(const SweepBody& body, const SweepCall& call) : body_(body), call_(call), index_(call.extents.size()) {
    for (const std::int64_t extent : call.extents) processes_ *= extent;
    const auto count = static_cast<std::size_t>(processes_);
    registers_.assign(count * body.registers, never);
    signals_.resize(count * body.signals);
    sent_.resize(signals_.size());
    next_.resize(count);
    waits_for_.resize(count);
  }

  bool run(bool& is_stopped) {
    load();
    double since = 0;  // operations since it was asked whether to go on
    for (tile_ = 0; tile_ < call_.tiles; ++tile_) {
      if (!run_tile()) return false;
      since += static_cast<double>(processes_) * static_cast<double>(body_.operations.size());
      if (since < operations_between_questions || !call_.go_on) continue;
      since = 0;
      is_stopped = !call_.go_on();
      if (is_stopped) return false;
    }
    store();
    return true;
  }

 private:
  // False: no process can go on, and not all are done.
  bool run_tile() {
    std::fill(next_.begin(), next_.end(), 0);
    std::fill(sent_.begin(), sent_.end(), 0);
    std::fill(waits_for_.begin(), waits_for_.end(), nothing);
    done_ = 0;
    for (std::int64_t number = 0; number < processes_; ++number) {
      advance(turned(number));
      while (!awake_.empty()) {
        const std::int64_t process = awake_.back();
        awake_.pop_back();
        advance(process);
      }
    }
    return done_ == processes_;
  }

  // The processes from the corner where the sweep begins.
  std::int64_t turned(std::int64_t number) const {
    std::int64_t result = 0, stride = 1;
    for (std::size_t axis = call_.extents.size(); axis-- > 0;) {
      const std::int64_t extent = call_.extents[axis], index = number % extent;
      result += (call_.rising[axis] ? index : extent - 1 - index) * stride;
      stride *= extent;
      number /= extent;
    }
    return result;
  }

  // Until it is through with the tile, or a signal is not there.
  void advance(std::int64_t process) {
    std::int64_t rest = process;
    for (std::size_t axis = index_.size(); axis-- > 0; rest /= call_.extents[axis])
      index_[axis] = rest % call_.extents[axis];
    std::size_t& next = next_[static_cast<std::size_t>(process)];
    for (; next < body_.operations.size(); ++next) {
      if (!execute(process, body_.operations[next])) return;
    }
    ++done_;
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
        signals_[signal(process, operation)] = registers[operation.source] + w;
        sent_[signal(process, operation)] = 1;
        if (waits_for_[static_cast<std::size_t>(peer)] != operation.signal) break;
        waits_for_[static_cast<std::size_t>(peer)] = nothing;
        awake_.push_back(peer);
        break;
      case Kind::await:
        if (!sent_[signal(peer, operation)]) {
          waits_for_[static_cast<std::size_t>(process)] = operation.signal;
          return false;
        }
        target = std::max(target, signals_[signal(peer, operation)] + w);
        break;
    }
    return true;
  }

  std::size_t signal(std::int64_t process, const SweepBody::Operation& operation) const {
    return static_cast<std::size_t>(process) * body_.signals + operation.signal;
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
    std::int64_t result = 0, stride = 1;
    for (std::size_t axis = call_.extents.size(); axis-- > 0;) {
      const std::int64_t index = index_[axis] + (call_.rising[axis] ? peer[axis] : -peer[axis]);
      if (index < 0 || index >= call_.extents[axis]) return -1;
      result += index * stride;
      stride *= call_.extents[axis];
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

  static constexpr std::uint32_t nothing = 0xffffffff;
  const SweepBody& body_;
  const SweepCall& call_;
  std::int64_t processes_ = 1, tile_ = 0, done_ = 0;
  std::vector<std::int64_t> index_;       // of the process at hand
  std::vector<double> registers_;         // by process
  std::vector<double> signals_;           // by process, of this tile
  std::vector<std::uint8_t> sent_;        // those that are there
  std::vector<std::size_t> next_;         // by process: the operation that it has come to
  std::vector<std::uint32_t> waits_for_;  // by process: the signal
  std::vector<std::int64_t> awake_;       // whose signal has come
};

}  // namespace

bool run_directly(const SweepBody& body, const SweepCall& call) {
  bool is_stopped = false;
  return DirectSweep(body, call).run(is_stopped);
}

SweepKernels::Outcome DirectSweeps::run(const SweepBody& body, const SweepCall& call) {
  bool is_stopped = false;
  if (DirectSweep(body, call).run(is_stopped)) return Outcome::done;
  return is_stopped ? Outcome::stopped : Outcome::not_possible;
}

SweepKernels::Needs DirectSweeps::needs(const SweepBody& body, const SweepCall& call) {
  double bytes = 2 * sizeof(std::size_t) + sizeof(double) * body.registers +
                 (sizeof(double) + sizeof(std::uint8_t)) * body.signals;
  for (const std::int64_t extent : call.extents) bytes *= static_cast<double>(extent);
  return {1, bytes};
}

}  // namespace wave::backend::processes
