// What other engines ask of the interpreter. Compiled code leaves it the calls of functions that have processes of
// their own. An engine that has a faster one behind it wants to know early that something is large.
#pragma once

#include "backend/engine.h"

namespace wave::backend::interpreter {

class CallableEvaluation : public Evaluation {
 public:
  // The value of a definition in a fresh activation of its frame, whose parent is the root frame, with these arguments.
  // `site`: of the call, where it would be one too many inside each other. One column, one row.
  virtual Outcome call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) = 0;
  // From now on a loop that looks like taking longer fails for lack of time at once, not when the deadline has come.
  virtual void be_patient_for(double seconds) = 0;
};

}  // namespace wave::backend::interpreter
