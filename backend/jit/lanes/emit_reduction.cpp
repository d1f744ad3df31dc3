// A loop over vectors of iterations. Lanes past the last one repeat it; what they find is not looked at.
#include "backend/jit/lanes/emit_reduction.h"

#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/lanes/thresholds.h"
#include "backend/jit/structure.h"
#include "backend/jit/target.h"
#include "ir/visit.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace wave::jit::lanes {

namespace {

class ReductionEmitter {
 public:
  ReductionEmitter(ModuleEmitter& module, ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes,
                   llvm::Function* function)
      : module_(module),
        node_(std::get<ir::Reduce>(module.system[reduction].node)),
        frame_(frame),
        plan_(module.system, reduction, frame),
        function_(function),
        entry_(llvm::BasicBlock::Create(module.context, "entry", function)),
        ahead_(entry_),
        build_(entry_),
        lane_(module, function, build_, lanes) {}

  void emit();

 private:
  using ArgumentWords = ReductionArguments;

  llvm::Value* address(std::uint32_t number) {
    return ahead_.CreateConstGEP1_64(module_.i64, function_->getArg(2), number);
  }
  llvm::Value* argument(std::uint32_t number) { return ahead_.CreateLoad(module_.i64, address(number)); }
  llvm::Value* column(std::uint32_t number) { return ahead_.CreateLoad(module_.pointer, address(number)); }
  llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(module_.context, name, function_); }

  // What is the same in all iterations; loaded before the loop.
  std::optional<Lanes> leaf(const ir::Node& node);
  Lanes load(ir::ScalarType type, llvm::Value* record, std::uint32_t offset, llvm::Value* is_there);
  llvm::Value* record_of(ir::FrameId target);
  void bind_binders();
  llvm::Value* indices(llvm::Value* at);
  // The lanes of a vector that are not good.
  llvm::Value* emit_iterations(llvm::Value* at);
  llvm::Value* emit_body(llvm::Value* at, llvm::Value* counts);
  void store(llvm::Value* column, llvm::Value* at, ir::ScalarType type, llvm::Value* value);
  void store_bytes(llvm::Value* column, llvm::Value* at, llvm::Value* mask);
  llvm::Value* bits(llvm::Value* mask) {
    return build_.CreateBitCast(lane_.whole(mask), build_.getIntNTy(lane_.lanes));
  }

  ModuleEmitter& module_;
  const ir::Reduce& node_;
  const ir::FrameId frame_;
  const ReductionPlan plan_;
  llvm::Function* const function_;
  llvm::BasicBlock* const entry_;
  llvm::IRBuilder<> ahead_;  // in the entry block
  llvm::IRBuilder<> build_;
  LaneEmitter lane_;
  llvm::Value* fits_ = nullptr;  // integers from outside
  llvm::Value *index_ = nullptr, *step_ = nullptr, *count_ = nullptr;
  llvm::Value *body_ = nullptr, *counts_ = nullptr, *value_ = nullptr, *value_good_ = nullptr;
};

// --- what comes from outside ---

llvm::Value* ReductionEmitter::record_of(ir::FrameId target) {
  llvm::Value* found = function_->getArg(1);
  for (ir::FrameId at = frame_; at != target; at = module_.system[at].parent)
    found = ahead_.CreateLoad(module_.pointer, found);
  return found;
}

Lanes ReductionEmitter::load(ir::ScalarType type, llvm::Value* record, std::uint32_t offset, llvm::Value* is_there) {
  llvm::Value* const place = ahead_.CreateConstGEP1_32(module_.i8, record, offset);
  const auto spread = [&](llvm::Value* scalar) { return ahead_.CreateVectorSplat(lane_.lanes, scalar); };
  llvm::Value* const good = is_there ? spread(is_there) : nullptr;
  if (type == ir::ScalarType::real) return {spread(ahead_.CreateLoad(module_.real, place)), good};
  llvm::Value* word = ahead_.CreateLoad(module_.i64, place);
  if (type == ir::ScalarType::boolean) return {spread(ahead_.CreateICmpNE(word, ahead_.getInt64(0))), good};
  if (is_there) word = ahead_.CreateSelect(is_there, word, ahead_.getInt64(0));
  llvm::Value* const shifted = ahead_.CreateAdd(word, ahead_.getInt64(largest_integer));
  fits_ = ahead_.CreateAnd(fits_, ahead_.CreateICmpULE(shifted, ahead_.getInt64(2 * largest_integer)));
  return {spread(word), good, nullptr, {-largest_integer, largest_integer}};
}

