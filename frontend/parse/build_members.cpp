// Declarations of modules, machines and models.
#include "frontend/parse/tree_builder.h"

namespace wave::frontend {

namespace {

// The name of a declaration whose rule calls it `name`: the first such child.
template <class Context>
auto* first_name(Context* context) {
  using Name = grammar::WaveParser::NameContext;
  if constexpr (std::is_pointer_v<decltype(context->name())>) {
    return static_cast<Name*>(context->name());
  } else {
    const auto names = context->name();
    return names.empty() ? static_cast<Name*>(nullptr) : names[0];
  }
}

}  // namespace

bool TreeBuilder::fill(Item& item, Rule* rule) {
  const bool is_broken = broken(rule);
  // After an error in it a declaration stands for anything: what refers to it is not reported.
  const auto unknown = [&] { item.node = item::Let{nullptr, missing(item.place), false, nullptr}; };
  // Named by a word; `build` makes the node where the declaration is whole.
  const auto named = [&](auto* context, auto build) {
    item.name = identifier(first_name(context));
    if (item.name.text.empty()) return false;
    if (is_broken) unknown();
    else item.node = build(context);
    return true;
  };
  if (auto* context = dynamic_cast<Grammar::Import_itemContext*>(rule)) {
    item.node = import(context);
    return !is_broken;
  }
  if (auto* context = dynamic_cast<Grammar::Require_itemContext*>(rule)) {
    if (is_broken) return false;
    item.node = item::Require{expression(context->expression(0)), expression(context->expression(1))};
    return true;
  }
  if (auto* context = dynamic_cast<Grammar::Test_itemContext*>(rule)) {
    if (is_broken) return false;
    item.name = string(context->STRING());
    item.node = test(context);
    return true;
  }
  if (auto* context = dynamic_cast<Grammar::Override_itemContext*>(rule)) return fill_override(item, context);
  // A parameter and a `let` keep what was understood of them.
  if (auto* context = dynamic_cast<Grammar::Param_itemContext*>(rule)) {
    item.name = identifier(context->name());
    item.node = param(context);
    return !item.name.text.empty();
  }
  if (auto* context = dynamic_cast<Grammar::Let_itemContext*>(rule)) {
    item.name = identifier(context->name());
    item.node = let(context);
    return !item.name.text.empty();
  }
  if (auto* context = dynamic_cast<Grammar::Function_itemContext*>(rule))
    return named(context, [&](auto* it) { return function(it); });
  if (auto* context = dynamic_cast<Grammar::Record_itemContext*>(rule))
    return named(context, [&](auto* it) { return record(it); });
  if (auto* context = dynamic_cast<Grammar::Protocol_itemContext*>(rule))
    return named(context, [&](auto* it) { return protocol(it); });
  if (auto* context = dynamic_cast<Grammar::Collective_itemContext*>(rule))
    return named(context, [&](auto* it) { return collective(it); });
  if (auto* context = dynamic_cast<Grammar::Interface_itemContext*>(rule))
    return named(context, [&](auto* it) { return item::Interface{items(it->members()->items(), Owner::interface)}; });
  if (auto* context = dynamic_cast<Grammar::Machine_itemContext*>(rule))
    return named(context, [&](auto* it) { return machine(it); });
  if (auto* context = dynamic_cast<Grammar::Model_itemContext*>(rule))
    return named(context, [&](auto* it) { return item::Model{items(it->members()->items(), Owner::model)}; });
  if (auto* context = dynamic_cast<Grammar::Grid_itemContext*>(rule))
    return named(context, [&](auto* it) { return grid(it); });
  if (auto* context = dynamic_cast<Grammar::Recurrence_itemContext*>(rule))
    return named(context, [&](auto* it) { return recurrence(it); });
  if (auto* context = dynamic_cast<Grammar::Process_itemContext*>(rule))
    return named(context, [&](auto* it) { return process(it); });
  if (auto* context = dynamic_cast<Grammar::Procedure_itemContext*>(rule))
    return named(context, [&](auto* it) { return procedure(it); });
  if (auto* context = dynamic_cast<Grammar::Output_itemContext*>(rule))
    return named(context, [&](auto* it) { return output(it); });
  return named(static_cast<Grammar::Study_itemContext*>(rule), [&](auto* it) { return study(it); });
}

bool TreeBuilder::fill_override(Item& item, Grammar::Override_itemContext* context) {
  if (context->children.size() < 2) return false;
  auto* rule = dynamic_cast<Rule*>(context->children[1]);
  if (rule == nullptr || !fill(item, rule)) return false;
  const auto mark = [](auto& node) {
    if constexpr (requires { node.is_override; }) node.is_override = true;
  };
  std::visit(mark, item.node);
  return true;
}

item::Param TreeBuilder::param(Grammar::Param_itemContext* context) {
  item::Param result;
  result.type = type(context->type());
  if (context->ASSIGN() != nullptr) result.default_value = expression(context->expression());
  if (auto* bounds = context->value_range(); bounds != nullptr && !broken(bounds)) {
    result.has_range = true;
    const auto values = bounds->uncertain();
    const bool lower = dynamic_cast<Grammar::UncertainContext*>(bounds->children[0]) != nullptr;
    if (lower) result.lower = uncertain(values[0]);
    if (values.size() > (lower ? 1u : 0u)) result.upper = uncertain(values.back());
  }
  if (context->STRING() != nullptr) result.source = string(context->STRING()).text;
  return result;
}

item::Let TreeBuilder::let(Grammar::Let_itemContext* context) {
  ExprPtr value = context->expression() != nullptr ? expression(context->expression()) : missing(place(context));
  return {context->type() != nullptr ? type(context->type()) : nullptr, std::move(value), false, nullptr};
}

LocalLet TreeBuilder::local_let(Grammar::Local_letContext* context) {
  ExprPtr value = context->expression() != nullptr ? expression(context->expression()) : missing(place(context));
  return {identifier(context->name()), context->type() != nullptr ? type(context->type()) : nullptr, std::move(value)};
}

ExprPtr TreeBuilder::body(Grammar::BodyContext* context, std::vector<LocalLet>& lets, Place where) {
  if (broken(context)) return missing(where);
  for (auto* child : context->local_let()) lets.push_back(local_let(child));
  return expression(context->expression());
}

std::vector<Parameter> TreeBuilder::parameters(Grammar::ParametersContext* context) {
  std::vector<Parameter> result;
  if (context == nullptr) return result;
  for (auto* child : context->parameter()) {
    result.push_back({identifier(child->name()), child->type() != nullptr ? type(child->type()) : nullptr,
                      optional(child->expression())});
  }
  return result;
}

std::vector<std::pair<Identifier, ExprPtr>> TreeBuilder::axes(Grammar::AxesContext* context) {
  std::vector<std::pair<Identifier, ExprPtr>> result;
  if (context == nullptr) return result;
  for (auto* axis : context->axis()) result.emplace_back(identifier(axis->name()), expression(axis->expression()));
  return result;
}

item::Function TreeBuilder::function(Grammar::Function_itemContext* context) {
  item::Function result;
  result.parameters = parameters(context->parameters());
  if (context->type() != nullptr) result.result = type(context->type());
  if (context->body() != nullptr) result.body = body(context->body(), result.lets, place(context));
  return result;
}

item::Record TreeBuilder::record(Grammar::Record_itemContext* context) {
  return {typed_names(context->typed_names()->typed_name()), {}};
}

item::Grid TreeBuilder::grid(Grammar::Grid_itemContext* context) {
  item::Grid result;
  for (auto* axis : context->grid_axis())
    result.axes.push_back({identifier(axis->name()), expression(axis->expression()), axis->WRAP() != nullptr});
  result.nodes = expressions(context->expression());
  return result;
}

item::Recurrence TreeBuilder::recurrence(Grammar::Recurrence_itemContext* context) {
  item::Recurrence result;
  for (auto* axis : context->index_axis()) result.axes.push_back({identifier(axis->name()), optional(axis->expression())});
  if (context->OVER() != nullptr) result.over = identifier(context->name(1));
  result.type = type(context->type());
  result.body = body(context->body(), result.lets, place(context));
  result.otherwise = optional(context->expression());
  return result;
}

item::Output TreeBuilder::output(Grammar::Output_itemContext* context) {
  return {binders(context->binder()), expression(context->expression()),
          context->unit() != nullptr ? unit(context->unit()) : std::nullopt};
}

}  // namespace wave::frontend
