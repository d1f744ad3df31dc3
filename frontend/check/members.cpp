// Members of machines, models and interfaces, through `extends` and `implements`.
#include "frontend/check/members.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace wave::frontend::check {
namespace {

// Null for what has no members.
const item::WithMembers* as_owner(const Item& item) {
  return std::visit(
      [](const auto& node) -> const item::WithMembers* {
        if constexpr (std::is_base_of_v<item::WithMembers, std::decay_t<decltype(node)>>) return &node;
        return nullptr;
      },
      item.node);
}

const Item* find_own(const Item& owner, const std::string& name) {
  const auto& found = members_named(owner, name);
  return found.empty() || name.empty() ? nullptr : found.front();
}

struct KindName {
  const char* operator()(const item::Import&) const { return "import"; }
  const char* operator()(const item::Param&) const { return "parameter"; }
  const char* operator()(const item::Let&) const { return "let"; }
  const char* operator()(const item::Function&) const { return "function"; }
  const char* operator()(const item::Record&) const { return "record type"; }
  const char* operator()(const item::Require&) const { return "requirement"; }
  const char* operator()(const item::Protocol&) const { return "protocol"; }
  const char* operator()(const item::Levels&) const { return "list of levels"; }
  const char* operator()(const item::Resource&) const { return "resource"; }
  const char* operator()(const item::Collective&) const { return "collective"; }
  const char* operator()(const item::Interface&) const { return "interface"; }
  const char* operator()(const item::Machine&) const { return "machine"; }
  const char* operator()(const item::Grid&) const { return "grid"; }
  const char* operator()(const item::Recurrence&) const { return "recurrence"; }
  const char* operator()(const item::Process&) const { return "process"; }
  const char* operator()(const item::Procedure&) const { return "procedure"; }
  const char* operator()(const item::Output&) const { return "output"; }
  const char* operator()(const item::Model&) const { return "model"; }
  const char* operator()(const item::Study&) const { return "study"; }
  const char* operator()(const item::Test&) const { return "test"; }
  const char* operator()(const item::Unknown&) const { return "declaration"; }
};

}  // namespace

const std::vector<std::unique_ptr<Item>>* members_of(const Item& item) {
  const item::WithMembers* const owner = as_owner(item);
  return owner ? &owner->members : nullptr;
}

std::vector<std::unique_ptr<Item>>* members_of(Item& item) {
  return const_cast<std::vector<std::unique_ptr<Item>>*>(members_of(std::as_const(item)));
}

const std::vector<const Item*>& members_named(const Item& item, std::string_view name) {
  static const std::vector<const Item*> none;
  const item::WithMembers* const owner = as_owner(item);
  if (!owner) return none;
  const auto found = owner->by_name.find(name);
  return found == owner->by_name.end() ? none : found->second;
}

std::vector<const Item*> with_bases(const Item& owner) {
  std::vector<const Item*> chain{&owner};
  while (const auto* machine = std::get_if<item::Machine>(&chain.back()->node)) {
    const Item* base = machine->base_item;
    if (!base || std::find(chain.begin(), chain.end(), base) != chain.end()) break;
    chain.push_back(base);
  }
  return chain;
}

const Item* base_of(const Item* owner) {
  const auto* machine = owner ? std::get_if<item::Machine>(&owner->node) : nullptr;
  return machine ? machine->base_item : nullptr;
}

const Item* interface_of(const Item& machine) {
  for (const Item* item : with_bases(machine)) {
    if (const auto* one = std::get_if<item::Machine>(&item->node); one && one->interface_item)
      return one->interface_item;
  }
  return nullptr;
}

const Item* find_member(const Item& owner, const std::string& name) {
  for (const Item* item : with_bases(owner)) {
    if (const Item* found = find_own(*item, name)) return found;
  }
  const Item* interface = interface_of(owner);
  return interface ? find_own(*interface, name) : nullptr;
}

