// sum, max, argmin and their like over the iterations of binders.
#include "frontend/ast/operators.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/lists.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

FailureKind failure_of(ReduceOperator op) {
  const bool total = op == ReduceOperator::sum || op == ReduceOperator::prod || op == ReduceOperator::count;
  return total ? FailureKind::integer_overflow : FailureKind::empty_reduction;
}

bool is_argument(ReduceOperator op) { return op == ReduceOperator::argmin || op == ReduceOperator::argmax; }

// The values of a reduction that is written out, one per case, with the conditions under which they count.
struct Case {
  std::optional<ValueId> guard;
  ValueId value;
};

ValueId fold_extremum(const Parts& parts, const std::vector<Case>& cases, bool greatest, ir::SiteId empty) {
  ir::Builder& b = parts.b;
  const auto extremum = [&](std::vector<ValueId> values) {
    return greatest ? b.maximum(std::move(values)) : b.minimum(std::move(values));
  };
  const bool all_count =
      std::none_of(cases.begin(), cases.end(), [](const Case& one) { return one.guard.has_value(); });
  if (all_count) {
    std::vector<ValueId> values;
    for (const Case& one : cases) values.push_back(one.value);
    return extremum(std::move(values));
  }
  ValueId present = b.boolean(false);
  ValueId best = b.fail(empty, b.type(cases.front().value));
  for (const Case& one : cases) {
    const ValueId guard = one.guard.value_or(b.boolean(true));
    const ValueId better = b.select(present, extremum({best, one.value}), one.value);
    best = b.select(guard, better, best);
    present = b.logical_or(present, guard);
  }
  return best;
}

ValueId fold_total(const Parts& parts, ReduceOperator op, const std::vector<Case>& cases, ScalarType type,
                   ir::SiteId overflow) {
  ir::Builder& b = parts.b;
  const bool sum = op != ReduceOperator::prod;
  ValueId total = type == ScalarType::integer ? b.integer(sum ? 0 : 1) : b.real(sum ? 0 : 1);
  for (const Case& one : cases) {
    const ValueId next = sum ? b.add(total, one.value, overflow) : b.multiply(total, one.value, overflow);
    total = one.guard ? b.select(*one.guard, next, total) : next;
  }
  return total;
}

ValueId fold_truth(const Parts& parts, bool any, const std::vector<Case>& cases) {
  ir::Builder& b = parts.b;
  ValueId result = b.boolean(!any);
  for (const Case& one : cases) {
    if (any)
      result = b.logical_or(result, one.guard ? b.logical_and(*one.guard, one.value) : one.value);
    else
      result = b.logical_and(result, one.guard ? b.logical_or(b.logical_not(*one.guard), one.value) : one.value);
  }
  return result;
}

}  // namespace

Symbolic Lists::fold_cases(ReduceOperator op, const std::vector<Iteration>& iterations, const expr::Reduce& node,
                           Place place) {
  std::vector<Symbolic> bodies;
  for (const Iteration& one : iterations) {
    bodies.push_back(node.body ? expressions_.evaluate(*node.body, one.scope) : make(value::Scalar{b_.integer(1)}));
  }
  const auto values = values_.unify(bodies, place);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < values.size(); ++i) cases.push_back({iterations[i].guard, values[i]});
  const ir::SiteId fails = sites_.site(failure_of(op), place);
  const auto number = [](ValueId id) { return make(value::Scalar{id}); };
  switch (op) {
    case ReduceOperator::sum:
    case ReduceOperator::count:
    case ReduceOperator::prod: return number(fold_total(parts_, op, cases, b_.type(values.front()), fails));
    case ReduceOperator::max: return number(fold_extremum(parts_, cases, true, fails));
    case ReduceOperator::min: return number(fold_extremum(parts_, cases, false, fails));
    case ReduceOperator::any: return number(fold_truth(parts_, true, cases));
    case ReduceOperator::all: return number(fold_truth(parts_, false, cases));
    case ReduceOperator::argmin:
    case ReduceOperator::argmax: break;
  }
  return bodies.front();
}

Symbolic Lists::reduce(const expr::Reduce& node, const Scope& scope, Place place) {
  // What an argmin compares is met twice: it is never written out.
  auto iterations = iterate(node.binders, scope, is_argument(node.op));
  const ir::SiteId fails = sites_.site(failure_of(node.op), place);
  const auto number = [](ValueId id) { return make(value::Scalar{id}); };
  if (iterations.empty()) {
    switch (node.op) {
      case ReduceOperator::sum:
      case ReduceOperator::count: return number(b_.integer(0));
      case ReduceOperator::prod: return number(b_.integer(1));
      case ReduceOperator::any: return number(b_.boolean(false));
      case ReduceOperator::all: return number(b_.boolean(true));
      case ReduceOperator::max:
      case ReduceOperator::min:
      case ReduceOperator::argmin:
      case ReduceOperator::argmax: return make(value::Failure{fails});
    }
  }
  const bool written =
      std::all_of(iterations.begin(), iterations.end(), [](const Iteration& one) { return one.levels.empty(); });
  if (written && !is_argument(node.op)) return fold_cases(node.op, iterations, node, place);
  if (iterations.size() > 1 || iterations.front().guard) iterations = iterate(node.binders, scope, true);
  const Iteration& loops = iterations.front();
  const ValueId body = node.body ? expressions_.scalar(*node.body, loops.scope) : ValueId{};
  const ReduceKind kind = kind_of(node.op);
  if (!is_argument(node.op)) return number(b_.reduce(kind, loops.levels, body, {}, fails));
  const Symbolic bound = expressions_.look_up(node.binders.front().name.text, loops.scope, place);
  if (as<value::Scalar>(bound) || as<value::Record>(bound)) {
    return values_.map_leaves(bound, [&](ValueId leaf) { return b_.reduce(kind, loops.levels, body, leaf, fails); });
  }
  // The best of several machines, models or the like: by its position in a list written out.
  const Symbolic list = expressions_.evaluate(*node.binders.front().list, scope);
  if (!as<value::List>(list) || node.binders.size() > 1) {
    sites_.abandon(DiagnosticKind::not_expressible, place, "the best of these is known only at run time",
                   "this list is not written out");
  }
  return index(list, b_.reduce(kind, loops.levels, body, b_.index(loops.levels.front().binder), fails), place);
}

Symbolic Lists::reduce_list(ReduceOperator op, const Symbolic& list, Place place) {
  // As `op(x in list: x)`.
  auto name = std::make_unique<Expr>();
  name->place = place;
  name->node = expr::Name{"list", target::Local{}};
  auto element = std::make_unique<Expr>();
  element->place = place;
  element->node = expr::Name{"x", target::Local{}};
  expr::Reduce node{op, {}, std::move(element)};
  node.binders.push_back({{"x", place}, std::move(name), nullptr});
  return reduce(node, bind_local(Scope{}, "list", list), place);
}

}  // namespace wave::frontend::lowering
