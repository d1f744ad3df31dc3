// See names.h: what is found.
#include "frontend/check/names.h"

#include "frontend/ast/operators.h"
#include "frontend/check/module_names.h"
#include "frontend/check/program.h"
#include "frontend/check/reports.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace wave::frontend::check {
namespace {

constexpr std::array corner_names{"NW", "NE", "SW", "SE"};

bool is_corner(const std::string& name) {
  return std::find(corner_names.begin(), corner_names.end(), name) != corner_names.end();
}

bool is_letter_of_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

// Whether a line of the text begins with a word and then the name, `machine SP2`: so its declarations are found without
// reading the module.
bool declares(const std::string& text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += name.size()) {
    const std::size_t end = at + name.size();
    if (at < 2 || text[at - 1] != ' ' || (end < text.size() && is_letter_of_name(text[end]))) continue;
    const std::size_t line = text.rfind('\n', at) + 1;  // 0 where there is none
    const std::string_view word = std::string_view(text).substr(line, at - 1 - line);
    for (const char* declaration : {"machine", "model", "fn", "type", "let", "interface", "procedure"}) {
      if (word == declaration) return true;
    }
  }
  return false;
}

std::vector<std::string> standard_modules_with(const std::string& name) {
  std::vector<std::string> modules;
  for (const auto& [key, text] : standard_library()) {
    if (declares(text, name)) modules.push_back(key);
  }
  return modules;
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
  for (std::size_t i = locals; i-- > 0;) {
    const LocalName& local = context_.locals[i];
    if (local.name == name) return {target::Local{}, local.function, &local};
  }
  if (context_.owner) {
    if (const Item* item = member(*context_.owner, name)) {
      // A `-D` value sees the parameters of its model alone; a study that is asked for sees what one in the file does.
      if (!context_.in_override || context_.in_study || is_any_of<item::Param>(*item)) return {target::Member{}, item};
    }
  }
  if (const auto scope = scopes_.find(context_.module); scope != scopes_.end()) {
    if (const auto found = scope->second.find(name); found != scope->second.end()) {
      const Binding& binding = found->second;
      if (binding.missing) return {target::Unresolved{}, nullptr, nullptr, true};
      if (binding.module) return {target::ImportedModule{binding.module}};
      return {target::Global{binding.item}, binding.item};
    }
  }
  if (context_.owner && is_machine(*context_.owner) && is_derived_cost(name) &&
      !protocols_of(*context_.owner).empty()) {
    return {target::Member{}};
  }
  if (const auto function = find_function(name)) return {target::Builtin{*function}};
  if (is_corner(name)) return {target::CornerName{}};
  if (context_.in_override) {
    if (const Item* item = find_in_standard(name)) return {target::Global{item}, item};
  }
  return {target::Unresolved{}};
}

bool Names::in_scope(const std::string& name) {
  const Found found = look_up(name);
  return !std::holds_alternative<target::Unresolved>(found.target) &&
         !std::holds_alternative<target::Builtin>(found.target) &&
         !std::holds_alternative<target::CornerName>(found.target);
}

Place Names::hidden_by_sweep(const LocalName& given) {
  const Found behind = look_up(given.name, static_cast<std::size_t>(&given - context_.locals.data()));
  if (behind.local) return behind.local->of_sweep ? Place{} : behind.local->place;
  if (behind.item) return behind.item->name.place;
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

void Names::report_unknown_name(const std::string& name, Place place) {
  if (reports_.lacks_names()) return;
  if (context_.module && missing_suggested_.count({context_.module, name})) return;  // its import has been reported
  const auto modules = context_.in_override ? standard_modules_with(name) : std::vector<std::string>{};
  if (modules.size() > 1) {
    Diagnostic& several = reports_.add(
        DiagnosticKind::unknown_name, place,
        counted(modules.size(), "module declares", "modules declare") + " `" + name + "`", "which one is not said");
    for (const std::string& module : modules) several.help.push_back("write `" + module + "." + name + "`");
    return;
  }
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_name, place, "unknown name `" + name + "`", "not declared here");
  if (name == "local") {
    d.help.push_back("`local` is known in protocols only; functions take it as an argument");
  } else if (name == "tile" || name == "corner") {
    d.help.push_back("`" + name + "` is known inside a `sweep` only");
  } else {
    reports_.suggest(d, name, [&] { return names_in_scope(); });
  }
}

// A name that two modules declare is ambiguous, and means neither.
const Item* Names::find_in_standard(const std::string& name) {
  const auto modules = standard_modules_with(name);
  const Module* module = modules.size() == 1 ? standard(modules.front()) : nullptr;
  return module ? find_declaration(*module, name) : nullptr;
}

}  // namespace wave::frontend::check
