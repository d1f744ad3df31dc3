// Reductions: sum, max, argmin and the like over the iterations of binders; and the fills of orders.
#include "base/text.h"
#include "frontend/ast/operators.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

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

// The type of a body that only fails. An integer widens to what it meets.
ScalarType untyped_body(ReduceOperator op) {
  return op == ReduceOperator::any || op == ReduceOperator::all ? ScalarType::boolean : ScalarType::integer;
}

bool is_argument(ReduceOperator op) { return op == ReduceOperator::argmin || op == ReduceOperator::argmax; }

// One value of a reduction that is written out, with the condition under which it counts.
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

ValuePtr Lists::fold_cases(ReduceOperator op, const std::vector<Iteration>& iterations, const expr::Reduce& node,
                           Location location) {
  std::vector<ValuePtr> bodies;
  for (const Iteration& one : iterations) {
    bodies.push_back(node.body ? expressions_.evaluate(*node.body, one.scope) : number(b_.integer(1)));
  }
  const auto values = values_.unify(bodies, untyped_body(op), location);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < values.size(); ++i) cases.push_back({iterations[i].guard, values[i]});
  const ir::SiteId fails = sites_.site(failure_of(op), location);
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

ValuePtr Lists::reduce(const expr::Reduce& node, const Scope& scope, Location location) {
  // An argmin meets what it compares twice, so it is never written out.
  auto iterations = iterate(node.binders, scope, is_argument(node.op));
  const ir::SiteId fails = sites_.site(failure_of(node.op), location);
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
  if (written && !is_argument(node.op)) return fold_cases(node.op, iterations, node, location);
  if (iterations.size() > 1 || iterations.front().guard) iterations = iterate(node.binders, scope, true);
  const Iteration& loops = iterations.front();
  const auto body =
      node.body
          ? values_.unify({expressions_.evaluate(*node.body, loops.scope)}, untyped_body(node.op), node.body->location)
                .front()
          : ValueId{};
  const ReduceKind kind = kind_of(node.op);
  if (!is_argument(node.op)) return number(b_.reduce(kind, loops.levels, body, {}, fails));
  const ValuePtr bound = expressions_.look_up(node.binders.front().name.text, loops.scope, location);
  if (as<value::Scalar>(bound) || as<value::Record>(bound)) {
    return values_.map_leaves(bound, [&](ValueId leaf) { return b_.reduce(kind, loops.levels, body, leaf, fails); });
  }
  // The best of several machines, models or the like is found by its position in a list that is written out.
  const ValuePtr list = expressions_.evaluate(*node.binders.front().list, scope);
  if (!as<value::List>(list) || node.binders.size() > 1) {
    sites_.abandon(DiagnosticKind::not_expressible, location, "the best of these is known only at run time",
                   "this list is not written out");
  }
  return index(list, b_.reduce(kind, loops.levels, body, b_.index(loops.levels.front().binder), fails), location);
}

// --- what follows from the order in which sweeps start: how often a grid of any number of axes fills (language.md,
// Grids) ---

namespace {

using Corners = std::vector<const value::Corner*>;
using AxisNames = std::vector<std::string>;

// The number of steps from one corner to the next in which exactly those axes turn around.
std::int64_t count_steps(const Corners& corners, const std::vector<bool>& turning) {
  std::int64_t steps = 0;
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    bool is_one = true;
    for (std::size_t axis = 0; axis < turning.size(); ++axis) {
      is_one = is_one && (corners[k]->rising[axis] != corners[k + 1]->rising[axis]) == turning[axis];
    }
    steps += is_one;
  }
  return steps;
}

std::size_t axes_of(const Corners& corners) { return corners.empty() ? 0 : corners.front()->rising.size(); }

// Marks the axes among `all` that are in `named`. Nothing if one of those is missing.
std::optional<std::vector<bool>> mark(const AxisNames& all, std::size_t axes, const AxisNames& named) {
  std::vector<bool> marked(axes);
  for (const std::string& name : named) {
    const auto found = static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
    if (found >= std::min(axes, all.size())) return std::nullopt;
    marked[found] = true;
  }
  return marked;
}

}  // namespace

// The corners of an order without choices.
std::vector<const value::Corner*> Lists::corners_of(const std::string& what, const std::vector<ValuePtr>& elements,
                                                    Location location) {
  Corners known;
  for (const ValuePtr& element : elements) {
    const auto* corner = as<value::Corner>(element);
    if (!corner)
      sites_.abandon(DiagnosticKind::order_without_fills, location, fmt::format("`{}` takes an order", what),
                     "these are no corners");
    if (!known.empty() && corner->rising.size() != axes_of(known)) {
      sites_.abandon(DiagnosticKind::order_without_fills, location,
                     fmt::format("a corner with {} axes among corners with {}", corner->rising.size(), axes_of(known)),
                     "in this order");
    }
    known.push_back(corner);
  }
  return known;
}

// Marks the axes that a call names. They are those of a grid around it with as many axes as the corners; without grids,
// the axes by their places.
std::vector<bool> Lists::axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope,
                                       Location location) {
  AxisNames named;
  for (std::size_t k = 1; k < call.arguments.size(); ++k)
    named.push_back(std::get<expr::Name>(call.arguments[k].value->node).text);
  auto grids = check::axes_of_grids(scope.self ? scope.self->declaration : nullptr);
  const bool by_place = grids.empty();
  if (by_place) grids.push_back(std::get<types::Choice>(call.arguments[1].value->type->kind).words);
  for (const AxisNames& names : grids) {
    if (!by_place && names.size() != axes) continue;
    if (const auto marked = mark(names, axes, named)) return *marked;
  }
  sites_.abandon(DiagnosticKind::order_without_fills, location,
                 fmt::format("the corners of this order have {} {}, and no grid here has as many with `{}` among them",
                             axes, axes == 1 ? "axis" : "axes", join_texts(named, "`, `")),
                 "corners have one sign for each axis of their grid");
}

ValuePtr Lists::fills(const std::string& what, const ValuePtr& order, const expr::Call* call, const Scope& scope,
                      Location location, std::size_t& ways) {
  const auto whole = [&](std::int64_t value) { return number(b_.integer(value)); };
  return values_.distribute(order, [&](const ValuePtr& one) -> ValuePtr {
    auto corners = elements(one, location);
    refuse_too_many(++ways, location);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (as<value::Failure>(corners[k])) return corners[k];
      // A condition chooses this corner, so the order is one of two.
      const ValuePtr corner = corners[k];
      const auto* choice = as<value::Select>(corner);
      if (!choice) continue;
      corners[k] = choice->if_true;
      const ValuePtr if_true = fills(what, make(value::List{corners}), call, scope, location, ways);
      corners[k] = choice->if_false;
      return values_.select(choice->condition, if_true,
                            fills(what, make(value::List{corners}), call, scope, location, ways));
    }
    const Corners known = corners_of(what, corners, location);
    if (known.empty()) return whole(0);
    if (call) return whole(count_steps(known, axes_of_fills(*call, axes_of(known), scope, location)));
    return whole(count_steps(known, std::vector<bool>(axes_of(known), true)) + 1);  // one more drains the last sweep
  });
}

}  // namespace wave::frontend::lowering
