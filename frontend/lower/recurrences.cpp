// Recurrences: their spaces and events, and how a reference becomes a neighbour or a read.
#include "frontend/lower/lowering.h"
#include "frontend/lower/recurrence_body.h"

#include <fmt/format.h>

#include <limits>

namespace wave::frontend::lowering {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

// `value` as binder + a constant.
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
  Place place;
};

std::vector<AxisBounds> bounds_of(Lowering& lowering, Instance& instance, const Item& declaration) {
  const auto& node = std::get<item::Recurrence>(declaration.node);
  std::vector<AxisBounds> bounds;
  if (node.over) {
    const Item* item = instance.declaration ? Lowering::find_member(*instance.declaration, node.over->text) : nullptr;
    const auto* grid = item ? std::get_if<item::Grid>(&item->node) : nullptr;
    if (!grid || grid->axes.size() != node.axes.size()) {
      lowering.abandon(DiagnosticKind::not_expressible, node.over->place, "there is no such grid here");
    }
    const auto extents = lowering.extents({item, &instance});
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      bounds.push_back({node.axes[axis].name.text, lowering.b.integer(1), extents[axis], grid->axes[axis].wrap,
                        grid->axes[axis].extent->place});
    }
    return bounds;
  }
  for (const auto& axis : node.axes) {
    const Symbolic range = lowering.evaluate(*axis.range, lowering.scope_of(instance));
    const auto* box = as<value::Range>(range);
    const auto step = box ? lowering.b.as_constant(box->step) : std::nullopt;
    if (!box || box->geometric || !step || step->type != ScalarType::integer || step->integer != 1) {
      lowering.abandon(DiagnosticKind::not_expressible, axis.range->place, "an axis of a recurrence runs in steps of 1",
                       "this does not", "write `1..n`");
    }
    bounds.push_back({axis.name.text, box->first, box->last, false, axis.range->place});
  }
  return bounds;
}

}  // namespace

std::vector<ValueId> Lowering::extents(const value::Grid& grid) {
  std::vector<ValueId> extents;
  const Scope scope = scope_of(*grid.self);
  for (const item::GridAxis& axis : std::get<item::Grid>(grid.declaration->node).axes) {
    extents.push_back(scalar(*axis.extent, scope));
  }
  return extents;
}

Recurrence& Lowering::recurrence(Instance& instance, const Item& declaration) {
  auto& slot = instance.recurrences[declaration.name.text];
  if (!slot) {
    slot = std::make_unique<Recurrence>();
    slot->declaration = &declaration;
    slot->self = &instance;
  }
  return *slot;
}

// Equal texts are equal bounds: those of two boxes differ in where an overflow would be reported. `depth` bounds the
// text.
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

// A node holds at least one process along each axis: a grid that does not keep this has no extents.
static void check_nodes(Lowering& lowering, ir::Space& space, Instance& instance, const Item& grid) {
  const auto& [axes, nodes] = std::get<item::Grid>(grid.node);
  for (std::size_t axis = 0; axis < nodes.size() && axis < space.axes.size(); ++axis) {
    const ValueId extent = lowering.scalar(*nodes[axis], lowering.scope_of(instance));
    const ValueId is_positive = lowering.b.less_equal(lowering.b.integer(1), extent);
    space.axes[axis].last =
        lowering.b.check(is_positive, space.axes[axis].last, lowering.no_process(*nodes[axis], axes[axis]));
  }
}

// Boxes of one extent share a space, so that what is defined on them is evaluated together.
static ir::SpaceId space_of(Lowering& lowering, std::map<std::string, ir::SpaceId>& spaces, Instance& instance,
                            const Item& declaration) {
  const auto bounds = bounds_of(lowering, instance, declaration);
  std::string identity = fmt::format("{}", instance.frame.index);
  for (const AxisBounds& axis : bounds) {
    identity += fmt::format(",{}..{}{}", bound_text(lowering.b.system(), axis.first),
                            bound_text(lowering.b.system(), axis.last), axis.wrap);
  }
  ir::SpaceId& space = spaces.try_emplace(identity).first->second;
  if (space.valid()) return space;
  const auto& node = std::get<item::Recurrence>(declaration.node);
  ir::Space made{node.over ? node.over->text : declaration.name.text, instance.frame, {}};
  made.name = instance.title + made.name;
  for (const AxisBounds& axis : bounds) {
    made.axes.push_back({axis.name, lowering.b.binder(axis.name), axis.first, axis.last, axis.wrap, axis.place,
                         lowering.site(FailureKind::extent_not_positive, axis.place, axis.name)});
  }
  if (node.over) check_nodes(lowering, made, instance, *Lowering::find_member(*instance.declaration, node.over->text));
  space = lowering.b.space(std::move(made));
  return space;
}

