// Functions: their signatures, their bodies, and those without parameter types, which are checked again at each call.
#include "frontend/check/declarations.h"
#include "frontend/check/expressions.h"
#include "frontend/check/names.h"

namespace wave::frontend::check {
namespace {

constexpr std::size_t deepest_instantiation = 40;

}  // namespace

TypeRef type_of(const Signature& signature) {
  std::vector<std::pair<std::string, TypeRef>> parameters;
  for (const auto& parameter : signature.parameters) parameters.emplace_back(parameter.name, parameter.type);
  return make_type(types::Function{std::move(parameters), signature.result});
}

Signature derived_signature(const std::string& name, Location location) {
  Signature signature{name,
                      {{"s", data_type(), false, location}, {"within", level_type(), true, location}},
                      time_type(),
                      location,
                      nullptr};
  if (name != "recv") signature.parameters.push_back({"sharing", int_type(), true, location});
  return signature;
}

// Any machine of its interface, or one that extends what it extends itself.
void add_ends(Signature& signature, const Item& machine) {
  if (signature.name == "recv") return;
  const Item* const interface = is_machine(machine) ? interface_of(machine) : &machine;
  const TypeRef type = make_type(types::Machine{interface ? interface : with_bases(machine).back(), {}});
  for (const char* const end : {"from", "to"}) signature.parameters.push_back({end, type, true, machine.name.location});
}

Signature Functions::signature_of(const Item& item) {
  Signature signature{item.name.text, {}, nullptr, item.name.location, &mutable_item(item)};
  if (const auto* function = std::get_if<item::Function>(&item.node)) {
    const auto* type = as<types::Function>(declarations_.type_of(item, item.name.location));
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      const Parameter& parameter = function->parameters[i];
      const TypeRef known = type ? type->parameters[i].second : unknown_type();
      signature.parameters.push_back(
          {parameter.name.text, parameter.type || !type ? known : nullptr, parameter.default_value != nullptr,
           parameter.type ? parameter.type->location : parameter.name.location, parameter.name.location});
    }
    signature.result = type ? type->result : unknown_type();
    return signature;
  }
  const auto& collective = std::get<item::Collective>(item.node);
  ContextSwitch there(context_, item);
  for (const Parameter& parameter : collective.parameters) {
    signature.parameters.push_back({parameter.name.text,
                                    types_.resolve(parameter.type, "a parameter", parameter.name.location),
                                    parameter.default_value != nullptr, parameter.name.location});
  }
  // The cost of an algorithm is the time of its run on p processes.
  const bool has_p = !signature.parameters.empty() && signature.parameters.back().name == "p";
  if (collective.has_algorithm && !has_p) signature.parameters.push_back({"p", int_type(), false, item.name.location});
  signature.result = time_type();
  return signature;
}

TypeRef Functions::function_type(Item& item, item::Function& function) {
  types::Function type;
  std::vector<Given> parameters;
  for (const Parameter& parameter : function.parameters) {
    parameters.push_back({parameter.type ? types_.resolve(*parameter.type) : make_type(types::Any{})});
    type.parameters.emplace_back(parameter.name.text, parameters.back().type);
  }
  if (function.result)
    type.result = types_.resolve(*function.result);
  else if (is_generic(function) || !function.body)
    type.result = make_type(types::Any{});
  else
    type.result = check_body(item, function, parameters, nullptr);
  return function.checked_type = make_type(std::move(type));
}

