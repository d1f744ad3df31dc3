// See machines.h: machines and collectives.
#include "frontend/check/machines.h"

#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/functions.h"
#include "frontend/check/names.h"
#include "frontend/check/processes.h"
#include "frontend/check/reports.h"
#include "frontend/check/types.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

bool is_override(const Item& item) {
  if (const auto* n = std::get_if<item::Function>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Protocol>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Collective>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Param>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Let>(&item.node)) return n->is_override;
  return false;
}

}  // namespace

void Machines::check_machine(Item& item, item::Machine& machine) {
  declarations_.check_members(machine.members, &item);
  check_overrides(item, machine);
  check_protocol_choice(item);
  check_interface_met(item);
}

void Machines::check_overrides(const Item& item, const item::Machine& machine) {
  const Item* interface = interface_of(item);
  for (const auto& one : machine.members) {
    const std::string& name = one->name.text;
    if (name.empty() || is_unknown(*one)) continue;
    const Item* replaced = machine.base_item ? names_.member(*machine.base_item, name) : nullptr;
    const bool inherited = replaced && replaced->owner != interface;
    const bool derived = is_derived_cost(name) && !protocols_of(item).empty();
    const bool declared = interface && std::any_of(members_of(*interface)->begin(), members_of(*interface)->end(),
                                                   [&](const auto& other) { return other->name.text == name; });
    if (is_override(*one) && !inherited && !derived && !declared) {
      if (may_have_more(item)) continue;
      reports_
          .add(DiagnosticKind::overrides_nothing, one->name.place, "there is no `" + name + "` to override",
               machine.base.empty() ? "this machine extends no other" : "the machine that this one extends has none")
          .help.push_back("leave out `override` to add a member");
    } else if (!is_override(*one) && inherited) {
      reports_
          .add(DiagnosticKind::missing_override, one->name.place, "`" + name + "` replaces an inherited member",
               "declared again here")
          .labels.push_back({replaced->name.place, "inherited from `" + replaced->owner->name.text + "`"});
    } else if (!is_override(*one) && derived && !inherited) {
      reports_
          .add(DiagnosticKind::missing_override, one->name.place,
               "`" + name + "` already follows from the protocols of this machine", "declared again here")
          .help.push_back("write `override fn " + name + "` to replace the derived cost");
    } else if (inherited) {
      check_override_type(*one, *replaced);
    }
  }
}

void Machines::check_override_type(const Item& item, const Item& replaced) {
  if (is_unknown(replaced)) return;
  std::string difference;
  if (item.node.index() != replaced.node.index()) {
    difference = "it is " + with_article(kind_of(item)) + ", the inherited one " + with_article(kind_of(replaced));
  } else if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    difference = types_.differing(item, replaced);
  } else if (!std::holds_alternative<item::Protocol>(item.node)) {
    const TypeRef type = declarations_.type_of(item, item.name.place);
    const TypeRef inherited = declarations_.type_of(replaced, replaced.name.place);
    if (!is_unknown(type) && !is_unknown(inherited) && key_of(type) != key_of(inherited)) {
      difference = "it is " + quoted(type) + ", the inherited one " + quoted(inherited);
    }
  }
  if (difference.empty()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::incompatible_override, item.name.place,
                               "the override of `" + item.name.text + "` does not fit: " + difference, "replaced here");
  d.labels.push_back({replaced.name.place, "the inherited one"});
  d.help.push_back("what works with the inherited member must work with this one");
}

void Machines::check_interface_met(const Item& item) {
  const Item* interface = interface_of(item);
  if (!interface) return;
  std::string missing;
  bool costs_missing = false;
  for (const auto& wanted : *members_of(*interface)) {
    const Item* offered = names_.member(item, wanted->name.text);
    if (offered && offered->owner == interface) {
      const auto* function = std::get_if<item::Function>(&wanted->node);
      const auto* collective = std::get_if<item::Collective>(&wanted->node);
      const bool has_default =
          (function && function->body) || (collective && (collective->cost || collective->has_algorithm));
      const bool derived = is_derived_cost(wanted->name.text) && !protocols_of(item).empty();
      if (has_default || derived || is_unknown(*wanted)) continue;
      missing += (missing.empty() ? "`" : ", `") + wanted->name.text + "`";
      costs_missing = costs_missing || is_derived_cost(wanted->name.text);
      continue;
    }
    if (!offered || offered->owner != &item) continue;  // reported for the machine that declares it
    const std::string difference = types_.differing(*offered, *wanted);
    if (difference.empty()) continue;
    reports_
        .add(DiagnosticKind::interface_not_met, offered->name.place,
             "`" + item.name.text + "` does not offer what `" + interface->name.text + "` asks: " + difference,
             "declared here")
        .labels.push_back({wanted->name.place, "asked for here"});
  }
  if (missing.empty() || may_have_more(item)) return;
  Diagnostic& d = reports_.add(DiagnosticKind::interface_not_met, item.name.place,
                               "`" + item.name.text + "` does not offer all that `" + interface->name.text + "` asks",
                               "missing: " + missing);
  d.labels.push_back({interface->name.place, "the interface is declared here"});
  if (costs_missing) d.help.push_back("`send`, `recv` and `total` follow from a `protocol`");
}

void Machines::check_collective(Item& item, item::Collective& collective) {
  LocalScope scope(context_);
  functions_.open_parameters(collective.parameters, "a parameter of a collective");
  if (collective.result) {
    const TypeRef result = types_.resolve(*collective.result);
    if (!is_unknown(result) && !types_.agrees(result, time_type())) {
      reports_.add(DiagnosticKind::dimension_mismatch, collective.result->place,
                   "a collective takes time, not " + quoted(result), "this is " + quoted(result));
    }
  }
  if (collective.cost) {
    expressions_.expect(*collective.cost, time_type(),
                        {collective.result ? collective.result->place : item.name.place, "a collective gives `time`"});
  }
  if (collective.has_algorithm) processes_.check_algorithm(collective);
  const bool in_interface = item.owner && is_interface(*item.owner);
  if (collective.cost || collective.has_algorithm || in_interface) return;
  reports_
      .add(DiagnosticKind::missing_body, item.name.place,
           "`" + item.name.text + "` has neither a cost nor an algorithm",
           "only an interface lists collectives without one")
      .help.push_back("write `: time = ` and its cost, or `on R[r: p] { ... }` and its messages");
}

}  // namespace wave::frontend::check
