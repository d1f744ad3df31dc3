// What the code of a strip knows of where it is: its arguments, the places of lanes and events, the cells of arrays
// that they read and store, and how far they are from the borders.
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

  // How far an event and a lane lag behind the step, in places.
  int shift(EventIndex event, std::size_t axis) const;
  int skew(std::size_t axis) const { return plan_.schedule.lean.place(plan_.schedule.skew)[axis]; }
  llvm::Value* extent(std::size_t axis) { return word(Arguments::extents + static_cast<std::uint32_t>(axis)); }
  llvm::Value* stride(std::size_t axis) { return word(Arguments::strides + static_cast<std::uint32_t>(axis)); }

  llvm::Value* clamp(llvm::Value* index, std::size_t axis);
  llvm::Value* is_on(llvm::Value* index, std::size_t axis) { return build_.CreateICmpULT(index, extent(axis)); }
  llvm::Value* row_place(int row) { return build_.CreateAdd(word(Arguments::row_place), constant(row)); }
  // Of lane 0, but for the event's shift.
  llvm::Value* column_place(llvm::Value* column, int row);
  // Where lane 0 of an event reads in this row: on the grid, or some other row.
  llvm::Value* read_row(EventIndex event, int row);
  // Where the last tile's values are stored.
  struct StoreRow {
    llvm::Value* base;  // of column 0
    llvm::Value* is_on_grid;
  };
  StoreRow store_row(std::size_t index, int row);
  llvm::Value* last_lane() { return shape_.full ? constant(shape_.lanes - 1) : word(Arguments::last_lane); }
  // Of the last lane, where `step` is lane 0's.
  llvm::Value* behind(llvm::Value* step, EventIndex event, std::size_t axis);

  // --- classes of processes: how far from the borders ---
  // `step` is lane 0's.
  llvm::Value* class_on_axis(llvm::Value* step, EventIndex event, std::size_t axis);
  llvm::Value* scaled(llvm::Value* index, std::size_t by) { return build_.CreateMul(index, scaled_number(by)); }
  llvm::Value* class_of_row(EventIndex event, int row);
  llvm::Value* scaled_number(std::size_t value);
  // A weight by class.
  llvm::Value* look_up(WeightId weight, llvm::Value* at);

  const Plan& plan_;
  const Shape shape_;
  const Arguments arguments_;
  llvm::IRBuilder<> build_;
  llvm::Type* const i64_;
  llvm::Type* const real_;
  llvm::PointerType* const pointer_;
  llvm::FixedVectorType* const vector_;
  llvm::Function* function_ = nullptr;

 private:
  std::vector<llvm::Value*> words_;
  llvm::Value* lanes_ = nullptr;  // per lane its number
};

}  // namespace wave::jit::sweep
