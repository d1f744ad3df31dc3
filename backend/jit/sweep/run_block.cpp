// The loops around a compiled strip: planes, and strips of rows.
#include "backend/jit/sweep/run_block.h"

#include "backend/jit/sweep/thresholds.h"

#include <algorithm>
#include <bit>

namespace wave::jit::sweep {

namespace {

std::int64_t word_of(const double* pointer) { return std::bit_cast<std::int64_t>(pointer); }

}  // namespace

BlockRun::BlockRun(Run& run, bool asks_to_go_on)
    : run_(run),
      asks_(asks_to_go_on),
      layout_(run.plan),
      lanes_(run.strips.lanes),
      plane_span_(2 * (steps_on(1, run.plan, run.grid, lanes_) + run.strips.rows + run.strips.border_rows)),
      words_(layout_.count, 0) {
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    word(Arguments::extents + axis) = run.grid.extents[axis];
    word(Arguments::strides + axis) = run.grid.strides[axis];
  }
  for (const auto& weight : run.call.weights) given_.push_back(weight.value);
  tile_weights_.assign(run.call.weights.size() * static_cast<std::size_t>(lanes_), 0);
  word(Arguments::line) = run_.steps.line;
  word(Arguments::given) = word_of(given_.data());
  word(Arguments::tile_weights) = word_of(tile_weights_.data());
  word(Arguments::nowhere) = word_of(&nowhere_);
  word(Arguments::record_row) = run_.steps.record.row;
  prepare_buffers();
  point_to_states();
}

double* BlockRun::allocate(std::int64_t doubles) {
  double* const buffer = buffers_.emplace_back(static_cast<std::size_t>(doubles)).data();
  std::fill_n(buffer, doubles, 0.0);
  return buffer;
}

void BlockRun::prepare_buffers() {
  const Plan& plan = run_.plan;
  const std::int64_t padding = plan.padding_columns * lanes_;
  for (std::size_t event = 0; event < plan.events.events.size(); ++event) {
    const SweepEvent& at = plan.events.events[event];
    if (at.kind == SweepEvent::Kind::array) {
      word(layout_.values[event]) = word_of(run_.call.weights[at.number].by_process + run_.grid.origin);
    }
    if (plan.rows_back[event] > 0) {
      const std::int64_t size = plan.rows_back[event] * run_.steps.line * lanes_;
      word(layout_.edge_in[event]) = word_of(allocate(size) + padding);
      word(layout_.edge_out[event]) = word_of(allocate(size) + padding);
    }
    if (plan.planes_back[event] == 0) continue;
    const auto allocate_plane = [&] {
      return word_of(allocate(run_.steps.plane * lanes_) + plan.padding_rows * run_.steps.line * lanes_ + padding);
    };
    for (std::uint32_t plane = 0; plane <= static_cast<std::uint32_t>(plan.planes_back[event]); ++plane) {
      const bool same = plane > 0 && plan.one_plane[event];
      word(layout_.planes[event] + plane) = same ? word(layout_.planes[event]) : allocate_plane();
    }
  }
}

void BlockRun::point_to_states() {
  const Events& events = run_.plan.events;
  for (std::size_t index = 0; index < run_.states.size(); ++index) {
    word(layout_.stores[index]) = word_of(run_.states[index] + run_.grid.origin);
    for (std::size_t event = 0; event < events.events.size(); ++event) {
      const SweepEvent& at = events.events[event];
      if (at.kind != SweepEvent::Kind::earlier || at.number != events.carried[index].number) continue;
      word(layout_.values[event]) = word_of(run_.states[index] + run_.grid.origin);
    }
  }
}

bool BlockRun::run(std::int64_t block) {
  block_ = block;
  last_lane_ = std::min<std::int64_t>(lanes_, run_.call.tiles - block * lanes_) - 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lag_[axis] = lag_in_steps(run_.plan, axis, last_lane_);
    place_lag_[axis] = lag_in_places(run_.plan, axis, last_lane_);
  }
  load_tile_weights(block * lanes_);
  word(Arguments::last_lane) = last_lane_;
  const std::int64_t planes = steps_on(0, run_.plan, run_.grid, last_lane_);
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    if (!run_plane(plane)) return false;
    turn_planes();
    run_.blocks.reach(block, progress(plane + 1, 0));
  }
  return true;
}

