// Machines and models as instances: how they are made, and what their members are.
#include "frontend/lower/instances.h"

#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

// What stands behind a declaration: first the machine that it extends, then the interface that it offers.
std::vector<const Item*> behind(const Item& declaration) {
  std::vector<const Item*> more;
  if (const auto* machine = std::get_if<item::Machine>(&declaration.node)) {
    if (machine->base_item) more.push_back(machine->base_item);
    if (machine->interface_item) more.push_back(machine->interface_item);
  }
  return more;
}

bool without_body(const Item& member) {
  if (const auto* function = std::get_if<item::Function>(&member.node)) return !function->body;
  if (const auto* collective = std::get_if<item::Collective>(&member.node)) {
    return !collective->cost && !collective->has_algorithm;
  }
  return false;
}

// A condition on such a value that is known while lowering is decided there: what is not taken is not lowered at all,
// which is most of a model that offers several variants.
bool decides_structure(const TypeRef& type) {
  return as<types::Choice>(type) || as<types::Level>(type) || as<types::Bool>(type);
}

}  // namespace

const Item* find_member(const Item& declaration, const std::string& name) {
  const Item* signature = nullptr;
  for (const Item* member : check::members_named(declaration, name)) {
    if (std::holds_alternative<item::Protocol>(member->node)) continue;
    if (!without_body(*member)) return member;
    signature = member;
  }
  for (const Item* more : behind(declaration)) {
    const Item* found = find_member(*more, name);
    if (found && !without_body(*found)) return found;
    if (found && !signature) signature = found;
  }
  return signature;
}

std::string path_of(const Instance& instance, const std::string& name) {
  return instance.path.empty() ? name : instance.path + "." + name;
}

const Named* find_given(const Instance& instance, const std::string& name) {
  const auto same = [&](const Named& one) { return one.first == name; };
  const auto found = std::find_if(instance.given.begin(), instance.given.end(), same);
  return found == instance.given.end() ? nullptr : &*found;
}

Scope Instances::scope_of(Instance& instance) const {
  Scope scope;
  scope.self = &instance;
  scope.module = instance.declaration ? instance.declaration->module : nullptr;
  scope.frame = instance.frame;
  return scope;
}

Instance& Instances::new_instance(const Item& declaration, const std::vector<Named>& given, const Naming* naming,
                                  Location location) {
  ir::FrameId frame = ir::System::root_frame;
  for (const Named& one : given) frame = facts_.deeper(frame, values_.deepest_frame(one.second));
  if (instances_.size() > Bounds::specialisations) {
    sites_.abandon(DiagnosticKind::structure_too_large, location, "too many different machines and models",
                   fmt::format("more than {}", Bounds::specialisations));
  }
  auto instance = std::make_unique<Instance>();
  instance->declaration = &declaration;
  instance->given = given;
  instance->call = location;
  instance->frame = frame;
  instance->title = declaration.name.text + ".";
  if (naming) {
    instance->path = naming->path;
    instance->title = naming->title;
    instance->addressable = naming->addressable && frame == ir::System::root_frame;
    instance->through_parameter = naming->through_parameter;
  }
  instances_.push_back(std::move(instance));
  return *instances_.back();
}

ValuePtr Instances::instantiate(const Item& declaration, const std::vector<Named>& given, Location location,
                                const Naming* naming) {
  for (const Named& one : given) {
    if (values_.depends_on_loop(one.second)) return make(value::Lifted{&declaration, given, {}, location});
  }
  if (naming && naming->addressable) return make(value::Object{&new_instance(declaration, given, naming, location)});
  // What -D cannot reach is one instance, however often it is met, and whoever made the one that it is a member of.
  std::string identity = fmt::format("{}", fmt::ptr(&declaration));
  if (naming) identity += fmt::format("@{}.{}.{}", location.file, location.begin, location.end);
  for (const Named& one : given) identity += "," + one.first + "=" + values_.key(one.second);
  Instance*& shared = shared_instances_[identity];
  if (!shared) shared = &new_instance(declaration, given, naming, location);
  return make(value::Object{shared});
}

