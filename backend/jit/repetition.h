// Finds code that may run often in one evaluation, and is worth optimising: what loops and cells call, and recursion.
#pragma once

#include "ir/schedule.h"

#include <vector>

namespace wave::jit {

class Repetition {
 public:
  // `hoisted`: by group.
  Repetition(const ir::System& system, const std::vector<std::vector<ir::Hoisted>>& hoisted);
  // Is the frame activated in loops, in cells, or by itself? Never the root frame.
  bool is_repeated(ir::FrameId frame) const { return is_repeated_[frame.index]; }

 private:
  std::vector<bool> is_repeated_;
};

}  // namespace wave::jit