void Functions::check_function(Item& item, item::Function& function) {
  const TypeRef type = declarations_.type_of(item, item.name.location);
  const auto* known = as<types::Function>(type);
  if (!known) return;
  check_default_values(function.parameters, known->parameters);
  const bool in_interface = item.owner && is_interface(*item.owner);
  if (!function.body) {
    if (!in_interface) {
      reports_
          .add(DiagnosticKind::missing_body, item.name.location, "`" + item.name.text + "` has no body",
               "only an interface lists functions without one")
          .help.push_back("write `= ` and its value after the parameters");
    } else if (!function.result) {
      reports_.add(DiagnosticKind::type_needed, item.name.location, "`" + item.name.text + "` needs a result type",
                   "its type cannot be inferred without a body");
    }
    return;
  }
  const bool inferred = !function.result && !is_generic(function);
  if (inferred) return;  // its body has been checked to find the type
  std::vector<Given> parameters;
  for (const auto& [name, parameter] : known->parameters) parameters.push_back({parameter});
  check_body(item, function, parameters, function.result ? known->result : nullptr);
}

void Functions::check_default_values(std::vector<Parameter>& parameters,
                                     const std::vector<std::pair<std::string, TypeRef>>& types) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].default_value) continue;
    if (!parameters[i].type)
      expressions_.check(*parameters[i].default_value);
    else {
      expressions_.expect(*parameters[i].default_value, types[i].second,
                          declared_as(parameters[i].name.text, parameters[i].type->location, types[i].second));
    }
  }
}

// The type of the body if its parameters have these types. `result` is the declared type, or null.
TypeRef Functions::check_body(Item& item, item::Function& function, const std::vector<Given>& arguments,
                              const TypeRef& result) {
  LocalScope scope(context_);
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    names_.declare_local({function.parameters[i].name.text, arguments[i].type, function.parameters[i].name.location});
    context_.locals.back().function = arguments[i].function;
  }
  check_locals(function.lets);
  if (!result) return without_zero(expressions_.check(*function.body));
  expressions_.expect(
      *function.body, result,
      {function.result->location, "`" + item.name.text + "` is declared to give " + quoted(result) + " here"});
  return result;
}

TypeRef Functions::instantiate(Item& item, item::Function& function, std::vector<Given> given, Location call) {
  std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(&item));
  std::string shown;
  bool known = true;
  for (std::size_t i = 0; i < given.size(); ++i) {
    Parameter& parameter = function.parameters[i];
    TypeRef& type = given[i].type;
    if (!type && parameter.default_value) {
      ContextSwitch there(context_, item);
      type = without_zero(expressions_.check(*parameter.default_value));
    }
    known = known && !(is_unknown(type) && !parameter.type);
    key += "," + key_of(type) + "@" + std::to_string(reinterpret_cast<std::uintptr_t>(given[i].function));
    if (!parameter.type && type)
      shown += (shown.empty() ? "`" : ", `") + parameter.name.text + ": " + to_string(*type) + "`";
  }
  const TypeRef declared = function.result ? as<types::Function>(declarations_.type_of(item, call))->result : nullptr;
  if (!known || !function.body) return declared ? declared : unknown_type();
  if (const auto found = instances_.find(key); found != instances_.end()) {
    if (found->second) return found->second;
    reports_
        .add(DiagnosticKind::type_needed, item.name.location,
             "the recursive function `" + item.name.text + "` needs a result type",
             "write its type after the parameters")
        .labels.push_back({call, "its type is needed here"});
    return unknown_type();
  }
  if (reports_.generic_calls() >= deepest_instantiation || expressions_.is_too_deep()) {
    reports_
        .add(DiagnosticKind::endless_function_types, item.name.location,
             "`" + item.name.text + "` calls itself with ever new types", "checked anew at each call, without an end")
        .help.push_back("give its parameters types");
    return unknown_type();
  }
  instances_[key] = declared;
  reports_.enter({&item, call, shown});
  TypeRef result;
  {
    ContextSwitch there(context_, item);
    result = check_body(item, function, given, declared);
  }
  reports_.leave();
  return instances_[key] = result;
}

