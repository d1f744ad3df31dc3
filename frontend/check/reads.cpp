// What a model or a machine reads of the machines that its parameters hold: `net.L`. A parameter whose type is an
// interface asks for what is read of it, where its default has that.
#include "frontend/ast/walk.h"
#include "frontend/check/declarations.h"
#include "frontend/check/names.h"

#include <algorithm>
#include <set>

namespace wave::frontend::check {
namespace {

// The reads `name.member` of an item. A name that the item gives to something of its own is not that of a member.
class Collector {
 public:
  void add(const Item& item) {
    bound_.clear();
    found_.clear();
    std::visit([&](const auto& node) { bind(node); }, item.node);
    for_each_expression(item, [&](const Expr& e) { look(e); });
    for (const auto& [name, member] : found_) {
      if (bound_.count(name) == 0) reads[std::string(name)].push_back(*member);
    }
  }
  MemberReads reads;

 private:
  template <class Node>
  void bind(const Node& node) {
    if constexpr (requires { node.parameters; })
      for (const Parameter& parameter : node.parameters) bound_.insert(parameter.name.text);
    if constexpr (requires { node.lets; })
      for (const LocalLet& let : node.lets) bound_.insert(let.name.text);
    if constexpr (std::is_same_v<Node, item::Output>) bind_all(node.indices);
    if constexpr (requires { node.body.front()->node; }) bind_block(node.body);
    if constexpr (requires { node.algorithm; }) bind_block(node.algorithm);
  }
  void bind_all(const std::vector<Binder>& binders) {
    for (const Binder& binder : binders) bound_.insert(binder.name.text);
  }
  void bind_block(const Block& block) {
    for (const auto& statement : block) {
      if (const auto* let = std::get_if<statement::Let>(&statement->node)) bound_.insert(let->name.text);
      if (const auto* loop = std::get_if<statement::For>(&statement->node)) bound_.insert(loop->variable.text);
      for_each_block(*statement, [&](const Block& inner) { bind_block(inner); });
    }
  }
  void look(const Expr& e) {
    const auto* member = std::get_if<expr::Member>(&e.node);
    const auto* name = member ? std::get_if<expr::Name>(&member->object->node) : nullptr;
    if (name) found_.emplace_back(name->text, &member->name);
    if (const auto* list = std::get_if<expr::Comprehension>(&e.node)) bind_all(list->binders);
    if (const auto* reduction = std::get_if<expr::Reduce>(&e.node)) bind_all(reduction->binders);
    for_each_child(e, [&](const Expr& child) { look(child); });
  }

  std::set<std::string_view> bound_;
  std::vector<std::pair<std::string_view, const Identifier*>> found_;
};

}  // namespace

const std::vector<Identifier>& Types::reads_of(const Item& param) {
  static const std::vector<Identifier> none;
  const auto* members = param.owner ? members_of(*param.owner) : nullptr;
  if (!members) return none;
  const auto [known, is_new] = member_reads_.try_emplace(param.owner);
  if (is_new) {
    Collector collector;
    for (const auto& member : *members) collector.add(*member);
    known->second = std::move(collector.reads);
  }
  const auto found = known->second.find(param.name.text);
  return found == known->second.end() ? none : found->second;
}

// The machine that a default makes: `LogGP(L = 5 us)`, `loggp.LogGP()`, or a `let` that is one.
const Item* Types::machine_made_by(Expr& made, std::size_t depth) {
  constexpr std::size_t deepest = 20;
  auto* call = std::get_if<expr::Call>(&made.node);
  if (depth > deepest) return nullptr;
  Expr& named = call ? *call->callee : made;
  if (std::holds_alternative<expr::Call>(named.node)) return machine_made_by(named, depth + 1);
  const auto* name = std::get_if<expr::Name>(&named.node);
  const Item* item = name ? names_.look_up(name->text).item : references_.module_item(named);
  if (item && is_machine(*item)) return call ? item : nullptr;
  const auto* let = item ? std::get_if<item::Let>(&item->node) : nullptr;
  if (!let || !let->value) return nullptr;
  ContextSwitch there(context_, *item);
  return machine_made_by(*let->value, depth + 1);
}

const Item* Types::default_machine(const Item& param) {
  const auto& node = std::get<item::Param>(param.node);
  if (!node.default_value) return nullptr;
  ContextSwitch there(context_, param);
  return machine_made_by(*node.default_value, 0);
}

const Item* Types::member_of_default(const Item& param, const std::string& name) {
  const Item* machine = default_machine(param);
  return machine ? names_.member(*machine, name) : nullptr;
}

TypeRef Types::with_reads(const Item& param, const TypeRef& type) {
  return with_parameters(param, type, reads_of(param));
}

TypeRef Types::with_all_of_default(const Item& param, const TypeRef& type) {
  std::vector<Identifier> names;
  if (const Item* machine = default_machine(param)) {
    for (const std::string& name : member_names(*machine)) names.push_back({name, {}});
  }
  return with_parameters(param, type, names);
}

TypeRef Types::with_parameters(const Item& param, const TypeRef& type, const std::vector<Identifier>& names) {
  const auto* machine = as<types::Machine>(type);
  if (!machine || !is_interface(*machine->declaration)) return type;
  types::Machine wanted = *machine;
  for (const Identifier& read : names) {
    const auto is_it = [&](const auto& known) { return known.first == read.text; };
    if (std::ranges::any_of(wanted.parameters, is_it) || names_.member(*machine->declaration, read.text)) continue;
    const Item* given = member_of_default(param, read.text);
    if (!given || !is_any_of<item::Param>(*given)) continue;
    wanted.parameters.emplace_back(read.text, declarations_.type_of(*given, read.location));
    wanted.reads.emplace(read.text, read.location);
  }
  return wanted.reads.empty() ? type : make_type(std::move(wanted));
}

// Where a model reads what the machine does not have.
void Types::explain_reads(Diagnostic& d, const types::Machine& from, const types::Machine& to) {
  for (const auto& [name, place] : to.reads) {
    const auto is_it = [&](const auto& known) { return known.first == name; };
    const Item* item = names_.member(*from.declaration, name);
    const bool has_it = std::ranges::any_of(from.parameters, is_it) || (item && is_any_of<item::Param>(*item));
    if (!has_it) d.labels.push_back({place, "`" + name + "` is read of it here"});
  }
}

// What an interface does not have, the machine may have that is given where nothing else is said.
void References::explain_interface(Diagnostic& d, const expr::Member& node, const Item& interface) {
  const Item* param = callee_item(*node.object);
  const bool is_param = param && is_any_of<item::Param>(*param);
  const Item* member = is_param ? types_.member_of_default(*param, node.name.text) : nullptr;
  if (member && !is_any_of<item::Param>(*member)) {
    d.labels.push_back({member->name.location, "the default has " + with_article(kind_of(*member)) + " of this name"});
    d.help.push_back("besides what an interface has, a type asks for parameters only: write `" + param->name.text +
                     ": " + member->owner->name.text + "` to take that machine, and those that extend it");
    return;
  }
  const TypeRef type = member ? declarations_.type_of(*member, node.name.location) : nullptr;
  const std::string written = type && !is_unknown(type) ? to_string(*type) : "time";
  const std::string as_type = "`" + interface.name.text + " { " + node.name.text + ": " + written + " }`";
  d.help.push_back(member ? "to ask for this parameter besides, write the type " + as_type
                          : "to ask for a parameter besides, write it with its type, as in " + as_type);
}

}  // namespace wave::frontend::check
