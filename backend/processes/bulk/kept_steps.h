// The steps by which a list of operations comes about: the scalars that are looked at on the way, and what is made of
// them. They are taken again where another evaluation is to use the same list (kept_stretches.h). Times then come to
// stand in the fields that the list refers to; where anything else comes out otherwise, the list does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>

namespace wave::backend::processes {

class Fields;
class PlanEnds;

// The evaluation in which they are taken again.
struct Retaking {
  Fields& fields;
  PlanEnds& ends;
  double quantum = 0;
};

struct KeptStep {
  std::function<bool(const Retaking&)> take;  // false: it does not hold; throws Failed
  std::size_t bytes = 0;                      // of the values that it keeps
  std::uint64_t taken_in = 0;                 // the last evaluation that has taken it, and whether it held there
  bool holds = false;
};
using KeptStepPtr = std::shared_ptr<KeptStep>;

// In the order in which they were taken first, each once.
class KeptSteps {
 public:
  void add(const KeptStepPtr& step) {
    if (!known_.insert(step.get()).second) return;
    list_.push_back(step);
    bytes_ += sizeof(KeptStep) + step->bytes;
  }
  void add(const KeptSteps& others) {
    for (const KeptStepPtr& step : others.list_) add(step);
  }
  const std::vector<KeptStepPtr>& list() const { return list_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<KeptStepPtr> list_;
  std::unordered_set<const KeptStep*> known_;
  std::size_t bytes_ = 0;
};

}  // namespace wave::backend::processes
