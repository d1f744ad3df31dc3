// Where the cells of a group are kept: all of them, or a window of slices that moves with the outermost loop, and
// beside it what is read from outside.
#include "backend/jit/group_evaluation.h"
#include "backend/jit/thresholds.h"
#include "backend/limits.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace wave::jit {

namespace {

std::atomic<bool> windows_forced{false};

}  // namespace

void force_windows(bool force) { windows_forced = force; }
bool windows_are_forced() { return windows_forced; }

double Group::words_of(const KeptBox& box) const {
  double words = 1;
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    if (!box.fixed[axis]) words *= static_cast<double>(last[axis] - first[axis] + 1);
  }
  return words;
}

void Group::lay_out(KeptBox& box) const {
  std::int64_t words = 1;
  box.stride.assign(first.size(), 0);
  for (std::size_t axis = first.size(); axis-- > 0;) {
    if (box.fixed[axis]) continue;
    box.stride[axis] = words;
    words *= last[axis] - first[axis] + 1;
  }
  box.cells.resize(static_cast<std::size_t>(words));
}

double GroupEvaluation::cell_count() const {
  double cells = 1;
  for (std::size_t axis = 0; axis < rank_; ++axis) cells *= static_cast<double>(extent(axis));
  return cells;
}

std::int64_t GroupEvaluation::slice_cells() const {
  std::int64_t cells = 1;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (axis != outer()) cells *= extent(axis);
  }
  return cells;
}

// The innermost loop's axis is contiguous.
void GroupEvaluation::set_strides() {
  stride_.assign(rank_, 0);
  std::int64_t stride = 1;
  for (std::size_t level = rank_; level-- > 0;) {
    const std::size_t axis = rows() ? schedule_.order[level] : level;
    stride_[axis] = stride;
    stride *= extent(axis);
  }
}

// --- storage ---

Status GroupEvaluation::plan() {
  const double cells = cell_count();
  group_.events.resize(events_.events.size());
  lanes_wanted_ = want_lanes();
  if (!lanes_wanted_) return plan_storage();
  const double seconds = cells * seconds_per_cell_in_lanes * static_cast<double>(events_.events.size());
  if (seconds <= backend::seconds_left(run_.limits_)) return done;
  return run_.limit(backend::time_exceeded(system_, events_.events.front(), cells, seconds, run_.limits_));
}

Status GroupEvaluation::plan_storage() {
  const double cells = cell_count();
  const double bytes = cells * static_cast<double>(sizeof(Word) * events_.events.size());
  const double left = static_cast<double>(run_.limits_.memory_bytes) - static_cast<double>(run_.memory_.used);
  if (cells * seconds_per_cell > backend::seconds_left(run_.limits_)) {
    return run_.limit(
        backend::time_exceeded(system_, events_.events.front(), cells, cells * seconds_per_cell, run_.limits_));
  }
  if ((cells > small_group || windows_forced) && cells < 0x1p62 && rows() && schedule_.history >= 0)
    windowed_ = try_window();
  if (!windowed_) {
    if (bytes > left) {
      return run_.limit(backend::memory_exceeded(system_, events_.events.front(), cells, bytes, run_.limits_));
    }
    set_strides();
    for (EventCells& event : group_.events) {
      event.kept.clear();
      event.words = allocate_words(static_cast<std::int64_t>(cells), run_.compiled_.shared.pool);
      if (!event.words) {
        return run_.limit(backend::memory_exceeded(system_, events_.events.front(), cells, bytes, run_.limits_));
      }
    }
    group_.bytes = static_cast<std::size_t>(bytes);
  }
  run_.memory_.used += group_.bytes;
  return done;
}

// A moving window and what is read from outside, where that is less than half of all cells.
bool GroupEvaluation::try_window() {
  double kept_words = 0;
  for (std::size_t i = 0; i < group_.events.size(); ++i) {
    group_.events[i].kept.clear();
    if (!add_kept_boxes(i)) return false;
    for (const KeptBox& box : group_.events[i].kept) kept_words += group_.words_of(box);
  }
  history_ = schedule_.history;
  const std::int64_t slice = slice_cells();
  const std::int64_t slices = extent(outer());
  chunk_ = windows_forced ? 2 : std::max<std::int64_t>(window_cells / slice, least_slices_of_window);
  chunk_ = std::min(chunk_, slices);
  const double slice_words = static_cast<double>(slice) * static_cast<double>(group_.events.size());
  const double left = static_cast<double>(run_.limits_.memory_bytes - run_.memory_.used) / sizeof(Word) - kept_words;
  while (chunk_ > 1 && static_cast<double>(chunk_ + history_) * slice_words > left) chunk_ /= 2;
  const double window_words = static_cast<double>(chunk_ + history_) * slice_words;
  const double all_words = cell_count() * static_cast<double>(group_.events.size());
  if ((window_words + kept_words > largest_part_of_window * all_words && !windows_forced) || window_words > left)
    return false;
  set_strides();
  for (EventCells& event : group_.events) {
    event.words = allocate_words((chunk_ + history_) * slice);
    if (!event.words) return false;
    for (KeptBox& box : event.kept) group_.lay_out(box);
  }
  window_bytes_ = static_cast<std::size_t>(window_words) * sizeof(Word);
  group_.bytes = window_bytes_ + static_cast<std::size_t>(kept_words) * sizeof(Word);
  return true;
}

