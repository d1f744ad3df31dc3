// What counts as a floating-point operation in a `flops` block, by Table 1 of "Early Prediction of MPP Performance"
// (USC CENG 95-15): add, subtract, multiply, compare and convert 1, divide and square root 4, sine, exponential and the
// like 8. Index arithmetic is free, and so is an assignment unless there is nothing else. Of a condition, the costlier
// branch counts.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/lower/parts.h"

#include <cstdint>
#include <vector>

namespace wave::frontend::lowering {

using FlopOperations = std::vector<FlopOperation>;

// The operations in the order in which they are written, each kind once.
FlopOperations operations_of(const Expr& expr);
// Those of `x = value`, which are at least the assignment.
FlopOperations operations_of_assignment(const Expr& value);
std::int64_t flops_of(const FlopOperations& operations);

// Counts the operations of the statements of a `flops` block, and how often each statement runs.
class FlopCounter {
 public:
  FlopCounter(const Parts& parts, Location location) : parts_(parts), location_(location) {}

  ir::ValueId count(const Block& statements, const Scope& scope);
  // How often a statement somewhere in the block counts in one run of the block. In the cheaper branch of a condition
  // it never does. A loop counts its rounds.
  ir::ValueId runs(const Block& statements, const Statement& wanted, const Scope& scope);

 private:
  ir::ValueId number(std::int64_t count);
  ir::ValueId count(const Statement& statement, const Scope& scope);
  // The sum over the rounds of a loop.
  ir::ValueId in_rounds(const statement::For& loop, const Scope& scope,
                        const std::function<ir::ValueId(const Scope&)>& of_body);

  const Parts& parts_;
  Location location_;
};

}  // namespace wave::frontend::lowering
