// Operations of a `flops` block, by Table 1 of "Early prediction": add, subtract, multiply, compare and convert 1,
// divide and square root 4, sine, exponential and the like 8. Index arithmetic is free, an assignment too unless
// it is all there is. Of an `if`, the condition and the costlier branch count.
#include "frontend/lower/lowering.h"
#include "frontend/lower/overloaded.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

namespace {

std::int64_t operations(const Expr& expr);

std::int64_t operations_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::add:
    case BinaryOperator::subtract:
    case BinaryOperator::multiply:
    case BinaryOperator::less:
    case BinaryOperator::less_equal:
    case BinaryOperator::greater:
    case BinaryOperator::greater_equal:
    case BinaryOperator::equal:
    case BinaryOperator::not_equal: return 1;
    case BinaryOperator::divide:
    case BinaryOperator::integer_divide:
    case BinaryOperator::modulo: return 4;
    case BinaryOperator::power: return 8;
    case BinaryOperator::logical_and:
    case BinaryOperator::logical_or: return 0;
  }
  return 0;
}

std::int64_t operations_of_call(const expr::Call& call) {
  std::int64_t total = 0;
  for (const Argument& argument : call.arguments) total += operations(*argument.value);
  const auto* name = std::get_if<expr::Name>(&call.callee->node);
  const std::string text = name ? name->text : "";
  if (text == "sqrt") return total + 4;
  if (text == "max" || text == "min") return total + static_cast<std::int64_t>(call.arguments.size()) - 1;
  const bool converts = text == "abs" || text == "floor" || text == "ceil" || text == "round" || text == "int";
  return total + (converts ? 1 : 8);
}

std::int64_t operations(const Expr& expr) {
  return std::visit(
      Overloaded{
          [](const expr::Integer&) { return std::int64_t{0}; },
          [](const expr::Number&) { return std::int64_t{0}; },
          [](const expr::Boolean&) { return std::int64_t{0}; },
          [](const expr::String&) { return std::int64_t{0}; },
          [](const expr::Name&) { return std::int64_t{0}; },
          [](const expr::Member&) { return std::int64_t{0}; },
          [](const expr::Index&) { return std::int64_t{0}; },        // index arithmetic is free
          [](const expr::SignTuple&) { return std::int64_t{0}; },
          [](const expr::TableLiteral&) { return std::int64_t{0}; },
          [](const expr::TableFile&) { return std::int64_t{0}; },
          [](const expr::Flops&) { return std::int64_t{0}; },
          [](const expr::Comprehension&) { return std::int64_t{0}; },
          [](const expr::Reduce&) { return std::int64_t{0}; },
          [](const expr::Range&) { return std::int64_t{0}; },
          [](const expr::Uncertain& node) { return operations(*node.mean); },
          [](const expr::Unary& node) { return operations(*node.operand); },      // a sign is free
          [](const expr::Conversion& node) { return 1 + operations(*node.operand); },
          [](const expr::Binary& node) {
            return operations_of(node.op) + operations(*node.left) + operations(*node.right);
          },
          [](const expr::If& node) {
            return operations(*node.condition) + std::max(operations(*node.then_value), operations(*node.else_value));
          },
          [](const expr::When& node) {
            std::int64_t conditions = 0;
            std::int64_t costliest = node.otherwise ? operations(*node.otherwise) : 0;
            for (const auto& [condition, value] : node.arms) {
              conditions += operations(*condition);
              costliest = std::max(costliest, operations(*value));
            }
            return conditions + costliest;
          },
          [](const expr::Call& node) { return operations_of_call(node); },
          [](const expr::List& node) {
            std::int64_t total = 0;
            for (const ExprPtr& element : node.elements) total += operations(*element);
            return total;
          },
      },
      expr.node);
}

}  // namespace

namespace {

// Counts the statements of a block as a node of the system: the bounds of its loops may be run-time values.
class Counter {
 public:
  Counter(Lowering& lowering, Place place) : lowering_(lowering), place_(place) {}

  ValueId block(const Block& statements, const Scope& scope) {
    ValueId total = lowering_.b.real(0);
    for (const auto& statement : statements) total = lowering_.b.add(total, one(*statement, scope));
    return total;
  }

 private:
  ValueId number(std::int64_t count) { return lowering_.b.real(static_cast<double>(count)); }

  ValueId one(const Statement& statement, const Scope& scope) {
    ir::Builder& b = lowering_.b;
    if (const auto* assign = std::get_if<statement::Assign>(&statement.node)) {
      return number(std::max<std::int64_t>(1, operations(*assign->value)));
    }
    if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement.node)) {
      return number(operations(*evaluate->value));
    }
    if (const auto* repeat = std::get_if<statement::Repeat>(&statement.node)) {
      const ValueId times = b.maximum({b.integer(0), lowering_.scalar(*repeat->count, scope)});
      return b.multiply(b.to_real(times), block(repeat->body, scope));
    }
    if (const auto* condition = std::get_if<statement::If>(&statement.node)) {
      const ValueId then_count = block(condition->then_body, scope);
      const ValueId else_count = block(condition->else_body, scope);
      return b.add(number(operations(*condition->condition)), b.maximum({then_count, else_count}));
    }
    if (const auto* loop = std::get_if<statement::For>(&statement.node)) return rounds(*loop, scope);
    return number(0);
  }

  ValueId rounds(const statement::For& loop, const Scope& scope) {
    ir::Builder& b = lowering_.b;
    const Symbolic list = lowering_.evaluate(*loop.list, scope);
    const auto iterations = lowering_.enumerate(list, true, loop.list->place);
    if (iterations.empty()) return number(0);
    const Iteration& loops = iterations.front();
    const ValueId body = block(loop.body, lowering_.bind(scope, loop.variable.text, loops.element));
    const auto& free = lowering_.facts.of(body).free;
    const bool same_each_time = std::none_of(loops.levels.begin(), loops.levels.end(), [&](const ir::Level& level) {
      return std::find(free.begin(), free.end(), level.binder) != free.end();
    });
    if (same_each_time) return b.multiply(b.to_real(lowering_.count(list, place_)), body);
    return b.reduce(ir::ReduceKind::sum, loops.levels, body, {}, lowering_.site(FailureKind::integer_overflow, place_));
  }

  Lowering& lowering_;
  Place place_;
};

}  // namespace

Symbolic Lowering::flops(const expr::Flops& node, const Scope& scope, Place place) {
  return make(value::Scalar{Counter(*this, place).block(node.body, scope)});
}

}  // namespace wave::frontend::lowering
