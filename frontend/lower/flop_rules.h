// What counts as a floating-point operation in a `flops` block, by Table 1 of "Early Prediction of MPP Performance"
// (USC CENG 95-15): add, subtract, multiply, compare and convert 1, divide and square root 4, sine, exponential and the
// like 8. Index arithmetic is free, an assignment too unless it is all there is. Of a condition the costlier branch
// counts.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/lower/lower.h"

#include <cstdint>
#include <vector>

namespace wave::frontend::lowering {

using FlopOperations = std::vector<FlopOperation>;

// In the order in which they are written, each kind once.
FlopOperations operations_of(const Expr& expr);
// `x = value`: at least the assignment.
FlopOperations operations_of_assignment(const Expr& value);
std::int64_t flops_of(const FlopOperations& operations);

}  // namespace wave::frontend::lowering
