// Calls, and the functions of the language.
#include "frontend/ast/operators.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

ValuePtr Calls::call(const Expr& expr, const expr::Call& node, const Scope& scope, const Naming* naming) {
  const auto* name = std::get_if<expr::Name>(&node.callee->node);
  if (const auto* builtin = name ? std::get_if<target::Builtin>(&name->target) : nullptr) {
    if (auto done = call_builtin_by_syntax(builtin->function, node, scope, expr.location)) return *done;
  }
  if (ValuePtr measured = processes_.evaluate_measure(expr, scope)) return measured;
  if (ValuePtr other = studies_.output_with(node, scope, expr.location)) return other;
  const ValuePtr callee = expressions_.evaluate(*node.callee, scope);
  std::vector<Named> arguments;
  sites_.note_call(expr.location, node);
  std::vector<TypeRef> types;
  for (const Argument& argument : node.arguments) types.push_back(argument.value->type);
  sites_.note_operands(expr.location, std::move(types));
  for (const Argument& argument : node.arguments) {
    ValuePtr value = expressions_.evaluate_named(*argument.value, scope, {});
    arguments.emplace_back(argument.name ? argument.name->text : "", std::move(value));
  }
  return apply(callee, arguments, scope, expr.location, naming);
}

ValuePtr Calls::apply(const ValuePtr& callee, const std::vector<Named>& arguments, const Scope& scope,
                      Location location, const Naming* naming) {
  return values_.distribute(callee, [&](const ValuePtr& one) -> ValuePtr {
    if (const auto* node = as<value::Function>(one)) return functions_.call_function(*node, arguments, scope, location);
    if (const auto* node = as<value::Derived>(one)) return messages_.call_derived(*node, arguments, scope, location);
    if (const auto* node = as<value::Builtin>(one)) {
      std::vector<ValuePtr> values;
      for (const Named& argument : arguments) values.push_back(argument.second);
      return builtin(node->function, values, scope, location);
    }
    if (const auto* node = as<value::Declaration>(one)) {
      if (std::holds_alternative<item::Record>(node->item->node)) return record(*node->item, arguments, location);
      return instances_.instantiate(*node->item, arguments, location, naming);
    }
    if (const auto* node = as<value::Object>(one))
      return instances_.replace_parameters(*node->instance, arguments, location, naming);
    if (const auto* node = as<value::Table>(one)) return literals_.look_up_table(*node, arguments, location);
    if (const auto* node = as<value::Lifted>(one)) {
      return lifting_.lift(*node, {LiftedStep::Kind::call, "", arguments}, scope, location);
    }
    sites_.abandon(DiagnosticKind::not_expressible, location, "this cannot be called here");
  });
}

std::optional<ValuePtr> Calls::call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                      const Scope& scope, Location location) {
  const auto* other = std::get_if<OtherFunction>(&function);
  if (!other) return std::nullopt;
  switch (*other) {
    case OtherFunction::breakdown:
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     "`breakdown` is a whole output, not part of an expression", "",
                     "write `output parts = breakdown(...)`");
    case OtherFunction::error: {
      std::string text;
      if (!call.arguments.empty()) {
        const auto message = b_.as_constant(expressions_.scalar(*call.arguments[0].value, scope));
        if (message) text = sites_.text_of_word(message->integer);
      }
      return values_.failure(FailureKind::error_called, location, text);
    }
    case OtherFunction::diagonal_fills:
      return lists_.fills(name_of(function), expressions_.evaluate(*call.arguments.at(0).value, scope), &call, scope,
                          location);
    case OtherFunction::sweeps:
    case OtherFunction::full_fills:
    case OtherFunction::same_node: break;
  }
  return std::nullopt;
}

ValuePtr Calls::builtin(const LanguageFunction& function, const std::vector<ValuePtr>& arguments, const Scope& scope,
                        Location location) {
  if (const auto* op = std::get_if<ir::UnaryOp>(&function)) return function_of_number(*op, arguments.at(0), location);
  if (const auto* op = std::get_if<ReduceOperator>(&function)) return function_of_list(*op, arguments, location);
  switch (std::get<OtherFunction>(function)) {
    case OtherFunction::sweeps:
      return values_.distribute(arguments.at(0),
                                [&](const ValuePtr& order) { return number(lists_.count(order, location)); });
    case OtherFunction::full_fills: return lists_.fills(name_of(function), arguments.at(0), nullptr, scope, location);
    case OtherFunction::same_node: return same_node(arguments.at(0), arguments.at(1), location);
    case OtherFunction::error:
    case OtherFunction::diagonal_fills:
    case OtherFunction::breakdown: break;
  }
  sites_.abandon(DiagnosticKind::not_expressible, location,
                 fmt::format("`{}` cannot be evaluated here", name_of(function)));
}

ValuePtr Calls::function_of_number(ir::UnaryOp op, const ValuePtr& argument, Location location) {
  const ir::Operation& operation = ir::operation(op);
  ValueId x = values_.scalar_of(argument, location);
  if (!operation.takes(b_.type(x))) {
    // A whole number is its own `floor`.
    if (operation.result == ScalarType::integer) return number(x);
    x = b_.to_real(x);
  }
  return number(b_.unary(op, x, sites_.site(operation, location, operation.text)));
}

