// Calls of functions, and of collectives as costs: their arguments, and the frames that they become.
#include "frontend/lower/expressions.h"
#include "frontend/lower/frames.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

const std::vector<Parameter>& parameters_of(const Item& declaration) {
  if (const auto* function = std::get_if<item::Function>(&declaration.node)) return function->parameters;
  if (const auto* procedure = std::get_if<item::Procedure>(&declaration.node)) return procedure->parameters;
  return std::get<item::Collective>(declaration.node).parameters;
}

namespace {

TypeRef formal_type(const Item& declaration, std::size_t index) {
  if (const auto* function = std::get_if<item::Function>(&declaration.node)) {
    if (function->checked_type) {
      if (const auto* type = as<types::Function>(function->checked_type)) {
        if (index < type->parameters.size()) return type->parameters[index].second;
      }
    }
  }
  return written_number(parameters_of(declaration)[index].type.get());
}

TypeRef result_type(const Item& declaration) {
  if (const auto* function = std::get_if<item::Function>(&declaration.node)) {
    if (function->checked_type) {
      if (const auto* type = as<types::Function>(function->checked_type)) return type->result;
    }
    return written_number(function->result.get());
  }
  return written_number(std::get<item::Collective>(declaration.node).result.get());
}

const Expr* body_of(const Item& declaration) {
  if (const auto* function = std::get_if<item::Function>(&declaration.node)) return function->body.get();
  return std::get<item::Collective>(declaration.node).cost.get();
}

}  // namespace

std::vector<ValuePtr> Functions::bind_arguments(const value::Function& function, const std::vector<Named>& arguments,
                                                Location location) {
  const auto& formals = parameters_of(*function.declaration);
  std::vector<ValuePtr> bound(formals.size());
  std::size_t next = 0;
  for (const Named& argument : arguments) {
    std::size_t at = next;
    if (argument.first.empty()) {
      ++next;
    } else {
      for (at = 0; at < formals.size() && formals[at].name.text != argument.first;) ++at;
    }
    if (at < formals.size()) {
      bound[at] = values_.convert(argument.second, formal_type(*function.declaration, at));
    } else if (!argument.first.empty()) {
      // A machine may have its own `total`, where its interface lets it follow from the protocols.
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("`{}` of this machine takes no `{}`", function.declaration->name.text, argument.first),
                     "called here", "a process with both machines says what a message between them takes");
    }
  }
  Scope scope;
  if (function.self) scope = instances_.scope_of(*function.self);
  for (std::size_t i = 0; i < formals.size(); ++i) {
    if (!bound[i] && formals[i].default_value) {
      bound[i] = values_.convert(expressions_.evaluate(*formals[i].default_value, scope),
                                 formal_type(*function.declaration, i));
    }
    if (!bound[i]) {
      sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("`{}` is not given", formals[i].name.text));
    }
    scope = bind_local(scope, formals[i].name.text, bound[i]);
  }
  return bound;
}

ValuePtr Functions::call_function(const value::Function& function, const std::vector<Named>& arguments,
                                  const Scope& scope, Location location) {
  const auto* collective = std::get_if<item::Collective>(&function.declaration->node);
  if (collective && collective->has_algorithm) {
    const ValuePtr result = processes_.call_algorithm(function, arguments, location);
    return function.guarded && function.self ? instances_.guard(result, *function.self) : result;
  }
  if (!body_of(*function.declaration)) {
    sites_.abandon(DiagnosticKind::not_expressible, location,
                   fmt::format("`{}` has no body on this machine", function.declaration->name.text));
  }
  const ValuePtr result = call_distributed(function, bind_arguments(function, arguments, location), scope, location);
  return function.guarded && function.self ? instances_.guard(result, *function.self) : result;
}

ValuePtr Functions::call_distributed(const value::Function& function, std::vector<ValuePtr> arguments,
                                     const Scope& scope, Location location) {
  for (ValuePtr& argument : arguments) {
    if (!as<value::Select>(argument)) continue;
    const ValuePtr whole = argument;
    return values_.for_each_choice(whole, [&](const ValuePtr& one) {
      argument = one;
      return call_distributed(function, arguments, scope, location);
    });
  }
  const Item& declaration = *function.declaration;
  std::vector<std::string> names;
  for (const Parameter& formal : parameters_of(declaration)) names.push_back(formal.name.text);
  const std::string name = (function.self ? function.self->title : "") + declaration.name.text;
  const std::string identity = fmt::format("{}.{}", fmt::ptr(&declaration), fmt::ptr(function.self));
  const ir::FrameId home = function.self ? function.self->frame : ir::System::root_frame;
  return call_framed(
      name, identity, home, names, arguments, result_type(declaration),
      [&](const std::vector<ValuePtr>& inside, ir::FrameId frame) {
        Scope own = function.self ? instances_.scope_of(*function.self) : Scope{};
        own.module = declaration.module;
        own.frame = frame;
        return run_body(function, inside, own, true);
      },
      [&] { return inline_call(function, arguments, scope, location); }, location);
}

