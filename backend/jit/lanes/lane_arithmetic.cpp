// Operators in lanes: those of ir/arithmetic.h, with the lanes in which they do not fail. What would be undefined or
// poison in a lane that is not good gets harmless operands there. Integers carry ranges, so that most overflows need no
// test.
#include "backend/jit/lanes/lane_emitter.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <bit>

namespace wave::jit::lanes {

using ir::BinaryOp;
using ir::ScalarType;
using ir::UnaryOp;

namespace {

using Wide = __int128;

constexpr std::int64_t least_integer = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most_integer = std::numeric_limits<std::int64_t>::max();
// Quotients and remainders of integers of at most this magnitude are found with doubles: the quotient of such numbers,
// if it is not whole, is further from the next whole number than a rounding error, and all products are exact.
constexpr std::int64_t largest_divided = (std::int64_t{1} << 52) - 1;

std::optional<IntegerRange> exact_range(std::initializer_list<Wide> corners) {
  const Wide least = std::min(corners), most = std::max(corners);
  if (least < least_integer || most > most_integer) return std::nullopt;
  return IntegerRange{static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)};
}

bool is_within(IntegerRange range, std::int64_t magnitude) {
  return range.least >= -magnitude && range.most <= magnitude;
}

IntegerRange magnitude_range(IntegerRange range) {
  if (range.least == least_integer) return {};
  const std::int64_t most = std::max(-range.least, range.most);
  return {-most, most};
}

}  // namespace

llvm::Value* LaneEmitter::absolute(llvm::Value* x) { return build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }

Lanes LaneEmitter::emit_node(ir::ValueId, const ir::Unary& node) {
  const Lanes operand = emit(node.operand);
  if (is_none(operand.good)) return bad(ir::operation(node.op).result_of(type_of(node.operand)));
  Lanes result = once_or_by_lane(operand, operand, [&](const Lanes& x, const Lanes&) { return unary(node, x); });
  result.good = both(operand.good, either(inverted(operand.present), result.good));
  result.present = operand.present;
  return result;
}

Lanes LaneEmitter::unary(const ir::Unary& node, const Lanes& operand) {
  llvm::Value* const x = operand.value;
  const ScalarType of = type_of(node.operand);
  switch (node.op) {
    case UnaryOp::negate:
      if (of == ScalarType::real) return {build.CreateFNeg(x)};
      return subtract({splat(std::int64_t{0}), nullptr, nullptr, {0, 0}}, operand);
    case UnaryOp::logical_not: return {build.CreateNot(x)};
    case UnaryOp::absolute: {
      if (of == ScalarType::real) return {absolute(x)};
      llvm::Value* const is_negative = build.CreateICmpSLT(x, splat(std::int64_t{0}));
      const bool fits = operand.range.least > least_integer;
      return {build.CreateSelect(is_negative, build.CreateNeg(x), x),
              fits ? nullptr : build.CreateICmpNE(x, splat(least_integer)),
              nullptr,
              {0, fits ? std::max(-operand.range.least, operand.range.most) : most_integer}};
    }
    case UnaryOp::floor: return to_whole(build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x), nullptr);
    case UnaryOp::ceil: return to_whole(build.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x), nullptr);
    case UnaryOp::round: {  // half away from zero; x less its whole part is exact
      llvm::Value* const whole_part = build.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
      llvm::Value* const up = build.CreateFCmpOGE(absolute(build.CreateFSub(x, whole_part)), splat(0.5));
      llvm::Value* const one = build.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, splat(1.0), x);
      return to_whole(build.CreateSelect(up, build.CreateFAdd(whole_part, one), whole_part), nullptr);
    }
    case UnaryOp::to_integer:
      return to_whole(x, build.CreateFCmpOEQ(x, build.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x)));
    case UnaryOp::square_root: {
      llvm::Value* const root = build.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
      return {root, build.CreateFCmpUGE(x, splat(0.0))};
    }
    case UnaryOp::to_real: return {build.CreateSIToFP(x, type(ScalarType::real))};
    case UnaryOp::quantize: return round({x}, in_event ? quantum : nullptr, inverse);
    case UnaryOp::quantum_of: return {emit_quantum_of(build, x)};
