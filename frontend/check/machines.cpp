// Machines against their interface and the machine that they extend; collectives.
#include "frontend/check/checker.h"

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

constexpr std::size_t deepest_extension = 100;

// The interface and the base of a machine, before anything is asked of it.
void Checker::link_machine(Item& item, item::Machine& machine) {
  if (!machine.interface.empty()) {
    const Item* found = find_item_by_path(machine.interface, "interface");
    if (found && is_interface(*found))
      machine.interface_item = found;
    else if (found)
      report_wrong_kind(*found, machine.interface.front().place, "an interface");
  }
  if (machine.base.empty()) return;
  const Item* found = find_item_by_path(machine.base, "machine");
  if (!found) return;
  if (!is_machine(*found)) {
    report_wrong_kind(*found, machine.base.front().place, "a machine");
    return;
  }
  std::vector<const Item*> cycle{&item};
  for (const Item* base = found; base; base = std::get<item::Machine>(base->node).base_item) {
    if (base == &item) {
      report_cycle(cycle);
      return;  // without this base there is no cycle
    }
    cycle.push_back(base);
    if (cycle.size() <= deepest_extension) continue;
    report(DiagnosticKind::too_deep, machine.base.front().place, "too many machines extend each other",
           "more than " + std::to_string(deepest_extension) + " behind each other");
    return;
  }
  machine.base_item = found;
}

void Checker::report_wrong_kind(const Item& found, Place place, const char* expected) {
  report(DiagnosticKind::not_a_type, place,
         "`" + found.name.text + "` is " + with_article(kind_of(found)) + ", not " + expected,
         std::string(expected) + " is expected here")
      .labels.push_back({found.name.place, "declared here"});
}

void Checker::check_machine(Item& item, item::Machine& machine) {
  check_members(machine.members, &item);
  check_overrides(item, machine);
  check_protocol_choice(item);
  check_interface_met(item);
}

void Checker::check_overrides(const Item& item, const item::Machine& machine) {
  const Item* interface = interface_of(item);
  for (const auto& one : machine.members) {
    const std::string& name = one->name.text;
    if (name.empty() || is_unknown(*one)) continue;
    const Item* replaced = machine.base_item ? member(*machine.base_item, name) : nullptr;
    const bool inherited = replaced && replaced->owner != interface;
    const bool derived = is_derived_cost(name) && !protocols_of(item).empty();
    const bool declared = interface && std::any_of(members_of(*interface)->begin(), members_of(*interface)->end(),
                                                   [&](const auto& other) { return other->name.text == name; });
    if (is_override(*one) && !inherited && !derived && !declared) {
      if (may_have_more(item)) continue;
      report(DiagnosticKind::overrides_nothing, one->name.place, "there is no `" + name + "` to override",
             machine.base.empty() ? "this machine extends no other" : "the machine that this one extends has none")
          .help.push_back("leave out `override` to add a member");
    } else if (!is_override(*one) && inherited) {
      report(DiagnosticKind::missing_override, one->name.place, "`" + name + "` replaces an inherited member",
             "declared again here")
          .labels.push_back({replaced->name.place, "inherited from `" + replaced->owner->name.text + "`"});
    } else if (!is_override(*one) && derived && !inherited) {
      report(DiagnosticKind::missing_override, one->name.place,
             "`" + name + "` already follows from the protocols of this machine", "declared again here")
          .help.push_back("write `override fn " + name + "` to replace the derived cost");
    } else if (inherited) {
      check_override_type(*one, *replaced);
    }
  }
}

void Checker::check_override_type(const Item& item, const Item& replaced) {
  if (is_unknown(replaced)) return;
  std::string difference;
  if (item.node.index() != replaced.node.index()) {
    difference = "it is " + with_article(kind_of(item)) + ", the inherited one " + with_article(kind_of(replaced));
  } else if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    difference = differing(item, replaced);
  } else if (!std::holds_alternative<item::Protocol>(item.node)) {
    const TypeRef type = type_of(item, item.name.place);
    const TypeRef inherited = type_of(replaced, replaced.name.place);
    if (!is_unknown(type) && !is_unknown(inherited) && key_of(type) != key_of(inherited)) {
      difference = "it is " + quoted(type) + ", the inherited one " + quoted(inherited);
    }
  }
  if (difference.empty()) return;
  Diagnostic& d = report(DiagnosticKind::incompatible_override, item.name.place,
                         "the override of `" + item.name.text + "` does not fit: " + difference, "replaced here");
  d.labels.push_back({replaced.name.place, "the inherited one"});
  d.help.push_back("what works with the inherited member must work with this one");
}

