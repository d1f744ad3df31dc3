// Begins an evaluation in strips: it chooses the shape, and finds the steps that need no masks.
#include "backend/jit/group_evaluation.h"
#include "backend/jit/lanes/strip_quanta.h"
#include "backend/jit/lanes/strip_worker.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wave::jit::lanes {

namespace {

constexpr std::int64_t without_end = std::numeric_limits<std::int64_t>::max() / 4;

}  // namespace

StripEvaluation::StripEvaluation(Run& run, GroupIndex number, Group& group, double quantum,
                                 std::function<Status(double done, double all)> in_time)
    : run_(run),
      number_(number),
      group_(group),
      quantum_(quantum),
      in_time_(std::move(in_time)),
      system_(run.compiled_.system),
      layout_(run.compiled_.layout),
      plan_(layout_.strips[number]),
      events_(layout_.groups[number]),
      rank_(static_cast<std::uint32_t>(group.first.size())) {}

StripEvaluation::~StripEvaluation() { run_.memory_.used -= bytes_; }

std::int64_t StripEvaluation::turned(std::uint32_t axis, std::int64_t index) const {
  return plan_.rising[axis] ? index - group_.first[axis] : group_.last[axis] - index;
}

std::int64_t StripEvaluation::unturned(std::uint32_t axis, std::int64_t coordinate) const {
  return plan_.rising[axis] ? group_.first[axis] + coordinate : group_.last[axis] - coordinate;
}

std::string StripEvaluation::text() const {
  std::string text =
      fmt::format("rows {} in {} lanes, {} vectors, skew {}", run_.instance_[events_.space].axes[plan_.row_axis].name,
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
    StripEvaluation next(run_, number_, group_, quantum_, in_time_);
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
    const std::lock_guard lock(run_.compiled_.mutex);
    tables_ = &run_.compiled_.strips.tables(number_, cellwise);
    if (!find_sources() || !choose_shape(cellwise)) return StripOutcome::abandoned;
    code_ = run_.compiled_.strips.get(run_.compiled_.compiler, number_, shape_, backend::half_time(run_.limits_));
  }
  reason_ = code_.reason;
  if (!reason_.empty() || !reserve() || !fill_tables()) return StripOutcome::abandoned;
  find_edges(strict);
  const StripOutcome outcome = run_blocks();
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
      const GroupIndex other = layout_.group_of[neighbour->source.index];
      const Group* const group = run_.group(other);
      const StripOrder& order = layout_.strips[other];
      const bool fits = group && group->strips.shape.lanes > 0 && group->strips.base[source.event] && order == plan_ &&
                        (shape_.lanes == 0 ||
                         (shape_.lanes == group->strips.shape.lanes && shape_.vectors == group->strips.shape.vectors));
      if (!fits) {
        reason_ = fmt::format("`{}` is not stored in lanes of the same shape", run_.instance_[neighbour->source].name);
        return false;
      }
      shape_ = {group->strips.shape.lanes, group->strips.shape.vectors};
      source.base = group->strips.base[source.event];
    }
    sources_.push_back(source);
  }
  return true;
}

// Whether a cell may overwrite its value of the plane before. Only the cell itself may read that value.
bool StripEvaluation::may_be_in_place(std::size_t event) const {
  if (events_.events.size() > 1 || !strip_by_strip_) return false;
  return std::all_of(plan_.neighbours.begin(), plan_.neighbours.end(), [&](const StripNeighbour& neighbour) {
    const bool looks_back = neighbour.source == events_.events[event] && neighbour.planes != 0;
    return !looks_back || (neighbour.planes == -1 && neighbour.columns == 0);
  });
}

bool StripEvaluation::choose_shape(bool cellwise) {
  ShapeQuestion question;
  question.rows = extent(plan_.row_axis);
  question.columns = extent(plan_.column_axis);
  question.skew = plan_.skew;
  question.nodes = tables_->nodes();
  planes_ = plan_.plane_axis ? extent(*plan_.plane_axis) : 1;
  strip_by_strip_ = std::all_of(plan_.neighbours.begin(), plan_.neighbours.end(), [](const StripNeighbour& neighbour) {
    return !neighbour.own || neighbour.planes == 0 || neighbour.rows == 0;
  });
  question.kept_vectors = 0;
  storage_.resize(events_.events.size());
  for (std::size_t event = 0; event < events_.events.size(); ++event) {
    const StripEvent& planned = plan_.events[event];
    question.rows_above = std::max(question.rows_above, planned.rows_above);
    question.kept_vectors += static_cast<std::uint32_t>(planned.steps);
    for (const KeptBox& box : group_.events[event].kept) {
      storage_[event].all = storage_[event].all || std::none_of(box.fixed.begin(), box.fixed.end(),
                                                                [](const auto& f) { return f.has_value(); });
    }
    if (storage_[event].all)
      storage_[event].slots = planes_;
    else if (planned.planes > 0)
      storage_[event].slots = may_be_in_place(event) ? 1 : std::min<std::int64_t>(planes_, planned.planes + 1);
    storage_[event].of_strip = strip_by_strip_ && !storage_[event].all && storage_[event].slots > 0;
    question.stored = question.stored || storage_[event].all;
  }
  // What others read as it is stored stays as it is.
  const bool may_count_quanta = plan_.tolerant && quantum_ != 0 && !question.stored;
  question.quanta = may_count_quanta && tables_->only_tables();
  for (const StripNeighbour& neighbour : plan_.neighbours)
    question.rows_above = std::max(question.rows_above, std::abs(neighbour.rows));
  if (shape_.lanes == 0) {
    const auto chosen = run_.compiled_.strips.choose(run_.compiled_.compiler, question);
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
  shape_.stores =
      std::any_of(storage_.begin(), storage_.end(), [](const Storage& storage) { return storage.slots > 0; });
  const bool all_stored =
      std::all_of(storage_.begin(), storage_.end(), [](const Storage& storage) { return storage.all; });
  const double cells =
      static_cast<double>(question.rows) * static_cast<double>(question.columns) * static_cast<double>(planes_);
  shape_.streams = all_stored && !plan_.plane_axis && cells * sizeof(Word) > beyond_caches;
  shape_.quanta = may_count_quanta && path_outside() <= quanta::longest_path;
  extents_ = StripExtents(plan_, shape_, question.rows, question.columns);
  return true;
}

// At most so many cells before the first column follow each other on a path (quanta::longest_path).
std::int64_t StripEvaluation::path_outside() const {
  const auto events = static_cast<std::int64_t>(events_.events.size());
  return events * (1 + plan_.skew) * shape_.rows() + (tables_->only_tables() ? 0 : events * planes_);
}

// --- which steps need no masks ---

void StripEvaluation::find_edges(bool strict) {
  for (const StripNeighbour& neighbour : plan_.neighbours) {
    least_row_ = std::min(least_row_, neighbour.rows), most_row_ = std::max(most_row_, neighbour.rows);
    least_column_ = std::min(least_column_, neighbour.columns),
    most_column_ = std::max(most_column_, neighbour.columns);
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

}  // namespace wave::jit::lanes