bool BlockRun::run_plane(std::int64_t plane) {
  word(Arguments::plane) = plane;
  if (run_.call.record) {
    std::uint8_t* const record =
        run_.call.record->data() + block_ * run_.steps.record.block + plane * run_.steps.record.plane;
    word(Arguments::record) = std::bit_cast<std::int64_t>(record);
  }
  const Strips& strips = run_.strips;
  const StripFunction far = last_lane_ == lanes_ - 1 ? strips.full : strips.ragged;
  const std::int64_t lean = run_.plan.schedule.lean.rows_by_plane;
  const std::int64_t last = run_.grid.extents[1] + lean * std::min(plane, run_.grid.extents[0] - 1) + lag_[1].most;
  // The last tile of a full block before stores its values as many steps later as it lags.
  const std::int64_t planes_behind = lag_in_steps(run_.plan, 0, lanes_ - 1).most;
  const std::int64_t rows_behind = lag_in_steps(run_.plan, 1, lanes_ - 1).most;
  for (std::int64_t row = lean * std::max<std::int64_t>(0, plane - lag_[0].most); row < last;) {
    const std::int64_t place = row - lean * plane;
    const bool inner = far && is_inner(0, plane, plane) && is_inner(1, place, place + strips.rows - 1);
    const int rows = inner ? strips.rows : strips.border_rows;
    const std::int64_t needed = progress(plane + planes_behind, row + rows + rows_behind);
    if (block_ > 0 && !run_.blocks.wait(block_, block_ - 1, needed)) return false;
    word(Arguments::row) = row;
    word(Arguments::row_place) = place;
    choose_columns(plane, place, rows);
    (inner ? far : strips.border)(words_.data());
    swap_edges();
    row += rows;
    run_.blocks.reach(block_, progress(plane, row));
    if (!may_go_on(rows)) return false;
  }
  return true;
}

// One thread asks, and tells the others.
bool BlockRun::may_go_on(int rows) {
  evaluated_ += static_cast<double>(run_.grid.extents[2] * rows * lanes_);
  if (asks_ && evaluated_ >= blocks_between_questions) {
    evaluated_ = 0;
    if (run_.call.go_on && !run_.call.go_on()) run_.blocks.stop();
  }
  return !run_.blocks.is_stopped();
}

void BlockRun::load_tile_weights(std::int64_t tile) {
  for (std::size_t weight = 0; weight < run_.call.weights.size(); ++weight) {
    if (!run_.call.weights[weight].by_tile) continue;
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      tile_weights_[weight * static_cast<std::size_t>(lanes_) + static_cast<std::size_t>(lanes_ - 1 - lane)] =
          lane <= last_lane_ ? run_.call.weights[weight].by_tile[tile + lane] : 0;
    }
  }
}

// Whether all processes of these steps are inner ones, on every lane and for every event.
bool BlockRun::is_inner(std::size_t axis, std::int64_t first, std::int64_t last) const {
  return first - place_lag_[axis].most >= run_.plan.gates_low[axis] &&
         last - place_lag_[axis].least < run_.grid.extents[axis] - run_.plan.gates_high[axis];
}

void BlockRun::choose_columns(std::int64_t plane, std::int64_t place, std::int64_t rows) {
  const Lean& lean = run_.plan.schedule.lean;
  const auto& extents = run_.grid.extents;
  const auto within = [](std::int64_t index, std::int64_t extent) {
    return std::clamp<std::int64_t>(index, 0, extent - 1);
  };
  const std::int64_t first = lean.columns_by_plane * within(plane - place_lag_[0].most, extents[0]) +
                             lean.columns_by_row * within(place - place_lag_[1].most, extents[1]);
  const std::int64_t last = lean.columns_by_plane * within(plane - place_lag_[0].least, extents[0]) +
                            lean.columns_by_row * within(place + rows - 1 - place_lag_[1].least, extents[1]);
  const std::int64_t end = extents[2] + last + lag_[2].most;
  const std::int64_t base = lean.columns_by_plane * plane + lean.columns_by_row * place;
  std::int64_t fast_begin = run_.plan.gates_low[2] + base + lean.columns_by_row * (rows - 1) + place_lag_[2].most;
  std::int64_t fast_end = extents[2] - run_.plan.gates_high[2] + base + place_lag_[2].least;
  fast_begin = std::max(fast_begin, first + 1);
  fast_end = std::min(fast_end, end - 1);
  if (fast_begin >= fast_end) fast_begin = fast_end = end;
  word(Arguments::column_place) = base;
  word(Arguments::begin) = first;
  word(Arguments::fast_begin) = fast_begin;
  word(Arguments::fast_end) = fast_end;
  word(Arguments::end) = end;
}

void BlockRun::swap_edges() {
  for (std::size_t event = 0; event < run_.plan.events.events.size(); ++event) {
    std::swap(word(layout_.edge_in[event]), word(layout_.edge_out[event]));
  }
}

// The plane of this step becomes the one before; the oldest is written next.
void BlockRun::turn_planes() {
  for (std::size_t event = 0; event < run_.plan.events.events.size(); ++event) {
    const auto first = words_.begin() + layout_.planes[event];
    std::rotate(first, first + run_.plan.planes_back[event], first + run_.plan.planes_back[event] + 1);
  }
}

}  // namespace wave::jit::sweep
