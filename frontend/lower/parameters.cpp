// Parameters: which there are, what -D gives them, their ranges, and what machines and models require.
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <unordered_map>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

void Parameters::set_overrides(const std::vector<Override>& overrides) {
  for (const Override& one : overrides) {
    override_at_.emplace(one.path, overrides_.size());
    overrides_.push_back(&one);
  }
  override_used_.assign(overrides.size(), false);
}

const Override* Parameters::override_of(const Instance& instance, const std::string& name, bool is_given) {
  if (!instance.addressable || (is_given && !instance.through_parameter)) return nullptr;
  const auto at = override_at_.find(path_of(instance, name));
  if (at == override_at_.end()) return nullptr;
  override_used_[at->second] = true;
  return overrides_[at->second];
}

void Parameters::list_parameters(Instance& instance, std::vector<ParameterInfo>& into) {
  std::vector<Instance*> inside;
  const auto enter = [&](const std::string& name, Location location) {
    const bool was_asked = instance.members[name].is_asked;
    try {
      const auto* object = as<value::Object>(instances_.member(instance, name, location, false));
      const bool own = object && object->instance->addressable && object->instance->path == path_of(instance, name);
      if (own) inside.push_back(object->instance);
    } catch (const Abandoned&) {}
    instance.members[name].is_asked = was_asked;
  };
  for (const Item* item : check::members_of_kind<item::Param>(*instance.declaration)) {
    const auto& param = std::get<item::Param>(item->node);
    const bool is_given = find_given(instance, item->name.text) != nullptr;
    enter(item->name.text, item->name.location);
    if (is_given && !instance.through_parameter) continue;
    ParameterInfo info;
    info.path = path_of(instance, item->name.text);
    info.type = param.checked_type;
    info.doc = item->doc;
    info.definition = instance.members[item->name.text].raw;
    info.given = override_of(instance, item->name.text, is_given) != nullptr;
    info.owner = instance.declaration;
    listed_.push_back(&instance.members[item->name.text]);
    // The source says where the default comes from, so it counts only if that is taken.
    if (!is_given && !info.given) info.source = param.source.value_or("");
    into.push_back(std::move(info));
  }
  for (const Item* item : check::members_of_kind<item::Let>(*instance.declaration)) {
    const TypeRef& type = std::get<item::Let>(item->node).checked_type;
    const bool holds = type && (as<types::Model>(type) || as<types::Machine>(type));
    if (holds) enter(item->name.text, item->name.location);
  }
  for (Instance* one : inside) list_parameters(*one, into);
}

void Parameters::tell_what_is_asked(std::vector<ParameterInfo>& parameters) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].is_asked = listed_[i]->is_asked;
}

void Parameters::report_unused_overrides() {
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    if (override_used_[i] || diagnostics_.has_errors()) continue;
    const std::string& path = overrides_[i]->path;
    auto& d = diagnostics_.add(DiagnosticKind::unknown_parameter, overrides_[i]->location,
                               fmt::format("`{}` is not a parameter that can be given from outside", path),
                               "nothing reads this value");
    try {
      const Instance* const owner = instances_.owner_of(path, overrides_[i]->location);
      if (!owner || own_path(*owner, path) == path) continue;
      d.notes.push_back(another_name(*owner, path));
      d.help.push_back(fmt::format("give `{}`", own_path(*owner, path)));
    } catch (const Abandoned&) {}
  }
}

std::string own_path(const Instance& owner, const std::string& path) {
  return owner.addressable ? path_of(owner, path.substr(path.rfind('.') + 1)) : path;
}

std::string another_name(const Instance& owner, const std::string& path) {
  return fmt::format("`{}` is another name for `{}`", path.substr(0, path.rfind('.')), owner.path);
}

Instance* Instances::owner_of(const std::string& path, Location location) {
  Instance* owner = root_;
  std::size_t begin = 0;
  for (auto dot = path.find('.'); dot != std::string::npos && owner; dot = path.find('.', begin)) {
    const ValuePtr inner = member(*owner, path.substr(begin, dot - begin), location, false);
    const auto* object = as<value::Object>(inner);
    owner = object ? object->instance : nullptr;
    begin = dot + 1;
  }
  return owner;
}

