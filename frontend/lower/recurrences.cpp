// Recurrences: their spaces and events, and how a reference becomes a neighbour or a read.
#include "frontend/lower/recurrences.h"

#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/levels.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <limits>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

// The constant in `value` if that is the binder plus a constant.
std::optional<std::int64_t> offset_from(const ir::System& system, ValueId value, ir::BinderId binder) {
  const ir::Node& node = system[value].node;
  if (const auto* index = std::get_if<ir::Index>(&node)) {
    return index->binder == binder ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  const auto* sum = std::get_if<ir::Binary>(&node);
  if (!sum || (sum->op != ir::BinaryOp::add && sum->op != ir::BinaryOp::subtract)) return std::nullopt;
  const auto constant = [&](ValueId id) -> std::optional<std::int64_t> {
    const auto* known = std::get_if<ir::Constant>(&system[id].node);
    if (!known || known->value.type != ScalarType::integer) return std::nullopt;
    const std::int64_t value = known->value.integer;
    const bool small = value >= -1'000'000'000 && value <= 1'000'000'000;
    return small ? std::optional(value) : std::nullopt;
  };
  if (const auto right = constant(sum->right)) {
    const auto left = offset_from(system, sum->left, binder);
    if (left) return sum->op == ir::BinaryOp::add ? *left + *right : *left - *right;
  }
  if (const auto left = constant(sum->left); left && sum->op == ir::BinaryOp::add) {
    const auto right = offset_from(system, sum->right, binder);
    if (right) return *left + *right;
  }
  return std::nullopt;
}

struct AxisBounds {
  std::string name;
  ValueId first, last;
  bool wrap = false;
  Location location;
};

std::vector<AxisBounds> bounds_of(const Parts& parts, Instance& instance, const Item& declaration) {
  const auto& node = std::get<item::Recurrence>(declaration.node);
  std::vector<AxisBounds> bounds;
  if (node.over) {
    const Item* item = instance.declaration ? find_member(*instance.declaration, node.over->text) : nullptr;
    const auto* grid = item ? std::get_if<item::Grid>(&item->node) : nullptr;
    if (!grid || grid->axes.size() != node.axes.size()) {
      parts.sites.abandon(DiagnosticKind::not_expressible, node.over->location, "there is no such grid here");
    }
    const auto extents = parts.recurrences.extents({item, &instance});
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      bounds.push_back({node.axes[axis].name.text, parts.b.integer(1), extents[axis], grid->axes[axis].wrap,
                        grid->axes[axis].extent->location});
    }
    return bounds;
  }
  for (const auto& axis : node.axes) {
    const ValuePtr range = parts.expressions.evaluate(*axis.range, parts.instances.scope_of(instance));
    const auto* box = as<value::Range>(range);
    const auto step = box ? parts.b.as_constant(box->step) : std::nullopt;
    if (!box || box->geometric || !step || step->type != ScalarType::integer || step->integer != 1) {
      parts.sites.abandon(DiagnosticKind::not_expressible, axis.range->location,
                          "an axis of a recurrence runs in steps of 1", "this does not", "write `1..n`");
    }
    bounds.push_back({axis.name.text, box->first, box->last, false, axis.range->location});
  }
  return bounds;
}

}  // namespace

std::vector<ValueId> Recurrences::extents(const value::Grid& grid) {
  std::vector<ValueId> extents;
  const Scope scope = instances_.scope_of(*grid.self);
  for (const item::GridAxis& axis : std::get<item::Grid>(grid.declaration->node).axes) {
    extents.push_back(expressions_.integer(*axis.extent, scope));
  }
  return extents;
}

Recurrence& Recurrences::recurrence(Instance& instance, const Item& declaration) {
  auto& slot = instance.recurrences[declaration.name.text];
  if (!slot) {
    slot = std::make_unique<Recurrence>();
    slot->declaration = &declaration;
    slot->self = &instance;
  }
  return *slot;
}

// Equal texts mean equal bounds. (Equal bounds of two boxes are different nodes if they would report an overflow at
// different places.) `depth` bounds the text.
static std::string bound_text(const ir::System& system, ValueId bound, int depth = 8) {
  const ir::Node& node = system[bound].node;
  const auto text = [&](ValueId operand) { return bound_text(system, operand, depth - 1); };
  if (const auto* sum = std::get_if<ir::Binary>(&node); sum && depth > 0) {
    return fmt::format("({} {} {})", text(sum->left), static_cast<int>(sum->op), text(sum->right));
  }
  if (const auto* unary = std::get_if<ir::Unary>(&node); unary && depth > 0) {
    return fmt::format("({} {})", static_cast<int>(unary->op), text(unary->operand));
  }
  return fmt::format("{}", bound.index);
}

// A block of a level holds at least one process along each axis. The extents of a grid that breaks this rule fail.
static void check_blocks(const Parts& parts, ir::Space& space, Instance& instance, const Item& grid) {
  const auto& [axes, levels] = std::get<item::Grid>(grid.node);
  for (const item::GridLevel& level : levels) {
    for (std::size_t axis = 0; axis < level.blocks.size() && axis < space.axes.size(); ++axis) {
      const Expr& block = *level.blocks[axis];
      const ValueId extent = parts.expressions.integer(block, parts.instances.scope_of(instance));
      const ValueId is_positive = parts.b.less_equal(parts.b.integer(1), extent);
      space.axes[axis].last =
          parts.b.check(is_positive, space.axes[axis].last, parts.levels.no_process(block, axes[axis]));
    }
  }
}

