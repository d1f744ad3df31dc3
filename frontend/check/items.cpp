// Declarations: what a module declares, where it may stand, and the types of values.
#include "frontend/check/checker.h"
#include "frontend/check/module_names.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Longer chains of definitions that stand before what they use need a written type.
constexpr std::size_t deepest_inference = 300;

bool may_stand(const Item& item, const Item* owner) {
  if (!owner) {
    return is_any_of<item::Import, item::Let, item::Function, item::Record, item::Interface, item::Machine, item::Model,
                     item::Procedure, item::Study, item::Test>(item);
  }
  if (is_interface(*owner)) return is_any_of<item::Function, item::Collective>(item);
  if (is_machine(*owner)) {
    return is_any_of<item::Param, item::Let, item::Function, item::Protocol, item::Collective, item::Require>(item);
  }
  return is_any_of<item::Param, item::Let, item::Function, item::Require, item::Grid, item::Recurrence, item::Process,
                   item::Procedure, item::Output>(item);
}

bool is_language_type(const std::string& name) {
  static const std::set<std::string> names{"int", "real", "bool", "string", "order", "corner", "time", "data", "work"};
  return names.count(name) > 0;
}

bool is_value(const Item& item) {
  return is_any_of<item::Param, item::Let, item::Function, item::Collective, item::Grid, item::Recurrence,
                   item::Process, item::Output, item::Unknown>(item);
}

}  // namespace

Item& mutable_item(const Item& item) { return const_cast<Item&>(item); }

ContextSwitch::ContextSwitch(Checker& checker, const Item& item)
    : checker_(checker), saved_(std::move(checker.context_)) {
  checker_.context_ = Context{};
  checker_.context_.module = item.module;
  checker_.context_.owner = item.owner;
  checker_.context_.item = &mutable_item(item);
}

ContextSwitch::~ContextSwitch() { checker_.context_ = std::move(saved_); }

Checker::Checker(Program& program, const SearchPath& search, Diagnostics& diagnostics, LoadStandard load_standard)
    : program_(program), search_(search), diagnostics_(diagnostics), load_standard_(std::move(load_standard)) {
  declare_from(0);
}

void Checker::declare_from(std::size_t first) {
  for (std::size_t i = first; i < program_.modules.size(); ++i) declare(*program_.modules[i]);
  for (std::size_t i = first; i < program_.modules.size(); ++i) {
    for (const auto& item : program_.modules[i]->items) {
      auto* machine = std::get_if<item::Machine>(&item->node);
      if (!machine) continue;
      ContextSwitch here(*this, *item);
      link_machine(*item, *machine);
    }
  }
}

void Checker::check_override(Expr& e, const Item* model, const Module& module, const TypeRef& expected) {
  context_ = Context{};
  context_.module = &module;
  context_.owner = model;
  context_.in_override = true;
  if (expected)
    expect(e, expected);
  else
    check(e);
}

void Checker::check_modules(std::size_t first) {
  for (std::size_t i = first; i < program_.modules.size(); ++i) {
    context_ = Context{};
    context_.module = program_.modules[i].get();
    check_members(program_.modules[i]->items, nullptr);
  }
  context_ = Context{};
  report_cycles();
}

void Checker::declare(const Module& module) {
  scopes_[&module];
  for (const auto& item : module.items) {
    if (const auto* import = std::get_if<item::Import>(&item->node)) {
      declare_import(*item, *import);
    } else if (!item->name.text.empty() && !is_any_of<item::Test, item::Study>(*item)) {
      bind(module, item->name.text, {item->name.place, item.get()});
    }
  }
}

void Checker::declare_import(const Item& item, const item::Import& import) {
  const Module& here = *item.module;
  if (!import.selective) {
    const std::string name = import_name(import);
    const Place place = import.alias ? import.alias->place : import.path_place.known() ? import.path_place : item.place;
    bind(here, name, {place, nullptr, import.module, import.module == nullptr});
    return;
  }
  for (const Identifier& name : import.names) {
    const Item* found = nullptr;
    std::vector<std::string> names;
    if (import.module) {
      for (const auto& other : import.module->items) {
        if (is_any_of<item::Import, item::Test, item::Study>(*other)) continue;
        if (other->name.text == name.text) found = other.get();
        names.push_back(other->name.text);
      }
      if (!found && import.module->broken.empty()) {
        Diagnostic& d = report(DiagnosticKind::unknown_member, name.place,
                               "module `" + import.module->name + "` has no `" + name.text + "`", "not declared there");
        suggest(d, name.text, [&] { return names; });
        missing_suggested_.emplace(&here, nearest(name.text, names));
      }
    }
    bind(here, name.text, {name.place, found, nullptr, !found});
  }
}

