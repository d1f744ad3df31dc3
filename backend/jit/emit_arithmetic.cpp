// Operators. Instructions where one does what ir/arithmetic.h says; the functions of ir/arithmetic.h otherwise.
#include "backend/jit/cell.h"
#include "backend/jit/function_emitter.h"
#include "ir/operations.h"

#include <llvm/IR/Intrinsics.h>

namespace wave::jit {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ScalarType;
using ir::UnaryOp;

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Unary& node) {
  llvm::Value* const x = emit(node.operand);
  const bool real = type_of(node.operand) == ScalarType::real;
  switch (node.op) {
    case UnaryOp::negate:
      if (real) return build.CreateFNeg(x);
      fail_if(build.CreateICmpEQ(x, constant(INT64_MIN)), node.site, FailureKind::integer_overflow,
              {{ScalarType::integer, x}});
      return build.CreateNeg(x);
    case UnaryOp::logical_not: return build.CreateNot(x);
    case UnaryOp::absolute: {
      if (real) return build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
      fail_if(build.CreateICmpEQ(x, constant(INT64_MIN)), node.site, FailureKind::integer_overflow,
              {{ScalarType::integer, x}});
      return build.CreateSelect(build.CreateICmpSLT(x, constant(0)), build.CreateNeg(x), x);
    }
    case UnaryOp::floor: return to_whole(build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x), x, node.site);
    case UnaryOp::ceil: return to_whole(build.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x), x, node.site);
    case UnaryOp::square_root:
      fail_if(build.CreateFCmpOLT(x, llvm::ConstantFP::get(module.real, 0)), node.site, FailureKind::outside_domain,
              {{ScalarType::real, x}});
      return build.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    case UnaryOp::to_real: return build.CreateSIToFP(x, module.real);
    case UnaryOp::quantize:
      fail_if(is_not_finite(*this, x), node.site, FailureKind::weight_not_finite, {{ScalarType::real, x}});
      return round_to_quantum(*this, x);
    case UnaryOp::quantum_of: return emit_quantum_of(build, x);
    case UnaryOp::round:
    case UnaryOp::to_integer:
#define WAVE_CALLED(name, ...) case UnaryOp::name:
#include "ir/operations.def"
      return host_unary(node, x);
  }
  return nullptr;
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Binary& node) {
  if (node.op == BinaryOp::logical_and || node.op == BinaryOp::logical_or) return emit_short_circuit(node);
  llvm::Value* const left = emit(node.left);
  llvm::Value* const right = emit(node.right);
  const ScalarType type = type_of(node.left);
  switch (node.op) {
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal:
    case BinaryOp::equal:
    case BinaryOp::not_equal: return emit_comparison(build, node.op, type, left, right);
    default: return type == ScalarType::real ? emit_real(node, left, right) : emit_integer(node, left, right);
  }
}

llvm::Value* FunctionEmitter::emit_integer(const ir::Binary& node, llvm::Value* left, llvm::Value* right) {
  switch (node.op) {
    case BinaryOp::add: return checked(llvm::Intrinsic::sadd_with_overflow, left, right, node.site);
    case BinaryOp::subtract: return checked(llvm::Intrinsic::ssub_with_overflow, left, right, node.site);
    case BinaryOp::multiply: return checked(llvm::Intrinsic::smul_with_overflow, left, right, node.site);
    case BinaryOp::floor_divide:
    case BinaryOp::modulo: return floor_division(node, left, right);
    default: return host_binary(node, left, right);
  }
}

llvm::Value* FunctionEmitter::emit_real(const ir::Binary& node, llvm::Value* left, llvm::Value* right) {
  switch (node.op) {
    case BinaryOp::add: return build.CreateFAdd(left, right);
    case BinaryOp::subtract: return build.CreateFSub(left, right);
    case BinaryOp::multiply: return build.CreateFMul(left, right);
    case BinaryOp::divide:
    case BinaryOp::floor_divide: {
      fail_if(build.CreateFCmpOEQ(right, llvm::ConstantFP::get(module.real, 0)), node.site,
              FailureKind::division_by_zero, {{ScalarType::real, left}, {ScalarType::real, right}});
      llvm::Value* const quotient = build.CreateFDiv(left, right);
      return node.op == BinaryOp::divide ? quotient : build.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient);
    }
    case BinaryOp::round_to: return emit_round_to(build, left, right, nullptr);
    default: return host_binary(node, left, right);
  }
}

