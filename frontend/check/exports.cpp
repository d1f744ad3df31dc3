// What a module hands on to those that import it, by `export import`.
#include "frontend/check/members.h"
#include "frontend/check/modules.h"

#include <optional>

namespace wave::frontend {
namespace {

// Whether it is what those who import the module get by its name.
bool can_be_named(const Module& module, const Item& item) {
  const auto found = module.by_name.find(item.name.text);
  return found != module.by_name.end() && found->second == &item;
}

}  // namespace

const Item* find_declaration(const Module& module, const std::string& name) {
  if (const auto own = module.by_name.find(name); own != module.by_name.end()) return own->second;
  const auto found = module.handed_on.find(name);
  return found == module.handed_on.end() ? nullptr : found->second.item;
}

std::vector<std::string> names_of(const Module& module) {
  std::vector<std::string> names;
  for (const auto& item : module.items) {
    if (can_be_named(module, *item)) names.push_back(item->name.text);
  }
  for (const auto& [name, one] : module.handed_on) names.push_back(name);
  return names;
}

bool may_declare_more(const Module& module) { return !module.broken.empty() || module.hands_on_unknown; }

}  // namespace wave::frontend

namespace wave::frontend::check {
namespace {

constexpr std::size_t most_handed_on = 100'000;  // by all modules of a program: each may hand on all that it imports

class Exporter {
 public:
  Exporter(Module& module, std::size_t& count, Diagnostics& diagnostics)
      : module_(module), count_(count), diagnostics_(diagnostics) {}

  void hand_on(const item::Import& import, Location place) {
    if (import.is_broken || import.module == nullptr) {
      module_.hands_on_unknown = true;
      return;
    }
    const Module& from = *import.module;
    module_.hands_on_unknown = module_.hands_on_unknown || may_declare_more(from);
    if (import.selective) {
      for (const ImportedName& one : import.names) {
        const Item* found = find_declaration(from, one.name.text);
        if (found != nullptr)
          add(one.here().text, *found, one.here().location);
        else
          module_.hands_on_unknown = true;  // which is reported where the import is declared
      }
      return;
    }
    for (const auto& item : from.items) {
      if (can_be_named(from, *item)) add(item->name.text, *item, place);
    }
    for (const auto& [name, one] : from.handed_on) add(name, *one.item, place);
  }

 private:
  void add(const std::string& name, const Item& item, Location place) {
    if (name.empty() || is_any_of<item::Study>(item)) return;
    if (const auto own = module_.by_name.find(name); own != module_.by_name.end())
      return report_clash(name, item, place, *own->second, own->second->name.location);
    const auto [known, fresh] = module_.handed_on.try_emplace(name, Module::HandedOn{&item, place});
    if (!fresh && known->second.item != &item)
      return report_clash(name, item, place, *known->second.item, known->second.place);
    if (!fresh || ++count_ <= most_handed_on) return;
    module_.handed_on.erase(known);
    module_.hands_on_unknown = true;
    if (count_ == most_handed_on + 1)
      diagnostics_.add(DiagnosticKind::structure_too_large, place,
                       "the modules hand on more than " + std::to_string(most_handed_on) + " names",
                       "and more of them here");
  }

  void report_clash(const std::string& name, const Item& again, Location place, const Item& first,
                    Location first_place) {
    Diagnostic& d =
        diagnostics_.add(DiagnosticKind::duplicate_name, place,
                         "those who import this module would find two declarations of `" + name + "`", "hands on one");
    const bool is_own = first.name.location == first_place;
    d.labels.push_back({first_place, is_own ? "declared here as well" : "hands on the other"});
    d.labels.push_back({again.name.location, "the one"});
    if (!is_own) d.labels.push_back({first.name.location, "the other"});
    d.help.push_back("hand on the names that are meant, under names that differ: `export import ... { " +
                     again.name.text + " as ... }`");
  }

  Module& module_;
  std::size_t& count_;
  Diagnostics& diagnostics_;
};

}  // namespace

void Loader::note_exports(Module& module) {
  std::optional<Exporter> exporter;
  for (const auto& item : module.items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (!import || !import->exported) continue;
    if (!exporter) exporter.emplace(module, handed_on_, diagnostics_);
    exporter->hand_on(*import, import->path_location.known() ? import->path_location : item->location);
  }
}

}  // namespace wave::frontend::check
