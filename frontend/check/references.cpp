// What names and members read.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/modules.h"
#include "frontend/check/names.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// Whether it may be read from outside of a machine or a model.
bool is_readable(const Item& item) {
  return std::holds_alternative<item::Param>(item.node) || std::holds_alternative<item::Let>(item.node) ||
         std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node) ||
         std::holds_alternative<item::Recurrence>(item.node) || std::holds_alternative<item::Output>(item.node) ||
         std::holds_alternative<item::Process>(item.node) || is_unknown(item);
}

const std::vector<std::string>& process_members() {
  static const std::vector<std::string> names{"time",     "finish", "compute", "overhead", "wait",
                                              "messages", "bytes",  "peak",    "phase"};
  return names;
}

// `transport.phase("x")`, `transport.peak("x")`.
bool is_called_of_process(const Expr& e, const char* name) {
  const auto* call = std::get_if<expr::Call>(&e.node);
  const auto* member = call ? std::get_if<expr::Member>(&call->callee->node) : nullptr;
  return member && member->name.text == name && as<types::Process>(member->object->type);
}

// What can be asked of a process can also be asked of one of its phases.
bool is_phase(const Expr& e) { return is_called_of_process(e, "phase"); }

// `transport.phase("x")[i, j]`, of which the same can be asked.
bool is_phase_of_one(const Expr& e) {
  const auto* index = std::get_if<expr::Index>(&e.node);
  return index && is_phase(*index->object);
}

bool is_over_all(const std::string& name) { return name == "max" || name == "mean" || name == "min"; }

// `transport.finish[i]`, `transport.phase("x")[i]`, `transport.phase("x")[i].wait`: what one process has.
bool reads_one_process(const Expr& e) {
  const auto* member = std::get_if<expr::Member>(&e.node);
  if (member) return is_phase_of_one(*member->object);
  const auto* index = std::get_if<expr::Index>(&e.node);
  return index && reads_process(*index->object);
}

// `transport.compute`, `transport.phase("x")`: a time that each process has.
bool is_time_of_each(const Expr& e) {
  const auto* of = std::get_if<expr::Member>(&e.node);
  const bool is_count = of && (of->name.text == "messages" || of->name.text == "bytes" || of->name.text == "peak");
  return reads_process(e) && !is_count && !is_called_of_process(e, "peak");
}

// `transport.compute.max`, `transport.phase("x").mean`: over all processes.
bool is_of_all_processes(const expr::Member& node) {
  return is_over_all(node.name.text) && is_time_of_each(*node.object);
}

// What can be asked of a process, of one of its phases, or of a time that each process has.
std::vector<std::string> asked_of_process(const Expr& e, const TypeRef& object) {
  std::vector<std::string> names;
  if (as<types::Process>(object)) names = process_members();
  if (is_phase(e) || is_phase_of_one(e))
    std::erase_if(names, [](const std::string& name) { return name == "phase" || name == "peak"; });
  if (is_time_of_each(e)) names.insert(names.end(), {"max", "mean", "min"});
  return names;
}

// A function as a value is called with what it needs, so its type leaves out parameters with a default.
TypeRef without_defaults(const item::Function& function, const TypeRef& type) {
  const auto* known = as<types::Function>(type);
  if (!known) return type;
  types::Function shorter{{}, known->result};
  for (std::size_t i = 0; i < known->parameters.size() && !function.parameters[i].default_value; ++i) {
    shorter.parameters.push_back(known->parameters[i]);
  }
  return shorter.parameters.size() == known->parameters.size() ? type : make_type(std::move(shorter));
}

}  // namespace

bool reads_process(const Expr& e) {
  if (is_phase(e) || is_called_of_process(e, "peak")) return true;
  const auto* node = std::get_if<expr::Member>(&e.node);
  if (!node || is_of_all_processes(*node)) return false;
  if (is_phase(*node->object)) return true;
  return as<types::Process>(node->object->type) && node->name.text != "time" && node->name.text != "phase";
}

TypeRef References::process_member(const Identifier& name) {
  const std::string& text = name.text;
  if (text == "messages") return int_type();
  if (text == "bytes" || text == "peak") return data_type();
  if (text == "phase") return make_type(types::Function{{{"name", string_type()}}, time_type()});
  const auto& names = process_members();
  return std::find(names.begin(), names.end(), text) != names.end() ? time_type() : nullptr;
}

