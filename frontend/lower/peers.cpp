// Messages of processes: where they go, and what their ends share.
#include "frontend/lower/expressions.h"
#include "frontend/lower/levels.h"
#include "frontend/lower/observations.h"
#include "frontend/lower/processes.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ValueId;

void ProcessLowering::message(const Statement& s, const statement::Message& node, const Body& body, ir::Block& into) {
  ir::Message message;
  message.side = node.kind == statement::Message::Kind::send ? ir::Message::Side::send : ir::Message::Side::receive;
  message.background = node.background;
  message.of_task = body.waits_as_task;
  if (node.handle) message.handle = handle(body, node.handle->text);
  message.ends = body.kinds ? parts_.messages.message_ends(body.kinds->machines, s.location)
                            : parts_.messages.message_ends(*body.machine, *body.machine->declaration, s.location);
  message.context = body.context;
  std::optional<ValueId> on_grid;
  message.peer = body.view.group ? member(node.peer, body, on_grid) : peer(node.peer, body);
  if (node.size) {
    message.size = parts_.processes.not_negative(parts_.expressions.real(*node.size, body.scope), node.size->location,
                                                 check::data_type(), "the size of a message");
    if (body.machine) parts_.observations.message(s.location, *body.machine, message.size);
  }
  set_places(message, *body.machine->declaration, node.peer.location);
  if (body.kinds) set_kinds(message, *body.kinds, node.peer.location);
  if (node.tag) message.tag = parts_.expressions.integer(*node.tag, body.scope);
  if (!body.view.group) on_grid = inside(message.peer, body, node.peer.location);
  const auto put = [&](ir::Block& block) { add(block, {std::move(message), s.location, {}}); };
  if (on_grid)
    branch(*on_grid, s.location, put, nullptr, into);
  else
    put(into);
}

ir::Peer ProcessLowering::peer(const Neighbourhood& node, const Body& body) {
  switch (node.kind) {
    case Neighbourhood::Kind::upwind:
    case Neighbourhood::Kind::downwind: return wind(node, body);
    case Neighbourhood::Kind::offset: return offset(node, body);
    case Neighbourhood::Kind::absolute: return absolute(node, body);
  }
  return {};
}

void ProcessLowering::refuse_swept_axis(const Identifier& axis, Location wraps) {
  parts_.diagnostics
      .add(DiagnosticKind::swept_wrapped_axis, axis.location,
           fmt::format("the axis `{}` wraps, so it cannot be swept", axis.text),
           "there is no end that a sweep could start from")
      .labels.push_back({wraps, "the grid that this is called on wraps here"});
  throw Abandoned{DiagnosticKind::swept_wrapped_axis};
}

ir::Peer ProcessLowering::wind(const Neighbourhood& node, const Body& body) {
  if (!body.corner) {
    parts_.sites.abandon(DiagnosticKind::no_wind, node.location, "a neighbour by the wind outside a sweep",
                         "there is no direction to come from");
  }
  ir::Peer peer{ir::Peer::Kind::offset, false, std::vector<ValueId>(axes_.size(), b_.integer(0)), {}};
  numbers_of(node.axes, body);
  for (const Identifier& name : node.axes) {
    const std::size_t axis = axis_of(name, body);
    // The checker has refused it already, except in a procedure that only says how many axes its grid has.
    if (body.view.wraps && axes_[axis].wrap) refuse_swept_axis(name, axes_[axis].location);
    const bool up = node.kind == Neighbourhood::Kind::upwind;
    peer.coordinates[axis] = b_.integer((*body.corner)[axis] == up ? -1 : 1);
  }
  return peer;
}

// The distance from `i` in a sum of `i` and other things; nothing if it is no such sum.
static std::optional<ValueId> find_distance(const Parts& parts, const Expr& index, const std::string& axis,
                                            const Scope& scope) {
  if (is_name(index, axis)) return parts.b.integer(0);
  const auto* sum = std::get_if<expr::Binary>(&index.node);
  if (!sum || (sum->op != BinaryOperator::add && sum->op != BinaryOperator::subtract)) return std::nullopt;
  const bool adds = sum->op == BinaryOperator::add;
  const auto add = [&](ValueId from, const Expr& other) {
    const ir::SiteId overflow = parts.sites.site(FailureKind::integer_overflow, index.location);
    const ValueId more = parts.expressions.integer(other, scope);
    const auto known = parts.b.as_constant(from);
    const bool first = known && known->integer == 0;
    if (adds) return first ? more : parts.b.add(from, more, overflow);
    return first ? parts.b.negate(more, overflow) : parts.b.subtract(from, more, overflow);
  };
  if (const auto left = find_distance(parts, *sum->left, axis, scope)) return add(*left, *sum->right);
  if (!adds) return std::nullopt;
  if (const auto right = find_distance(parts, *sum->right, axis, scope)) return add(*right, *sum->left);
  return std::nullopt;
}

