// One evaluation of one group of events, in four files: the order of it all (group.cpp), where cells are kept
// (group_storage.cpp), the loops (group_loops.cpp), lanes (group_lanes.cpp). The evaluator has found the extents and
// the quantum, and evaluated the hoisted scalars and the groups that the cells look at.
#pragma once

#include "backend/jit/group.h"
#include "backend/observer.h"
#include "ir/exact.h"

#include <chrono>
#include <string>

namespace wave::jit {

using KernelFunction = std::int32_t (*)(Context*, Record*, Word*, std::int64_t, std::int64_t);

class GroupEvaluation {
 public:
  GroupEvaluation(Run& run, GroupIndex number, Group& group, const backend::kernels::GroupTask& task)
      : run_(run),
        task_(task),
        number_(number),
        group_(group),
        system_(run.instance_),
        layout_(run.compiled_.layout),
        events_(layout_.groups[number]),
        schedule_(layout_.schedules[number]),
        rank_(group.first.size()) {}

  // Nothing is allocated that clearly exceeds the limits.
  Status plan();
  Status evaluate(const ir::Exactness& exactness);
  std::string schedule() const;

 private:
  bool rows() const { return schedule_.kind == ir::ScheduleKind::rows; }
  std::size_t outer() const { return rows() ? schedule_.order.front() : 0; }
  std::int64_t extent(std::size_t axis) const { return group_.last[axis] - group_.first[axis] + 1; }

  double cell_count() const;
  Status plan_storage();
  bool want_lanes();
  Status run_lanes(bool& ran);
  bool try_window();
  bool add_kept_boxes(std::size_t event);
  std::int64_t slice_cells() const;
  void set_strides();
  bool may_hurry() const;
  Status run_cell_by_cell();
  Status run_kernel();
  Status run_slices(KernelFunction kernel);
  Status run_planes(KernelFunction kernel);
  void place_window(std::int64_t lowest);
  void release_window();
  void keep(std::int64_t from, std::int64_t to);
  void keep_box(const Word* base, KeptBox& box, std::size_t axis, std::int64_t from_words, std::int64_t to_words,
                std::int64_t outer_from, std::int64_t outer_to);
  void move_window(std::int64_t from, std::int64_t to);
  Status in_time(double done, double all, std::chrono::steady_clock::time_point begin);

  Run& run_;
  const backend::kernels::GroupTask task_;
  GroupIndex number_;
  Group& group_;
  const ir::System& system_;
  const Layout& layout_;
  const ir::EventGroup& events_;
  const ir::Schedule& schedule_;
  std::size_t rank_;
  std::vector<std::int64_t> stride_;  // in words
  bool windowed_ = false;
  std::int64_t chunk_ = 0;    // slices evaluated at a time
  std::int64_t history_ = 0;  // slices kept before them
  ir::Exactness exactness_;
  std::vector<Word> arguments_;
  std::size_t window_bytes_ = 0;
  backend::Announcement announcement_;
  bool lanes_wanted_ = false;
  std::string lanes_text_;  // how the lanes ran, or why there were none
};

}  // namespace wave::jit
