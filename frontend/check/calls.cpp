// Calls: arguments are matched with parameters, and records, machines and models are built.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

#include <unordered_map>

namespace wave::frontend::check {
namespace {

std::vector<std::string> names_of(const Signature& signature) {
  std::vector<std::string> names;
  for (const auto& parameter : signature.parameters) names.push_back(parameter.name);
  return names;
}

// While a call's arguments are checked, a probe in one of them is told of the call.
class OpenCall {
 public:
  OpenCall(Names& names, const Signature& signature, const std::vector<Argument>& arguments)
      : names_(names), counts_(names.has_probe()) {
    if (counts_) names_.open_calls.push_back({&signature, &arguments});
  }
  ~OpenCall() {
    if (counts_) names_.open_calls.pop_back();
  }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

 private:
  Names& names_;
  bool counts_;
};

}  // namespace

TypeRef Calls::check_call(Expr& e, expr::Call& call, const TypeRef& expected) {
  Expr& callee = *call.callee;
  if (auto* name = std::get_if<expr::Name>(&callee.node)) {
    const Names::Found found = names_.look_up(name->text);
    name->target = found.target;
    names_.refer(callee.location, found);
    if (const auto* builtin = std::get_if<target::Builtin>(&found.target)) {
      return check_builtin(e, builtin->function, call.arguments, expected);
    }
    if (found.item) return check_item_call(e, call, *found.item);
    if (std::holds_alternative<target::Member>(found.target)) {  // send, recv or total of the machine around
      dependences_.depends_on_protocols(*context_.owner);
      callee.type = make_type(types::Function{{}, time_type()});
      return call_signature(e, call.arguments, derived_signature(name->text, context_.owner->name.location));
    }
  } else if (const Item* item = references_.module_item(callee)) {
    return check_item_call(e, call, *item);
  } else if (auto* node = std::get_if<expr::Member>(&callee.node)) {
    return check_member_call(e, call, *node);
  }
  return check_value_call(e, call, expressions_.check(callee));
}

TypeRef Calls::check_item_call(Expr& e, expr::Call& call, const Item& item) {
  dependences_.depends_on(&item);
  Expr& callee = *call.callee;
  if (std::holds_alternative<item::Record>(item.node)) return check_construction(e, call, item);
  if (is_machine(item) || is_model(item)) {
    callee.type = is_model(item) ? make_type(types::Model{&item}) : make_type(types::Machine{&item, {}});
    return check_instance(e, call, item, nullptr, false);
  }
  if (std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Collective>(item.node)) {
    callee.type = declarations_.type_of(item, callee.location);
    return call_signature(e, call.arguments, functions_.signature_of(item));
  }
  // One outside of a model has no parameters; the parser has reported it.
  const bool has_parameters = std::holds_alternative<item::Output>(item.node) && item.owner;
  if (has_parameters && context_.in_study) return check_output_call(e, call, item);
  if (is_interface(item)) {
    reports_
        .add(DiagnosticKind::not_callable, callee.location,
             "`" + item.name.text + "` is an interface; it has no values of its own",
             "a machine that offers it is expected here")
        .labels.push_back({item.name.location, "declared here"});
    check_arguments_blindly(call.arguments);
    return unknown_type();
  }
  callee.type = declarations_.type_of(item, callee.location);
  return check_value_call(e, call, callee.type);
}

// `net.send(s)`, `model.f(x)`, `process.phase("x")`, `process.peak("x")`.
TypeRef Calls::check_member_call(Expr& e, expr::Call& call, expr::Member& node) {
  if (const auto* name = std::get_if<expr::Name>(&node.object->node)) {
    const Names::Found found = names_.look_up(name->text);
    if (const auto* module = std::get_if<target::ImportedModule>(&found.target)) {
      check_arguments_blindly(call.arguments);
      if (names_.asks_member(node.name.text, nullptr, module->module)) return unknown_type();
      return references_.check_module_member(node, *module->module);
    }
  }
  const TypeRef object = references_.check_object(*node.object);
  const bool is_peak = node.name.text == "peak";
  if (as<types::Process>(object) && (is_peak || node.name.text == "phase")) {
    if (call.arguments.size() == 1 && !call.arguments.front().name)
      expressions_.expect(*call.arguments.front().value, string_type());
    else {
      reports_.add(DiagnosticKind::wrong_arguments, e.location,
                   is_peak ? "`peak` takes the name of what is held" : "`phase` takes the name of a phase",
                   "one string is expected");
      check_arguments_blindly(call.arguments);
    }
    const TypeRef result = is_peak ? data_type() : time_type();
    call.callee->type = make_type(types::Function{{{"name", string_type()}}, result});
    return result;
  }
  const Item* item = nullptr;
  const TypeRef type = references_.check_member_of(node, object, &item);
  call.callee->type = type;
  if (item &&
      (std::holds_alternative<item::Function>(item->node) || std::holds_alternative<item::Collective>(item->node))) {
    Signature signature = functions_.signature_of(*item);
    if (is_derived_cost(node.name.text) && item->owner && is_interface(*item->owner)) add_ends(signature, *item->owner);
    return call_signature(e, call.arguments, signature);
  }
  const auto* machine = as<types::Machine>(object);
  if (!item && machine && is_derived_cost(node.name.text) && !is_unknown(type)) {
    Signature signature = derived_signature(node.name.text, machine->declaration->name.location);
    add_ends(signature, *machine->declaration);
    return call_signature(e, call.arguments, signature);
  }
  return check_value_call(e, call, type);
}

void Calls::check_arguments_blindly(std::vector<Argument>& arguments) {
  for (Argument& argument : arguments) expressions_.check(*argument.value);
}

std::vector<Expr*> Calls::match_arguments(Location call, std::vector<Argument>& arguments, const Signature& signature) {
  std::vector<Expr*> matched(signature.parameters.size(), nullptr);
  std::vector<Location> given(signature.parameters.size());
  std::unordered_map<std::string_view, std::size_t> places;  // of the parameters, once an argument names one
  std::size_t position = 0;
  bool failed = false;
  const auto fail = [&](Location location, std::string message, std::string label) -> Diagnostic& {
    failed = true;
    Diagnostic& d = reports_.add(DiagnosticKind::wrong_arguments, location, std::move(message), std::move(label));
    if (signature.location.known()) d.labels.push_back({signature.location, "declared here"});
    return d;
  };
  for (Argument& argument : arguments) {
    std::size_t index = position;
    if (argument.name) {
      if (places.empty()) {
        for (std::size_t i = 0; i < signature.parameters.size(); ++i) places.emplace(signature.parameters[i].name, i);
      }
      const auto named = places.find(argument.name->text);
      if (named == places.end()) {
        Diagnostic& d =
            fail(argument.name->location, "`" + signature.name + "` has no parameter `" + argument.name->text + "`",
                 "no parameter of this name");
        reports_.suggest(d, argument.name->text, [&] { return names_of(signature); });
        expressions_.check(*argument.value);
        continue;
      }
      index = named->second;
      names_.refer(argument.name->location, signature.parameters[index].declared());
    } else if (position++ >= signature.parameters.size()) {
      if (index == signature.parameters.size()) {
        fail(argument.value->location,
             "`" + signature.name + "` takes " + counted(signature.parameters.size(), "argument", "arguments") +
                 ", not " + std::to_string(arguments.size()),
             "one too many");
      }
      expressions_.check(*argument.value);
      continue;
    }
    if (matched[index]) {
      fail(argument.name ? argument.name->location : argument.value->location,
           "`" + signature.parameters[index].name + "` is given twice", "given again here")
          .labels.push_back({given[index], "first given here"});
      expressions_.check(*argument.value);
      continue;
    }
    matched[index] = argument.value.get();
    given[index] = argument.value->location;
  }
  for (std::size_t i = 0; i < matched.size() && !failed; ++i) {
    const auto& parameter = signature.parameters[i];
    if (matched[i] || parameter.optional) continue;
    Diagnostic& d = fail(call, "`" + signature.name + "` needs a value for `" + parameter.name + "`", "not given here");
    if (parameter.type && !is_unknown(parameter.type))
      d.help.push_back("add `" + parameter.name + " = ...`, of type " + quoted(parameter.type));
    failed = false;  // goes on, to report every missing one
  }
  return matched;
}

TypeRef Calls::call_signature(Expr& e, std::vector<Argument>& arguments, const Signature& signature) {
  if (reports_.is_broken(signature.location)) {
    check_arguments_blindly(arguments);
    return signature.result;
  }
  const OpenCall open(names_, signature, arguments);
  const std::vector<Expr*> matched = match_arguments(e.location, arguments, signature);
  std::vector<Given> given;
  bool generic = false;
  bool complete = true;
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const auto& parameter = signature.parameters[i];
    generic = generic || !parameter.type;
    if (!matched[i]) {
      complete = complete && parameter.optional;
      given.push_back({parameter.type});
    } else if (!parameter.type) {
      given.push_back(check_untyped(*matched[i]));
    } else {
      expressions_.expect(*matched[i], parameter.type, declared_as(parameter.name, parameter.location, parameter.type));
      given.push_back({parameter.type});
    }
  }
  if (!generic || !signature.item) return signature.result;
  auto* function = std::get_if<item::Function>(&signature.item->node);
  if (!function || !complete) return function && function->result ? signature.result : unknown_type();
  return functions_.instantiate(*signature.item, *function, std::move(given), e.location);
}

