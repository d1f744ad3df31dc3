// Right sides of recurrences: max distributes over +, each summand as written is one weight, and an `if` becomes
// guards.
#include "frontend/lower/expressions.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/visit.h"

#include <algorithm>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

bool is_sum(const expr::Binary& node) { return node.op == BinaryOperator::add || node.op == BinaryOperator::subtract; }

// Whether what `from` reads, and what that reads in turn, leads to something that is still being defined.
bool leads_to_unfinished(const Recurrence& from, std::set<const Recurrence*>& seen) {
  if (from.progress == Progress::evaluating) return true;
  if (!seen.insert(&from).second) return false;
  return std::any_of(from.reads.begin(), from.reads.end(),
                     [&](const Recurrence* next) { return leads_to_unfinished(*next, seen); });
}

}  // namespace

bool RecurrenceBody::defined_together(ir::EventId event) {
  if (event == recurrence_.event) return true;
  for (const Recurrence* read : recurrence_.reads) {
    std::set<const Recurrence*> seen;
    if (read->event == event) return leads_to_unfinished(*read, seen);
  }
  return false;
}

bool RecurrenceBody::mentions(ValueId value) {
  std::set<ValueId> seen;
  std::vector<ValueId> path;  // from `value` to where we are: if that mentions it, all of them do
  std::vector<std::pair<ValueId, bool>> open{{value, false}};
  while (!open.empty()) {
    const auto [next, is_left] = open.back();
    open.pop_back();
    if (is_left) path.pop_back();
    if (is_left || !seen.insert(next).second) continue;
    path.push_back(next);
    open.emplace_back(next, true);
    const ir::Node& node = b_.system()[next].node;
    const auto* neighbour = std::get_if<ir::Neighbour>(&node);
    const auto* read = std::get_if<ir::Read>(&node);
    const bool found = mentioning_.count(next) > 0 || (neighbour && defined_together(neighbour->event)) ||
                       (read && defined_together(read->event));
    if (found) mentioning_.insert(path.begin(), path.end());
    if (found) return true;
    ir::for_each_operand(node, [&](ValueId operand) { open.emplace_back(operand, false); });
  }
  return false;
}

bool RecurrenceBody::is_weight(const Standing& at) { return !mentions(parts_.expressions.real(*at.expr, at.scope)); }

const Environment* RecurrenceBody::let_of(const Expr& expr, const Scope& scope) {
  const auto* name = std::get_if<expr::Name>(&expr.node);
  if (!name || !std::holds_alternative<target::Local>(name->target)) return nullptr;
  const Environment* local = scope.locals.get();
  while (local && local->name != name->text) local = local->parent.get();
  return local && local->pending ? local : nullptr;
}

// A `let` that is read twice has its terms twice. If it consists of others that are read twice, each of those doubles
// them again.
RecurrenceBody::Terms RecurrenceBody::terms_of_let(const Environment& let) {
  const auto known = terms_of_.find(&let);
  if (known == terms_of_.end()) return terms_of_[&let] = terms({let.pending, let.scope});
  if (known->second) repeated_ += known->second->size();
  return repeated_ <= most_repeated ? known->second : std::nullopt;
}

std::optional<ValueId> RecurrenceBody::rounded_let(const Environment& let) {
  const auto known = rounded_of_.find(&let);
  return known != rounded_of_.end() ? known->second : rounded_of_[&let] = rounded({let.pending, let.scope});
}

std::optional<std::vector<const Expr*>> RecurrenceBody::operands_of_extremum(const Expr& expr,
                                                                             ReduceOperator op) const {
  const auto* call = std::get_if<expr::Call>(&expr.node);
  const auto* callee = call ? std::get_if<expr::Name>(&call->callee->node) : nullptr;
  const auto* builtin = callee ? std::get_if<target::Builtin>(&callee->target) : nullptr;
  if (!builtin || builtin->function != LanguageFunction(op)) return std::nullopt;
  std::vector<const Expr*> operands;
  for (const Argument& argument : call->arguments) operands.push_back(argument.value.get());
  return operands.empty() ? std::nullopt : std::optional(operands);
}

std::optional<RecurrenceBody::Term> RecurrenceBody::neighbour(const Standing& at) {
  if (!std::holds_alternative<expr::Index>(at.expr->node)) return std::nullopt;
  const ValuePtr value = parts_.expressions.evaluate(*at.expr, at.scope);
  const auto* scalar = as<value::Scalar>(value);
  const auto* node = scalar ? std::get_if<ir::Neighbour>(&b_.system()[scalar->id].node) : nullptr;
  if (!node || b_.type(scalar->id) != ScalarType::real) return std::nullopt;
  return Term{node->event, node->offset, {}, std::nullopt, at.expr->location};
}