ValuePtr Functions::inline_call(const value::Function& function, const std::vector<ValuePtr>& arguments,
                                const Scope& scope, Location location) {
  const Counted counted(inlined_);
  if (inlined_ > Bounds::inlined) {
    sites_.abandon(
        DiagnosticKind::endless_expansion, location,
        fmt::format("the calls of `{}` unfold without end", function.declaration->name.text),
        fmt::format("more than {} inside each other", Bounds::inlined),
        "a function of lists, or of machines that depend on a loop, is written out for each call: give it numbers");
  }
  Scope own = function.self ? instances_.scope_of(*function.self) : Scope{};
  own.module = function.declaration->module;
  own.frame = scope.frame;
  own.body = scope.body;
  return values_.convert(run_body(function, arguments, own, false), result_type(*function.declaration));
}

ValuePtr Functions::run_body(const value::Function& function, const std::vector<ValuePtr>& arguments, Scope scope,
                             bool define) {
  const auto& formals = parameters_of(*function.declaration);
  for (std::size_t i = 0; i < formals.size(); ++i) scope = bind_local(scope, formals[i].name.text, arguments[i]);
  if (const auto* node = std::get_if<item::Function>(&function.declaration->node)) {
    for (const LocalLet& let : node->lets) scope = bind_later(scope, let, define);
  }
  return expressions_.evaluate(*body_of(*function.declaration), scope);
}

ValuePtr Functions::call_framed(const std::string& name, const std::string& identity, ir::FrameId parent,
                                const std::vector<std::string>& names, const std::vector<ValuePtr>& arguments,
                                const TypeRef& result,
                                const std::function<ValuePtr(const std::vector<ValuePtr>&, ir::FrameId)>& body,
                                const std::function<ValuePtr()>& otherwise, Location location) {
  std::string identity_of_call = identity;
  Shapes shapes(parts_);
  for (const ValuePtr& argument : arguments) {
    if (!can_travel(argument)) return otherwise();
    identity_of_call += "," + shapes.of(argument);
    if (!only_scalars(argument)) {
      // The scalars of a record travel, so they do not count here.
      ir::FrameId home = ir::System::root_frame;
      if (!as<value::Record>(argument)) home = values_.deepest_frame(argument);
      parent = facts_.deeper(parent, home);
    }
  }
  auto& slot = specialisations_[identity_of_call];
  if (!slot) {
    if (specialisations_.size() > Bounds::specialisations) {
      sites_.abandon(DiagnosticKind::structure_too_large, location, "too many different calls",
                     fmt::format("more than {}", Bounds::specialisations));
    }
    slot = std::make_unique<Specialisation>();
    Specialisation& made = *slot;
    made.frame = b_.frame(name, parent);
    std::vector<ValuePtr> inside;
    Entrance entrance(parts_, made.frame);
    for (std::size_t i = 0; i < arguments.size(); ++i) inside.push_back(entrance.enter(arguments[i], names[i]));
    made.result = declare_result(parts_, made.frame, name, result);
    const bool declared = made.result != nullptr;
    try {
      const ValuePtr value = values_.convert(body(inside, made.frame), result);
      if (declared) {
        fill_result(parts_, made.result, value, location);
      } else if (only_scalars(value)) {
        made.result = define_result(parts_, made.frame, name, value, location);
      }
      made.progress = Progress::done;
    } catch (const Abandoned& error) {
      made.progress = Progress::abandoned;
      made.error = error.kind;
    }
    if (declared && made.progress != Progress::done) fill_result(parts_, made.result, nullptr, location);
  }
  const Specialisation& known = *slot;
  if (known.progress == Progress::abandoned) throw Abandoned{known.error};
  if (!known.result) return otherwise();  // if it calls itself, the bound on inlining ends this
  const std::vector<ValueId> actual = scalars_that_travel(arguments);
  const ir::SiteId deep = sites_.site(FailureKind::recursion_too_deep, location, name);
  return values_.map_leaves(known.result, [&](ValueId leaf) {
    const auto definition = std::get<ir::Reference>(b_.system()[leaf].node).definition;
    return b_.call(known.frame, definition, actual, deep);
  });
}

}  // namespace wave::frontend::lowering