// What has been read from outside stays.
void GroupEvaluation::release_window() {
  for (EventCells& event : group_.events) event.words.reset();
  group_.bytes -= window_bytes_;
  run_.memory_.used -= window_bytes_;
}

// False if it is not known what will be read.
bool GroupEvaluation::add_kept_boxes(std::size_t event) {
  if (task_.keep_all) return false;
  for (const backend::kernels::KeptCells& cells : task_.kept[event]) {
    bool on_space = true;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const auto& fixed = cells[axis];
      on_space = on_space && (!fixed || (*fixed >= group_.first[axis] && *fixed <= group_.last[axis]));
    }
    if (on_space) group_.events[event].kept.push_back({cells, {}, {}});
  }
  return true;
}

// The cell 0 of every axis would be here, with slice `lowest` of the outermost axis first in memory.
void GroupEvaluation::place_window(std::int64_t lowest) {
  std::int64_t words = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    words += stride_[axis] * (axis == outer() && windowed_ ? lowest : group_.first[axis]);
  }
  for (std::uint32_t event = 0; event < group_.events.size(); ++event) {
    const auto address = reinterpret_cast<std::uintptr_t>(group_.events[event].words.get());
    arguments_[KernelArguments::base(static_cast<std::uint32_t>(rank_), event)] =
        address - static_cast<std::uintptr_t>(words) * sizeof(Word);
  }
}

// The last slices become the first of the next window.
void GroupEvaluation::move_window(std::int64_t from, std::int64_t to) {
  if (history_ == 0) return;
  const bool rising = schedule_.rising[outer()];
  const std::int64_t slice = slice_cells();
  const std::int64_t count = to - from + 1;
  const auto bytes = static_cast<std::size_t>(history_ * slice) * sizeof(Word);
  for (EventCells& event : group_.events) {
    Word* const words = event.words.get();
    if (rising) {
      std::memmove(words, words + count * slice, bytes);
    } else {
      // The next window is as long as this one, or, at the end, shorter: its history begins behind its slices.
      const std::int64_t next = std::min(chunk_, from - group_.first[outer()]);
      std::memmove(words + next * slice, words, bytes);
    }
  }
}

// Copies what is read from outside out of slices [from, to].
void GroupEvaluation::keep(std::int64_t from, std::int64_t to) {
  for (std::uint32_t event = 0; event < group_.events.size(); ++event) {
    const auto base =
        reinterpret_cast<const Word*>(arguments_[KernelArguments::base(static_cast<std::uint32_t>(rank_), event)]);
    for (KeptBox& box : group_.events[event].kept) {
      const auto& fixed = box.fixed[outer()];
      if (fixed && (*fixed < from || *fixed > to)) continue;
      keep_box(base, box, 0, 0, 0, fixed ? *fixed : from, fixed ? *fixed : to);
    }
  }
}

void GroupEvaluation::keep_box(const Word* base, KeptBox& box, std::size_t axis, std::int64_t from_words,
                               std::int64_t to_words, std::int64_t outer_from, std::int64_t outer_to) {
  if (axis == rank_) {
    std::memcpy(&box.cells[static_cast<std::size_t>(to_words)], base + from_words, sizeof(Word));
    return;
  }
  std::int64_t first = group_.first[axis], last = group_.last[axis];
  if (axis == outer()) first = outer_from, last = outer_to;
  if (box.fixed[axis]) first = last = *box.fixed[axis];
  for (std::int64_t index = first; index <= last; ++index) {
    keep_box(base, box, axis + 1, from_words + index * stride_[axis],
             to_words + (index - group_.first[axis]) * box.stride[axis], outer_from, outer_to);
  }
}

}  // namespace wave::jit
