// Runs the kernel of a group, some slices or hyperplanes at a time.
#include "backend/jit/group_evaluation.h"
#include "backend/jit/thresholds.h"
#include "backend/limits.h"
#include "base/clock.h"

#include <algorithm>
#include <bit>

namespace wave::jit {

Status GroupEvaluation::run_kernel() {
  const auto rank = static_cast<std::uint32_t>(rank_);
  const auto events = static_cast<std::uint32_t>(events_.events.size());
  const std::vector<ir::Hoisted>& hoisted = layout_.hoisted[number_];
  const double quantum = exactness_.exact ? exactness_.quantum : 0;
  arguments_.assign(KernelArguments::hoisted(rank, events, static_cast<std::uint32_t>(hoisted.size())), 0);
  arguments_[KernelArguments::quantum] = std::bit_cast<Word>(quantum);
  arguments_[KernelArguments::inverse] = std::bit_cast<Word>(quantum == 0 ? 0.0 : 1 / quantum);
  arguments_[KernelArguments::fast] = may_hurry() ? 1 : 0;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    arguments_[KernelArguments::first(axis)] = static_cast<Word>(group_.first[axis]);
    arguments_[KernelArguments::last(axis)] = static_cast<Word>(group_.last[axis]);
    arguments_[KernelArguments::stride(axis)] = static_cast<Word>(stride_[axis]);
  }
  for (std::uint32_t i = 0; i < hoisted.size(); ++i) {
    const auto& offset = hoisted[i].offset;
    const bool is_needed = !offset || ir::has_source(system_[events_.space], *offset, group_.first, group_.last);
    if (is_needed && run_.value(hoisted[i].value, arguments_[KernelArguments::hoisted(rank, events, i)]) != done)
      return failed;
  }
  const auto kernel = reinterpret_cast<KernelFunction>(run_.function_of({Wanted::group, number_}));
  if (!kernel) return failed;
  return rows() ? run_slices(kernel) : run_planes(kernel);
}

Status GroupEvaluation::run_slices(KernelFunction kernel) {
  const std::size_t axis = outer();
  const bool rising = schedule_.rising[axis];
  if (!windowed_) chunk_ = std::max<std::int64_t>(1, stored_cells_between_looks / slice_cells());
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t slices = extent(axis);
  for (std::int64_t done_slices = 0; done_slices < slices;) {
    const std::int64_t now = std::min(chunk_, slices - done_slices);
    const std::int64_t from = rising ? group_.first[axis] + done_slices : group_.last[axis] - done_slices - now + 1;
    const std::int64_t to = from + now - 1;
    place_window(rising ? from - history_ : from);
    if (kernel(&run_.context_, run_.record(), arguments_.data(), from, to) != done) return failed;
    if (windowed_) {
      keep(from, to);
      move_window(from, to);
    }
    done_slices += now;
    const Status status = in_time(static_cast<double>(done_slices), static_cast<double>(slices), begin);
    if (status != done) return status;
  }
  return done;
}

Status GroupEvaluation::run_planes(KernelFunction kernel) {
  place_window(0);
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    const std::int64_t theta = schedule_.theta[axis];
    lowest += theta * (theta > 0 ? group_.first[axis] : group_.last[axis]);
    highest += theta * (theta > 0 ? group_.last[axis] : group_.first[axis]);
  }
  const auto begin = std::chrono::steady_clock::now();
  const double planes = static_cast<double>(highest - lowest + 1);
  const std::int64_t chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(planes / looks_at_planes));
  for (std::int64_t from = lowest; from <= highest; from += chunk) {
    const std::int64_t to = std::min(highest, from + chunk - 1);
    if (kernel(&run_.context_, run_.record(), arguments_.data(), from, to) != done) return failed;
    const Status status = in_time(static_cast<double>(to - lowest + 1), planes, begin);
    if (status != done) return status;
  }
  return done;
}

// Fails as soon as it is clear that the time limit does not suffice.
Status GroupEvaluation::in_time(double done_part, double all, std::chrono::steady_clock::time_point begin) {
  const bool is_watched = run_.limits_.deadline || run_.limits_.observer != nullptr || run_.limits_.stop != nullptr;
  if (!is_watched || done_part >= all) return done;
  const double spent = seconds_since(begin);
  announcement_.tell(run_.limits_.observer, system_[events_.events.front()].name, cell_count(), "cells", spent,
                     done_part / all);
  const double left = backend::seconds_left(run_.limits_);
  if (left < 0) return run_.limit(backend::deadline_passed(run_.limits_));
  const double needed = spent * all / done_part;
  // On a busy machine the first cells may take much longer than they should.
  if (spent < std::max(seconds_until_group_judged, left / parts_until_group_judged) ||
      needed - spent < hopeless_times_left * left)
    return done;
  return run_.limit(backend::time_exceeded(system_, events_.events.front(), cell_count(), needed, run_.limits_));
}

}  // namespace wave::jit
