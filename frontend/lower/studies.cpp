// Studies: their variables, what they set, and what they show.
#include "frontend/check/program.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/outputs.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

// Is given to the copies of the model that belong to the study. The language has no such name.
constexpr const char* study_mark = "<study>";

const Item* param_of(const Item& model, const std::string& name) {
  const Item* found = find_member(model, name);
  return found && std::holds_alternative<item::Param>(found->node) ? found : nullptr;
}

// The first unit in an expression, as written.
std::optional<Unit> unit_in(const Expr& expr) {
  if (const auto* number = std::get_if<expr::Number>(&expr.node)) return number->unit;
  if (const auto* list = std::get_if<expr::List>(&expr.node)) {
    return list->elements.empty() ? std::nullopt : unit_in(*list->elements.front());
  }
  if (const auto* range = std::get_if<expr::Range>(&expr.node)) return unit_in(*range->first);
  if (const auto* list = std::get_if<expr::Comprehension>(&expr.node)) return unit_in(*list->element);
  if (const auto* sign = std::get_if<expr::Unary>(&expr.node)) return unit_in(*sign->operand);
  if (const auto* both = std::get_if<expr::Binary>(&expr.node)) {
    auto left = unit_in(*both->left);
    return left ? left : unit_in(*both->right);
  }
  return std::nullopt;
}

// Whether values of a type are rows of a system, or have to be chosen before it is made.
bool is_scalar(const TypeRef& type) { return scalar_type(type).has_value(); }

}  // namespace

bool Studies::is_of_study(const Instance& instance) const {
  return study_ && instance.declaration == study_->model_item && find_given(instance, study_mark);
}

// The scope of an instance, with the study's names that are no parameters as locals.
Scope Studies::scope_in_study(Instance& instance) const {
  Scope scope = instances_.scope_of(instance);
  for (const auto& vary : study_->vary) {
    const Named* given = find_given(instance, vary.name.text);
    if (given && !param_of(*study_->model_item, vary.name.text))
      scope = bind_local(scope, vary.name.text, given->second);
  }
  return scope;
}

// The value of a variable that is not bound: the first of its list, or else some value of its type.
ValuePtr Studies::stand_in(const item::Study::Vary& vary, const Scope& scope) {
  if (vary.values) {
    const ValuePtr list = expressions_.evaluate(*vary.values, scope);
    if (const auto* known = as<value::List>(list)) {
      if (!known->elements.empty()) return known->elements.front();
    } else if (const auto* range = as<value::Range>(list)) {
      return number(range->first);
    } else {
      return lists_.index(list, b_.integer(1), vary.values->location);
    }
  }
  switch (scalar_type(vary.type).value_or(ir::ScalarType::integer)) {
    case ir::ScalarType::real: return number(b_.real(0));
    case ir::ScalarType::integer: return number(b_.integer(0));
    case ir::ScalarType::boolean: return number(b_.boolean(false));
  }
  return nullptr;
}

Instance& Studies::make_study_root(const item::Study& study, const std::vector<std::size_t>& choices) {
  study_ = &study;
  choices_ = choices;
  for (const auto& set : study.set) set_.emplace(set.name.text, &set);
  for (const auto& vary : study.vary) varied_.emplace(vary.name.text, &vary);
  root_ =
      &instances_.make_root(*study.model_item, {{study_mark, number(b_.boolean(true))}}, study.model.front().location);
  for (const auto& vary : study.vary) {
    if (param_of(*study.model_item, vary.name.text) || vary.name.text.find('.') != std::string::npos) continue;
    if (!is_scalar(vary.type)) {
      root_->given.emplace_back(vary.name.text, chosen(vary, {}));
      continue;
    }
    const auto type = *scalar_type(vary.type);
    const ir::DefinitionId definition = b_.declare(root_->frame, vary.name.text, type, vary.name.location, true);
    b_.set_body(definition, values_.scalar_of(stand_in(vary, instances_.scope_of(*root_)), type, vary.name.location));
    root_->given.emplace_back(vary.name.text, number(b_.reference(definition)));
    free_names_[vary.name.text] = definition;
  }
  return *root_;
}