#define WAVE_CALLED(name, ...) case UnaryOp::name:
#include "ir/operations.def"
      return host_unary(node.op, of, x);
  }
  return {};
}

// x - x is NaN for NaN and the infinities only.
Lanes LaneEmitter::round(const Lanes& weight, llvm::Value* quantum, llvm::Value* inverse) {
  const auto as_vector = [&](llvm::Value* x) { return x->getType()->isVectorTy() ? x : splat(x); };
  llvm::Value* const x = weight.value;
  Lanes result = weight;
  result.good =
      both(weight.good, either(inverted(weight.present), build.CreateFCmpOEQ(build.CreateFSub(x, x), splat(0.0))));
  result.value = quantum ? emit_round_to(build, x, as_vector(quantum), inverse ? as_vector(inverse) : nullptr)
                         : build.CreateFAdd(x, splat(0.0));
  return result;
}

llvm::Value* LaneEmitter::real_to_integer(llvm::Value* whole_number, llvm::Value* good) {
  llvm::Value* const harmless = good ? build.CreateSelect(good, whole_number, splat(0.0)) : whole_number;
  return build.CreateFPToSI(harmless, type(ScalarType::integer));
}

// A whole number, an infinity or NaN, as an integer.
Lanes LaneEmitter::to_whole(llvm::Value* whole_number, llvm::Value* good) {
  llvm::Value* const fits = both(
      good, both(build.CreateFCmpOGE(whole_number, splat(-0x1p63)), build.CreateFCmpOLT(whole_number, splat(0x1p63))));
  return {real_to_integer(whole_number, fits), fits};
}

// --- two operands ---

Lanes LaneEmitter::emit_node(ir::ValueId id, const ir::Binary& node) {
  if (node.op == BinaryOp::logical_and || node.op == BinaryOp::logical_or) return short_circuit(node);
  const Lanes left = emit(node.left);
  const Lanes right = emit(node.right);
  if (is_none(left.good)) return bad(type_of(id));
  const auto apply = [&](const Lanes& left, const Lanes& right) -> Lanes {
    switch (node.op) {
      case BinaryOp::less:
      case BinaryOp::less_equal:
      case BinaryOp::greater:
      case BinaryOp::greater_equal:
      case BinaryOp::equal:
      case BinaryOp::not_equal: return {emit_comparison(build, node.op, type_of(node.left), left.value, right.value)};
      default: return type_of(node.left) == ScalarType::real ? real(node, left, right) : integer(node, left, right);
    }
  };
  Lanes result = once_or_by_lane(left, right, apply);
  // What is right of something absent is not looked at.
  llvm::Value* const right_good = both(right.good, either(inverted(right.present), result.good));
  result.good = both(left.good, either(inverted(left.present), right_good));
  result.present = both(left.present, right.present);
  return result;
}

Lanes LaneEmitter::short_circuit(const ir::Binary& node) {
  const bool is_and = node.op == BinaryOp::logical_and;
  const Lanes left = emit(node.left);
  const Lanes right = emit(node.right);
  llvm::Value* const decided = is_and ? inverted(left.value) : left.value;
  const auto value = [&] { return whole(is_and ? both(left.value, right.value) : either(left.value, right.value)); };
  return {value(), both(left.good, either(inverted(left.present), either(decided, right.good))),
          both(left.present, either(decided, right.present))};
}

Lanes LaneEmitter::real(const ir::Binary& node, const Lanes& left, const Lanes& right) {
  llvm::Value* const a = left.value;
  llvm::Value* const b = right.value;
  switch (node.op) {
    case BinaryOp::add: return {build.CreateFAdd(a, b)};
    case BinaryOp::subtract: return {build.CreateFSub(a, b)};
    case BinaryOp::multiply: return {build.CreateFMul(a, b)};
    case BinaryOp::divide:
    case BinaryOp::floor_divide: {
      llvm::Value* const quotient = build.CreateFDiv(a, b);
      return {node.op == BinaryOp::divide ? quotient : build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient),
              build.CreateFCmpUNE(b, splat(0.0))};
    }
    case BinaryOp::round_to: return {emit_round_to(build, a, b, nullptr)};
    default: return power_of_real(left, right, node.op);
  }
}

