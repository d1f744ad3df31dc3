// Expressions: names, operators, conditions, lists as written.
#include "frontend/lower/expressions.h"

#include "frontend/ast/operators.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

ValuePtr corner(const std::string& name) {
  // NW is (+,+), the low end of both axes.
  const bool west = name == "NW" || name == "SW";
  const bool north = name == "NW" || name == "NE";
  return make(value::Corner{{west, north}});
}

}  // namespace

ValuePtr Expressions::look_up(const std::string& name, const Scope& scope, Location location) {
  for (EnvironmentPtr local = scope.locals; local; local = local->parent) {
    if (local->name != name) continue;
    if (local->value) return local->value;
    if (local->evaluating)
      sites_.abandon(DiagnosticKind::endless_expansion, location, fmt::format("`{}` needs itself", name));
    local->evaluating = true;
    ValuePtr value;
    try {
      value = values_.convert(evaluate(*local->pending, local->scope), local->type);
    } catch (...) {
      local->evaluating = false;
      throw;
    }
    local->evaluating = false;
    if (local->define) value = values_.define_leaves(value, local->scope.frame, name, local->pending->location);
    local->value = value;
    return value;
  }
  if (scope.self && scope.self->declaration && find_member(*scope.self->declaration, name)) {
    return instances_.member(*scope.self, name, location, false);
  }
  sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("`{}` has no value here", name));
}

ValuePtr Expressions::axis(const std::string& name, const Scope& scope, Location location) {
  for (EnvironmentPtr local = scope.locals; local; local = local->parent) {
    if (local->name == name && local->value && as<value::Axis>(local->value)) return local->value;
  }
  sites_.abandon(DiagnosticKind::unknown_name, location, fmt::format("`{}` is not an axis", name), "not an axis");
}

ValuePtr Expressions::evaluate_named(const Expr& expr, const Scope& scope, const Naming& naming) {
  if (expr.narrower) return evaluate(expr, scope);
  if (const auto* node = std::get_if<expr::Call>(&expr.node)) return calls_.call(expr, *node, scope, &naming);
  if (const auto* node = std::get_if<expr::If>(&expr.node)) {
    const ValueId condition = boolean(*node->condition, scope);
    if (const auto known = b_.as_constant(condition)) {
      return evaluate_named(known->boolean ? *node->then_value : *node->else_value, scope, naming);
    }
    return values_.select(condition, evaluate_named(*node->then_value, scope, naming),
                          evaluate_named(*node->else_value, scope, naming));
  }
  return evaluate(expr, scope);
}

ValuePtr Expressions::evaluate(const Expr& expr, const Scope& scope) {
  const Counted deeper(depth_);
  if (depth_ > Bounds::evaluations) {
    sites_.abandon(DiagnosticKind::endless_expansion, expr.location, "this unfolds too deeply",
                   fmt::format("more than {} expressions inside each other when it comes here", Bounds::evaluations));
  }
  sites_.look_at(expr.location);
  values_.require_room();
  constexpr std::size_t between_looks = 1000;
  if (options_.is_over && ++evaluated_ % between_looks == 0) is_over_ = is_over_ || options_.is_over();
  if (is_over_)
    sites_.abandon(DiagnosticKind::out_of_time, expr.location, "the time was over when the model was unfolded");
  const ValuePtr value = evaluate_node(expr, scope);
  return expr.narrower ? widened(value, expr) : value;
}

