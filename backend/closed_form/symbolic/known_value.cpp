// Operators on constants and references: what the definitions for a replaced event are made of.
#include "backend/closed_form/symbolic/known_value.h"

#include "ir/arithmetic.h"
#include "ir/operations.h"

#include <unordered_map>

namespace wave::backend::closed_form {

namespace {

using Known = std::optional<ir::Scalar>;

constexpr int most_depth = 100;

struct Reader {
  const ir::System& system;
  const Knowledge& known;
  int depth = 0;
  std::unordered_map<ir::ValueId, ir::Scalar> found = {};  // values of values that several read

  Known read(ir::ValueId value) {
    if (depth >= most_depth) return std::nullopt;
    if (const auto known_already = found.find(value); known_already != found.end()) return known_already->second;
    ++depth;
    const Known result = std::visit(*this, system[value].node);
    --depth;
    if (result) found.emplace(value, *result);
    return result;
  }

  Known operator()(const ir::Constant& n) { return n.value; }
  Known operator()(const ir::Parameter& n) { return known.parameter(n.parameter); }
  Known operator()(const ir::Reference& n) {
    if (const Known value = known.definition(n.definition)) return value;
    const ir::Definition& definition = system[n.definition];
    return definition.body.valid() && !definition.bindable ? read(definition.body) : std::nullopt;
  }
  Known operator()(const ir::Unary& n) {
    const Known x = read(n.operand);
    if (!x || n.op == ir::UnaryOp::quantize) return std::nullopt;
    return value_of(ir::arithmetic::unary(n.op, *x));
  }
  Known operator()(const ir::Binary& n) {
    const Known a = read(n.left);
    if (!a) return a;
    if (n.op == ir::BinaryOp::logical_and && !a->boolean) return a;
    if (n.op == ir::BinaryOp::logical_or && a->boolean) return a;
    const Known b = read(n.right);
    return b ? value_of(ir::arithmetic::binary(n.op, *a, *b)) : std::nullopt;
  }
  Known operator()(const ir::Maximum& n) { return fold(n.operands, true); }
  Known operator()(const ir::Minimum& n) { return fold(n.operands, false); }
  Known operator()(const ir::Select& n) {
    const Known condition = read(n.condition);
    return condition ? read(condition->boolean ? n.if_true : n.if_false) : std::nullopt;
  }
  template <class Other>
  Known operator()(const Other&) {
    return std::nullopt;
  }

 private:
  static Known value_of(const ir::arithmetic::Result<ir::Scalar>& result) {
    return result.failed ? std::nullopt : Known(result.value);
  }

  Known fold(const std::vector<ir::ValueId>& operands, bool greatest) {
    Known result;
    for (const ir::ValueId operand : operands) {
      const Known x = read(operand);
      if (!x) return std::nullopt;
      result = !result ? x : greatest ? ir::arithmetic::maximum(*result, *x) : ir::arithmetic::minimum(*result, *x);
    }
    return result;
  }
};

}  // namespace

Known known_value(const ir::System& system, ir::ValueId value, const Knowledge& known) {
  return Reader{system, known}.read(value);
}

}  // namespace wave::backend::closed_form
