// What modules declare and import, under which names; how machines are linked to what they extend; locals.
#include "frontend/check/dependences.h"
#include "frontend/check/loader.h"
#include "frontend/check/module_names.h"
#include "frontend/check/names.h"
#include "frontend/check/reports.h"

namespace wave::frontend::check {
namespace {

constexpr std::size_t deepest_extension = 100;

bool is_language_type(const std::string& name) {
  static const std::set<std::string> names{"int", "real", "bool", "string", "order", "corner", "time", "data", "work"};
  return names.count(name) > 0;
}

}  // namespace

void Names::declare(const Module& module) {
  scopes_[&module];
  for (const auto& item : module.items) {
    if (const auto* import = std::get_if<item::Import>(&item->node)) {
      declare_import(*item, *import);
    } else if (!item->name.text.empty() && !is_any_of<item::Test, item::Study>(*item)) {
      bind(module, item->name.text, {item->name.place, item.get()});
    }
  }
}

void Names::declare_import(const Item& item, const item::Import& import) {
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
        Diagnostic& d =
            reports_.add(DiagnosticKind::unknown_member, name.place,
                         "module `" + import.module->name + "` has no `" + name.text + "`", "not declared there");
        reports_.suggest(d, name.text, [&] { return names; });
        missing_suggested_.emplace(&here, nearest(name.text, names));
      }
    }
    bind(here, name.text, {name.place, found, nullptr, !found});
  }
}

void Names::bind(const Module& module, const std::string& name, Binding binding) {
  if (name.empty()) return;
  if (is_language_type(name) && binding.item &&
      is_any_of<item::Record, item::Interface, item::Machine, item::Model>(*binding.item)) {
    reports_.add(DiagnosticKind::duplicate_name, binding.place, "`" + name + "` is a type of the language",
                 "declared again here");
    return;
  }
  const auto [known, fresh] = scopes_[&module].emplace(name, binding);
  if (fresh || (known->second.item && known->second.item == binding.item)) return;
  reports_.add(DiagnosticKind::duplicate_name, binding.place, "`" + name + "` is declared twice", "declared again here")
      .labels.push_back({known->second.place, "first declared here"});
}

void Names::declare_local(LocalName local) {
  if (const LocalName* other = find_local(local.name)) report_declared_twice(local, *other);
  context_.locals.push_back(std::move(local));
}

const LocalName* Names::find_local(const std::string& name) const {
  for (const LocalName& local : context_.locals) {
    if (local.name == name && local.place.known()) return &local;
  }
  return nullptr;
}

void Names::report_declared_twice(const LocalName& again, const LocalName& first) {
  reports_
      .add(DiagnosticKind::duplicate_name, again.place, "`" + again.name + "` is declared twice", "declared again here")
      .labels.push_back({first.place, first.of_sweep ? "the sweep gives it to its body" : "first declared here"});
}

const Item* Names::find_grid(const Identifier& name) {
  const Item* found = context_.owner ? member(*context_.owner, name.text) : nullptr;
  if (found && std::holds_alternative<item::Grid>(found->node)) {
    dependences_.depends_on(found);
    return found;
  }
  if (found ? is_unknown(*found) : reports_.lacks_names()) return nullptr;
  if (found) {
    reports_
        .add(DiagnosticKind::type_mismatch, name.place,
             "`" + name.text + "` is " + with_article(kind_of(*found)) + ", not a grid", "a grid is expected here")
        .labels.push_back({found->name.place, "declared here"});
    return nullptr;
  }
  Diagnostic& d =
      reports_.add(DiagnosticKind::unknown_name, name.place, "unknown grid `" + name.text + "`", "not declared here");
  std::vector<std::string> grids;
  if (context_.owner) {
    for (const auto& other : *members_of(*context_.owner)) {
      if (std::holds_alternative<item::Grid>(other->node)) grids.push_back(other->name.text);
    }
  }
  suggest_nearest(d, name.text, grids);
  return nullptr;
}

const Item* Names::item_of(const Module& module, const std::string& name) {
  const Scope& scope = scopes_[&module];
  const auto found = scope.find(name);
  const bool is_own = found != scope.end() && found->second.item && found->second.item->module == &module;
  return is_own ? found->second.item : nullptr;
}

const Item* Names::find_item_by_path(const std::vector<Identifier>& path, const char* what) {
  const auto understood = [](const Item* item) { return item && is_unknown(*item) ? nullptr : item; };
  if (path.empty() || path.front().text.empty()) return nullptr;  // not understood, reported by the parser
  const std::string& first = path.front().text;
  const Item* own = context_.owner && path.size() == 1 ? member(*context_.owner, first) : nullptr;
  if (own) return understood(own);
  const Scope& scope = scopes_[context_.module];
  const auto found = scope.find(first);
  if (found != scope.end()) {
    const Binding binding = found->second;
    if (binding.missing) return nullptr;
    if (path.size() == 1 && !binding.module) return understood(binding.item);
    if (path.size() == 2 && binding.module) return understood(find_in_module(*binding.module, path));
  }
  // Names that a syntax error hides, or whose import has been reported, are not reported again.
  const bool is_reported = path.size() == 1 && context_.module && missing_suggested_.count({context_.module, first});
  if (!reports_.lacks_names() && !is_reported) report_unknown_item(path, what);
  return nullptr;
}

const Item* Names::find_in_module(const Module& module, const std::vector<Identifier>& path) {
  const Item* item = item_of(module, path[1].text);
  if (item || !module.broken.empty()) return item;
  std::vector<std::string> names;
  for (const auto& one : module.items) names.push_back(one->name.text);
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_member, path[1].place,
                               "module `" + path[0].text + "` has no `" + path[1].text + "`", "not declared there");
  suggest_nearest(d, path[1].text, names);
  return nullptr;
}

void Names::report_unknown_item(const std::vector<Identifier>& path, const char* what) {
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, path.front().place,
                               std::string("unknown ") + what + " `" + dotted(path) + "`", "not declared here");
  reports_.suggest(d, path.front().text, [&] {
    std::vector<std::string> names{"int", "real", "bool", "string", "order", "corner", "time", "data", "work"};
    for (const auto& [name, binding] : scopes_[context_.module]) names.push_back(name);
    std::sort(names.begin(), names.end());
    return names;
  });
  if (path.front().text == "Machine")
    d.help.push_back("`import std.comm { Machine }` brings the interface of machines");
}

// The interface and the base of a machine, before anything is asked of it.
void Names::link_machine(Item& item, item::Machine& machine) {
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
      dependences_.report_cycle(cycle);
      return;  // without this base there is no cycle
    }
    cycle.push_back(base);
    if (cycle.size() <= deepest_extension) continue;
    reports_.add(DiagnosticKind::too_deep, machine.base.front().place, "too many machines extend each other",
                 "more than " + std::to_string(deepest_extension) + " behind each other");
    return;
  }
  machine.base_item = found;
}

void Names::report_wrong_kind(const Item& found, Place place, const char* expected) {
  reports_
      .add(DiagnosticKind::not_a_type, place,
           "`" + found.name.text + "` is " + with_article(kind_of(found)) + ", not " + expected,
           std::string(expected) + " is expected here")
      .labels.push_back({found.name.place, "declared here"});
}

}  // namespace wave::frontend::check
