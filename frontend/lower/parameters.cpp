// See parameters.h.
#include "frontend/lower/parameters.h"

#include "frontend/lower/instances.h"

#include <fmt/format.h>

#include <set>

namespace wave::frontend::lowering {

namespace {

std::string join(const std::string& path, const std::string& name) { return path.empty() ? name : path + "." + name; }

template <class Kind>
void collect_members(const Item& declaration, std::vector<const Item*>& into) {
  const std::vector<std::unique_ptr<Item>>* members = nullptr;
  if (const auto* model = std::get_if<item::Model>(&declaration.node)) members = &model->members;
  if (const auto* machine = std::get_if<item::Machine>(&declaration.node)) {
    members = &machine->members;
    if (machine->base_item) collect_members<Kind>(*machine->base_item, into);
  }
  if (!members) return;
  for (const auto& member : *members) {
    if (!std::holds_alternative<Kind>(member->node)) continue;
    const auto same = [&](const Item* old) { return old->name.text == member->name.text; };
    const auto old = std::find_if(into.begin(), into.end(), same);
    if (old == into.end())
      into.push_back(member.get());
    else
      *old = member.get();
  }
}

}  // namespace

void Parameters::set_overrides(const std::vector<Override>& overrides) {
  for (const Override& one : overrides) overrides_.push_back(&one);
  override_used_.assign(overrides.size(), false);
}

const Override* Parameters::override_of(const Instance& instance, const std::string& name, bool is_given) {
  if (!instance.addressable || (is_given && !instance.through_parameter)) return nullptr;
  const std::string path = join(instance.path, name);
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (overrides_[i]->path != path) continue;
    override_used_[i] = true;
    return overrides_[i];
  }
  return nullptr;
}

void Parameters::list_parameters(Instance& instance, std::vector<ParameterInfo>& into) {
  std::vector<const Item*> parameters, lets;
  collect_members<item::Param>(*instance.declaration, parameters);
  collect_members<item::Let>(*instance.declaration, lets);
  std::vector<Instance*> inside;
  const auto enter = [&](const std::string& name, Place place) {
    const bool was_asked = instance.members[name].is_asked;
    try {
      const auto* object = as<value::Object>(instances_.member(instance, name, place, false));
      const bool own = object && object->instance->addressable && object->instance->path == join(instance.path, name);
      if (own) inside.push_back(object->instance);
    } catch (const Abandoned&) {}
    instance.members[name].is_asked = was_asked;
  };
  for (const Item* item : parameters) {
    const auto& param = std::get<item::Param>(item->node);
    const auto same = [&](const Named& one) { return one.first == item->name.text; };
    const bool is_given = std::any_of(instance.given.begin(), instance.given.end(), same);
    enter(item->name.text, item->name.place);
    if (is_given && !instance.through_parameter) continue;
    ParameterInfo info;
    info.path = join(instance.path, item->name.text);
    info.type = param.checked_type;
    info.doc = item->doc;
    info.definition = instance.members[item->name.text].raw;
    info.given = override_of(instance, item->name.text, is_given) != nullptr;
    info.owner = instance.declaration;
    listed_.push_back(&instance.members[item->name.text]);
    // The source is where the default comes from.
    if (!is_given && !info.given) info.source = param.source.value_or("");
    into.push_back(std::move(info));
  }
  for (const Item* item : lets) {
    const TypeRef& type = std::get<item::Let>(item->node).checked_type;
    const bool holds = type && (std::holds_alternative<types::Model>(type->kind) ||
                                std::holds_alternative<types::Machine>(type->kind));
    if (holds) enter(item->name.text, item->name.place);
  }
  for (Instance* one : inside) list_parameters(*one, into);
}

void Parameters::tell_what_is_asked(std::vector<ParameterInfo>& parameters) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].is_asked = listed_[i]->is_asked;
}

void Parameters::report_unused_overrides() {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (override_used_[i] || diagnostics_.has_errors()) continue;
    diagnostics_.add(DiagnosticKind::unknown_parameter, overrides_[i]->place,
                     fmt::format("`{}` is not a parameter that can be given from outside", overrides_[i]->path),
                     "nothing reads this value");
  }
}

}  // namespace wave::frontend::lowering

