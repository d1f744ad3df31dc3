// Evaluates the cells of a group of events.
#include "backend/jit/group_evaluation.h"
#include "ir/printer.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit {

// Weights may be added up before the neighbour's time where sums do not round; bodies that are evaluated as
// written have no weights.
bool GroupEvaluation::may_hurry() const {
  if (exactness_.exact) {
    return exactness_.quantum > 0 && std::isnormal(exactness_.quantum) && std::isnormal(1 / exactness_.quantum);
  }
  return std::all_of(events_.events.begin(), events_.events.end(),
                     [&](ir::EventId id) { return system_[id].general() && !system_[id].exact; });
}

Status GroupEvaluation::evaluate(const ir::Exactness& exactness) {
  exactness_ = exactness;
  bool in_lanes = false;
  if (lanes_wanted_ && (run_lanes(in_lanes) != done || (!in_lanes && plan_storage() != done))) return failed;
  return in_lanes ? done : run_cell_by_cell();
}

Status GroupEvaluation::run_cell_by_cell() {
  if (run_kernel() != done) return failed;
  const auto rank = static_cast<std::uint32_t>(rank_);
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    group_.header[1 + GroupHeader::stride(axis)] = static_cast<Word>(stride_[axis]);
  }
  for (std::uint32_t event = 0; event < events_.events.size(); ++event) {
    group_.header[1 + GroupHeader::base(rank, event)] = windowed_ ? 0 : arguments_[KernelArguments::base(rank, event)];
  }
  if (windowed_) release_window();
  return done;
}

std::string GroupEvaluation::schedule() const {
  std::string text = ir::schedule_text(system_, events_, schedule_);
  if (!lanes_text_.empty()) text += "; " + lanes_text_;
  if (windowed_) text += fmt::format("; {} slices at a time", chunk_ + history_);
  return text;
}

}  // namespace wave::jit