std::vector<std::string> member_names(const Item& owner) {
  std::vector<std::string> names;
  std::vector<const Item*> owners = with_bases(owner);
  if (const Item* interface = interface_of(owner)) owners.push_back(interface);
  for (const Item* item : owners) {
    if (const auto* members = members_of(*item)) {
      for (const auto& member : *members) {
        if (!member->name.text.empty()) names.push_back(member->name.text);
      }
    }
  }
  return names;
}

const std::vector<Parameter>* parameters_of(const Item& item) {
  return std::visit(
      [](const auto& node) -> const std::vector<Parameter>* {
        if constexpr (requires { node.parameters; })
          return &node.parameters;
        else
          return nullptr;
      },
      item.node);
}

std::vector<const Item*> protocols_of(const Item& machine) {
  std::vector<const Item*> protocols;
  const std::vector<const Item*> chain = with_bases(machine);
  for (auto owner = chain.rbegin(); owner != chain.rend(); ++owner) {
    std::vector<const Item*> added;
    for (const auto& member : *members_of(**owner)) {
      const auto* protocol = std::get_if<item::Protocol>(&member->node);
      if (!protocol) continue;
      const auto same = [&](const Item* other) { return other->name.text == member->name.text; };
      const auto replaced = std::find_if(protocols.begin(), protocols.end(), same);
      if (replaced != protocols.end())
        *replaced = member.get();
      else
        added.push_back(member.get());
    }
    protocols.insert(protocols.begin(), added.begin(), added.end());
  }
  return protocols;
}

std::vector<std::string> levels_of(const Item& machine) {
  for (const Item* owner : with_bases(machine)) {
    const auto* members = members_of(*owner);
    for (std::size_t i = 0; members && i < members->size(); ++i) {
      const auto* levels = std::get_if<item::Levels>(&(*members)[i]->node);
      if (!levels) continue;
      std::vector<std::string> names;
      for (const Identifier& name : levels->names) names.push_back(name.text);
      return names;
    }
  }
  return {};
}

bool is_derived_cost(const std::string& name) { return name == "send" || name == "recv" || name == "total"; }

bool is_machine(const Item& item) { return std::holds_alternative<item::Machine>(item.node); }
bool is_interface(const Item& item) { return std::holds_alternative<item::Interface>(item.node); }
bool is_model(const Item& item) { return std::holds_alternative<item::Model>(item.node); }
bool is_unknown(const Item& item) { return std::holds_alternative<item::Unknown>(item.node); }

bool has_unknown_base(const Item& owner) {
  const std::vector<const Item*> chain = with_bases(owner);
  return std::any_of(chain.begin(), chain.end(), [](const Item* item) {
    const auto* machine = std::get_if<item::Machine>(&item->node);
    return machine && ((!machine->base.empty() && !machine->base_item) ||
                       (!machine->interface.empty() && !machine->interface_item));
  });
}

bool may_have_more(const Item& owner) {
  const auto has_unknown = [](const Item* item) {
    const auto* members = members_of(*item);
    if (item->module && !item->module->broken.empty()) return true;
    return members && std::any_of(members->begin(), members->end(), [](const auto& it) { return is_unknown(*it); });
  };
  const std::vector<const Item*> chain = with_bases(owner);
  return has_unknown_base(owner) || std::any_of(chain.begin(), chain.end(), has_unknown);
}

bool is_generic(const item::Function& function) {
  return std::any_of(function.parameters.begin(), function.parameters.end(),
                     [](const Parameter& parameter) { return !parameter.type; });
}

std::vector<std::vector<std::string>> axes_of_grids(const Item* owner) {
  std::vector<std::vector<std::string>> grids;
  const auto* members = owner ? members_of(*owner) : nullptr;
  for (std::size_t i = 0; members && i < members->size(); ++i) {
    const auto* grid = std::get_if<item::Grid>(&(*members)[i]->node);
    if (!grid) continue;
    grids.emplace_back();
    for (const item::GridAxis& axis : grid->axes) grids.back().push_back(axis.name.text);
  }
  return grids;
}

const char* kind_of(const Item& item) { return std::visit(KindName{}, item.node); }

}  // namespace wave::frontend::check