TypeRef References::member_type(const TypeRef& object, const Identifier& name, const Item** item) {
  *item = nullptr;
  if (as<types::Process>(object)) return process_member(name);
  if (as<types::Place>(object)) return name.text == "rank" ? int_type() : nullptr;
  if (const auto* record = as<types::Record>(object)) {
    const auto& fields = std::get<item::Record>(record->declaration->node).fields;
    const std::vector<TypeRef>& types = types_.fields_of(*record->declaration);
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (fields[i].first.text == name.text) return types[i];
    }
    return nullptr;
  }
  const auto* machine = as<types::Machine>(object);
  const auto* model = as<types::Model>(object);
  if (!machine && !model) return nullptr;
  const Item& declaration = machine ? *machine->declaration : *model->declaration;
  const Item* found = names_.member(declaration, name.text);
  if (found && is_readable(*found)) {
    *item = found;
    return declarations_.type_of(*found, name.location);
  }
  if (!machine) return nullptr;
  for (const auto& [known, type] : machine->parameters) {
    if (known == name.text) return type;
  }
  if (is_derived_cost(name.text) && is_machine(declaration) && !protocols_of(declaration).empty()) {
    return type_of(derived_signature(name.text, name.location));
  }
  return nullptr;
}

TypeRef References::check_member(Expr& e, expr::Member& node) {
  if (const Item* item = module_item(e)) {
    dependences_.depends_on(item);
    return declarations_.type_of(*item, e.location);
  }
  if (auto* name = std::get_if<expr::Name>(&node.object->node)) {
    const Names::Found found = names_.look_up(name->text);
    if (const auto* module = std::get_if<target::ImportedModule>(&found.target)) {
      if (names_.asks_member(node.name.text, nullptr, module->module)) return unknown_type();
      return check_module_member(node, *module->module);
    }
  }
  TypeRef object = check_object(*node.object);
  if (is_of_all_processes(node)) return time_type();
  const bool of_phase = is_phase(*node.object) || is_phase_of_one(*node.object);
  if (of_phase && node.name.text != "phase" && node.name.text != "peak") object = make_type(types::Process{});
  const Item* item = nullptr;
  return check_member_of(node, object, &item);
}

TypeRef References::check_module_member(expr::Member& node, const Module& module) {
  if (!may_declare_more(module)) names_.report_missing_in(module, module.name, node.name);
  return unknown_type();
}

// `super` is no value, but what stands before a dot.
TypeRef References::check_object(Expr& e) {
  auto* name = std::get_if<expr::Name>(&e.node);
  const Names::Found found = name ? names_.look_up(name->text) : Names::Found{};
  const auto* super = std::get_if<target::Super>(&found.target);
  if (!super) return expressions_.check(e);
  name->target = found.target;
  names_.refer(e.location, found);
  return e.type = make_type(types::Machine{super->base, {}});
}

// A member as the machine that is extended declares it, where there may be another one under its name.
bool References::check_super(Location super, const Identifier& name, const Item& base) {
  const Location whole = cover(super, name.location);
  const Item* found = names_.member(base, name.text);
  const bool is_given = !found || is_unknown(*found) || is_any_of<item::Let, item::Function, item::Collective>(*found);
  if (!found) {
    if (is_derived_cost(name.text)) dependences_.depends_on_protocols(base);
  } else if (is_given) {
    dependences_.depends_on(found);
  }
  if (is_given) return true;
  const std::string quoted_name = "`" + name.text + "`";
  Diagnostic& d = reports_.add(DiagnosticKind::wrong_super, name.location,
                               "`super` gives functions, collectives and `let`s, not " + with_article(kind_of(*found)),
                               "this is " + with_article(kind_of(*found)));
  d.labels.push_back({found->name.location, "declared here"});
  if (is_any_of<item::Protocol>(*found)) {
    d.help.push_back("`super.send`, `super.recv` and `super.total` are what the protocols of `" + base.name.text +
                     "` cost");
  } else if (is_any_of<item::Param>(*found)) {
    d.help.push_back("there is one " + quoted_name +
                     ", and where it is declared again its former default is gone: write " + quoted_name +
                     ", or the value");
    d.fixes.push_back({whole, name.text});
  } else {
    d.help.push_back("there is one " + quoted_name + ", also where it is declared again: write " + quoted_name);
    d.fixes.push_back({whole, name.text});
  }
  return false;
}

