// Tells what a node of the system depends on, and so whether it may be moved into a definition, and of which frame.
#pragma once

#include "ir/system.h"

#include <vector>

namespace wave::frontend::lowering {

struct Facts {
  std::vector<ir::BinderId> free;                // loop variables and indices from outside it, sorted
  bool event_local = false;                      // stands in the body of an event: neighbours, reads that may be absent
  bool parameters = false;                       // uses arguments of its frame
  ir::FrameId deepest = ir::System::root_frame;  // the innermost frame of what it uses

  bool depends_on_loop() const { return event_local || !free.empty(); }
  // May stand in a definition of a frame inside `deepest`.
  bool closed() const { return !depends_on_loop() && !parameters; }
};

class FactTable {
 public:
  explicit FactTable(const ir::System& system) : system_(system) {}
  const Facts& of(ir::ValueId value);
  std::size_t depth(ir::FrameId frame) const;
  ir::FrameId deeper(ir::FrameId a, ir::FrameId b) const { return depth(a) < depth(b) ? b : a; }

 private:
  void absorb(Facts& into, ir::ValueId operand) const;
  void absorb_levels(Facts& into, const ir::Reduce& reduce) const;
  Facts compute(ir::ValueId value) const;

  const ir::System& system_;
  std::vector<Facts> known_;  // operands have smaller numbers than what uses them
};

}  // namespace wave::frontend::lowering
