// What compiled code leaves to the interpreter call by call: functions that have processes of their own.
#pragma once

#include "backend/engine.h"

namespace wave::backend::interpreter {

class CallableEvaluation : public Evaluation {
 public:
  // The value of a definition in a fresh activation of its frame, whose parent is the root frame, with these arguments. `site`:
  // of the call, where it would be one too many inside each other. One column, one row.
  virtual Outcome call(ir::DefinitionId definition, const std::vector<ir::Scalar>& arguments, ir::SiteId site) = 0;
};

}  // namespace wave::backend::interpreter
