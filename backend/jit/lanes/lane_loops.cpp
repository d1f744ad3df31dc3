// Loops. Where the bounds may differ by lane an iteration is made as long as any lane has one left, and changes only
// the lanes that have.
#include "backend/jit/lanes/lane_reduction.h"
#include "backend/jit/lanes/lane_scope.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace wave::jit::lanes {

using ir::ReduceKind;

// --- fuel ---

llvm::Value* LaneEmitter::burn() {
  if (!fuel_) {
    fuel_ = local(module.i64, "fuel");
    llvm::IRBuilder<>(fuel_->getNextNode()).CreateStore(build.getInt64(iterations), fuel_);
  }
  llvm::Value* const left = build.CreateSub(build.CreateLoad(module.i64, fuel_), build.getInt64(1));
  build.CreateStore(left, fuel_);
  return build.CreateICmpSGE(left, build.getInt64(0));
}

void LaneEmitter::refuel() {
  if (fuel_) build.CreateStore(build.getInt64(iterations), fuel_);
}

// --- what a loop does not change ---

const ir::FreeBinders& LaneEmitter::free_binders() {
  if (!free_binders_) free_binders_ = std::make_unique<ir::FreeBinders>(module.system);
  return *free_binders_;
}

// Emits the parts of a value that look at none of these binders. Nothing fails in lanes, so they may come early.
void LaneEmitter::emit_ahead(ir::ValueId value, std::vector<ir::BinderId> bound,
                             std::unordered_set<ir::ValueId>& seen) {
  if (!seen.insert(value).second) return;
  const std::vector<ir::BinderId>& free = free_binders().of(value);
  const auto is_bound = [&](ir::BinderId binder) {
    return std::find(bound.begin(), bound.end(), binder) != bound.end();
  };
  if (std::none_of(free.begin(), free.end(), is_bound)) {
    emit(value);
    return;
  }
  if (const auto* const reduce = std::get_if<ir::Reduce>(&module.system[value].node)) {
    for (const ir::Level& level : reduce->levels) bound.push_back(level.binder);
  }
  ir::for_each_operand(module.system[value].node, [&](ir::ValueId operand) { emit_ahead(operand, bound, seen); });
}

// --- levels ---

void LaneReduction::emit_level(std::size_t depth, llvm::Value* active) {
  const ir::Level& level = node_.levels[depth];
  const Lanes first = in_.emit(level.first);
  const Lanes last = in_.emit(level.last);
  const Lanes step = in_.emit(level.step);
  for (const Lanes& bound : {first, last, step}) active = usable(bound, active);
  llvm::Value* const one = in_.splat(std::int64_t{1});
  llvm::Value* const progresses = level.geometric ? build().CreateAnd(build().CreateICmpSGE(first.value, one),
                                                                      build().CreateICmpSGT(step.value, one))
                                                  : build().CreateICmpNE(step.value, in_.splat(std::int64_t{0}));
  Lanes progress{nullptr, progresses};
  active = undecided(usable(progress, active));
  iterate(depth, first, last, step, build().CreateAnd(active, has_iteration(first.value, last, step)));
}

llvm::Value* LaneReduction::has_iteration(llvm::Value* at, const Lanes& last, const Lanes& step) {
  llvm::Value* const rises = build().CreateICmpSLE(at, last.value);
  llvm::Value* const falls = build().CreateICmpSGE(at, last.value);
  if (step.range.least > 0) return rises;
  if (step.range.most < 0) return falls;
  llvm::Value* const zero = llvm::Constant::getNullValue(step.value->getType());
  return build().CreateSelect(build().CreateICmpSGT(step.value, zero), rises, falls);
}

namespace {

IntegerRange range_of_loop(const Lanes& first, const Lanes& last, const Lanes& step) {
  if (step.range.least > 0) return {first.range.least, std::max(first.range.least, last.range.most)};
  if (step.range.most < 0) return {std::min(first.range.most, last.range.least), first.range.most};
  return {};
}

}  // namespace

// A lane may stop before its last iteration, and what comes then is not looked at.
bool LaneReduction::may_end_early() const {
  return in_.in_event || node_.kind == ReduceKind::any || node_.kind == ReduceKind::all ||
         node_.kind == ReduceKind::nth;
}

// Begins a loop that goes on while `goes_on`, and leaves the builder in its body. Where its iterations are spent, the
// lanes that are `not_done` are left to scalar code.
std::pair<llvm::BasicBlock*, llvm::BasicBlock*> LaneReduction::begin_loop(
    const std::function<llvm::Value*()>& goes_on, const std::function<llvm::Value*()>& not_done) {
  llvm::BasicBlock* const head = in_.block("loop");
  llvm::BasicBlock* const burn = in_.block("burn");
  llvm::BasicBlock* const body = in_.block("iteration");
  llvm::BasicBlock* const spent = in_.block("spent");
  llvm::BasicBlock* const end = in_.block("loop_end");
  build().CreateBr(head);
  build().SetInsertPoint(head);
  build().CreateCondBr(goes_on(), burn, end);
  build().SetInsertPoint(burn);
  build().CreateCondBr(in_.burn(), body, spent);
  build().SetInsertPoint(spent);
  set(good_, build().CreateAnd(get(good_), build().CreateNot(not_done())));
  build().CreateBr(end);
  build().SetInsertPoint(body);
  return {head, end};
}

