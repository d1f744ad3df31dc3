// What can be done with every value: take its scalars, choose between two, convert, compare. Parts that several values
// share are looked at once (see value_walks.cpp).
#include "frontend/ast/operators.h"
#include "frontend/lower/parts.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <unordered_map>
#include <utility>

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

namespace {

const char* name_of(ScalarType type) {
  switch (type) {
    case ScalarType::real:
    case ScalarType::integer: return "a number";
    case ScalarType::boolean: return "true or false";
  }
  return "";
}

}  // namespace

ValueId Values::scalar_of(const ValuePtr& value, ScalarType type, Location location) {
  if (const auto* scalar = as<value::Scalar>(value)) {
    const ScalarType own = b_.type(scalar->id);
    if (own == type) return scalar->id;
    if (own == ScalarType::integer && type == ScalarType::real) return b_.to_real(scalar->id);
    sites_.abandon(DiagnosticKind::not_expressible, location,
                   type == ScalarType::integer && own == ScalarType::real
                       ? "a whole number is needed here"
                       : fmt::format("{} is needed here", name_of(type)),
                   fmt::format("this is {}", name_of(own)));
  }
  if (const auto* failure = as<value::Failure>(value)) return b_.fail(failure->site, type);
  if (is_untyped(value)) {
    const ValuePtr typed = for_each_choice(
        value, [&](const ValuePtr& one) { return number(b_.fail(as<value::Failure>(one)->site, type)); });
    return as<value::Scalar>(typed)->id;
  }
  sites_.abandon(DiagnosticKind::not_expressible, location, fmt::format("{} is needed here", name_of(type)),
                 "this is not one value");
}

std::vector<ValueId> Values::unify(const std::vector<ValuePtr>& values, ScalarType untyped, Location location) {
  std::optional<ScalarType> type;
  for (const ValuePtr& value : values) {
    const auto* scalar = as<value::Scalar>(value);
    if (!scalar) continue;
    const ScalarType own = b_.type(scalar->id);
    type = type == ScalarType::real && own == ScalarType::integer ? ScalarType::real : own;
  }
  std::vector<ValueId> ids;
  for (const ValuePtr& value : values) ids.push_back(scalar_of(value, type.value_or(untyped), location));
  return ids;
}

namespace {

// Chooses between two values part by part, as far as they are scalars and records.
class Merger {
 public:
  Merger(const Parts& parts, ValueId condition) : parts_(parts), condition_(condition) {}

  ValuePtr merge(const ValuePtr& if_true, const ValuePtr& if_false) {
    const bool untyped_true = is_untyped(if_true);
    const bool untyped_false = is_untyped(if_false);
    const bool scalar_true = as<value::Scalar>(if_true);
    const bool scalar_false = as<value::Scalar>(if_false);
    if ((scalar_true && (scalar_false || untyped_false)) || (scalar_false && untyped_true)) {
      const auto both = parts_.values.unify({if_true, if_false}, ScalarType::integer, {});
      return number(parts_.b.select(condition_, both[0], both[1]));
    }
    const auto* first = as<value::Record>(if_true);
    const auto* second = as<value::Record>(if_false);
    if ((first && (second || untyped_false)) || (second && untyped_true))
      return records(first, second, if_true, if_false);
    if (parts_.values.same(if_true, if_false)) return if_true;
    return make(value::Select{condition_, if_true, if_false, untyped_true && untyped_false});
  }

 private:
  ValuePtr records(const value::Record* first, const value::Record* second, const ValuePtr& if_true,
                   const ValuePtr& if_false) {
    if (if_true == if_false) return if_true;
    const auto known = merged_.find({if_true.get(), if_false.get()});
    if (known != merged_.end()) return known->second;
    parts_.values.require_room();
    value::Record merged{(first ? first : second)->declaration, {}};
    const std::size_t fields = (first ? first : second)->fields.size();
    for (std::size_t i = 0; i < fields; ++i)
      merged.fields.push_back(merge(first ? first->fields[i] : if_true, second ? second->fields[i] : if_false));
    return merged_[{if_true.get(), if_false.get()}] = make(std::move(merged));
  }

  const Parts& parts_;
  ValueId condition_;
  std::map<std::pair<const Value*, const Value*>, ValuePtr> merged_;
};

}  // namespace

ValuePtr Values::select(ValueId condition, const ValuePtr& if_true, const ValuePtr& if_false) {
  if (const auto known = b_.as_constant(condition)) return known->boolean ? if_true : if_false;
  return Merger(parts_, condition).merge(if_true, if_false);
}

namespace {

class Chooser {
 public:
  Chooser(Values& values, const std::function<ValuePtr(const ValuePtr&)>& use) : values_(values), use_(use) {}

  ValuePtr choose(const ValuePtr& value) {
    const auto known = chosen_.find(value.get());
    if (known != chosen_.end()) return known->second;
    const auto* choice = as<value::Select>(value);
    const ValuePtr if_true = choice ? choose(choice->if_true) : use_(value);
    return chosen_[value.get()] =
               choice ? values_.select(choice->condition, if_true, choose(choice->if_false)) : if_true;
  }

 private:
  Values& values_;
  const std::function<ValuePtr(const ValuePtr&)>& use_;
  std::unordered_map<const Value*, ValuePtr> chosen_;
};

}  // namespace

ValuePtr Values::for_each_choice(const ValuePtr& value, const std::function<ValuePtr(const ValuePtr&)>& use) {
  return as<value::Select>(value) ? Chooser(*this, use).choose(value) : use(value);
}

