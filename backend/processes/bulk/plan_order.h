// The order of a stretch's operations: statements one after the other, and what goes on in the background between them.
#pragma once

#include "backend/processes/bulk/plan_operations.h"
#include "backend/processes/thresholds.h"

#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace wave::backend::processes {

// What goes on behind a call.
struct BackgroundOperation {
  std::deque<PlannedOperation> items;
  PendingOperation pending;
  std::uint32_t clock = 0;  // its register
  bool is_old = false;      // of an earlier run of the stretch: nothing is left but to wait for it
  bool awaited = true;      // somebody may wait for it
};

// Puts operations in order: as they come, but what goes on in the background as soon as it can. Refused where they
// become too many.
class OperationOrder {
 public:
  std::vector<PlannedOperation> operations;
  bool ordered = true;
  std::deque<BackgroundOperation> background;  // in the order of the calls

  [[nodiscard]] bool place(const PlannedOperation& item) { return advance() && put(item); }
  [[nodiscard]] bool finish(BackgroundOperation& one) {
    if (!advance()) return false;
    for (; !one.items.empty(); one.items.pop_front()) {
      if (!put(one.items.front())) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool put(const PlannedOperation& item) {
    if (operations.size() >= most_planned_operations) return false;
    if (item.kind == PlannedOperation::Kind::emit) sent_.insert(item.signal);
    if (item.kind == PlannedOperation::Kind::await && !sent_.contains(item.signal)) ordered = false;
    operations.push_back(item);
    return true;
  }
  bool can_go(const BackgroundOperation& one) const {
    const PlannedOperation& item = one.items.front();
    return item.kind != PlannedOperation::Kind::await || sent_.contains(item.signal);
  }
  [[nodiscard]] bool advance() {
    for (bool moved = true; moved;) {
      moved = false;
      for (BackgroundOperation& one : background) {
        while (!one.items.empty() && can_go(one)) {
          if (!put(one.items.front())) return false;
          one.items.pop_front();
          moved = true;
        }
      }
    }
    return true;
  }

  std::set<std::uint32_t> sent_;
};

}  // namespace wave::backend::processes