void Checker::bind(const Module& module, const std::string& name, Binding binding) {
  if (name.empty()) return;
  if (is_language_type(name) && binding.item &&
      is_any_of<item::Record, item::Interface, item::Machine, item::Model>(*binding.item)) {
    report(DiagnosticKind::duplicate_name, binding.place, "`" + name + "` is a type of the language",
           "declared again here");
    return;
  }
  const auto [known, fresh] = scopes_[&module].emplace(name, binding);
  if (fresh || (known->second.item && known->second.item == binding.item)) return;
  report(DiagnosticKind::duplicate_name, binding.place, "`" + name + "` is declared twice", "declared again here")
      .labels.push_back({known->second.place, "first declared here"});
}

void Checker::check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner) {
  if (owner) {
    std::unordered_map<std::string, Place> seen;
    for (const auto& item : items) {
      if (item->name.text.empty() || is_any_of<item::Study, item::Test>(*item)) continue;
      const auto [known, fresh] = seen.emplace(item->name.text, item->name.place);
      if (fresh) continue;
      report(DiagnosticKind::duplicate_name, item->name.place, "`" + item->name.text + "` is declared twice",
             "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
  }
  for (const auto& item : items) {
    if (!may_stand(*item, owner)) continue;  // reported by the parser
    ContextSwitch here(*this, *item);
    check_item(*item);
  }
}

void Checker::check_item(Item& item) {
  if (states_[&item].checked) return;
  states_[&item].checked = true;
  struct Visitor {
    Checker& c;
    Item& item;
    void operator()(item::Import&) {}
    void operator()(item::Param& n) { c.check_param(item, n); }
    void operator()(item::Let& n) { c.check_let(item, n); }
    void operator()(item::Function& n) { c.check_function(item, n); }
    void operator()(item::Record& n) { c.check_record(item, n); }
    void operator()(item::Require& n) { c.check_require(n); }
    void operator()(item::Protocol& n) { c.check_protocol(item, n); }
    void operator()(item::Collective& n) { c.check_collective(item, n); }
    void operator()(item::Interface& n) { c.check_members(n.members, &item); }
    void operator()(item::Machine& n) { c.check_machine(item, n); }
    void operator()(item::Grid& n) { c.check_grid(item, n); }
    void operator()(item::Recurrence& n) { c.check_recurrence(item, n); }
    void operator()(item::Process& n) { c.check_process(item, n); }
    void operator()(item::Procedure& n) { c.check_procedure(item, n); }
    void operator()(item::Output& n) { c.check_output(item, n); }
    void operator()(item::Model& n) { c.check_members(n.members, &item); }
    void operator()(item::Study& n) { c.check_study(item, n); }
    void operator()(item::Test& n) { c.check_test(item, n); }
    void operator()(item::Unknown&) {}
  };
  std::visit(Visitor{*this, item}, item.node);
}

TypeRef Checker::type_of(const Item& item, Place use) {
  if (!is_value(item)) {
    report_not_a_value(item, use);
    return unknown_type();
  }
  if (item.module && !item.module->broken.empty() && is_broken(item.name.place) && !is_broken(use))
    return unknown_type();
  ItemState& state = states_[&item];
  if (state.progress == ItemState::Progress::found) return state.type;
  if (state.progress == ItemState::Progress::finding) {
    const auto first = std::find(finding_.begin(), finding_.end(), &item);
    const bool recursive =
        std::all_of(first, finding_.end(), [](const Item* i) { return is_any_of<item::Function>(*i); });
    if (recursive) {
      report(DiagnosticKind::type_needed, item.name.place,
             "the recursive function `" + item.name.text + "` needs a result type",
             "write its type after the parameters")
          .labels.push_back({use, "its type is needed here"});
    } else {
      report_cycle({first, finding_.end()});
    }
    return unknown_type();
  }
  if (finding_.size() >= deepest_inference || is_too_deep()) {
    report(DiagnosticKind::type_needed, item.name.place, "`" + item.name.text + "` needs a type",
           "its type follows from a long chain of definitions that stand before what they use");
    return unknown_type();
  }
  state.progress = ItemState::Progress::finding;
  finding_.push_back(&item);
  TypeRef type;
  {
    ContextSwitch there(*this, item);
    type = find_type(mutable_item(item));
  }
  finding_.pop_back();
  ItemState& found = states_[&item];  // the table may have grown
  found.progress = ItemState::Progress::found;
  return found.type = type ? type : unknown_type();
}

TypeRef Checker::find_type(Item& item) {
  if (auto* param = std::get_if<item::Param>(&item.node)) {
    return param->checked_type = resolve(param->type, "a parameter", item.name.place);
  }
  if (auto* let = std::get_if<item::Let>(&item.node)) return let->checked_type = find_let_type(*let);
  if (auto* output = std::get_if<item::Output>(&item.node)) return find_output_type(item, *output);
  if (auto* function = std::get_if<item::Function>(&item.node)) return function_type(item, *function);
  if (auto* grid = std::get_if<item::Grid>(&item.node)) return make_type(types::Grid{grid->axes.size()});
  if (std::holds_alternative<item::Process>(item.node)) return make_type(types::Process{});
  if (auto* recurrence = std::get_if<item::Recurrence>(&item.node)) {
    recurrence->value_type = resolve(recurrence->type, "a recurrence", item.name.place);
    return make_type(types::Recurrence{recurrence->axes.size(), recurrence->value_type});
  }
  if (std::holds_alternative<item::Collective>(item.node)) {
    const Signature signature = signature_of(item);
    std::vector<std::pair<std::string, TypeRef>> parameters;
    for (const auto& parameter : signature.parameters) parameters.emplace_back(parameter.name, parameter.type);
    return make_type(types::Function{std::move(parameters), signature.result});
  }
  return unknown_type();
}

void Checker::report_not_a_value(const Item& item, Place use) {
  Diagnostic& d = report(DiagnosticKind::not_a_value, use,
                         "`" + item.name.text + "` is " + with_article(kind_of(item)) + ", not a value",
                         "a value is expected here");
  d.labels.push_back({item.name.place, "declared here"});
  if (is_machine(item) || is_model(item)) {
    d.help.push_back("`" + item.name.text + "()` is the one with its parameters at their defaults");
  }
}

TypeRef Checker::find_let_type(item::Let& let) {
  return let.type ? resolve(*let.type) : without_zero(check(*let.value));
}

namespace {

// Values and records of them: what a row of a table can show.
bool is_row(const TypeRef& type) {
  if (const auto* record = as<types::Record>(type)) {
    const auto& fields = std::get<item::Record>(record->declaration->node).checked_types;
    return std::all_of(fields.begin(), fields.end(), is_row);
  }
  return is_unknown(type) || is_numeric(type) || as<types::Bool>(type) || as<types::String>(type) ||
         as<types::Choice>(type);
}

}  // namespace

void Checker::check_output(Item& item, item::Output& output) {
  type_of(item, item.name.place);
  const TypeRef type = output.value->type;
  if (const auto* record = as<types::Record>(type)) fields_of(*record->declaration);
  const TypeRef element = output.indices.empty() && type ? element_of(type) : nullptr;
  if (const auto* record = as<types::Record>(element)) fields_of(*record->declaration);
  if (!type || is_row(element ? element : type)) return;
  Diagnostic& d = report(
      DiagnosticKind::type_mismatch, output.value->place,
      std::string(output.indices.empty() ? "an output shows" : "a series shows") + " values, not " + quoted(type),
      "this is " + quoted(type));
  explain(d, *output.value);
  d.help.push_back(output.indices.empty() ? "an output is a value, a record of values, or a list of either"
                                          : "a point of a series is a value or a record of values");
}

TypeRef Checker::find_output_type(Item&, item::Output& output) {
  LocalScope scope(context_.locals);
  open_binders(output.indices);
  TypeRef type = without_zero(check(*output.value));
  if (output.unit) check_output_unit(*output.unit, *output.value);
  for (std::size_t i = 0; i < output.indices.size(); ++i) type = list_of(type);
  return type;
}

}  // namespace wave::frontend::check