ValuePtr Values::distribute(const ValuePtr& value, const std::function<ValuePtr(const ValuePtr&)>& use) {
  return for_each_choice(value, [&](const ValuePtr& one) { return as<value::Failure>(one) ? one : use(one); });
}

namespace {

// A record has the types of its fields ever since it was made. A list is converted once, however many share it.
class Converter {
 public:
  explicit Converter(const Parts& parts) : parts_(parts) {}

  ValuePtr convert(const ValuePtr& value, const TypeRef& type) {
    if (!type) return value;
    ir::Builder& b = parts_.b;
    if (const auto* failure = as<value::Failure>(value)) {
      const auto scalar = scalar_type(type);
      return scalar ? number(b.fail(failure->site, *scalar)) : value;
    }
    if (const auto* scalar = as<value::Scalar>(value)) {
      const bool widens = as<types::Real>(type) && b.type(scalar->id) == ScalarType::integer;
      return widens ? number(b.to_real(scalar->id)) : value;
    }
    const auto* list = as<types::List>(type);
    const auto* choice = as<value::Select>(value);
    const auto* table = as<value::Table>(value);
    if (table && table->is_integer && as<types::Table>(type) && as<types::Real>(as<types::Table>(type)->value))
      return make(value::Table{table->table, table->keys});
    if (!list && !choice) return value;
    const auto known = converted_.find({value.get(), type.get()});
    if (known != converted_.end()) return known->second;
    const ValuePtr result = choice ? convert_choice(value, *choice, type) : convert_list(value, list->element);
    return converted_[{value.get(), type.get()}] = result;
  }

 private:
  // What does not change stays what it is, so that others go on sharing it.
  ValuePtr convert_choice(const ValuePtr& value, const value::Select& choice, const TypeRef& type) {
    const ValuePtr if_true = convert(choice.if_true, type);
    const ValuePtr if_false = convert(choice.if_false, type);
    if (if_true == choice.if_true && if_false == choice.if_false) return value;
    return parts_.values.select(choice.condition, if_true, if_false);
  }

  ValuePtr convert_list(const ValuePtr& value, const TypeRef& element) {
    if (const auto* written = as<value::List>(value)) {
      value::List converted;
      for (const ValuePtr& one : written->elements) converted.elements.push_back(convert(one, element));
      return converted.elements == written->elements ? value : make(std::move(converted));
    }
    if (const auto* range = as<value::Range>(value); range && as<types::Real>(element)) {
      value::Range widened = *range;
      widened.widen = parts_.b.type(range->first) == ScalarType::integer;
      return make(widened);
    }
    if (const auto* comprehension = as<value::Comprehension>(value)) {
      value::Comprehension typed = *comprehension;
      typed.element = element;
      return make(std::move(typed));
    }
    return value;
  }

  const Parts& parts_;
  std::map<std::pair<const Value*, const Type*>, ValuePtr> converted_;
};

}  // namespace

ValuePtr Values::convert(const ValuePtr& value, const TypeRef& type) { return Converter(parts_).convert(value, type); }

namespace {

// Compares two values part by part. A pair of parts that several pairs share is compared once.
class Equality {
 public:
  Equality(const Parts& parts, Location location) : parts_(parts), location_(location) {}

  ValuePtr compare(const ValuePtr& left, const ValuePtr& right) {
    Values& values = parts_.values;
    if ((as<value::Scalar>(left) || is_untyped(left)) && (as<value::Scalar>(right) || is_untyped(right))) {
      if (is_untyped(left)) return left;
      const auto both = values.unify({left, right}, ScalarType::integer, location_);
      return number(parts_.b.equal(both[0], both[1]));
    }
    if (!as<value::Select>(left) && !as<value::Select>(right) && !is_untyped(left) && !is_untyped(right))
      return compare_one(left, right);
    // What is compared under a condition says nothing about the rest.
    return values.distribute(left, [&](const ValuePtr& a) {
      return values.distribute(right, [&](const ValuePtr& b) { return Equality(parts_, location_).compare_one(a, b); });
    });
  }

 private:
  ValuePtr compare_one(const ValuePtr& a, const ValuePtr& c) {
    ir::Builder& b = parts_.b;
    const auto* first = as<value::Record>(a);
    const auto* second = as<value::Record>(c);
    const auto* list = as<value::List>(a);
    const auto* other = as<value::List>(c);
    if ((first && second) || (list && other)) {
      const auto& xs = first ? first->fields : list->elements;
      const auto& ys = second ? second->fields : other->elements;
      if (!compared_.insert({a.get(), c.get()}).second) return number(b.boolean(true));  // its answer counts already
      ValueId all = b.boolean(xs.size() == ys.size());
      for (std::size_t i = 0; i < xs.size() && xs.size() == ys.size(); ++i) {
        parts_.values.require_room();
        const ValuePtr one = compare(xs[i], ys[i]);
        all = b.logical_and(all, parts_.values.scalar_of(one, ScalarType::boolean, location_));
      }
      return number(all);
    }
    const bool known = (as<value::Corner>(a) && as<value::Corner>(c)) || (as<value::Object>(a) && as<value::Object>(c));
    if (known) return number(b.boolean(parts_.values.same(a, c)));
    parts_.sites.abandon(DiagnosticKind::not_expressible, location_, "these values cannot be compared here",
                         "they are known only at run time");
  }

  const Parts& parts_;
  Location location_;
  std::set<std::pair<const Value*, const Value*>> compared_;
};

}  // namespace

ValuePtr Values::equal(const ValuePtr& left, const ValuePtr& right, Location location) {
  return Equality(parts_, location).compare(left, right);
}

void Values::require_room() { sites_.require_room(b_.system().values.size()); }

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

}  // namespace wave::frontend::lowering
