// The types of parameters by their paths (`net.far.L`), found in the checked program before anything is lowered.
#include "frontend/check/members.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace wave::frontend {
namespace {

// What is known of a machine or model before anything runs.
struct Known {
  std::vector<const Item*> declarations;                  // it is one of these
  std::vector<std::pair<std::string, TypeRef>> required;  // `Machine { L: time }`
  struct Given {
    const Expr* value;
    const Item* owner;  // around the call
    bool through_parameter;
  };
  std::map<std::string, Given> given;  // by its call

  void add(const Item* declaration) {
    const bool is_new = std::find(declarations.begin(), declarations.end(), declaration) == declarations.end();
    if (is_new && declaration && check::members_of(*declaration)) declarations.push_back(declaration);
  }
  // What a `let` or a call inside a `let` gives is out of reach.
  bool is_fixed(const std::string& name) const {
    const auto found = given.find(name);
    return found != given.end() && !found->second.through_parameter;
  }
};

void follow(const Expr* expr, const Item& owner, bool through_parameter, Known& known, int depth);

void follow_member(const Item& owner, const std::string& name, Known& known, int depth) {
  const Item* member = lowering::find_member(owner, name);
  if (!member) return;
  if (const auto* param = std::get_if<item::Param>(&member->node))
    follow(param->default_value.get(), owner, true, known, depth);
  if (const auto* let = std::get_if<item::Let>(&member->node)) follow(let->value.get(), owner, false, known, depth);
}

void follow(const Expr* expr, const Item& owner, bool through_parameter, Known& known, int depth) {
  if (!expr || depth > 50) return;
  if (const auto* call = std::get_if<expr::Call>(&expr->node)) {
    for (const Argument& argument : call->arguments) {
      if (argument.name)
        known.given.emplace(argument.name->text, Known::Given{argument.value.get(), &owner, through_parameter});
    }
    follow(call->callee.get(), owner, through_parameter, known, depth + 1);
  } else if (const auto* name = std::get_if<expr::Name>(&expr->node)) {
    if (const auto* global = std::get_if<target::Global>(&name->target))
      known.add(global->item);
    else
      follow_member(owner, name->text, known, depth + 1);
  } else if (const auto* member = std::get_if<expr::Member>(&expr->node)) {
    if (const auto* global = std::get_if<target::Global>(&member->target)) known.add(global->item);
  } else if (const auto* choice = std::get_if<expr::If>(&expr->node)) {
    follow(choice->then_value.get(), owner, through_parameter, known, depth + 1);
    follow(choice->else_value.get(), owner, through_parameter, known, depth + 1);
  }
}

// What is known of a member of what `around` is known of.
Known inside(const Item& member, const Item& owner, const Known& around) {
  Known known;
  if (const auto given = around.given.find(member.name.text); given != around.given.end())
    follow(given->second.value, *given->second.owner, given->second.through_parameter, known, 0);
  if (const auto* param = std::get_if<item::Param>(&member.node)) {
    follow(param->default_value.get(), owner, true, known, 0);
    if (param->checked_type) {
      if (const auto* machine = check::as<types::Machine>(param->checked_type)) {
        known.required = machine->parameters;
        known.add(machine->declaration);
      }
      if (const auto* model = check::as<types::Model>(param->checked_type)) {
        known.add(model->declaration);
      }
    }
  }
  if (const auto* let = std::get_if<item::Let>(&member.node)) follow(let->value.get(), owner, false, known, 0);
  return known;
}

struct PathSearch {
  std::string path;                     // as far as it has been followed
  std::vector<std::string> candidates;  // what could have stood there
  std::string note;
};

// Each once, also where several declarations have it.
void add_candidates(const Known& known, std::vector<std::string>& candidates) {
  std::unordered_set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) candidates.push_back(name);
  };
  for (const auto& [name, type] : known.required) add(name);
  for (const Item* declaration : known.declarations) {
    for (const Item* parameter : check::members_of_kind<item::Param>(*declaration)) {
      if (!known.is_fixed(parameter->name.text)) add(parameter->name.text);
    }
  }
}

TypeRef find_type(const Known& known, const std::vector<std::string>& parts, std::size_t at, PathSearch& search) {
  const std::string& name = parts[at];
  const bool last = at + 1 == parts.size();
  for (const auto& [required, type] : known.required) {
    if (last && required == name) return type;
  }
  for (const Item* declaration : known.declarations) {
    const Item* member = lowering::find_member(*declaration, name);
    const auto* param = member ? std::get_if<item::Param>(&member->node) : nullptr;
    const bool is_let = member && std::holds_alternative<item::Let>(member->node);
    if (last && param && known.is_fixed(name)) {
      search.note = "`" + name + "` is given where the model is called";
      continue;
    }
    if (last && param) return param->checked_type;
    if (!param && !is_let) continue;
    const Known within = inside(*member, *declaration, known);
    if (last) {
      search.note = "`" + name + "` is derived by `let`, it is no parameter";
      if (within.declarations.empty()) continue;
      search.path += name + ".";
      add_candidates(within, search.candidates);
      return nullptr;
    }
    search.path += name + ".";
    return find_type(within, parts, at + 1, search);
  }
  add_candidates(known, search.candidates);
  return nullptr;
}

}  // namespace

TypeRef parameter_type(const Program&, const Item& model, const std::string& path, Location location,
                       Diagnostics& diagnostics) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  Known known;
  known.declarations.push_back(&model);
  PathSearch search;
  if (TypeRef type = find_type(known, parts, 0, search)) return type;
  auto& diagnostic =
      diagnostics.add(DiagnosticKind::unknown_parameter, location,
                      fmt::format("`{}` has no parameter `{}`", model.name.text, path), "no such parameter");
  if (!search.note.empty()) diagnostic.notes.push_back(search.note);
  std::size_t at = 0;
  for (const char c : search.path) at += c == '.';
  const std::string near = nearest(parts[std::min(at, parts.size() - 1)], search.candidates);
  if (!near.empty()) {
    diagnostic.help.push_back(did_you_mean({search.path + near}));
  } else if (!search.candidates.empty()) {
    std::string all;
    for (const std::string& candidate : search.candidates)
      all += (all.empty() ? "`" : ", `") + search.path + candidate + "`";
    diagnostic.help.push_back("its parameters are " + all);
  }
  return nullptr;
}

}  // namespace wave::frontend
