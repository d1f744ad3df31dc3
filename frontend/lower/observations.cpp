// See observations.h.
#include "frontend/lower/observations.h"

#include "frontend/ast/operators.h"
#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/frames.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/message_costs.h"
#include "frontend/lower/outputs.h"
#include "ir/builder.h"

namespace wave::frontend::lowering {

using ir::ValueId;

namespace {

void add_fills(const Parts& parts, const ValuePtr& order, Location location, OutputInfo& info, ir::Root& root) {
  info.shape = RowsShape::record;
  std::vector<ValueId> cells;
  for (const LanguageFunction function : {OtherFunction::sweeps, OtherFunction::full_fills}) {
    info.columns.push_back({name_of(function), check::int_type(), {}});
    const ValuePtr count = parts.calls.apply(make(value::Builtin{function}), {{"", order}}, {}, location);
    cells.push_back(parts.values.scalar_of(count, ir::ScalarType::integer, location));
  }
  root.blocks.push_back({{}, std::move(cells)});
}

// What can be shown as a value. A machine or a function, say, cannot.
bool has_rows(const TypeRef& type) {
  std::vector<ColumnInfo> columns;
  const TypeRef element = element_type(type);
  const auto scalars = scalars_in(element ? element : type);
  return scalars && *scalars <= Bounds::elements && add_columns(element ? element : type, "", std::nullopt, columns);
}

}  // namespace

void Observations::message(Location location, Instance& machine, ValueId size) {
  if (!is_wanted_) return;
  const auto [found, is_new] =
      messages_.try_emplace({location.file, location.begin, location.end}, location, Message{&machine, size, false});
  Message& known = found->second.second;
  if (!is_new) known.differs |= known.size != size || known.machine != &machine;
}

void Observations::order(Location location, const ValuePtr& order) {
  if (is_wanted_) orders_.try_emplace({location.file, location.begin, location.end}, location, order);
}

template <class Fill>
void Observations::add(std::vector<Observation>& into, Observation::Kind kind, const Identifier& name,
                       Instance* instance, const Fill& fill) {
  Observation one;
  one.kind = kind;
  one.info.name = name.text;
  one.info.location = name.location;
  try {
    ir::Root root = instance ? parts_.instances.guarded_root(name.text, *instance) : ir::Root{name.text, {}, {}};
    fill(one.info, root);
    one.info.root = parts_.b.root(std::move(root));
    into.push_back(std::move(one));
  } catch (const Abandoned&) {}
}

void Observations::add_item(const Item& item, const TypeRef& type, Instance* instance, std::vector<Observation>& into) {
  const bool is_order = as<types::Order>(type);
  if (!type || (!is_order && !has_rows(type))) return;
  const auto kind = is_order ? Observation::Kind::order : Observation::Kind::value;
  add(into, kind, item.name, instance, [&](OutputInfo& info, ir::Root& root) {
    const Location location = item.name.location;
    const ValuePtr value = instance ? parts_.instances.member(*instance, item.name.text, location, false)
                                    : parts_.instances.global(item, location);
    if (is_order)
      add_fills(parts_, value, location, info, root);
    else
      add_value(parts_, value, type, std::nullopt, location, info, root);
  });
}

void Observations::list_globals(const Module& module, std::vector<Observation>& into) {
  for (const auto& item : module.items) {
    if (const auto* let = std::get_if<item::Let>(&item->node)) add_item(*item, let->checked_type, nullptr, into);
  }
}

void Observations::list(Instance& instance, std::vector<Observation>& into) {
  is_wanted_ = false;
  for (const Item* item : check::members_of_kind<item::Param>(*instance.declaration))
    add_item(*item, std::get<item::Param>(item->node).checked_type, &instance, into);
  for (const Item* item : check::members_of_kind<item::Let>(*instance.declaration))
    add_item(*item, std::get<item::Let>(item->node).checked_type, &instance, into);
  // Whether it is one value of the whole model.
  const auto is_one = [&](const ValuePtr& value) {
    return !parts_.values.depends_on_loop(value) && parts_.values.deepest_frame(value) == ir::System::root_frame;
  };
  for (const auto& [place, one] : messages_) {
    const auto& [location, message] = one;
    const bool is_known = !message.differs && is_one(number(message.size));
    if (!is_known || message.machine->frame != ir::System::root_frame) continue;
    add(into, Observation::Kind::message, {"message", location}, message.machine,
        [&](OutputInfo& info, ir::Root& root) {
          static const CostOf usual;
          info.shape = RowsShape::record;
          info.columns = MessageCosts::columns();
          root.blocks.push_back(
              {{}, MessageCosts(parts_, *message.machine, usual).row(number(message.size), location)});
        });
  }
  for (const auto& [place, one] : orders_) {
    const auto& [location, order] = one;
    if (!is_one(order)) continue;
    add(into, Observation::Kind::order, {"order", location}, &instance,
        [&](OutputInfo& info, ir::Root& root) { add_fills(parts_, order, location, info, root); });
  }
}

}  // namespace wave::frontend::lowering