ValuePtr Expressions::evaluate_node(const Expr& expr, const Scope& scope) {
  return std::visit(
      Overloaded{
          [&](const expr::Integer& node) { return number(b_.integer(node.value)); },
          [&](const expr::Number& node) { return number(literals_.literal(node, expr.location)); },
          [&](const expr::Uncertain& node) { return literals_.uncertain(node, scope, expr.location); },
          [&](const expr::Boolean& node) { return number(b_.boolean(node.value)); },
          [&](const expr::String& node) { return number(b_.integer(sites_.word(node.value))); },
          [&](const expr::Name& node) { return evaluate_name(node, scope, expr.location); },
          [&](const expr::Unary& node) -> ValuePtr {
            const ValuePtr value = evaluate(*node.operand, scope);
            if (is_untyped(value)) return value;
            const ValueId operand = values_.unify({value}, ScalarType::integer, expr.location).front();
            switch (node.op) {
              case UnaryOperator::plus: return number(operand);
              case UnaryOperator::negate:
                return number(b_.negate(operand, sites_.site(FailureKind::integer_overflow, expr.location)));
              case UnaryOperator::logical_not: return number(b_.logical_not(operand));
            }
            return number(operand);
          },
          [&](const expr::Binary& node) -> ValuePtr {
            const ValuePtr left = evaluate(*node.left, scope);
            if (node.op == BinaryOperator::logical_and || node.op == BinaryOperator::logical_or) {
              // If the left side decides, the right side is not even lowered.
              const auto known = b_.as_constant(values_.scalar_of(left, ScalarType::boolean, node.left->location));
              if (known && known->boolean == (node.op == BinaryOperator::logical_or)) return left;
            }
            sites_.note_operands(expr.location, {node.left->type, node.right->type});
            return binary(node.op, left, evaluate(*node.right, scope), expr.location);
          },
          [&](const expr::If& node) -> ValuePtr {
            const ValueId condition = boolean(*node.condition, scope);
            if (const auto known = b_.as_constant(condition)) {
              return as_typed(evaluate(known->boolean ? *node.then_value : *node.else_value, scope), expr);
            }
            const ValuePtr then_value = evaluate(*node.then_value, scope);
            return as_typed(values_.select(condition, then_value, evaluate(*node.else_value, scope)), expr);
          },
          [&](const expr::When& node) { return as_typed(evaluate_when(node, scope, expr.location), expr); },
          [&](const expr::Call& node) { return as_typed(calls_.call(expr, node, scope, nullptr), expr); },
          [&](const expr::Member& node) {
            if (const ValuePtr measured = processes_.evaluate_measure(expr, scope)) return measured;
            if (const auto* to = std::get_if<target::Global>(&node.target))
              return instances_.global(*to->item, expr.location);
            const auto* object = std::get_if<expr::Name>(&node.object->node);
            if (const auto* super = object ? std::get_if<target::Super>(&object->target) : nullptr)
              return instances_.inherited_member(*scope.self, *super->base, node.name.text, expr.location);
            return instances_.member_of(evaluate(*node.object, scope), node.name.text, scope, expr.location);
          },
          [&](const expr::Index& node) {
            const ValuePtr measured = processes_.evaluate_measure(expr, scope);
            return measured ? measured : lists_.evaluate_index(expr, node, scope);
          },
          [&](const expr::List& node) { return as_typed(evaluate_list(node, scope, expr.location), expr); },
          [&](const expr::Range& node) { return evaluate_range(node, scope, expr.location); },
          [&](const expr::Comprehension& node) {
            return make(value::Comprehension{&node, scope, nullptr, expr.location});
          },
          [&](const expr::Reduce& node) { return as_typed(lists_.reduce(node, scope, expr.location), expr); },
          [&](const expr::SignTuple& node) { return make(value::Corner{node.rising}); },
          [&](const expr::TableLiteral& node) {
            ValuePtr& known = tables_[&expr];
            if (!known) known = literals_.table(node, scope, expr.location);
            return known;
          },
          [&](const expr::TableFile& node) {
            ValuePtr& known = tables_[&expr];
            if (!known) known = literals_.table(node, expr.type, scope, expr.location);
            return known;
          },
          [&](const expr::Within& node) {
            return number(levels_.lies_within(integer(*node.shared, scope), *scope.self->declaration, node.level.text));
          },
          [&](const expr::Flops& node) { return flops(node, scope, expr.location); },
          [&](const expr::Conversion& node) { return evaluate(*node.operand, scope); },
      },
      expr.node);
}

ValuePtr Expressions::as_typed(const ValuePtr& value, const Expr& expr) {
  if (!has_real_leaves(expr.type) || sites_.in_generic_function(expr.location)) return value;
  return values_.convert(value, expr.type);
}

// A word of a choice, by its number in one that has more words.
ValuePtr Expressions::widened(const ValuePtr& value, const Expr& expr) {
  if (is_untyped(value)) return value;
  const std::vector<std::string>& words = as<types::Choice>(expr.narrower)->words;
  const std::vector<std::string>& all = as<types::Choice>(expr.type)->words;
  const ValueId word = values_.scalar_of(value, ScalarType::integer, expr.location);
  ValueId result;
  for (std::size_t k = words.size(); k-- > 0;) {
    const auto place = std::ranges::find(all, words[k]) - all.begin();
    const ValueId there = b_.integer(place);
    const ValueId is_it = b_.equal(word, b_.integer(static_cast<std::int64_t>(k)));
    const auto known = b_.as_constant(is_it);
    if (!result.valid() || (known && known->boolean))
      result = there;
    else if (!known)
      result = b_.select(is_it, there, result);
  }
  return number(result);
}

// A list of lists asks for each of them, so what is known of a type is kept.
bool Expressions::has_real_leaves(const TypeRef& type) {
  const auto* const list = as<types::List>(type);
  if (!list) return as<types::Real>(type) != nullptr;
  if (const auto known = have_real_leaves_.find(type); known != have_real_leaves_.end()) return known->second;
  const bool result = has_real_leaves(list->element);
  return have_real_leaves_[type] = result;
}