// --- requirements and ranges ---
// Checked before anything else of a machine or model is evaluated: whatever reads a member from outside asks for them
// first.

ir::SiteId Instances::bound_site(Instance& instance, const Item& item, const Expr& bound, bool is_lower) {
  Member& member = instance.members[item.name.text];
  ir::SiteId& known = is_lower ? member.below : member.above;
  if (known.valid()) return known;
  // Instances do not share it, because each has its value from elsewhere.
  known = b_.site(FailureKind::outside_range, item.name.location, item.name.text, {bound.location});
  SiteNote& note = sites_.note(known);
  note.bound = is_lower ? SiteNote::Bound::lower : SiteNote::Bound::upper;
  note_origin(instance, item, note);
  const TypeRef& type = std::get<item::Param>(item.node).checked_type;
  note.operands = is_lower ? std::vector{bound.type, type} : std::vector{type, bound.type};
  return known;
}

std::vector<std::pair<ValueId, ir::SiteId>> Instances::range_checks(Instance& instance, const Item& item,
                                                                    ir::DefinitionId raw) {
  const auto& param = std::get<item::Param>(item.node);
  const Scope scope = scope_of(instance);
  const auto value = number(b_.reference(raw));
  const ValueId body = b_.system()[raw].body;
  const auto known = body.valid() ? b_.as_constant(body) : std::nullopt;
  std::vector<std::pair<ValueId, ir::SiteId>> checks;
  const auto bound = [&](const Expr& expr, bool is_lower) {
    const auto both =
        values_.unify({value, expressions_.evaluate(expr, scope)}, ir::ScalarType::integer, expr.location);
    const ir::SiteId site = bound_site(instance, item, expr, is_lower);
    const auto limit = b_.as_constant(both[1]);
    sites_.note(site).constants = is_lower ? std::vector{limit, known} : std::vector{known, limit};
    checks.emplace_back(is_lower ? b_.less_equal(both[1], both[0]) : b_.less_equal(both[0], both[1]), site);
  };
  if (param.lower) bound(*param.lower, true);
  if (param.upper) bound(*param.upper, false);
  return checks;
}

namespace {

// Collects those of a base first. Ranges of parameters that a machine replaces are among them.
void collect_requirements(const Item& declaration, std::vector<const Item*>& ranges,
                          std::vector<const Item*>& conditions) {
  const auto owners = check::with_bases(declaration);
  for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
    const auto* members = check::members_of(**owner);
    for (std::size_t i = 0; members && i < members->size(); ++i) {
      const Item* member = (*members)[i].get();
      if (const auto* param = std::get_if<item::Param>(&member->node); param && param->has_range)
        ranges.push_back(member);
      if (std::holds_alternative<item::Require>(member->node)) conditions.push_back(member);
    }
  }
}

}  // namespace

ValueId Instances::requirements(Instance& instance) {
  if (instance.requirements) return *instance.requirements;
  if (instance.checking || !instance.declaration) return b_.boolean(true);
  std::vector<const Item*> ranges;
  std::vector<const Item*> conditions;
  collect_requirements(*instance.declaration, ranges, conditions);
  if (ranges.empty() && conditions.empty()) {
    instance.requirements = b_.boolean(true);
    return *instance.requirements;
  }
  instance.checking = true;
  const Scope scope = scope_of(instance);
  std::vector<std::pair<ValueId, ir::SiteId>> checks;
  try {
    for (const Item* item : ranges) {
      if (find_member(*instance.declaration, item->name.text) != item) continue;  // replaced by `override`
      member(instance, item->name.text, item->name.location, false);
      const ir::DefinitionId raw = instance.members[item->name.text].raw;
      if (!raw.valid()) continue;
      for (const auto& check : range_checks(instance, *item, raw)) checks.push_back(check);
    }
    for (const Item* item : conditions) {
      const auto& node = std::get<item::Require>(item->node);
      std::string text;
      if (node.message) {
        const auto message = b_.as_constant(expressions_.integer(*node.message, scope));
        if (message) text = sites_.text_of_word(message->integer);
      }
      const ValueId holds = expressions_.boolean(*node.condition, scope);  // first: it notes its operands' types
      checks.emplace_back(holds, sites_.site(FailureKind::require_failed, node.condition->location, text));
    }
  } catch (...) {
    instance.checking = false;
    throw;
  }
  ValueId all = b_.boolean(true);
  for (auto check = checks.rbegin(); check != checks.rend(); ++check) all = b_.check(check->first, all, check->second);
  instance.checking = false;
  if (!b_.as_constant(all)) all = b_.reference(b_.define(instance.frame, instance.title + "requirements", all));
  instance.requirements = all;
  return all;
}

