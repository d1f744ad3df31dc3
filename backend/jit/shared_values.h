// Values that get a slot in their frame's record, like definitions without a name. A value that two branches need first
// is written out in both; where such values are built of such values, each link of the chain would double the code.
#pragma once

#include "ir/system.h"

#include <vector>

namespace wave::jit {

class SharedValues {
 public:
  // Finds none in a system whose code does not blow up.
  explicit SharedValues(const ir::System& system);

  // Large, used in several places, and the same wherever in an activation it is evaluated.
  bool contains(ir::ValueId value) const { return !is_shared_.empty() && is_shared_[value.index]; }
  // Those that code of a frame may meet.
  std::vector<ir::ValueId> met_in(ir::FrameId frame) const;

 private:
  const ir::System& system_;
  std::vector<bool> is_shared_;  // empty: none
};

}  // namespace wave::jit