// How an offered function or collective differs from the wanted one; "" where it does not.
std::string Checker::differing(const Item& offered, const Item& wanted) {
  if (is_unknown(offered) || is_unknown(wanted)) return "";
  const bool callable =
      std::holds_alternative<item::Function>(offered.node) || std::holds_alternative<item::Collective>(offered.node);
  const std::string name = "`" + wanted.name.text + "`";
  if (!callable || offered.node.index() != wanted.node.index()) {
    return name + " is " + with_article(kind_of(offered)) + ", not " + with_article(kind_of(wanted));
  }
  const Signature a = signature_of(offered);
  const Signature b = signature_of(wanted);
  if (a.parameters.size() != b.parameters.size()) {
    return name + " takes " + std::to_string(a.parameters.size()) + " arguments, not " +
           std::to_string(b.parameters.size());
  }
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const auto& p = a.parameters[i];
    const auto& q = b.parameters[i];
    if (p.name != q.name) return "parameter of " + name + " is called `" + p.name + "`, not `" + q.name + "`";
    if (p.type && q.type && !agrees(q.type, p.type)) {
      return "parameter `" + p.name + "` of " + name + " is " + quoted(p.type) + ", not " + quoted(q.type);
    }
    if (q.optional && !p.optional) return "parameter `" + p.name + "` of " + name + " has no default";
  }
  if (!agrees(a.result, b.result)) return name + " gives " + quoted(a.result) + ", not " + quoted(b.result);
  return "";
}

void Checker::check_interface_met(const Item& item) {
  const Item* interface = interface_of(item);
  if (!interface) return;
  std::string missing;
  bool costs_missing = false;
  for (const auto& wanted : *members_of(*interface)) {
    const Item* offered = member(item, wanted->name.text);
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
    const std::string difference = differing(*offered, *wanted);
    if (difference.empty()) continue;
    report(DiagnosticKind::interface_not_met, offered->name.place,
           "`" + item.name.text + "` does not offer what `" + interface->name.text + "` asks: " + difference,
           "declared here")
        .labels.push_back({wanted->name.place, "asked for here"});
  }
  if (missing.empty() || may_have_more(item)) return;
  Diagnostic& d = report(DiagnosticKind::interface_not_met, item.name.place,
                         "`" + item.name.text + "` does not offer all that `" + interface->name.text + "` asks",
                         "missing: " + missing);
  d.labels.push_back({interface->name.place, "the interface is declared here"});
  if (costs_missing) d.help.push_back("`send`, `recv` and `total` follow from a `protocol`");
}

std::vector<TypeRef> Checker::open_parameters(std::vector<Parameter>& parameters, const char* what) {
  std::vector<TypeRef> found;
  std::vector<std::pair<std::string, TypeRef>> named;
  for (Parameter& parameter : parameters) {
    found.push_back(resolve(parameter.type, what, parameter.name.place));
    named.emplace_back(parameter.name.text, found.back());
  }
  check_default_values(parameters, named);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    declare_local({parameters[i].name.text, found[i], parameters[i].name.place});
  }
  return found;
}

void Checker::check_collective(Item& item, item::Collective& collective) {
  LocalScope scope(context_.locals);
  open_parameters(collective.parameters, "a parameter of a collective");
  if (collective.result) {
    const TypeRef result = resolve(*collective.result);
    if (!is_unknown(result) && !agrees(result, time_type())) {
      report(DiagnosticKind::dimension_mismatch, collective.result->place,
             "a collective takes time, not " + quoted(result), "this is " + quoted(result));
    }
  }
  if (collective.cost) {
    expect(*collective.cost, time_type(),
           {collective.result ? collective.result->place : item.name.place, "a collective gives `time`"});
  }
  if (collective.has_algorithm) check_algorithm(item, collective);
  const bool in_interface = item.owner && is_interface(*item.owner);
  if (collective.cost || collective.has_algorithm || in_interface) return;
  report(DiagnosticKind::missing_body, item.name.place, "`" + item.name.text + "` has neither a cost nor an algorithm",
         "only an interface lists collectives without one")
      .help.push_back("write `: time = ` and its cost, or `on R[r: p] { ... }` and its messages");
}

}  // namespace wave::frontend::check
