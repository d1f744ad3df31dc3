// Loop nests, and the reductions over them.
#include "backend/jit/cell.h"
#include "backend/jit/function_emitter.h"

#include <llvm/IR/Intrinsics.h>

namespace wave::jit {

using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;

namespace {

// The deadline is looked at every so many iterations.
constexpr std::int64_t iterations_per_tick = 1024;

}  // namespace

void FunctionEmitter::emit_levels(const std::vector<ir::Level>& levels,
                                  const std::function<void(llvm::BasicBlock*)>& body) {
  emit_level(levels, 0, body);
}

void FunctionEmitter::emit_level(const std::vector<ir::Level>& levels, std::size_t depth,
                                 const std::function<void(llvm::BasicBlock*)>& body) {
  const ir::Level& level = levels[depth];
  llvm::Value* const first = emit(level.first);
  llvm::Value* const last = emit(level.last);
  llvm::Value* const step = emit(level.step);
  llvm::Value* const stuck =
      level.geometric ? build.CreateOr(build.CreateICmpSLT(first, constant(1)), build.CreateICmpSLT(step, constant(2)))
                      : build.CreateICmpEQ(step, constant(0));
  fail_if(stuck, level.site, FailureKind::no_progress, {{ScalarType::integer, first}, {ScalarType::integer, last}, {ScalarType::integer, step}});

  llvm::BasicBlock* const before = build.GetInsertBlock();
  llvm::BasicBlock* const head = block("loop");
  llvm::BasicBlock* const iteration = block("iteration");
  llvm::BasicBlock* const next = block("next");
  llvm::BasicBlock* const end = block("loop_end");
  continue_in(head);
  llvm::PHINode* const index = build.CreatePHI(module.i64, 2, "index");
  llvm::PHINode* const count = build.CreatePHI(module.i64, 2, "count");
  index->addIncoming(first, before);
  count->addIncoming(constant(0), before);
  llvm::Value* go_on = build.CreateICmpSLE(index, last);
  if (!level.geometric) {
    go_on = build.CreateSelect(build.CreateICmpSGT(step, constant(0)), go_on, build.CreateICmpSGE(index, last));
  }
  build.CreateCondBr(go_on, iteration, end);
  build.SetInsertPoint(iteration);
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
      emit_level(levels, depth + 1, body);
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
  build.CreateCondBr(
      build.CreateICmpEQ(build.CreateAnd(counted, constant(iterations_per_tick - 1)), constant(0)), look, advance);
  build.SetInsertPoint(look);
  tick(constant(iterations_per_tick));
  continue_in(advance);
  failed = outer_failed;
  llvm::Value* const moved = build.CreateBinaryIntrinsic(
      level.geometric ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::sadd_with_overflow, index, step);
  index->addIncoming(build.CreateExtractValue(moved, 0), build.GetInsertBlock());
  count->addIncoming(counted, build.GetInsertBlock());
  build.CreateCondBr(build.CreateExtractValue(moved, 1), end, head);   // past the last 64-bit integer: the end
  build.SetInsertPoint(end);
  llvm::PHINode* const passed = build.CreatePHI(module.i64, 2, "passed");
  passed->addIncoming(count, head);
  passed->addIncoming(counted, advance->getTerminator() ? advance : look);
  tick(passed);
}

namespace {

// The state of a reduction: what has been found so far.
class Reduction {
 public:
  Reduction(FunctionEmitter& in, const ir::Reduce& node, ScalarType type)
      : in_(in),
        node_(node),
        type_(type),
        result_(in.local(in.module.type(type), "reduced")),
        found_(in.local(in.module.i1, "found")),
        number_(in.local(in.module.i64, "number")) {}

  llvm::Value* emit();

 private:
  void begin();
  // Takes one iteration; control goes to `next` or, where the result is known, to `decided`.
  void take(llvm::BasicBlock* next, llvm::BasicBlock* decided);
  void add();
  void extreme(bool largest);
  void extreme_place(bool largest, llvm::BasicBlock* next);
  void pick(llvm::BasicBlock* decided);
  void need_one();

