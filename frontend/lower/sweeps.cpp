// Sweeps of processes: an order becomes one sweep after the other, and corners in braces one sweep with several fronts.
#include "frontend/lower/expressions.h"
#include "frontend/lower/observations.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"

#include <fmt/format.h>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ValueId;

// What the sweeps of one statement share. The body is lowered once for each corner, or with noise for each sweep.
struct ProcessLowering::SweepParts {
  const Statement& statement;
  const statement::Sweep& node;
  const Body& body;
  ValueId tiles;
  ir::BinderId tile;
  bool has_noise;
  std::size_t number = 0;       // of the corner in the order
  std::vector<ValueId> rounds;  // of the loops in the order that are around it
  std::map<std::pair<std::size_t, std::vector<bool>>, ir::BlockId> blocks;
};

void ProcessLowering::sweep(const Statement& s, const statement::Sweep& node, const Body& body, ir::Block& into) {
  if (body.in_sweep) {
    parts_.sites.abandon(DiagnosticKind::misplaced_statement, s.location, "a sweep inside a sweep",
                         "the one around it is not finished");
  }
  not_in_task(body, s.location, "a sweep");
  require_all(body, s.location, "a sweep", {});
  const ValueId tiles = parts_.expressions.integer(*node.tiles, body.scope);
  if (varies(tiles)) differs(node.tiles->location, "number of tiles");
  const ir::SiteId negative = parts_.sites.site(FailureKind::negative_count, node.tiles->location, "tiles");
  SweepParts parts{s,
                   node,
                   body,
                   b_.check(b_.less_equal(b_.integer(0), tiles), tiles, negative),
                   b_.binder("tile"),
                   has_noise(body)};
  if (node.order) {
    const ValuePtr order = parts_.expressions.evaluate(*node.order, body.scope);
    parts_.observations.order(node.order->location, order);
    return sweep_in_turn(parts, order, into);
  }
  std::vector<ValuePtr> corners;
  for (const ExprPtr& corner : node.corners) corners.push_back(parts_.expressions.evaluate(*corner, body.scope));
  sweep_at_once(parts, corners, {}, into);
}

void ProcessLowering::differs(Location location, const char* what) {
  parts_.sites.abandon(
      DiagnosticKind::index_condition, location, fmt::format("the {} of a sweep would differ between processes", what),
      "this depends on the place in the grid", "all processes of the grid take part in a sweep, in the same one");
}

// Lowers the sweeps of an order, or of one corner of it.
void ProcessLowering::sweep_in_turn(SweepParts& parts, const ValuePtr& order, ir::Block& into) {
  const Location location = parts.node.order->location;
  if (const auto* failure = as<value::Failure>(order)) return fail(failure->site, location, into);
  if (const auto* choice = as<value::Select>(order)) {
    if (varies(choice->condition)) differs(location, "order");
    const auto with = [&, before = parts.number](const ValuePtr& chosen) {
      return [&, before, chosen](ir::Block& block) {
        parts.number = before;
        sweep_in_turn(parts, chosen, block);
      };
    };
    return branch(choice->condition, location, with(choice->if_true), with(choice->if_false), into);
  }
  if (const auto* corner = as<value::Corner>(order)) return add_sweep(parts, {front(parts, *corner, location)}, into);
  for (const Iteration& one : parts_.lists.enumerate(order, false, location)) {
    spend();
    if (varies(one)) differs(location, "order");
    ir::Block block;
    for (const ir::Level& level : one.levels) parts.rounds.push_back(b_.index(level.binder));
    sweep_in_turn(parts, one.element, block);
    parts.rounds.resize(parts.rounds.size() - one.levels.size());
    iterate(one, location, std::move(block), into);
  }
}

// Lowers the sweep of `corners`, beginning with the first corner that has no front yet.
void ProcessLowering::sweep_at_once(SweepParts& parts, std::vector<ValuePtr> corners, std::vector<ir::Front> fronts,
                                    ir::Block& into) {
  while (fronts.size() < corners.size()) {
    const std::size_t next = fronts.size();
    const ValuePtr one = corners[next];
    const Location location = parts.node.corners[next]->location;
    if (const auto* failure = as<value::Failure>(one)) return fail(failure->site, location, into);
    if (const auto* choice = as<value::Select>(one)) {
      spend();
      if (varies(choice->condition)) differs(location, "corners");
      const auto with = [&](const ValuePtr& chosen) {
        return [&, chosen](ir::Block& block) {
          corners[next] = chosen;
          sweep_at_once(parts, corners, fronts, block);
        };
      };
      return branch(choice->condition, location, with(choice->if_true), with(choice->if_false), into);
    }
    const auto* corner = as<value::Corner>(one);
    if (!corner)
      parts_.sites.abandon(DiagnosticKind::not_expressible, location,
                           "a corner that is known before the run is needed here");
    parts.number = next;
    fronts.push_back(front(parts, *corner, location));
  }
  add_sweep(parts, std::move(fronts), into);
}

// The front from a corner of the grid as the body sees it. Along other axes, all fronts are at one place.
ir::Front ProcessLowering::front(SweepParts& parts, const value::Corner& corner, Location location) {
  const View& view = parts.body.view;
  if (corner.rising.size() != view.names.size()) {
    const auto axes = [](std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "axis" : "axes"); };
    parts_.sites.abandon(
        DiagnosticKind::wrong_corner, location,
        fmt::format("a corner of {} on a grid of {}", axes(corner.rising.size()), axes(view.names.size())),
        "one sign for each axis is expected, as in `(+,-)`");
  }
  if (view.by_rank) {
    parts_.sites.abandon(DiagnosticKind::not_expressible, parts.statement.location,
                         "a sweep goes along axes, not from rank to rank",
                         "the processes of a grid of several axes are here by their rank", "call this `along` an axis");
  }
  std::vector<bool> rising(axes_.size(), true);
  for (std::size_t i = 0; i < view.axes.size(); ++i) rising[view.axes[i]] = corner.rising[i];
  ++parts.number;
  const auto [known, is_new] = parts.blocks.try_emplace({parts.has_noise ? parts.number : 0, rising});
  if (is_new) {
    Body inside = parts.body;
    inside.corner = &known->first.second;
    inside.rounds.insert(inside.rounds.end(), parts.rounds.begin(), parts.rounds.end());
    inside.rounds.insert(inside.rounds.end(),
                         {b_.integer(static_cast<std::int64_t>(parts.number)), b_.index(parts.tile)});
    inside.in_sweep = true;
    inside.scope = bind_local(inside.scope, "tile", number(b_.index(parts.tile)));
    inside.scope = bind_local(inside.scope, "corner", make(corner));
    ir::Block block;
    lower(parts.node.body, inside, block);
    known->second = add_block(std::move(block));
  }
  return {rising, known->second};
}

void ProcessLowering::add_sweep(SweepParts& parts, std::vector<ir::Front> fronts, ir::Block& into) {
  if (fronts.empty()) return;
  add(into, {ir::Sweep{parts.tiles, parts.tile, std::move(fronts)}, parts.statement.location, {}});
}

}  // namespace wave::frontend::lowering
