// What a name means where it stands: a local, a member of the machine or model around, an item of the module, a name of
// the language.
#pragma once

#include "frontend/check/context.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::frontend::check {

class Names {
 public:
  using LoadStandard = std::function<Module*(const std::string&)>;
  // `load_standard` gives a module of the standard library, checked; null where there is none.
  Names(const Parts& parts, LoadStandard load_standard)
      : context_(parts.context),
        reports_(parts.reports),
        dependences_(parts.dependences),
        load_standard_(std::move(load_standard)) {}

  // --- what is declared (scopes.cpp) ---
  void declare(const Module& module);
  void link_machine(Item& item, item::Machine& machine);       // to its interface and its base
  void declare_local(LocalName local);                         // a second one of the same name is reported
  const LocalName* find_local(const std::string& name) const;  // one that is written
  void report_declared_twice(const LocalName& again, const LocalName& first);

  // --- what is found ---
  struct Found {
    Target target;
    const Item* item = nullptr;
    const LocalName* local = nullptr;
    bool missing = false;  // an import of this name failed
    Place declared() const { return local ? local->place : item ? item->name.place : Place{}; }
  };
  Found look_up(const std::string& name) { return look_up(name, context_.locals.size()); }
  // Where a name is declared that means what a sweep gives inside of it; not known: nowhere.
  Place hidden_by_sweep(const LocalName& given);
  bool in_scope(const std::string& name);
  std::vector<std::string> names_in_scope();
  const Item* member(const Item& owner, const std::string& name);
  // What a module itself declares; null where it does not.
  const Item* item_of(const Module& module, const std::string& name);
  Module* standard(const std::string& name) { return load_standard_(name); }
  // An item of this module, or `module.item`; null after a diagnostic, and where what it means has been reported.
  const Item* find_item_by_path(const std::vector<Identifier>& path, const char* what);
  // A grid of the model around; null after a diagnostic.
  const Item* find_grid(const Identifier& name);
  void report_unknown_name(const std::string& name, Place place);
  void report_wrong_kind(const Item& found, Place place, const char* expected);

 private:
  // A name at module level.
  struct Binding {
    Place place;
    const Item* item = nullptr;
    const Module* module = nullptr;  // an imported module
    bool missing = false;            // its import failed; reported there
  };
  using Scope = std::unordered_map<std::string, Binding>;

  void declare_import(const Item& item, const item::Import& import);
  void bind(const Module& module, const std::string& name, Binding binding);
  // What a name means where only the first `locals` of the locals are known.
  Found look_up(const std::string& name, std::size_t locals);
  const Item* find_in_standard(const std::string& name);
  const Item* find_in_module(const Module& module, const std::vector<Identifier>& path);
  void report_unknown_item(const std::vector<Identifier>& path, const char* what);

  Context& context_;
  Reports& reports_;
  Dependences& dependences_;
  LoadStandard load_standard_;
  std::unordered_map<const Module*, Scope> scopes_;
  std::unordered_map<const Item*, std::unordered_map<std::string, const Item*>> member_index_;
  std::set<std::pair<const Module*, std::string>>
      missing_suggested_;  // what a name that could not be imported may mean
};

}  // namespace wave::frontend::check
