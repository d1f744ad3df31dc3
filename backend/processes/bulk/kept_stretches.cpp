// See kept_stretches.h.
#include "backend/processes/bulk/kept_stretches.h"

#include "backend/failed.h"
#include "backend/processes/thresholds.h"

#include <algorithm>
#include <utility>

namespace wave::backend::processes {

std::size_t KeptStretches::Kept::bytes() const {
  constexpr std::size_t bytes_of_weights = 32;  // the numbers of one or two
  return list->operations.size() * (sizeof(PlannedOperation) + bytes_of_weights) + steps.bytes();
}

void KeptStretches::begin(const std::vector<std::int64_t>& extents) {
  ++evaluation_;
  is_same_grid_ = extents == extents_;
  if (is_same_grid_) return;
  extents_ = extents;
  kept_.clear();
  bytes_ = 0;
}

bool KeptStretches::has_room() const {
  return is_same_grid_ && kept_.size() < most_lists_kept && bytes_ < most_bytes_kept;
}

void KeptStretches::forget(std::map<StretchKey, Kept>::iterator one) {
  bytes_ -= one->second.bytes();
  kept_.erase(one);
}

OperationListPtr KeptStretches::find(const StretchKey& key, const Retaking& again) {
  const auto found = kept_.find(key);
  if (found == kept_.end()) return nullptr;
  if (holds(found->second.steps, again)) return found->second.list;
  forget(found);
  return nullptr;
}

// A step that several lists share is taken once in an evaluation, so that no field changes again once a list is in use.
bool KeptStretches::holds(const KeptSteps& steps, const Retaking& again) const {
  for (const KeptStepPtr& step : steps.list()) {
    if (step->taken_in != evaluation_) {
      try {
        step->holds = step->take(again);
      } catch (const Failed& failed) {
        if (failed.failure.is_limit()) throw;
        step->holds = false;
      }
      step->taken_in = evaluation_;
    }
    if (!step->holds) return false;
  }
  return true;
}

void KeptStretches::keep(StretchKey key, OperationListPtr list, KeptSteps steps) {
  Kept made{std::move(list), std::move(steps)};
  if (made.bytes() > most_bytes_kept - std::min(most_bytes_kept, bytes_)) return;
  for (const KeptStepPtr& step : made.steps.list()) {  // what it says is there
    step->taken_in = evaluation_;
    step->holds = true;
  }
  bytes_ += made.bytes();
  kept_.insert_or_assign(std::move(key), std::move(made));
}

std::unique_ptr<KeptStretches> KeptPool::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    free_.reserve(made_ + 1);
    auto made = std::make_unique<KeptStretches>();
    ++made_;
    return made;
  }
  std::unique_ptr<KeptStretches> kept = std::move(free_.back());
  free_.pop_back();
  return kept;
}

void KeptPool::give_back(std::unique_ptr<KeptStretches> kept) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(kept));
}

}  // namespace wave::backend::processes
