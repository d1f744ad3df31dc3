// Names: what modules declare and import, how machines are linked to what they extend, locals, and what a name means.
#include "frontend/check/names.h"

#include "frontend/ast/operators.h"
#include "frontend/check/modules.h"
#include "frontend/check/program.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wave::frontend::check {
namespace {

constexpr std::size_t deepest_extension = 100;

bool is_language_type(const std::string& name) {
  static const std::set<std::string> names{"int",   "real", "bool", "string", "order", "corner",
                                           "level", "axis", "time", "data",   "work"};
  return names.count(name) > 0;
}

}  // namespace

void Names::declare(const Module& module) {
  scopes_[&module];
  for (const auto& item : module.items) {
    declare_levels(*item);
    if (const auto* import = std::get_if<item::Import>(&item->node)) {
      declare_import(*item, *import);
    } else if (!item->name.text.empty() && !is_any_of<item::Test, item::Study>(*item)) {
      bind(module, item->name.text, {item->name.location, item.get()});
    }
  }
}

void Names::declare_levels(const Item& owner) {
  const auto* members = members_of(owner);
  for (std::size_t i = 0; members && i < members->size(); ++i) {
    const Item& member = *(*members)[i];
    if (const auto* levels = std::get_if<item::Levels>(&member.node)) {
      for (const Identifier& name : levels->names) levels_.insert(name.text);
    } else if (const auto* grid = std::get_if<item::Grid>(&member.node)) {
      for (const item::GridLevel& level : grid->levels) levels_.insert(level.name.text);
    }
  }
}

void Names::report_unknown_level(const Identifier& name, const std::vector<std::string>& levels, std::string message) {
  if (reports_.lacks_names()) return;
  Diagnostic& d =
      reports_.add(DiagnosticKind::level_unknown, name.location, std::move(message), "not declared as a level");
  suggest_nearest(d, name.text, levels);
}

void Names::declare_import(const Item& item, const item::Import& import) {
  const Module& here = *item.module;
  if (!import.selective) {
    const std::string name = import_name(import);
    const Location location = import.alias                   ? import.alias->location
                              : import.path_location.known() ? import.path_location
                                                             : item.location;
    bind(here, name, {location, nullptr, import.module, import.module == nullptr});
    return;
  }
  for (const ImportedName& one : import.names) {
    const Identifier& name = one.name;
    const Item* found = import.module ? find_declaration(*import.module, name.text) : nullptr;
    if (found && is_any_of<item::Study>(*found)) found = nullptr;
    if (import.module && !found && !may_declare_more(*import.module)) {
      report_missing_in(*import.module, import.module->name, name);
      missing_suggested_.emplace(&here, nearest(name.text, names_of(*import.module)));
    }
    if (found) refer(name.location, found->name.location);
    if (found) refer(one.here().location, found->name.location);
    bind(here, one.here().text, {one.here().location, found, nullptr, !found});
  }
}

void Names::bind(const Module& module, const std::string& name, Binding binding) {
  if (name.empty()) return;
  if (is_language_type(name) && binding.item &&
      is_any_of<item::Record, item::Interface, item::Machine, item::Model>(*binding.item)) {
    reports_.add(DiagnosticKind::duplicate_name, binding.location, "`" + name + "` is a type of the language",
                 "declared again here");
    return;
  }
  const auto [known, fresh] = scopes_[&module].emplace(name, binding);
  if (fresh || (known->second.item && known->second.item == binding.item)) return;
  reports_
      .add(DiagnosticKind::duplicate_name, binding.location, "`" + name + "` is declared twice", "declared again here")
      .labels.push_back({known->second.location, "first declared here"});
}

void Names::declare_local(LocalName local) {
  if (const LocalName* other = find_local(local.name)) report_declared_twice(local, *other);
  context_.locals.push_back(std::move(local));
}

const LocalName* Names::find_local(const std::string& name) const { return context_.locals.find_declared(name); }

void Names::report_declared_twice(const LocalName& again, const LocalName& first) {
  reports_
      .add(DiagnosticKind::duplicate_name, again.location, "`" + again.name + "` is declared twice",
           "declared again here")
      .labels.push_back({first.location, first.of_sweep ? "the sweep gives it to its body" : "first declared here"});
}

const Item* Names::find_grid(const Identifier& name) {
  if (asks(name.text, "grid")) return nullptr;
  const Item* found = context_.owner ? member(*context_.owner, name.text) : nullptr;
  if (found && std::holds_alternative<item::Grid>(found->node)) {
    refer(name.location, found->name.location);
    dependences_.depends_on(found);
    return found;
  }
  if (found ? is_unknown(*found) : reports_.lacks_names()) return nullptr;
  if (found) {
    reports_
        .add(DiagnosticKind::type_mismatch, name.location,
             "`" + name.text + "` is " + with_article(kind_of(*found)) + ", not a grid", "a grid is expected here")
        .labels.push_back({found->name.location, "declared here"});
    return nullptr;
  }
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, name.location, "unknown grid `" + name.text + "`",
                               "not declared here");
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
  if (is_own) return found->second.item;
  const auto handed_on = module.handed_on.find(name);
  return handed_on == module.handed_on.end() ? nullptr : handed_on->second.item;
}

