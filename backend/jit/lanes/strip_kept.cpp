// Keeps what is read from outside: it is copied out of the steps that have it, or left in its strips.
#include "backend/jit/lanes/strip_quanta.h"
#include "backend/jit/lanes/strip_worker.h"

#include <algorithm>
#include <bit>

namespace wave::jit::lanes {

// The steps at which some cell of a box is evaluated, in order.
std::vector<StripEvaluation::Interval> StripEvaluation::wanted_steps(std::int64_t plane, std::int64_t strip) const {
  std::vector<Interval> found;
  const std::int64_t first_row = strip * extents_.strip_rows;
  const std::int64_t last_row = std::min(first_row + extents_.strip_rows, extents_.rows) - 1;
  for (std::size_t event = 0; event < group_.events.size(); ++event) {
    if (storage_[event].all) continue;
    for (const KeptBox& box : group_.events[event].kept) {
      if (plan_.plane_axis && box.fixed[*plan_.plane_axis] &&
          turned(*plan_.plane_axis, *box.fixed[*plan_.plane_axis]) != plane)
        continue;
      Interval rows{first_row, last_row}, columns{0, extents_.columns - 1};
      if (const auto& fixed = box.fixed[plan_.row_axis]) rows.from = rows.to = turned(plan_.row_axis, *fixed);
      if (const auto& fixed = box.fixed[plan_.column_axis])
        columns.from = columns.to = turned(plan_.column_axis, *fixed);
      if (rows.to < first_row || rows.from > last_row) continue;
      found.push_back(
          {columns.from + plan_.skew * (rows.from - first_row), columns.to + plan_.skew * (rows.to - first_row)});
    }
  }
  std::sort(found.begin(), found.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
  std::vector<Interval> merged;
  for (const Interval& interval : found) {
    if (!merged.empty() && interval.from <= merged.back().to + 1) {
      merged.back().to = std::max(merged.back().to, interval.to);
    } else {
      merged.push_back(interval);
    }
  }
  return merged;
}

void StripEvaluation::keep(Worker& worker, std::int64_t from, std::int64_t to) {
  for (std::uint32_t event = 0; event < group_.events.size(); ++event) {
    if (storage_[event].all) continue;
    for (KeptBox& box : group_.events[event].kept) keep_box(worker, event, box, from, to);
  }
}

void StripEvaluation::keep_box(const Worker& worker, std::uint32_t event, KeptBox& box, std::int64_t from,
                               std::int64_t to) const {
  const auto& fixed_plane = plan_.plane_axis ? box.fixed[*plan_.plane_axis] : std::optional<std::int64_t>();
  if (fixed_plane && turned(*plan_.plane_axis, *fixed_plane) != worker.plane) return;
  const std::int64_t first_row = worker.strip * extents_.strip_rows;
  Interval rows{first_row, std::min(first_row + extents_.strip_rows, extents_.rows) - 1};
  if (const auto& fixed = box.fixed[plan_.row_axis]) {
    const std::int64_t row = turned(plan_.row_axis, *fixed);
    if (row < rows.from || row > rows.to) return;
    rows = {row, row};
  }
  const Word* values = worker.scratch[event] - from * extents_.strip_rows;
  if (storage_[event].slots > 0) values = stored(worker, event, worker.plane);
  std::int64_t plane_words = 0;
  if (plan_.plane_axis && !fixed_plane) {
    plane_words =
        (unturned(*plan_.plane_axis, worker.plane) - group_.first[*plan_.plane_axis]) * box.stride[*plan_.plane_axis];
  }
  const bool is_boolean = system_[events_.events[event]].type == ir::ScalarType::boolean;
  for (std::int64_t row = rows.from; row <= rows.to; ++row) {
    const std::int64_t skewed = plan_.skew * (row - first_row);
    Interval columns{std::max<std::int64_t>(0, from - skewed), std::min(extents_.columns - 1, to - skewed)};
    if (const auto& fixed = box.fixed[plan_.column_axis]) {
      const std::int64_t column = turned(plan_.column_axis, *fixed);
      columns = {std::max(columns.from, column), std::min(columns.to, column)};
    }
    const std::int64_t row_words =
        (unturned(plan_.row_axis, row) - group_.first[plan_.row_axis]) * box.stride[plan_.row_axis];
    const Word* const in_row = values + place_in_step(shape_, row - first_row);
    for (std::int64_t column = columns.from; column <= columns.to; ++column) {
      const std::int64_t column_words =
          (unturned(plan_.column_axis, column) - group_.first[plan_.column_axis]) * box.stride[plan_.column_axis];
      Word value = in_row[(column + skewed) * extents_.strip_rows];
      if (shape_.quanta) value = std::bit_cast<Word>(quanta::time_of(value, quantum_));
      box.cells[static_cast<std::size_t>(plane_words + row_words + column_words)] =
          is_boolean ? Word{value != 0} : value;
    }
  }
}

// Whole planes stay, where compiled reads find them.
void StripEvaluation::publish() {
  const auto rank = rank_;
  std::vector<std::int64_t> stride(rank, 0);
  stride[plan_.column_axis] = (plan_.rising[plan_.column_axis] ? 1 : -1) * extents_.strip_rows;
  if (plan_.plane_axis) stride[*plan_.plane_axis] = (plan_.rising[*plan_.plane_axis] ? 1 : -1) * extents_.plane_words;
  std::int64_t origin_words = 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    group_.header[1 + GroupHeader::stride(axis)] = static_cast<Word>(stride[axis]);
    origin_words += stride[axis] * unturned(axis, 0);
  }
  const auto logarithm = [](std::uint32_t number) { return static_cast<Word>(std::countr_zero(number)); };
  group_.header[1 + GroupHeader::in_strips] = logarithm(shape_.vectors) | logarithm(shape_.lanes) << 8 | 1 << 16;
  group_.header[1 + GroupHeader::strip_words] = static_cast<Word>(extents_.strip_words);
  group_.header[1 + GroupHeader::skew_words] = static_cast<Word>(plan_.skew * extents_.strip_rows);
  std::size_t stays = 0;
  group_.strips.shape = shape_;
  group_.strips.base.assign(storage_.size(), nullptr);
  for (std::uint32_t event = 0; event < storage_.size(); ++event) {
    Storage& storage = storage_[event];
    Word& base = group_.header[1 + GroupHeader::base(rank, event)];
    base = 0;
    if (storage.all) group_.events[event].kept.clear();
    for (const KeptBox& box : group_.events[event].kept) stays += box.cells.size() * sizeof(Word);
    if (!storage.all) continue;
    base = reinterpret_cast<Word>(storage.base) - static_cast<Word>(origin_words) * sizeof(Word);
    group_.strips.base[event] = storage.base;
    stays += static_cast<std::size_t>(storage.slots * extents_.plane_words + 2 * pad_words_) * sizeof(Word);
    group_.events[event].words = std::move(storage.words);
  }
  group_.bytes = stays;
  run_.memory_.used += stays;
}

}  // namespace wave::jit::lanes
