// A sweep by its definition: the processes one after the other, each as far into the tile as its signals allow.
#include "backend/processes/bulk/sweep_body.h"
#include "backend/processes/never.h"
#include "backend/processes/thresholds.h"

#include <algorithm>

namespace wave::backend::processes {

namespace {

using Kind = SweepBody::Operation::Kind;

bool takes_larger(const SweepBody::Operation& operation) {
  return operation.kind == Kind::join || operation.kind == Kind::await;
}

std::int64_t processes_of(const SweepCall& call) {
  std::int64_t processes = 1;
  for (const std::int64_t extent : call.extents) processes *= extent;
  return processes;
}

// The choices of a process and eight tiles are next to each other.
SweepRecord::Layout record_layout(const SweepBody& body, const SweepCall& call) {
  SweepRecord::Layout layout;
  std::int64_t stride = 0;
  for (const SweepBody::Operation& operation : body.operations) {
    layout.operations.push_back(takes_larger(operation) ? stride : SweepRecord::none);
    if (takes_larger(operation)) stride += 2 * SweepRecord::bytes_of_bits(layout.lanes);
  }
  layout.by_axis.resize(call.extents.size());
  for (std::size_t axis = call.extents.size(); axis-- > 0; stride *= call.extents[axis]) layout.by_axis[axis] = stride;
  layout.by_lanes = stride;
  layout.bytes = (call.tiles + layout.lanes - 1) / layout.lanes * stride;
  return layout;
}

class DirectSweep {
 public:
  DirectSweep(const SweepBody& body, const SweepCall& call) : body_(body), call_(call), processes_(processes_of(call)) {
    const auto count = static_cast<std::size_t>(processes_);
    registers_.assign(count * body.registers, never);
    signals_.resize(count * body.signals);
    sent_.resize(signals_.size());
    next_.resize(count);
    waits_for_.resize(count);
    find_steps();
  }