// Boxes with the same bounds share a space, so that what is defined on them is evaluated together.
static ir::SpaceId space_of(const Parts& parts, std::map<std::string, ir::SpaceId>& spaces, Instance& instance,
                            const Item& declaration) {
  const auto bounds = bounds_of(parts, instance, declaration);
  std::string identity = fmt::format("{}", instance.frame.index);
  for (const AxisBounds& axis : bounds) {
    identity += fmt::format(",{}..{}{}", bound_text(parts.b.system(), axis.first),
                            bound_text(parts.b.system(), axis.last), axis.wrap);
  }
  ir::SpaceId& space = spaces.try_emplace(identity).first->second;
  if (space.valid()) return space;
  const auto& node = std::get<item::Recurrence>(declaration.node);
  ir::Space made{node.over ? node.over->text : declaration.name.text, instance.frame, {}};
  made.name = instance.title + made.name;
  for (const AxisBounds& axis : bounds) {
    made.axes.push_back({axis.name, parts.b.binder(axis.name), axis.first, axis.last, axis.wrap, axis.location,
                         parts.sites.site(FailureKind::extent_not_positive, axis.location, axis.name)});
  }
  if (node.over) check_blocks(parts, made, instance, *find_member(*instance.declaration, node.over->text));
  space = parts.b.space(std::move(made));
  return space;
}

void Recurrences::lower_recurrence(Recurrence& recurrence) {
  const Item& declaration = *recurrence.declaration;
  const auto& node = std::get<item::Recurrence>(declaration.node);
  Instance& instance = *recurrence.self;
  recurrence.progress = Progress::evaluating;
  try {
    recurrence.space = space_of(parts_, spaces_, instance, declaration);
    ir::Event event;
    event.name = instance.title + declaration.name.text;
    event.type = scalar_type(node.value_type).value_or(ScalarType::real);
    event.frame = instance.frame;
    event.space = recurrence.space;
    event.location = declaration.name.location;
    event.site = sites_.site(FailureKind::all_absent, declaration.name.location, declaration.name.text);
    recurrence.event = b_.event(std::move(event));
    Scope scope = instances_.scope_of(instance);
    scope.body = &recurrence;
    const std::vector<ir::Axis> axes = b_.system()[recurrence.space].axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      scope = bind_local(scope, node.axes[i].name.text, number(b_.index(axes[i].binder)));
    }
    for (const LocalLet& let : node.lets) scope = bind_later(scope, let, false);
    RecurrenceBody(parts_, recurrence, scope).lower();
    recurrence.progress = Progress::done;
  } catch (const Abandoned& error) {
    recurrence.progress = Progress::abandoned;
    recurrence.error = error.kind;
  }
  if (recurrence.progress != Progress::done && recurrence.event.valid()) {
    ir::Event& event = b_.system()[recurrence.event];
    event.constraints.clear();
    const ir::SiteId missing = sites_.site(FailureKind::no_value, declaration.name.location, declaration.name.text);
    const ValueId body = b_.fail(missing, b_.system()[recurrence.event].type);
    b_.system()[recurrence.event].body = body;
  }
}

ValuePtr Recurrences::read(const value::Event& reference, const std::vector<ValuePtr>& indices, const Scope& scope,
                           Location location) {
  Recurrence& target = *reference.recurrence;
  if (target.progress == Progress::fresh) lower_recurrence(target);
  if (target.progress == Progress::abandoned) throw Abandoned{target.error};
  std::vector<ValueId> ids;
  for (const ValuePtr& index : indices) ids.push_back(values_.scalar_of(index, ScalarType::integer, location));
  const std::string& name = target.declaration->name.text;
  const auto hidden = [&]() {
    sites_.abandon(DiagnosticKind::bad_offset, location, fmt::format("`{}` needs itself here", name),
                   "inside its own definition only its neighbours at constant offsets are known");
  };
  if (!scope.body) {
    if (target.progress == Progress::evaluating) hidden();
    const ir::SiteId off_grid = sites_.site(FailureKind::index_off_grid, location, name);
    sites_.note_types(off_grid, std::vector<TypeRef>(ids.size()));
    const ValuePtr value = number(b_.read(target.event, ids, off_grid));
    return reference.guarded ? instances_.guard(value, *target.self) : value;
  }
  scope.body->reads.push_back(&target);
  if (scope.body->space == target.space) {
    const auto& axes = b_.system()[target.space].axes;
    std::vector<std::int32_t> offsets;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto offset = offset_from(b_.system(), ids[i], axes[i].binder);
      if (!offset || std::abs(*offset) > std::numeric_limits<std::int32_t>::max()) break;
      offsets.push_back(static_cast<std::int32_t>(*offset));
    }
    if (offsets.size() == axes.size()) {
      const ValuePtr value = number(b_.neighbour(target.event, std::move(offsets)));
      return reference.guarded ? instances_.guard(value, *target.self) : value;
    }
  }
  if (target.progress == Progress::evaluating) hidden();
  const ValuePtr value = number(b_.read(target.event, ids, {}));
  return reference.guarded ? instances_.guard(value, *target.self) : value;
}

}  // namespace wave::frontend::lowering
