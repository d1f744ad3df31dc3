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

// By how much lanes and events may lag behind the step on an axis, in places or in steps.
struct Lag {
  std::int64_t least = 0, most = 0;
};

Lag lag_of(const Plan& plan, std::size_t axis, std::int64_t last_lane, bool in_places) {
  const auto on_axis = [&](const Offset& offset) -> std::int64_t {
    return in_places ? plan.schedule.lean.place(offset)[axis] : offset[axis];
  };
  Lag shift{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const Offset& of : plan.schedule.shift) {
    shift = {std::min(shift.least, on_axis(of)), std::max(shift.most, on_axis(of))};
  }
  const std::int64_t skew = on_axis(plan.schedule.skew) * last_lane;
  return {shift.least + std::min<std::int64_t>(skew, 0), shift.most + std::max<std::int64_t>(skew, 0)};
}

// The number of steps that planes, rows and columns take, from the first.
std::int64_t steps_on(std::size_t axis, const Plan& plan, const Grid& grid, std::int64_t last_lane) {
  const auto& extents = grid.extents;
  const Lean& lean = plan.schedule.lean;
  const std::int64_t leaning = axis == 0   ? 0
                               : axis == 1 ? lean.rows_by_plane * (extents[0] - 1)
                                           : lean.columns_by_plane * (extents[0] - 1) + lean.columns_by_row * (extents[1] - 1);
  return extents[axis] + leaning + lag_of(plan, axis, last_lane, false).most;
}

// Of buffers, in vectors.
struct Lengths {
  std::int64_t line = 0, plane = 0;
};

Lengths lengths(const Plan& plan, const Grid& grid, int lanes, int rows) {
  const std::int64_t line = plan.padding_columns + steps_on(2, plan, grid, lanes - 1);
  return {line, line * (plan.padding_rows + steps_on(1, plan, grid, lanes - 1) + rows)};
}