  llvm::IRBuilder<>& build() { return in_.build; }
  llvm::Value* so_far() { return build().CreateLoad(in_.module.type(type_), result_); }
  void set(llvm::Value* value) { build().CreateStore(value, result_); }

  FunctionEmitter& in_;
  const ir::Reduce& node_;
  ScalarType type_;
  llvm::AllocaInst* result_;
  llvm::AllocaInst* found_;
  llvm::AllocaInst* number_;
  llvm::AllocaInst* best_ = nullptr;     // of arg_min and arg_max
  llvm::Value* wanted_ = nullptr;        // of nth
};

void Reduction::begin() {
  build().CreateStore(build().getInt1(false), found_);
  build().CreateStore(in_.constant(0), number_);
  switch (node_.kind) {
    case ReduceKind::sum:
    case ReduceKind::count:
      set(type_ == ScalarType::real ? llvm::ConstantFP::get(in_.module.real, 0) : static_cast<llvm::Value*>(in_.constant(0)));
      break;
    case ReduceKind::product:
      set(type_ == ScalarType::real ? llvm::ConstantFP::get(in_.module.real, 1) : static_cast<llvm::Value*>(in_.constant(1)));
      break;
    case ReduceKind::any: set(build().getInt1(false)); break;
    case ReduceKind::all: set(build().getInt1(true)); break;
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: best_ = in_.local(in_.module.type(in_.type_of(node_.body)), "best"); break;
    case ReduceKind::nth:
      wanted_ = in_.emit(node_.value);
      in_.fail_if(build().CreateICmpSLT(wanted_, in_.constant(1)), node_.site, FailureKind::index_outside_list,
                  {{ScalarType::integer, wanted_}});
      break;
    case ReduceKind::maximum:
    case ReduceKind::minimum: break;
  }
}

llvm::Value* Reduction::emit() {
  begin();
  llvm::BasicBlock* const decided = in_.block("decided");
  llvm::BasicBlock* const outer_absent = in_.absent;
  {
    const FunctionEmitter::Region region(in_);
    in_.emit_levels(node_.levels, [&](llvm::BasicBlock* next) { take(next, decided); });
  }
  in_.absent = outer_absent;
  switch (node_.kind) {
    case ReduceKind::maximum:
    case ReduceKind::minimum:
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: need_one(); break;
    case ReduceKind::nth:
      in_.fail(node_.site, FailureKind::index_outside_list, {{ScalarType::integer, wanted_},
               {ScalarType::integer, build().CreateLoad(in_.module.i64, number_)}});
      in_.build.SetInsertPoint(decided);
      return so_far();
    case ReduceKind::sum:
    case ReduceKind::product:
    case ReduceKind::count:
    case ReduceKind::any:
    case ReduceKind::all: break;
  }
  in_.continue_in(decided);
  return so_far();
}

// Of nothing: a failure, or absent where nothing is no failure.
void Reduction::need_one() {
  llvm::Value* const found = build().CreateLoad(in_.module.i1, found_);
  if (in_.absent) {
    llvm::BasicBlock* const some = in_.block("some");
    build().CreateCondBr(found, some, in_.absent);
    build().SetInsertPoint(some);
  } else {
    in_.fail_if(build().CreateNot(found), node_.site, FailureKind::empty_reduction);
  }
}

void Reduction::take(llvm::BasicBlock* next, llvm::BasicBlock* decided) {
  switch (node_.kind) {
    case ReduceKind::sum:
    case ReduceKind::product: add(); break;
    case ReduceKind::count: set(build().CreateAdd(so_far(), in_.constant(1))); break;
    case ReduceKind::maximum:
    case ReduceKind::minimum: {
      llvm::BasicBlock* const outer = in_.absent;
      if (outer) in_.absent = next;
      extreme(node_.kind == ReduceKind::maximum);
      in_.absent = outer;
      break;
    }
    case ReduceKind::any:
    case ReduceKind::all: {
      const bool deciding = node_.kind == ReduceKind::any;
      llvm::Value* const body = in_.emit(node_.body);
      llvm::BasicBlock* const stop = in_.block("stop");
      build().CreateCondBr(body, deciding ? stop : next, deciding ? next : stop);
      build().SetInsertPoint(stop);
      set(build().getInt1(deciding));
      build().CreateBr(decided);
      break;
    }
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: extreme_place(node_.kind == ReduceKind::arg_max, next); break;
    case ReduceKind::nth: pick(decided); break;
  }
}

void Reduction::add() {
  llvm::Value* const body = in_.emit(node_.body);
  llvm::Value* const before = so_far();
  const bool sum = node_.kind == ReduceKind::sum;
  if (type_ == ScalarType::real) {
    set(sum ? build().CreateFAdd(before, body) : build().CreateFMul(before, body));
    return;
  }
  llvm::Value* const pair = build().CreateBinaryIntrinsic(
      sum ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::smul_with_overflow, before, body);
  in_.fail_if(build().CreateExtractValue(pair, 1), node_.site, FailureKind::integer_overflow,
              {{ScalarType::integer, before}, {ScalarType::integer, body}});
  set(build().CreateExtractValue(pair, 0));
}

void Reduction::extreme(bool largest) {
  llvm::Value* const body = in_.emit(node_.body);
  llvm::BasicBlock* const first = in_.block("first");
  llvm::BasicBlock* const further = in_.block("further");
  llvm::BasicBlock* const taken = in_.block("taken");
  build().CreateCondBr(build().CreateLoad(in_.module.i1, found_), further, first);
  build().SetInsertPoint(first);
  build().CreateStore(build().getInt1(true), found_);
  set(body);
  build().CreateBr(taken);
  build().SetInsertPoint(further);
  set(emit_larger(in_, type_, so_far(), body, largest));
  in_.continue_in(taken);
}

void Reduction::extreme_place(bool largest, llvm::BasicBlock* next) {
  const ScalarType body_type = in_.type_of(node_.body);
  llvm::BasicBlock* const outer = in_.absent;
  if (outer) in_.absent = next;             // an absent body is skipped, an absent place is not
  llvm::Value* const body = in_.emit(node_.body);
  in_.absent = outer;
  llvm::BasicBlock* const compare = in_.block("compare");
  llvm::BasicBlock* const better = in_.block("better");
  llvm::BasicBlock* const taken = in_.block("taken");
  build().CreateCondBr(build().CreateLoad(in_.module.i1, found_), compare, better);
  build().SetInsertPoint(compare);
  llvm::Value* const best = build().CreateLoad(in_.module.type(body_type), best_);
  llvm::Value* is_better;
  if (body_type == ScalarType::real) {
    is_better = largest ? build().CreateFCmpOGT(body, best) : build().CreateFCmpOLT(body, best);
  } else {
    is_better = largest ? build().CreateICmpSGT(body, best) : build().CreateICmpSLT(body, best);
  }
  build().CreateCondBr(is_better, better, taken);
  build().SetInsertPoint(better);
  {
    const FunctionEmitter::Region region(in_);
    llvm::Value* const value = in_.emit(node_.value);
    build().CreateStore(body, best_);
    build().CreateStore(build().getInt1(true), found_);
    set(value);
  }
  in_.continue_in(taken);
}

void Reduction::pick(llvm::BasicBlock* decided) {
  llvm::Value* const number = build().CreateAdd(build().CreateLoad(in_.module.i64, number_), in_.constant(1));
  build().CreateStore(number, number_);
  llvm::BasicBlock* const here = in_.block("here");
  llvm::BasicBlock* const not_yet = in_.block("not_yet");
  build().CreateCondBr(build().CreateICmpEQ(number, wanted_), here, not_yet);
  build().SetInsertPoint(here);
  {
    const FunctionEmitter::Region region(in_);
    set(in_.emit(node_.body));
    build().CreateBr(decided);
  }
  build().SetInsertPoint(not_yet);
}

}  // namespace

llvm::Value* FunctionEmitter::emit_node(ir::ValueId id, const ir::Reduce& node) {
  return Reduction(*this, node, type_of(id)).emit();
}

}  // namespace wave::jit
