// See module_names.h.
#include "frontend/check/module_names.h"

#include "frontend/check/files.h"

#include <algorithm>
#include <cctype>

namespace wave::frontend {
namespace {

constexpr const char* extension = ".wave";

// `lattice.shapes`, not the name of a file.
bool is_dotted(const std::string& name) {
  bool at_start = true;
  for (const char c : name) {
    const bool is_letter = std::isalpha(static_cast<unsigned char>(c)) || c == '_';
    if (c == '.' ? at_start : !(is_letter || (!at_start && std::isdigit(static_cast<unsigned char>(c))))) return false;
    at_start = c == '.';
  }
  return !at_start && !name.ends_with(extension);
}

bool is_standard(const std::string& name) {
  const auto& modules = standard_library();
  return std::any_of(modules.begin(), modules.end(), [&](const auto& one) { return one.first == name; });
}

}  // namespace

const Item* find_declaration(const Module& module, const std::string& name) {
  for (const auto& item : module.items) {
    const bool named =
        !std::holds_alternative<item::Test>(item->node) && !std::holds_alternative<item::Import>(item->node);
    if (named && item->name.text == name) return item.get();
  }
  return nullptr;
}

std::string import_name(const item::Import& import) {
  if (import.alias) return import.alias->text;
  if (!import.file) return import.path.empty() ? "" : import.path.back().text;
  const std::size_t slash = import.file->rfind('/');
  const std::string file = slash == std::string::npos ? *import.file : import.file->substr(slash + 1);
  return file.substr(0, file.find('.'));
}

std::optional<ModuleLocation> find_module(const std::string& name, const SearchPath& search) {
  if (check::is_file(name)) return ModuleLocation{name};
  if (!is_dotted(name)) return std::nullopt;
  if (is_standard(name)) return ModuleLocation{name, true};
  std::string file = name + extension;
  std::replace(file.begin(), file.end() - static_cast<std::ptrdiff_t>(std::string(extension).size()), '.', '/');
  if (check::is_file(file)) return ModuleLocation{file};
  for (const std::string& folder : search.folders) {
    std::string path = check::join(folder, file);
    if (check::is_file(path)) return ModuleLocation{std::move(path)};
  }
  return std::nullopt;
}

std::string nearest_module(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [key, text] : standard_library()) names.push_back(key);
  return nearest(name, names);
}

const Module* imported_module(const Module& module, const std::string& name) {
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (import && import->module && !import->selective && import_name(*import) == name) return import->module;
  }
  return nullptr;
}

const Item* find_imported(const Module& module, const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos) {
    const Module* from = imported_module(module, name.substr(0, dot));
    return from ? find_declaration(*from, name.substr(dot + 1)) : nullptr;
  }
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (!import || !import->module) continue;
    const auto same = [&](const Identifier& one) { return one.text == name; };
    if (std::any_of(import->names.begin(), import->names.end(), same)) return find_declaration(*import->module, name);
  }
  return nullptr;
}

std::vector<std::string> imported_models(const Module& module) {
  std::vector<std::string> names;
  const auto add = [&](const Module& from, const std::string& name, const std::string& shown) {
    const Item* item = find_declaration(from, name);
    if (item && std::holds_alternative<item::Model>(item->node)) names.push_back(shown);
  };
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (!import || !import->module) continue;
    for (const Identifier& one : import->names) add(*import->module, one.text, one.text);
    for (const auto& one : import->module->items) {
      if (!import->selective) add(*import->module, one->name.text, import_name(*import) + "." + one->name.text);
    }
  }
  return names;
}

}  // namespace wave::frontend