llvm::Value* emit_quantum_of(llvm::IRBuilder<>& build, llvm::Value* bound) {
  llvm::Type* const real = bound->getType();
  llvm::Type* const integer = real->getWithNewType(build.getInt64Ty());
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(integer, value); };
  llvm::Value* const bits = build.CreateBitCast(bound, integer);
  llvm::Value* const exponent = build.CreateAnd(build.CreateLShr(bits, 52), number(0x7ff));
  llvm::Value* const normal =
      build.CreateSelect(build.CreateICmpSGT(exponent, number(52)), build.CreateSub(exponent, number(51)), number(1));
  llvm::Value* const quantum = build.CreateBitCast(build.CreateShl(normal, 52), real);
  llvm::Value* const fits =
      build.CreateSelect(build.CreateICmpSGT(exponent, number(1000 + 1022)), llvm::ConstantFP::get(real, 0), quantum);
  llvm::Value* const is_zero = build.CreateFCmpOEQ(bound, llvm::ConstantFP::get(real, 0));
  return build.CreateSelect(is_zero, llvm::ConstantFP::get(real, 0x1p-52), fits);
}

llvm::Value* emit_round_to(llvm::IRBuilder<>& build, llvm::Value* x, llvm::Value* quantum, llvm::Value* inverse) {
  llvm::Constant* const zero = llvm::ConstantFP::get(x->getType(), 0);
  llvm::Value* const quanta = inverse ? build.CreateFMul(x, inverse) : build.CreateFDiv(x, quantum);
  llvm::Value* const rounded =
      build.CreateFMul(build.CreateUnaryIntrinsic(llvm::Intrinsic::nearbyint, quanta), quantum);
  return build.CreateFAdd(build.CreateSelect(build.CreateFCmpOEQ(quantum, zero), x, rounded), zero);
}

llvm::Value* emit_comparison(llvm::IRBuilder<>& build, BinaryOp op, ScalarType type, llvm::Value* left,
                             llvm::Value* right) {
  using P = llvm::CmpInst::Predicate;
  // false < true, as for integers without a sign.
  const auto compare = [&](P of_reals, P of_integers, P of_booleans) {
    if (type == ScalarType::real) return build.CreateFCmp(of_reals, left, right);
    return build.CreateICmp(type == ScalarType::boolean ? of_booleans : of_integers, left, right);
  };
  switch (op) {
    case BinaryOp::less: return compare(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT);
    case BinaryOp::less_equal: return compare(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE);
    case BinaryOp::greater: return compare(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT);
    case BinaryOp::greater_equal: return compare(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE);
    case BinaryOp::equal: return compare(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ);
    default: return compare(P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE);
  }
}

llvm::Value* FunctionEmitter::emit_short_circuit(const ir::Binary& node) {
  const bool is_and = node.op == BinaryOp::logical_and;
  llvm::Value* const left = emit(node.left);
  llvm::BasicBlock* const decided = build.GetInsertBlock();
  llvm::BasicBlock* const look = block("look_right");
  llvm::BasicBlock* const join = block("join");
  build.CreateCondBr(left, is_and ? look : join, is_and ? join : look);
  build.SetInsertPoint(look);
  llvm::Value* right;
  {
    const Region region(*this);
    right = emit(node.right);
  }
  llvm::BasicBlock* const from_right = build.GetInsertBlock();
  continue_in(join);
  llvm::PHINode* const result = build.CreatePHI(module.i1, 2);
  result->addIncoming(build.getInt1(!is_and), decided);
  result->addIncoming(right, from_right);
  return result;
}

llvm::Value* FunctionEmitter::checked(llvm::Intrinsic::ID intrinsic, llvm::Value* left, llvm::Value* right,
                                      ir::SiteId site) {
  llvm::Value* const pair = build.CreateBinaryIntrinsic(intrinsic, left, right);
  fail_if(build.CreateExtractValue(pair, 1), site, FailureKind::integer_overflow,
          {{ScalarType::integer, left}, {ScalarType::integer, right}});
  return build.CreateExtractValue(pair, 0);
}