std::optional<Lanes> ReductionEmitter::leaf(const ir::Node& node) {
  const ir::System& system = module_.system;
  const auto is_outside = [&](ir::FrameId frame) { return ir::encloses(system, frame, frame_); };
  if (const auto* const parameter = std::get_if<ir::Parameter>(&node)) {
    const ir::FrameParameter& of = system[parameter->parameter];
    if (!is_outside(of.frame)) return std::nullopt;
    return load(of.type, record_of(of.frame), module_.layout.parameter_offset[parameter->parameter.index], nullptr);
  }
  const auto* const reference = std::get_if<ir::Reference>(&node);
  if (!reference || !is_outside(system[reference->definition].frame)) return std::nullopt;
  const ir::Definition& definition = system[reference->definition];
  llvm::Value* const record = record_of(definition.frame);
  llvm::Value* is_there = nullptr;
  const bool is_sure = is_argument(definition, system) ||
                       std::find(plan_.ahead.begin(), plan_.ahead.end(), reference->definition) != plan_.ahead.end();
  if (!is_sure) {
    llvm::Value* const state =
        ahead_.CreateConstGEP1_32(module_.i8, record, module_.layout.state_offset[reference->definition.index]);
    is_there = ahead_.CreateICmpEQ(ahead_.CreateLoad(module_.i8, state), ahead_.getInt8(evaluated));
  }
  return load(definition.type, record, module_.layout.value_offset[reference->definition.index], is_there);
}

void ReductionEmitter::bind_binders() {
  for (std::uint32_t i = 0; i < plan_.binders.size(); ++i) {
    llvm::Value* const spread = ahead_.CreateVectorSplat(lane_.lanes, argument(ArgumentWords::binders + i));
    lane_.bind(plan_.binders[i], spread, {-largest_index, largest_index});
  }
}

// --- iterations ---

llvm::Value* ReductionEmitter::indices(llvm::Value* at) {
  llvm::Value* const place = build_.CreateAdd(lane_.splat(at), lane_.count(0, 1));
  llvm::Value* const last = lane_.splat(build_.CreateSub(count_, build_.getInt64(1)));
  llvm::Value* const inside = build_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, place, last);
  return build_.CreateAdd(lane_.splat(index_), build_.CreateMul(inside, lane_.splat(step_)));
}

void ReductionEmitter::store(llvm::Value* column, llvm::Value* at, ir::ScalarType type, llvm::Value* value) {
  if (type == ir::ScalarType::boolean) value = build_.CreateZExt(value, lane_.type(ir::ScalarType::integer));
  build_.CreateAlignedStore(value, build_.CreateGEP(module_.i64, column, at), llvm::Align(8));
}

void ReductionEmitter::store_bytes(llvm::Value* column, llvm::Value* at, llvm::Value* mask) {
  llvm::Value* const bytes = build_.CreateZExt(lane_.whole(mask), llvm::FixedVectorType::get(module_.i8, lane_.lanes));
  build_.CreateAlignedStore(bytes, build_.CreateGEP(module_.i8, column, at), llvm::Align(1));
}

// Where the body, of the iterations that count, is not good.
llvm::Value* ReductionEmitter::emit_body(llvm::Value* at, llvm::Value* counts) {
  if (!plan_.has_body) return bits(lane_.none());
  const Lanes body = lane_.emit(node_.body);
  store(body_, at, module_.system[node_.body].type, body.value);
  if (plan_.has_value) {
    const Lanes value = lane_.emit(node_.value);
    store(value_, at, module_.system[node_.value].type, value.value);
    store_bytes(value_good_, at, value.good);
  }
  return bits(lane_.both(counts, lane_.inverted(body.good)));
}

