// What can be done with every value.
#include "frontend/ast/operators.h"
#include "frontend/lower/parts.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::ScalarType;
using ir::ValueId;

std::optional<ScalarType> scalar_type(const TypeRef& type) {
  if (!type) return std::nullopt;
  if (as<types::Int>(type)) return ScalarType::integer;
  if (as<types::Real>(type)) return ScalarType::real;
  if (as<types::Bool>(type)) return ScalarType::boolean;
  if (as<types::String>(type)) return ScalarType::integer;
  if (as<types::Choice>(type)) return ScalarType::integer;
  if (as<types::Level>(type)) return ScalarType::integer;
  return std::nullopt;
}

ValueId Values::scalar_of(const ValuePtr& value, Location location) {
  if (const auto* scalar = as<value::Scalar>(value)) return scalar->id;
  if (const auto* failure = as<value::Failure>(value)) return b_.fail(failure->site, ScalarType::real);
  if (const auto* select = as<value::Select>(value)) {
    const auto both = unify({select->if_true, select->if_false}, location);
    return b_.select(select->condition, both[0], both[1]);
  }
  sites_.abandon(DiagnosticKind::not_expressible, location, "a number is needed here", "this is not one value");
}

std::vector<ValueId> Values::unify(const std::vector<ValuePtr>& values, Location location) {
  std::vector<ValueId> ids(values.size());
  std::optional<ScalarType> type;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (as<value::Failure>(values[i])) continue;
    ids[i] = scalar_of(values[i], location);
    const ScalarType own = b_.type(ids[i]);
    type = type && *type != own ? ScalarType::real : own;
  }
  if (!type) type = ScalarType::real;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto* failure = as<value::Failure>(values[i]))
      ids[i] = b_.fail(failure->site, *type);
    else if (*type == ScalarType::real && b_.type(ids[i]) == ScalarType::integer)
      ids[i] = b_.to_real(ids[i]);
  }
  return ids;
}

ValuePtr Values::select(ValueId condition, const ValuePtr& if_true, const ValuePtr& if_false) {
  if (const auto known = b_.as_constant(condition)) return known->boolean ? if_true : if_false;
  if (as<value::Scalar>(if_true) || as<value::Scalar>(if_false)) {
    const bool mergeable = (as<value::Scalar>(if_true) || as<value::Failure>(if_true)) &&
                           (as<value::Scalar>(if_false) || as<value::Failure>(if_false));
    if (mergeable) {
      const auto both = unify({if_true, if_false}, {});
      return number(b_.select(condition, both[0], both[1]));
    }
  }
  const auto* first = as<value::Record>(if_true);
  const auto* second = as<value::Record>(if_false);
  const bool records = (first || as<value::Failure>(if_true)) && (second || as<value::Failure>(if_false));
  if (records && (first || second)) {
    value::Record merged{(first ? first : second)->declaration, {}};
    const std::size_t fields = (first ? first : second)->fields.size();
    for (std::size_t i = 0; i < fields; ++i) {
      merged.fields.push_back(
          select(condition, first ? first->fields[i] : if_true, second ? second->fields[i] : if_false));
    }
    return make(std::move(merged));
  }
  if (key(if_true) == key(if_false)) return if_true;
  return make(value::Select{condition, if_true, if_false});
}

ValuePtr Values::distribute(const ValuePtr& value, const std::function<ValuePtr(const ValuePtr&)>& use) {
  if (const auto* choice = as<value::Select>(value)) {
    return select(choice->condition, distribute(choice->if_true, use), distribute(choice->if_false, use));
  }
  return as<value::Failure>(value) ? value : use(value);
}