ValuePtr Calls::function_of_list(ReduceOperator op, const std::vector<ValuePtr>& arguments, Location location) {
  const bool greatest = op == ReduceOperator::max;
  if (op == ReduceOperator::count) return number(lists_.count(arguments.at(0), location));
  if (!greatest && op != ReduceOperator::min) return lists_.reduce_list(op, arguments.at(0), location);
  const bool is_list = arguments.size() == 1 && !as<value::Scalar>(arguments[0]) && !as<value::Failure>(arguments[0]);
  if (is_list) return lists_.reduce_list(op, arguments[0], location);
  auto values = values_.unify(arguments, location);
  return number(greatest ? b_.maximum(std::move(values)) : b_.minimum(std::move(values)));
}

ValuePtr Calls::record(const Item& declaration, const std::vector<Named>& arguments, Location location) {
  const auto& node = std::get<item::Record>(declaration.node);
  value::Record record{&declaration, std::vector<ValuePtr>(node.fields.size())};
  std::size_t next = 0;
  for (const Named& argument : arguments) {
    std::size_t field = next;
    if (argument.first.empty()) {
      ++next;
    } else {
      for (field = 0; field < node.fields.size() && node.fields[field].first.text != argument.first;) ++field;
    }
    if (field >= node.fields.size()) continue;
    const TypeRef type = field < node.checked_types.size() ? node.checked_types[field] : nullptr;
    record.fields[field] = values_.convert(argument.second, type);
  }
  for (const ValuePtr& field : record.fields) {
    if (!field) sites_.abandon(DiagnosticKind::not_expressible, location, "a field of this record has no value");
  }
  return make(std::move(record));
}

namespace {

// Takes an index apart into another index and a constant number of steps from it.
std::pair<ValueId, std::int64_t> steps_from(const ir::Builder& b, ValueId index) {
  const auto* sum = std::get_if<ir::Binary>(&b.system()[index].node);
  const bool is_sum = sum && (sum->op == ir::BinaryOp::add || sum->op == ir::BinaryOp::subtract);
  const auto steps = is_sum ? b.as_constant(sum->right) : std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (!steps || steps->type != ir::ScalarType::integer || steps->integer > most || steps->integer < -most)
    return {index, 0};
  return {sum->left, sum->op == ir::BinaryOp::add ? steps->integer : -steps->integer};
}

// Whether two indices differ by a fixed number of steps other than 0, whatever their values.
bool are_apart(const ir::Builder& b, ValueId one, ValueId other) {
  const auto [from_one, steps_of_one] = steps_from(b, one);
  const auto [from_other, steps_of_other] = steps_from(b, other);
  return from_one == from_other && steps_of_one != steps_of_other;
}

}  // namespace

ValuePtr Calls::same_node(const ValuePtr& first, const ValuePtr& second, Location location) {
  const auto* a = as<value::Point>(first);
  const auto* c = as<value::Point>(second);
  if (!a || !c || a->grid != c->grid || a->self != c->self) {
    sites_.abandon(DiagnosticKind::not_expressible, location, "two places of one grid are needed here");
  }
  const auto& grid = std::get<item::Grid>(a->grid->node);
  if (grid.nodes.size() != a->indices.size()) {
    sites_.abandon(
        DiagnosticKind::nodes_unknown, location,
        fmt::format("the grid `{}` does not say which processes share a node", a->grid->name.text), "asked here",
        fmt::format("declare it with one extent an axis, as in `grid {}[...] nodes (2, 2)`", a->grid->name.text));
  }
  const auto sizes = recurrences_.extents(value::Grid{a->grid, a->self});
  const Scope scope = instances_.scope_of(*a->self);
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  // Axes along which the two places are a fixed number of steps apart come first: where nodes have one process along
  // such an axis, that alone decides it.
  ValueId decided = b_.boolean(true), others = b_.boolean(true);
  for (std::size_t axis = 0; axis < a->indices.size(); ++axis) {
    const ValueId block = expressions_.scalar(*grid.nodes[axis], scope), one = a->indices[axis],
                  other = c->indices[axis];
    if (one == other) {
      others = b_.logical_and(others, b_.check(b_.less_equal(b_.integer(1), block), b_.boolean(true),
                                               no_process(*grid.nodes[axis], grid.axes[axis])));
      continue;
    }
    const auto node_of = [&](ValueId index) {
      ValueId from_zero = b_.subtract(index, b_.integer(1), overflow);
      if (grid.axes[axis].wrap) from_zero = b_.binary(ir::BinaryOp::modulo, from_zero, sizes[axis], overflow);
      return b_.binary(ir::BinaryOp::floor_divide, from_zero, block,
                       sites_.site(FailureKind::division_by_zero, location));
    };
    const ValueId is_same = b_.equal(node_of(one), node_of(other));
    if (grid.axes[axis].wrap || !are_apart(b_, one, other)) {
      others = b_.logical_and(others, is_same);
    } else {
      decided =
          b_.logical_and(decided, b_.logical_and(b_.binary(ir::BinaryOp::not_equal, block, b_.integer(1)), is_same));
    }
  }
  return number(b_.logical_and(decided, others));
}

// The failure of a grid whose nodes hold no process along an axis.
ir::SiteId Calls::no_process(const Expr& extent, const item::GridAxis& axis) {
  return sites_.site(FailureKind::require_failed, extent.location,
                     fmt::format("a node has no process along `{}`", axis.name.text));
}

}  // namespace wave::frontend::lowering