ValuePtr Instances::replace_parameters(Instance& instance, const std::vector<Named>& given, Location location,
                                       const Naming* naming) {
  std::vector<Named> merged;
  for (const Named& old : instance.given) {
    const bool replaced =
        std::any_of(given.begin(), given.end(), [&](const Named& one) { return one.first == old.first; });
    if (!replaced) merged.push_back(old);
  }
  // What -D says of the original holds for its copies, unless they say otherwise.
  if (instance.addressable) {
    for (std::size_t i = 0; i < parameters_.overrides().size(); ++i) {
      const std::string prefix = instance.path.empty() ? "" : instance.path + ".";
      if (!parameters_.overrides()[i]->path.starts_with(prefix)) continue;
      const std::string name = parameters_.overrides()[i]->path.substr(prefix.size());
      const auto same = [&](const Named& one) { return one.first == name; };
      const bool is_given = find_given(instance, name) != nullptr;
      const bool replaced = std::any_of(given.begin(), given.end(), same);
      if (name.find('.') != std::string::npos || replaced || (is_given && !instance.through_parameter)) continue;
      std::erase_if(merged, same);
      // By reference where it can be: who binds the original means its copies, too.
      const bool is_item = find_member(*instance.declaration, name) != nullptr;
      const ValuePtr own = is_item ? member(instance, name, location, false) : nullptr;
      const ir::DefinitionId raw = is_item ? instance.members[name].raw : ir::DefinitionId{};
      merged.emplace_back(name, raw.valid() ? own
                                            : expressions_.evaluate(*parameters_.overrides()[i]->value,
                                                                    root_ ? scope_of(*root_) : Scope{}));
    }
  }
  for (const Named& varied : studies_.varied_from_outside(instance)) {
    const auto same = [&](const Named& one) { return one.first == varied.first; };
    const bool known = std::any_of(merged.begin(), merged.end(), same) || std::any_of(given.begin(), given.end(), same);
    if (!known) merged.push_back(varied);
  }
  merged.insert(merged.end(), given.begin(), given.end());
  return instantiate(*instance.declaration, merged, location, naming);
}

ValuePtr Instances::global(const Item& item, Location location) {
  if (std::holds_alternative<item::Function>(item.node)) return make(value::Function{&item, nullptr});
  const bool called =
      std::holds_alternative<item::Machine>(item.node) || std::holds_alternative<item::Model>(item.node) ||
      std::holds_alternative<item::Record>(item.node) || std::holds_alternative<item::Interface>(item.node);
  if (called) return make(value::Declaration{&item});
  // The lets of a module live in an instance of their own.
  Instance*& instance = module_instances_[item.module];
  if (!instance) {
    instances_.push_back(std::make_unique<Instance>());
    instance = instances_.back().get();
    instance->frame = ir::System::root_frame;
  }
  Member& member = instance->members[item.name.text];
  if (member.progress == Progress::fresh) evaluate_member(*instance, item, member);
  if (member.progress == Progress::abandoned) throw Abandoned{member.error};
  if (!member.value)
    sites_.abandon(DiagnosticKind::endless_expansion, location, fmt::format("`{}` needs itself", item.name.text));
  return member.value;
}

namespace {

// Whether it follows from the protocols of a machine, because nothing else says it.
bool is_derived(const Item* declaration, const std::string& name, const Item* found) {
  const bool is_machine = declaration && std::holds_alternative<item::Machine>(declaration->node);
  return is_machine && check::is_derived_cost(name) && (!found || without_body(*found));
}

}  // namespace

ValuePtr Instances::member(Instance& instance, const std::string& name, Location location, bool from_outside) {
  const Item* found = instance.declaration ? find_member(*instance.declaration, name) : nullptr;
  if (is_derived(instance.declaration, name, found))
    return make(value::Derived{name, &instance, instance.declaration, from_outside});
  if (!found) {
    sites_.abandon(
        DiagnosticKind::not_expressible, location,
        fmt::format("`{}` has no member `{}`", instance.declaration ? instance.declaration->name.text : "this", name));
  }
  Member& member = instance.members[name];
  member.is_asked = true;
  const ValuePtr value = value_of(instance, *found, member, location);
  return from_outside ? guard(value, instance) : value;
}

ValuePtr Instances::inherited_member(Instance& instance, const Item& base, const std::string& name, Location location) {
  const Item* found = find_member(base, name);
  if (is_derived(&base, name, found)) return make(value::Derived{name, &instance, &base});
  if (!found || find_member(*instance.declaration, name) == found) return member(instance, name, location, false);
  return value_of(instance, *found, instance.replaced[found], location);
}

