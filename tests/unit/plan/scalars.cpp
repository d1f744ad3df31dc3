#include "tests/unit/plan/scalars.h"

#include "backend/failed.h"
#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <stdexcept>

namespace wave::test {

namespace {
ir::Scalar checked(const ir::arithmetic::Result<ir::Scalar>& result) {
  if (!result.failed) return result.value;
  ir::Failure failure;
  failure.kind = result.kind;
  throw backend::Failed{failure};
}
}  // namespace

ir::Scalar PlainScalars::value(ir::ValueId id) {
  const ir::Node& node = system_[id].node;
  if (const auto* const n = std::get_if<ir::Constant>(&node)) return n->value;
  if (const auto* const n = std::get_if<ir::Index>(&node)) return ir::Scalar::of(binders_.at(n->binder));
  if (const auto* const n = std::get_if<ir::Parameter>(&node)) return arguments_.at(n->parameter);
  if (const auto* const n = std::get_if<ir::Unary>(&node))
    return checked(ir::arithmetic::unary(n->op, value(n->operand)));
  if (const auto* const n = std::get_if<ir::Select>(&node))
    return value(value(n->condition).boolean ? n->if_true : n->if_false);
  if (const auto* const n = std::get_if<ir::Maximum>(&node)) return extremum(n->operands, ir::arithmetic::maximum);
  if (const auto* const n = std::get_if<ir::Minimum>(&node)) return extremum(n->operands, ir::arithmetic::minimum);
  if (const auto* const n = std::get_if<ir::Binary>(&node)) {
    const ir::Scalar left = value(n->left);
    if (n->op == ir::BinaryOp::logical_and && !left.boolean) return left;
    if (n->op == ir::BinaryOp::logical_or && left.boolean) return left;
    return checked(ir::arithmetic::binary(n->op, left, value(n->right)));
  }
  throw std::logic_error("a node that these tests do not use");
}

ir::Scalar PlainScalars::extremum(const std::vector<ir::ValueId>& operands,
                                  ir::Scalar (*of_two)(ir::Scalar, ir::Scalar)) {
  ir::Scalar result = value(operands.front());
  for (std::size_t i = 1; i < operands.size(); ++i) result = of_two(result, value(operands[i]));
  return result;
}

void PlainScalars::enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) {
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < system_.parameters.size(); ++i) {
    if (system_.parameters[i].frame == frame) arguments_[ir::ParameterId{i}] = arguments[next++];
  }
}

}  // namespace wave::test
