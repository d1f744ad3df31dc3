// Reductions over loop nests, by scalar code; long loops ask the host, which may have them in vector lanes.
#include "backend/jit/cell.h"
#include "backend/jit/function_emitter.h"
#include "backend/jit/lanes/reduction_plan.h"
#include "backend/jit/lanes/thresholds.h"
#include "ir/operations.h"

#include <llvm/IR/Intrinsics.h>

#include <cmath>

namespace wave::jit {

using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;

namespace {

// The state of a reduction: what has been found so far.
class Reduction {
 public:
  Reduction(FunctionEmitter& in, ir::ValueId id, const ir::Reduce& node, ScalarType type)
      : in_(in),
        id_(id),
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

  // --- the host ---
  bool may_ask() const;
  std::pair<llvm::Value*, llvm::Value*> ask(llvm::Value* index, llvm::Value* step, llvm::Value* left,
                                            llvm::BasicBlock* decided);
  llvm::Value* word(std::uint32_t number) { return in_.at(words_, 8 * number); }
  void put(std::uint32_t number, llvm::Value* value) { build().CreateStore(value, word(number)); }
  llvm::Value* get(std::uint32_t number) { return build().CreateLoad(in_.module.i64, word(number)); }

  llvm::IRBuilder<>& build() { return in_.build; }
  llvm::Value* so_far() { return build().CreateLoad(in_.module.type(type_), result_); }
  void set(llvm::Value* value) { build().CreateStore(value, result_); }