// Like `iterate`, with one index for all lanes. A lane that is not good goes on, to no effect.
void LaneReduction::iterate_together(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step,
                                     llvm::Value* start) {
  const auto scalar = [&](const Lanes& bound) {
    return Lanes{LaneEmitter::scalar_of(bound.value), nullptr, nullptr, bound.range};
  };
  const Lanes from = scalar(first), to = scalar(last), by = scalar(step);
  llvm::AllocaInst* const index = variable(in_.module.i64, from.value);
  llvm::AllocaInst* const goes_on =
      variable(in_.module.i1, build().CreateAnd(in_.any(start), has_iteration(from.value, to, by)));
  const auto [head, end] =
      begin_loop([&] { return get(goes_on); }, [&] { return may_end_early() ? undecided(start) : start; });
  llvm::Value* const at = get(index);
  iteration_at(depth, in_.splat(at), range_of_loop(first, last, step), may_end_early() ? undecided(start) : start);
  llvm::Value* const moved = build().CreateBinaryIntrinsic(llvm::Intrinsic::sadd_with_overflow, at, by.value);
  llvm::Value* const next = build().CreateExtractValue(moved, 0);
  llvm::Value* go_on =
      build().CreateAnd(build().CreateNot(build().CreateExtractValue(moved, 1)), has_iteration(next, to, by));
  if (may_end_early()) go_on = build().CreateAnd(go_on, in_.any(undecided(start)));
  set(goes_on, go_on);
  set(index, next);
  build().CreateBr(head);
  build().SetInsertPoint(end);
}

// A lane that is not running keeps an index in the loop's range.
void LaneReduction::iterate(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step,
                            llvm::Value* start) {
  const ir::Level& level = node_.levels[depth];
  const bool same =
      LaneEmitter::scalar_of(first.value) && LaneEmitter::scalar_of(last.value) && LaneEmitter::scalar_of(step.value);
  if (same && !level.geometric) return iterate_together(depth, first, last, step, start);
  const IntegerRange range = range_of_loop(first, last, step);
  llvm::AllocaInst* const index =
      variable(first.value->getType(), build().CreateSelect(start, first.value, in_.splat(range.least)));
  llvm::AllocaInst* const running = variable(start->getType(), start);

  const auto [head, end] = begin_loop([&] { return in_.any(get(running)); }, [&] { return get(running); });
  llvm::Value* const at = get(index);
  iteration_at(depth, at, range, get(running));
  const Lanes here{at, nullptr, nullptr, range};
  const Lanes moved = level.geometric ? in_.multiply(here, {step.value, nullptr, nullptr, step.range})
                                      : in_.add(here, {step.value, nullptr, nullptr, step.range});
  llvm::Value* go_on = build().CreateAnd(undecided(get(running)), has_iteration(moved.value, last, step));
  // Past the last 64-bit integer the loop ends; a product close to it is left to scalar code.
  if (moved.good && level.geometric) {
    llvm::Value* const unsure = build().CreateAnd(undecided(get(running)), build().CreateNot(moved.good));
    set(good_, build().CreateAnd(get(good_), build().CreateNot(unsure)));
  }
  if (moved.good) go_on = build().CreateAnd(go_on, moved.good);
  set(running, go_on);
  set(index, build().CreateSelect(go_on, moved.value, at));
  build().CreateBr(head);
  build().SetInsertPoint(end);
}

void LaneReduction::iteration_at(std::size_t depth, llvm::Value* index, IntegerRange range, llvm::Value* active) {
  const ir::BinderId binder = node_.levels[depth].binder;
  llvm::Value* const outer = std::exchange(in_.binders[binder], index);
  const IntegerRange outer_range = std::exchange(in_.binder_ranges_[binder], range);
  {
    const LaneEmitter::Region region(in_);
    iteration(depth, active);
  }
  in_.binders[binder] = outer;
  in_.binder_ranges_[binder] = outer_range;
}

void LaneReduction::iteration(std::size_t depth, llvm::Value* active) {
  const ir::Level& level = node_.levels[depth];
  if (level.filter.valid()) {
    const Lanes filter = in_.emit(level.filter);
    active = build().CreateAnd(usable(filter, active), filter.value);
  }
  if (depth + 1 < node_.levels.size()) {
    emit_level(depth + 1, active);
  } else {
    take(active);
  }
}

}  // namespace wave::jit::lanes
