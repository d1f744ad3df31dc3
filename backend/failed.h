// How a failure leaves the depths of an engine: thrown where it happens, caught where the evaluation began.
#pragma once

#include "ir/failure.h"

namespace wave::backend {

struct Failed {
  ir::Failure failure;
};

}  // namespace wave::backend
