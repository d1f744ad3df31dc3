// `object.name`: items of modules, fields of records, members of machines and models, times of processes.
#include "frontend/check/checker.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// What may be read of a machine or a model from outside.
bool is_readable(const Item& item) {
  return std::holds_alternative<item::Param>(item.node) || std::holds_alternative<item::Let>(item.node) ||
         std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node) ||
         std::holds_alternative<item::Recurrence>(item.node) || std::holds_alternative<item::Output>(item.node) ||
         std::holds_alternative<item::Process>(item.node) || is_unknown(item);
}

const std::vector<std::string>& process_members() {
  static const std::vector<std::string> names{"time", "finish",   "compute", "overhead",
                                              "wait", "messages", "bytes",   "phase"};
  return names;
}

}  // namespace

TypeRef Checker::process_member(const Identifier& name) {
  const std::string& text = name.text;
  if (text == "messages") return int_type();
  if (text == "bytes") return data_type();
  if (text == "phase") return make_type(types::Function{{{"name", string_type()}}, time_type()});
  const auto& names = process_members();
  return std::find(names.begin(), names.end(), text) != names.end() ? time_type() : nullptr;
}

// The type of a member, null where there is none; `item` is its declaration, if it has one.
TypeRef Checker::member_type(const TypeRef& object, const Identifier& name, const Item** item) {
  *item = nullptr;
  if (as<types::Process>(object)) return process_member(name);
  if (const auto* record = as<types::Record>(object)) {
    const auto& fields = std::get<item::Record>(record->declaration->node).fields;
    const std::vector<TypeRef>& types = fields_of(*record->declaration);
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (fields[i].first.text == name.text) return types[i];
    }
    return nullptr;
  }
  const auto* machine = as<types::Machine>(object);
  const auto* model = as<types::Model>(object);
  if (!machine && !model) return nullptr;
  const Item& declaration = machine ? *machine->declaration : *model->declaration;
  const Item* found = member(declaration, name.text);
  if (found && is_readable(*found)) {
    *item = found;
    return type_of(*found, name.place);
  }
  if (!machine) return nullptr;
  for (const auto& [known, type] : machine->parameters) {
    if (known == name.text) return type;
  }
  if (is_derived_cost(name.text) && is_machine(declaration) && !protocols_of(declaration).empty()) {
    const Signature signature = derived_signature(name.text, name.place);
    std::vector<std::pair<std::string, TypeRef>> parameters;
    for (const auto& parameter : signature.parameters) parameters.emplace_back(parameter.name, parameter.type);
    return make_type(types::Function{std::move(parameters), signature.result});
  }
  return nullptr;
}

TypeRef Checker::check_member(Expr& e, expr::Member& node) {
  if (const Item* item = module_item(e)) {
    depends_on(item);
    return type_of(*item, e.place);
  }
  if (auto* name = std::get_if<expr::Name>(&node.object->node)) {
    const Found found = look_up(name->text);
    if (const auto* module = std::get_if<target::ImportedModule>(&found.target)) {
      return check_module_member(node, *module->module);
    }
  }
  TypeRef object = check(*node.object);
  if (is_of_all_processes(node)) return time_type();
  if (is_phase(*node.object) && node.name.text != "phase") object = make_type(types::Process{});
  const Item* item = nullptr;
  return check_member_of(e, node, object, &item);
}

// `transport.phase("x")`: what can be asked of a process can be asked of a phase of it.
bool Checker::is_phase(const Expr& e) {
  const auto* call = std::get_if<expr::Call>(&e.node);
  const auto* member = call ? std::get_if<expr::Member>(&call->callee->node) : nullptr;
  return member && member->name.text == "phase" && as<types::Process>(member->object->type);
}

// `transport.compute.max`, `transport.phase("x").mean`: over the processes, of a time that each has.
bool Checker::is_of_all_processes(const expr::Member& node) const {
  const std::string& name = node.name.text;
  if (name != "max" && name != "mean" && name != "min") return false;
  const auto* of = std::get_if<expr::Member>(&node.object->node);
  return reads_process(*node.object) && !(of && (of->name.text == "messages" || of->name.text == "bytes"));
}

TypeRef Checker::check_module_member(expr::Member& node, const Module& module) {
  if (!module.broken.empty()) return unknown_type();
  std::vector<std::string> names;
  for (const auto& item : module.items) names.push_back(item->name.text);
  Diagnostic& d = report(DiagnosticKind::unknown_member, node.name.place,
                         "module `" + module.name + "` has no `" + node.name.text + "`", "not declared there");
  if (const std::string near = nearest(node.name.text, names); !near.empty())
    d.help.push_back("did you mean `" + near + "`?");
  return unknown_type();
}

TypeRef Checker::check_member_of(Expr&, expr::Member& node, const TypeRef& object, const Item** item) {
  if (is_unknown(object)) return unknown_type();
  if (const TypeRef type = member_type(object, node.name, item)) return type;
  std::vector<std::string> names;
  std::string owner = quoted(object);
  const Item* declaration = nullptr;
  if (const auto* machine = as<types::Machine>(object)) {
    declaration = machine->declaration;
    for (const auto& [name, type] : machine->parameters) names.push_back(name);
  } else if (const auto* model = as<types::Model>(object)) {
    declaration = model->declaration;
  } else if (const auto* record = as<types::Record>(object)) {
    declaration = record->declaration;
    for (const auto& [name, type] : std::get<item::Record>(declaration->node).fields) names.push_back(name.text);
  } else if (as<types::Process>(object)) {
    names = process_members();
  }
  if (declaration && may_have_more(*declaration)) return unknown_type();
  Diagnostic& d = report(DiagnosticKind::unknown_member, node.name.place, owner + " has no `" + node.name.text + "`",
                         "no member of this name");
  if (declaration)
    d.labels.push_back({declaration->name.place, "`" + declaration->name.text + "` is declared here"});
  else
    explain(d, *node.object);
  suggest(d, node.name.text, [&] {
    for (const std::string& name : declaration ? member_names(*declaration) : std::vector<std::string>{}) {
      if (const Item* other = member(*declaration, name); other && is_readable(*other)) names.push_back(name);
    }
    return names;
  });
  if (declaration && is_interface(*declaration)) {
    d.help.push_back("to ask for a parameter besides, write the type `" + declaration->name.text + " { " +
                     node.name.text + ": time }`");
  }
  return unknown_type();
}

// `std.machines.ibm_sp2.SP2` in a `-D` value, where nothing is imported.
bool Checker::resolve_standard_path(Expr& e) {
  auto* node = std::get_if<expr::Member>(&e.node);
  if (!node) return false;
  std::vector<std::string> parts;
  const Expr* object = node->object.get();
  while (const auto* inner = std::get_if<expr::Member>(&object->node)) {
    parts.push_back(inner->name.text);
    object = inner->object.get();
  }
  const auto* root = std::get_if<expr::Name>(&object->node);
  if (!root || root->text != "std") return false;
  std::string module_name = "std";
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) module_name += "." + *part;
  const Module* module = standard(module_name);
  if (!module) return false;
  for (const auto& item : module->items) {
    if (item->name.text != node->name.text) continue;
    node->target = target::Global{item.get()};
    return true;
  }
  return false;
}

}  // namespace wave::frontend::check