// Checks an argument for a parameter without a type.
Given Calls::check_untyped(Expr& argument) {
  const TypeRef type = without_zero(expressions_.check(argument));
  const Item* item = as<types::Function>(type) ? references_.callee_item(argument) : nullptr;
  return {type, item && std::holds_alternative<item::Function>(item->node) ? item : nullptr};
}

TypeRef Calls::check_construction(Expr& e, expr::Call& call, const Item& record) {
  const auto& node = std::get<item::Record>(record.node);
  const std::vector<TypeRef>& types = types_.fields_of(record);
  Signature signature{record.name.text, {}, make_type(types::Record{&record}), record.name.location, nullptr};
  for (std::size_t i = 0; i < types.size(); ++i) {
    signature.parameters.push_back({node.fields[i].first.text, types[i], false, node.fields[i].first.location});
  }
  require_names(call.arguments, signature);
  return call_signature(e, call.arguments, signature);
}

// Records, machines and models are built with named arguments, so that a reader sees which is which.
void Calls::require_names(const std::vector<Argument>& arguments, const Signature& signature) {
  for (const Argument& argument : arguments) {
    if (argument.name || signature.parameters.empty()) continue;
    reports_
        .add(DiagnosticKind::wrong_arguments, argument.value->location,
             "`" + signature.name + "` takes named arguments", "which one is this?")
        .help.push_back("write `" + signature.parameters.front().name + " = ...`");
    return;
  }
}