ValuePtr Expressions::evaluate_name(const expr::Name& node, const Scope& scope, Location location) {
  return std::visit(
      Overloaded{
          [&](target::Unresolved) { return look_up(node.text, scope, location); },
          [&](target::Local) {
            const ValuePtr value = look_up(node.text, scope, location);
            const auto* own = as<value::Axis>(value);
            return own ? number(own->index) : value;
          },
          [&](target::AxisName) { return axis(node.text, scope, location); },
          [&](target::Member) {
            if (!scope.self) return look_up(node.text, scope, location);
            return instances_.member(*scope.self, node.text, location, false);
          },
          [&](const target::Global& to) { return instances_.global(*to.item, location); },
          [&](const target::Builtin& to) { return make(value::Builtin{to.function}); },
          [&](const target::ChoiceWord& to) { return number(b_.integer(static_cast<std::int64_t>(to.ordinal))); },
          [&](target::LevelWord) { return number(levels_.word(node.text)); },
          [&](target::CornerName) { return corner(node.text); },
          [&]<OneOf<target::ImportedModule, target::Super> Node>(const Node&) -> ValuePtr {
            sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("`{}` is no value", node.text));
          },
      },
      node.target);
}

ValuePtr Expressions::evaluate_when(const expr::When& node, const Scope& scope, Location location) {
  std::vector<std::pair<ValueId, ValuePtr>> arms;
  ValuePtr rest;
  for (const auto& [condition, value] : node.arms) {
    const ValueId holds = boolean(*condition, scope);
    const auto known = b_.as_constant(holds);
    if (known && !known->boolean) continue;
    const ValuePtr arm = evaluate(*value, scope);
    if (known) {
      rest = arm;
      break;
    }
    arms.emplace_back(holds, arm);
  }
  if (!rest) {
    rest = node.otherwise ? evaluate(*node.otherwise, scope)
                          : values_.failure(FailureKind::error_called, location, "no case of this `when` holds");
  }
  for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm) rest = values_.select(arm->first, arm->second, rest);
  return rest;
}

ValuePtr Expressions::evaluate_list(const expr::List& node, const Scope& scope, Location location) {
  if (node.elements.size() > Bounds::elements) {
    sites_.abandon(DiagnosticKind::structure_too_large, location, "this list is too long to be written out",
                   fmt::format("{} elements", node.elements.size()), "read long data from a file with `table`");
  }
  value::List list;
  bool scalars = true, typed = false;
  for (const ExprPtr& element : node.elements) {
    list.elements.push_back(evaluate(*element, scope));
    const bool is_scalar = as<value::Scalar>(list.elements.back());
    scalars &= is_scalar || is_untyped(list.elements.back());
    typed |= is_scalar;
  }
  if (scalars && typed) {
    const auto ids = values_.unify(list.elements, ScalarType::integer, location);
    for (std::size_t i = 0; i < ids.size(); ++i) list.elements[i] = number(ids[i]);
  }
  return make(std::move(list));
}

ValuePtr Expressions::evaluate_range(const expr::Range& node, const Scope& scope, Location location) {
  if (!node.last) sites_.abandon(DiagnosticKind::not_expressible, location, "a list needs an end", "no last element");
  value::Range range;
  const ValuePtr first = evaluate(*node.first, scope);
  const ValuePtr last = evaluate(*node.last, scope);
  const ValuePtr step = node.step ? evaluate(*node.step, scope) : number(b_.integer(1));
  range.geometric = node.geometric;
  range.location = location;
  // The factor of a geometric range is an integer and says nothing about its elements.
  const auto ends = range.geometric ? std::vector{first, last} : std::vector{first, last, step};
  const auto ids = values_.unify(ends, ScalarType::integer, location);
  range.first = ids[0], range.last = ids[1];
  range.step = values_.scalar_of(step, b_.type(range.first), location);
  return make(range);
}

ValuePtr Expressions::binary(BinaryOperator op, const ValuePtr& left, const ValuePtr& right, Location location) {
  if (op == BinaryOperator::equal) return values_.equal(left, right, location);
  if (op == BinaryOperator::not_equal) {
    return number(
        b_.logical_not(values_.scalar_of(values_.equal(left, right, location), ScalarType::boolean, location)));
  }
  if (op == BinaryOperator::logical_and || op == BinaryOperator::logical_or) {
    const ValueId a = values_.scalar_of(left, ScalarType::boolean, location);
    const ValueId c = values_.scalar_of(right, ScalarType::boolean, location);
    return number(op == BinaryOperator::logical_and ? b_.logical_and(a, c) : b_.logical_or(a, c));
  }
  if (is_untyped(left) && is_untyped(right)) return left;
  auto both = values_.unify({left, right}, ScalarType::integer, location);
  const OperatorRow& row = row_of(op);
  const ir::BinaryOp operation = b_.type(both[0]) == ScalarType::integer ? row.of_integers : row.of_reals;
  if (!ir::operation(operation).takes(b_.type(both[0]))) both = {b_.to_real(both[0]), b_.to_real(both[1])};
  return number(b_.binary(operation, both[0], both[1], sites_.site(ir::operation(operation), location)));
}

ir::ValueId Expressions::scalar(const Expr& expr, const Scope& scope, ScalarType type) {
  return values_.scalar_of(evaluate(expr, scope), type, expr.location);
}

}  // namespace wave::frontend::lowering