// Where a member is declared: an item, or the field of a record.
Location References::declared_member(const TypeRef& object, const Identifier& name, const Item* item) {
  if (item) return item->name.location;
  const auto* record = as<types::Record>(object);
  if (!record) return {};
  for (const auto& [field, type] : std::get<item::Record>(record->declaration->node).fields) {
    if (field.text == name.text) return field.location;
  }
  return {};
}

TypeRef References::check_member_of(expr::Member& node, const TypeRef& object, const Item** item) {
  if (is_unknown(object)) return unknown_type();
  std::vector<std::string> names = asked_of_process(*node.object, object);
  if (names_.is_asked(node.name.text)) {
    const Item* param = callee_item(*node.object);
    const bool is_param = param && is_any_of<item::Param>(*param);
    names_.asks_member(node.name.text, is_param ? types_.with_all_of_default(*param, object) : object, nullptr, names);
    return unknown_type();
  }
  const auto* of = std::get_if<expr::Name>(&node.object->node);
  const auto* super = of ? std::get_if<target::Super>(&of->target) : nullptr;
  if (super && !check_super(node.object->location, node.name, *super->base)) return unknown_type();
  if (const TypeRef type = member_type(object, node.name, item)) {
    names_.refer(node.name.location, declared_member(object, node.name, *item));
    return type;
  }
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
  }
  if (declaration && may_have_more(*declaration)) return unknown_type();
  Diagnostic& d = reports_.add(DiagnosticKind::unknown_member, node.name.location,
                               owner + " has no `" + node.name.text + "`", "no member of this name");
  if (declaration)
    d.labels.push_back({declaration->name.location, "`" + declaration->name.text + "` is declared here"});
  else
    types_.explain(d, *node.object);
  const auto report_names = as<types::Machine>(object) ? &Reports::answer : &Reports::suggest;
  (reports_.*report_names)(d, node.name.text, [&] {
    for (const std::string& name : declaration ? member_names(*declaration) : std::vector<std::string>{}) {
      if (const Item* other = names_.member(*declaration, name); other && is_readable(*other)) names.push_back(name);
    }
    return names;
  });
  if (is_over_all(node.name.text) && reads_one_process(*node.object))
    d.help.push_back("`." + node.name.text + "` is over all processes, and stands where no index does");
  if (declaration && is_interface(*declaration)) explain_interface(d, node, *declaration);
  return unknown_type();
}

// Resolves `std.machines.ibm_sp2.SP2` in a `-D` value, where nothing is imported.
bool References::resolve_standard_path(Expr& e) {
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
  const Module* module = names_.standard(module_name);
  const Item* item = module ? find_declaration(*module, node->name.text) : nullptr;
  if (item) node->target = target::Global{item};
  return item != nullptr;
}

TypeRef References::check_name(Expr& e, expr::Name& name, const TypeRef& expected) {
  if (const auto* choice = as<types::Choice>(expected)) {
    const auto word = std::find(choice->words.begin(), choice->words.end(), name.text);
    if (word != choice->words.end()) {
      name.target = target::ChoiceWord{static_cast<std::size_t>(word - choice->words.begin())};
      return expected;
    }
  }
  if (as<types::Level>(expected) && names_.is_level(name.text)) {
    name.target = target::LevelWord{};
    return expected;
  }
  if (name.text.empty()) return unknown_type();  // not understood, which the parser has reported
  if (as<types::Axis>(expected)) {
    name.target = target::AxisName{};
    return names_.require_axis({name.text, e.location}) ? expected : unknown_type();
  }
  if (names_.asks(name.text, "value", expected)) return unknown_type();
  const Names::Found found = names_.look_up(name.text);
  name.target = found.target;
  names_.refer(e.location, found);
  if (found.missing) return unknown_type();
  if (const auto* super = std::get_if<target::Super>(&found.target)) {
    reports_
        .add(DiagnosticKind::wrong_super, e.location, "`super` is no value",
             "which member of `" + super->base->name.text + "`?")
        .help.push_back("call a member, as in `super.total(s)`");
    return unknown_type();
  }
  if (!std::holds_alternative<target::Unresolved>(found.target)) return type_of_found(found, name.text, e.location);
  const auto* choice = as<types::Choice>(expected);
  if (as<types::Level>(expected)) {
    names_.report_unknown_level({name.text, e.location}, names_.known_levels(), "unknown level `" + name.text + "`");
    return unknown_type();
  }
  if (!choice) {
    names_.report_unknown_name(name.text, e.location);
    return unknown_type();
  }
  Diagnostic& d =
      reports_.add(DiagnosticKind::unknown_choice, e.location,
                   "`" + name.text + "` is not one of `" + to_string(*expected) + "`", "not one of the choices");
  suggest_nearest(d, name.text, choice->words);
  return unknown_type();
}

