// What belongs to a machine, a model or an interface, with inherited members.
#pragma once

#include "frontend/ast/ast.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wave::frontend::check {

// The members declared by an interface, a machine or a model itself; null for anything else.
std::vector<std::unique_ptr<Item>>* members_of(Item& item);
const std::vector<std::unique_ptr<Item>>* members_of(const Item& item);

// Of these members, those of a name, in their order.
const std::vector<const Item*>& members_named(const Item& item, std::string_view name);

// A machine and the machines that it extends, itself first; or just a model or an interface. Cyclic bases end the list.
std::vector<const Item*> with_bases(const Item& owner);

// The machine that a machine extends; null if it extends none, and for anything else.
const Item* base_of(const Item* owner);

// The interface that a machine implements, its own or an inherited one; null if there is none.
const Item* interface_of(const Item& machine);

// The member of that name: the machine's own, else that of its bases, else what its interface declares. Null if there
// is none. Requirements and imports have no name.
const Item* find_member(const Item& owner, const std::string& name);

// The names of all members that find_member knows.
std::vector<std::string> member_names(const Item& owner);

// What a function, a protocol, a collective or a procedure takes; null for anything else.
const std::vector<Parameter>* parameters_of(const Item& item);

// The protocols in the order in which they are tried: added protocols come before inherited ones, and one that replaces
// another takes its place.
std::vector<const Item*> protocols_of(const Item& machine);

// The levels that a machine knows, its own or inherited, the innermost first.
std::vector<std::string> levels_of(const Item& machine);

// The members of a kind, with those of a base first. A member that replaces another stands in its place.
template <class Kind>
std::vector<const Item*> members_of_kind(const Item& declaration) {
  std::vector<const Item*> all;
  std::unordered_map<std::string_view, std::size_t> places;
  const auto owners = with_bases(declaration);
  for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
    const auto* members = members_of(**owner);
    for (std::size_t i = 0; members && i < members->size(); ++i) {
      const Item* member = (*members)[i].get();
      if (!std::holds_alternative<Kind>(member->node)) continue;
      const auto [place, is_new] = places.try_emplace(member->name.text, all.size());
      if (is_new)
        all.push_back(member);
      else
        all[place->second] = member;
    }
  }
  return all;
}

// `send`, `recv` and `total` follow from the protocols.
bool is_derived_cost(const std::string& name);

// Whether it is a declaration of one of these kinds.
template <class... Kinds>
bool is_any_of(const Item& item) {
  return (std::holds_alternative<Kinds>(item.node) || ...);
}

bool is_machine(const Item& item);
bool is_interface(const Item& item);
bool is_model(const Item& item);

// Whether it is a declaration that was not understood. Nothing is reported about how it is used.
bool is_unknown(const Item& item);

// Whether it extends or implements something that was not found, so that it may have any member.
bool has_unknown_base(const Item& owner);

// The same, or something near it was not understood, which may have been a protocol, say.
bool may_have_more(const Item& owner);

// Whether a parameter has no type, so that every call checks the function again.
bool is_generic(const item::Function& function);

// The names of the axes of each grid of a model; none for anything else.
std::vector<std::vector<std::string>> axes_of_grids(const Item* owner);

// What kind of declaration it is: "parameter", "function", "machine".
const char* kind_of(const Item& item);

}  // namespace wave::frontend::check
