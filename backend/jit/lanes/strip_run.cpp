// The order of it all: the shape, the tables, then strip after strip, the threads each behind the one with the strip before.
#include "backend/jit/group_evaluation.h"
#include "backend/jit/lanes/strip_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <exception>
#include <limits>
#include <thread>

namespace wave::jit::lanes {

namespace {

constexpr std::int64_t scratch_words = 1 << 14;        // of an event: they stay in the cache
constexpr std::int64_t cells_between_looks = 1 << 22;  // at the clock
constexpr double cells_for_threads = 1 << 22;
constexpr std::int64_t without_end = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

StripEvaluation::StripEvaluation(Run& run, Record* record, GroupIndex number, Group& group, double quantum,
                                 std::function<Status(double done, double all)> in_time)
    : run_(run),
      record_(record),
      number_(number),
      group_(group),
      quantum_(quantum),
      in_time_(std::move(in_time)),
      system_(run.program_.system),
      layout_(run.program_.layout),
      plan_(layout_.strips[number]),
      events_(layout_.groups[number]),
      rank_(static_cast<std::uint32_t>(group.first.size())) {}

StripEvaluation::~StripEvaluation() { run_.bytes_ -= bytes_; }

std::int64_t StripEvaluation::turned(std::uint32_t axis, std::int64_t index) const {
  return plan_.rising[axis] ? index - group_.first[axis] : group_.last[axis] - index;
}

std::int64_t StripEvaluation::unturned(std::uint32_t axis, std::int64_t coordinate) const {
  return plan_.rising[axis] ? group_.first[axis] + coordinate : group_.last[axis] - coordinate;
}

std::string StripEvaluation::text() const {
  std::string text = fmt::format("rows {} in {} lanes, {} vectors, skew {}", system_[events_.space].axes[plan_.row_axis].name,
                                 shape_.lanes, shape_.vectors, plan_.skew);
  if (threads_ > 1) text += fmt::format("; {} threads", threads_);
  return text;
}

StripOutcome StripEvaluation::evaluate() {
  if (quantum_ != 0 && (quantum_ < 0x1p-900 || quantum_ > 0x1p900)) {
    reason_ = "times are beyond what its lanes round";
    return StripOutcome::abandoned;
  }
  bool cellwise = false, strict = false;
  for (;;) {
    StripEvaluation next(run_, record_, number_, group_, quantum_, in_time_);
    const StripOutcome outcome = next.attempt(cellwise, strict);
    reason_ = next.reason_, shape_ = next.shape_, threads_ = next.threads_;
    const bool may_be_of_no_cell = next.bad_ && next.tolerant_ && !next.tables_->only_tables();
    if (outcome != StripOutcome::abandoned || (!next.periods_too_long_ && !may_be_of_no_cell)) return outcome;
    cellwise = cellwise || next.periods_too_long_;
    strict = strict || may_be_of_no_cell;
  }
}

// `strict`: cells off the space are not evaluated without masks, since they may fail.
StripOutcome StripEvaluation::attempt(bool cellwise, bool strict) {
  {
    const std::lock_guard lock(run_.program_.mutex);
    tables_ = &run_.program_.strips.tables(number_, cellwise);
    if (!find_sources() || !choose_shape(cellwise)) return StripOutcome::abandoned;
    code_ = run_.program_.strips.get(run_.program_.compiler, number_, shape_);
  }
  reason_ = code_.reason;
  if (!reason_.empty() || !reserve() || !fill_tables()) return StripOutcome::abandoned;
  find_edges(strict);
  const StripOutcome outcome = run_units();
  if (outcome == StripOutcome::done) publish();
  return outcome;
}

// --- the shape ---

// Neighbours in other groups are looked for in strips of the same shape.
bool StripEvaluation::find_sources() {
  for (const StripNeighbour* const neighbour : plan_.far()) {
    Source source{neighbour};
    source.event = layout_.position[neighbour->source.index];
    if (!neighbour->own) {
      Record* const owner = run_.record_of(system_[neighbour->source].frame, events_.frame, record_);
      const GroupIndex other = layout_.group_of[neighbour->source.index];
      const Group* const group = group_at(owner, layout_.group_offset[other]);
      const StripPlan& plan = layout_.strips[other];
      const bool fits = group && group->strips.shape.lanes > 0 && group->strips.base[source.event] && plan.row_axis == plan_.row_axis &&
                        plan.column_axis == plan_.column_axis && plan.rising == plan_.rising && plan.skew == plan_.skew &&
                        (shape_.lanes == 0 || (shape_.lanes == group->strips.shape.lanes && shape_.vectors == group->strips.shape.vectors));
      if (!fits) {
        reason_ = fmt::format("`{}` is not stored in lanes of the same shape", system_[neighbour->source].name);
        return false;
      }
      shape_ = {group->strips.shape.lanes, group->strips.shape.vectors};
      source.base = group->strips.base[source.event];
    }
    sources_.push_back(source);
  }
  return true;
}

bool StripEvaluation::choose_shape(bool cellwise) {
  ShapeQuestion question;
  question.rows = extent(plan_.row_axis);
  question.columns = extent(plan_.column_axis);
  question.skew = plan_.skew;
  question.nodes = tables_->nodes();
  planes_ = plan_.plane_axis ? extent(*plan_.plane_axis) : 1;
  question.kept_vectors = 0;
  storage_.resize(events_.events.size());
  for (std::size_t event = 0; event < events_.events.size(); ++event) {
    const StripEvent& planned = plan_.events[event];
    question.rows_above = std::max(question.rows_above, planned.rows_above);
    question.kept_vectors += static_cast<std::uint32_t>(planned.steps);
    for (const KeptBox& box : group_.events[event].kept) {
      storage_[event].all = storage_[event].all || std::none_of(box.fixed.begin(), box.fixed.end(), [](const auto& f) { return f.has_value(); });
    }
    if (storage_[event].all) storage_[event].slots = planes_;
    else if (planned.planes > 0) storage_[event].slots = std::min<std::int64_t>(planes_, planned.planes + 1);
    question.stored = question.stored || storage_[event].slots > 0;
  }
  for (const StripNeighbour& neighbour : plan_.neighbours) question.rows_above = std::max(question.rows_above, std::abs(neighbour.rows));
  if (shape_.lanes == 0) {
    const auto chosen = run_.program_.strips.choose(run_.program_.compiler, question);
    if (!chosen) {
      reason_ = "its rows and columns are too few for lanes";
      return false;
    }
    shape_ = *chosen;
  } else if (static_cast<std::int32_t>(shape_.vectors) < question.rows_above) {
    reason_ = "what it looks at is stored in strips too narrow for it";
    return false;
  }
  shape_.cellwise = cellwise;
  constexpr double beyond_caches = 64e6;           // bytes
  const bool all_stored = std::all_of(storage_.begin(), storage_.end(), [](const Storage& storage) { return storage.all; });
  const double cells = static_cast<double>(question.rows) * static_cast<double>(question.columns) * static_cast<double>(planes_);
  shape_.streams = all_stored && !plan_.plane_axis && cells * sizeof(Word) > beyond_caches;
  extents_ = StripExtents(plan_, shape_, question.rows, question.columns);
  units_ = planes_ * extents_.strips;
  return true;
}

// --- memory ---

bool StripEvaluation::reserve() {
  const LaneWishes wishes = lane_wishes();
  for (std::uint32_t axis = 0; axis < rank_; ++axis) {
    constexpr std::int64_t far = std::int64_t{1} << 60;
    if (group_.first[axis] < -far || group_.last[axis] > far) return false;
  }
  const auto cells = static_cast<double>(extents_.rows) * static_cast<double>(extents_.columns) * static_cast<double>(planes_);
  if (cells > 0x1p52) return false;
  threads_ = run_.program_.options.threads;
  if (threads_ == 0) threads_ = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (cells < cells_for_threads) threads_ = 1;
  if (wishes.threads > 0) threads_ = wishes.threads;
  threads_ = static_cast<int>(std::clamp<std::int64_t>(threads_, 1, std::max<std::int64_t>(1, units_ / 2)));

  const std::int64_t strip_rows = extents_.strip_rows;
  std::int32_t most_steps = 0, most_rows = 0;
  for (const StripEvent& event : plan_.events) {
    most_steps = std::max(most_steps, event.steps);
    most_rows = std::max(most_rows, event.rows_above);
  }
  row_pad_ = plan_.skew * (strip_rows + 2) + most_steps + 8;
  row_words_ = extents_.columns + 2 * row_pad_;
  scratch_steps_ = std::max<std::int64_t>(1, scratch_words / strip_rows);
  chunk_steps_ = std::max<std::int64_t>(1, cells_between_looks / strip_rows);
  if (threads_ > 1) chunk_steps_ = std::clamp<std::int64_t>(extents_.steps / 32, 16, chunk_steps_);
  if (wishes.steps > 0) scratch_steps_ = std::min<std::int64_t>(scratch_steps_, wishes.steps), chunk_steps_ = wishes.steps;

  pad_words_ = 0;
  double words = static_cast<double>(row_words_) * std::max(1, most_rows) * (1 + static_cast<double>(events_.events.size()) * (threads_ + 1));
  for (std::size_t event = 0; event < storage_.size(); ++event) {
    words += static_cast<double>(threads_) * static_cast<double>(scratch_steps_ * strip_rows + plan_.events[event].steps * strip_rows);
    if (storage_[event].slots == 0) continue;
    pad_words_ = extents_.strip_words + (plan_.skew * (strip_rows + 4) + 16) * strip_rows;
    words += static_cast<double>(storage_[event].slots) * static_cast<double>(extents_.plane_words) + 2.0 * static_cast<double>(pad_words_);
  }
  for (const StripTable& table : tables_->tables) {
    if (table.span == Span::row) words += 2.0 * static_cast<double>(extents_.strips * strip_rows);
    if (table.span == Span::column) words += static_cast<double>(extents_.steps + strip_rows) * (shape_.lanes + 1);
    if (table.span == Span::plane) words += static_cast<double>(planes_);
  }
  for (std::size_t event = 0; event < storage_.size(); ++event) {
    if (storage_[event].all) continue;
    for (const KeptBox& box : group_.events[event].kept) {
      double kept = 1;
      for (std::uint32_t axis = 0; axis < rank_; ++axis) kept *= box.fixed[axis] ? 1.0 : static_cast<double>(extent(axis));
      words += kept;
    }
  }
  const double left = static_cast<double>(run_.limits_.memory_bytes) - static_cast<double>(run_.bytes_);
  if (words * sizeof(Word) > left) {
    reason_ = "lanes would take more memory";
    return false;
  }
  bytes_ = static_cast<std::size_t>(words) * sizeof(Word);
  run_.bytes_ += bytes_;
  const std::size_t each = static_cast<std::size_t>(row_words_) * static_cast<std::size_t>(std::max(1, most_rows));
  const Word absent = std::bit_cast<Word>(-std::numeric_limits<double>::infinity());
  absent_rows_.assign(each, absent);
  rows_.assign(events_.events.size(), {});
  for (std::size_t event = 0; event < rows_.size(); ++event) {
    if (plan_.events[event].rows_above > 0) rows_[event].assign(each * static_cast<std::size_t>(threads_ + 1), absent);
  }
  for (Storage& storage : storage_) {
    if (storage.slots == 0) continue;
    storage.words = allocate_words(storage.slots * extents_.plane_words + 2 * pad_words_, run_.program_.pool);
    if (!storage.words) {
      reason_ = "lanes would take more memory";
      return false;
    }
    storage.base = storage.words.get() + pad_words_;
  }
  for (std::size_t event = 0; event < storage_.size(); ++event) {
    if (storage_[event].all) continue;
    for (KeptBox& box : group_.events[event].kept) {
      std::int64_t stride = 1;
      box.stride.assign(rank_, 0);
      for (std::uint32_t axis = rank_; axis-- > 0;) {
        if (box.fixed[axis]) continue;
        box.stride[axis] = stride;
        stride *= extent(axis);
      }
      box.cells.resize(static_cast<std::size_t>(stride));
    }
  }
  return true;
}

// --- which steps need no masks ---

void StripEvaluation::find_edges(bool strict) {
  for (const StripNeighbour& neighbour : plan_.neighbours) {
    least_row_ = std::min(least_row_, neighbour.rows), most_row_ = std::max(most_row_, neighbour.rows);
    least_column_ = std::min(least_column_, neighbour.columns), most_column_ = std::max(most_column_, neighbour.columns);
    least_plane_ = std::min(least_plane_, neighbour.planes), most_plane_ = std::max(most_plane_, neighbour.planes);
  }
  tolerant_ = plan_.tolerant && !strict;
  if (!tolerant_) return;
  for (std::size_t position = 0; position < events_.events.size(); ++position) {
    const auto& constraints = system_[events_.events[position]].constraints;
    Uncovered uncovered{without_end, without_end};
    for (std::size_t number = 0; number < constraints.size(); ++number) {
      const ir::Constraint& constraint = constraints[number];
      if (constraint.guard.valid() || tables_->constraints[position][number].may_be_absent) continue;
      const StripNeighbour& neighbour = *plan_.find(constraint.source, constraint.offset);
      if (neighbour.rows == 0) uncovered.columns = std::min<std::int64_t>(uncovered.columns, -neighbour.columns);
      if (neighbour.columns == 0) uncovered.rows = std::min<std::int64_t>(uncovered.rows, -neighbour.rows);
    }
    uncovered_.push_back(uncovered);
  }
}

StripEvaluation::Interval StripEvaluation::steady_steps(std::int64_t plane, std::int64_t strip) const {
  const std::int64_t skew = plan_.skew, first_row = strip * extents_.strip_rows;
  const bool all_planes = plane + least_plane_ >= 0 && plane + most_plane_ < planes_;
  if (!all_planes) return {extents_.steps, extents_.steps};
  if (tolerant_) {
    std::int64_t from = 0;
    for (const Uncovered& uncovered : uncovered_) {
      const std::int64_t rows = std::clamp<std::int64_t>(uncovered.rows - first_row, 0, extents_.strip_rows);
      if (rows == 0 || uncovered.columns <= 0) continue;
      const std::int64_t columns = std::min(uncovered.columns, extents_.columns);
      from = std::max(from, columns - 1 + skew * (rows - 1) + 1);
    }
    return {from, extents_.steps - 1};
  }
  const bool all_there = first_row + least_row_ >= 0 && first_row + extents_.strip_rows - 1 + most_row_ < extents_.rows;
  if (!all_there) return {extents_.steps, extents_.steps};
  return {skew * (extents_.strip_rows - 1) - least_column_, extents_.columns - 1 - most_column_};
}

// --- threads ---

StripOutcome StripEvaluation::run_units() {
  for (int number = 0; number < threads_; ++number) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->number = number;
    prepare(*workers_.back());
  }
  std::vector<std::thread> others;
  try {
    for (int number = 1; number < threads_; ++number) others.emplace_back([this, number] { work(number); });
  } catch (const std::exception&) {      // no such thread: nobody would follow
    stop_ = true;
    bad_ = true;
    reason_ = "no threads are to be had";
  }
  if (!stop_) work(0);
  for (std::thread& other : others) other.join();
  if (limit_ != done) return StripOutcome::failed;
  if (!bad_) return StripOutcome::done;
  if (reason_.empty()) reason_ = "a cell fails";
  return StripOutcome::abandoned;
}

void StripEvaluation::work(int number) {
  Worker& worker = *workers_[static_cast<std::size_t>(number)];
  try {
    for (std::int64_t unit = number; unit < units_ && !stop_.load(std::memory_order_relaxed); unit += threads_) {
      if (run_unit(worker, unit)) continue;
      stop_ = true;
      return;
    }
  } catch (const std::bad_alloc&) {
    bad_ = true;
    stop_ = true;
  }
}

bool StripEvaluation::run_unit(Worker& worker, std::int64_t unit) {
  begin_unit(worker, unit);
  const Interval steady = steady_steps(worker.plane, worker.strip);
  const std::vector<Interval> wanted = wanted_steps(worker.plane, worker.strip);
  auto next_wanted = wanted.begin();
  for (std::int64_t step = 0; step < extents_.steps;) {
    const bool is_steady = step >= steady.from && step <= steady.to;
    std::int64_t last = is_steady ? steady.to : step < steady.from ? std::min(steady.from, extents_.steps) - 1 : extents_.steps - 1;
    if (!is_steady && step < steady.from && steady.from > steady.to) last = extents_.steps - 1;
    while (next_wanted != wanted.end() && next_wanted->to < step) ++next_wanted;
    const bool is_wanted = next_wanted != wanted.end() && next_wanted->from <= step;
    if (is_wanted) last = std::min({last, next_wanted->to, step + scratch_steps_ - 1});
    else if (next_wanted != wanted.end()) last = std::min(last, next_wanted->from - 1);
    last = std::min(last, step + chunk_steps_ - 1);
    if (!wait_for(worker, unit, last) || !run_steps(worker, step, last, is_steady, is_wanted)) return false;
    if (is_wanted) keep(worker, step, last);
    step = last + 1;
    worker.pace.reach(step == extents_.steps ? sweep::Pace::all : step);
    if (worker.number != 0) continue;
    const double part = (static_cast<double>(unit) + static_cast<double>(step) / static_cast<double>(extents_.steps));
    limit_ = in_time_(part, static_cast<double>(units_));
    if (limit_ != done) return false;
  }
  return true;
}

// What strip `unit` needs up to its step `last_step`, from threads that are ahead.
bool StripEvaluation::wait_for(const Worker& worker, std::int64_t unit, std::int64_t last_step) const {
  if (threads_ == 1) return true;
  const auto wait = [&](std::int64_t other, std::int64_t progress) {
    if (other < 0 || other % threads_ == worker.number) return true;
    const sweep::Pace& pace = workers_[static_cast<std::size_t>(other % threads_)]->pace;
    return pace.wait(other, progress >= extents_.steps ? sweep::Pace::all : progress, stop_);
  };
  if (plan_.plane_axis && worker.plane > 0 && !wait(std::min(unit - 1, unit - extents_.strips + 1), extents_.steps)) return false;
  if (worker.strip == 0) return true;
  return wait(unit - 1, last_step + 1 + plan_.skew * (extents_.strip_rows + 2));
}

}  // namespace wave::jit::lanes