ir::Root Instances::guarded_root(const std::string& name, Instance& instance) {
  ir::Root root{name, {}, {}};
  const ValueId holds = requirements(instance);
  if (!b_.as_constant(holds)) root.precondition = holds;
  return root;
}

namespace {

// What carries with it that it is guarded; null for anything else.
ValuePtr marked_as_guarded(const ValuePtr& value) {
  if (const auto* node = as<value::Function>(value)) return make(value::Function{node->declaration, node->self, true});
  if (const auto* node = as<value::Derived>(value))
    return make(value::Derived{node->end, node->machine, node->declaration, true});
  if (const auto* node = as<value::Event>(value)) return make(value::Event{node->recurrence, true});
  if (const auto* node = as<value::Process>(value)) return make(value::Process{node->process, true});
  return nullptr;
}

// Puts the condition before everything that a value holds, and once before what it holds several times.
class Guard {
 public:
  Guard(const Parts& parts, ValueId holds, ir::SiteId unmet)
      : parts_(parts), b_(parts.b), holds_(holds), unmet_(unmet) {}

  ValuePtr guard(const ValuePtr& value) {
    if (const auto* scalar = as<value::Scalar>(value)) return number(b_.check(holds_, scalar->id, unmet_));
    const auto* record = as<value::Record>(value);
    const auto* list = as<value::List>(value);
    if (!record && !list) return guard_other(value);
    const auto known = guarded_.find(value.get());
    if (known != guarded_.end()) return known->second;
    std::vector<ValuePtr> parts;
    for (const ValuePtr& part : record ? record->fields : list->elements) parts.push_back(guard(part));
    return guarded_[value.get()] = record ? make(value::Record{record->declaration, std::move(parts)})
                                          : make(value::List{std::move(parts)});
  }

 private:
  ValuePtr guard_other(const ValuePtr& value) {
    if (ValuePtr marked = marked_as_guarded(value)) return marked;
    if (const auto* range = as<value::Range>(value)) {
      value::Range guarded = *range;
      guarded.first = b_.check(holds_, range->first, unmet_);
      return make(guarded);
    }
    if (const auto* choice = as<value::Select>(value)) {
      return parts_.values.select(b_.check(holds_, choice->condition, unmet_), choice->if_true, choice->if_false);
    }
    // What is no number carries the condition along. If it does not hold, there is nothing.
    const ValueId condition = b_.check(holds_, b_.boolean(true), unmet_);
    if (as<value::Comprehension>(value)) return parts_.values.select(condition, value, make(value::List{}));
    const bool has_members = as<value::Object>(value) || as<value::Lifted>(value) || as<value::Table>(value);
    return has_members ? parts_.values.select(condition, value, make(value::Failure{unmet_})) : value;
  }

  const Parts& parts_;
  ir::Builder& b_;
  ValueId holds_;
  ir::SiteId unmet_;
  std::unordered_map<const Value*, ValuePtr> guarded_;
};

}  // namespace

ValuePtr Instances::guard(const ValuePtr& value, Instance& instance) {
  if (ValuePtr marked = marked_as_guarded(value)) return marked;
  const ValueId holds = requirements(instance);
  if (const auto known = b_.as_constant(holds); known && known->boolean) return value;
  return Guard(parts_, holds, sites_.site(FailureKind::require_failed, instance.declaration->name.location))
      .guard(value);
}

}  // namespace wave::frontend::lowering
