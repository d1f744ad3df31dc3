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
  const auto lanes = static_cast<std::size_t>(shape_.lanes);
  std::vector<std::uint32_t> numbers(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) numbers[lane] = static_cast<std::uint32_t>(lanes - 1 - lane);
  lanes_ = llvm::ConstantDataVector::get(build_.getContext(), numbers);
}

int Places::shift(EventIndex event, std::size_t axis) const {
  return plan_.schedule.lean.place(plan_.schedule.shift[event])[axis];
}

Value* Places::clamp(Value* index, std::size_t axis) {
  Value* const above = build_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, index, constant(0));
  return build_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, above, build_.CreateSub(extent(axis), constant(1)));
}

Value* Places::column_place(Value* column, int row) {
  Value* const lag =
      build_.CreateAdd(word(Arguments::column_place), constant(plan_.schedule.lean.columns_by_row * row));
  return build_.CreateSub(column, lag);
}

Value* Places::read_row(EventIndex event, int row) {
  Value* const plane = clamp(build_.CreateSub(word(Arguments::plane), constant(shift(event, 0))), 0);
  Value* const line = clamp(build_.CreateSub(row_place(row), constant(shift(event, 1))), 1);
  Value* const at = build_.CreateAdd(build_.CreateMul(plane, stride(0)), build_.CreateMul(line, stride(1)));
  return build_.CreateGEP(real_, address(arguments_.values[event]), at);
}

Value* Places::behind(Value* step, EventIndex event, std::size_t axis) {
  Value* const lag = build_.CreateMul(last_lane(), constant(skew(axis)));
  return build_.CreateSub(build_.CreateSub(step, constant(shift(event, axis))), lag);
}

Places::StoreRow Places::store_row(std::size_t index, int row) {
  const EventIndex event = plan_.events.carried[index].last;
  Value* const plane = behind(word(Arguments::plane), event, 0);
  Value* const line = behind(row_place(row), event, 1);
  Value* const at = build_.CreateAdd(build_.CreateMul(plane, stride(0)), build_.CreateMul(line, stride(1)));
  return {build_.CreateGEP(real_, address(arguments_.stores[index]), at),
          build_.CreateAnd(is_on(plane, 0), is_on(line, 1))};
}

Value* Places::class_on_axis(Value* step, EventIndex event, std::size_t axis) {
  const auto splat = [&](Value* value) {
    return build_.CreateVectorSplat(static_cast<unsigned>(shape_.lanes),
                                    build_.CreateTrunc(value, build_.getInt32Ty()));
  };
  const auto number = [&](int value) { return splat(constant(value)); };
  Value* const first = splat(build_.CreateSub(step, constant(shift(event, axis))));
  Value* const index = build_.CreateSub(first, build_.CreateMul(lanes_, number(skew(axis))));
  const auto limit = [&](Value* distance, int most) {
    Value* const above = build_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, distance, number(0));
    return build_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, above, number(most));
  };
  const int low = plan_.gates_low[axis], high = plan_.gates_high[axis];
  Value* const below = limit(index, low);
  Value* const above = limit(build_.CreateSub(splat(build_.CreateSub(extent(axis), constant(1))), index), high);
  return build_.CreateAdd(build_.CreateMul(below, number(high + 1)), above);
}

Value* Places::class_of_row(EventIndex event, int row) {
  Value* const plane = scaled(class_on_axis(word(Arguments::plane), event, 0), plan_.classes(1) * plan_.classes(2));
  return build_.CreateAdd(plane, scaled(class_on_axis(row_place(row), event, 1), plan_.classes(2)));
}

Value* Places::scaled_number(std::size_t value) {
  return build_.CreateVectorSplat(static_cast<unsigned>(shape_.lanes),
                                  build_.getInt32(static_cast<std::uint32_t>(value)));
}

Value* Places::look_up(WeightId weight, Value* at) {
  const std::uint64_t first = plan_.number_of(weight) * plan_.classes();
  Value* const table = build_.CreateConstGEP1_64(real_, address(Arguments::tables), first);
  return build_.CreateMaskedGather(vector_, build_.CreateGEP(real_, table, at), llvm::Align(8));
}

}  // namespace wave::jit::sweep
