// Memory of an evaluation in strips, and how many threads it is for.
#include "backend/jit/lanes/strip_worker.h"
#include "backend/jit/lanes/thresholds.h"

#include <algorithm>

namespace wave::jit::lanes {

namespace {

constexpr std::int64_t most_buffered_rows = std::int64_t{1} << 40;

}  // namespace

void StripEvaluation::choose_threads() {
  const auto cells =
      static_cast<double>(extents_.rows) * static_cast<double>(extents_.columns) * static_cast<double>(planes_);
  const LaneWishes wishes = lane_wishes();
  const bool are_worth_it = wishes.threads > 0 || cells >= cells_for_threads;
  threads_ = are_worth_it ? lane_threads(run_.compiled_.shared.options.threads) : 1;
  const std::int64_t side_by_side = strip_by_strip_ ? std::min(block_count_ / 2, extents_.strips) : block_count_ / 2;
  threads_ = static_cast<int>(std::clamp<std::int64_t>(threads_, 1, std::max<std::int64_t>(1, side_by_side)));

  scratch_steps_ = std::max<std::int64_t>(1, scratch_words / extents_.strip_rows);
  chunk_steps_ = std::max<std::int64_t>(1, cells_between_looks / extents_.strip_rows);
  if (threads_ > 1)
    chunk_steps_ = std::clamp<std::int64_t>(extents_.steps / parts_of_strip, least_steps_of_part, chunk_steps_);
  if (wishes.steps > 0)
    scratch_steps_ = std::min<std::int64_t>(scratch_steps_, wishes.steps), chunk_steps_ = wishes.steps;
}

// How many planes go through all strips before the next planes begin. The rows that a strip leaves to the next one then
// stay in a cache. In return, the last plane is stored for all strips.
void StripEvaluation::choose_planes() {
  planes_at_a_time_ = strip_by_strip_ ? planes_ : 1;
  std::int64_t between_strips = 0, stored = 0;  // of a plane
  for (std::size_t event = 0; event < storage_.size(); ++event) {
    if (plan_.events[event].rows_above > 0) between_strips += plane_rows_words_;
    if (storage_[event].of_strip) stored += storage_[event].slots * extents_.plane_words;
  }
  if (strip_by_strip_ && between_strips > 0 && extents_.strips > 1 && stored <= 2 * planes_ * between_strips) {
    const LaneWishes wishes = lane_wishes();
    const std::int64_t planes = wishes.steps > 0 ? wishes.steps : words_between_strips / between_strips;
    if (planes < planes_ && (planes >= planes_of_tile || wishes.steps > 0)) {
      planes_at_a_time_ = planes;
      for (Storage& storage : storage_) storage.of_strip = false;
    }
  }
  block_count_ = (planes_ + planes_at_a_time_ - 1) / planes_at_a_time_ * extents_.strips;
}

// Planes that look at the same cells of the plane before, and at nothing else of it, may go through a part of the steps
// one after the other.
void StripEvaluation::choose_tiles() {
  tile_planes_ = 1;
  tile_steps_ = extents_.steps;
  std::int64_t words_a_step = 0;
  for (const Storage& storage : storage_) words_a_step += (storage.all ? 0 : storage.slots) * extents_.strip_rows;
  const bool looks_elsewhere =
      std::any_of(plan_.neighbours.begin(), plan_.neighbours.end(),
                  [](const StripNeighbour& neighbour) { return neighbour.planes != 0 && neighbour.columns != 0; });
  const LaneWishes wishes = lane_wishes();
  const bool is_small = words_a_step * extents_.steps <= words_of_tile && wishes.steps == 0;
  if (!strip_by_strip_ || looks_elsewhere || is_small || words_a_step == 0) return;
  const std::int64_t steps =
      wishes.steps > 0 ? wishes.steps : std::max(words_of_tile / words_a_step, least_steps_of_tile);
  tile_steps_ = std::min(steps, extents_.steps);
  tile_planes_ = std::min(planes_at_a_time_, planes_of_tile);
}

std::int64_t StripEvaluation::state_words() const {
  std::int64_t words = 0;
  for (const StripEvent& event : plan_.events) words += event.steps * extents_.strip_rows;
  return words;
}

bool StripEvaluation::claim(double words) {
  const double bytes = words * sizeof(Word);
  if (bytes > static_cast<double>(run_.limits_.memory_bytes) - static_cast<double>(run_.memory_.used)) {
    reason_ = "lanes would take more memory";
    return false;
  }
  bytes_ += static_cast<std::size_t>(bytes);
  run_.memory_.used += static_cast<std::size_t>(bytes);
  return true;
}

Words StripEvaluation::allocate(double words) {
  if (!claim(words)) return {};
  Words result = allocate_words(static_cast<std::int64_t>(words), run_.compiled_.shared.pool);
  if (!result) reason_ = "there is not enough memory";
  return result;
}

bool StripEvaluation::reserve() {
  reason_ = "its extents are too large";
  for (std::uint32_t axis = 0; axis < rank_; ++axis) {
    constexpr std::int64_t far = std::int64_t{1} << 60;
    if (group_.first[axis] < -far || group_.last[axis] > far) return false;
  }
  const auto cells =
      static_cast<double>(extents_.rows) * static_cast<double>(extents_.columns) * static_cast<double>(planes_);
  if (cells > 0x1p52 || extents_.columns > most_buffered_rows) return false;
  std::int32_t most_steps = 0, most_rows = 0;
  for (const StripEvent& event : plan_.events) {
    most_steps = std::max(most_steps, event.steps);
    most_rows = std::max(most_rows, event.rows_above);
  }
  row_pad_ = plan_.skew * (extents_.strip_rows + 2) + most_steps + 8;
  row_words_ = extents_.columns + 2 * row_pad_;
  plane_rows_words_ = row_words_ * most_rows;
  choose_planes();
  choose_tiles();
  choose_threads();
  const std::int64_t around = (plan_.skew * (extents_.strip_rows + 4) + 16) * extents_.strip_rows;
  pad_words_ = strip_by_strip_ && std::none_of(storage_.begin(), storage_.end(),
                                               [](const Storage& storage) { return storage.all; })
                   ? around
                   : extents_.strip_words + around;
  if (!reserve_rows(most_steps, most_rows)) return false;
  for (std::size_t event = 0; event < storage_.size(); ++event) {
    Storage& storage = storage_[event];
    if (storage.slots > 0 && !storage.of_strip) {
      const double planes = static_cast<double>(storage.slots) * static_cast<double>(extents_.plane_words);
      storage.words = allocate(planes + 2.0 * static_cast<double>(pad_words_));
      if (!storage.words) return false;
      storage.base = storage.words.get() + pad_words_;
    }
    if (storage.all) continue;
    for (KeptBox& box : group_.events[event].kept) {
      if (!claim(group_.words_of(box))) return false;
      group_.lay_out(box);
    }
  }
  reason_.clear();
  return true;
}

// If a strip looks only at columns that the strip above has written, rows need not begin as absent. It then also writes
// far behind what it looks at, so one thread needs only one buffer.
bool StripEvaluation::reserve_rows(std::int32_t most_steps, std::int32_t most_rows) {
  const bool writes_behind = plan_.skew * (extents_.strip_rows - most_rows) >= most_steps;
  row_buffers_ = threads_ == 1 && writes_behind ? 1 : threads_ + 1;
  std::int64_t events = 0;
  for (const StripEvent& event : plan_.events) events += event.rows_above > 0;
  rows_.assign(events_.events.size(), nullptr);
  if (events == 0) return true;
  const std::int64_t buffers = 1 + events * row_buffers_ * planes_at_a_time_;
  row_memory_ = allocate(static_cast<double>(plane_rows_words_) * static_cast<double>(buffers));
  if (!row_memory_) return false;
  std::fill_n(row_memory_.get(), plane_rows_words_ * (writes_behind ? 1 : buffers), absent());
  absent_rows_ = row_memory_.get();
  Word* next = absent_rows_ + plane_rows_words_;
  for (std::size_t event = 0; event < rows_.size(); ++event) {
    if (plan_.events[event].rows_above == 0) continue;
    rows_[event] = next;
    next += plane_rows_words_ * row_buffers_ * planes_at_a_time_;
  }
  return true;
}

}  // namespace wave::jit::lanes
