// Calls, and the functions of the language.
#include "frontend/ast/operators.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

// A machine that is given to a parameter of a machine is found by the name of that parameter, like its default.
Naming naming_inside(const Naming& around, const ValuePtr& callee, const std::string& parameter) {
  const auto* declaration = as<value::Declaration>(callee);
  const bool is_record = declaration && std::holds_alternative<item::Record>(declaration->item->node);
  if ((!declaration || is_record) && !as<value::Object>(callee)) return {};
  return {around.path.empty() ? parameter : around.path + "." + parameter, around.title + parameter + ".",
          around.addressable, around.through_parameter};
}

}  // namespace

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
    const Naming inside = naming && argument.name ? naming_inside(*naming, callee, argument.name->text) : Naming{};
    ValuePtr value = expressions_.evaluate_named(*argument.value, scope, inside);
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
        const auto message = b_.as_constant(expressions_.integer(*call.arguments[0].value, scope));
        if (message) text = sites_.text_of_word(message->integer);
      }
      return values_.failure(FailureKind::error_called, location, text);
    }
    case OtherFunction::diagonal_fills:
      return lists_.fills(name_of(function), expressions_.evaluate(*call.arguments.at(0).value, scope), &call, scope,
                          location);
    case OtherFunction::extent:
      return number(as<value::Axis>(expressions_.evaluate(*call.arguments.at(0).value, scope))->extent);
    case OtherFunction::sweeps:
    case OtherFunction::full_fills:
    case OtherFunction::within: break;
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
    case OtherFunction::within: {
      const auto level = b_.as_constant(values_.scalar_of(arguments.at(0), ScalarType::integer, location));
      return levels_.within(levels_.name(level->integer), arguments.at(1), arguments.at(2), scope.frame, location);
    }
    case OtherFunction::error:
    case OtherFunction::extent:
    case OtherFunction::diagonal_fills:
    case OtherFunction::breakdown: break;
  }
  sites_.abandon(DiagnosticKind::not_expressible, location,
                 fmt::format("`{}` cannot be evaluated here", name_of(function)));
}

ValuePtr Calls::function_of_number(ir::UnaryOp op, const ValuePtr& argument, Location location) {
  const ir::Operation& operation = ir::operation(op);
  if (is_untyped(argument)) return argument;
  ValueId x = values_.unify({argument}, ScalarType::integer, location).front();
  if (!operation.takes(b_.type(x))) {
    // A whole number is its own `floor`.
    if (operation.result == ScalarType::integer) return number(x);
    x = b_.to_real(x);
  }
  return number(b_.unary(op, x, sites_.site(operation, location, operation.text)));
}

ValuePtr Calls::function_of_list(ReduceOperator op, const std::vector<ValuePtr>& arguments, Location location) {
  if (op == ReduceOperator::count) return number(lists_.count(arguments.at(0), location));
  if (std::all_of(arguments.begin(), arguments.end(), is_untyped)) return arguments.at(0);
  auto values = values_.unify(arguments, ScalarType::integer, location);
  return number(op == ReduceOperator::max ? b_.maximum(std::move(values)) : b_.minimum(std::move(values)));
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

}  // namespace wave::frontend::lowering
