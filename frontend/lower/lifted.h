// The frame of a machine or model whose parameters depend on a loop.
#pragma once

#include "frontend/lower/lowering.h"

#include <map>

namespace wave::frontend::lowering {

struct Lowering::LiftedFrame {
  ir::FrameId frame;
  ir::FrameId parent;
  Symbolic recipe;                    // kept, so that what its key points at lives on
  std::vector<ir::ValueId> captures;  // outside: its arguments
  std::vector<ir::ValueId> inside;    // inside: its parameters
  std::map<ir::ValueId, ir::DefinitionId> results;
};

}  // namespace wave::frontend::lowering