const Item* Names::find_item_by_path(const std::vector<Identifier>& path, const char* what) {
  const auto understood = [](const Item* item) { return item && is_unknown(*item) ? nullptr : item; };
  if (path.empty() || path.front().text.empty()) return nullptr;  // not understood, which the parser has reported
  const std::string& first = path.front().text;
  if (asks(first, what)) return nullptr;
  const Item* own = context_.owner && path.size() == 1 ? member(*context_.owner, first) : nullptr;
  if (own) refer(path.front().location, own->name.location);
  if (own) return understood(own);
  const Scope& scope = scopes_[context_.module];
  const auto found = scope.find(first);
  if (found != scope.end()) {
    const Binding binding = found->second;
    if (binding.missing) return nullptr;
    refer(path.front().location, binding.item ? binding.item->name.location : binding.location);
    if (path.size() == 1 && !binding.module) return understood(binding.item);
    if (path.size() == 2 && binding.module) return understood(find_in_module(*binding.module, path));
  }
  // Does not report names that a syntax error hides, or whose import has been reported.
  const bool is_reported = path.size() == 1 && context_.module && missing_suggested_.count({context_.module, first});
  if (!reports_.lacks_names() && !is_reported) report_unknown_item(path, what);
  return nullptr;
}

const Item* Names::find_in_module(const Module& module, const std::vector<Identifier>& path) {
  if (asks_member(path[1].text, nullptr, &module)) return nullptr;
  const Item* item = item_of(module, path[1].text);
  if (item) refer(path[1].location, item->name.location);
  if (item || may_declare_more(module)) return item;
  report_missing_in(module, path[0].text, path[1]);
  return nullptr;
}

void Names::report_missing_in(const Module& module, const std::string& module_name, const Identifier& name) {
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_member, name.location,
                               "module `" + module_name + "` has no `" + name.text + "`", "not declared there");
  reports_.suggest(d, name.text, [&] { return names_of(module); });
  if (find_imported(module, name.text))
    d.help.push_back("`" + module_name + "` imports it, and hands on only what it imports with `export import`");
}

