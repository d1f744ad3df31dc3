// See frames.h.
#include "frontend/lower/frames.h"

#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

const std::string& field_name(const value::Record& record, std::size_t i) {
  return std::get<item::Record>(record.declaration->node).fields[i].first.text;
}

bool is_known_before(const ValuePtr& value) {
  return as<value::Corner>(value) || as<value::Function>(value) || as<value::Builtin>(value) ||
         as<value::Derived>(value) || as<value::Declaration>(value) || as<value::Table>(value) ||
         as<value::Object>(value) || as<value::Grid>(value) || as<value::Event>(value);
}

using Seen = std::unordered_set<const Value*>;

bool can_travel(const ValuePtr& value, Seen& seen) {
  if (as<value::Scalar>(value) || is_known_before(value)) return true;
  const auto* record = as<value::Record>(value);
  const auto* list = as<value::List>(value);
  if (!record && !list) return false;
  if (!seen.insert(value.get()).second) return true;
  if (record) {
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](const ValuePtr& field) { return can_travel(field, seen); });
  }
  return std::none_of(list->elements.begin(), list->elements.end(), [&](const ValuePtr& element) {
    // Lists of corners, machines or functions may.
    return as<value::Scalar>(element) || as<value::Record>(element) || !can_travel(element, seen);
  });
}

bool only_scalars(const ValuePtr& value, Seen& seen) {
  if (as<value::Scalar>(value)) return true;
  const auto* record = as<value::Record>(value);
  if (!record || !seen.insert(value.get()).second) return record != nullptr;
  return std::all_of(record->fields.begin(), record->fields.end(),
                     [&](const ValuePtr& field) { return only_scalars(field, seen); });
}

}  // namespace

bool can_travel(const ValuePtr& value) {
  Seen seen;
  return can_travel(value, seen);
}

bool only_scalars(const ValuePtr& value) {
  Seen seen;
  return only_scalars(value, seen);
}

std::string Shapes::of(const ValuePtr& value) {
  if (const auto* scalar = as<value::Scalar>(value))
    return fmt::format("s{}", static_cast<int>(parts_.b.type(scalar->id)));
  const auto* record = as<value::Record>(value);
  if (!record) return parts_.values.key(value);
  const auto [known, is_new] = seen_.try_emplace(value.get(), seen_.size());
  if (!is_new) return fmt::format("@{}", known->second);
  std::string text = fmt::format("r{}(", fmt::ptr(record->declaration));
  for (const ValuePtr& field : record->fields) text += of(field) + ",";
  return text + ")";
}

ValuePtr Entrance::enter(const ValuePtr& value, const std::string& name) {
  ir::Builder& b = parts_.b;
  if (const auto* scalar = as<value::Scalar>(value))
    return number(b.parameter_value(b.parameter(frame_, name, b.type(scalar->id))));
  const auto* record = as<value::Record>(value);
  if (!record) return value;
  const auto known = entered_.find(value.get());
  if (known != entered_.end()) return known->second;
  value::Record inside{record->declaration, {}};
  for (std::size_t i = 0; i < record->fields.size(); ++i)
    inside.fields.push_back(enter(record->fields[i], name + "." + field_name(*record, i)));
  return entered_[value.get()] = make(std::move(inside));
}

std::vector<ValueId> scalars_that_travel(const std::vector<ValuePtr>& arguments) {
  std::vector<ValueId> scalars;
  Seen seen;
  const std::function<void(const ValuePtr&)> travel = [&](const ValuePtr& value) {
    if (const auto* scalar = as<value::Scalar>(value)) scalars.push_back(scalar->id);
    const auto* record = as<value::Record>(value);
    if (!record || !seen.insert(value.get()).second) return;
    for (const ValuePtr& field : record->fields) travel(field);
  };
  for (const ValuePtr& argument : arguments) travel(argument);
  return scalars;
}

std::optional<double> scalars_in(const TypeRef& type) {
  std::unordered_map<const Item*, std::optional<double>> known;
  const std::function<std::optional<double>(const TypeRef&)> count = [&](const TypeRef& one) -> std::optional<double> {
    if (scalar_type(one)) return 1;
    const auto* record = as<types::Record>(one);
    if (!record) return std::nullopt;
    const auto [found, is_new] = known.try_emplace(record->declaration);
    if (!is_new) return found->second;
    double sum = 0;
    for (const TypeRef& field : std::get<item::Record>(record->declaration->node).checked_types) {
      const auto inside = count(field);
      if (!inside) return std::nullopt;
      sum += *inside;
    }
    return known[record->declaration] = sum;
  };
  return count(type);
}

namespace {

ValuePtr declare(const Parts& parts, ir::FrameId frame, const std::string& name, const TypeRef& type) {
  if (const auto scalar = scalar_type(type)) return number(parts.b.reference(parts.b.declare(frame, name, *scalar)));
  const auto* record = as<types::Record>(type);
  const auto& node = std::get<item::Record>(record->declaration->node);
  value::Record declared{record->declaration, {}};
  for (std::size_t i = 0; i < node.checked_types.size(); ++i)
    declared.fields.push_back(declare(parts, frame, name + "." + node.fields[i].first.text, node.checked_types[i]));
  return make(std::move(declared));
}

ir::DefinitionId definition_of(const Parts& parts, const value::Scalar& scalar) {
  return std::get<ir::Reference>(parts.b.system()[scalar.id].node).definition;
}

}  // namespace

ValuePtr declare_result(const Parts& parts, ir::FrameId frame, const std::string& name, const TypeRef& type) {
  const auto scalars = scalars_in(type);
  return scalars && *scalars <= Bounds::declared ? declare(parts, frame, name, type) : nullptr;
}

void fill_result(const Parts& parts, const ValuePtr& declared, const ValuePtr& result, Location location) {
  if (const auto* scalar = as<value::Scalar>(declared)) {
    const ir::DefinitionId definition = definition_of(parts, *scalar);
    const ScalarType type = parts.b.type(scalar->id);
    parts.b.set_body(definition, result ? parts.values.scalar_of(result, type, location)
                                        : parts.b.fail(parts.sites.site(FailureKind::no_value, location), type));
    return;
  }
  const auto* into = as<value::Record>(declared);
  const auto* from = result ? as<value::Record>(result) : nullptr;
  for (std::size_t i = 0; into && i < into->fields.size(); ++i)
    fill_result(parts, into->fields[i], from ? from->fields[i] : result, location);
}

namespace {

class ResultDefiner {
 public:
  ResultDefiner(const Parts& parts, ir::FrameId frame, Location location)
      : parts_(parts), frame_(frame), location_(location) {}

  ValuePtr define(const ValuePtr& result, const std::string& name) {
    ir::Builder& b = parts_.b;
    if (const auto* scalar = as<value::Scalar>(result))
      return number(b.reference(b.define(frame_, name, scalar->id, location_)));
    const auto known = defined_.find(result.get());
    if (known != defined_.end()) return known->second;
    const auto* record = as<value::Record>(result);
    value::Record defined{record->declaration, {}};
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      defined.fields.push_back(define(record->fields[i], name + "." + field_name(*record, i)));
    return defined_[result.get()] = make(std::move(defined));
  }

 private:
  const Parts& parts_;
  ir::FrameId frame_;
  Location location_;
  std::unordered_map<const Value*, ValuePtr> defined_;
};

}  // namespace

ValuePtr define_result(const Parts& parts, ir::FrameId frame, const std::string& name, const ValuePtr& result,
                       Location location) {
  return ResultDefiner(parts, frame, location).define(result, name);
}

}  // namespace wave::frontend::lowering
