// Calls: of functions, machines, models, records, tables, and of what the language itself offers.
#include "frontend/ast/operators.h"
#include "frontend/lower/lowering.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

Symbolic Lowering::call(const Expr& expr, const expr::Call& node, const Scope& scope, const Naming* naming) {
  const auto* name = std::get_if<expr::Name>(&node.callee->node);
  if (const auto* builtin = name ? std::get_if<target::Builtin>(&name->target) : nullptr) {
    if (auto done = call_builtin_by_syntax(builtin->function, node, scope, expr.place)) return *done;
  }
  if (Symbolic measured = evaluate_measure(expr, scope)) return measured;
  if (Symbolic other = output_with(node, scope, expr.place)) return other;
  const Symbolic callee = evaluate(*node.callee, scope);
  std::vector<Named> arguments;
  calls_at_.try_emplace({expr.place.file, expr.place.begin, expr.place.end}, &node);
  std::vector<TypeRef> types;
  for (const Argument& argument : node.arguments) types.push_back(argument.value->type);
  note_operands(expr.place, std::move(types));
  for (const Argument& argument : node.arguments) {
    Symbolic value = evaluate_named(*argument.value, scope, {});
    arguments.emplace_back(argument.name ? argument.name->text : "", std::move(value));
  }
  return apply(callee, arguments, scope, expr.place, naming);
}

Symbolic Lowering::apply(const Symbolic& callee, const std::vector<Named>& arguments, const Scope& scope, Place place,
                         const Naming* naming) {
  return distribute(callee, [&](const Symbolic& one) -> Symbolic {
    if (const auto* node = as<value::Function>(one)) return call_function(*node, arguments, scope, place);
    if (const auto* node = as<value::Derived>(one)) return call_derived(*node, arguments, scope, place);
    if (const auto* node = as<value::Builtin>(one)) {
      std::vector<Symbolic> values;
      for (const Named& argument : arguments) values.push_back(argument.second);
      return builtin(node->function, values, scope, place);
    }
    if (const auto* node = as<value::Declaration>(one)) {
      if (std::holds_alternative<item::Record>(node->item->node)) return record(*node->item, arguments, place);
      return instantiate(*node->item, arguments, place, naming);
    }
    if (const auto* node = as<value::Object>(one)) return replace_parameters(*node->instance, arguments, place, naming);
    if (const auto* node = as<value::Table>(one)) return look_up_table(*node, arguments, place);
    if (const auto* node = as<value::Lifted>(one)) {
      return lift(*node, {LiftedStep::Kind::call, "", arguments}, scope, place);
    }
    abandon(DiagnosticKind::not_expressible, place, "this cannot be called here");
  });
}

std::optional<Symbolic> Lowering::call_builtin_by_syntax(const LanguageFunction& function, const expr::Call& call,
                                                         const Scope& scope, Place place) {
  const auto* other = std::get_if<OtherFunction>(&function);
  if (!other) return std::nullopt;
  switch (*other) {
    case OtherFunction::breakdown:
      abandon(DiagnosticKind::not_expressible, place, "`breakdown` is a whole output, not part of an expression", "",
              "write `output parts = breakdown(...)`");
    case OtherFunction::error: {
      std::string text;
      if (!call.arguments.empty()) {
        const auto message = b.as_constant(scalar(*call.arguments[0].value, scope));
        if (message) text = words_[static_cast<std::size_t>(message->integer)];
      }
      return failure(FailureKind::error_called, place, text);
    }
    case OtherFunction::diagonal_fills:
      return fills(name_of(function), evaluate(*call.arguments.at(0).value, scope), &call, scope, place);
    case OtherFunction::sweeps:
    case OtherFunction::full_fills:
    case OtherFunction::same_node: break;
  }
  return std::nullopt;
}

Symbolic Lowering::builtin(const LanguageFunction& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                           Place place) {
  if (const auto* op = std::get_if<ir::UnaryOp>(&function)) return function_of_number(*op, arguments.at(0), place);
  if (const auto* op = std::get_if<ReduceOperator>(&function)) return function_of_list(*op, arguments, place);
  switch (std::get<OtherFunction>(function)) {
    case OtherFunction::sweeps:
      return distribute(arguments.at(0),
                        [&](const Symbolic& order) { return make(value::Scalar{count(order, place)}); });
    case OtherFunction::full_fills: return fills(name_of(function), arguments.at(0), nullptr, scope, place);
    case OtherFunction::same_node: return same_node(arguments.at(0), arguments.at(1), place);
    case OtherFunction::error:
    case OtherFunction::diagonal_fills:
    case OtherFunction::breakdown: break;
  }
  abandon(DiagnosticKind::not_expressible, place, fmt::format("`{}` cannot be evaluated here", name_of(function)));
}

Symbolic Lowering::function_of_number(ir::UnaryOp op, const Symbolic& argument, Place place) {
  const ir::Operation& operation = ir::operation(op);
  ValueId x = scalar_of(argument, place);
  if (!operation.takes(b.type(x))) {
    // A whole number is its own `floor`.
    if (operation.result == ScalarType::integer) return make(value::Scalar{x});
    x = b.to_real(x);
  }
  return make(value::Scalar{b.unary(op, x, site(operation, place, operation.text))});
}

