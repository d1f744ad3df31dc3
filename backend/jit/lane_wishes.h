// Lets tests choose shapes of lanes that would not be chosen, on grids that are too small for them. This header is free
// of LLVM.
#pragma once

namespace wave::jit {

struct LaneWishes {
  bool always = false;  // wherever a group has a plan, however small it is
  bool never = false;
  int lanes = 0;  // 0: as chosen
  int vectors = 0;
  int threads = 0;
  int steps = 0;  // evaluated at a time
};

}  // namespace wave::jit
