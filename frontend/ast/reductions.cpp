// See reductions.h.
#include "frontend/ast/reductions.h"

namespace wave::frontend {

const char* name_of(ReduceOperator op) {
  switch (op) {
    case ReduceOperator::sum: return "sum";
    case ReduceOperator::max: return "max";
    case ReduceOperator::min: return "min";
    case ReduceOperator::prod: return "prod";
    case ReduceOperator::count: return "count";
    case ReduceOperator::any: return "any";
    case ReduceOperator::all: return "all";
    case ReduceOperator::argmin: return "argmin";
    case ReduceOperator::argmax: return "argmax";
  }
  return "";
}

}  // namespace wave::frontend