// The element that was chosen for a variable that shapes the system.
ValuePtr Studies::chosen(const item::Study::Vary& vary, const Naming& naming) {
  const auto at = static_cast<std::size_t>(&vary - study_->vary.data());
  const std::size_t choice = at < choices_.size() ? choices_[at] : 0;
  const Scope scope = instances_.scope_of(*root_);
  if (const auto* list = std::get_if<expr::List>(&vary.values->node)) {
    if (choice < list->elements.size()) return expressions_.evaluate_named(*list->elements[choice], scope, naming);
  }
  const auto all = lists_.elements(expressions_.evaluate(*vary.values, scope), vary.values->location);
  if (choice < all.size()) return all[choice];
  sites_.abandon(DiagnosticKind::wrong_study, vary.values->location,
                 fmt::format("`{}` varies over nothing", vary.name.text), "an empty list");
}

ValuePtr Studies::parameter_in_study(Instance& instance, const Item& item, const Naming& naming) {
  if (!is_of_study(instance)) return nullptr;
  const std::string& name = item.name.text;
  const auto& param = std::get<item::Param>(item.node);
  if (const auto at = set_.find(name); at != set_.end()) {
    const item::Study::Set& set = *at->second;
    Scope scope = scope_in_study(instance);
    if (param.default_value) {
      const Identifier usual{"default", item.name.location};
      Scope own = instances_.scope_of(instance);
      const Scope with_default = bind_later(own, usual, nullptr, *param.default_value, false);
      const auto local = std::make_shared<Environment>(*with_default.locals);
      local->parent = scope.locals;
      scope.locals = local;
    }
    return expressions_.evaluate_named(*set.value, scope, naming);
  }
  const auto at = varied_.find(name);
  if (at == varied_.end()) return nullptr;
  if (!is_scalar(at->second->type)) return chosen(*at->second, naming);
  // The caller binds it. Its usual value is its default.
  return param.default_value ? nullptr : stand_in(*at->second, instances_.scope_of(instance));
}

std::vector<Named> Studies::varied_from_outside(const Instance& instance) {
  std::vector<Named> varied;
  if (&instance != root_ || !is_of_study(instance)) return varied;
  for (const auto& vary : study_->vary) {
    const std::string name = vary.name.text.substr(0, vary.name.text.find('.'));
    const bool is_path = name.size() != vary.name.text.size();
    if (!param_of(*study_->model_item, name) || (!is_path && !is_scalar(vary.type))) continue;
    varied.emplace_back(name, instances_.member(*root_, name, vary.name.location, false));
  }
  return varied;
}

// `total[procs = 4]` is read in another copy of the model. If a loop's variable is among the indices, only outputs of
// the model can be read.
ValuePtr Studies::elsewhere(const Expr& expr, const expr::Index& node, const Scope& scope) {
  std::vector<Named> given;
  for (const Argument& index : node.indices) {
    const std::string& name = index.name->text;
    const auto vary = varied_.find(name);
    ValuePtr value = expressions_.evaluate(*index.value, scope);
    given.emplace_back(name, vary == varied_.end() ? value : values_.convert(value, vary->second->type));
  }
  const ValuePtr copy = instances_.replace_parameters(*root_, given, expr.location, nullptr);
  if (const auto* object = as<value::Object>(copy)) {
    return instances_.guard(expressions_.evaluate(*node.object, scope_of_shows(*object->instance, shows_in(scope))),
                            *object->instance);
  }
  if (const auto* name = std::get_if<expr::Name>(&node.object->node))
    return instances_.member_of(copy, name->text, scope, expr.location);
  sites_.abandon(DiagnosticKind::not_expressible, expr.location,
                 "only outputs of the model can be read at points that a loop names", "this is more than a name");
}

ValuePtr Studies::output_with(const expr::Call& call, const Scope& scope, Location location) {
  const auto* name = study_ ? std::get_if<expr::Name>(&call.callee->node) : nullptr;
  if (!name || !scope.self || !is_of_study(*scope.self)) return nullptr;
  for (EnvironmentPtr local = scope.locals; local; local = local->parent) {
    if (local->name == name->text) return nullptr;
  }
  const Item* found = find_member(*study_->model_item, name->text);
  if (!found || !std::holds_alternative<item::Output>(found->node)) return nullptr;
  std::vector<Named> given;
  for (const Argument& argument : call.arguments) {
    given.emplace_back(argument.name ? argument.name->text : "",
                       expressions_.evaluate_named(*argument.value, scope, {}));
  }
  return instances_.member_of(instances_.replace_parameters(*scope.self, given, location, nullptr), name->text, scope,
                              location);
}