bool Functions::fits_function(const Item& item, const types::Function& expected, Location use) {
  auto& function = std::get<item::Function>(mutable_item(item).node);
  const auto* known = as<types::Function>(declarations_.type_of(item, use));
  const std::size_t given = expected.parameters.size();
  if (!known || function.parameters.size() < given) return false;
  for (std::size_t i = given; i < function.parameters.size(); ++i) {
    if (!function.parameters[i].default_value) return false;
  }
  std::vector<Given> types;
  for (std::size_t i = 0; i < given; ++i) {
    const bool typed = function.parameters[i].type != nullptr;
    if (typed && !types_.agrees(expected.parameters[i].second, known->parameters[i].second)) return false;
    types.push_back({typed ? known->parameters[i].second : expected.parameters[i].second});
  }
  for (std::size_t i = given; i < function.parameters.size(); ++i) {
    types.push_back({function.parameters[i].type ? known->parameters[i].second : nullptr});
  }
  const TypeRef result = is_generic(function) ? instantiate(mutable_item(item), function, types, use) : known->result;
  if (types_.agrees(result, expected.result)) return true;
  reports_
      .add(DiagnosticKind::type_mismatch, use,
           "`" + item.name.text + "` gives " + quoted(result) + " here, expected " + quoted(expected.result),
           "this function")
      .labels.push_back({item.name.location, "declared here"});
  return true;
}

void Functions::check_locals(std::vector<LocalLet>& lets) {
  constexpr std::size_t most_locals = 10'000;
  for (std::size_t i = 0; i < lets.size(); ++i) {
    LocalLet& let = lets[i];
    if (i == most_locals) {
      reports_.add(DiagnosticKind::too_deep, let.name.location, "too many local definitions",
                   "more than " + std::to_string(most_locals));
    }
    if (i >= most_locals) {
      context_.locals.push_back({let.name.text, unknown_type(), {}, false});
      continue;
    }
    check_local(let.name, let.type, *let.value);
  }
}

void Functions::check_local(const Identifier& name, const TypeExprPtr& written, Expr& value) {
  TypeRef type;
  const bool follows_index = references_.follows_index([&] {
    if (written) {
      type = types_.resolve(*written);
      expressions_.expect(value, type, declared_as(name.text, written->location, type));
    } else {
      type = without_zero(expressions_.check(value));
      require_known(name, value);
    }
  });
  names_.declare_local({name.text, type, name.location, follows_index});
}

// A type that the value alone does not tell has to be written.
void Functions::require_known(const Identifier& name, const Expr& value) {
  const auto* list = std::get_if<expr::List>(&value.node);
  const auto* function = as<types::Function>(value.type);
  const auto is_any = [](const auto& parameter) { return as<types::Any>(parameter.second) != nullptr; };
  const bool untyped = function && std::any_of(function->parameters.begin(), function->parameters.end(), is_any);
  if (!untyped && !(list && list->elements.empty())) return;
  reports_
      .add(DiagnosticKind::type_needed, name.location, "`" + name.text + "` needs a type",
           untyped ? "a function without parameter types has none of its own"
                   : "a list without elements has none of its own")
      .help.push_back(untyped ? "write `let " + name.text +
                                    ": fn(x: real): real = ...`, or give the function parameter types"
                              : "write `let " + name.text + ": [time] = []`");
}

std::vector<TypeRef> Functions::open_parameters(std::vector<Parameter>& parameters, const char* what,
                                                bool is_of_procedure) {
  std::vector<TypeRef> found;
  std::vector<std::pair<std::string, TypeRef>> named;
  for (Parameter& parameter : parameters) {
    found.push_back(is_of_procedure ? types_.resolve_of_procedure(parameter)
                                    : types_.resolve(parameter.type, what, parameter.name.location));
    named.emplace_back(parameter.name.text, found.back());
  }
  check_default_values(parameters, named);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool follows_index = as<types::Axis>(found[i]);
    names_.declare_local({parameters[i].name.text, found[i], parameters[i].name.location, follows_index});
  }
  return found;
}

}  // namespace wave::frontend::check