ValuePtr Values::convert(const ValuePtr& value, const TypeRef& type) {
  if (!type) return value;
  if (const auto* failure = as<value::Failure>(value)) {
    const auto scalar = scalar_type(type);
    return scalar ? number(b_.fail(failure->site, *scalar)) : value;
  }
  if (const auto* choice = as<value::Select>(value)) {
    return select(choice->condition, convert(choice->if_true, type), convert(choice->if_false, type));
  }
  if (as<types::Real>(type)) {
    const auto* scalar = as<value::Scalar>(value);
    return scalar && b_.type(scalar->id) == ScalarType::integer ? number(b_.to_real(scalar->id)) : value;
  }
  if (const auto* list = as<types::List>(type)) {
    const bool reals = as<types::Real>(list->element);
    if (const auto* written = as<value::List>(value)) {
      value::List converted;
      for (const ValuePtr& element : written->elements) converted.elements.push_back(convert(element, list->element));
      return make(std::move(converted));
    }
    if (const auto* range = as<value::Range>(value); range && reals) {
      value::Range widened = *range;
      widened.widen = b_.type(range->first) == ScalarType::integer;
      return make(widened);
    }
    if (const auto* comprehension = as<value::Comprehension>(value); comprehension && reals) {
      value::Comprehension widened = *comprehension;
      widened.widen = true;
      return make(std::move(widened));
    }
    return value;
  }
  if (const auto* record = as<value::Record>(value)) {
    const auto& types = std::get<item::Record>(record->declaration->node).checked_types;
    value::Record converted{record->declaration, {}};
    for (std::size_t i = 0; i < record->fields.size(); ++i) {
      converted.fields.push_back(convert(record->fields[i], i < types.size() ? types[i] : nullptr));
    }
    return make(std::move(converted));
  }
  return value;
}

namespace {

EnvironmentPtr change_environment(const Parts& parts, const EnvironmentPtr& locals,
                                  const std::function<ValueId(ValueId)>& change) {
  if (!locals) return nullptr;
  auto changed = std::make_shared<Environment>(*locals);
  changed->parent = change_environment(parts, locals->parent, change);
  if (!changed->value && changed->pending) {
    changed->scope.locals = changed->parent;
    changed->define = false;
    changed->evaluating = false;
  }
  if (changed->value) changed->value = parts.values.map_leaves(changed->value, change);
  return changed;
}

}  // namespace

ValuePtr Values::map_leaves(const ValuePtr& value, const std::function<ValueId(ValueId)>& change) {
  if (const auto* choice = as<value::Select>(value)) {
    const ValueId condition = change(choice->condition);
    const ValuePtr if_true = map_leaves(choice->if_true, change);
    return select(condition, if_true, map_leaves(choice->if_false, change));
  }
  Value copy = *value;
  bool has_parts = false;
  for_each_part(
      copy, [&](ValuePtr& part) { part = map_leaves(part, change), has_parts = true; },
      [&](ValueId& id) { id = change(id), has_parts = true; });
  if (auto* const comprehension = std::get_if<value::Comprehension>(&copy.node)) {
    comprehension->scope.locals = change_environment(parts_, comprehension->scope.locals, change);
    has_parts = true;
  }
  return has_parts ? std::make_shared<const Value>(std::move(copy)) : value;
}

void Values::visit_leaves(const ValuePtr& value, const std::function<void(ValueId)>& visit) const {
  const auto part = [&](const ValuePtr& one) { visit_leaves(one, visit); };
  for_each_part(*value, part, visit);
  if (const auto* node = as<value::Comprehension>(value)) for_each_local(node->scope.locals.get(), part);
}

bool Values::depends_on_loop(const ValuePtr& value) {
  bool depends = false;
  visit_leaves(value, [&](ValueId id) { depends |= facts_.of(id).depends_on_loop(); });
  return depends;
}

ValuePtr Values::define_leaves(const ValuePtr& value, ir::FrameId frame, const std::string& name, Location location) {
  if (const auto* scalar = as<value::Scalar>(value)) {
    const ir::Node& node = b_.system()[scalar->id].node;
    if (std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Reference>(node)) return value;
    if (facts_.of(scalar->id).depends_on_loop()) return value;
    return number(b_.reference(b_.define(frame, name, scalar->id, location)));
  }
  if (const auto* record = as<value::Record>(value)) {
    const auto& fields = std::get<item::Record>(record->declaration->node).fields;
    value::Record defined{record->declaration, {}};
    for (std::size_t i = 0; i < record->fields.size(); ++i) {
      const std::string field = i < fields.size() ? fields[i].first.text : std::to_string(i + 1);
      defined.fields.push_back(define_leaves(record->fields[i], frame, name + "." + field, location));
    }
    return make(std::move(defined));
  }
  if (const auto* list = as<value::List>(value)) {
    value::List defined;
    for (std::size_t i = 0; i < list->elements.size(); ++i) {
      defined.elements.push_back(define_leaves(list->elements[i], frame, fmt::format("{}[{}]", name, i + 1), location));
    }
    return make(std::move(defined));
  }
  if (const auto* choice = as<value::Select>(value)) {
    return select(choice->condition, define_leaves(choice->if_true, frame, name, location),
                  define_leaves(choice->if_false, frame, name, location));
  }
  return value;
}

