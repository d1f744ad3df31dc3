// What follows from the order in which sweeps start: `sweeps`, `full_fills` and `diagonal_fills`, on grids of any
// number of axes. The number of axes is that of the corners; it is known here where they are written out.
#include "frontend/check/calls.h"
#include "frontend/check/expressions.h"
#include "frontend/check/reports.h"

#include <algorithm>
#include <set>

namespace wave::frontend::check {
namespace {

using Axes = std::vector<std::string>;

// How many axes the first corner has that is written out; 0: none is.
std::size_t axes_of_corners(const Expr& e) {
  if (const auto* tuple = std::get_if<expr::SignTuple>(&e.node)) return tuple->rising.size();
  if (const auto* name = std::get_if<expr::Name>(&e.node))
    return std::holds_alternative<target::CornerName>(name->target) ? 2 : 0;
  const auto* list = std::get_if<expr::List>(&e.node);
  if (!list) return 0;
  for (const ExprPtr& corner : list->elements) {
    if (const std::size_t axes = axes_of_corners(*corner)) return axes;
  }
  return 0;
}

// The first grid with this number of axes (0: any number), all of these among them.
const Axes* find_grid(const std::vector<Axes>& grids, std::size_t number, const Axes& named) {
  for (const Axes& axes : grids) {
    const auto has = [&](const std::string& name) { return std::find(axes.begin(), axes.end(), name) != axes.end(); };
    if ((number == 0 || axes.size() == number) && std::all_of(named.begin(), named.end(), has)) return &axes;
  }
  return nullptr;
}

}  // namespace

// The axes of the grids in scope.
std::vector<Axes> Calls::grids_around() const {
  std::vector<Axes> grids;
  const auto* members = context_.owner ? members_of(*context_.owner) : nullptr;
  if (!members) return grids;
  for (const auto& item : *members) {
    const auto* grid = std::get_if<item::Grid>(&item->node);
    if (!grid) continue;
    Axes axes;
    for (const item::GridAxis& axis : grid->axes) axes.push_back(axis.name.text);
    grids.push_back(std::move(axes));
  }
  return grids;
}

TypeRef Calls::check_order(Expr& order) {
  expressions_.expect(order, order_type());
  const std::size_t written = axes_of_corners(order);
  const auto grids = grids_around();
  const bool fits = grids.empty() || find_grid(grids, written, {});
  if (written > 0) check_corner(order, fits ? written : grids.front().size());
  return int_type();
}

// Of each axis the ordinal is kept with the name, as that of a choice, and the axes of its grid as the type.
TypeRef Calls::check_diagonal_fills(Expr& e, std::vector<Argument>& arguments) {
  const bool named =
      std::any_of(arguments.begin(), arguments.end(), [](const Argument& one) { return one.name.has_value(); });
  if (arguments.size() < 2 || named) {
    reports_.add(DiagnosticKind::wrong_arguments, e.place, "`diagonal_fills` takes an order and axes, without names",
                 "as in `diagonal_fills(corners, i)`");
    return unknown_type();
  }
  Expr& order = *arguments.front().value;
  expressions_.expect(order, order_type());
  Axes wanted;
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    const auto* name = std::get_if<expr::Name>(&arguments[k].value->node);
    if (name) wanted.push_back(name->text);
  }
  const auto grids = grids_around();
  const std::size_t written = axes_of_corners(order);
  const Axes* grid = find_grid(grids, written, wanted);
  if (!grid) grid = find_grid(grids, 0, wanted);
  if (!grid && !grids.empty()) grid = &grids.front();
  const Axes by_place{"i", "j", "k"};  // outside of models
  check_corner(order, grid ? grid->size() : written);
  for (std::size_t k = 1; k < arguments.size(); ++k) check_axis_of_fills(*arguments[k].value, grid ? *grid : by_place);
  const std::set<std::string> different(wanted.begin(), wanted.end());
  if (different.size() < wanted.size()) {
    reports_.add(DiagnosticKind::wrong_arguments, e.place, "`diagonal_fills` takes each axis once",
                 "an axis is named twice");
  }
  return int_type();
}

void Calls::check_axis_of_fills(Expr& axis, const Axes& axes) {
  axis.type = make_type(types::Choice{axes});
  auto* name = std::get_if<expr::Name>(&axis.node);
  for (std::size_t k = 0; name && k < axes.size(); ++k) {
    if (axes[k] != name->text) continue;
    name->target = target::ChoiceWord{k};
    return;
  }
  std::string shown;
  for (const std::string& one : axes) shown += (shown.empty() ? "`" : ", `") + one + "`";
  reports_.add(DiagnosticKind::unknown_name, axis.place, "`diagonal_fills` takes axes of the grid", "not an axis")
      .help.push_back("its axes are " + shown);
}

void Calls::check_corner(const Expr& e, std::size_t axes) {
  if (const auto* list = std::get_if<expr::List>(&e.node)) {
    for (const ExprPtr& corner : list->elements) check_corner(*corner, axes);
    return;
  }
  const auto* name = std::get_if<expr::Name>(&e.node);
  const auto* tuple = std::get_if<expr::SignTuple>(&e.node);
  const bool named = name && std::holds_alternative<target::CornerName>(name->target);
  const std::size_t signs = named ? 2 : tuple ? tuple->rising.size() : axes;
  if (signs == axes) return;
  reports_.add(DiagnosticKind::wrong_corner, e.place,
               "a corner of " + counted(signs, "axis", "axes") + " on a grid of " + counted(axes, "axis", "axes"),
               "one sign for each axis is expected, as in `(+,-)`");
}

}  // namespace wave::frontend::check
