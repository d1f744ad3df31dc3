// Machines and models whose parameters depend on a loop: each lives in a frame that takes what it depends on as
// arguments, and a scalar of it is a call of that frame.
#pragma once

#include "frontend/lower/facts.h"
#include "frontend/lower/parts.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Lifting {
 public:
  explicit Lifting(const Parts& parts);
  ~Lifting();

  // A machine or model that no longer depends on a loop: inside another frame, what it depended on has become that
  // frame's arguments. Null where it still does.
  Symbolic settle(const value::Lifted& lifted, const Scope& scope, Place place);
  Symbolic lift(const value::Lifted& lifted, LiftedStep step, const Scope& scope, Place place);

 private:
  struct LiftedFrame;

  Symbolic apply_step(const Symbolic& object, const LiftedStep& step, const Scope& scope, Place place);
  LiftedFrame& lifted_frame(const value::Lifted& lifted, std::vector<ir::ValueId> captures, Place place);
  Symbolic leave_frame(const Symbolic& value, LiftedFrame& frame, Place place);

  const Parts& parts_;
  ir::Builder& b_;
  FactTable& facts_;
  Sites& sites_;
  Values& values_;
  Lists& lists_;
  Calls& calls_;
  Instances& instances_;
  Recurrences& recurrences_;
  Processes& processes_;
  std::map<std::string, std::unique_ptr<LiftedFrame>> lifted_frames_;
};

}  // namespace wave::frontend::lowering