Lanes LaneEmitter::integer(const ir::Binary& node, const Lanes& left, const Lanes& right) {
  switch (node.op) {
    case BinaryOp::add: return add(left, right);
    case BinaryOp::subtract: return subtract(left, right);
    case BinaryOp::multiply: return multiply(left, right);
    case BinaryOp::floor_divide:
    case BinaryOp::modulo: {
      const bool quotient_wanted = node.op == BinaryOp::floor_divide;
      if (const auto quick = power_of_two_division(left, right, quotient_wanted)) return *quick;
      return division(left, right, quotient_wanted);
    }
    default: {
      if (const auto quick = power_of_integer(left, right)) return *quick;
      return host_binary(node.op, ScalarType::integer, left.value, right.value);
    }
  }
}

// --- integers ---

// A sum overflows where both operands have a sign that it does not have.
Lanes LaneEmitter::add(const Lanes& left, const Lanes& right) {
  llvm::Value* const sum = build.CreateAdd(left.value, right.value);
  const Wide a = left.range.least, b = right.range.least, c = left.range.most, d = right.range.most;
  if (const auto range = exact_range({a + b, c + d})) return {sum, nullptr, nullptr, *range};
  llvm::Value* const wrong = build.CreateAnd(build.CreateXor(left.value, sum), build.CreateXor(right.value, sum));
  return {sum, build.CreateICmpSGE(wrong, splat(std::int64_t{0}))};
}

Lanes LaneEmitter::subtract(const Lanes& left, const Lanes& right) {
  llvm::Value* const difference = build.CreateSub(left.value, right.value);
  const Wide a = left.range.least, b = right.range.most, c = left.range.most, d = right.range.least;
  if (const auto range = exact_range({a - b, c - d})) return {difference, nullptr, nullptr, *range};
  llvm::Value* const wrong =
      build.CreateAnd(build.CreateXor(left.value, right.value), build.CreateXor(left.value, difference));
  return {difference, build.CreateICmpSGE(wrong, splat(std::int64_t{0}))};
}

// Whether a product fits is seen from the product of doubles, but for the few that are within rounding of 2^63.
Lanes LaneEmitter::multiply(const Lanes& left, const Lanes& right) {
  llvm::Value* const product = build.CreateMul(left.value, right.value);
  const Wide a = left.range.least, b = right.range.least, c = left.range.most, d = right.range.most;
  if (const auto range = exact_range({a * b, a * d, c * b, c * d})) return {product, nullptr, nullptr, *range};
  llvm::VectorType* const reals = type(ScalarType::real);
  llvm::Value* const estimate =
      build.CreateFMul(build.CreateSIToFP(left.value, reals), build.CreateSIToFP(right.value, reals));
  return {product, build.CreateFCmpOLT(absolute(estimate), splat(0x1.ffffffffffp62))};
}

// Floor division by 2^k shifts.
std::optional<Lanes> LaneEmitter::power_of_two_division(const Lanes& left, const Lanes& right, bool quotient_wanted) {
  const IntegerRange divisor = right.range;
  if (divisor.least != divisor.most || divisor.least <= 0) return std::nullopt;
  if (!std::has_single_bit(static_cast<std::uint64_t>(divisor.least))) return std::nullopt;
  const int shift = std::countr_zero(static_cast<std::uint64_t>(divisor.least));
  if (!quotient_wanted) {
    return Lanes{build.CreateAnd(left.value, splat(divisor.least - 1)), nullptr, nullptr, {0, divisor.least - 1}};
  }
  return Lanes{build.CreateAShr(left.value, splat(std::int64_t{shift})),
               nullptr,
               nullptr,
               {left.range.least >> shift, left.range.most >> shift}};
}