// div and mod of integers. A divisor of -1 is apart: the machine's division overflows there.
llvm::Value* FunctionEmitter::floor_division(const ir::Binary& node, llvm::Value* left, llvm::Value* right) {
  const bool quotient_wanted = node.op == BinaryOp::floor_divide;
  fail_if(build.CreateICmpEQ(right, constant(0)), node.site, FailureKind::division_by_zero,
          {{ScalarType::integer, left}, {ScalarType::integer, right}});
  llvm::Value* const by_minus_one = build.CreateICmpEQ(right, constant(-1));
  if (quotient_wanted) {
    fail_if(build.CreateAnd(by_minus_one, build.CreateICmpEQ(left, constant(INT64_MIN))), node.site,
            FailureKind::integer_overflow, {{ScalarType::integer, left}, {ScalarType::integer, right}});
  }
  llvm::Value* const divisor = build.CreateSelect(by_minus_one, constant(1), right);
  llvm::Value* const remainder = build.CreateSRem(left, divisor);
  llvm::Value* const adjust = build.CreateAnd(build.CreateICmpNE(remainder, constant(0)),
                                              build.CreateICmpSLT(build.CreateXor(remainder, divisor), constant(0)));
  if (!quotient_wanted) return build.CreateSelect(adjust, build.CreateAdd(remainder, divisor), remainder);
  llvm::Value* const quotient = build.CreateSDiv(left, divisor);
  llvm::Value* const floored = build.CreateSelect(adjust, build.CreateSub(quotient, constant(1)), quotient);
  return build.CreateSelect(by_minus_one, build.CreateNeg(left), floored);
}

// A whole number, an infinity or NaN, as an integer.
llvm::Value* FunctionEmitter::to_whole(llvm::Value* whole, llvm::Value* operand, ir::SiteId site) {
  llvm::Value* const fits = build.CreateAnd(build.CreateFCmpOGE(whole, llvm::ConstantFP::get(module.real, -0x1p63)),
                                            build.CreateFCmpOLT(whole, llvm::ConstantFP::get(module.real, 0x1p63)));
  fail_if(build.CreateNot(fits), site, FailureKind::not_representable, {{ScalarType::real, operand}});
  return build.CreateFPToSI(whole, module.i64);
}

llvm::Value* FunctionEmitter::host_unary(const ir::Unary& node, llvm::Value* operand) {
  const ScalarType type = type_of(node.operand);
  llvm::AllocaInst* const result = local(module.i64, "result");
  llvm::Value* const kind = build.CreateCall(
      module.host(HostFunction::unary), {constant32(static_cast<std::uint32_t>(node.op)),
                                         constant32(static_cast<std::uint32_t>(type)), to_bits(type, operand), result});
  fail_with_kind(kind, node.site, {{type, operand}});
  return load_word(ir::operation(node.op).result_of(type), result);
}

llvm::Value* FunctionEmitter::host_binary(const ir::Binary& node, llvm::Value* left, llvm::Value* right) {
  const ScalarType type = type_of(node.left);
  llvm::AllocaInst* const result = local(module.i64, "result");
  llvm::Value* const kind =
      build.CreateCall(module.host(HostFunction::binary),
                       {constant32(static_cast<std::uint32_t>(node.op)), constant32(static_cast<std::uint32_t>(type)),
                        to_bits(type, left), to_bits(type, right), result});
  fail_with_kind(kind, node.site, {{type, left}, {type, right}});
  return load_word(ir::operation(node.op).result_of(type), result);
}

// --- maxima and minima ---

llvm::Value* emit_larger(llvm::IRBuilder<>& build, ScalarType type, llvm::Value* a, llvm::Value* b, bool largest) {
  const BinaryOp keeps = largest ? BinaryOp::greater : BinaryOp::less;
  return build.CreateSelect(emit_comparison(build, keeps, type, a, b), a, b);
}

llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Maximum& node) {
  return emit_extreme(node.operands, true);
}
llvm::Value* FunctionEmitter::emit_node(ir::ValueId, const ir::Minimum& node) {
  return emit_extreme(node.operands, false);
}

// Fold from the left; inside the body of an event, absent operands are skipped.
llvm::Value* FunctionEmitter::emit_extreme(const std::vector<ir::ValueId>& operands, bool largest) {
  const ScalarType type = type_of(operands.front());
  if (!absent) {
    llvm::Value* result = emit(operands.front());
    for (std::size_t i = 1; i < operands.size(); ++i) {
      result = emit_larger(build, type, result, emit(operands[i]), largest);
    }
    return result;
  }
  PresentExtreme extreme(*this, type, largest);
  for (const ir::ValueId operand : operands) extreme.add([&] { return emit(operand); });
  return extreme.result_or(absent);
}

}  // namespace wave::jit
