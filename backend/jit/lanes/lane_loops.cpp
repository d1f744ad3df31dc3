// Loops whose bounds may differ by lane: an iteration is made as long as any lane has one left, and changes only the
// lanes that have.
#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/lanes/lane_scope.h"
#include "ir/visit.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace wave::jit::lanes {

using ir::ReduceKind;
using ir::ScalarType;

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
void LaneEmitter::emit_ahead(ir::ValueId value, std::vector<ir::BinderId> bound, std::unordered_set<ir::ValueId>& seen) {
  if (!seen.insert(value).second) return;
  const std::vector<ir::BinderId>& free = free_binders().of(value);
  const auto is_bound = [&](ir::BinderId binder) { return std::find(bound.begin(), bound.end(), binder) != bound.end(); };
  if (std::none_of(free.begin(), free.end(), is_bound)) {
    emit(value);
    return;
  }
  if (const auto* const reduce = std::get_if<ir::Reduce>(&module.system[value].node)) {
    for (const ir::Level& level : reduce->levels) bound.push_back(level.binder);
  }
  ir::for_each_operand(module.system[value].node, [&](ir::ValueId operand) { emit_ahead(operand, bound, seen); });
}

// --- reductions ---

class LaneReduction {
 public:
  LaneReduction(LaneEmitter& in, const ir::Reduce& node, ScalarType type)
      : in_(in), node_(node), type_(type),
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
  // The loop of a level whose bounds are known, in the lanes that are running.
  void iterate(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step, llvm::Value* running);
  void iteration(std::size_t depth, llvm::Value* active);
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
  ScalarType type_;
  llvm::AllocaInst* result_;
  llvm::AllocaInst* good_;
  llvm::AllocaInst* absent_;               // the whole
  llvm::AllocaInst* found_;                // an iteration that counts
  llvm::AllocaInst* decided_;              // no further iteration is looked at
  llvm::AllocaInst* best_ = nullptr;       // of arg_min and arg_max
  llvm::AllocaInst* number_ = nullptr;     // of nth: iterations so far
  Lanes wanted_;                           // of nth
};

llvm::AllocaInst* LaneReduction::variable(llvm::Type* type, llvm::Value* initial) {
  llvm::AllocaInst* const made = in_.local(type, "reduced");
  set(made, initial);
  return made;
}

llvm::AllocaInst* LaneReduction::mask_variable(bool initial) {
  return variable(in_.type(ScalarType::boolean), initial ? in_.whole(nullptr) : in_.none());
}

Lanes LaneReduction::emit() {
  std::vector<ir::BinderId> bound;
  for (const ir::Level& level : node_.levels) bound.push_back(level.binder);
  std::unordered_set<ir::ValueId> seen;
  const auto ahead = [&](ir::ValueId value) {
    if (value.valid()) in_.emit_ahead(value, bound, seen);
  };
  for (const ir::Level& level : node_.levels) ahead(level.first), ahead(level.last), ahead(level.step), ahead(level.filter);
  ahead(node_.body);
  ahead(node_.value);
  begin();
  {
    const LaneEmitter::Region region(in_);
    emit_level(0, get(good_));
  }
  return finish();
}

void LaneReduction::begin() {
  switch (node_.kind) {
    case ReduceKind::product: set(result_, type_ == ScalarType::real ? in_.splat(1.0) : in_.splat(std::int64_t{1})); break;
    case ReduceKind::all: set(result_, in_.whole(nullptr)); break;
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: {
      llvm::Type* const of = in_.type(in_.type_of(node_.body));
      best_ = variable(of, llvm::Constant::getNullValue(of));
      break;
    }
    case ReduceKind::nth: {
      wanted_ = in_.emit(node_.value);
      number_ = variable(in_.type(ScalarType::integer), in_.splat(std::int64_t{0}));
      llvm::Value* const active = usable(wanted_, in_.whole(nullptr));
      llvm::Value* const fits = build().CreateICmpSGE(wanted_.value, in_.splat(std::int64_t{1}));
      set(good_, build().CreateAnd(get(good_), build().CreateOr(fits, build().CreateNot(active))));
      set(decided_, build().CreateNot(active));
      break;
    }
    case ReduceKind::sum:
    case ReduceKind::count:
    case ReduceKind::any:
    case ReduceKind::maximum:
    case ReduceKind::minimum: break;
  }
}

