// Places of lanes are vectors of 32-bit integers; of a row, and of lane 0, 64-bit ones.
#include "backend/jit/sweep/emit_places.h"

#include "backend/jit/target.h"

namespace wave::jit::sweep {

using llvm::Value;

Places::Places(llvm::Module& module, const std::string& name, const Plan& plan, const Shape& shape)
    : plan_(plan),
      shape_(shape),
      arguments_(plan),
      build_(module.getContext()),
      i64_(build_.getInt64Ty()),
      real_(build_.getDoubleTy()),
      pointer_(build_.getPtrTy()),
      vector_(llvm::FixedVectorType::get(real_, static_cast<unsigned>(shape.lanes))) {
  auto* const type = llvm::FunctionType::get(build_.getVoidTy(), {pointer_}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  use_widest_vectors(*function_);
  function_->setDoesNotThrow();
}

void Places::load_arguments() {
  for (std::uint32_t index = 0; index < arguments_.count; ++index) {
    words_.push_back(build_.CreateLoad(i64_, build_.CreateConstGEP1_64(i64_, function_->getArg(0), index)));
  }
}

Offset Places::lag(EventIndex event, int row) const {
  const Lean& lean = plan_.schedule.lean;
  return plus(lean.place(plan_.schedule.shift[event]), {0, -row, lean.columns_by_row * row});
}

Value* Places::place(const Offset& lag, std::size_t axis) {
  Value* const first = axis == 0   ? word(Arguments::plane)
                       : axis == 1 ? word(Arguments::row_place)
                                   : build_.CreateSub(column_, word(Arguments::column_place));
  return build_.CreateSub(first, constant(lag[axis]));
}

Value* Places::last_place(const Offset& lag, std::size_t axis) {
  return build_.CreateSub(place(lag, axis), build_.CreateMul(last_lane(), constant(skew(axis))));
}

Value* Places::clamp(Value* index, std::size_t axis) {
  Value* const above = build_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, index, constant(0));
  return build_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, above, build_.CreateSub(extent(axis), constant(1)));
}

Value* Places::read_row(EventIndex event, int row) {
  const Offset at = lag(event, row);
  Value* const plane = build_.CreateMul(clamp(place(at, 0), 0), stride(0));
  Value* const line = build_.CreateMul(clamp(place(at, 1), 1), stride(1));
  return build_.CreateGEP(real_, address(arguments_.values[event]), build_.CreateAdd(plane, line));
}

Places::StoreRow Places::store_row(std::size_t index, int row) {
  const Offset at = lag(plan_.events.carried[index].last, row);
  Value* const plane = last_place(at, 0);
  Value* const line = last_place(at, 1);
  Value* const words = build_.CreateAdd(build_.CreateMul(plane, stride(0)), build_.CreateMul(line, stride(1)));
  return {build_.CreateGEP(real_, address(arguments_.stores[index]), words),
          build_.CreateAnd(is_on(plane, 0), is_on(line, 1))};
}

Value* Places::presence(const Offset& offset, const Offset& lag) {
  Value* present = nullptr;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (offset[axis] == 0 || !is_guarded(axis)) continue;
    // Of lane 0, from the border that it may lie beyond; every lane is `skew` behind the one before.
    Value* distance = build_.CreateAdd(place(lag, axis), constant(offset[axis]));
    if (offset[axis] > 0) distance = build_.CreateSub(distance, extent(axis));
    std::vector<std::uint32_t> behind;
    for (int lane = shape_.lanes; lane-- > 0;) behind.push_back(static_cast<std::uint32_t>(lane * skew(axis)));
    Value* const inside = build_.CreateICmp(offset[axis] < 0 ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_SLT,
                                            splat(build_.CreateTrunc(distance, build_.getInt32Ty())),
                                            llvm::ConstantDataVector::get(build_.getContext(), behind));
    present = present ? build_.CreateAnd(present, inside) : inside;
  }
  return present;
}

}  // namespace wave::jit::sweep
