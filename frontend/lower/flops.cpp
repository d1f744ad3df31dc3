// The count of a `flops` block as a node of the system: the bounds of its loops may be run-time values.
#include "frontend/lower/flops.h"

#include "frontend/lower/expressions.h"
#include "frontend/lower/facts.h"
#include "frontend/lower/lists.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

namespace {

// Somewhere in it, however deep.
bool contains(const Block& block, const Statement& wanted) {
  return std::any_of(block.begin(), block.end(), [&](const auto& one) {
    if (one.get() == &wanted) return true;
    if (const auto* loop = std::get_if<statement::For>(&one->node)) return contains(loop->body, wanted);
    const auto* condition = std::get_if<statement::If>(&one->node);
    return condition && (contains(condition->then_body, wanted) || contains(condition->else_body, wanted));
  });
}

}  // namespace

ValueId FlopCounter::number(std::int64_t count) { return parts_.b.real(static_cast<double>(count)); }

ValueId FlopCounter::count(const Block& statements, const Scope& scope) {
  ValueId total = parts_.b.real(0);
  for (const auto& statement : statements) total = parts_.b.add(total, count(*statement, scope));
  return total;
}

ValueId FlopCounter::count(const Statement& statement, const Scope& scope) {
  ir::Builder& b = parts_.b;
  if (const auto* assign = std::get_if<statement::Assign>(&statement.node)) {
    return number(flops_of(operations_of_assignment(*assign->value)));
  }
  if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement.node))
    return number(flops_of(operations_of(*evaluate->value)));
  if (const auto* condition = std::get_if<statement::If>(&statement.node)) {
    const ValueId then_count = count(condition->then_body, scope);
    const ValueId else_count = count(condition->else_body, scope);
    return b.add(number(flops_of(operations_of(*condition->condition))), b.maximum({then_count, else_count}));
  }
  if (const auto* loop = std::get_if<statement::For>(&statement.node)) {
    return in_rounds(*loop, scope, [&](const Scope& inside) { return count(loop->body, inside); });
  }
  return number(0);
}

ValueId FlopCounter::runs(const Block& statements, const Statement& wanted, const Scope& scope) {
  ir::Builder& b = parts_.b;
  for (const auto& statement : statements) {
    const auto* loop = std::get_if<statement::For>(&statement->node);
    const auto* condition = std::get_if<statement::If>(&statement->node);
    if (statement.get() == &wanted) {
      return loop ? in_rounds(*loop, scope, [&](const Scope&) { return number(1); }) : number(1);
    }
    if (loop && contains(loop->body, wanted)) {
      return in_rounds(*loop, scope, [&](const Scope& inside) { return runs(loop->body, wanted, inside); });
    }
    if (!condition) continue;
    const bool in_then = contains(condition->then_body, wanted);
    if (!in_then && !contains(condition->else_body, wanted)) continue;
    const ValueId then_counts = b.less_equal(count(condition->else_body, scope), count(condition->then_body, scope));
    const ValueId inside = runs(in_then ? condition->then_body : condition->else_body, wanted, scope);
    return in_then ? b.select(then_counts, inside, number(0)) : b.select(then_counts, number(0), inside);
  }
  return number(0);
}

ValueId FlopCounter::in_rounds(const statement::For& loop, const Scope& scope,
                               const std::function<ValueId(const Scope&)>& of_body) {
  ir::Builder& b = parts_.b;
  const Symbolic list = parts_.expressions.evaluate(*loop.list, scope);
  const auto iterations = parts_.lists.enumerate(list, true, loop.list->place);
  if (iterations.empty()) return number(0);
  const Iteration& loops = iterations.front();
  const ValueId body = of_body(bind_local(scope, loop.variable.text, loops.element));
  const auto& free = parts_.facts.of(body).free;
  const bool same_each_time = std::none_of(loops.levels.begin(), loops.levels.end(), [&](const ir::Level& level) {
    return std::find(free.begin(), free.end(), level.binder) != free.end();
  });
  if (same_each_time) return b.multiply(b.to_real(parts_.lists.count(list, place_)), body);
  return b.reduce(ir::ReduceKind::sum, loops.levels, body, {},
                  parts_.sites.site(FailureKind::integer_overflow, place_));
}

Symbolic Expressions::flops(const expr::Flops& node, const Scope& scope, Place place) {
  return make(value::Scalar{FlopCounter(parts_, place).count(node.body, scope)});
}

}  // namespace wave::frontend::lowering
