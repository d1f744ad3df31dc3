// What the parameters of a model are at the points of a study, for whoever has values of them from elsewhere.
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/outputs.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

std::string last_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

}  // namespace

// The instance that a parameter belongs to. Null where there is no such parameter: of several machines that a study
// varies, not each has the same.
Instance* Studies::holder_of(const std::string& path, Location location) {
  Instance* holder = root_;
  for (std::size_t begin = 0; holder != nullptr;) {
    const std::size_t dot = path.find('.', begin);
    const std::string name = path.substr(begin, dot == std::string::npos ? dot : dot - begin);
    if (find_member(*holder->declaration, name) == nullptr) return nullptr;
    if (dot == std::string::npos) return holder;
    const ValuePtr inner = instances_.member(*holder, name, location, false);
    const auto* object = as<value::Object>(inner);
    holder = object ? object->instance : nullptr;
    begin = dot + 1;
  }
  return nullptr;
}

void Studies::add_parameter(const AskedParameter& asked, std::vector<OutputInfo>& outputs) {
  const auto add = [&](const std::string& name, const TypeRef& type, const auto& cell_in) {
    OutputInfo info;
    info.name = name;
    info.location = asked.location;
    info.shape = RowsShape::single;
    try {
      add_columns(type, name, std::nullopt, info.columns);
      ir::Root root;
      root.name = name;
      Instance* const holder = holder_of(asked.path, asked.location);
      const auto nothing = [&] {
        return b_.fail(sites_.site(ir::FailureKind::parameter_missing, asked.location, asked.path), *scalar_type(type));
      };
      root.blocks.push_back({{}, {holder ? cell_in(*holder) : nothing()}});
      info.root = b_.root(std::move(root));
    } catch (const Abandoned& error) {
      info.failed = error.kind;
    }
    outputs.push_back(std::move(info));
  };
  const std::string name = last_of(asked.path);
  if (asked.among.empty()) {
    // Before its range is checked: a point at which the model fails is a point, too.
    add(asked.path, asked.type, [&](Instance& holder) {
      const ValuePtr value = instances_.member(holder, name, asked.location, false);
      const ir::DefinitionId raw = holder.members[name].raw;
      return raw.valid() ? b_.reference(raw) : values_.scalar_of(value, *scalar_type(asked.type), asked.location);
    });
    return;
  }
  for (const ExprPtr& other : asked.among) {
    const std::string text(program_.sources.text(other->location));
    add(fmt::format("{} = {}", asked.path, text), check::bool_type(), [&](Instance& holder) {
      const Naming naming{asked.path, asked.path + ".", holder.addressable, true};
      const ValuePtr wanted =
          values_.convert(expressions_.evaluate_named(*other, instances_.scope_of(*root_), naming), asked.type);
      return same(instances_.member(holder, name, asked.location, false), wanted, asked.path);
    });
  }
}

// Whether two values are the same, as far as it can be told.
ValueId Studies::same(const ValuePtr& a, const ValuePtr& b, const std::string& path) {
  const auto all = [&](const auto& left, const auto& right) {
    if (left.size() != right.size()) return b_.boolean(false);
    ValueId holds = b_.boolean(true);
    for (std::size_t i = 0; i < left.size(); ++i) holds = b_.logical_and(holds, same(left[i], right[i], path));
    return holds;
  };
  if (const auto* choice = as<value::Select>(a))
    return b_.select(choice->condition, same(choice->if_true, b, path), same(choice->if_false, b, path));
  if (const auto* choice = as<value::Select>(b))
    return b_.select(choice->condition, same(a, choice->if_true, path), same(a, choice->if_false, path));
  if (as<value::Scalar>(a) && as<value::Scalar>(b)) {
    const auto both = values_.unify({a, b}, ir::ScalarType::integer, root_->call);
    return b_.equal(both[0], both[1]);
  }
  const auto *object = as<value::Object>(a), *other = as<value::Object>(b);
  if (object && other) return same_members(*object->instance, *other->instance, path);
  const auto *record = as<value::Record>(a), *other_record = as<value::Record>(b);
  if (record && other_record && record->declaration == other_record->declaration)
    return all(record->fields, other_record->fields);
  const auto *list = as<value::List>(a), *other_list = as<value::List>(b);
  if (list && other_list) return all(list->elements, other_list->elements);
  return b_.boolean(values_.key(a) == values_.key(b));
}

// Machines and models are the same if they are of one declaration and have the same parameters, but for those that vary
// by themselves.
ValueId Studies::same_members(Instance& a, Instance& b, const std::string& path) {
  if (a.declaration != b.declaration) return b_.boolean(false);
  ValueId holds = b_.boolean(true);
  for (const Item* item : check::members_of_kind<item::Param>(*a.declaration)) {
    const std::string& name = item->name.text;
    const std::string inside = path + "." + name;
    if (varied_.contains(inside)) continue;
    const auto value_in = [&](Instance& instance) {
      const ValuePtr value = instances_.member(instance, name, item->name.location, false);
      const ir::DefinitionId raw = instance.members[name].raw;
      return raw.valid() ? number(b_.reference(raw)) : value;
    };
    holds = b_.logical_and(holds, same(value_in(a), value_in(b), inside));
  }
  return holds;
}

}  // namespace wave::frontend::lowering