Lanes LaneEmitter::division(const Lanes& left, const Lanes& right, bool quotient_wanted) {
  llvm::VectorType* const reals = type(ScalarType::real);
  llvm::Value* a = build.CreateSIToFP(left.value, reals);
  llvm::Value* b = build.CreateSIToFP(right.value, reals);
  // A range holds in good lanes only; others must not reach the conversion below with something too large.
  const auto is_safe = [](const Lanes& x) { return !x.good && is_within(x.range, largest_divided); };
  const auto is_small = [&](llvm::Value* x) {
    return build.CreateFCmpOLE(absolute(x), splat(static_cast<double>(largest_divided)));
  };
  const bool is_never_zero = !right.good && (right.range.least > 0 || right.range.most < 0);
  llvm::Value* good = is_never_zero ? nullptr : build.CreateICmpNE(right.value, splat(std::int64_t{0}));
  if (!is_safe(left)) good = both(good, is_small(a));
  if (!is_safe(right)) good = both(good, is_small(b));
  if (good) {
    a = build.CreateSelect(good, a, splat(0.0));
    b = build.CreateSelect(good, b, splat(1.0));
  }
  const auto wanted_of = [&]() -> llvm::Value* {
    if (lanes > 1 && scalar_of(right.value)) return divided_by_one(a, scalar_of(right.value), quotient_wanted);
    llvm::Value* const quotient = build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, build.CreateFDiv(a, b));
    return quotient_wanted ? quotient : build.CreateFSub(a, build.CreateFMul(quotient, b));
  };
  llvm::Value* const wanted = wanted_of();
  IntegerRange range = quotient_wanted ? magnitude_range(left.range) : magnitude_range(right.range);
  if (right.range.least > 0) {
    if (quotient_wanted && left.range.least >= 0) range.least = 0;
    if (!quotient_wanted) range = {0, right.range.most - 1};
  }
  if (!is_within(range, largest_divided)) range = {-largest_divided, largest_divided};
  return {build.CreateFPToSI(wanted, type(ScalarType::integer)), good, nullptr, range};
}

// --- powers ---

namespace {

std::optional<double> constant_of(const llvm::Value* vector) {
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(vector);
  const auto* const element = constant ? constant->getSplatValue() : nullptr;
  const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
  if (!number) return std::nullopt;
  return number->getValueAPF().convertToDouble();
}

}  // namespace

// Small whole exponents as ir::arithmetic::power squares them; the rest is the host's.
Lanes LaneEmitter::power_of_real(const Lanes& base, const Lanes& exponent, BinaryOp op) {
  const std::optional<double> e = op == BinaryOp::power_real ? constant_of(exponent.value) : std::nullopt;
  if (!e || std::fabs(*e) > ir::arithmetic::largest_squared_exponent || *e != std::trunc(*e)) {
    return host_binary(op, ScalarType::real, base.value, exponent.value);
  }
  llvm::Value* square = base.value;
  llvm::Value* power = nullptr;
  for (int rest = std::abs(static_cast<int>(*e)); rest > 0; rest >>= 1) {
    if (rest & 1) power = power ? build.CreateFMul(power, square) : square;
    if (rest > 1) square = build.CreateFMul(square, square);
  }
  if (!power) return {splat(1.0)};
  if (*e > 0) return {power};
  return {build.CreateFDiv(splat(1.0), power), build.CreateFCmpUNE(base.value, splat(0.0))};
}

std::optional<Lanes> LaneEmitter::power_of_integer(const Lanes& base, const Lanes& exponent) {
  const std::int64_t e = exponent.range.least;
  if (e != exponent.range.most || e < 0 || e > 64) return std::nullopt;
  Lanes square = base;
  square.good = nullptr;
  Lanes power{splat(std::int64_t{1}), nullptr, nullptr, {1, 1}};
  llvm::Value* good = nullptr;
  for (std::int64_t rest = e; rest > 0; rest >>= 1) {
    if (rest & 1) {
      power = multiply(power, square);
      good = both(good, power.good);
    }
    if (rest > 1) {
      square = multiply(square, square);
      good = both(good, square.good);
    }
  }
  power.good = good;
  return power;
}

}  // namespace wave::jit::lanes