llvm::Value* LaneReduction::usable(const Lanes& lanes, llvm::Value* active, bool skips_absent) {
  if (lanes.good) {
    llvm::Value* const fails = build().CreateAnd(active, build().CreateNot(lanes.good));
    set(good_, build().CreateAnd(get(good_), build().CreateNot(fails)));
    active = build().CreateAnd(active, lanes.good);
  }
  if (lanes.present) {
    llvm::Value* const gone = build().CreateAnd(active, build().CreateNot(lanes.present));
    if (!skips_absent) set(absent_, build().CreateOr(get(absent_), gone));
    active = build().CreateAnd(active, lanes.present);
  }
  return active;
}

llvm::Value* LaneReduction::undecided(llvm::Value* active) {
  llvm::Value* const over = build().CreateOr(get(absent_), get(decided_));
  return build().CreateAnd(active, build().CreateAnd(get(good_), build().CreateNot(over)));
}

// --- levels ---

void LaneReduction::emit_level(std::size_t depth, llvm::Value* active) {
  const ir::Level& level = node_.levels[depth];
  const Lanes first = in_.emit(level.first);
  const Lanes last = in_.emit(level.last);
  const Lanes step = in_.emit(level.step);
  for (const Lanes& bound : {first, last, step}) active = usable(bound, active);
  llvm::Value* const one = in_.splat(std::int64_t{1});
  llvm::Value* const progresses =
      level.geometric ? build().CreateAnd(build().CreateICmpSGE(first.value, one),
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
  return build().CreateSelect(build().CreateICmpSGT(step.value, in_.splat(std::int64_t{0})), rises, falls);
}

// A lane that is not running keeps an index in the loop's range.
void LaneReduction::iterate(std::size_t depth, const Lanes& first, const Lanes& last, const Lanes& step, llvm::Value* start) {
  const ir::Level& level = node_.levels[depth];
  Range range;
  if (step.range.least > 0) range = {first.range.least, std::max(first.range.least, last.range.most)};
  if (step.range.most < 0) range = {std::min(first.range.most, last.range.least), first.range.most};
  llvm::AllocaInst* const index = variable(first.value->getType(), build().CreateSelect(start, first.value, in_.splat(range.least)));
  llvm::AllocaInst* const running = variable(start->getType(), start);

  llvm::BasicBlock* const head = in_.block("loop");
  llvm::BasicBlock* const burn = in_.block("burn");
  llvm::BasicBlock* const body = in_.block("iteration");
  llvm::BasicBlock* const spent = in_.block("spent");
  llvm::BasicBlock* const end = in_.block("loop_end");
  build().CreateBr(head);
  build().SetInsertPoint(head);
  build().CreateCondBr(in_.any(get(running)), burn, end);
  build().SetInsertPoint(burn);
  build().CreateCondBr(in_.burn(), body, spent);
  build().SetInsertPoint(spent);
  set(good_, build().CreateAnd(get(good_), build().CreateNot(get(running))));
  build().CreateBr(end);

  build().SetInsertPoint(body);
  llvm::Value* const at = get(index);
  llvm::Value* const outer = std::exchange(in_.binders[level.binder], at);
  const Range outer_range = std::exchange(in_.binder_ranges_[level.binder], range);
  {
    const LaneEmitter::Region region(in_);
    iteration(depth, get(running));
  }
  in_.binders[level.binder] = outer;
  in_.binder_ranges_[level.binder] = outer_range;
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

// --- one iteration ---

void LaneReduction::take(llvm::Value* active) {
  switch (node_.kind) {
    case ReduceKind::sum:
    case ReduceKind::product: add(active); break;
    case ReduceKind::count: update(result_, active, build().CreateAdd(get(result_), in_.splat(std::int64_t{1}))); break;
    case ReduceKind::maximum:
    case ReduceKind::minimum: extreme(active); break;
    case ReduceKind::any:
    case ReduceKind::all: decide(active); break;
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: extreme_place(active); break;
    case ReduceKind::nth: pick(active); break;
  }
}

void LaneReduction::add(llvm::Value* active) {
  const Lanes body = in_.emit(node_.body);
  active = usable(body, active);
  llvm::Value* const before = get(result_);
  const bool is_sum = node_.kind == ReduceKind::sum;
  if (type_ == ScalarType::real) {
    update(result_, active, is_sum ? build().CreateFAdd(before, body.value) : build().CreateFMul(before, body.value));
    return;
  }
  const Lanes so_far{before};
  const Lanes operand{body.value, nullptr, nullptr, body.range};
  Lanes next = is_sum ? in_.add(so_far, operand) : in_.multiply(so_far, operand);
  next.present = nullptr;
  active = usable(next, active);
  update(result_, active, next.value);
}

void LaneReduction::extreme(llvm::Value* active) {
  const Lanes body = in_.emit(node_.body);
  active = usable(body, active, /*skips_absent=*/true);
  llvm::Value* const larger = in_.larger(type_, get(result_), body.value, node_.kind == ReduceKind::maximum);
  update(result_, active, build().CreateSelect(get(found_), larger, body.value));
  set(found_, build().CreateOr(get(found_), active));
}

void LaneReduction::extreme_place(llvm::Value* active) {
  const bool largest = node_.kind == ReduceKind::arg_max;
  const Lanes body = in_.emit(node_.body);
  active = usable(body, active, /*skips_absent=*/true);
  const ir::BinaryOp op = largest ? ir::BinaryOp::greater : ir::BinaryOp::less;
  llvm::Value* const is_better = in_.comparison(op, in_.type_of(node_.body), body.value, get(best_));
  llvm::Value* const better = build().CreateAnd(active, build().CreateOr(is_better, build().CreateNot(get(found_))));
  update(best_, better, body.value);
  set(found_, build().CreateOr(get(found_), better));
  const Lanes place = in_.emit(node_.value);
  update(result_, usable(place, better), place.value);
}

void LaneReduction::decide(llvm::Value* active) {
  const Lanes body = in_.emit(node_.body);
  active = usable(body, active);
  const bool deciding = node_.kind == ReduceKind::any;
  llvm::Value* const decides = build().CreateAnd(active, deciding ? body.value : build().CreateNot(body.value));
  set(decided_, build().CreateOr(get(decided_), decides));
  set(result_, deciding ? build().CreateOr(get(result_), decides) : build().CreateAnd(get(result_), build().CreateNot(decides)));
}

void LaneReduction::pick(llvm::Value* active) {
  llvm::Value* const number = build().CreateAdd(get(number_), in_.splat(std::int64_t{1}));
  update(number_, active, number);
  llvm::Value* const here = build().CreateAnd(active, build().CreateICmpEQ(number, wanted_.value));
  const Lanes body = in_.emit(node_.body);
  update(result_, usable(body, here), body.value);
  set(decided_, build().CreateOr(get(decided_), here));
}

// --- the end ---

Lanes LaneReduction::finish() {
  Lanes result{get(result_), get(good_), nullptr};
  llvm::Value* absent = get(absent_);
  llvm::Value* const over = build().CreateOr(absent, build().CreateNot(get(found_)));
  switch (node_.kind) {
    case ReduceKind::maximum:
    case ReduceKind::minimum:
    case ReduceKind::arg_min:
    case ReduceKind::arg_max:
      if (in_.in_event) {
        absent = over;
      } else {
        result.good = build().CreateAnd(result.good, build().CreateOr(absent, get(found_)));
      }
      break;
    case ReduceKind::nth: result.good = build().CreateAnd(result.good, build().CreateOr(absent, get(decided_))); break;
    case ReduceKind::count: result.range.least = 0; break;
    case ReduceKind::sum:
    case ReduceKind::product:
    case ReduceKind::any:
    case ReduceKind::all: break;
  }
  if (in_.in_event) result.present = build().CreateNot(absent);
  return result;
}

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Reduce& node) { return LaneReduction(*this, node, type_of(id)).emit(); }

}  // namespace wave::jit::lanes