ValueId ProcessLowering::distance(const Expr& index, const Body& body, const std::string& axis) {
  const auto far = find_distance(parts_, index, axis, body.scope);
  const auto& group = body.view.group;
  if (!far || (group ? differs_among(*group, *far) : varies(*far) != 0)) {
    parts_.sites.abandon(
        DiagnosticKind::bad_offset, index.location,
        fmt::format("an offset is `{}` plus or minus something that is the same for all processes", axis),
        fmt::format("not at one distance from `{}`", axis));
  }
  return *far;
}

ir::Peer ProcessLowering::offset(const Neighbourhood& node, const Body& body) {
  const View& view = body.view;
  ir::Peer peer{ir::Peer::Kind::offset, view.by_rank, {}, {}};
  peer.coordinates.assign(view.by_rank ? 1 : axes_.size(), b_.integer(0));
  const std::vector<std::size_t> numbers = numbers_of(node.axes, body);
  for (std::size_t i = 0; i < view.names.size() && i < node.indices.size(); ++i) {
    const std::size_t number = numbers.empty() ? i : numbers[i];
    const std::string& axis = numbers.empty() ? view.names[i] : node.axes[i].text;
    peer.coordinates[view.by_rank ? 0 : view.axes[number]] = distance(*node.indices[i], body, axis);
  }
  return peer;
}

ir::Peer ProcessLowering::absolute(const Neighbourhood& node, const Body& body) {
  const View& view = body.view;
  ir::Peer peer{ir::Peer::Kind::place,
                view.by_rank,
                {},
                parts_.sites.site(FailureKind::index_off_grid, node.location, view.grid)};
  if (!view.by_rank) {
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) peer.coordinates.push_back(own_index(axis));
  } else {
    peer.coordinates.resize(1);
  }
  parts_.sites.note_types(peer.site, std::vector<TypeRef>(peer.coordinates.size()));
  for (std::size_t i = 0; i < view.names.size() && i < node.indices.size(); ++i) {
    peer.coordinates[view.by_rank ? 0 : view.axes[i]] = parts_.expressions.integer(*node.indices[i], body.scope);
  }
  return peer;
}

// Among the members of a group. An offset leads to one that may not exist.
ir::Peer ProcessLowering::member(const Neighbourhood& node, const Body& body, std::optional<ValueId>& exists) {
  const Strides& group = *body.view.group;
  const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, node.location);
  if (node.indices.size() != 1 || node.kind < Neighbourhood::Kind::offset) {
    parts_.sites.abandon(DiagnosticKind::not_expressible, node.location,
                         "members of a group have one index, their rank", "not among them");
  }
  const bool is_offset = node.kind == Neighbourhood::Kind::offset;
  const std::string& axis = node.axes.empty() ? body.view.names[0] : node.axes[0].text;
  const ValueId rank = is_offset ? b_.add(group.rank, distance(*node.indices[0], body, axis), overflow)
                                 : parts_.expressions.integer(*node.indices[0], body.scope);
  const ValueId is_member = b_.logical_and(b_.less_equal(b_.integer(1), rank), b_.less_equal(rank, group.participants));
  const ir::SiteId off = parts_.sites.site(FailureKind::index_off_grid, node.location, body.view.grid);
  parts_.sites.note_types(off, std::vector<TypeRef>(1));
  ir::Peer peer{is_offset ? ir::Peer::Kind::member : ir::Peer::Kind::place, group.by_rank,
                std::vector<ValueId>(group.axes.size()), off};
  if (is_offset) exists = is_member;
  ValueId rest = b_.subtract(is_offset ? rank : b_.check(is_member, rank, off), b_.integer(1), overflow);
  const ir::SiteId zero = parts_.sites.site(FailureKind::division_by_zero, node.location);
  for (std::size_t axis = group.axes.size(); axis-- > 0;) {
    const auto& [first, step, count] = group.axes[axis];
    const ValueId number = axis == 0 ? rest : b_.binary(BinaryOp::modulo, rest, count, zero);
    if (axis > 0) rest = b_.binary(BinaryOp::floor_divide, rest, count, zero);
    const ValueId from_zero = b_.add(first, b_.multiply(step, number, overflow), overflow);
    peer.coordinates[axis] = b_.add(from_zero, b_.integer(1), overflow);
  }
  return peer;
}

value::Point ProcessLowering::own_place() const {
  value::Point own{grid_->declaration, grid_->self, {}};
  for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) own.indices.push_back(own_index(axis));
  return own;
}

