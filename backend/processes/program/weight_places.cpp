// See weight_places.h.
#include "backend/processes/program/weight_places.h"

#include <algorithm>

namespace wave::backend::processes {

ir::ValueId value_of_weight(const ir::Statement& statement) {
  if (const auto* const compute = std::get_if<ir::Compute>(&statement.node)) return compute->time;
  if (const auto* const collective = std::get_if<ir::Collective>(&statement.node)) return collective->cost;
  if (const auto* const message = std::get_if<ir::Message>(&statement.node)) return message->size;
  return {};
}

const WeightPlaces::LooksAt& WeightPlaces::looks_at(const ir::Statement& statement) {
  const auto [known, is_new] = looks_at_.try_emplace(&statement);
  const ir::ValueId value = value_of_weight(statement);
  if (!is_new || !value.valid()) return known->second;
  for (const ir::BinderId binder : binders_.of(value)) {
    const auto axis = std::ranges::find(axes_, binder, &ir::Axis::binder);
    if (axis == axes_.end())
      known->second.inside.push_back(binder);
    else
      known->second.axes.push_back(static_cast<std::size_t>(axis - axes_.begin()));
  }
  return known->second;
}

const Bindings* WeightPlaces::inside(const ir::Statement& statement,
                                     const std::function<std::int64_t(ir::BinderId)>& value_of, ir::BinderId without) {
  Bindings bindings;
  for (const ir::BinderId binder : looks_at(statement).inside) {
    if (binder != without) bindings.emplace_back(binder, value_of(binder));
  }
  return only(std::move(bindings));
}

const Bindings* WeightPlaces::with(const Bindings* inside, ir::BinderId binder, std::int64_t value) {
  Bindings bindings = inside ? *inside : Bindings{};
  bindings.emplace_back(binder, value);
  std::ranges::sort(bindings);
  return only(std::move(bindings));
}

}  // namespace wave::backend::processes
