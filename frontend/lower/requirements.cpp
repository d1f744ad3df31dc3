// Requirements and ranges of parameters: checked before anything else of a machine or model is evaluated. Whatever
// reads a member from outside asks for them first.
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

ir::SiteId Instances::bound_site(Instance& instance, const Item& item, const Expr& bound, bool is_lower) {
  Member& member = instance.members[item.name.text];
  ir::SiteId& known = is_lower ? member.below : member.above;
  if (known.valid()) return known;
  // Not shared: each instance has its value from elsewhere.
  known = b_.site(FailureKind::outside_range, item.name.place, item.name.text, {bound.place});
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
  const auto value = make(value::Scalar{b_.reference(raw)});
  const ValueId body = b_.system()[raw].body;
  const auto known = body.valid() ? b_.as_constant(body) : std::nullopt;
  std::vector<std::pair<ValueId, ir::SiteId>> checks;
  const auto bound = [&](const Expr& expr, bool is_lower) {
    const auto both = values_.unify({value, expressions_.evaluate(expr, scope)}, expr.place);
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

const std::vector<std::unique_ptr<Item>>& declared_in(const Item& declaration) {
  if (const auto* model = std::get_if<item::Model>(&declaration.node)) return model->members;
  if (const auto* machine = std::get_if<item::Machine>(&declaration.node)) return machine->members;
  static const std::vector<std::unique_ptr<Item>> none;
  return none;
}

void collect_requirements(const Item& declaration, std::vector<const Item*>& ranges,
                          std::vector<const Item*>& requires_) {
  if (const auto* machine = std::get_if<item::Machine>(&declaration.node); machine && machine->base_item) {
    collect_requirements(*machine->base_item, ranges, requires_);
  }
  for (const auto& member : declared_in(declaration)) {
    if (const auto* param = std::get_if<item::Param>(&member->node); param && param->has_range)
      ranges.push_back(member.get());
    if (std::holds_alternative<item::Require>(member->node)) requires_.push_back(member.get());
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
      member(instance, item->name.text, item->name.place, false);
      const ir::DefinitionId raw = instance.members[item->name.text].raw;
      if (!raw.valid()) continue;
      for (const auto& check : range_checks(instance, *item, raw)) checks.push_back(check);
    }
    for (const Item* item : conditions) {
      const auto& node = std::get<item::Require>(item->node);
      std::string text;
      if (node.message) {
        const auto message = b_.as_constant(expressions_.scalar(*node.message, scope));
        if (message) text = sites_.text_of_word(message->integer);
      }
      const ValueId holds = expressions_.scalar(*node.condition, scope);  // first: it notes its operands' types
      checks.emplace_back(holds, sites_.site(FailureKind::require_failed, node.condition->place, text));
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

Symbolic Instances::guard(const Symbolic& value, Instance& instance) {
  if (const auto* node = as<value::Function>(value)) return make(value::Function{node->declaration, node->self, true});
  if (const auto* node = as<value::Derived>(value)) return make(value::Derived{node->end, node->machine, true});
  if (const auto* node = as<value::Event>(value)) return make(value::Event{node->recurrence, true});
  if (const auto* node = as<value::Process>(value)) return make(value::Process{node->process, true});
  const ValueId holds = requirements(instance);
  if (const auto known = b_.as_constant(holds); known && known->boolean) return value;
  const ir::SiteId unmet = sites_.site(FailureKind::require_failed, instance.declaration->name.place);
  if (const auto* scalar = as<value::Scalar>(value)) return make(value::Scalar{b_.check(holds, scalar->id, unmet)});
  if (const auto* record = as<value::Record>(value)) {
    value::Record guarded{record->declaration, {}};
    for (const Symbolic& field : record->fields) guarded.fields.push_back(guard(field, instance));
    return make(std::move(guarded));
  }
  if (const auto* list = as<value::List>(value)) {
    value::List guarded;
    for (const Symbolic& element : list->elements) guarded.elements.push_back(guard(element, instance));
    return make(std::move(guarded));
  }
  if (const auto* range = as<value::Range>(value)) {
    value::Range guarded = *range;
    guarded.first = b_.check(holds, range->first, unmet);
    return make(guarded);
  }
  if (const auto* choice = as<value::Select>(value)) {
    return values_.select(b_.check(holds, choice->condition, unmet), choice->if_true, choice->if_false);
  }
  // What is no number carries the condition along: where it does not hold, there is nothing.
  const ValueId condition = b_.check(holds, b_.boolean(true), unmet);
  if (as<value::Comprehension>(value)) return values_.select(condition, value, make(value::List{}));
  const bool has_members = as<value::Object>(value) || as<value::Lifted>(value) || as<value::Table>(value);
  return has_members ? values_.select(condition, value, make(value::Failure{unmet})) : value;
}

}  // namespace wave::frontend::lowering