RecurrenceBody::Terms RecurrenceBody::terms(const Standing& at) {
  if (auto source = neighbour(at)) return std::vector<Term>{*source};
  const Scope& scope = at.scope;
  if (auto operands = operands_of_extremum(*at.expr, ReduceOperator::max); operands && !is_weight(at)) {
    std::vector<Term> all;
    for (const Expr* operand : *operands) {
      const Terms some = terms({operand, scope});
      if (!some) return std::nullopt;
      all.insert(all.end(), some->begin(), some->end());
    }
    return all;
  }
  if (const auto* sum = std::get_if<expr::Binary>(&at.expr->node); sum && is_sum(*sum))
    return terms_of_sum(*sum, scope);
  if (is_weight(at)) {
    Term term{{}, {}, {}, std::nullopt, at.expr->location};
    summands(at, false, term.weights);
    return std::vector<Term>{term};
  }
  if (const Environment* let = let_of(*at.expr, scope)) return terms_of_let(*let);
  if (const auto* sign = std::get_if<expr::Unary>(&at.expr->node); sign && sign->op == UnaryOperator::plus) {
    return terms({sign->operand.get(), scope});
  }
  if (const auto* choice = std::get_if<expr::If>(&at.expr->node)) {
    const ValueId condition = parts_.expressions.boolean(*choice->condition, scope);
    return terms_of_choice(condition, {choice->then_value.get(), scope},
                           [&] { return terms({choice->else_value.get(), scope}); });
  }
  if (const auto* when = std::get_if<expr::When>(&at.expr->node)) return terms_of_when(*when, 0, scope);
  return std::nullopt;
}

RecurrenceBody::Terms RecurrenceBody::terms_of_when(const expr::When& when, std::size_t arm, const Scope& scope) {
  if (arm == when.arms.size()) return when.otherwise ? terms({when.otherwise.get(), scope}) : std::nullopt;
  return terms_of_choice(parts_.expressions.boolean(*when.arms[arm].first, scope), {when.arms[arm].second.get(), scope},
                         [&] { return terms_of_when(when, arm + 1, scope); });
}

RecurrenceBody::Terms RecurrenceBody::terms_of_sum(const expr::Binary& sum, const Scope& scope) {
  const Standing left{sum.left.get(), scope};
  const Standing right{sum.right.get(), scope};
  const bool negative = sum.op == BinaryOperator::subtract;
  const bool right_is_weight = is_weight(right);
  if (!right_is_weight && (negative || !is_weight(left))) return std::nullopt;
  Terms all = terms(right_is_weight ? left : right);
  if (!all) return std::nullopt;
  std::vector<ValueId> more;
  summands(right_is_weight ? right : left, negative, more);
  written_ += all->size() * more.size();
  if (written_ > most_written) return std::nullopt;
  for (Term& term : *all) {
    // The order is that of the text: what stands on the left comes first.
    term.weights.insert(right_is_weight ? term.weights.end() : term.weights.begin(), more.begin(), more.end());
  }
  return all;
}

RecurrenceBody::Terms RecurrenceBody::terms_of_choice(ValueId condition, const Standing& if_true,
                                                      const std::function<Terms()>& if_false) {
  if (const auto known = b_.as_constant(condition)) return known->boolean ? terms(if_true) : if_false();
  // A guard cannot be absent, as this condition may be.
  if (parts_.facts.of(condition).event_local) return std::nullopt;
  Terms all = terms(if_true);
  Terms others = all ? if_false() : std::nullopt;
  if (!all || !others) return std::nullopt;
  const auto narrow = [&](Term& term, ValueId guard) {
    term.guard = term.guard ? b_.logical_and(guard, *term.guard) : guard;
  };
  for (Term& term : *all) narrow(term, condition);
  for (Term& term : *others) narrow(term, b_.logical_not(condition));
  all->insert(all->end(), others->begin(), others->end());
  return all;
}

void RecurrenceBody::summands(const Standing& at, bool negative, std::vector<ValueId>& into) {
  if (const auto* sum = std::get_if<expr::Binary>(&at.expr->node); sum && is_sum(*sum)) {
    summands({sum->left.get(), at.scope}, negative, into);
    summands({sum->right.get(), at.scope}, negative != (sum->op == BinaryOperator::subtract), into);
    return;
  }
  if (const auto* sign = std::get_if<expr::Unary>(&at.expr->node); sign && sign->op != UnaryOperator::logical_not) {
    summands({sign->operand.get(), at.scope}, negative != (sign->op == UnaryOperator::negate), into);
    return;
  }
  const ValueId value = parts_.expressions.real(*at.expr, at.scope);
  into.push_back(negative ? b_.negate(value) : value);
}

ValueId RecurrenceBody::rounded_summands(const Standing& at) {
  std::vector<ValueId> parts;
  summands(at, false, parts);
  std::optional<ValueId> total;
  for (const ValueId part : parts) {
    const ValueId one = b_.quantize(part, parts_.sites.site(FailureKind::weight_not_finite, at.expr->location));
    total = total ? b_.add(*total, one) : one;
  }
  return *total;
}