void Lowering::lower_recurrence(Recurrence& recurrence) {
  const Item& declaration = *recurrence.declaration;
  const auto& node = std::get<item::Recurrence>(declaration.node);
  Instance& instance = *recurrence.self;
  recurrence.progress = Progress::evaluating;
  try {
    recurrence.space = space_of(*this, spaces_, instance, declaration);
    ir::Event event;
    event.name = instance.title + declaration.name.text;
    event.type = scalar_type(node.value_type).value_or(ScalarType::real);
    event.frame = instance.frame;
    event.space = recurrence.space;
    event.place = declaration.name.place;
    event.site = site(FailureKind::all_absent, declaration.name.place, declaration.name.text);
    recurrence.event = b.event(std::move(event));
    Scope scope = scope_of(instance);
    scope.body = &recurrence;
    const std::vector<ir::Axis> axes = b.system()[recurrence.space].axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      scope = bind(scope, node.axes[i].name.text, make(value::Scalar{b.index(axes[i].binder)}));
    }
    for (const LocalLet& let : node.lets) scope = bind_later(scope, let, false);
    RecurrenceBody(*this, recurrence, scope).lower();
    recurrence.progress = Progress::done;
  } catch (const Abandoned& error) {
    recurrence.progress = Progress::abandoned;
    recurrence.error = error.kind;
  }
  if (recurrence.progress != Progress::done && recurrence.event.valid()) {
    ir::Event& event = b.system()[recurrence.event];
    event.constraints.clear();
    const ir::SiteId missing = site(FailureKind::no_value, declaration.name.place, declaration.name.text);
    const ValueId body = b.fail(missing, b.system()[recurrence.event].type);
    b.system()[recurrence.event].body = body;
  }
}

Symbolic Lowering::read(const value::Event& reference, const std::vector<Symbolic>& indices, const Scope& scope,
                        Place place) {
  Recurrence& target = *reference.recurrence;
  if (target.progress == Progress::fresh) lower_recurrence(target);
  if (target.progress == Progress::abandoned) throw Abandoned{target.error};
  std::vector<ValueId> ids;
  for (const Symbolic& index : indices) ids.push_back(scalar_of(index, place));
  const std::string& name = target.declaration->name.text;
  const auto hidden = [&]() {
    abandon(DiagnosticKind::bad_offset, place, fmt::format("`{}` needs itself here", name),
            "inside its own definition only its neighbours at constant offsets are known");
  };
  if (!scope.body) {
    if (target.progress == Progress::evaluating) hidden();
    const ir::SiteId off_grid = site(FailureKind::index_off_grid, place, name);
    notes_[off_grid.index].operands.assign(ids.size(), nullptr);
    const Symbolic value = make(value::Scalar{b.read(target.event, ids, off_grid)});
    return reference.guarded ? guard(value, *target.self) : value;
  }
  scope.body->reads.push_back(&target);
  if (scope.body->space == target.space) {
    const auto& axes = b.system()[target.space].axes;
    std::vector<std::int32_t> offsets;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto offset = offset_from(b.system(), ids[i], axes[i].binder);
      if (!offset || std::abs(*offset) > std::numeric_limits<std::int32_t>::max()) break;
      offsets.push_back(static_cast<std::int32_t>(*offset));
    }
    if (offsets.size() == axes.size()) {
      const Symbolic value = make(value::Scalar{b.neighbour(target.event, std::move(offsets))});
      return reference.guarded ? guard(value, *target.self) : value;
    }
  }
  if (target.progress == Progress::evaluating) hidden();
  const Symbolic value = make(value::Scalar{b.read(target.event, ids, {})});
  return reference.guarded ? guard(value, *target.self) : value;
}

}  // namespace wave::frontend::lowering