class SweepRun {
 public:
  SweepRun(const Plan& plan, const Strips& strips, const Grid& grid, const std::vector<double>& tables, const SweepCall& call)
      : plan_(plan), strips_(strips), grid_(grid), tables_(tables), call_(call), layout_(plan), lanes_(strips.lanes),
        lengths_(lengths(plan, grid, strips.lanes, std::max(strips.rows, strips.border_rows))) {
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

  std::int64_t steps(std::size_t axis, std::int64_t last_lane) const { return steps_on(axis, plan_, grid_, last_lane); }

  static std::int64_t word_of(const double* pointer) { return std::bit_cast<std::int64_t>(pointer); }
  std::int64_t& word(std::uint32_t index) { return words_[index]; }

  Buffer& allocate(std::int64_t doubles) { return buffers_.emplace_back(static_cast<std::size_t>(doubles)); }

  void prepare() {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      word(Arguments::extents + axis) = grid_.extents[axis];
      word(Arguments::strides + axis) = grid_.strides[axis];
    }
    word(Arguments::line) = lengths_.line;
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
    for (std::size_t event = 0; event < plan_.events.events.size(); ++event) {
      const auto padding = static_cast<std::int64_t>(plan_.padding_columns) * lanes_;
      if (plan_.rows_back[event] > 0) {
        const std::int64_t size = plan_.rows_back[event] * lengths_.line * lanes_;
        word(layout_.edge_in[event]) = word_of(allocate(size).data() + padding);
        word(layout_.edge_out[event]) = word_of(allocate(size).data() + padding);
      }
      if (plan_.planes_back[event] == 0) continue;
      for (int plane = 0; plane <= plan_.planes_back[event]; ++plane) {
        double* const data = allocate(lengths_.plane * lanes_).data();
        word(layout_.planes[event] + static_cast<std::uint32_t>(plane)) =
            word_of(data + plan_.padding_rows * lengths_.line * lanes_ + padding);
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

  void load_tile_weights(std::int64_t tile) {
    for (std::size_t weight = 0; weight < call_.weights.size(); ++weight) {
      if (!call_.weights[weight].by_tile) continue;
      for (std::int64_t lane = 0; lane < lanes_; ++lane) {
        tile_weights_[weight * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(lanes_ - 1 - lane)] =
            lane <= last_lane_ ? call_.weights[weight].by_tile[tile + lane] : 0;
      }
    }
  }

  bool run_block(std::int64_t tile) {
    last_lane_ = std::min<std::int64_t>(lanes_, call_.tiles - tile) - 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      lag_[axis] = lag_of(plan_, axis, last_lane_, false);
      place_lag_[axis] = lag_of(plan_, axis, last_lane_, true);
    }
    point_to_states();
    load_tile_weights(tile);
    word(Arguments::last_lane) = last_lane_;
    for (std::int64_t plane = 0; plane < steps(0, last_lane_); ++plane) {
      if (!run_plane(plane)) return false;
      turn_planes();
    }
    for (State& state : states_) std::swap(state.read, state.write);
    return true;
  }

  bool run_plane(std::int64_t plane) {
    word(Arguments::plane) = plane;
    const std::int64_t lean = plan_.schedule.lean.rows_by_plane;
    const std::int64_t last = grid_.extents[1] + lean * std::min(plane, grid_.extents[0] - 1) + lag_[1].most;
    for (std::int64_t row = lean * std::max<std::int64_t>(0, plane - lag_[0].most); row < last;) {
      const std::int64_t place = row - lean * plane;
      const bool inner = (strips_.full || strips_.ragged) && is_inner(0, plane, plane) && is_inner(1, place, place + strips_.rows - 1);
      const int rows = inner ? strips_.rows : strips_.border_rows;
      word(Arguments::row) = row;
      word(Arguments::row_place) = place;
      choose_columns(plane, place, rows);
      code(inner)(words_.data());
      swap_edges();
      row += rows;
      if (!may_go_on(rows)) return false;
    }
    return true;
  }

  StripFunction code(bool inner) const {
    if (!inner) return strips_.border;
    return strips_.full && last_lane_ == lanes_ - 1 ? strips_.full : strips_.ragged;
  }

  // Whether all processes of these steps are inner ones, on every lane and for every event.
  bool is_inner(std::size_t axis, std::int64_t first, std::int64_t last) const {
    return first - place_lag_[axis].most >= plan_.gates_low[axis] &&
           last - place_lag_[axis].least < grid_.extents[axis] - plan_.gates_high[axis];
  }

  void choose_columns(std::int64_t plane, std::int64_t place, std::int64_t rows) {
    const Lean& lean = plan_.schedule.lean;
    const auto& extents = grid_.extents;
    const auto within = [](std::int64_t index, std::int64_t extent) { return std::clamp<std::int64_t>(index, 0, extent - 1); };
    const std::int64_t first = lean.columns_by_plane * within(plane - place_lag_[0].most, extents[0]) +
                               lean.columns_by_row * within(place - place_lag_[1].most, extents[1]);
    const std::int64_t last = lean.columns_by_plane * within(plane - place_lag_[0].least, extents[0]) +
                              lean.columns_by_row * within(place + rows - 1 - place_lag_[1].least, extents[1]);
    const std::int64_t end = extents[2] + last + lag_[2].most;
    const std::int64_t base = lean.columns_by_plane * plane + lean.columns_by_row * place;
    std::int64_t fast_begin = plan_.gates_low[2] + base + lean.columns_by_row * (rows - 1) + place_lag_[2].most;
    std::int64_t fast_end = extents[2] - plan_.gates_high[2] + base + place_lag_[2].least;
    fast_begin = std::max(fast_begin, first + 1);
    fast_end = std::min(fast_end, end - 1);
    if (fast_begin >= fast_end) fast_begin = fast_end = end;
    word(Arguments::column_place) = base;
    word(Arguments::begin) = first;
    word(Arguments::fast_begin) = fast_begin;
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

  bool may_go_on(int rows) {
    done_ += static_cast<double>(grid_.extents[2] * rows * lanes_);
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
  std::int64_t last_lane_ = 0;                   // of this block of tiles
  std::array<Lag, 3> lag_{}, place_lag_{};
  const Lengths lengths_;
  double done_ = 0;
  double nowhere_ = 0;
  std::vector<std::int64_t> words_;
  std::vector<double> inner_, tile_weights_;
  std::vector<Buffer> buffers_;
  std::vector<State> states_;                    // per Plan::events.carried
};

}  // namespace

double buffered(const Plan& plan, const Grid& grid, int lanes, int rows) {
  const Lengths of = lengths(plan, grid, lanes, rows);
  double vectors = 0;
  for (std::size_t event = 0; event < plan.events.events.size(); ++event) {
    vectors += 2.0 * plan.rows_back[event] * static_cast<double>(of.line);
    if (plan.planes_back[event] > 0) vectors += (plan.planes_back[event] + 1.0) * static_cast<double>(of.plane);
  }
  return vectors * lanes;
}

StripKinds which_strips(const Plan& plan, const Grid& grid, int last_lane, int rows) {
  StripKinds kinds{.inner = true, .border = false};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const Lag lag = lag_of(plan, axis, last_lane, true);
    const std::int64_t margins = plan.gates_low[axis] + lag.most + plan.gates_high[axis] - lag.least;
    kinds.inner = kinds.inner && grid.extents[axis] - margins >= (axis == 0 ? 1 : rows);
    kinds.border = kinds.border || margins > 0;
  }
  kinds.border = kinds.border || grid.extents[1] % rows != 0;
  return kinds;
}

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