ValuePtr Instances::value_of(Instance& instance, const Item& item, Member& member, Location location) {
  if (member.progress == Progress::fresh) {
    std::size_t& nested = nested_instances_[instance.declaration];
    if (instance.evaluating++ == 0 && ++nested > Bounds::instances) {
      --nested, --instance.evaluating;
      sites_.abandon(
          DiagnosticKind::endless_expansion, location,
          fmt::format("`{}` needs itself with other parameters, without end", instance.declaration->name.text),
          fmt::format("more than {} inside each other", Bounds::instances));
    }
    evaluate_member(instance, item, member);
    if (--instance.evaluating == 0) --nested;
  }
  if (member.progress == Progress::abandoned) throw Abandoned{member.error};
  if (!member.value)
    sites_.abandon(DiagnosticKind::endless_expansion, location, fmt::format("`{}` needs itself", item.name.text));
  return member.value;
}

void Instances::evaluate_member(Instance& instance, const Item& item, Member& member) {
  member.progress = Progress::evaluating;
  try {
    std::visit(
        Overloaded{
            [&](const item::Param&) { evaluate_parameter(instance, item, member); },
            [&](const item::Let& node) { evaluate_let(instance, item, *node.value, node.checked_type, member); },
            [&](const item::Output& node) {
              if (node.indices.empty()) {
                evaluate_let(instance, item, *node.value, node.value->type, member);
                return;
              }
              member.value = make(value::Series{&item, &instance});
            },
            [&](const item::Function&) {
              member.value = make(value::Function{&item, instance.declaration ? &instance : nullptr});
            },
            [&](const item::Collective&) { member.value = make(value::Function{&item, &instance}); },
            [&](const item::Recurrence&) {
              member.value = make(value::Event{&recurrences_.recurrence(instance, item)});
            },
            [&](const item::Grid&) { member.value = make(value::Grid{&item, &instance}); },
            [&](const item::Process&) { member.value = make(value::Process{&processes_.process(instance, item)}); },
            [&](const item::Procedure&) {
              member.value = make(value::Function{&item, instance.declaration ? &instance : nullptr});
            },
            [&]<OneOf<item::Record, item::Interface, item::Machine, item::Model, item::Import, item::Require,
                      item::Levels, item::Resource, item::Protocol, item::Study, item::Test, item::Unknown>
                    Node>(const Node&) {
              sites_.abandon(DiagnosticKind::not_expressible, item.name.location,
                             fmt::format("`{}` is no value", item.name.text));
            },
        },
        item.node);
    member.progress = Progress::done;
  } catch (const Abandoned& error) {
    member.progress = Progress::abandoned;
    member.error = error.kind;
  }
}

void Instances::evaluate_let(Instance& instance, const Item& item, const Expr& expr, const TypeRef& type,
                             Member& member) {
  const std::string name = instance.title + item.name.text;
  const Scope scope = scope_of(instance);
  const auto scalar = scalar_type(type);
  if (!scalar) {
    // What `super` still reads of a `let` that has been replaced has no name of its own, so -D does not reach it.
    const bool is_replaced = instance.declaration && find_member(*instance.declaration, item.name.text) != &item;
    const Naming naming{path_of(instance, item.name.text), name + ".", instance.addressable && !is_replaced, false};
    member.value = values_.define_leaves(values_.convert(expressions_.evaluate_named(expr, scope, naming), type),
                                         instance.frame, name, item.name.location);
    return;
  }
  // It is declared first, so that its own value may refer to it.
  const ir::DefinitionId definition = b_.declare(instance.frame, name, *scalar, item.name.location);
  member.value = number(b_.reference(definition));
  try {
    const ValueId body = values_.scalar_of(expressions_.evaluate(expr, scope), *scalar, expr.location);
    b_.set_body(definition, body);
    if (decides_structure(type) && b_.as_constant(body)) member.value = number(body);
  } catch (...) {
    b_.set_body(definition, b_.fail(sites_.site(FailureKind::no_value, item.name.location, item.name.text), *scalar));
    throw;
  }
}

