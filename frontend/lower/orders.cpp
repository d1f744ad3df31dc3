// What follows from the order in which sweeps start: fills and their number, on a grid of any number of axes
// (language.md, Grids).
#include "frontend/lower/lists.h"
#include "frontend/lower/sites.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

namespace {

using Corners = std::vector<const value::Corner*>;
using AxisNames = std::vector<std::string>;

// In how many steps from a corner to the next exactly those axes turn around.
std::int64_t count_steps(const Corners& corners, const std::vector<bool>& turning) {
  std::int64_t steps = 0;
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    bool is_one = true;
    for (std::size_t axis = 0; axis < turning.size(); ++axis) {
      is_one = is_one && (corners[k]->rising[axis] != corners[k + 1]->rising[axis]) == turning[axis];
    }
    steps += is_one;
  }
  return steps;
}

std::size_t axes_of(const Corners& corners) { return corners.empty() ? 0 : corners.front()->rising.size(); }

// The axes among `all` that are in `named`; nothing where one is not there.
std::optional<std::vector<bool>> mark(const AxisNames& all, std::size_t axes, const AxisNames& named) {
  std::vector<bool> marked(axes);
  for (const std::string& name : named) {
    const auto found = static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
    if (found >= std::min(axes, all.size())) return std::nullopt;
    marked[found] = true;
  }
  return marked;
}

// The axes of the grids of a model.
std::vector<AxisNames> axes_of_grids(const Item* declaration) {
  const auto* model = declaration ? std::get_if<item::Model>(&declaration->node) : nullptr;
  std::vector<AxisNames> grids;
  if (!model) return grids;
  for (const auto& member : model->members) {
    const auto* grid = std::get_if<item::Grid>(&member->node);
    if (!grid) continue;
    grids.emplace_back();
    for (const item::GridAxis& axis : grid->axes) grids.back().push_back(axis.name.text);
  }
  return grids;
}

}  // namespace

// The corners of an order that holds no choice any more.
std::vector<const value::Corner*> Lists::corners_of(const std::string& what, const std::vector<Symbolic>& elements,
                                                    Place place) {
  Corners known;
  for (const Symbolic& element : elements) {
    const auto* corner = as<value::Corner>(element);
    if (!corner)
      sites_.abandon(DiagnosticKind::order_without_fills, place, fmt::format("`{}` takes an order", what),
                     "these are no corners");
    if (!known.empty() && corner->rising.size() != axes_of(known)) {
      sites_.abandon(DiagnosticKind::order_without_fills, place,
                     fmt::format("a corner with {} axes among corners with {}", corner->rising.size(), axes_of(known)),
                     "in this order");
    }
    known.push_back(corner);
  }
  return known;
}

// Which axes are named: of the grid around that has as many as the corners; without grids, of the axes by their places.
std::vector<bool> Lists::axes_of_fills(const expr::Call& call, std::size_t axes, const Scope& scope, Place place) {
  AxisNames named;
  for (std::size_t k = 1; k < call.arguments.size(); ++k)
    named.push_back(std::get<expr::Name>(call.arguments[k].value->node).text);
  auto grids = axes_of_grids(scope.self ? scope.self->declaration : nullptr);
  const bool by_place = grids.empty();
  if (by_place) grids.push_back(std::get<types::Choice>(call.arguments[1].value->type->kind).words);
  for (const AxisNames& names : grids) {
    if (!by_place && names.size() != axes) continue;
    if (const auto marked = mark(names, axes, named)) return *marked;
  }
  sites_.abandon(DiagnosticKind::order_without_fills, place,
                 fmt::format("the corners of this order have {} {}, and no grid here has as many with `{}` among them",
                             axes, axes == 1 ? "axis" : "axes", fmt::join(named, "`, `")),
                 "corners have one sign for each axis of their grid");
}

Symbolic Lists::fills(const std::string& what, const Symbolic& order, const expr::Call* call, const Scope& scope,
                      Place place) {
  const auto number = [&](std::int64_t value) { return make(value::Scalar{b_.integer(value)}); };
  return values_.distribute(order, [&](const Symbolic& one) -> Symbolic {
    auto corners = elements(one, place);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (as<value::Failure>(corners[k])) return corners[k];
      // A corner chosen by a condition: the order is one of two.
      const Symbolic corner = corners[k];
      const auto* choice = as<value::Select>(corner);
      if (!choice) continue;
      corners[k] = choice->if_true;
      const Symbolic if_true = fills(what, make(value::List{corners}), call, scope, place);
      corners[k] = choice->if_false;
      return values_.select(choice->condition, if_true, fills(what, make(value::List{corners}), call, scope, place));
    }
    const Corners known = corners_of(what, corners, place);
    if (known.empty()) return number(0);
    if (call) return number(count_steps(known, axes_of_fills(*call, axes_of(known), scope, place)));
    return number(count_steps(known, std::vector<bool>(axes_of(known), true)) + 1);  // one more drains the last sweep
  });
}

}  // namespace wave::frontend::lowering