Symbolic Lowering::function_of_list(ReduceOperator op, const std::vector<Symbolic>& arguments, Place place) {
  const auto number = [](ValueId id) { return make(value::Scalar{id}); };
  const bool greatest = op == ReduceOperator::max;
  if (op == ReduceOperator::count) return number(count(arguments.at(0), place));
  if (!greatest && op != ReduceOperator::min) return reduce_list(op, arguments.at(0), place);
  const bool is_list = arguments.size() == 1 && !as<value::Scalar>(arguments[0]) && !as<value::Failure>(arguments[0]);
  if (is_list) return reduce_list(op, arguments[0], place);
  auto values = unify(arguments, place);
  return number(greatest ? b.maximum(std::move(values)) : b.minimum(std::move(values)));
}

Symbolic Lowering::record(const Item& declaration, const std::vector<Named>& arguments, Place place) {
  const auto& node = std::get<item::Record>(declaration.node);
  value::Record record{&declaration, std::vector<Symbolic>(node.fields.size())};
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
    record.fields[field] = convert(argument.second, type);
  }
  for (const Symbolic& field : record.fields) {
    if (!field) abandon(DiagnosticKind::not_expressible, place, "a field of this record has no value");
  }
  return make(std::move(record));
}

Symbolic Lowering::look_up_table(const value::Table& table, const std::vector<Named>& arguments, Place place) {
  std::vector<ValueId> keys;
  for (const Named& argument : arguments) keys.push_back(b.to_real(scalar_of(argument.second, place)));
  if (keys.size() != table.keys) abandon(DiagnosticKind::not_expressible, place, "the table has other keys");
  const ir::SiteId outside = site(FailureKind::outside_table, place, b.system().tables[table.table.index].name);
  note_table(outside, table.table);
  return make(value::Scalar{b.lookup(table.table, std::move(keys), outside)});
}

namespace {

// An index and a number of steps from it.
std::pair<ValueId, std::int64_t> steps_from(const ir::Builder& b, ValueId index) {
  const auto* sum = std::get_if<ir::Binary>(&b.system()[index].node);
  const bool is_sum = sum && (sum->op == ir::BinaryOp::add || sum->op == ir::BinaryOp::subtract);
  const auto steps = is_sum ? b.as_constant(sum->right) : std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (!steps || steps->type != ir::ScalarType::integer || steps->integer > most || steps->integer < -most)
    return {index, 0};
  return {sum->left, sum->op == ir::BinaryOp::add ? steps->integer : -steps->integer};
}

// Do two indices differ by the same number of steps, not 0, whatever they are?
bool are_apart(const ir::Builder& b, ValueId one, ValueId other) {
  const auto [from_one, steps_of_one] = steps_from(b, one);
  const auto [from_other, steps_of_other] = steps_from(b, other);
  return from_one == from_other && steps_of_one != steps_of_other;
}

}  // namespace

Symbolic Lowering::same_node(const Symbolic& first, const Symbolic& second, Place place) {
  const auto* a = as<value::Point>(first);
  const auto* c = as<value::Point>(second);
  if (!a || !c || a->grid != c->grid || a->self != c->self) {
    abandon(DiagnosticKind::not_expressible, place, "two places of one grid are needed here");
  }
  const auto& grid = std::get<item::Grid>(a->grid->node);
  if (grid.nodes.size() != a->indices.size()) {
    abandon(DiagnosticKind::nodes_unknown, place,
            fmt::format("the grid `{}` does not say which processes share a node", a->grid->name.text), "asked here",
            fmt::format("declare it with one extent an axis, as in `grid {}[...] nodes (2, 2)`", a->grid->name.text));
  }
  const auto sizes = extents(value::Grid{a->grid, a->self});
  const Scope scope = scope_of(*a->self);
  const ir::SiteId overflow = site(FailureKind::integer_overflow, place);
  // What two places some steps apart have to do with each other comes first: along an axis with nodes of one process
  // that decides it, wherever they are.
  ValueId decided = b.boolean(true), others = b.boolean(true);
  for (std::size_t axis = 0; axis < a->indices.size(); ++axis) {
    const ValueId block = scalar(*grid.nodes[axis], scope), one = a->indices[axis], other = c->indices[axis];
    if (one == other) {
      others = b.logical_and(others, b.check(b.less_equal(b.integer(1), block), b.boolean(true),
                                             no_process(*grid.nodes[axis], grid.axes[axis])));
      continue;
    }
    const auto node_of = [&](ValueId index) {
      ValueId from_zero = b.subtract(index, b.integer(1), overflow);
      if (grid.axes[axis].wrap) from_zero = b.binary(ir::BinaryOp::modulo, from_zero, sizes[axis], overflow);
      return b.binary(ir::BinaryOp::floor_divide, from_zero, block, site(FailureKind::division_by_zero, place));
    };
    const ValueId is_same = b.equal(node_of(one), node_of(other));
    if (grid.axes[axis].wrap || !are_apart(b, one, other)) {
      others = b.logical_and(others, is_same);
    } else {
      decided = b.logical_and(decided, b.logical_and(b.binary(ir::BinaryOp::not_equal, block, b.integer(1)), is_same));
    }
  }
  return make(value::Scalar{b.logical_and(decided, others)});
}

// For a grid whose nodes hold no process along an axis.
ir::SiteId Lowering::no_process(const Expr& extent, const item::GridAxis& axis) {
  return site(FailureKind::require_failed, extent.place,
              fmt::format("a node has no process along `{}`", axis.name.text));
}

}  // namespace wave::frontend::lowering
