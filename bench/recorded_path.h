// Critical paths that programs record while they run.
#pragma once

#include "bench/model.h"

namespace wave::bench {

// When the last process of the model's first process finishes, ps, by the sum of its critical path.
double recorded_path(const Model& model, const Model::Integers& bound);

}  // namespace wave::bench
