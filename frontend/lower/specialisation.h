// A function with everything but its scalar arguments fixed: a frame of the system.
#pragma once

#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

struct Lowering::Specialisation {
  enum class State { evaluating, done, inlined, not_yet, abandoned } state = State::evaluating;
  ir::FrameId frame;
  Symbolic result;         // references to its definitions; null while unknown
  std::string why;         // not_yet
  DiagnosticKind error{};  // abandoned
};

}  // namespace wave::frontend::lowering
