// Blocks of tiles one after the other; what the last tile of one leaves in memory feeds the first lane of the next.
#include "backend/jit/sweep/run_sweep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <new>

namespace wave::jit::sweep {

namespace {

using backend::processes::SweepCall;
using backend::processes::SweepKernels;

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double blocks_between_questions = 4e6;     // a few milliseconds

// Zeroed vectors, aligned for the widest.
class Buffer {
 public:
  explicit Buffer(std::size_t doubles) : doubles_(doubles) {
    if (doubles > 0) data_ = static_cast<double*>(::operator new(doubles * sizeof(double), alignment));
    std::fill(data_, data_ + doubles, 0.0);
  }
  ~Buffer() { if (data_) ::operator delete(data_, alignment); }
  Buffer(Buffer&& other) noexcept : data_(other.data_), doubles_(other.doubles_) { other.data_ = nullptr; }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;
  double* data() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  double* data_ = nullptr;
  std::size_t doubles_;
};

class SweepRun {
 public:
  SweepRun(const Plan& plan, const Strips& strips, const Grid& grid, const std::vector<double>& tables, const SweepCall& call)
      : plan_(plan), strips_(strips), grid_(grid), tables_(tables), call_(call), layout_(plan), lanes_(strips.lanes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      int most = 0;
      for (const Offset& shift : plan.schedule.shift) most = std::max(most, shift[axis]);
      largest_shift_[axis] = most;
    }
    words_.assign(layout_.count, 0);
    prepare();
  }

  SweepKernels::Outcome run() {
    for (std::int64_t tile = 0; tile < call_.tiles; tile += lanes_) {
      if (!run_block(tile)) return SweepKernels::Outcome::stopped;
    }
    bring_back();
    return SweepKernels::Outcome::done;
  }

 private:
  // A carried register's values before and after a block of tiles.
  struct State {
    double* read = nullptr;
    double* write = nullptr;
    double* caller = nullptr;
  };

  std::int64_t steps(std::size_t axis, std::int64_t last_lane) const {
    return grid_.extents[axis] + largest_shift_[axis] + plan_.schedule.skew[axis] * last_lane;
  }

  static std::int64_t word_of(const double* pointer) { return std::bit_cast<std::int64_t>(pointer); }
  std::int64_t& word(std::uint32_t index) { return words_[index]; }

  Buffer& allocate(std::int64_t doubles) { return buffers_.emplace_back(static_cast<std::size_t>(doubles)); }

  void prepare() {
    line_ = plan_.padding_columns + steps(2, lanes_ - 1);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      word(Arguments::extents + axis) = grid_.extents[axis];
      word(Arguments::strides + axis) = grid_.strides[axis];
    }
    word(Arguments::line) = line_;
    inner_.clear();
    for (std::size_t number = 0; number < plan_.numbers.size(); ++number) {
      inner_.push_back(tables_[(number + 1) * plan_.classes() - 1]);
    }
    word(Arguments::tables) = word_of(tables_.data());
    word(Arguments::inner) = word_of(inner_.data());
    tile_weights_.assign(std::max<std::size_t>(1, call_.weights.size() * static_cast<std::size_t>(lanes_)), 0);
    word(Arguments::tile_weights) = word_of(tile_weights_.data());
    word(Arguments::nowhere) = word_of(&nowhere_);
    prepare_buffers();
    prepare_state();
  }

