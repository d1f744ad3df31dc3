// Code for one cell of a group of events: neighbours, their absence, weights, and the maxima that skip what is absent.
#pragma once

#include "backend/jit/function_emitter.h"

#include <map>
#include <unordered_set>

namespace wave::jit {

// The cell that is being evaluated, while its code is emitted.
struct Cell {
  GroupIndex group{};
  // Cells whose neighbours are all in the space, with exact sums: no presence tests, weights are added up before
  // the neighbour's time, the quantum's inverse is exact and every hoisted weight is finite.
  bool interior = false;
  std::vector<llvm::Value*> index, first, last, stride;  // per axis
  std::vector<llvm::Value*> base;                        // per event: the address of point 0
  std::vector<llvm::Value*> current;                     // per event: its value here, once it has been emitted
  // Values one step behind in the innermost loop, kept in a register: per event, where its offset is that step.
  std::vector<llvm::Value*> previous;
  std::vector<std::int32_t> step;  // the offset of `previous`
  // Weights that are known to be finite: the hoisted ones, in the interior.
  std::unordered_set<ir::ValueId> finite;
  llvm::Value* quantum = nullptr;
  llvm::Value* inverse = nullptr;
  // Scalars evaluated before the first cell where a constraint with this offset has a source (ir::Hoisted::offset).
  std::map<std::vector<std::int32_t>, std::unordered_map<ir::ValueId, llvm::Value*>> hoisted_for;
};

// A maximum or minimum over operands of which some may be absent.
class PresentExtreme {
 public:
  PresentExtreme(FunctionEmitter& in, ir::ScalarType type, bool largest);
  // Emits an operand in a region of its own; where it is absent, control goes on behind it.
  void add(const std::function<llvm::Value*()>& operand);
  // The extreme; control goes to `none` where every operand was absent.
  llvm::Value* result_or(llvm::BasicBlock* none);

 private:
  FunctionEmitter& in_;
  ir::ScalarType type_;
  bool largest_;
  llvm::AllocaInst* value_;
  llvm::AllocaInst* present_;
};

// A finite weight on the quantum of the cell's group.
llvm::Value* round_to_quantum(FunctionEmitter& in, llvm::Value* weight);
llvm::Value* is_not_finite(FunctionEmitter& in, llvm::Value* weight);

// The value of an event at the present cell, stored. Sets `cell->current`.
void emit_event(FunctionEmitter& in, ir::EventId event);

}  // namespace wave::jit
