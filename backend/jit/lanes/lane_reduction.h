// A reduction inside code in lanes: loops over iterations (lane_loops.cpp), and what each lane makes of them
// (lane_reduction.cpp).
#pragma once

#include "backend/jit/lanes/lane_emitter.h"

#include <functional>
#include <utility>

namespace wave::jit::lanes {

class LaneReduction {
 public:
  LaneReduction(LaneEmitter& in, const ir::Reduce& node, ir::ScalarType type)
      : in_(in),
        node_(node),
        type_(type),
        result_(variable(in.type(type), llvm::Constant::getNullValue(in.type(type)))),
        good_(mask_variable(true)),
        absent_(mask_variable(false)),
        found_(mask_variable(false)),
        decided_(mask_variable(false)) {}

  Lanes emit();

 private:
  llvm::IRBuilder<>& build() { return in_.build; }
  llvm::AllocaInst* variable(llvm::Type* type, llvm::Value* initial);
  llvm::AllocaInst* mask_variable(bool initial);
  llvm::Value* get(llvm::AllocaInst* variable) { return build().CreateLoad(variable->getAllocatedType(), variable); }
  void set(llvm::AllocaInst* variable, llvm::Value* value) { build().CreateStore(value, variable); }

  void begin();
  void emit_level(std::size_t depth, llvm::Value* active);
  // The loop of a level whose bounds are known, in the lanes that are running: together where the bounds are the same
  // in all.
  void iterate(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step, llvm::Value* running);
  std::pair<llvm::BasicBlock*, llvm::BasicBlock*> begin_loop(
      const std::function<llvm::Value*()>& goes_on,
      const std::function<llvm::Value*()>& not_done);  // head, end
  void iterate_together(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step,
                        llvm::Value* running);
  void iteration_at(std::size_t depth, llvm::Value* index, IntegerRange range, llvm::Value* active);
  void iteration(std::size_t depth, llvm::Value* active);
  bool may_end_early() const;
  llvm::Value* has_iteration(llvm::Value* at, const Lanes& last, const Lanes& step);
  // The lanes of `active` in which this has a value. Elsewhere the whole fails or, unless `skips_absent`, is absent.
  llvm::Value* usable(const Lanes& lanes, llvm::Value* active, bool skips_absent = false);
  llvm::Value* undecided(llvm::Value* active);
  void take(llvm::Value* active);
  void add(llvm::Value* active);
  void extreme(llvm::Value* active);
  void extreme_place(llvm::Value* active);
  void decide(llvm::Value* active);
  void pick(llvm::Value* active);
  void update(llvm::AllocaInst* variable, llvm::Value* mask, llvm::Value* value) {
    set(variable, build().CreateSelect(mask, value, get(variable)));
  }
  Lanes finish();

  LaneEmitter& in_;
  const ir::Reduce& node_;
  ir::ScalarType type_;
  llvm::AllocaInst* result_;
  llvm::AllocaInst* good_;
  llvm::AllocaInst* absent_;            // the whole
  llvm::AllocaInst* found_;             // an iteration that counts
  llvm::AllocaInst* decided_;           // no further iteration is looked at
  llvm::AllocaInst* best_ = nullptr;    // of arg_min and arg_max
  llvm::AllocaInst* number_ = nullptr;  // of nth: iterations so far
  Lanes wanted_;                        // of nth
};

}  // namespace wave::jit::lanes
