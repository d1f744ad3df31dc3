// Checks which declarations may be where, and finds the types of what is declared.
#include "frontend/check/declarations.h"

#include "frontend/check/collections.h"
#include "frontend/check/dependences.h"
#include "frontend/check/expressions.h"
#include "frontend/check/functions.h"
#include "frontend/check/machines.h"
#include "frontend/check/processes.h"
#include "frontend/check/reports.h"
#include "frontend/check/studies.h"
#include "frontend/check/types.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Longer chains of definitions, each before the one that it uses, need a written type.
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

bool is_value(const Item& item) {
  return is_any_of<item::Param, item::Let, item::Function, item::Collective, item::Grid, item::Recurrence,
                   item::Process, item::Output, item::Unknown>(item);
}

}  // namespace

void Declarations::check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner) {
  if (owner) {
    std::unordered_map<std::string, Place> seen;
    for (const auto& item : items) {
      if (item->name.text.empty() || is_any_of<item::Study, item::Test>(*item)) continue;
      const auto [known, fresh] = seen.emplace(item->name.text, item->name.place);
      if (fresh) continue;
      reports_
          .add(DiagnosticKind::duplicate_name, item->name.place, "`" + item->name.text + "` is declared twice",
               "declared again here")
          .labels.push_back({known->second, "first declared here"});
    }
  }
  for (const auto& item : items) {
    if (!may_stand(*item, owner)) continue;  // reported by the parser
    ContextSwitch here(context_, *item);
    check_item(*item);
  }
}

void Declarations::check_item(Item& item) {
  if (states_[&item].checked) return;
  states_[&item].checked = true;
  struct Visitor {
    Declarations& c;
    Item& item;
    void operator()(item::Import&) {}
    void operator()(item::Param& n) { c.check_param(item, n); }
    void operator()(item::Let& n) { c.check_let(item, n); }
    void operator()(item::Function& n) { c.functions_.check_function(item, n); }
    void operator()(item::Record& n) { c.check_record(item, n); }
    void operator()(item::Require& n) { c.check_require(n); }
    void operator()(item::Protocol& n) { c.machines_.check_protocol(item, n); }
    void operator()(item::Collective& n) { c.machines_.check_collective(item, n); }
    void operator()(item::Interface& n) { c.check_members(n.members, &item); }
    void operator()(item::Machine& n) { c.machines_.check_machine(item, n); }
    void operator()(item::Grid& n) { c.check_grid(item, n); }
    void operator()(item::Recurrence& n) { c.check_recurrence(item, n); }
    void operator()(item::Process& n) { c.processes_.check_process(n); }
    void operator()(item::Procedure& n) { c.processes_.check_procedure(n); }
    void operator()(item::Output& n) { c.check_output(item, n); }
    void operator()(item::Model& n) { c.check_members(n.members, &item); }
    void operator()(item::Study& n) { c.studies_.check_study(n); }
    void operator()(item::Test& n) { c.check_test(n); }
    void operator()(item::Unknown&) {}
  };
  std::visit(Visitor{*this, item}, item.node);
}

TypeRef Declarations::type_of(const Item& item, Place use) {
  if (!is_value(item)) {
    report_not_a_value(item, use);
    return unknown_type();
  }
  if (item.module && !item.module->broken.empty() && reports_.is_broken(item.name.place) && !reports_.is_broken(use))
    return unknown_type();
  State& state = states_[&item];
  if (state.progress == State::Progress::found) return state.type;
  if (state.progress == State::Progress::finding) return report_recursion(item, use);
  if (finding_.size() >= deepest_inference || expressions_.is_too_deep()) {
    reports_.add(DiagnosticKind::type_needed, item.name.place, "`" + item.name.text + "` needs a type",
                 "its type follows from a long chain of definitions that stand before what they use");
    return unknown_type();
  }
  state.progress = State::Progress::finding;
  finding_.push_back(&item);
  TypeRef type;
  {
    ContextSwitch there(context_, item);
    type = find_type(mutable_item(item));
  }
  finding_.pop_back();
  State& found = states_[&item];  // the table may have grown
  found.progress = State::Progress::found;
  return found.type = type ? type : unknown_type();
}

TypeRef Declarations::report_recursion(const Item& item, Place use) {
  const auto first = std::find(finding_.begin(), finding_.end(), &item);
  if (std::all_of(first, finding_.end(), [](const Item* i) { return is_any_of<item::Function>(*i); })) {
    reports_
        .add(DiagnosticKind::type_needed, item.name.place,
             "the recursive function `" + item.name.text + "` needs a result type",
             "write its type after the parameters")
        .labels.push_back({use, "its type is needed here"});
  } else {
    dependences_.report_cycle({first, finding_.end()});
  }
  return unknown_type();
}

TypeRef Declarations::find_type(Item& item) {
  if (auto* param = std::get_if<item::Param>(&item.node)) {
    return param->checked_type = types_.resolve(param->type, "a parameter", item.name.place);
  }
  if (auto* let = std::get_if<item::Let>(&item.node)) {
    return let->checked_type = let->type ? types_.resolve(*let->type) : without_zero(expressions_.check(*let->value));
  }
  if (auto* output = std::get_if<item::Output>(&item.node)) return find_output_type(*output);
  if (auto* function = std::get_if<item::Function>(&item.node)) return functions_.function_type(item, *function);
  if (auto* grid = std::get_if<item::Grid>(&item.node)) return make_type(types::Grid{grid->axes.size()});
  if (std::holds_alternative<item::Process>(item.node)) return make_type(types::Process{});
  if (auto* recurrence = std::get_if<item::Recurrence>(&item.node)) {
    recurrence->value_type = types_.resolve(recurrence->type, "a recurrence", item.name.place);
    return make_type(types::Recurrence{recurrence->axes.size(), recurrence->value_type});
  }
  if (std::holds_alternative<item::Collective>(item.node)) {
    return check::type_of(functions_.signature_of(item));
  }
  return unknown_type();
}

void Declarations::report_not_a_value(const Item& item, Place use) {
  Diagnostic& d = reports_.add(DiagnosticKind::not_a_value, use,
                               "`" + item.name.text + "` is " + with_article(kind_of(item)) + ", not a value",
                               "a value is expected here");
  d.labels.push_back({item.name.place, "declared here"});
  if (is_machine(item) || is_model(item)) {
    d.help.push_back("`" + item.name.text + "()` is the one with its parameters at their defaults");
  }
}

TypeRef Declarations::find_output_type(item::Output& output) {
  LocalScope scope(context_);
  collections_.open_binders(output.indices);
  TypeRef type = without_zero(expressions_.check(*output.value));
  if (output.unit) expressions_.check_output_unit(*output.unit, *output.value);
  for (std::size_t i = 0; i < output.indices.size(); ++i) type = list_of(type);
  return type;
}

void Declarations::check_early(const Item& item) {
  ContextSwitch there(context_, item);
  check_item(mutable_item(item));
}

}  // namespace wave::frontend::check
