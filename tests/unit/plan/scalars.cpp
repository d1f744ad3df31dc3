#include "tests/unit/plan/scalars.h"

#include "ir/arithmetic.h"

#include <stdexcept>

namespace wave::test {

ir::Scalar PlainScalars::value(ir::ValueId id) {
  const ir::Node& node = system_[id].node;
  if (const auto* const n = std::get_if<ir::Constant>(&node)) return n->value;
  if (const auto* const n = std::get_if<ir::Index>(&node)) return ir::Scalar::of(binders_.at(n->binder));
  if (const auto* const n = std::get_if<ir::Parameter>(&node)) return arguments_.at(n->parameter);
  if (const auto* const n = std::get_if<ir::Unary>(&node)) return ir::arithmetic::unary(n->op, value(n->operand)).value;
  if (const auto* const n = std::get_if<ir::Select>(&node))
    return value(value(n->condition).boolean ? n->if_true : n->if_false);
  if (const auto* const n = std::get_if<ir::Binary>(&node)) {
    return ir::arithmetic::binary(n->op, value(n->left), value(n->right)).value;
  }
  throw std::logic_error("a node that these tests do not use");
}

void PlainScalars::enter(ir::FrameId frame, std::span<const ir::Scalar> arguments) {
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < system_.parameters.size(); ++i) {
    if (system_.parameters[i].frame == frame) arguments_[ir::ParameterId{i}] = arguments[next++];
  }
}

}  // namespace wave::test