ValuePtr Values::equal(const ValuePtr& left, const ValuePtr& right, Location location) {
  return distribute(left, [&](const ValuePtr& a) {
    return distribute(right, [&](const ValuePtr& c) -> ValuePtr {
      if (as<value::Scalar>(a) && as<value::Scalar>(c)) {
        const auto both = unify({a, c}, location);
        return number(b_.equal(both[0], both[1]));
      }
      const auto* first = as<value::Record>(a);
      const auto* second = as<value::Record>(c);
      const auto* list = as<value::List>(a);
      const auto* other = as<value::List>(c);
      if ((first && second) || (list && other)) {
        const auto& xs = first ? first->fields : list->elements;
        const auto& ys = second ? second->fields : other->elements;
        ValueId all = b_.boolean(xs.size() == ys.size());
        for (std::size_t i = 0; i < xs.size() && xs.size() == ys.size(); ++i) {
          all = b_.logical_and(all, scalar_of(equal(xs[i], ys[i], location), location));
        }
        return number(all);
      }
      const bool known =
          (as<value::Corner>(a) && as<value::Corner>(c)) || (as<value::Object>(a) && as<value::Object>(c));
      if (known) return number(b_.boolean(key(a) == key(c)));
      sites_.abandon(DiagnosticKind::not_expressible, location, "these values cannot be compared here",
                     "they are known only at run time");
    });
  });
}

Scope bind_local(const Scope& scope, const std::string& name, ValuePtr value) {
  Scope inner = scope;
  auto local = std::make_shared<Environment>();
  local->parent = scope.locals;
  local->name = name;
  local->value = std::move(value);
  inner.locals = std::move(local);
  return inner;
}

Scope bind_later(const Scope& scope, const LocalLet& let, bool define) {
  return bind_later(scope, let.name, let.type.get(), *let.value, define);
}

Scope bind_later(const Scope& scope, const Identifier& name, const TypeExpr* type, const Expr& value, bool define) {
  Scope inner = scope;
  auto local = std::make_shared<Environment>();
  local->parent = scope.locals;
  local->name = name.text;
  local->pending = &value;
  local->scope = scope;
  local->type = written_number(type);
  local->define = define;
  inner.locals = std::move(local);
  return inner;
}

ValuePtr Values::failure(ir::FailureKind kind, Location location, const std::string& text) {
  return make(value::Failure{sites_.site(kind, location, text)});
}

TypeRef written_number(const TypeExpr* type) {
  const auto* product = type ? std::get_if<type_expr::Product>(&type->node) : nullptr;
  if (!product || product->factors.empty()) return nullptr;
  bool quantity = true;
  for (const type_expr::Power& factor : product->factors) {
    if (factor.path.empty()) continue;
    if (factor.path.size() != 1) return nullptr;
    const std::string& word = factor.path.front().text;
    if (word == "int" && product->factors.size() == 1) return check::int_type();
    if (word == "bool") return check::bool_type();
    quantity &= word == "real" || word == "time" || word == "data" || word == "work";
  }
  // The dimension does not matter here.
  return quantity ? check::real_type() : nullptr;
}

// --- which values are the same, and in which frames they live ---

namespace {

// Visits the instances in a value.
void visit_instances(const ValuePtr& value, const std::function<void(const Instance&)>& visit) {
  const auto optional = [&](const Instance* instance) {
    if (instance) visit(*instance);
  };
  if (const auto* node = as<value::Object>(value)) optional(node->instance);
  if (const auto* node = as<value::Function>(value)) optional(node->self);
  if (const auto* node = as<value::Derived>(value)) optional(node->machine);
  if (const auto* node = as<value::Grid>(value)) optional(node->self);
  if (const auto* node = as<value::Series>(value)) optional(node->self);
  if (const auto* node = as<value::Point>(value)) optional(node->self);
  if (const auto* node = as<value::Event>(value)) optional(node->recurrence->self);
  if (const auto* node = as<value::Process>(value)) optional(node->process->self);
  const auto part = [&](const ValuePtr& one) { visit_instances(one, visit); };
  for_each_part(*value, part, [](ValueId) {});
  if (const auto* node = as<value::Comprehension>(value)) {
    optional(node->scope.self);
    for_each_local(node->scope.locals.get(), part);
  }
}

}  // namespace