  bool run(bool& is_stopped) {
    if (call_.record) {
      call_.record->lay_out(record_layout(body_, call_));
      std::fill_n(call_.record->data(), call_.record->layout().bytes, std::uint8_t{0});
    }
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
  // An operation, with what is the same for many processes found beforehand.
  struct Step {
    const SweepBody::Operation* operation = nullptr;
    const std::uint8_t* is_there = nullptr;  // by process: whether its peer is on the grid; null: always
    std::int64_t peer = 0;                   // from the process to it
    double uniform = 0;                      // the weights that are the same for all processes, in this tile
    std::vector<const double*> by_process;   // the others
    std::uint8_t* record = nullptr;          // of process 0, in these tiles
  };

  void find_steps() {
    peers_.reserve(body_.operations.size());
    for (const SweepBody::Operation& operation : body_.operations) {
      Step& step = steps_.emplace_back();
      step.operation = &operation;
      for (const std::uint32_t weight : operation.weights) {
        if (call_.weights[weight].by_process) step.by_process.push_back(call_.weights[weight].by_process);
      }
      if (operation.peer.empty()) continue;
      std::int64_t stride = 1;
      for (std::size_t axis = call_.extents.size(); axis-- > 0; stride *= call_.extents[axis])
        step.peer += (call_.rising[axis] ? operation.peer[axis] : -operation.peer[axis]) * stride;
      step.is_there = find_peers(operation.peer);
    }
  }

  // Processes are numbered as in the grid; only `peer` is turned.
  const std::uint8_t* find_peers(const std::vector<std::int8_t>& peer) {
    for (const Peers& known : peers_) {
      if (*known.peer == peer) return known.are_there.data();
    }
    Peers& found = peers_.emplace_back(&peer, std::vector<std::uint8_t>(static_cast<std::size_t>(processes_), 1));
    std::int64_t stride = processes_;
    for (std::size_t axis = 0; axis < call_.extents.size(); ++axis) {
      const std::int64_t extent = call_.extents[axis], offset = call_.rising[axis] ? peer[axis] : -peer[axis];
      stride /= extent;
      if (offset == 0) continue;
      for (std::int64_t process = 0; process < processes_; ++process) {
        const std::int64_t index = process / stride % extent + offset;
        if (index < 0 || index >= extent) found.are_there[static_cast<std::size_t>(process)] = 0;
      }
    }
    return found.are_there.data();
  }

  // False: no process can go on, and not all are done.
  bool run_tile() {
    std::fill(next_.begin(), next_.end(), 0);
    std::fill(sent_.begin(), sent_.end(), 0);
    std::fill(waits_for_.begin(), waits_for_.end(), nothing);
    set_tile();
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

  void set_tile() {
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      Step& step = steps_[at];
      step.uniform = 0;
      for (const std::uint32_t index : step.operation->weights) {
        const SweepCall::Weight& weight = call_.weights[index];
        if (!weight.by_process) step.uniform += weight.by_tile ? weight.by_tile[tile_] : weight.value;
      }
      if (!call_.record || !takes_larger(*step.operation)) continue;
      const SweepRecord::Layout& layout = call_.record->layout();
      step.record = call_.record->data() + layout.operations[at] + tile_ / layout.lanes * layout.by_lanes;
    }
    if (!call_.record) return;
    record_stride_ = call_.record->layout().by_axis.empty() ? 0 : call_.record->layout().by_axis.back();
    record_bit_ =
        static_cast<std::uint8_t>(1 << (call_.record->layout().lanes - 1 - tile_ % call_.record->layout().lanes));
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
    std::size_t& next = next_[static_cast<std::size_t>(process)];
    for (; next < steps_.size(); ++next) {
      if (!execute(process, steps_[next])) return;
    }
    ++done_;
  }

  // False: its signal is not there yet.
  bool execute(std::int64_t process, const Step& step) {
    if (step.is_there && !step.is_there[process]) return true;
    const SweepBody::Operation& operation = *step.operation;
    double* const registers = &registers_[static_cast<std::size_t>(process) * body_.registers];
    double& target = registers[operation.target];
    const std::int64_t peer = process + step.peer;
    const double w = weight(process, step);
    switch (operation.kind) {
      case Kind::add: target += w; break;
      case Kind::copy: target = registers[operation.source] + w; break;
      case Kind::join: take_larger(process, step, target, registers[operation.source] + w); break;
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
        take_larger(process, step, target, signals_[signal(peer, operation)] + w);
        break;
    }
    return true;
  }

  void take_larger(std::int64_t process, const Step& step, double& target, double other) const {
    if (step.record) {
      std::uint8_t* const at = step.record + process * record_stride_;
      if (other > target) at[0] |= record_bit_;
      if (other == target) at[1] |= record_bit_;
    }
    target = std::max(target, other);
  }

  std::size_t signal(std::int64_t process, const SweepBody::Operation& operation) const {
    return static_cast<std::size_t>(process) * body_.signals + operation.signal;
  }

  static double weight(std::int64_t process, const Step& step) {
    double sum = step.uniform;
    for (const double* const values : step.by_process) sum += values[process];
    return sum;
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
  struct Peers {
    const std::vector<std::int8_t>* peer;
    std::vector<std::uint8_t> are_there;  // by process
  };
  const SweepBody& body_;
  const SweepCall& call_;
  const std::int64_t processes_;
  std::int64_t tile_ = 0, done_ = 0;
  std::vector<Peers> peers_;
  std::vector<Step> steps_;  // by operation
  std::int64_t record_stride_ = 0;
  std::uint8_t record_bit_ = 0;
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
  std::vector<const std::vector<std::int8_t>*> peers;
  for (const SweepBody::Operation& operation : body.operations) {
    const auto is_it = [&](const auto* peer) { return *peer == operation.peer; };
    if (!operation.peer.empty() && std::none_of(peers.begin(), peers.end(), is_it)) peers.push_back(&operation.peer);
  }
  bytes += static_cast<double>(peers.size());
  Needs needs{1, bytes * static_cast<double>(processes_of(call)), 0};
  if (!call.record) return needs;
  const SweepRecord::Layout layout = record_layout(body, call);
  needs.together = layout.lanes;
  needs.record = static_cast<double>(layout.by_lanes) / static_cast<double>(layout.lanes);
  return needs;
}

}  // namespace wave::backend::processes