std::optional<ValueId> RecurrenceBody::rounded_sum(const expr::Binary& sum, const Scope& scope) {
  const Standing left{sum.left.get(), scope};
  const Standing right{sum.right.get(), scope};
  if (is_weight(right)) {
    const auto value = rounded(left);
    if (!value) return std::nullopt;
    std::vector<ValueId> more;
    summands(right, sum.op == BinaryOperator::subtract, more);
    ValueId total = *value;
    for (const ValueId part : more) {
      total = b_.add(total, b_.quantize(part, parts_.sites.site(FailureKind::weight_not_finite, right.expr->location)));
    }
    return total;
  }
  if (sum.op == BinaryOperator::subtract || !is_weight(left)) return std::nullopt;
  const auto value = rounded(right);
  return value ? std::optional(b_.add(rounded_summands(left), *value)) : std::nullopt;
}

std::optional<ValueId> RecurrenceBody::rounded(const Standing& at) {
  if (is_weight(at)) return rounded_summands(at);
  const Scope& scope = at.scope;
  if (neighbour(at)) return parts_.expressions.real(*at.expr, scope);
  for (const bool greatest : {true, false}) {
    const auto operands = operands_of_extremum(*at.expr, greatest ? ReduceOperator::max : ReduceOperator::min);
    if (!operands) continue;
    std::vector<ValueId> values;
    for (const Expr* operand : *operands) {
      const auto value = rounded({operand, scope});
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    return greatest ? b_.maximum(std::move(values)) : b_.minimum(std::move(values));
  }
  if (const auto* sum = std::get_if<expr::Binary>(&at.expr->node); sum && is_sum(*sum)) return rounded_sum(*sum, scope);
  if (const Environment* let = let_of(*at.expr, scope)) return rounded_let(*let);
  if (const auto* sign = std::get_if<expr::Unary>(&at.expr->node); sign && sign->op == UnaryOperator::plus) {
    return rounded({sign->operand.get(), scope});
  }
  if (const auto* choice = std::get_if<expr::If>(&at.expr->node)) {
    return rounded_choice(parts_.expressions.boolean(*choice->condition, scope), {choice->then_value.get(), scope},
                          [&] { return rounded({choice->else_value.get(), scope}); });
  }
  if (const auto* when = std::get_if<expr::When>(&at.expr->node)) return rounded_when(*when, 0, scope);
  return std::nullopt;
}

std::optional<ValueId> RecurrenceBody::rounded_choice(ValueId condition, const Standing& if_true,
                                                      const std::function<std::optional<ValueId>()>& if_false) {
  if (const auto known = b_.as_constant(condition)) return known->boolean ? rounded(if_true) : if_false();
  if (mentions(condition)) return std::nullopt;
  const auto first = rounded(if_true);
  const auto second = first ? if_false() : std::nullopt;
  return second ? std::optional(b_.select(condition, *first, *second)) : std::nullopt;
}

std::optional<ValueId> RecurrenceBody::rounded_when(const expr::When& when, std::size_t arm, const Scope& scope) {
  if (arm == when.arms.size()) return when.otherwise ? rounded({when.otherwise.get(), scope}) : std::nullopt;
  return rounded_choice(parts_.expressions.boolean(*when.arms[arm].first, scope), {when.arms[arm].second.get(), scope},
                        [&] { return rounded_when(when, arm + 1, scope); });
}

void RecurrenceBody::lower() {
  const auto& node = std::get<item::Recurrence>(recurrence_.declaration->node);
  const Standing whole{node.body.get(), scope_};
  const ScalarType type = b_.system()[recurrence_.event].type;
  const bool real = type == ScalarType::real;
  std::vector<ir::Constraint> constraints;
  ValueId body;
  bool exact = false;
  if (const Terms all = real ? terms(whole) : std::nullopt) {
    for (const Term& term : *all) {
      constraints.push_back({term.source, term.offset, term.weights, term.guard.value_or(ValueId{}), term.location});
    }
    exact = true;
  } else if (const auto value = real ? rounded(whole) : std::nullopt) {
    body = *value;
    exact = true;
  } else {
    body = parts_.expressions.scalar(*node.body, scope_, type);
  }
  std::vector<ValueId> otherwise;
  if (node.otherwise) {
    const Standing rest{node.otherwise.get(), scope_};
    if (!constraints.empty())
      summands(rest, false, otherwise);
    else if (exact)
      otherwise.push_back(rounded_summands(rest));
    else
      otherwise.push_back(parts_.expressions.scalar(*node.otherwise, scope_, type));
  }
  ir::Event& event = b_.system()[recurrence_.event];
  event.constraints = std::move(constraints);
  event.body = body;
  event.otherwise = std::move(otherwise);
  event.exact = exact;
}

}  // namespace wave::frontend::lowering
