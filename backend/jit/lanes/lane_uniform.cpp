// What is the same in all lanes: parameters, indices of loops that all lanes go through together, and what is made of
// them. It is evaluated in vectors of one lane, which are scalars to the processor.
#include "backend/jit/lanes/lane_emitter.h"
#include "backend/jit/lanes/lane_scope.h"

#include <llvm/Analysis/VectorUtils.h>

#include <algorithm>

namespace wave::jit::lanes {

llvm::Value* LaneEmitter::scalar_of(llvm::Value* vector) {
  return vector && vector->getType()->isVectorTy() ? const_cast<llvm::Value*>(llvm::getSplatValue(vector)) : nullptr;
}

// Constants alone are folded anyway.
bool LaneEmitter::are_uniform(std::initializer_list<llvm::Value*> vectors) const {
  const auto is_constant = [](llvm::Value* vector) { return llvm::isa<llvm::Constant>(vector); };
  return lanes > 1 && std::all_of(vectors.begin(), vectors.end(), scalar_of) &&
         !std::all_of(vectors.begin(), vectors.end(), is_constant);
}

Lanes LaneEmitter::narrowed(const Lanes& wide) {
  llvm::Value* const scalar = scalar_of(wide.value);
  llvm::Value* const none = llvm::PoisonValue::get(llvm::FixedVectorType::get(scalar->getType(), 1));
  return {build.CreateInsertElement(none, scalar, std::uint64_t{0}), nullptr, nullptr, wide.range};
}

Lanes LaneEmitter::widened(const Lanes& one, unsigned width) {
  const auto spread = [&](llvm::Value* value) {
    return value ? build.CreateVectorSplat(width, build.CreateExtractElement(value, std::uint64_t{0})) : nullptr;
  };
  return {spread(one.value), spread(one.good), nullptr, one.range};
}

Lanes LaneEmitter::once_or_by_lane(const Lanes& left, const Lanes& right,
                                   const std::function<Lanes(const Lanes&, const Lanes&)>& apply) {
  if (!are_uniform({left.value, right.value})) return apply(left, right);
  const unsigned width = lanes;
  const Lanes one = [&] {
    const OneLane narrow(*this);
    return apply(narrowed(left), narrowed(right));
  }();
  return widened(one, width);
}

// By its inverse, rounded: that is wrong by less than 1 (below 2^52, two roundings, a divisor of at least 2; 1 / 1 is
// exact), so the quotient is at most one too large or too small, which the remainder shows. Of a negative divisor both
// signs are turned.
llvm::Value* LaneEmitter::divided_by_one(llvm::Value* a, llvm::Value* divisor, bool quotient_wanted) {
  llvm::Value* const zero = llvm::ConstantFP::get(module.real, 0);
  llvm::Value* const one = llvm::ConstantFP::get(module.real, 1);
  llvm::Value* const given = build.CreateSIToFP(divisor, module.real);
  llvm::Value* const harmless = build.CreateSelect(build.CreateFCmpOEQ(given, zero), one, given);
  llvm::Value* const sign = splat(build.CreateSelect(build.CreateFCmpOLT(harmless, zero), build.CreateFNeg(one), one));
  llvm::Value* const magnitude = build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, harmless);
  llvm::Value* const inverse = splat(build.CreateFDiv(one, magnitude));
  llvm::Value* const by = splat(magnitude);
  llvm::Value* const turned = build.CreateFMul(a, sign);
  llvm::Value* const guess = build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, build.CreateFMul(turned, inverse));
  llvm::Value* const rest = build.CreateFSub(turned, build.CreateFMul(guess, by));
  llvm::Value* const too_large = build.CreateFCmpOLT(rest, splat(0.0));
  llvm::Value* const too_small = build.CreateFCmpOGE(rest, by);
  const auto corrected = [&](llvm::Value* value, llvm::Value* if_large, llvm::Value* if_small) {
    return build.CreateSelect(too_large, if_large, build.CreateSelect(too_small, if_small, value));
  };
  if (quotient_wanted) {
    return corrected(guess, build.CreateFSub(guess, splat(1.0)), build.CreateFAdd(guess, splat(1.0)));
  }
  return build.CreateFMul(corrected(rest, build.CreateFAdd(rest, by), build.CreateFSub(rest, by)), sign);
}

}  // namespace wave::jit::lanes
