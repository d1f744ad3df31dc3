// See identical_steps.h. Whether steps repeat is seen first on a few processes, and then proved for all.
#include "backend/processes/bulk/identical_steps.h"

#include "backend/processes/bulk/clock_arrays.h"
#include "backend/processes/thresholds.h"
#include "base/clock.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace wave::backend::processes {

namespace {

class Taking {
 public:
  Taking(IdenticalSteps& steps, const StepCount& count) : steps_(steps), count_(count), left_(count.steps) {}

  StepsTaken run() {
    std::int64_t pause = first_pause;
    while (left_ > 0 && !taken_.is_stopped) {
      if (left_ < least_blocks_left * count_.together) {
        evaluate(left_);
        break;
      }
      const std::size_t period = find_period();
      if (period > 0 && skip(static_cast<std::int64_t>(period) * count_.together)) {
        pause = first_pause;
        continue;
      }
      if (seconds_ > seconds_for_estimate)
        steps_.expect(seconds_ / static_cast<double>(taken_.evaluated) * static_cast<double>(left_));
      evaluate(std::min(left_, pause * count_.together));
      pause = std::min(2 * pause, longest_pause);
    }
    return taken_;
  }

 private:
  void evaluate(std::int64_t steps) {
    if (taken_.is_stopped || steps == 0) return;
    const auto begin = std::chrono::steady_clock::now();
    taken_.is_stopped = !steps_.evaluate(steps);
    seconds_ += seconds_since(begin);
    taken_.evaluated += steps;
    left_ -= steps;
  }

  // Evaluates block after block until the clocks of a few processes rise as they did one period before: the period, in
  // blocks. 0: they do not, or there are no more steps.
  std::size_t find_period() {
    std::vector<ClockSample> history;
    while (history.size() < 2 * longest_period + 1 && left_ >= least_blocks_left * count_.together &&
           !taken_.is_stopped) {
      evaluate(count_.together);
      const auto clocks = steps_.clocks();
      if (taken_.is_stopped || clocks.empty()) return 0;
      history.emplace_back(clocks);
      const auto last = [&](std::size_t back) { return history[history.size() - 1 - back].arrays(); };
      for (std::size_t period = 1; period <= longest_period; ++period) {
        if (history.size() > period && rise(last(period), last(0))) return period;
        if (!may_be_long(period)) continue;
        if (history.size() > 2 * period && straight_rise(last(2 * period), last(period), last(0))) return period;
      }
      if (history.size() == 2 && !guessed_ && may_be_long(1) && rise_alike(last(1), last(0))) {
        guessed_ = true;
        return 1;
      }
      if (history.size() == 3 && !may_be_long(1)) return 0;
    }
    return 0;
  }

  // Enough steps are left for the copies that it takes where clocks rise by different amounts.
  bool may_be_long(std::size_t period) const {
    return left_ / (static_cast<std::int64_t>(period) * count_.together) > count_.least_skip;
  }

  // The number of steps in a block from here on.
  bool skip(std::int64_t block) {
    if (left_ / block < 2) return false;
    const auto before = ClockCopy::make(steps_.memory(), steps_.clocks());
    const auto marks_before = before ? ClockCopy::make(steps_.memory(), steps_.marks()) : nullptr;
    const auto sums_before = marks_before ? ClockCopy::make(steps_.memory(), steps_.sums()) : nullptr;
    if (!sums_before) return false;
    evaluate(block);
    if (taken_.is_stopped) return true;
    const auto clocks = steps_.clocks();
    if (!before->has_shape(clocks)) return false;
    if (const auto all = rise(before->arrays(), clocks)) return skip_by(*all, block, *marks_before, *sums_before);
    if (!sums_before->arrays().empty() || !marks_before->arrays().empty() || left_ / block < count_.least_skip)
      return false;
    return skip_straight(block, *before, clocks);
  }

  // Every clock has risen by the same.
  bool skip_by(const Rise& rise, std::int64_t block, const ClockCopy& marks_before, const ClockCopy& sums_before) {
    const std::int64_t blocks = left_ / block;
    if (blocks == 0) return false;
    const double times = static_cast<double>(blocks);
    const auto is_exact = [&](double largest) { return largest < count_.exact_below; };
    if (!is_exact(rise.largest + times * std::fabs(rise.by))) {
      exceed(times * rise.by);
      return false;
    }
    const auto marks = steps_.marks(), sums = steps_.sums();
    if (!marks_before.has_shape(marks) || !sums_before.has_shape(sums)) return false;
    if (!rise_or_rest(marks_before.arrays(), marks, rise.by)) return false;
    if (!is_exact(largest_after(sums_before.arrays(), sums, times))) return false;
    for (const auto clocks : steps_.clocks()) add(clocks, times * rise.by);
    extrapolate(marks_before.arrays(), marks, times);
    extrapolate(sums_before.arrays(), sums, times);
    left_ -= blocks * block;
    return true;
  }

  // Each clock may have risen by an amount of its own.
  bool skip_straight(std::int64_t block, const ClockCopy& before, const std::vector<std::span<double>>& clocks) {
    const auto middle = ClockCopy::make(steps_.memory(), clocks);
    if (!middle) return false;
    evaluate(block);
    if (taken_.is_stopped) return true;
    const auto after = steps_.clocks();
    if (!middle->has_shape(after)) return false;
    const auto rise = straight_rise(before.arrays(), middle->arrays(), after);
    if (!rise) return false;
    const double steepest = rise->by, room = count_.exact_below - rise->largest;
    if (!(room > 0)) {
      exceed(0);
      return false;
    }
    std::int64_t blocks = left_ / block;
    if (steepest > 0)
      blocks = static_cast<std::int64_t>(std::min(static_cast<double>(blocks), std::floor(room / steepest) - 2));
    for (int attempt = 0; attempt < most_attempts_on_line && blocks >= count_.least_skip; ++attempt) {
      const double times = static_cast<double>(blocks);
      place_on_line(before.arrays(), middle->arrays(), times, steps_.clocks());
      const std::int64_t left = left_;
      evaluate(block);
      if (taken_.is_stopped) return true;
      // A clock that is above its line now has left it no later than the steepest would have.
      const auto left_line = leaves_line(before.arrays(), middle->arrays(), times + 1, steps_.clocks(), steepest);
      if (!left_line) {
        left_ = left - blocks * block;
        return true;
      }
      left_ = left;
      place_on_line(before.arrays(), middle->arrays(), 1, steps_.clocks());
      blocks = static_cast<std::int64_t>(std::min(std::floor(*left_line) - 1, times - 1));
    }
    return false;
  }

  // The clocks are going to rise by so much yet.
  void exceed(double rise) {
    const auto clocks = steps_.clocks();
    const double last = largest_after({clocks.front()}, {clocks.front()}, 0) + rise;
    if (last >= count_.exact_below) steps_.exceed(last);
  }

  IdenticalSteps& steps_;
  const StepCount count_;
  std::int64_t left_;
  double seconds_ = 0;    // that the evaluated ones took
  bool guessed_ = false;  // whether clocks rise as before
  StepsTaken taken_;
};

}  // namespace

StepsTaken take_steps(IdenticalSteps& steps, const StepCount& count) { return Taking(steps, count).run(); }

}  // namespace wave::backend::processes