// The scope of an instance, with the names of the first `count` shows.
Scope Studies::scope_of_shows(Instance& instance, std::size_t count) {
  std::vector<Scope>& scopes = scopes_of_shows_[&instance];
  if (scopes.empty()) scopes.push_back(scope_in_study(instance));
  while (scopes.size() <= count) {
    const auto& show = study_->show[scopes.size() - 1];
    scopes.push_back(show.name ? bind_later(scopes.back(), *show.name, nullptr, *show.value, true) : scopes.back());
  }
  return scopes[count];
}

// How many shows a scope knows, which are those before the one that is being evaluated.
std::size_t Studies::shows_in(const Scope& scope) const {
  for (EnvironmentPtr local = scope.locals; local; local = local->parent) {
    for (std::size_t i = 0; i < study_->show.size(); ++i) {
      if (local->pending == study_->show[i].value.get()) return i + 1;
    }
  }
  return 0;
}

OutputInfo Studies::shown(Instance& instance, const item::Study::Show& show, bool is_guarded) {
  OutputInfo info;
  info.location = show.name ? show.name->location : show.value->location;
  info.name = show.name ? show.name->text : std::string(program_.sources.text(show.value->location));
  const auto* name = std::get_if<expr::Name>(&show.value->node);
  const Item* of = name && !show.name ? find_member(*study_->model_item, name->text) : nullptr;
  std::optional<Unit> unit = show.unit;
  if (of && std::holds_alternative<item::Output>(of->node)) {
    info.doc = of->doc;
    if (!unit) unit = std::get<item::Output>(of->node).unit;
  }
  try {
    const TypeRef& type = show.value->type;
    const bool is_record = as<types::Record>(type);
    info.shape = is_record ? RowsShape::record : RowsShape::single;
    refuse_too_many_columns(parts_, type, show.value->location);
    if (!add_columns(type, is_record ? "" : info.name, unit, info.columns)) {
      sites_.abandon(DiagnosticKind::no_column, show.value->location,
                     fmt::format("`{}` is no column of a study", info.name),
                     type ? fmt::format("its type is `{}`", to_string(*type)) : "", "a study shows values and records");
    }
    if (is_record) {
      for (auto& column : info.columns) column.name = info.name + "." + column.name;
    }
    ir::Root root = is_guarded ? instances_.guarded_root(info.name, instance) : ir::Root{info.name, {}, {}};
    std::vector<ValueId> cells;
    const auto before = static_cast<std::size_t>(&show - study_->show.data());
    add_cells(parts_, expressions_.evaluate(*show.value, scope_of_shows(instance, before)), type, show.value->location,
              cells);
    root.blocks.push_back({{}, std::move(cells)});
    info.root = b_.root(std::move(root));
  } catch (const Abandoned& error) {
    info.failed = error.kind;
  }
  return info;
}

OutputInfo Studies::condition(Instance& instance, const Expr& condition) {
  OutputInfo info;
  info.location = condition.location;
  info.name = std::string(program_.sources.text(condition.location));
  info.shape = RowsShape::single;
  try {
    add_columns(condition.type, info.name, std::nullopt, info.columns);
    ir::Root root;
    root.name = info.name;
    std::vector<ValueId> cells;
    add_cells(parts_, expressions_.evaluate(condition, scope_in_study(instance)), condition.type, condition.location,
              cells);
    root.blocks.push_back({{}, std::move(cells)});
    info.root = b_.root(std::move(root));
  } catch (const Abandoned& error) {
    info.failed = error.kind;
  }
  return info;
}

StudyVariable Studies::variable(Instance& root, const item::Study::Vary& vary) {
  StudyVariable info;
  info.name = vary.name.text;
  info.type = vary.type;
  info.location = vary.name.location;
  info.is_listed = vary.values != nullptr;
  info.shapes = !is_scalar(vary.type);
  if (info.is_listed && !info.shapes) info.unit = unit_in(*vary.values);
  try {
    describe(vary, info);
    if (info.is_listed) list_values(root, vary, info);
  } catch (const Abandoned&) {}
  return info;
}

