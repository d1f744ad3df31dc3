// See evaluator.h.
#include "analysis/study/ranks/evaluator.h"

#include "base/clock.h"

#include <algorithm>
#include <exception>
#include <new>

namespace wave::ranks {
namespace {

using Clock = std::chrono::steady_clock;

// A range is computed in parts, each at most this many times as large as the one before, so that slow points are
// noticed after a few of them.
constexpr std::uint64_t first_part = 1024, growth_of_parts = 8;
// How many times as long as it should a range may take.
constexpr double patience = 4;

}  // namespace

Evaluator::Evaluator(Work work, double seconds)
    : work_(std::move(work)), seconds_(seconds), thread_([this] { run(); }) {}

Evaluator::~Evaluator() {
  if (!idle_) stop();
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Evaluator::start(PointRange range) {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = range;
  }
  idle_ = false;
  changed_.notify_all();
}

std::optional<Evaluator::Result> Evaluator::wait(std::chrono::microseconds pause) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, pause, [&] { return result_.has_value(); });
  std::optional<Result> result;
  result.swap(result_);
  if (result) idle_ = true;
  return result;
}

void Evaluator::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ended_ || wanted_; });
    if (ended_) return;
    const PointRange range = *wanted_;
    wanted_.reset();
    lock.unlock();
    Result result = compute(range);
    lock.lock();
    result_ = std::move(result);
    changed_.notify_all();
  }
}

Evaluator::Result Evaluator::compute(PointRange range) const {
  const auto begin = Clock::now();
  Result result;
  result.range = range;
  std::uint64_t count = std::max<std::uint64_t>(range.size() / first_part, 1);
  try {
    for (std::uint64_t at = range.begin; at < range.end;) {
      const PointRange part{at, at + std::min(count, range.end - at)};
      auto found = work_.compute(part);
      if (auto* const trouble = std::get_if<Trouble>(&found)) {
        result.trouble = std::move(*trouble);
        break;
      }
      result.parts.push_back({part, std::move(std::get<std::string>(found))});
      at = part.end;
      result.seconds = seconds_since(begin);
      const double each = result.seconds / static_cast<double>(at - range.begin);
      const double room = seconds_ * patience - result.seconds;
      if (room < each) break;
      count = static_cast<std::uint64_t>(
          std::clamp(room / std::max(each, 1e-12), 1.0, static_cast<double>(count * growth_of_parts)));
    }
  } catch (const std::bad_alloc&) {
    result.trouble = Trouble{"this needs more memory than there is"};
  } catch (const std::exception& error) {
    result.trouble = Trouble{error.what()};
  }
  return result;
}

}  // namespace wave::ranks