ValuePtr Instances::parameter_value(Instance& instance, const Item& item) {
  const auto& param = std::get<item::Param>(item.node);
  const std::string& name = item.name.text;
  const std::string path = path_of(instance, name);
  const Naming naming{path, instance.title + name + ".", instance.addressable, true};
  const Named* given = find_given(instance, name);
  if (const Override* override = parameters_.override_of(instance, name, given != nullptr)) {
    return values_.convert(expressions_.evaluate_named(*override->value, scope_of(*root_), naming), param.checked_type);
  }
  if (given) return values_.convert(given->second, param.checked_type);
  if (const ValuePtr value = studies_.parameter_in_study(instance, item, naming))
    return values_.convert(value, param.checked_type);
  if (param.default_value) {
    return values_.convert(expressions_.evaluate_named(*param.default_value, scope_of(instance), naming),
                           param.checked_type);
  }
  const std::string help =
      instance.addressable ? fmt::format("say `-D {}=...`", path) : fmt::format("write `{} = ...` in the call", name);
  sites_.abandon(DiagnosticKind::missing_parameter, item.name.location,
                 fmt::format("parameter `{}` has no value", path), "declared without a default", help);
}

void Instances::evaluate_parameter(Instance& instance, const Item& item, Member& member) {
  const auto& param = std::get<item::Param>(item.node);
  const std::string name = instance.title + item.name.text;
  const auto scalar = scalar_type(param.checked_type);
  if (!scalar) {
    member.value = values_.define_leaves(parameter_value(instance, item), instance.frame, name, item.name.location);
    return;
  }
  member.raw = b_.declare(instance.frame, name, *scalar, item.name.location, instance.addressable);
  const ValueId raw = b_.reference(member.raw);
  member.value = number(raw);
  try {
    const ValueId body = values_.scalar_of(parameter_value(instance, item), *scalar, item.name.location);
    b_.set_body(member.raw, body);
    if (!instance.addressable && decides_structure(param.checked_type) && b_.as_constant(body))
      member.value = number(body);
  } catch (...) {
    b_.set_body(member.raw,
                b_.fail(sites_.site(FailureKind::parameter_missing, item.name.location, item.name.text), *scalar));
    throw;
  }
  if (!param.has_range) return;
  const auto checks = range_checks(instance, item, member.raw);
  ValueId checked = raw;
  for (auto check = checks.rbegin(); check != checks.rend(); ++check)
    checked = b_.check(check->first, checked, check->second);
  member.value = number(b_.reference(b_.define(instance.frame, name, checked, item.name.location)));
}

ValuePtr Instances::member_of(const ValuePtr& object, const std::string& name, const Scope& scope, Location location) {
  return values_.distribute(object, [&](const ValuePtr& one) -> ValuePtr {
    if (const auto* node = as<value::Object>(one))
      return member(*node->instance, name, location, node->instance != scope.self);
    if (const auto* node = as<value::Record>(one)) {
      const auto& fields = std::get<item::Record>(node->declaration->node).fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].first.text == name) return node->fields[i];
      }
    }
    if (const auto* node = as<value::Point>(one)) return number(levels_.rank(*node, location));
    if (as<value::Lifted>(one)) {
      return lifting_.lift(*as<value::Lifted>(one), {LiftedStep::Kind::member, name, {}}, scope, location);
    }
    if (const auto* node = as<value::Process>(one))
      return processes_.measure(*node, name, std::nullopt, ir::Over::one, {}, location);
    sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("`{}` cannot be read here", name));
  });
}

Instance& Instances::make_root(const Item& declaration, const std::vector<Named>& given, Location location) {
  const Naming naming{"", "", true, false};
  root_ = &new_instance(declaration, given, &naming, location);
  return *root_;
}

void Instances::note_origin(const Instance& instance, const Item& item, SiteNote& note) {
  const std::string& name = item.name.text;
  const bool given = find_given(instance, name) != nullptr;
  if (const Override* override = parameters_.override_of(instance, name, given)) {
    note.origin = SiteNote::Origin::command_line;
    note.value = override->location;
    return;
  }
  if (!given) {
    const auto& param = std::get<item::Param>(item.node);
    note.value = param.default_value ? param.default_value->location : item.name.location;
    return;
  }
  note.origin = SiteNote::Origin::call;
  note.value = instance.call;
  const expr::Call* call = sites_.call_at(instance.call);
  if (!call) return;
  for (const Argument& argument : call->arguments) {
    if (argument.name && argument.name->text == name) note.value = argument.value->location;
  }
}

}  // namespace wave::frontend::lowering