// Finds the definition that stands for the parameter, its documentation and its range.
void Studies::describe(const item::Study::Vary& vary, StudyVariable& info) {
  const auto free = free_names_.find(info.name);
  if (free != free_names_.end()) {
    info.definition = free->second;
    return;
  }
  Instance* const owner = instances_.owner_of(info.name, vary.name.location);
  if (!owner) {
    sites_.abandon(DiagnosticKind::fixed_parameter, vary.name.location, fmt::format("`{}` cannot vary", info.name),
                   "it is not known what this is part of");
  }
  if (const std::string own = own_path(*owner, info.name); own != info.name) {
    sites_.abandon(DiagnosticKind::fixed_parameter, vary.name.location, fmt::format("`{}` cannot vary", info.name),
                   another_name(*owner, info.name), fmt::format("vary `{}`", own));
  }
  const std::string rest = info.name.substr(info.name.rfind('.') + 1);
  const Item* item = find_member(*owner->declaration, rest);
  const auto* param = item ? std::get_if<item::Param>(&item->node) : nullptr;
  if (!param) {
    if (info.shapes) return;
    sites_.abandon(DiagnosticKind::unknown_parameter, vary.name.location,
                   fmt::format("there is no parameter `{}`", info.name), "nothing varies");
  }
  info.doc = item->doc;
  instances_.member(*owner, rest, vary.name.location, false);
  info.definition = owner->members[rest].raw;
  info.has_usual =
      param->default_value != nullptr || (owner->addressable && parameters_.override_of(*owner, rest, false));
  if (info.shapes) return;
  if (!info.definition.valid() || !b_.system()[info.definition].bindable) {
    sites_.abandon(DiagnosticKind::fixed_parameter, vary.name.location, fmt::format("`{}` cannot vary", info.name),
                   "it is given where the model is called");
  }
  const Scope scope = instances_.scope_of(*owner);
  const auto bound = [&](const ExprPtr& value) -> ir::RootId {
    if (!value) return {};
    ir::Root row;
    row.name = info.name;
    row.blocks.push_back({{}, {expressions_.real(*value, scope)}});
    return b_.root(std::move(row));
  };
  info.lower = bound(param->lower);
  info.upper = bound(param->upper);
}

void Studies::list_values(Instance& root, const item::Study::Vary& vary, StudyVariable& info) {
  const Scope scope = instances_.scope_of(root);
  const Location location = vary.values->location;
  if (info.shapes) {
    const auto* written = std::get_if<expr::List>(&vary.values->node);
    const std::size_t count = written ? written->elements.size()
                                      : lists_.elements(expressions_.evaluate(*vary.values, scope), location).size();
    for (std::size_t i = 0; i < count; ++i) {
      info.labels.push_back(written ? std::string(program_.sources.text(written->elements[i]->location))
                                    : fmt::format("{}", i + 1));
    }
    return;
  }
  const ValuePtr values = expressions_.evaluate(*vary.values, scope);
  ir::Root length;
  length.name = info.name;
  length.blocks.push_back({{}, {lists_.count(values, location)}});
  info.count = b_.root(std::move(length));
  ir::Root list;
  list.name = info.name;
  for (const Iteration& one : lists_.enumerate(values, false, location)) {
    std::vector<ValueId> cells;
    add_cells(parts_, values_.convert(one.element, vary.type), vary.type, location, cells);
    list.blocks.push_back(block_of(parts_, one, std::move(cells), location));
  }
  info.listed = b_.root(std::move(list));
}

void Studies::refuse_double_settings() {
  const auto refuse = [&](Location location, const std::string& message, const char* label, Location other,
                          const char* there) {
    diagnostics_.add(DiagnosticKind::repeated_override, location, message, label).labels.push_back({other, there});
  };
  std::multimap<std::string, Location> given, set_at;
  for (const Override* one : parameters_.overrides()) given.emplace(one->path, one->location);
  for (const auto& set : study_->set) set_at.emplace(set.name.text, set.name.location);
  const auto each = [](const auto& all, const std::string& name, const auto& visit) {
    for (auto [at, end] = all.equal_range(name); at != end; ++at) visit(at->second);
  };
  for (const auto& set : study_->set) {
    each(given, set.name.text, [&](Location location) {
      refuse(location, fmt::format("`{}` is given twice", set.name.text), "given here", set.name.location,
             "set by the study");
    });
  }
  for (const auto& vary : study_->vary) {
    const std::string& name = vary.name.text;
    // Without values the caller varies it, and starts from the given one.
    if (vary.values) {
      each(given, name, [&](Location location) {
        refuse(location, fmt::format("`{}` is given and varies", name), "given here", vary.name.location,
               "varies here");
      });
    }
    each(set_at, name, [&](Location location) {
      refuse(location, fmt::format("`{}` is set and varies", name), "set here", vary.name.location, "varies here");
    });
  }
}

}  // namespace wave::frontend::lowering