llvm::Value* ReductionEmitter::emit_iterations(llvm::Value* at) {
  if (!plan_.level->filter.valid()) return emit_body(at, nullptr);
  const Lanes filter = lane_.emit(plan_.level->filter);
  llvm::Value* const counts = lane_.both(filter.good, filter.value);
  store_bytes(counts_, at, counts);
  llvm::Value* const bad = bits(lane_.inverted(filter.good));
  llvm::BasicBlock* const some = block("some_count");
  llvm::BasicBlock* const next = block("next");
  llvm::Value* const any = lane_.any(counts);
  llvm::BasicBlock* const before = build_.GetInsertBlock();
  build_.CreateCondBr(any, some, next);
  build_.SetInsertPoint(some);
  llvm::Value* const bad_bodies = build_.CreateOr(bad, emit_body(at, counts));
  llvm::BasicBlock* const after = build_.GetInsertBlock();
  build_.CreateBr(next);
  build_.SetInsertPoint(next);
  llvm::PHINode* const all = build_.CreatePHI(bad->getType(), 2);
  all->addIncoming(bad, before);
  all->addIncoming(bad_bodies, after);
  return all;
}

void ReductionEmitter::emit() {
  if (!plan_.possible()) return module_.refuse(plan_.obstacle);
  llvm::BasicBlock* const loop = block("iterations");
  llvm::BasicBlock* const go_on = block("go_on");
  llvm::BasicBlock* const stop = block("stop");
  llvm::BasicBlock* const end = block("end");
  llvm::BasicBlock* const refuse = block("refuse");
  fits_ = ahead_.getTrue();
  index_ = argument(ArgumentWords::index), step_ = argument(ArgumentWords::step),
  count_ = argument(ArgumentWords::count);
  body_ = column(ArgumentWords::body), counts_ = column(ArgumentWords::counts);
  value_ = column(ArgumentWords::value), value_good_ = column(ArgumentWords::value_good);
  lane_.leaves_out = true;
  lane_.iterations = iterations_inside;
  lane_.leaf = [&](ir::ValueId, const ir::Node& node) { return leaf(node); };
  bind_binders();

  build_.SetInsertPoint(loop);
  llvm::PHINode* const at = build_.CreatePHI(module_.i64, 2, "at");
  at->addIncoming(build_.getInt64(0), entry_);
  lane_.bind(plan_.level->binder, indices(at), {-largest_index, largest_index});
  llvm::Value* const bad = emit_iterations(at);
  lane_.refuel();
  build_.CreateCondBr(build_.CreateICmpEQ(bad, llvm::ConstantInt::get(bad->getType(), 0)), go_on, stop);

  build_.SetInsertPoint(go_on);
  llvm::Value* const next = build_.CreateAdd(at, build_.getInt64(lane_.lanes));
  at->addIncoming(next, go_on);
  build_.CreateCondBr(build_.CreateICmpSLT(next, count_), loop, end);
  build_.SetInsertPoint(stop);
  llvm::Value* const first_bad = build_.CreateZExtOrTrunc(
      build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bad, build_.getFalse()), module_.i64);
  llvm::Value* const before_bad = build_.CreateAdd(at, first_bad);
  build_.CreateBr(end);
  build_.SetInsertPoint(end);
  llvm::PHINode* const done = build_.CreatePHI(module_.i64, 2);
  done->addIncoming(count_, go_on);
  done->addIncoming(before_bad, stop);
  build_.CreateStore(done, build_.CreateConstGEP1_64(module_.i64, function_->getArg(2), ArgumentWords::done));
  build_.CreateRet(build_.getInt32(0));
  build_.SetInsertPoint(refuse);
  build_.CreateRet(build_.getInt32(1));
  ahead_.CreateCondBr(fits_, loop, refuse);
  use_widest_vectors(*function_);
}

}  // namespace

void emit_reduction(ModuleEmitter& module, ir::ValueId reduction, ir::FrameId frame, std::uint32_t lanes,
                    llvm::Function* function) {
  ReductionEmitter(module, reduction, frame, lanes, function).emit();
}

}  // namespace wave::jit::lanes