// The ranks of an algorithm have ends even if the axis beneath them goes round. If so: whether the peer is among them.
std::optional<ValueId> ProcessLowering::inside(const ir::Peer& peer, const Body& body, Location location) {
  if (body.view.wraps || peer.by_rank || peer.kind != ir::Peer::Kind::offset) return std::nullopt;
  std::optional<ValueId> all;
  for (const std::uint32_t axis : body.view.axes) {
    const auto known = b_.as_constant(peer.coordinates[axis]);
    if (!axes_[axis].wrap || (known && known->integer == 0)) continue;
    const ValueId index =
        b_.add(own_index(axis), peer.coordinates[axis], parts_.sites.site(FailureKind::integer_overflow, location));
    const ValueId within = b_.logical_and(b_.less_equal(b_.integer(1), index), b_.less_equal(index, extent(axis)));
    all = all ? b_.logical_and(*all, within) : within;
  }
  return all;
}

std::vector<ValueId> ProcessLowering::coordinates_of(const ir::Peer& peer, Location location) {
  const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
  const bool offset = peer.kind == ir::Peer::Kind::offset;
  const auto moved = [&](ValueId from, ValueId distance) {
    const auto known = b_.as_constant(distance);
    return known && known->integer == 0 ? from : b_.add(from, distance, overflow);
  };
  std::vector<ValueId> coordinates(axes_.size());
  if (!peer.by_rank) {
    for (std::uint32_t axis = 0; axis < axes_.size(); ++axis) {
      coordinates[axis] = offset ? moved(own_index(axis), peer.coordinates[axis]) : peer.coordinates[axis];
    }
    return coordinates;
  }
  const ir::SiteId zero = parts_.sites.site(FailureKind::division_by_zero, location);
  ValueId rest =
      b_.subtract(offset ? moved(rank(location), peer.coordinates[0]) : peer.coordinates[0], b_.integer(1), overflow);
  for (std::uint32_t axis = static_cast<std::uint32_t>(axes_.size()); axis-- > 0;) {
    const ValueId from_zero = axis == 0 ? rest : b_.binary(BinaryOp::modulo, rest, extent(axis), zero);
    coordinates[axis] = b_.add(from_zero, b_.integer(1), overflow);
    if (axis > 0) rest = b_.binary(BinaryOp::floor_divide, rest, extent(axis), zero);
  }
  return coordinates;
}

// Which level the two ends share, and their ranks where the machine looks at them.
void ProcessLowering::set_places(ir::Message& message, const Item& machine, Location location) {
  const bool reads_ranks = b_.system()[message.ends].reads_ranks;
  message.within = parts_.levels.none();
  if (!grid_) {  // the ranks of an algorithm that is run by itself
    if (!reads_ranks) return;
    const ValueId one = b_.integer(1);
    const ir::SiteId overflow = parts_.sites.site(FailureKind::integer_overflow, location);
    const ValueId own = b_.subtract(rank(location), one, overflow);
    const ValueId other = b_.subtract(coordinates_of(message.peer, location)[0], one, overflow);
    const bool sends = message.side == ir::Message::Side::send;
    message.sender = sends ? own : other;
    message.receiver = sends ? other : own;
    return;
  }
  value::Point own = own_place();
  value::Point other{grid_->declaration, grid_->self, coordinates_of(message.peer, location)};
  message.within = parts_.levels.shared_by(own, other, machine, process_.frame, location);
  if (!reads_ranks) return;
  if (message.side == ir::Message::Side::receive) std::swap(own, other);
  message.sender = parts_.levels.rank(own, location);
  message.receiver = parts_.levels.rank(other, location);
}

// What the processes of the grid share, for resources and to see that one level lies within the next. Nobody looks at a
// single level on which nothing stands.
void ProcessLowering::add_levels() {
  if (!grid_) return;
  const auto& levels = std::get<item::Grid>(grid_->declaration->node).levels;
  const auto stands_on_level = [&](const ir::Statement& statement) {
    const auto* message = std::get_if<ir::Message>(&statement.node);
    if (!message) return false;
    const auto& resources = b_.system()[message->ends].resources;
    return std::any_of(resources.begin(), resources.end(),
                       [](const ir::Resource& one) { return one.level.has_value(); });
  };
  const bool is_asked =
      levels.size() > 1 || std::any_of(process_.blocks.begin(), process_.blocks.end(), [&](const ir::Block& block) {
        return std::any_of(block.begin(), block.end(), stands_on_level);
      });
  if (!is_asked) return;
  const value::Point own = own_place();
  for (const item::GridLevel& level : levels) {
    const ValueId group = parts_.levels.group(level, own, process_.frame, level.name.location);
    process_.levels.push_back(
        {{parts_.levels.number_of(level.name.text), level.name.text}, group, level.name.location});
  }
}

}  // namespace wave::frontend::lowering
