// The exception that carries a failure: thrown where it happens, and caught where the evaluation began.
#pragma once

#include "ir/failure.h"

namespace wave::backend {

struct Failed {
  ir::Failure failure;
};

}  // namespace wave::backend