  void prepare_buffers() {
    const std::int64_t plane_rows = plan_.padding_rows + steps(1, lanes_ - 1) + strips_.rows;
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const auto padding = static_cast<std::int64_t>(plan_.padding_columns) * lanes_;
      if (plan_.rows_back[event] > 0) {
        const std::int64_t size = plan_.rows_back[event] * line_ * lanes_;
        word(layout_.edge_in[event]) = word_of(allocate(size).data() + padding);
        word(layout_.edge_out[event]) = word_of(allocate(size).data() + padding);
      }
      if (plan_.planes_back[event] == 0) continue;
      for (int plane = 0; plane <= plan_.planes_back[event]; ++plane) {
        double* const data = allocate(plane_rows * line_ * lanes_).data();
        word(layout_.planes[event] + static_cast<std::uint32_t>(plane)) =
            word_of(data + plan_.padding_rows * line_ * lanes_ + padding);
      }
    }
  }

  void prepare_state() {
    const std::int64_t processes = grid_.processes();
    for (std::size_t index = 0; index < plan_.events.carried.size(); ++index) {
      State state;
      state.caller = call_.state[plan_.events.carried[index].number];
      state.read = state.caller;
      if (!state.read) {
        state.read = allocate(processes).data();
        std::fill(state.read, state.read + processes, never);
      }
      state.write = in_place(plan_.events.carried[index]) ? state.read : allocate(processes).data();
      states_.push_back(state);
    }
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const Event& at = plan_.events.events[event];
      if (at.kind == Event::Kind::array) word(layout_.values[event]) = word_of(call_.weights[at.number].by_process + grid_.origin);
    }
  }

  // Whether, in every block, the last tile's value of a process is stored after the first has read the one before.
  bool in_place(const Carried& carried) const {
    const std::int64_t rest = call_.tiles % lanes_;
    const std::int64_t least = rest == 0 ? lanes_ - 1 : rest - 1;
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const Event& at = plan_.events.events[event];
      if (at.kind != Event::Kind::earlier || at.number != carried.number) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t stored = plan_.schedule.shift[carried.last][axis] + plan_.schedule.skew[axis] * least;
        if (plan_.schedule.shift[event][axis] > stored) return false;
      }
    }
    return true;
  }

  void point_to_states() {
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const Event& at = plan_.events.events[event];
      if (at.kind == Event::Kind::earlier) word(layout_.values[event]) = word_of(state_of(at.number).read + grid_.origin);
    }
    for (std::size_t index = 0; index < states_.size(); ++index) {
      word(layout_.stores[index]) = word_of(states_[index].write + grid_.origin);
    }
  }

  const State& state_of(std::uint32_t number) const {
    std::size_t index = 0;
    while (plan_.events.carried[index].number != number) ++index;
    return states_[index];
  }

  void load_tile_weights(std::int64_t tile, std::int64_t last_lane) {
    for (std::size_t weight = 0; weight < call_.weights.size(); ++weight) {
      if (!call_.weights[weight].by_tile) continue;
      for (std::int64_t lane = 0; lane < lanes_; ++lane) {
        tile_weights_[weight * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(lanes_ - 1 - lane)] =
            lane <= last_lane ? call_.weights[weight].by_tile[tile + lane] : 0;
      }
    }
  }

  bool run_block(std::int64_t tile) {
    const std::int64_t last_lane = std::min<std::int64_t>(lanes_, call_.tiles - tile) - 1;
    const StripFunction strip = last_lane == lanes_ - 1 ? strips_.full : strips_.ragged;
    point_to_states();
    load_tile_weights(tile, last_lane);
    word(Arguments::last_lane) = last_lane;
    const std::int64_t planes = steps(0, last_lane), rows = steps(1, last_lane);
    for (std::int64_t plane = 0; plane < planes; ++plane) {
      word(Arguments::plane) = plane;
      for (std::int64_t row = 0; row < rows; row += strips_.rows) {
        word(Arguments::row) = row;
        choose_columns(plane, row, last_lane);
        strip(words_.data());
        swap_edges();
        if (!may_go_on(last_lane)) return false;
      }
      turn_planes();
    }
    for (State& state : states_) std::swap(state.read, state.write);
    return true;
  }

  // Whether all processes of these steps are inner ones, on every lane and for every event.
  bool is_inner(std::size_t axis, std::int64_t first, std::int64_t last, std::int64_t last_lane) const {
    const std::int64_t lag = largest_shift_[axis] + plan_.schedule.skew[axis] * last_lane;
    return first - lag >= plan_.gates_low[axis] && last < grid_.extents[axis] - plan_.gates_high[axis];
  }

  void choose_columns(std::int64_t plane, std::int64_t row, std::int64_t last_lane) {
    const std::int64_t end = steps(2, last_lane);
    std::int64_t begin = plan_.gates_low[2] + largest_shift_[2] + plan_.schedule.skew[2] * last_lane;
    std::int64_t fast_end = grid_.extents[2] - plan_.gates_high[2];
    begin = std::max<std::int64_t>(begin, 1);
    fast_end = std::min(fast_end, end - 1);
    const bool inner = is_inner(0, plane, plane, last_lane) && is_inner(1, row, row + strips_.rows - 1, last_lane);
    if (!inner || begin >= fast_end) begin = fast_end = end;
    word(Arguments::fast_begin) = begin;
    word(Arguments::fast_end) = fast_end;
    word(Arguments::end) = end;
  }

  void swap_edges() {
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      std::swap(word(layout_.edge_in[event]), word(layout_.edge_out[event]));
    }
  }

  // The plane of this step becomes the one before; the oldest is written next.
  void turn_planes() {
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const auto first = words_.begin() + layout_.planes[event];
      std::rotate(first, first + plan_.planes_back[event], first + plan_.planes_back[event] + 1);
    }
  }

  bool may_go_on(std::int64_t last_lane) {
    done_ += static_cast<double>(steps(2, last_lane) * strips_.rows * lanes_);
    if (done_ < blocks_between_questions) return true;
    done_ = 0;
    return !call_.go_on || call_.go_on();
  }

  void bring_back() {
    for (const State& state : states_) {
      if (state.caller && state.read != state.caller) std::copy_n(state.read, grid_.processes(), state.caller);
    }
  }

  const Plan& plan_;
  const Strips& strips_;
  const Grid& grid_;
  const std::vector<double>& tables_;
  const SweepCall& call_;
  const Arguments layout_;
  const std::int64_t lanes_;
  std::array<std::int64_t, 3> largest_shift_{};
  std::int64_t line_ = 0;                        // of buffers, in vectors
  double done_ = 0;
  double nowhere_ = 0;
  std::vector<std::int64_t> words_;
  std::vector<double> inner_, tile_weights_;
  std::vector<Buffer> buffers_;
  std::vector<State> states_;                    // per Plan::events.carried
};

}  // namespace

