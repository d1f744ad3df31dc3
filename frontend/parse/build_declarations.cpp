// Modules and declarations, and which declarations may stand where.
#include "frontend/parse/tree_builder.h"

#include <array>

namespace wave::frontend {

std::unique_ptr<Module> TreeBuilder::module(Grammar::ModuleContext* context) {
  auto result = std::make_unique<Module>();
  result->file = file_;
  if (auto* edition = context->edition(); edition != nullptr && !broken(edition)) {
    const Location where = location(edition->INTEGER());
    if (text(where) == "1") {
      result->edition = 1;
    } else {
      Diagnostic& d = report(DiagnosticKind::edition, where, "edition " + text(where) + " of the language is not known",
                             "not an edition");
      d.help.emplace_back("this compiler knows edition 1: `wave 1`");
      d.fixes.push_back({where, "1"});
    }
  }
  if (context->items() != nullptr) result->items = items(context->items(), Owner::module);
  for (const auto& item : result->items) {
    const bool is_own =
        std::holds_alternative<item::Import>(item->node) || std::holds_alternative<item::Test>(item->node);
    if (!is_own && !item->name.text.empty()) result->by_name.emplace(item->name.text, item.get());
  }
  return result;
}

std::vector<std::unique_ptr<Item>> TreeBuilder::items(Grammar::ItemsContext* context, Owner owner) {
  std::vector<std::unique_ptr<Item>> result;
  for (auto* child : context->item()) {
    if (auto built = item(child, owner)) result.push_back(std::move(built));
  }
  return result;
}

std::unique_ptr<Item> TreeBuilder::item(Grammar::ItemContext* context, Owner owner) {
  if (context->children.empty()) return nullptr;
  auto* rule = dynamic_cast<Rule*>(context->children[0]);
  if (rule == nullptr) return nullptr;
  auto result = std::make_unique<Item>();
  result->location = location(context);
  if (!fill(*result, rule)) return nullptr;
  check_place(*result, owner);
  return result;
}

namespace {

struct Standing {
  std::string_view what, where;
  unsigned owners;
};  // bits: module 1, interface 2, machine 4, model 8

// Which declarations may stand where, by the alternatives of Item::node.
constexpr std::array<Standing, 21> standings{{
    {"`import`", "at the top of a module", 1},
    {"`param`", "in a machine or a model", 4 | 8},
    {"`let`", "in a module, a machine, a model or a body", 1 | 4 | 8},
    {"`fn`", "in a module, an interface, a machine or a model", 1 | 2 | 4 | 8},
    {"`type`", "in a module", 1},
    {"`require`", "in a machine or a model", 4 | 8},
    {"`protocol`", "in a machine", 4},
    {"`levels`", "in a machine", 4},
    {"`resource`", "in a machine", 4},
    {"`collective`", "in an interface or a machine", 2 | 4},
    {"`interface`", "in a module", 1},
    {"`machine`", "in a module", 1},
    {"`grid`", "in a model", 8},
    {"`rec`", "in a model", 8},
    {"`process`", "in a model", 8},
    {"`procedure`", "in a module or a model", 1 | 8},
    {"`output`", "in a model", 8},
    {"`model`", "in a module", 1},
    {"`study`", "in a module", 1},
    {"`test`", "in a module", 1},
    {"what was not understood", "anywhere", 1 | 2 | 4 | 8},
}};
static_assert(std::variant_size_v<decltype(Item::node)> == standings.size());

}  // namespace

void TreeBuilder::check_place(const Item& item, Owner owner) {
  constexpr std::array names{"a module, outside any declaration", "an interface", "a machine", "a model"};
  const Standing& standing = standings[item.node.index()];
  if ((standing.owners & (1u << static_cast<unsigned>(owner))) != 0) return;
  const std::size_t word = standing.what.size() - 2;
  const Location where{file_, item.location.begin, item.location.begin + static_cast<std::uint32_t>(word)};
  Diagnostic& d =
      report(DiagnosticKind::misplaced, where, std::string(standing.what) + " stands " + std::string(standing.where),
             "here it stands in " + std::string(names[static_cast<std::size_t>(owner)]));
  const auto* collective = std::get_if<item::Collective>(&item.node);
  if (collective && collective->has_algorithm) {
    d.help.emplace_back(
        "a procedure may stand here, `procedure name(s: data) on R[r: p] { ... }`: it is called in the same way, on "
        "any "
        "grid with as many axes, `along i` and `within node`");
    d.fixes.push_back({where, "procedure"});
  } else if (collective) {
    d.help.emplace_back(
        "what it costs is said by a machine, `machine M extends N { collective name(s: data, p: int): time = ... }`; "
        "of "
        "messages it may be a `procedure name(s: data) on R[r: p] { ... }`, which may stand here");
  }
}

item::Import TreeBuilder::import(Grammar::Import_itemContext* context) {
  item::Import result;
  result.is_broken = broken(context);
  if (context->path() != nullptr) {
    result.path = path(context->path());
    result.path_location = location(context->path());
  } else if (context->STRING() != nullptr) {
    const Identifier file = string(context->STRING());
    result.file = file.text;
    result.path_location = file.location;
  }
  result.exported = context->EXPORT() != nullptr;
  if (context->AS() != nullptr && !broken(context->name())) result.alias = identifier(context->name());
  result.selective = context->LBRACE() != nullptr;
  for (auto* imported : context->imported_name()) {
    ImportedName& one = result.names.emplace_back();
    one.name = identifier(imported->name(0));
    if (imported->AS() != nullptr && !broken(imported->name(1))) one.alias = identifier(imported->name(1));
  }
  return result;
}

// --- each kind of declaration ---

namespace {

// The name of a declaration, which is the first child of its rule that is called `name`.
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
  if (auto* context = dynamic_cast<Grammar::Override_itemContext*>(rule)) return fill_override(item, context);
  // Imports, parameters and `let`s keep what was understood of them.
  if (auto* context = dynamic_cast<Grammar::Import_itemContext*>(rule)) {
    item.node = import(context);
    return true;
  }
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
  // Levels, requirements and tests have no name that others refer to.
  if (auto* context = dynamic_cast<Grammar::Levels_itemContext*>(rule)) {
    if (broken(rule)) return false;
    item::Levels levels;
    for (auto* name : context->name()) levels.names.push_back(identifier(name));
    item.node = std::move(levels);
    return true;
  }
  if (auto* context = dynamic_cast<Grammar::Require_itemContext*>(rule)) {
    if (broken(rule)) return false;
    item.node = item::Require{expression(context->expression(0)), expression(context->expression(1))};
    return true;
  }
  if (auto* context = dynamic_cast<Grammar::Test_itemContext*>(rule)) {
    if (broken(rule)) return false;
    item.name = string(context->STRING());
    item.node = test(context);
    return true;
  }
  return fill_named(item, rule);
}

bool TreeBuilder::fill_named(Item& item, Rule* rule) {
  // The item takes its name and what `build` makes of a rule of this type.
  const auto is = [&]<class Context>(Context*, auto build) {
    auto* context = dynamic_cast<Context*>(rule);
    if (context == nullptr) return false;
    item.name = identifier(first_name(context));
    if (broken(rule))
      item.node = item::Unknown{};
    else
      item.node = build(context);
    return true;
  };
  using G = Grammar;
  const bool known =
      is(static_cast<G::Function_itemContext*>(nullptr), [&](auto* it) { return function(it); }) ||
      is(static_cast<G::Record_itemContext*>(nullptr), [&](auto* it) { return record(it); }) ||
      is(static_cast<G::Protocol_itemContext*>(nullptr), [&](auto* it) { return protocol(it); }) ||
      is(static_cast<G::Resource_itemContext*>(nullptr), [&](auto* it) { return resource(it); }) ||
      is(static_cast<G::Collective_itemContext*>(nullptr), [&](auto* it) { return collective(it); }) ||
      is(static_cast<G::Interface_itemContext*>(nullptr),
         [&](auto* it) { return with_members(item::Interface(), it->members()->items(), Owner::interface); }) ||
      is(static_cast<G::Machine_itemContext*>(nullptr), [&](auto* it) { return machine(it); }) ||
      is(static_cast<G::Model_itemContext*>(nullptr),
         [&](auto* it) { return with_members(item::Model(), it->members()->items(), Owner::model); }) ||
      is(static_cast<G::Grid_itemContext*>(nullptr), [&](auto* it) { return grid(it); }) ||
      is(static_cast<G::Recurrence_itemContext*>(nullptr), [&](auto* it) { return recurrence(it); }) ||
      is(static_cast<G::Process_itemContext*>(nullptr), [&](auto* it) { return process(it); }) ||
      is(static_cast<G::Procedure_itemContext*>(nullptr), [&](auto* it) { return procedure(it); }) ||
      is(static_cast<G::Output_itemContext*>(nullptr), [&](auto* it) { return output(it); }) ||
      is(static_cast<G::Study_itemContext*>(nullptr), [&](auto* it) { return study(it); });
  return known && !item.name.text.empty();
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
  if (broken(context) && result.default_value == nullptr) result.default_value = missing(location(context));
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
  ExprPtr value = context->expression() != nullptr ? expression(context->expression()) : missing(location(context));
  return {context->type() != nullptr ? type(context->type()) : nullptr, std::move(value), false, nullptr};
}

ExprPtr TreeBuilder::body(Grammar::BodyContext* context, std::vector<LocalLet>& lets, Location where) {
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
  if (context->body() != nullptr) result.body = body(context->body(), result.lets, location(context));
  return result;
}

item::Record TreeBuilder::record(Grammar::Record_itemContext* context) {
  return {typed_names(context->typed_names()->typed_name()), {}};
}

item::Recurrence TreeBuilder::recurrence(Grammar::Recurrence_itemContext* context) {
  item::Recurrence result;
  for (auto* axis : context->index_axis())
    result.axes.push_back({identifier(axis->name()), optional(axis->expression())});
  if (context->OVER() != nullptr) result.over = identifier(context->name(1));
  result.type = type(context->type());
  result.body = body(context->body(), result.lets, location(context));
  result.otherwise = optional(context->expression());
  return result;
}

item::Output TreeBuilder::output(Grammar::Output_itemContext* context) {
  return {binders(context->binder()), expression(context->expression()),
          context->unit() != nullptr ? unit(context->unit()) : std::nullopt};
}

item::Study TreeBuilder::study(Grammar::Study_itemContext* context) {
  item::Study result;
  result.model = path(context->path());
  for (auto* clause : context->study_clause()) {
    if (!broken(clause)) study_clause(result, clause);
  }
  return result;
}

item::Study::Vary TreeBuilder::vary(Grammar::PathContext* path, Grammar::ExpressionContext* values) {
  return {.name = joined(path), .values = values != nullptr ? expression(values) : nullptr, .type = nullptr};
}

item::Study::Show TreeBuilder::show(Grammar::ShownContext* context) {
  std::optional<Identifier> name;
  if (context->name() != nullptr) name = identifier(context->name());
  return {name, expression(context->expression()), context->unit() != nullptr ? unit(context->unit()) : std::nullopt};
}

void TreeBuilder::study_clause(item::Study& study, Grammar::Study_clauseContext* context) {
  const auto names = context->name();
  if (context->VARY() != nullptr) study.vary.push_back(vary(context->path(), context->expression()));
  for (auto* setting : context->setting())
    study.set.push_back({identifier(setting->name()), expression(setting->expression())});
  for (auto* shown : context->shown()) study.show.push_back(show(shown));
  if (context->PLOT() != nullptr) {
    item::Study::Plot plot;
    const auto plotted = context->plotted();
    for (std::size_t side = 0; side < plotted.size(); ++side) {
      for (auto* one : plotted[side]->uncertain()) (side == 0 ? plot.y : plot.x).push_back(uncertain(one));
    }
    std::size_t next = 0;
    if (context->BY() != nullptr) plot.by = identifier(names[next++]);
    for (; next < names.size(); ++next) plot.scales.push_back(identifier(names[next]));
    study.plot.push_back(std::move(plot));
  }
  if (context->MEASURED() != nullptr) study.measured.push_back({string(context->STRING()), identifier(names[0])});
}

item::Test TreeBuilder::test(Grammar::Test_itemContext* context) {
  item::Test result;
  for (auto* step : context->test_step()) {
    if (step->local_let() != nullptr) {
      LocalLet let = local_let(step->local_let());
      if (!let.name.text.empty()) result.lets.push_back(std::move(let));
    }
    auto* expectation = step->expectation();
    if (broken(step) || expectation == nullptr) continue;
    const auto values = expectation->expression();
    result.expects.push_back({location(expectation), expression(values[0]),
                              values.size() > 1 ? expression(values[1]) : nullptr, binders(expectation->binder())});
  }
  return result;
}

}  // namespace wave::frontend
