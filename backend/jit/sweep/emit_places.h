// What the code of a strip knows of where it is: its arguments, the places of lanes and events, the cells of arrays
// that they read and store, and whose neighbours are on the grid.
#pragma once

#include "backend/jit/sweep/plan.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>

namespace wave::jit::sweep {

class Places {
 protected:
  // Begins a function.
  Places(llvm::Module& module, const std::string& name, const Plan& plan, const Shape& shape);
  void load_arguments();

  llvm::Value* word(std::uint32_t index) { return words_[index]; }
  llvm::Value* constant(std::int64_t value) {
    return llvm::ConstantInt::get(i64_, static_cast<std::uint64_t>(value), true);
  }
  llvm::Value* address(std::uint32_t index) { return build_.CreateIntToPtr(word(index), pointer_); }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(build_.getContext(), name, function_); }
  llvm::Value* splat(llvm::Value* value) {
    return build_.CreateVectorSplat(static_cast<unsigned>(shape_.lanes), value);
  }

  // By how many places lane 0 of an event lags, in this row, behind the first row of the step.
  Offset lag(EventIndex event, int row) const;
  llvm::Value* place(const Offset& lag, std::size_t axis);
  // Of the last lane.
  llvm::Value* last_place(const Offset& lag, std::size_t axis);
  llvm::Value* last_lane() { return shape_.full ? constant(shape_.lanes - 1) : word(Arguments::last_lane); }
  int skew(std::size_t axis) const { return plan_.schedule.lean.place(plan_.schedule.skew)[axis]; }
  llvm::Value* extent(std::size_t axis) { return word(Arguments::extents + static_cast<std::uint32_t>(axis)); }
  llvm::Value* stride(std::size_t axis) { return word(Arguments::strides + static_cast<std::uint32_t>(axis)); }
  llvm::Value* clamp(llvm::Value* index, std::size_t axis);
  llvm::Value* is_on(llvm::Value* index, std::size_t axis) { return build_.CreateICmpULT(index, extent(axis)); }
  // Where lane 0 of an event reads in this row: on the grid, or some other row.
  llvm::Value* read_row(EventIndex event, int row);
  // Where the last tile's values are stored.
  struct StoreRow {
    llvm::Value* base;  // of column 0
    llvm::Value* is_on_grid;
  };
  StoreRow store_row(std::size_t index, int row);

  // Whether processes of this step may be near the borders of an axis.
  bool is_guarded(std::size_t axis) const { return axis == 2 ? guarded_ : !shape_.inner; }
  // In which lanes the neighbour at `offset` is on the grid; null: in all.
  llvm::Value* presence(const Offset& offset, const Offset& lag);

  const Plan& plan_;
  const Shape shape_;
  const Arguments arguments_;
  llvm::IRBuilder<> build_;
  llvm::Type* const i64_;
  llvm::Type* const real_;
  llvm::PointerType* const pointer_;
  llvm::FixedVectorType* const vector_;
  llvm::Function* function_ = nullptr;
  // Of the step that is being emitted.
  llvm::Value* column_ = nullptr;
  bool guarded_ = false;

 private:
  std::vector<llvm::Value*> words_;
};

}  // namespace wave::jit::sweep
