// Machines and collectives: whether interfaces are met, levels kept, and resources declared.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <set>

namespace wave::frontend::check {
namespace {

bool is_override(const Item& item) {
  if (const auto* n = std::get_if<item::Function>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Protocol>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Collective>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Param>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Let>(&item.node)) return n->is_override;
  if (const auto* n = std::get_if<item::Resource>(&item.node)) return n->is_override;
  return false;
}

}  // namespace

void Machines::check_machine(Item& item, item::Machine& machine) {
  declarations_.check_members(machine.members, &item);
  check_levels(machine);
  check_overrides(item, machine);
  check_protocol_choice(item);
  check_interface_met(item);
  check_computed(item);
}

// What processes call where they compute: `fn computed(work: time, draw: real): time`. A machine of an interface that
// has it is compared with that.
void Machines::check_computed(const Item& item) {
  const Item* const own = names_.member(item, "computed");
  const Item* const interface = is_machine(item) ? interface_of(item) : nullptr;
  if (!own || own->owner != &item || is_unknown(*own) || (interface && names_.member(*interface, "computed"))) return;
  const TypeRef type = declarations_.type_of(*own, own->name.location);
  const TypeRef asked = make_type(types::Function{{{"work", time_type()}, {"draw", real_type()}}, time_type()});
  if (is_any_of<item::Function>(*own) && (is_unknown(type) || key_of(type) == key_of(asked))) return;
  reports_
      .add(DiagnosticKind::interface_not_met, own->name.location,
           "`computed` of a machine is what processes call where they compute, and this is " +
               (is_any_of<item::Function>(*own) ? quoted(type) : with_article(kind_of(*own))),
           "`fn computed(work: time, draw: real): time` is asked for")
      .help.emplace_back("write `fn computed(work: time, draw: real): time = ...`, or give this another name");
}

// A machine that extends another may know more levels, but those of the other stay in their order.
void Machines::check_levels(const item::Machine& machine) {
  const item::Levels* own = nullptr;
  for (const auto& member : machine.members) {
    const auto* levels = std::get_if<item::Levels>(&member->node);
    if (!levels) continue;
    if (own)
      reports_.add(DiagnosticKind::repeated_clause, member->location, "`levels` stands here twice", "given before");
    else
      own = levels;
  }
  if (!own) return;
  std::set<std::string> seen{"none"};
  for (const Identifier& name : own->names) {
    if (seen.insert(name.text).second) continue;
    reports_.add(DiagnosticKind::duplicate_name, name.location,
                 name.text == "none" ? "`none` says that nothing is shared, so no level is called that"
                                     : "the level `" + name.text + "` is declared twice",
                 "declared here");
  }
  if (!machine.base_item) return;
  std::size_t at = 0;
  for (const std::string& inherited : levels_of(*machine.base_item)) {
    while (at < own->names.size() && own->names[at].text != inherited) ++at;
    if (at < own->names.size()) continue;
    reports_
        .add(DiagnosticKind::incompatible_override, own->names.front().location,
             "the level `" + inherited + "` of `" + machine.base_item->name.text + "` is missing, or in another order",
             "these take the place of the inherited levels")
        .help.push_back("list all inherited levels as they stand there, the innermost first, and yours between them");
    return;
  }
}

// `resource nic of node servers 2`
void Machines::check_resource(item::Resource& resource) {
  if (resource.level) {
    const std::vector<std::string> levels = levels_of(*context_.owner);
    const bool known = std::find(levels.begin(), levels.end(), resource.level->text) != levels.end();
    if (!known && !may_have_more(*context_.owner)) {
      names_.report_unknown_level(*resource.level, levels,
                                  "`" + context_.owner->name.text + "` knows no level `" + resource.level->text + "`");
    }
  }
  if (resource.count) expressions_.expect(*resource.count, int_type());
  if (resource.servers) expressions_.expect(*resource.servers, int_type());
}

// What a step asks for: a resource that is declared, with its number where there are several.
void Machines::check_use(statement::Use& use) {
  expressions_.expect(*use.occupied, time_type(), {{}, ""});
  if (use.index) expressions_.expect(*use.index, int_type());
  if (names_.asks(use.resource.text, "resource")) return;
  const Item* found = names_.member(*context_.owner, use.resource.text);
  if (found) names_.refer(use.resource.location, found->name.location);
  const auto* resource = found ? std::get_if<item::Resource>(&found->node) : nullptr;
  if (!resource) {
    if (found ? is_unknown(*found) : may_have_more(*context_.owner)) return;
    std::vector<std::string> names;
    for (std::string& name : member_names(*context_.owner)) {
      const Item* other = names_.member(*context_.owner, name);
      if (other && is_any_of<item::Resource>(*other)) names.push_back(std::move(name));
    }
    Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, use.resource.location,
                                 "unknown resource `" + use.resource.text + "`", "not declared here");
    suggest_nearest(d, use.resource.text, names);
    d.help.push_back("a machine declares its resources, as in `resource " + use.resource.text + " of process`");
    return;
  }
  dependences_.depends_on(found);
  if (static_cast<bool>(resource->count) == static_cast<bool>(use.index)) return;
  reports_
      .add(DiagnosticKind::wrong_index, use.resource.location,
           resource->count ? "which `" + use.resource.text + "` is asked for is not said"
                           : "there is one `" + use.resource.text + "`, so it has no number",
           resource->count ? "write `" + use.resource.text + "[...]`, counted from 0" : "a number is given")
      .labels.push_back({found->name.location, "declared here"});
}

