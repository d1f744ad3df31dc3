// A function with everything but its scalar arguments fixed: a frame of the system.
#pragma once

#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

struct Lowering::Specialisation {
  Progress progress = Progress::evaluating;
  ir::FrameId frame;
  Symbolic result;         // references to its definitions; null while unknown, and where it is written out instead
  DiagnosticKind error{};  // abandoned
};

}  // namespace wave::frontend::lowering