namespace wave::frontend {

namespace {

// What is known of a machine or model before anything runs.
struct Known {
  std::vector<const Item*> declarations;                  // one of these
  std::vector<std::pair<std::string, TypeRef>> required;  // `Machine { L: time }`
  std::set<std::string> given;                            // by its call, and so out of reach
};

const std::vector<std::unique_ptr<Item>>* members_of(const Item& item) {
  if (const auto* model = std::get_if<item::Model>(&item.node)) return &model->members;
  if (const auto* machine = std::get_if<item::Machine>(&item.node)) return &machine->members;
  return nullptr;
}

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
  const auto add = [&](const Item* item) {
    if (item && members_of(*item)) known.declarations.push_back(item);
  };
  if (const auto* call = std::get_if<expr::Call>(&expr->node)) {
    if (!through_parameter) {
      for (const Argument& argument : call->arguments) {
        if (argument.name) known.given.insert(argument.name->text);
      }
    }
    follow(call->callee.get(), owner, through_parameter, known, depth + 1);
  } else if (const auto* name = std::get_if<expr::Name>(&expr->node)) {
    if (const auto* global = std::get_if<target::Global>(&name->target))
      add(global->item);
    else
      follow_member(owner, name->text, known, depth + 1);
  } else if (const auto* member = std::get_if<expr::Member>(&expr->node)) {
    if (const auto* global = std::get_if<target::Global>(&member->target)) add(global->item);
  } else if (const auto* choice = std::get_if<expr::If>(&expr->node)) {
    follow(choice->then_value.get(), owner, through_parameter, known, depth + 1);
    follow(choice->else_value.get(), owner, through_parameter, known, depth + 1);
  }
}

Known inside(const Item& member, const Item& owner) {
  Known known;
  if (const auto* param = std::get_if<item::Param>(&member.node)) {
    follow(param->default_value.get(), owner, true, known, 0);
    if (param->checked_type) {
      if (const auto* machine = std::get_if<types::Machine>(&param->checked_type->kind)) {
        known.required = machine->parameters;
        if (machine->declaration && members_of(*machine->declaration))
          known.declarations.push_back(machine->declaration);
      }
      if (const auto* model = std::get_if<types::Model>(&param->checked_type->kind)) {
        if (model->declaration) known.declarations.push_back(model->declaration);
      }
    }
  }
  if (const auto* let = std::get_if<item::Let>(&member.node)) follow(let->value.get(), owner, false, known, 0);
  return known;
}

struct PathSearch {
  std::string path;                     // as far as it was followed
  std::vector<std::string> candidates;  // what could have stood there
  std::string note;
};

TypeRef find_type(const Known& known, const std::vector<std::string>& parts, std::size_t at, PathSearch& search) {
  const std::string& name = parts[at];
  const bool last = at + 1 == parts.size();
  for (const auto& [required, type] : known.required) {
    search.candidates.push_back(required);
    if (last && required == name) return type;
  }
  for (const Item* declaration : known.declarations) {
    std::vector<const Item*> parameters;
    lowering::collect_members<item::Param>(*declaration, parameters);
    for (const Item* parameter : parameters) {
      if (!known.given.contains(parameter->name.text)) search.candidates.push_back(parameter->name.text);
    }
    const Item* member = lowering::find_member(*declaration, name);
    const auto* param = member ? std::get_if<item::Param>(&member->node) : nullptr;
    const bool is_let = member && std::holds_alternative<item::Let>(member->node);
    if (last && param && known.given.contains(name)) {
      search.note = "`" + name + "` is given where the model is called";
      continue;
    }
    if (last && param) return param->checked_type;
    if (last && is_let) search.note = "`" + name + "` is derived by `let`, it is no parameter";
    if (last || (!param && !is_let)) continue;
    search.candidates.clear();
    search.path += name + ".";
    return find_type(inside(*member, *declaration), parts, at + 1, search);
  }
  return nullptr;
}

}  // namespace

TypeRef parameter_type(const Program&, const Item& model, const std::string& path, Place place,
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
      diagnostics.add(DiagnosticKind::unknown_parameter, place,
                      fmt::format("`{}` has no parameter `{}`", model.name.text, path), "no such parameter");
  if (!search.note.empty()) diagnostic.notes.push_back(search.note);
  std::size_t at = 0;
  for (const char c : search.path) at += c == '.';
  const std::string near = nearest(parts[std::min(at, parts.size() - 1)], search.candidates);
  if (!near.empty()) {
    diagnostic.help.push_back(fmt::format("did you mean `{}{}`?", search.path, near));
  } else if (!search.candidates.empty()) {
    std::string all;
    for (const std::string& candidate : search.candidates)
      all += (all.empty() ? "`" : ", `") + search.path + candidate + "`";
    diagnostic.help.push_back("its parameters are " + all);
  }
  return nullptr;
}

}  // namespace wave::frontend
