// Evaluates a strip's planes, or a strip of a plane. Each thread follows the one with the strip before.
#include "backend/jit/lanes/strip_worker.h"
#include "backend/jit/lanes/thresholds.h"

#include <algorithm>
#include <new>

namespace wave::jit::lanes {

StripOutcome StripEvaluation::run_blocks() {
  for (int number = 0; number < threads_; ++number) {
    workers_.push_back(std::make_unique<Worker>());
    workers_.back()->asks = number == 0;
    if (!prepare(*workers_.back())) return StripOutcome::abandoned;
  }
  blocks_.emplace(threads_, block_count_);
  blocks_->run([&](int thread, std::int64_t block) {
    try {
      return run_block(*workers_[static_cast<std::size_t>(thread)], block);
    } catch (const std::bad_alloc&) {
      bad_ = true;
      return false;
    }
  });
  if (limit_ != done) return StripOutcome::failed;
  if (!bad_) return StripOutcome::done;
  if (reason_.empty()) reason_ = "a cell fails";
  return StripOutcome::abandoned;
}

bool StripEvaluation::run_block(Worker& worker, std::int64_t block) {
  worker.block = block;
  worker.steps_done = 0;
  worker.strip = block % extents_.strips;
  if (!strip_by_strip_) return run_plane(worker, block / extents_.strips);
  for (std::int64_t plane = 0; plane < planes_; ++plane) {
    if (!run_plane(worker, plane)) return false;
  }
  return true;
}

bool StripEvaluation::run_plane(Worker& worker, std::int64_t plane) {
  begin_plane(worker, plane);
  const Interval steady = steady_steps(worker.plane, worker.strip);
  const std::vector<Interval> wanted = wanted_steps(worker.plane, worker.strip);
  auto next_wanted = wanted.begin();
  for (std::int64_t step = 0; step < extents_.steps;) {
    while (next_wanted != wanted.end() && next_wanted->to < step) ++next_wanted;
    const bool is_wanted = next_wanted != wanted.end() && next_wanted->from <= step;
    // Only code with masks stores, where few values are wanted.
    const bool is_inside = step >= steady.from && step <= steady.to;
    const bool is_steady = is_inside && (!is_wanted || shape_.stores);
    std::int64_t last = extents_.steps - 1;
    if (is_inside)
      last = std::min(last, steady.to);
    else if (step < steady.from && steady.from <= steady.to)
      last = std::min(last, steady.from - 1);
    if (is_wanted)
      last = std::min({last, next_wanted->to, step + scratch_steps_ - 1});
    else if (next_wanted != wanted.end())
      last = std::min(last, next_wanted->from - 1);
    last = std::min(last, step + std::min(chunk_steps_, worker.most_steps) - 1);
    if (!wait_for(worker, last)) return false;
    if (worker.steps_unseen == 0) worker.began = std::chrono::steady_clock::now();
    if (!run_steps(worker, step, last, is_steady, is_wanted)) return false;
    if (is_wanted) keep(worker, step, last);
    if (!look_at_clock(worker, last - step + 1)) return false;
    step = last + 1;
    if (threads_ > 1) blocks_->reach(worker.block, progress(worker.plane, step));
  }
  return true;
}

// Now and then, since many planes take less time than a look at the clock. A thread that others follow may wait, and
// looks every time.
bool StripEvaluation::look_at_clock(Worker& worker, std::int64_t steps) {
  worker.steps_unseen += steps;
  worker.steps_done += steps;
  if (threads_ == 1 && worker.steps_unseen < std::min(chunk_steps_, worker.most_steps)) return true;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - worker.began;
  if (took.count() > long_seconds)
    worker.most_steps = std::max<std::int64_t>(1, worker.most_steps / 2);
  else if (took.count() < short_seconds && worker.steps_unseen >= worker.most_steps)
    worker.most_steps *= 2;
  worker.steps_unseen = 0;
  if (!worker.asks) return true;
  const std::int64_t steps_of_block = (strip_by_strip_ ? planes_ : 1) * extents_.steps;
  const double part = static_cast<double>(worker.steps_done) / static_cast<double>(steps_of_block);
  limit_ = in_time_(static_cast<double>(worker.block) + part, static_cast<double>(block_count_));
  return limit_ == done;
}

// How far a block is when a plane's steps before `steps` are done.
std::int64_t StripEvaluation::progress(std::int64_t plane, std::int64_t steps) const {
  return (strip_by_strip_ ? plane * extents_.steps : 0) + std::min(steps, extents_.steps);
}

// What the strip needs up to its step `last_step`, from threads that are ahead.
bool StripEvaluation::wait_for(const Worker& worker, std::int64_t last_step) const {
  if (threads_ == 1) return true;
  const auto wait = [&](std::int64_t plane, std::int64_t strip, std::int64_t steps) {
    if (plane < 0 || strip < 0) return true;
    const std::int64_t block = strip_by_strip_ ? strip : plane * extents_.strips + strip;
    return blocks_->wait(worker.block, block, progress(plane, steps));
  };
  // Plane by plane, a strip looks at those on either side in the plane before, and they are looked at with it.
  const std::int64_t beside = std::min(worker.strip + 1, extents_.strips - 1);
  if (!strip_by_strip_ && !wait(worker.plane - 1, beside, extents_.steps)) return false;
  return wait(worker.plane, worker.strip - 1, last_step + 1 + plan_.skew * (extents_.strip_rows + 2));
}

}  // namespace wave::jit::lanes
