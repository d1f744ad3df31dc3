// Ranges, and the expressions that go over lists.
#include "tests/simulator/evaluator.h"

#include <cmath>

namespace wave::simulator {

using namespace frontend;

Value Evaluator::range(const expr::Range& node, Location location, const Scope& scope) {
  const Value first = evaluate(*node.first, scope), last = evaluate(*node.last, scope);
  const Value step = node.step ? evaluate(*node.step, scope) : Value{std::int64_t{1}};
  auto list = std::make_shared<List>();
  const auto* from = std::get_if<std::int64_t>(&first.is);
  const auto* to = std::get_if<std::int64_t>(&last.is);
  const auto* by = std::get_if<std::int64_t>(&step.is);
  if (!from || !to || !by) throw Unsupported{"a range of reals"};
  if (node.geometric ? *by < 2 || *from < 1 : *by == 0) throw Failed{"no_progress", location};
  for (__int128 k = *from; *by > 0 ? k <= *to : k >= *to; k = node.geometric ? k * *by : k + *by) {
    list->elements.push_back({static_cast<std::int64_t>(k)});
  }
  return {list};
}

void Evaluator::for_each(const std::vector<Binder>& binders, std::size_t at, const Scope& scope,
                         const std::function<void(const Scope&)>& body) {
  if (at == binders.size()) return body(scope);
  for (const Value& element : list(*binders[at].list, scope)) {
    const Scope inner{scope.self, with(scope.locals, binders[at].name.text, element)};
    if (!binders[at].filter || boolean(*binders[at].filter, inner)) for_each(binders, at + 1, inner, body);
  }
}

Value Evaluator::extreme(bool largest, const std::vector<Value>& values, Location location) {
  if (values.empty()) throw Failed{"empty_reduction", location};
  bool any_real = false;
  for (const Value& value : values) any_real = any_real || std::holds_alternative<double>(value.is);
  Value best = values.front();
  for (const Value& value : values) {
    if (largest ? less(best, value) : less(value, best)) best = value;
  }
  return any_real ? Value{as_real(best)} : best;
}

Value Evaluator::reduce(const expr::Reduce& node, Location location, const Scope& scope) {
  std::vector<Value> values, keys;
  for_each(node.binders, 0, scope, [&](const Scope& inner) {
    keys.push_back(inner.locals->value);
    values.push_back(node.body ? by_need(*node.body, inner) : Value{std::int64_t{1}});
  });
  // These two stop at the first that decides.
  if (node.op == ReduceOperator::any || node.op == ReduceOperator::all) {
    const bool decides = node.op == ReduceOperator::any;
    for (const Value& value : values)
      if (std::get<bool>(looked_at(value).is) == decides) return {decides};
    return {!decides};
  }
  for (const Value& value : values) looked_at(value);
  const auto fold = [&](BinaryOperator op, std::int64_t neutral) {
    Value result{neutral};
    for (const Value& value : values) result = calculate(op, result, value, location);
    return result;
  };
  const auto best_key = [&](bool largest) {
    if (values.empty()) throw Failed{"empty_reduction", location};
    std::size_t best = 0;
    for (std::size_t k = 1; k < values.size(); ++k) {
      if (largest ? less(values[best], values[k]) : less(values[k], values[best])) best = k;
    }
    return keys[best];
  };
  switch (node.op) {
    case ReduceOperator::sum: return fold(BinaryOperator::add, 0);
    case ReduceOperator::prod: return fold(BinaryOperator::multiply, 1);
    case ReduceOperator::count: return {static_cast<std::int64_t>(values.size())};
    case ReduceOperator::max: return extreme(true, values, location);
    case ReduceOperator::min: return extreme(false, values, location);
    case ReduceOperator::argmax: return best_key(true);
    case ReduceOperator::argmin: return best_key(false);
    case ReduceOperator::any:
    case ReduceOperator::all: break;
  }
  throw Unsupported{"a reduction"};
}

}  // namespace wave::simulator
