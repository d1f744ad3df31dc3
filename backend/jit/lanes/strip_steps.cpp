// A strip's arguments, and calls of its code.
#include "backend/jit/lanes/strip_quanta.h"
#include "backend/jit/lanes/strip_worker.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace wave::jit::lanes {

bool StripEvaluation::prepare(Worker& worker) {
  const auto events = static_cast<std::uint32_t>(events_.events.size());
  const auto fars = static_cast<std::uint32_t>(sources_.size());
  const auto tables = static_cast<std::uint32_t>(tables_->tables.size());
  const std::int64_t scratch = scratch_steps_ * extents_.strip_rows;
  std::int64_t words = state_words() + scratch * events;
  for (const Storage& storage : storage_) {
    if (storage.of_strip) words += storage.slots * extents_.strip_words + 2 * pad_words_;
  }
  worker.memory = allocate(static_cast<double>(words));
  if (!worker.memory) return false;
  worker.state = worker.memory.get();
  Word* next = worker.state + state_words();
  for (std::uint32_t event = 0; event < events; ++event, next += scratch) worker.scratch.push_back(next);
  for (const Storage& storage : storage_) {
    worker.stored.push_back(next + pad_words_);
    if (storage.of_strip) next += storage.slots * extents_.strip_words + 2 * pad_words_;
  }

  worker.arguments.assign(StripArguments::table(rank_, events, fars, tables), 0);
  auto& arguments = worker.arguments;
  arguments[StripArguments::quantum] = std::bit_cast<Word>(quantum_);
  arguments[StripArguments::inverse] = std::bit_cast<Word>(quantum_ == 0 ? 0.0 : 1 / quantum_);
  arguments[StripArguments::rows] = static_cast<Word>(extents_.rows);
  arguments[StripArguments::columns] = static_cast<Word>(extents_.columns);
  arguments[StripArguments::strip_words] = static_cast<Word>(extents_.strip_words);
  arguments[StripArguments::state] = reinterpret_cast<Word>(worker.state);
  arguments[StripArguments::row_words] = static_cast<Word>(row_words_);
  arguments[StripArguments::period] = static_cast<Word>(column_period_);
  for (std::uint32_t axis = 0; axis < rank_; ++axis)
    arguments[StripArguments::origin(axis)] = static_cast<Word>(unturned(axis, 0));
  return true;
}

Word StripEvaluation::absent() const {
  return shape_.quanta ? quanta::absent : std::bit_cast<Word>(-std::numeric_limits<double>::infinity());
}

// A strip of a plane, as the thread is at it: its step 0.
Word* StripEvaluation::stored(const Worker& worker, std::uint32_t event, std::int64_t plane) const {
  const Storage& storage = storage_[event];
  const std::int64_t slot = plane % storage.slots;
  if (storage.of_strip) return worker.stored[event] + slot * extents_.strip_words;
  return storage.base + slot * extents_.plane_words + worker.strip * extents_.strip_words;
}

void StripEvaluation::begin_plane(Worker& worker, std::int64_t plane) {
  worker.plane = plane;
  auto& arguments = worker.arguments;
  std::fill_n(worker.state, state_words(), absent());
  const auto events = static_cast<std::uint32_t>(events_.events.size());
  const auto fars = static_cast<std::uint32_t>(sources_.size());
  arguments[StripArguments::first_row] = static_cast<Word>(worker.strip * extents_.strip_rows);
  if (plan_.plane_axis)
    arguments[StripArguments::origin(*plan_.plane_axis)] = static_cast<Word>(unturned(*plan_.plane_axis, worker.plane));
  for (std::uint32_t event = 0; event < events; ++event) {
    if (!rows_[event]) continue;
    const std::int64_t buffers = std::min<std::int64_t>(row_buffers_, blocks_->threads() + 1);
    Word* const of_plane = rows_[event] + (strip_by_strip_ ? worker.plane * plane_rows_words_ : 0);
    Word* const above =
        worker.strip == 0 ? absent_rows_ : of_plane + (worker.block + buffers - 1) % buffers * block_rows_words_;
    arguments[StripArguments::above(rank_, event)] = reinterpret_cast<Word>(above + row_pad_);
    arguments[StripArguments::below(rank_, event)] =
        reinterpret_cast<Word>(of_plane + worker.block % buffers * block_rows_words_ + row_pad_);
  }
  for (std::uint32_t number = 0; number < fars; ++number) {
    const Source& source = sources_[number];
    const std::int64_t plane = worker.plane + source.neighbour->planes;
    const bool present = plane >= 0 && plane < planes_;
    const std::int64_t taken = present ? plane : worker.plane;  // any memory that is there
    Word* const base = source.neighbour->own
                           ? stored(worker, source.event, taken)
                           : source.base + taken * extents_.plane_words + worker.strip * extents_.strip_words;
    arguments[StripArguments::far(rank_, events, number)] = reinterpret_cast<Word>(base);
    arguments[StripArguments::far(rank_, events, number) + 1] = present ? 1 : 0;
  }
  for (std::uint32_t number = 0; number < tables_->tables.size(); ++number) {
    Word& argument = arguments[StripArguments::table(rank_, events, fars, number)];
    switch (tables_->tables[number].span) {
      case Span::once: argument = table_values_[number].front(); break;
      case Span::plane: {
        const std::int64_t place = unturned(*plan_.plane_axis, worker.plane) - group_.first[*plan_.plane_axis];
        argument = table_values_[number][static_cast<std::size_t>(place)];
        break;
      }
      case Span::row:
        argument = reinterpret_cast<Word>(table_[number].base + worker.strip * extents_.strip_rows);
        break;
      case Span::column: argument = reinterpret_cast<Word>(table_[number].base); break;
      case Span::periodic: {
        const std::int64_t variant = worker.strip % (row_period_ / std::gcd(extents_.strip_rows, row_period_));
        argument = reinterpret_cast<Word>(table_[number].base + variant * column_period_ * extents_.strip_rows);
        break;
      }
      case Span::cell: break;
    }
  }
}

bool StripEvaluation::run_steps(Worker& worker, std::int64_t from, std::int64_t to, bool steady, bool wanted) {
  auto& arguments = worker.arguments;
  const std::int64_t step_words = extents_.strip_rows;
  for (std::uint32_t event = 0; event < events_.events.size(); ++event) {
    Word* out = worker.scratch[event];
    std::int64_t pitch = 0;
    if (storage_[event].slots > 0) {
      out = stored(worker, event, worker.plane);
      pitch = step_words;
    } else if (wanted) {
      out -= from * step_words;
      pitch = step_words;
    }
    arguments[StripArguments::out(rank_, event)] = reinterpret_cast<Word>(out);
    arguments[StripArguments::pitch(rank_, event)] = static_cast<Word>(pitch);
  }
  const StripFunction function = steady ? code_.steady : code_.masked;
  if (function(&run_.context_, run_.record(), arguments.data(), from, to) == 0) return true;
  bad_ = true;
  return false;
}

}  // namespace wave::jit::lanes