  FunctionEmitter& in_;
  const ir::ValueId id_;
  const ir::Reduce& node_;
  ScalarType type_;
  llvm::AllocaInst* result_;
  llvm::AllocaInst* found_;
  llvm::AllocaInst* number_;
  llvm::AllocaInst* best_ = nullptr;   // of arg_min and arg_max
  llvm::Value* wanted_ = nullptr;      // of nth
  llvm::AllocaInst* words_ = nullptr;  // lanes::ReductionWords
};

void Reduction::begin() {
  build().CreateStore(build().getInt1(false), found_);
  build().CreateStore(in_.constant(0), number_);
  switch (node_.kind) {
    case ReduceKind::sum:
    case ReduceKind::count:
      set(type_ == ScalarType::real ? llvm::ConstantFP::get(in_.module.real, 0)
                                    : static_cast<llvm::Value*>(in_.constant(0)));
      break;
    case ReduceKind::product:
      set(type_ == ScalarType::real ? llvm::ConstantFP::get(in_.module.real, 1)
                                    : static_cast<llvm::Value*>(in_.constant(1)));
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
    FunctionEmitter::Elsewhere elsewhere;
    elsewhere.begin = [&] { put(lanes::ReductionWords::asked, in_.constant(0)); };
    elsewhere.ask = [&](llvm::Value* index, llvm::Value* step, llvm::Value* left) {
      return ask(index, step, left, decided);
    };
    if (may_ask()) {
      const std::size_t outer = lanes::outer_binders(in_.module.free_binders(), node_).size();
      words_ = in_.local(llvm::ArrayType::get(in_.module.i64, lanes::ReductionWords::binders + outer), "words");
    }
    in_.emit_levels(node_.levels, [&](llvm::BasicBlock* next) { take(next, decided); }, words_ ? &elsewhere : nullptr);
  }
  in_.absent = outer_absent;
  switch (node_.kind) {
    case ReduceKind::maximum:
    case ReduceKind::minimum:
    case ReduceKind::arg_min:
    case ReduceKind::arg_max: need_one(); break;
    case ReduceKind::nth:
      in_.fail(node_.site, FailureKind::index_outside_list,
               {{ScalarType::integer, wanted_}, {ScalarType::integer, build().CreateLoad(in_.module.i64, number_)}});
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

// Not in cells, which have lanes of their own, nor where the loop is known to be short.
bool Reduction::may_ask() const {
  const ir::Level& level = node_.levels.back();
  if (in_.absent || in_.cell || level.geometric || node_.kind == ReduceKind::nth) return false;
  if (node_.kind == ReduceKind::count && !level.filter.valid()) return false;
  const auto* const first = std::get_if<ir::Constant>(&in_.system[level.first].node);
  const auto* const last = std::get_if<ir::Constant>(&in_.system[level.last].node);
  if (!first || !last) return true;
  const auto span = static_cast<double>(last->value.integer) - static_cast<double>(first->value.integer);
  return std::fabs(span) >= static_cast<double>(lanes::least_iterations - 1);
}

// The iterations that have been done elsewhere, and how many follow here before it asks again.
std::pair<llvm::Value*, llvm::Value*> Reduction::ask(llvm::Value* index, llvm::Value* step, llvm::Value* left,
                                                     llvm::BasicBlock* decided) {
  using Words = lanes::ReductionWords;
  put(Words::index, index), put(Words::step, step), put(Words::left, left);
  in_.store_word(type_, so_far(), word(Words::result));
  put(Words::found, build().CreateZExt(build().CreateLoad(in_.module.i1, found_), in_.module.i64));
  const ScalarType best_type = best_ ? in_.type_of(node_.body) : type_;
  if (best_) in_.store_word(best_type, build().CreateLoad(in_.module.type(best_type), best_), word(Words::best));
  const std::vector<ir::BinderId> outer = lanes::outer_binders(in_.module.free_binders(), node_);
  for (std::uint32_t i = 0; i < outer.size(); ++i) put(Words::binders + i, in_.binders.at(outer[i]));
  llvm::Value* const answer =
      build().CreateCall(in_.module.host(HostFunction::reduce),
                         {in_.context, in_.record, in_.constant32(id_.index), in_.constant32(in_.frame.index), words_});
  llvm::BasicBlock* const answered = in_.block("answered");
  llvm::BasicBlock* const go_on = in_.block("go_on");
  build().CreateCondBr(build().CreateICmpEQ(answer, in_.constant32(lanes::has_failed)), in_.failed, answered);
  build().SetInsertPoint(answered);
  set(in_.load_word(type_, word(Words::result)));
  build().CreateStore(build().CreateICmpNE(get(Words::found), in_.constant(0)), found_);
  if (best_) build().CreateStore(in_.load_word(best_type, word(Words::best)), best_);
  build().CreateCondBr(build().CreateICmpEQ(answer, in_.constant32(lanes::is_decided)), decided, go_on);
  build().SetInsertPoint(go_on);
  return {get(Words::done), get(Words::scalar)};
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
  const auto operation = sum ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::smul_with_overflow;
  set(in_.checked(operation, before, body, node_.site));
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
  set(emit_larger(build(), type_, so_far(), body, largest));
  in_.continue_in(taken);
}

void Reduction::extreme_place(bool largest, llvm::BasicBlock* next) {
  const ScalarType body_type = in_.type_of(node_.body);
  llvm::BasicBlock* const outer = in_.absent;
  if (outer) in_.absent = next;  // an absent body is skipped, an absent place is not
  llvm::Value* const body = in_.emit(node_.body);
  in_.absent = outer;
  llvm::BasicBlock* const compare = in_.block("compare");
  llvm::BasicBlock* const better = in_.block("better");
  llvm::BasicBlock* const taken = in_.block("taken");
  build().CreateCondBr(build().CreateLoad(in_.module.i1, found_), compare, better);
  build().SetInsertPoint(compare);
  llvm::Value* const best = build().CreateLoad(in_.module.type(body_type), best_);
  const ir::BinaryOp is_better = largest ? ir::BinaryOp::greater : ir::BinaryOp::less;
  build().CreateCondBr(emit_comparison(build(), is_better, body_type, body, best), better, taken);
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
  in_.where(build().CreateICmpEQ(number, wanted_), [&] {
    const FunctionEmitter::Region region(in_);
    set(in_.emit(node_.body));
    build().CreateBr(decided);
  });
}

}  // namespace

llvm::Value* FunctionEmitter::emit_node(ir::ValueId id, const ir::Reduce& node) {
  return Reduction(*this, id, node, type_of(id)).emit();
}

}  // namespace wave::jit
