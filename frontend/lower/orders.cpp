// What follows from the order in which sweeps start: fills and their number (language.md, section 5).
#include "frontend/lower/lowering.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

namespace {

struct Fills {
  std::int64_t full = 0;
  std::int64_t diagonal[2] = {0, 0};
};

// Between consecutive sweeps: nothing where they start at one corner, a fill along the axis in which the corners
// differ, a full one between opposite corners. One more full fill drains the last sweep.
Fills count_fills(const std::vector<const value::Corner*>& corners) {
  Fills fills;
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    const bool turns_i = corners[k]->rising[0] != corners[k + 1]->rising[0];
    const bool turns_j = corners[k]->rising[1] != corners[k + 1]->rising[1];
    if (turns_i && turns_j) ++fills.full;
    else if (turns_i) ++fills.diagonal[0];
    else if (turns_j) ++fills.diagonal[1];
  }
  if (!corners.empty()) ++fills.full;
  return fills;
}

}  // namespace

Symbolic Lowering::fills(const std::string& what, const Symbolic& order, std::size_t axis, Place place) {
  const auto number = [&](std::int64_t value) { return make(value::Scalar{b.integer(value)}); };
  return distribute(order, [&](const Symbolic& one) -> Symbolic {
    if (what == "sweeps") return make(value::Scalar{count(one, place)});
    auto corners = elements(one, place);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      // A corner chosen by a condition: the order is one of two.
      const Symbolic corner = corners[k];
      const auto* choice = as<value::Select>(corner);
      if (!choice) continue;
      corners[k] = choice->if_true;
      const Symbolic if_true = fills(what, make(value::List{corners}), axis, place);
      corners[k] = choice->if_false;
      return select(choice->condition, if_true, fills(what, make(value::List{corners}), axis, place));
    }
    std::vector<const value::Corner*> known;
    for (const Symbolic& element : corners) {
      if (as<value::Failure>(element)) return element;
      const auto* corner = as<value::Corner>(element);
      if (!corner || corner->rising.size() != 2) {
        abandon(DiagnosticKind::order_without_fills, place, fmt::format("`{}` is defined for two-dimensional grids", what),
                corner ? fmt::format("a corner of a grid with {} axes", corner->rising.size()) : "these are no corners");
      }
      known.push_back(corner);
    }
    const Fills counted = count_fills(known);
    return number(what == "full_fills" ? counted.full : counted.diagonal[axis < 2 ? axis : 0]);
  });
}

}  // namespace wave::frontend::lowering