TypeRef References::type_of_local(const LocalName& local, Location location) {
  index_read_ = index_read_ || local.follows_index;
  const bool is_first = !std::exchange(local.read, true);
  const Location hidden = local.of_sweep ? names_.hidden_by_sweep(local) : Location{};
  if (!hidden.known()) return as<types::Axis>(local.type) ? int_type() : local.type;
  if (is_first) {
    Diagnostic& d = reports_.add(DiagnosticKind::duplicate_name, location, "`" + local.name + "` means two things here",
                                 "what the sweep gives, or what is declared?");
    d.labels.push_back({hidden, "declared here"});
    d.help.push_back("inside a sweep `" + local.name + "` is " +
                     (local.name == "tile" ? "the number of the tile" : "the corner that it comes from") +
                     ": call what is declared something else");
  }
  return unknown_type();
}

TypeRef References::type_of_found(const Names::Found& found, const std::string& name, Location location) {
  if (found.local) return type_of_local(*found.local, location);
  if (std::holds_alternative<target::CornerName>(found.target)) return corner_type();
  const auto* module = std::get_if<target::ImportedModule>(&found.target);
  if (std::holds_alternative<target::Builtin>(found.target) || module) {
    Diagnostic& d =
        reports_.add(DiagnosticKind::not_a_value, location,
                     "`" + name + "` is a " + (module ? "module" : "function of the language") + ", not a value",
                     "a value is expected here");
    d.help.push_back(module ? "write `" + name + ".` and the name of what it declares"
                            : "call it: `" + name + "(...)`");
    return unknown_type();
  }
  if (!found.item) {  // send, recv or total of the machine around
    dependences_.depends_on_protocols(*context_.owner);
    return type_of(derived_signature(name, location));
  }
  dependences_.depends_on(found.item);
  const TypeRef type = declarations_.type_of(*found.item, location);
  const auto* function = std::get_if<item::Function>(&found.item->node);
  return function ? without_defaults(*function, type) : type;
}

const Item* References::callee_item(const Expr& callee) {
  if (const auto* name = std::get_if<expr::Name>(&callee.node)) return names_.look_up(name->text).item;
  const auto* node = std::get_if<expr::Member>(&callee.node);
  if (!node) return nullptr;
  if (const auto* global = std::get_if<target::Global>(&node->target)) return global->item;
  if (!node->object->type) return nullptr;
  const Item* item = nullptr;
  member_type(node->object->type, node->name, &item);
  return item;
}

const Item* References::module_item(Expr& callee) {
  auto* node = std::get_if<expr::Member>(&callee.node);
  if (!node) return nullptr;
  auto* name = std::get_if<expr::Name>(&node->object->node);
  if (name && !(context_.in_override && resolve_standard_path(callee))) {
    const Names::Found found = names_.look_up(name->text);
    if (const auto* module = std::get_if<target::ImportedModule>(&found.target)) {
      name->target = found.target;
      names_.refer(node->object->location, found);
      node->target = target::Unresolved{};
      if (const Item* item = names_.item_of(*module->module, node->name.text)) {
        node->target = target::Global{item};
        names_.refer(node->name.location, item->name.location);
      }
    }
  } else if (!name && context_.in_override) {
    resolve_standard_path(callee);
  }
  const auto* global = std::get_if<target::Global>(&node->target);
  return global ? global->item : nullptr;
}

std::size_t References::process_axes(const Expr& e) {
  if (const auto* call = std::get_if<expr::Call>(&e.node)) return process_axes(*call->callee);
  const auto& node = std::get<expr::Member>(e.node);
  if (is_phase(*node.object)) return process_axes(*node.object);
  const Item* item = callee_item(*node.object);
  const auto* process = item ? std::get_if<item::Process>(&item->node) : nullptr;
  const Item* grid = process && item->owner ? names_.member(*item->owner, process->grid.text) : nullptr;
  const auto* axes = grid ? std::get_if<item::Grid>(&grid->node) : nullptr;
  return axes ? axes->axes.size() : 0;
}

bool References::follows_index(const std::function<void()>& check) {
  const bool outer = std::exchange(index_read_, false);
  check();
  const bool is_read = index_read_;
  index_read_ = outer || is_read;
  return is_read;
}

}  // namespace wave::frontend::check
