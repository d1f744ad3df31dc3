// What a reduction keeps for each lane, and what an iteration changes of it, in the lanes that are active.
#include "backend/jit/lanes/lane_reduction.h"

#include "backend/jit/lanes/lane_scope.h"
#include "ir/operations.h"

#include <limits>

namespace wave::jit::lanes {

using ir::ReduceKind;
using ir::ScalarType;

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
  for (const ir::Level& level : node_.levels)
    ahead(level.first), ahead(level.last), ahead(level.step), ahead(level.filter);
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
    case ReduceKind::product:
      set(result_, type_ == ScalarType::real ? in_.splat(1.0) : in_.splat(std::int64_t{1}));
      break;
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
    // What any value takes the place of: max(a, b) is b unless a > b.
    case ReduceKind::maximum:
    case ReduceKind::minimum: {
      const bool largest = node_.kind == ReduceKind::maximum;
      constexpr double infinity = std::numeric_limits<double>::infinity();
      constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                             most = std::numeric_limits<std::int64_t>::max();
      set(result_,
          type_ == ScalarType::real ? in_.splat(largest ? -infinity : infinity) : in_.splat(largest ? least : most));
      break;
    }
    case ReduceKind::sum:
    case ReduceKind::count:
    case ReduceKind::any: break;
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
  update(result_, active, emit_larger(build(), type_, get(result_), body.value, node_.kind == ReduceKind::maximum));
  set(found_, build().CreateOr(get(found_), active));
}

void LaneReduction::extreme_place(llvm::Value* active) {
  const bool largest = node_.kind == ReduceKind::arg_max;
  const Lanes body = in_.emit(node_.body);
  active = usable(body, active, /*skips_absent=*/true);
  const ir::BinaryOp op = largest ? ir::BinaryOp::greater : ir::BinaryOp::less;
  llvm::Value* const is_better = emit_comparison(build(), op, in_.type_of(node_.body), body.value, get(best_));
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
  set(result_,
      deciding ? build().CreateOr(get(result_), decides) : build().CreateAnd(get(result_), build().CreateNot(decides)));
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

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Reduce& node) {
  return LaneReduction(*this, node, type_of(id)).emit();
}

}  // namespace wave::jit::lanes
