// Scalars of several evaluations at a time, one in each vector lane: cells of a recurrence, or rows of a batch.
//
// There is no control flow by lane. A node gives a value for every lane and, beside it, the lanes in which it has one: where an
// evaluation by need would fail (division by zero, an overflow, a failed check), the lane is not good, whatever
// its value. `Select`, `And`, `Or` and `Check` combine these masks as they would look at their operands, so a lane
// is good exactly where the evaluation as ir/scalar.h defines it does not fail, and then the value has the same bits.
// What failed, and how, is found by evaluating that lane again by scalar code.
#pragma once

#include "backend/jit/module_emitter.h"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::jit::lanes {

// <lanes x double>, <lanes x i64> or <lanes x i1>, by the node's type. Masks: null: every lane.
struct Lanes {
  llvm::Value* value = nullptr;
  llvm::Value* good = nullptr;         // the evaluation does not fail
  llvm::Value* present = nullptr;      // inside an event: it is not absent; looked at only where it is good
};

// Thrown where a node cannot be evaluated in lanes; caught by whoever would have used the code.
struct NotInLanes {
  std::string reason;                  // "`start` is a recurrence"
};

class LaneEmitter {
 public:
  // Emits where `build` stands; several blocks may come of it (loops), but control always goes on in one.
  LaneEmitter(ModuleEmitter& module, llvm::Function* function, llvm::IRBuilder<>& build, unsigned lanes);

  // Throws NotInLanes. Nodes met twice are emitted once, as long as the code that was emitted first dominates.
  Lanes emit(ir::ValueId value);

  // Asked first, for every node: leaves that the user has (hoisted scalars, neighbours, parameters, indices). Nothing:
  // emitted by its node.
  std::function<std::optional<Lanes>(ir::ValueId value, const ir::Node& node)> leaf;
  // The present values of loop variables and axes, <lanes x i64>.
  std::unordered_map<ir::BinderId, llvm::Value*> binders;
  // Forgets what has been emitted: a cell further on.
  void forget();

  // --- pieces for users ---
  llvm::Value* splat(llvm::Value* scalar);
  llvm::VectorType* type(ir::ScalarType type);
  // A weight on the quantum (ir::arithmetic::quantize): good where it is finite.
  Lanes round(const Lanes& weight, llvm::Value* quantum, llvm::Value* inverse);
  llvm::Value* both(llvm::Value* mask, llvm::Value* other);      // and, of masks that may be null

  ModuleEmitter& module;
  llvm::Function* const function;
  llvm::IRBuilder<>& build;
  const unsigned lanes;
};

}  // namespace wave::jit::lanes