namespace {

Location beginning_of(const Item& item) { return {item.location.file, item.location.begin, item.location.begin}; }

}  // namespace

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
    if (inherited) refer_to_replaced(*one, *replaced);
    if (is_override(*one) && !inherited && !derived && !declared) {
      if (may_have_more(item)) continue;
      Diagnostic& d = reports_.add(
          DiagnosticKind::overrides_nothing, one->name.location, "there is no `" + name + "` to override",
          machine.base.empty() ? "this machine extends no other" : "the machine that this one extends has none");
      d.help.push_back("leave out `override` to add a member");
      Location word = beginning_of(*one);
      word.end += static_cast<std::uint32_t>(std::string_view("override ").size());
      d.fixes.push_back({word, ""});
    } else if (!is_override(*one) && inherited) {
      Diagnostic& d = reports_.add(DiagnosticKind::missing_override, one->name.location,
                                   "`" + name + "` replaces an inherited member", "declared again here");
      d.labels.push_back({replaced->name.location, "inherited from `" + replaced->owner->name.text + "`"});
      d.fixes.push_back({beginning_of(*one), "override "});
    } else if (!is_override(*one) && derived && !inherited) {
      Diagnostic& d =
          reports_.add(DiagnosticKind::missing_override, one->name.location,
                       "`" + name + "` already follows from the protocols of this machine", "declared again here");
      d.help.push_back("write `override fn " + name + "` to replace the derived cost");
      d.fixes.push_back({beginning_of(*one), "override "});
    } else if (inherited) {
      check_override_type(*one, *replaced);
    }
  }
}

// What replaces a member or is what an interface asks for has its name, and its parameters have those of its
// parameters.
void Machines::refer_to_replaced(const Item& item, const Item& replaced) {
  names_.refer(item.name.location, replaced.name.location);
  const auto* own = parameters_of(item);
  const auto* asked = parameters_of(replaced);
  for (std::size_t i = 0; own && asked && i < std::min(own->size(), asked->size()); ++i) {
    if ((*own)[i].name.text == (*asked)[i].name.text) names_.refer((*own)[i].name.location, (*asked)[i].name.location);
  }
}

void Machines::check_override_type(const Item& item, const Item& replaced) {
  if (is_unknown(replaced)) return;
  std::string difference;
  if (item.node.index() != replaced.node.index()) {
    difference = "it is " + with_article(kind_of(item)) + ", the inherited one " + with_article(kind_of(replaced));
  } else if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    difference = types_.differing(item, replaced);
  } else if (!is_any_of<item::Protocol, item::Resource>(item)) {
    const TypeRef type = declarations_.type_of(item, item.name.location);
    const TypeRef inherited = declarations_.type_of(replaced, replaced.name.location);
    if (!is_unknown(type) && !is_unknown(inherited) && key_of(type) != key_of(inherited)) {
      difference = "it is " + quoted(type) + ", the inherited one " + quoted(inherited);
    }
  }
  if (difference.empty()) return;
  Diagnostic& d = reports_.add(DiagnosticKind::incompatible_override, item.name.location,
                               "the override of `" + item.name.text + "` does not fit: " + difference, "replaced here");
  d.labels.push_back({replaced.name.location, "the inherited one"});
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
    if (!offered || offered->owner != &item) continue;  // it is reported for the machine that declares it
    refer_to_replaced(*offered, *wanted);
    const std::string difference = types_.differing(*offered, *wanted);
    if (difference.empty()) continue;
    reports_
        .add(DiagnosticKind::interface_not_met, offered->name.location,
             "`" + item.name.text + "` does not offer what `" + interface->name.text + "` asks: " + difference,
             "declared here")
        .labels.push_back({wanted->name.location, "asked for here"});
  }
  if (missing.empty() || may_have_more(item)) return;
  Diagnostic& d = reports_.add(DiagnosticKind::interface_not_met, item.name.location,
                               "`" + item.name.text + "` does not offer all that `" + interface->name.text + "` asks",
                               "missing: " + missing);
  d.labels.push_back({interface->name.location, "the interface is declared here"});
  if (costs_missing) d.help.push_back("`send`, `recv` and `total` follow from a `protocol`");
}

void Machines::check_collective(Item& item, item::Collective& collective) {
  LocalScope scope(context_);
  functions_.open_parameters(collective.parameters, "a parameter of a collective");
  if (collective.result) {
    const TypeRef result = types_.resolve(*collective.result);
    if (!is_unknown(result) && !types_.agrees(result, time_type())) {
      reports_.add(DiagnosticKind::dimension_mismatch, collective.result->location,
                   "a collective takes time, not " + quoted(result), "this is " + quoted(result));
    }
  }
  if (collective.cost) {
    expressions_.expect(
        *collective.cost, time_type(),
        {collective.result ? collective.result->location : item.name.location, "a collective gives `time`"});
  }
  if (collective.has_algorithm) processes_.check_algorithm(collective);
  const bool in_interface = item.owner && is_interface(*item.owner);
  if (collective.cost || collective.has_algorithm || in_interface) return;
  reports_
      .add(DiagnosticKind::missing_body, item.name.location,
           "`" + item.name.text + "` has neither a cost nor an algorithm",
           "only an interface lists collectives without one")
      .help.push_back("write `: time = ` and its cost, or `on R[r: p] { ... }` and its messages");
}

}  // namespace wave::frontend::check
