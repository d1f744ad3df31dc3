// Loop nests.
#include "backend/jit/function_emitter.h"
#include "backend/jit/lanes/reduction_plan.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/thresholds.h"

#include <llvm/IR/Intrinsics.h>

namespace wave::jit {

using ir::FailureKind;
using ir::ScalarType;

void FunctionEmitter::emit_range(llvm::Value* from, llvm::Value* to, bool rising,
                                 const std::function<void(llvm::Value*)>& body, const std::function<void()>& begin) {
  llvm::BasicBlock* const enter = block("enter");
  llvm::BasicBlock* const head = block("loop");
  llvm::BasicBlock* const end = block("loop_end");
  build.CreateCondBr(build.CreateICmpSLE(from, to), enter, end);
  build.SetInsertPoint(enter);
  if (begin) begin();
  llvm::BasicBlock* const before = build.GetInsertBlock();
  continue_in(head);
  llvm::PHINode* const index = build.CreatePHI(module.i64, 2, "index");
  index->addIncoming(rising ? from : to, before);
  body(index);
  index->addIncoming(build.CreateAdd(index, constant(rising ? 1 : -1)), build.GetInsertBlock());
  build.CreateCondBr(build.CreateICmpEQ(index, rising ? to : from), end, head);
  build.SetInsertPoint(end);
}

void FunctionEmitter::emit_levels(const std::vector<ir::Level>& levels,
                                  const std::function<void(llvm::BasicBlock*)>& body, const Elsewhere* elsewhere) {
  emit_level(levels, 0, body, elsewhere);
}

namespace {

// Whether the loop is long, and its numbers small enough, to ask about it: not where it has at most a few iterations.
llvm::Value* is_long(FunctionEmitter& in, llvm::Value* first, llvm::Value* last, llvm::Value* step) {
  auto& build = in.build;
  llvm::Value* all = build.getTrue();
  for (llvm::Value* const number : {first, last, step}) {
    llvm::Value* const shifted = build.CreateAdd(number, in.constant(lanes::largest_index));
    all = build.CreateAnd(all, build.CreateICmpULE(shifted, in.constant(2 * lanes::largest_index)));
  }
  llvm::Value* const rises = build.CreateICmpSGT(step, in.constant(0));
  llvm::Value* const span = build.CreateSelect(rises, build.CreateSub(last, first), build.CreateSub(first, last));
  llvm::Value* const stride = build.CreateSelect(rises, step, build.CreateNeg(step));
  return build.CreateAnd(all,
                         build.CreateICmpSGE(span, build.CreateMul(stride, in.constant(lanes::least_iterations - 1))));
}

}  // namespace

void FunctionEmitter::emit_level(const std::vector<ir::Level>& levels, std::size_t depth,
                                 const std::function<void(llvm::BasicBlock*)>& body, const Elsewhere* elsewhere) {
  const ir::Level& level = levels[depth];
  llvm::Value* const first = emit(level.first);
  llvm::Value* const last = emit(level.last);
  llvm::Value* const step = emit(level.step);
  llvm::Value* const stuck =
      level.geometric ? build.CreateOr(build.CreateICmpSLT(first, constant(1)), build.CreateICmpSLT(step, constant(2)))
                      : build.CreateICmpEQ(step, constant(0));
  fail_if(stuck, level.site, FailureKind::no_progress,
          {{ScalarType::integer, first}, {ScalarType::integer, last}, {ScalarType::integer, step}});
  const bool may_ask = elsewhere && depth + 1 == levels.size();
  llvm::AllocaInst* const budget = may_ask ? local(module.i64, "budget") : nullptr;  // iterations until it asks
  if (may_ask) {
    build.CreateStore(build.CreateSelect(is_long(*this, first, last, step), constant(0), constant(lanes::never_again)),
                      budget);
    elsewhere->begin();
  }

  llvm::BasicBlock* const before = build.GetInsertBlock();
  llvm::BasicBlock* const head = block("loop");
  llvm::BasicBlock* const iteration = block("iteration");
  llvm::BasicBlock* const next = block("next");
  llvm::BasicBlock* const end = block("loop_end");
  continue_in(head);
  llvm::PHINode* const index = build.CreatePHI(module.i64, 3, "index");
  llvm::PHINode* const count = build.CreatePHI(module.i64, 3, "count");
  index->addIncoming(first, before);
  count->addIncoming(constant(0), before);
  llvm::Value* go_on = build.CreateICmpSLE(index, last);
  if (!level.geometric) {
    go_on = build.CreateSelect(build.CreateICmpSGT(step, constant(0)), go_on, build.CreateICmpSGE(index, last));
  }
  build.CreateCondBr(go_on, iteration, end);
  build.SetInsertPoint(iteration);
  if (may_ask) {
    llvm::BasicBlock* const ask = block("ask");
    llvm::BasicBlock* const here = block("here");
    llvm::Value* const rest = build.CreateLoad(module.i64, budget);
    build.CreateCondBr(build.CreateICmpEQ(rest, constant(0)), ask, here);
    build.SetInsertPoint(ask);
    llvm::Value* const left = build.CreateAdd(build.CreateSDiv(build.CreateSub(last, index), step), constant(1));
    const auto [done, until_next] = elsewhere->ask(index, step, left);
    build.CreateStore(until_next, budget);
    index->addIncoming(build.CreateAdd(index, build.CreateMul(done, step)), build.GetInsertBlock());
    count->addIncoming(count, build.GetInsertBlock());
    build.CreateBr(head);
    build.SetInsertPoint(here);
    build.CreateStore(build.CreateSub(rest, constant(1)), budget);
  }
  llvm::BasicBlock* const outer_failed = note_index_on_failure(level.binder, index);
  {
    const Region region(*this);
    const auto shadowed = binders.find(level.binder);
    llvm::Value* const outer_binder = shadowed == binders.end() ? nullptr : shadowed->second;
    binders[level.binder] = index;
    if (level.filter.valid()) {
      llvm::BasicBlock* const taken = block("taken");
      build.CreateCondBr(emit(level.filter), taken, next);
      build.SetInsertPoint(taken);
    }
    if (depth + 1 < levels.size()) {
      emit_level(levels, depth + 1, body, elsewhere);
    } else {
      body(next);
    }
    go_to(next);
    if (outer_binder) binders[level.binder] = outer_binder;
  }
  build.SetInsertPoint(next);
  llvm::Value* const counted = build.CreateAdd(count, constant(1));
  llvm::BasicBlock* const look = block("look");
  llvm::BasicBlock* const advance = block("advance");
  build.CreateCondBr(build.CreateICmpEQ(build.CreateAnd(counted, constant(iterations_per_tick - 1)), constant(0)), look,
                     advance);
  build.SetInsertPoint(look);
  tick(constant(iterations_per_tick));
  continue_in(advance);
  failed = outer_failed;
  llvm::Value* const moved = build.CreateBinaryIntrinsic(
      level.geometric ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::sadd_with_overflow, index, step);
  index->addIncoming(build.CreateExtractValue(moved, 0), build.GetInsertBlock());
  count->addIncoming(counted, build.GetInsertBlock());
  build.CreateCondBr(build.CreateExtractValue(moved, 1), end, head);  // past the last 64-bit integer: the end
  build.SetInsertPoint(end);
  llvm::PHINode* const passed = build.CreatePHI(module.i64, 2, "passed");
  passed->addIncoming(count, head);
  passed->addIncoming(counted, advance);
  tick(passed);
}

}  // namespace wave::jit