ir::FrameId Values::deepest_frame(const ValuePtr& value) {
  ir::FrameId deepest = ir::System::root_frame;
  visit_leaves(value, [&](ValueId id) { deepest = facts_.deeper(deepest, facts_.of(id).deepest); });
  visit_instances(value, [&](const Instance& instance) { deepest = facts_.deeper(deepest, instance.frame); });
  return deepest;
}

std::string Values::key(const ValuePtr& value) const {
  const auto pointer = [](const void* address) { return fmt::format("{}", fmt::ptr(address)); };
  const auto named = [&](const std::vector<Named>& values) {
    std::string text;
    for (const Named& one : values) text += one.first + "=" + key(one.second) + ",";
    return text;
  };
  const auto all = [&](char tag, const std::vector<ValuePtr>& values) {
    std::string text(1, tag);
    for (const ValuePtr& one : values) text += key(one) + ",";
    return text + ")";
  };
  return std::visit(
      Overloaded{
          [&](const value::Scalar& node) { return fmt::format("s{}", node.id.index); },
          [&](const value::Record& node) { return pointer(node.declaration) + all('r', node.fields); },
          [&](const value::List& node) { return all('l', node.elements); },
          [&](const value::Range& node) {
            return fmt::format("R{}.{}.{}.{}{}", node.first.index, node.last.index, node.step.index, node.geometric,
                               node.widen);
          },
          [&](const value::Comprehension& node) {
            return fmt::format("C{}.{}.{}{}", fmt::ptr(node.node), fmt::ptr(node.scope.locals.get()),
                               fmt::ptr(node.scope.self), node.widen);
          },
          [&](const value::Select& node) {
            return fmt::format("?{}({},{})", node.condition.index, key(node.if_true), key(node.if_false));
          },
          [&](const value::Corner& node) {
            std::string text = "c";
            for (const bool rising : node.rising) text += rising ? '+' : '-';
            return text;
          },
          [&](const value::Function& node) {
            return fmt::format("f{}.{}{}", fmt::ptr(node.declaration), fmt::ptr(node.self), node.guarded);
          },
          [&](const value::Builtin& node) { return std::string("b") + name_of(node.function); },
          [&](const value::Derived& node) {
            return fmt::format("d{}.{}.{}{}", node.end, fmt::ptr(node.machine), fmt::ptr(node.declaration),
                               node.guarded);
          },
          [&](const value::Declaration& node) { return "D" + pointer(node.item); },
          [&](const value::Table& node) { return fmt::format("T{}", node.table.index); },
          [&](const value::Event& node) { return fmt::format("E{}{}", fmt::ptr(node.recurrence), node.guarded); },
          [&](const value::Grid& node) {
            return fmt::format("G{}.{}", fmt::ptr(node.declaration), fmt::ptr(node.self));
          },
          [&](const value::Point& node) {
            std::string text = fmt::format("P{}.{}", fmt::ptr(node.grid), fmt::ptr(node.self));
            for (const ValueId id : node.indices) text += fmt::format(",{}", id.index);
            return text;
          },
          [&](const value::Process& node) { return fmt::format("p{}{}", fmt::ptr(node.process), node.guarded); },
          [&](const value::Series& node) { return fmt::format("S{}.{}", fmt::ptr(node.output), fmt::ptr(node.self)); },
          [&](const value::Failure& node) { return fmt::format("!{}", node.site.index); },
          [&](const value::Object& node) { return "o" + pointer(node.instance); },
          [&](const value::Lifted& node) {
            std::string text = "L" + pointer(node.declaration) + "(" + named(node.given) + ")";
            for (const LiftedStep& step : node.steps) {
              text += fmt::format(".{}{}{}/{}({})", static_cast<int>(step.kind), step.name,
                                  step.phase ? " in \"" + *step.phase + "\"" : "", static_cast<int>(step.over),
                                  named(step.arguments));
            }
            return text;
          },
      },
      value->node);
}

}  // namespace wave::frontend::lowering
