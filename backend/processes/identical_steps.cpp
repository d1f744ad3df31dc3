// See identical_steps.h. Whether steps repeat is seen first on a few processes, and then proved for all.
#include "backend/processes/identical_steps.h"

#include "backend/processes/clock_arrays.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wave::backend::processes {

namespace {

constexpr std::size_t longest_period = 4;
constexpr std::int64_t least_blocks = 4;             // of which it could be worth skipping one
constexpr std::int64_t first_pause = 8, longest_pause = 4096;
constexpr std::int64_t least_skip = 6;               // blocks: what looking whether they may be skipped costs
constexpr int most_attempts = 3;

class Taking {
 public:
  Taking(IdenticalSteps& steps, const StepCount& count) : steps_(steps), count_(count), left_(count.steps) {}

  StepsTaken run() {
    std::int64_t pause = first_pause;
    while (left_ > 0 && !taken_.is_stopped) {
      if (left_ < least_blocks * count_.together) {
        evaluate(left_);
        break;
      }
      const std::size_t period = find_period();
      if (period > 0 && skip(static_cast<std::int64_t>(period) * count_.together)) {
        pause = first_pause;
        continue;
      }
      evaluate(std::min(left_, pause * count_.together));
      pause = std::min(2 * pause, longest_pause);
    }
    return taken_;
  }

 private:
  void evaluate(std::int64_t steps) {
    if (taken_.is_stopped || steps == 0) return;
    taken_.is_stopped = !steps_.evaluate(steps);
    taken_.evaluated += steps;
    left_ -= steps;
  }

  // Evaluates block after block until the clocks of a few processes rise as they did one period before: the period, in
  // blocks. 0: they do not, or there are no more steps.
  std::size_t find_period() {
    std::vector<ClockSample> history;
    while (history.size() < 2 * longest_period + 1 && left_ >= least_blocks * count_.together && !taken_.is_stopped) {
      evaluate(count_.together);
      const auto clocks = steps_.clocks();
      if (taken_.is_stopped || clocks.empty()) return 0;
      history.emplace_back(clocks);
      const auto last = [&](std::size_t back) { return history[history.size() - 1 - back].arrays(); };
      for (std::size_t period = 1; period <= longest_period; ++period) {
        if (history.size() > period && rise(last(period), last(0))) return period;
        if (history.size() > 2 * period && is_straight(last(2 * period), last(period), last(0))) return period;
      }
    }
    return 0;
  }

  // Blocks of so many steps, from here on.
  bool skip(std::int64_t block) {
    if (left_ / block < 2) return false;
    const auto before = ClockCopy::make(steps_, steps_.clocks());
    const auto marks_before = before ? ClockCopy::make(steps_, steps_.marks()) : nullptr;
    const auto sums_before = marks_before ? ClockCopy::make(steps_, steps_.sums()) : nullptr;
    if (!sums_before) return false;
    evaluate(block);
    if (taken_.is_stopped) return true;
    const auto clocks = steps_.clocks();
    if (!before->has_shape(clocks)) return false;
    if (const auto all = rise(before->arrays(), clocks)) return skip_by(*all, block, *marks_before, *sums_before);
    if (!sums_before->arrays().empty() || !marks_before->arrays().empty() || left_ / block < least_skip) return false;
    return skip_straight(block, *before, clocks);
  }

  // Every clock has risen by the same.
  bool skip_by(double rise, std::int64_t block, const ClockCopy& marks_before, const ClockCopy& sums_before) {
    const std::int64_t blocks = left_ / block;
    if (blocks == 0) return false;
    const double times = static_cast<double>(blocks);
    const auto is_exact = [&](double largest) { return largest < count_.exact_below; };
    if (!is_exact(largest(steps_.clocks()) + times * std::fabs(rise))) return false;
    const auto marks = steps_.marks(), sums = steps_.sums();
    if (!marks_before.has_shape(marks) || !sums_before.has_shape(sums)) return false;
    if (!rise_or_rest(marks_before.arrays(), marks, rise)) return false;
    if (!is_exact(largest_after(sums_before.arrays(), sums, times))) return false;
    for (const auto clocks : steps_.clocks()) add(clocks, times * rise);
    extrapolate(marks_before.arrays(), marks, times);
    extrapolate(sums_before.arrays(), sums, times);
    left_ -= blocks * block;
    return true;
  }

  // Each clock may have risen by an amount of its own.
  bool skip_straight(std::int64_t block, const ClockCopy& before, const std::vector<std::span<double>>& clocks) {
    const auto middle = ClockCopy::make(steps_, clocks);
    if (!middle) return false;
    evaluate(block);
    if (taken_.is_stopped) return true;
    const auto after = steps_.clocks();
    if (!middle->has_shape(after) || !is_straight(before.arrays(), middle->arrays(), after)) return false;
    const double steepest = largest_rise(before.arrays(), middle->arrays());
    const double room = count_.exact_below - largest(after);
    if (!(room > 0) || !(steepest >= 0)) return false;
    std::int64_t blocks = left_ / block;
    if (steepest > 0) blocks = static_cast<std::int64_t>(std::min(static_cast<double>(blocks), std::floor(room / steepest) - 2));
    for (int attempt = 0; attempt < most_attempts && blocks >= least_skip; ++attempt) {
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

  IdenticalSteps& steps_;
  const StepCount count_;
  std::int64_t left_;
  StepsTaken taken_;
};

}  // namespace

StepsTaken take_steps(IdenticalSteps& steps, const StepCount& count) { return Taking(steps, count).run(); }

}  // namespace wave::backend::processes