std::optional<std::vector<double>> weight_tables(const Plan& plan, const SweepCall& call) {
  std::vector<double> given;
  for (const SweepCall::Weight& weight : call.weights) given.push_back(weight.value);
  const std::size_t classes = plan.classes();
  std::vector<double> tables(plan.numbers.size() * classes);
  for (std::size_t index = 0; index < classes; ++index) {
    Offset low{}, high{};
    std::size_t rest = index;
    for (std::size_t axis = 3; axis-- > 0;) {
      const std::size_t on_axis = rest % plan.classes(axis);
      rest /= plan.classes(axis);
      low[axis] = static_cast<int>(on_axis) / (plan.gates_high[axis] + 1);
      high[axis] = static_cast<int>(on_axis) % (plan.gates_high[axis] + 1);
    }
    const std::vector<double> values = plan.events.weights.evaluate(low, high, given);
    for (std::size_t number = 0; number < plan.numbers.size(); ++number) {
      const double value = values[plan.numbers[number]];
      if (std::isnan(value) || value == -never) return std::nullopt;
      tables[number * classes + index] = value;
    }
  }
  return tables;
}

SweepKernels::Outcome run_sweep(const Plan& plan, const Strips& strips, const Grid& grid, const std::vector<double>& tables,
                                const SweepCall& call) {
  return SweepRun(plan, strips, grid, tables, call).run();
}

}  // namespace wave::jit::sweep