void Names::report_unknown_item(const std::vector<Identifier>& path, const char* what) {
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, path.front().location,
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

// Finds the interface and the base of a machine, before anything else is asked of it.
void Names::link_machine(Item& item, item::Machine& machine) {
  if (!machine.interface.empty()) {
    const Item* found = find_item_by_path(machine.interface, "interface");
    if (found && is_interface(*found))
      machine.interface_item = found;
    else if (found)
      report_wrong_kind(*found, machine.interface.front().location, "an interface");
  }
  if (machine.base.empty()) return;
  const Item* found = find_item_by_path(machine.base, "machine");
  if (!found) return;
  if (!is_machine(*found)) {
    report_wrong_kind(*found, machine.base.front().location, "a machine");
    return;
  }
  std::vector<const Item*> cycle{&item};
  for (const Item* base = found; base; base = std::get<item::Machine>(base->node).base_item) {
    if (base == &item) {
      dependences_.report_cycle(cycle);
      return;  // this base is not taken, so there is no cycle
    }
    cycle.push_back(base);
    if (cycle.size() <= deepest_extension) continue;
    reports_.add(DiagnosticKind::too_deep, machine.base.front().location, "too many machines extend each other",
                 "more than " + std::to_string(deepest_extension) + " behind each other");
    return;
  }
  machine.base_item = found;
}

void Names::report_wrong_kind(const Item& found, Location location, const char* expected) {
  reports_
      .add(DiagnosticKind::not_a_type, location,
           "`" + found.name.text + "` is " + with_article(kind_of(found)) + ", not " + expected,
           std::string(expected) + " is expected here")
      .labels.push_back({found.name.location, "declared here"});
}

// --- what a name means ---
namespace {

constexpr std::array corner_names{"NW", "NE", "SW", "SE"};

bool is_corner(const std::string& name) {
  return std::find(corner_names.begin(), corner_names.end(), name) != corner_names.end();
}

}  // namespace

const Item* Names::member(const Item& owner, const std::string& name) {
  auto [index, fresh] = member_index_.try_emplace(&owner);
  if (fresh) {
    std::vector<const Item*> owners = with_bases(owner);
    if (const Item* interface = interface_of(owner)) owners.push_back(interface);
    for (const Item* one : owners) {
      const auto* members = members_of(*one);
      if (!members) continue;
      for (const auto& item : *members) {
        if (!item->name.text.empty()) index->second.emplace(item->name.text, item.get());
      }
    }
  }
  const auto found = index->second.find(name);
  return found == index->second.end() ? nullptr : found->second;
}

Names::Found Names::look_up(const std::string& name, std::size_t locals) {
  if (const LocalName* local = context_.locals.find(name, locals)) return {target::Local{}, local->function, local};
  if (context_.owner) {
    if (const Item* item = member(*context_.owner, name)) {
      // A `-D` value only sees the parameters of its model. A study that is asked for sees what one in the file would
      // see.
      if (!context_.in_override || context_.in_study || is_any_of<item::Param>(*item)) return {target::Member{}, item};
    }
  }
  if (const auto scope = scopes_.find(context_.module); scope != scopes_.end()) {
    if (const auto found = scope->second.find(name); found != scope->second.end()) {
      const Binding& binding = found->second;
      if (binding.missing) return {target::Unresolved{}, nullptr, nullptr, true};
      if (binding.module) return {target::ImportedModule{binding.module}, nullptr, nullptr, false, binding.location};
      return {target::Global{binding.item}, binding.item};
    }
  }
  if (context_.owner && is_machine(*context_.owner) && is_derived_cost(name) &&
      !protocols_of(*context_.owner).empty()) {
    return {target::Member{}};
  }
  if (name == "super" && context_.owner && has_unknown_base(*context_.owner)) return {{}, nullptr, nullptr, true};
  if (name == "super" && base_of(context_.owner)) {
    const Item* base = base_of(context_.owner);
    return {target::Super{base}, nullptr, nullptr, false, base->name.location};
  }
  if (const auto function = find_function(name)) return {target::Builtin{*function}};
  if (is_corner(name)) return {target::CornerName{}};
  if (context_.in_override) {
    if (const Item* item = find_in_standard(name)) return {target::Global{item}, item};
  }
  return {target::Unresolved{}};
}

void Names::refer(Location place, const Found& found) {
  if (!found.local || !found.local->of_sweep) refer(place, found.declared());
}

bool Names::in_scope(const std::string& name) {
  const Found found = look_up(name);
  return !std::holds_alternative<target::Unresolved>(found.target) &&
         !std::holds_alternative<target::Builtin>(found.target) &&
         !std::holds_alternative<target::CornerName>(found.target);
}

Location Names::hidden_by_sweep(const LocalName& given) {
  const Found behind = look_up(given.name, context_.locals.around(given));
  if (behind.local) return behind.local->of_sweep ? Location{} : behind.local->location;
  if (behind.item) return behind.item->name.location;
  return {};
}

std::vector<std::string> Names::names_in_scope() {
  std::vector<std::string> names;
  for (const LocalName& local : context_.locals) names.push_back(local.name);
  if (context_.owner) {
    for (std::string& name : member_names(*context_.owner)) names.push_back(std::move(name));
  }
  if (const auto scope = scopes_.find(context_.module); scope != scopes_.end()) {
    for (const auto& [name, binding] : scope->second) names.push_back(name);
  }
  for (std::string& name : function_names()) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

void Names::report_unknown_name(const std::string& name, Location location) {
  if (reports_.lacks_names()) return;
  if (context_.module && missing_suggested_.count({context_.module, name})) return;  // its import has been reported
  const auto modules = context_.in_override ? standard_modules_with(name) : std::vector<std::string>{};
  if (modules.size() > 1) {
    Diagnostic& several = reports_.add(
        DiagnosticKind::unknown_name, location,
        counted(modules.size(), "module declares", "modules declare") + " `" + name + "`", "which one is not said");
    for (const std::string& module : modules) several.help.push_back("write `" + module + "." + name + "`");
    return;
  }
  if (name == "super") return report_super_of_nothing(location);
  Diagnostic& d =
      reports_.add(DiagnosticKind::unknown_name, location, "unknown name `" + name + "`", "not declared here");
  reports_.answer(d, name, [&] { return names_in_scope(); });
}

void Names::report_super_of_nothing(Location location) {
  const bool in_machine = context_.owner && is_machine(*context_.owner);
  Diagnostic& d = reports_.add(DiagnosticKind::wrong_super, location,
                               in_machine ? "`" + context_.owner->name.text + "` extends no machine"
                                          : "`super` is known in a machine that extends another",
                               in_machine ? "`super` of nothing" : "this is in no machine");
  if (in_machine) {
    d.labels.push_back({context_.owner->name.location, "declared here"});
    d.help.push_back("`super` is the machine that this one `extends`; what an interface gives is called by its name");
  } else {
    d.help.push_back("call a member by the machine that has it, as in `net.total(s)`");
  }
}

// A name that two modules declare is ambiguous and means neither.
const Item* Names::find_in_standard(const std::string& name) {
  const auto modules = standard_modules_with(name);
  const Module* module = modules.size() == 1 ? standard(modules.front()) : nullptr;
  return module ? find_declaration(*module, name) : nullptr;
}

}  // namespace wave::frontend::check