// Checks a machine or model with parameters given or, if `again`, with some replaced. `required` is what is known of a
// machine behind an interface.
TypeRef Calls::check_instance(Expr& e, expr::Call& call, const Item& declaration, const types::Machine* required,
                              bool again) {
  const TypeRef result = is_model(declaration) ? make_type(types::Model{&declaration})
                                               : make_type(required ? *required : types::Machine{&declaration, {}});
  if (may_have_more(declaration)) {
    check_arguments_blindly(call.arguments);
    return result;
  }
  Signature signature{declaration.name.text, {}, result, declaration.name.location, nullptr};
  std::set<std::string> seen;
  for (const Item* owner : with_bases(declaration)) {
    for (const auto& member : *members_of(*owner)) {
      const auto* param = std::get_if<item::Param>(&member->node);
      if (!param || !seen.insert(member->name.text).second) continue;
      const bool optional = again || param->default_value;
      signature.parameters.push_back(
          {member->name.text, declarations_.type_of(*member, e.location), optional, member->name.location});
    }
  }
  if (required) {
    for (const auto& [name, type] : required->parameters) {
      if (seen.insert(name).second) signature.parameters.push_back({name, type, true, {}});
    }
  }
  require_names(call.arguments, signature);
  return call_signature(e, call.arguments, signature);
}

TypeRef Calls::check_value_call(Expr& e, expr::Call& call, const TypeRef& type) {
  if (is_unknown(type)) {
    check_arguments_blindly(call.arguments);
    return unknown_type();
  }
  if (const auto* table = as<types::Table>(type)) return check_table_call(e, call, *table);
  if (const auto* model = as<types::Model>(type)) return check_instance(e, call, *model->declaration, nullptr, true);
  if (const auto* machine = as<types::Machine>(type))
    return check_instance(e, call, *machine->declaration, machine, true);
  if (const auto* function = as<types::Function>(type)) {
    const auto* name = std::get_if<expr::Name>(&call.callee->node);
    Signature signature{name ? name->text : "this function", {}, function->result, {}, nullptr};
    for (const auto& [parameter, parameter_type] : function->parameters) {
      signature.parameters.push_back({parameter, parameter_type, false, {}});
    }
    if (const Item* item = references_.callee_item(*call.callee);
        item && std::holds_alternative<item::Function>(item->node)) {
      signature = functions_.signature_of(*item);
    }
    return call_signature(e, call.arguments, signature);
  }
  Diagnostic& d = reports_.add(DiagnosticKind::not_callable, call.callee->location,
                               "a value of type " + quoted(type) + " cannot be called", "this is " + quoted(type));
  types_.explain(d, *call.callee);
  if (as<types::Recurrence>(type) || element_of(type)) d.help.push_back("an index stands in brackets: `x[1]`");
  check_arguments_blindly(call.arguments);
  return unknown_type();
}

TypeRef Calls::check_table_call(Expr& e, expr::Call& call, const types::Table& table) {
  Signature signature{"a table", {}, table.value, {}, nullptr};
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    signature.parameters.push_back({"key " + std::to_string(i + 1), table.keys[i], false, {}});
  }
  if (const auto* name = std::get_if<expr::Name>(&call.callee->node)) signature.name = name->text;
  return call_signature(e, call.arguments, signature);
}

// `total(n = d)`: an output of the model with other parameters.
TypeRef Calls::check_output_call(Expr& e, expr::Call& call, const Item& output) {
  const TypeRef type = declarations_.type_of(output, call.callee->location);
  call.callee->type = type;
  Signature signature{output.name.text, {}, type, output.name.location, nullptr};
  for (const auto& item : *members_of(*output.owner)) {
    if (!is_any_of<item::Param>(*item)) continue;
    signature.parameters.push_back(
        {item->name.text, declarations_.type_of(*item, e.location), true, item->name.location});
  }
  require_names(call.arguments, signature);
  return call_signature(e, call.arguments, signature);
}

}  // namespace wave::frontend::check
