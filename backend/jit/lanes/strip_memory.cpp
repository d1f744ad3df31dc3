// Memory of an evaluation in strips, and how many threads it is for.
#include "backend/jit/lanes/strip_worker.h"
#include "backend/jit/lanes/thresholds.h"

#include <algorithm>

namespace wave::jit::lanes {

void StripEvaluation::choose_threads() {
  const auto cells =
      static_cast<double>(extents_.rows) * static_cast<double>(extents_.columns) * static_cast<double>(planes_);
  const LaneWishes wishes = lane_wishes();
  const bool are_worth_it =
      wishes.threads > 0 ||
      (cells >= cells_for_threads && cells >= cells_of_block_for_threads * static_cast<double>(block_count_));
  threads_ = are_worth_it ? lane_threads(run_.compiled_.shared.options.threads) : 1;
  threads_ = static_cast<int>(std::clamp<std::int64_t>(threads_, 1, std::max<std::int64_t>(1, block_count_ / 2)));

  scratch_steps_ = std::max<std::int64_t>(1, scratch_words / extents_.strip_rows);
  chunk_steps_ = std::max<std::int64_t>(1, cells_between_looks / extents_.strip_rows);
  if (threads_ > 1)
    chunk_steps_ = std::clamp<std::int64_t>(extents_.steps / parts_of_strip, least_steps_of_part, chunk_steps_);
  if (wishes.steps > 0)
    scratch_steps_ = std::min<std::int64_t>(scratch_steps_, wishes.steps), chunk_steps_ = wishes.steps;
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
  if (cells > 0x1p52) return false;
  std::int32_t most_steps = 0, most_rows = 0;
  for (const StripEvent& event : plan_.events) {
    most_steps = std::max(most_steps, event.steps);
    most_rows = std::max(most_rows, event.rows_above);
  }
  row_pad_ = plan_.skew * (extents_.strip_rows + 2) + most_steps + 8;
  row_words_ = extents_.columns + 2 * row_pad_;
  plane_rows_words_ = row_words_ * most_rows;
  block_rows_words_ = plane_rows_words_ * (strip_by_strip_ ? planes_ : 1);
  block_count_ = extents_.strips * (strip_by_strip_ ? 1 : planes_);
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
  const double words = static_cast<double>(events * row_buffers_) * static_cast<double>(block_rows_words_);
  row_memory_ = allocate(static_cast<double>(plane_rows_words_) + words);
  if (!row_memory_) return false;
  const std::int64_t absent_words = writes_behind ? 0 : events * row_buffers_ * block_rows_words_;
  std::fill_n(row_memory_.get(), plane_rows_words_ + absent_words, absent());
  absent_rows_ = row_memory_.get();
  Word* next = absent_rows_ + plane_rows_words_;
  for (std::size_t event = 0; event < rows_.size(); ++event) {
    if (plan_.events[event].rows_above == 0) continue;
    rows_[event] = next;
    next += block_rows_words_ * row_buffers_;
  }
  return true;
}

}  // namespace wave::jit::lanes
