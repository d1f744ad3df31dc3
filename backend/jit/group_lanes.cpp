// Decides when a group is evaluated in vector lanes, and what happens if that fails.
#include "backend/jit/group_evaluation.h"
#include "backend/jit/lanes/strip_run.h"
#include "backend/jit/thresholds.h"

#include <chrono>
#include <optional>

namespace wave::jit {

// The points that are read must be known, the group worth the code.
bool GroupEvaluation::want_lanes() {
  if (!rows() || (windows_are_forced() && !lanes::lane_wishes().always)) return false;
  const lanes::StripPlan& plan = layout_.strips[number_];
  if (!plan.possible()) {
    if (cell_count() >= worth_a_word) lanes_text_ = "not in lanes: " + plan.reason;
    return false;
  }
  {
    const std::lock_guard lock(run_.compiled_.mutex);
    if (!run_.compiled_.strips.are_due(number_, cell_count(), static_cast<double>(extent(plan.row_axis)))) return false;
  }
  for (std::size_t i = 0; i < group_.events.size(); ++i) {
    group_.events[i].kept.clear();
    if (!add_kept_boxes(i)) return false;
  }
  return true;
}

Status GroupEvaluation::run_lanes(bool& ran) {
  if (!may_hurry()) {
    lanes_text_ = "not in lanes: sums round";
    return done;
  }
  // Before the first look, code may have to be compiled and memory fetched. So the remaining time is judged from the
  // first look on.
  std::optional<std::chrono::steady_clock::time_point> begin;
  double begun = 0;
  const auto look = [&](double part, double all) {
    const auto now = std::chrono::steady_clock::now();
    if (!begin) begin = now, begun = part;
    return part > begun ? in_time(part - begun, all - begun, *begin) : in_time(part, all, now);
  };
  lanes::StripEvaluation strips(run_, number_, group_, exactness_.exact ? exactness_.quantum : 0, look);
  switch (strips.evaluate()) {
    case lanes::StripOutcome::done:
      ran = true;
      lanes_text_ = strips.text();
      return done;
    case lanes::StripOutcome::failed: return failed;
    case lanes::StripOutcome::abandoned: break;
  }
  lanes_text_ = "not in lanes: " + strips.reason();
  return done;
}

}  // namespace wave::jit
