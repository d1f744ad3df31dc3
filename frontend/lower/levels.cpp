// Which levels two places share, by blocks of the grid or by values that are equal.
#include "frontend/lower/levels.h"

#include "frontend/check/members.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/processes.h"
#include "frontend/lower/recurrences.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::frontend::lowering {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ValueId;

namespace {

const item::Grid& grid_of(const value::Point& place) { return std::get<item::Grid>(place.grid->node); }

const item::GridLevel* find_level(const item::Grid& grid, const std::string& name) {
  const auto found = std::find_if(grid.levels.begin(), grid.levels.end(),
                                  [&](const item::GridLevel& level) { return level.name.text == name; });
  return found == grid.levels.end() ? nullptr : &*found;
}

[[noreturn]] void report_missing(Sites& sites, const Item& grid, const std::string& level, const std::string& message,
                                 Location location) {
  sites.abandon(DiagnosticKind::level_unknown, location, message, "asked here",
                fmt::format("say it where the grid is declared, as in `grid {}[...] levels {{ {}: rank div 24 }}`",
                            grid.name.text, level));
}

[[noreturn]] void report_order(Sites& sites, const Item& grid, const item::GridLevel& inner,
                               const item::GridLevel& outer, const Item& machine, Location location) {
  sites.abandon(DiagnosticKind::levels_not_nested, location,
                fmt::format("to the machine `{}` a `{}` lies within a `{}`, on the grid `{}` it is the other way round",
                            machine.name.text, inner.name.text, outer.name.text, grid.name.text),
                "asked here", "write the levels of both in the same order, the innermost first");
}

// Takes an index apart into another index and a constant number of steps from it.
std::pair<ValueId, std::int64_t> steps_from(const ir::Builder& b, ValueId index) {
  const auto* sum = std::get_if<ir::Binary>(&b.system()[index].node);
  const bool is_sum = sum && (sum->op == BinaryOp::add || sum->op == BinaryOp::subtract);
  const auto steps = is_sum ? b.as_constant(sum->right) : std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 32;
  if (!steps || steps->type != ir::ScalarType::integer || steps->integer > most || steps->integer < -most)
    return {index, 0};
  return {sum->left, sum->op == BinaryOp::add ? steps->integer : -steps->integer};
}

// Whether a value is the index of an axis from 1 to this extent. A loop's variable may lie outside.
bool is_index_of_axis(const ir::System& system, ValueId value, ValueId extent) {
  const auto* index = std::get_if<ir::Index>(&system[value].node);
  return index && std::any_of(system.spaces.begin(), system.spaces.end(), [&](const ir::Space& space) {
           return std::any_of(space.axes.begin(), space.axes.end(), [&](const ir::Axis& axis) {
             return axis.binder == index->binder && axis.wrap && axis.last == extent;
           });
         });
}

// Whether two indices differ by a fixed number of steps other than 0, whatever their values.
bool are_apart(const ir::Builder& b, ValueId one, ValueId other) {
  const auto [from_one, steps_of_one] = steps_from(b, one);
  const auto [from_other, steps_of_other] = steps_from(b, other);
  return from_one == from_other && steps_of_one != steps_of_other;
}

}  // namespace

std::int64_t Levels::number_of(const std::string& level) {
  if (level == "none") return 0;
  const std::int64_t number = numbers_.try_emplace(level, static_cast<std::int64_t>(numbers_.size() + 1)).first->second;
  if (number >= ir::MessageEnds::most_levels) {
    sites_.abandon(DiagnosticKind::structure_too_large, {}, "this program has too many levels",
                   fmt::format("more than {}", ir::MessageEnds::most_levels - 1));
  }
  return number;
}

ValueId Levels::none() { return b_.integer(0); }

ValueId Levels::word(const std::string& level) { return b_.integer(number_of(level)); }

const std::string& Levels::name(std::int64_t number) const {
  static const std::string none = "none";
  const auto found =
      std::find_if(numbers_.begin(), numbers_.end(), [&](const auto& one) { return one.second == number; });
  return found == numbers_.end() ? none : found->first;
}

ValueId Levels::lies_within(ValueId shared, const Item& machine, const std::string& level) {
  ValueId result = b_.boolean(false);
  for (const std::string& inner : check::levels_of(machine)) {
    result = b_.logical_or(result, b_.equal(shared, word(inner)));
    if (inner == level) return result;
  }
  return b_.boolean(false);
}

ValuePtr Levels::within(const std::string& level, const ValuePtr& a, const ValuePtr& b, ir::FrameId frame,
                        Location location) {
  const auto* first = as<value::Point>(a);
  const auto* second = as<value::Point>(b);
  if (!first || !second || first->grid != second->grid || first->self != second->self || !first->grid) {
    sites_.abandon(DiagnosticKind::not_expressible, location, "two places of one grid are needed here");
  }
  if (level == "none") return number(b_.boolean(true));
  const item::GridLevel* found = find_level(grid_of(*first), level);
  if (!found) {
    const std::string& name = first->grid->name.text;
    report_missing(sites_, *first->grid, level,
                   fmt::format("the grid `{}` does not say which processes share the level `{}`", name, level),
                   location);
  }
  return number(share(*found, *first, *second, frame, location));
}

ValueId Levels::shared_by(const value::Point& a, const value::Point& b, const Item& machine, ir::FrameId frame,
                          Location location) {
  const item::Grid& grid = grid_of(a);
  ValueId result = none();
  if (grid.levels.empty()) return result;
  const std::vector<std::string> levels = check::levels_of(machine);
  const item::GridLevel* outer = nullptr;
  for (auto name = levels.rbegin(); name != levels.rend(); ++name) {
    const item::GridLevel* level = find_level(grid, *name);
    if (!level) {
      report_missing(sites_, *a.grid, *name,
                     fmt::format("the machine `{}` asks for the level `{}`, which the grid `{}` does not have",
                                 machine.name.text, *name, a.grid->name.text),
                     location);
    }
    if (outer && level > outer) report_order(sites_, *a.grid, *level, *outer, machine, location);
    outer = level;
    result = b_.select(share(*level, a, b, frame, location), word(*name), result);
  }
  return result;
}

ValueId Levels::share(const item::GridLevel& level, const value::Point& a, const value::Point& b, ir::FrameId frame,
                      Location location) {
  if (!level.value) return share_block(level, a, b, location);
  return b_.equal(group(level, a, frame, location), group(level, b, frame, location));
}

ValueId Levels::share_block(const item::GridLevel& level, const value::Point& a, const value::Point& b,
                            Location location) {
  const item::Grid& grid = grid_of(a);
  const Scope scope = instances_.scope_of(*a.self);
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  // Axes along which the two places are a fixed number of steps apart come first: where blocks have one process along
  // such an axis, that alone decides it.
  ValueId decided = b_.boolean(true), others = b_.boolean(true);
  for (std::size_t axis = 0; axis < a.indices.size(); ++axis) {
    const Expr& extent = *level.blocks[axis];
    const ValueId block = expressions_.integer(extent, scope);
    if (a.indices[axis] == b.indices[axis]) {
      others = b_.logical_and(
          others, b_.check(b_.less_equal(b_.integer(1), block), b_.boolean(true), no_process(extent, grid.axes[axis])));
      continue;
    }
    const auto block_of = [&](const value::Point& place) {
      const ValueId from_zero = b_.subtract(on_grid(place, axis, location), b_.integer(1), overflow);
      return b_.binary(BinaryOp::floor_divide, from_zero, block, sites_.site(FailureKind::division_by_zero, location));
    };
    const ValueId is_same = b_.equal(block_of(a), block_of(b));
    if (grid.axes[axis].wrap || !are_apart(b_, a.indices[axis], b.indices[axis])) {
      others = b_.logical_and(others, is_same);
    } else {
      decided = b_.logical_and(decided, b_.logical_and(b_.binary(BinaryOp::not_equal, block, b_.integer(1)), is_same));
    }
  }
  return b_.logical_and(decided, others);
}

ValueId Levels::on_grid(const value::Point& place, std::size_t axis, Location location) {
  const ValueId index = place.indices[axis];
  if (!grid_of(place).axes[axis].wrap) return index;
  const ValueId extent = recurrences_.extents(value::Grid{place.grid, place.self})[axis];
  if (is_index_of_axis(b_.system(), index, extent)) return index;
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  const ValueId from_zero = b_.binary(BinaryOp::modulo, b_.subtract(index, b_.integer(1), overflow), extent, overflow);
  return b_.add(from_zero, b_.integer(1), overflow);
}

ValueId Levels::rank(const value::Point& place, Location location) {
  if (!place.grid) return place.indices.front();
  const auto extents = recurrences_.extents(value::Grid{place.grid, place.self});
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  const auto from_zero = [&](std::size_t axis) {
    return b_.subtract(on_grid(place, axis, location), b_.integer(1), overflow);
  };
  ValueId rank = from_zero(0);
  for (std::size_t axis = 1; axis < place.indices.size(); ++axis)
    rank = b_.add(b_.multiply(rank, extents[axis], overflow), from_zero(axis), overflow);
  return rank;
}

ValueId Levels::value_of(const item::GridLevel& level, const value::Point& place, ValueId rank, ir::FrameId frame,
                         Location location) {
  const item::Grid& grid = grid_of(place);
  Scope scope = instances_.scope_of(*place.self);
  scope.frame = frame;
  scope = bind_local(scope, "rank", number(rank));
  for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
    scope = bind_local(scope, grid.axes[axis].name.text, number(on_grid(place, axis, location)));
  return expressions_.integer(*level.value, scope);
}

ValueId Levels::group(const item::GridLevel& level, const value::Point& place, ir::FrameId frame, Location location) {
  if (level.value) return value_of(level, place, rank(place, location), frame, location);
  const item::Grid& grid = grid_of(place);
  Scope scope = instances_.scope_of(*place.self);
  scope.frame = frame;
  // Blocks are numbered in row-major order.
  const auto extents = recurrences_.extents(value::Grid{place.grid, place.self});
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  const ir::SiteId zero = sites_.site(FailureKind::division_by_zero, location);
  ValueId result = b_.integer(0);
  for (std::size_t axis = 0; axis < place.indices.size(); ++axis) {
    const Expr& extent = *level.blocks[axis];
    const ValueId written = expressions_.integer(extent, scope);
    const ValueId block = b_.check(b_.less_equal(b_.integer(1), written), written, no_process(extent, grid.axes[axis]));
    const auto block_of = [&](ValueId index) {
      return b_.binary(BinaryOp::floor_divide, b_.subtract(index, b_.integer(1), overflow), block, zero);
    };
    const ValueId blocks = b_.add(block_of(extents[axis]), b_.integer(1), overflow);
    result = b_.add(b_.multiply(result, blocks, overflow), block_of(on_grid(place, axis, location)), overflow);
  }
  return result;
}

namespace {

// `rank div k` or `rank mod k`, also as what a function of these two returns.
struct PartsOfRank {
  BinaryOp op;
  ValueId size;  // k
};

std::optional<PartsOfRank> parts_of_rank(const ir::System& system, ValueId value, ValueId rank) {
  const auto* call = std::get_if<ir::Call>(&system[value].node);
  const auto* parts = std::get_if<ir::Binary>(&system[call ? system[call->definition].body : value].node);
  if (!parts || (parts->op != BinaryOp::floor_divide && parts->op != BinaryOp::modulo)) return std::nullopt;
  const auto outside = [&](ValueId operand) -> std::optional<ValueId> {
    if (!call || std::holds_alternative<ir::Constant>(system[operand].node)) return operand;
    const auto* parameter = std::get_if<ir::Parameter>(&system[operand].node);
    if (!parameter || system[parameter->parameter].frame != call->frame) return std::nullopt;
    std::size_t position = 0;
    for (std::uint32_t before = 0; before < parameter->parameter.index; ++before)
      position += system.parameters[before].frame == call->frame;
    return call->arguments[position];
  };
  const auto whole = outside(parts->left), size = outside(parts->right);
  return whole == rank && size ? std::optional(PartsOfRank{parts->op, *size}) : std::nullopt;
}

}  // namespace

std::shared_ptr<const Strides> Levels::group_of(const value::Point& place, const Identifier& name, bool is_within,
                                                ir::FrameId frame, Location location) {
  const item::Grid& grid = grid_of(place);
  const item::GridLevel* level = find_level(grid, name.text);
  if (!level) {
    report_missing(sites_, *place.grid, name.text,
                   fmt::format("the grid `{}` does not say which processes share the level `{}`", place.grid->name.text,
                               name.text),
                   name.location);
  }
  const ValueId own_rank = rank(place, location);
  std::optional<PartsOfRank> of_rank;
  if (level->value) {
    of_rank = parts_of_rank(b_.system(), value_of(*level, place, own_rank, frame, location), own_rank);
    const bool is_known = of_rank && !parts_.facts.of(of_rank->size).depends_on_loop();
    if (!is_known) {
      sites_.abandon(DiagnosticKind::not_expressible, location,
                     fmt::format("the members of a `{}` cannot be counted", name.text), "a collective among them",
                     "groups have collectives where the level is `blocks (...)`, `rank div k` or `rank mod k`");
    }
  }
  const ir::SiteId overflow = sites_.site(FailureKind::integer_overflow, location);
  const ir::SiteId zero = sites_.site(FailureKind::division_by_zero, location);
  const ValueId one = b_.integer(1);
  Scope scope = instances_.scope_of(*place.self);
  scope.frame = frame;
  // `size` neighbours stand together, or (`in_turn`) every size-th.
  const auto stride = [&](ValueId own, ValueId extent, ValueId size, bool together) {
    const ValueId offset = b_.binary(BinaryOp::modulo, own, size, zero);
    if (!together) {
      const ValueId rest = b_.subtract(b_.subtract(extent, offset, overflow), one, overflow);
      const ValueId others = b_.binary(BinaryOp::floor_divide, rest, size, zero);
      return Strides::Stride{offset, size, b_.add(others, one, overflow)};
    }
    const ValueId first = b_.subtract(own, offset, overflow);
    return Strides::Stride{first, one, b_.minimum({size, b_.subtract(extent, first, overflow)})};
  };
  const auto checked = [&](ValueId size, const Expr& written, const item::GridAxis& axis) {
    return b_.check(b_.less_equal(one, size), size, no_process(written, axis));
  };
  Strides strides;
  const auto extents = recurrences_.extents(value::Grid{place.grid, place.self});
  std::vector<ValueId> own;
  if (level->value) {
    strides.by_rank = true;
    ValueId all = extents[0];
    for (std::size_t axis = 1; axis < extents.size(); ++axis) all = b_.multiply(all, extents[axis], overflow);
    own.push_back(own_rank);
    const ValueId size = checked(of_rank->size, *level->value, grid.axes[0]);
    strides.axes.push_back(stride(own[0], all, size, is_within == (of_rank->op == BinaryOp::floor_divide)));
  } else {
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      own.push_back(b_.subtract(place.indices[axis], one, overflow));
      const Expr& written = *level->blocks[axis];
      const ValueId size = checked(expressions_.integer(written, scope), written, grid.axes[axis]);
      strides.axes.push_back(stride(own[axis], extents[axis], size, is_within));
    }
  }
  ValueId number = b_.integer(0);
  strides.participants = one;
  for (std::size_t axis = 0; axis < strides.axes.size(); ++axis) {
    const auto& [first, step, count] = strides.axes[axis];
    const ValueId along = b_.binary(BinaryOp::floor_divide, b_.subtract(own[axis], first, overflow), step, zero);
    number = b_.add(b_.multiply(number, count, overflow), along, overflow);
    strides.participants = b_.multiply(strides.participants, count, overflow);
  }
  strides.rank = b_.add(number, one, overflow);
  return std::make_shared<const Strides>(std::move(strides));
}

ir::SiteId Levels::no_process(const Expr& extent, const item::GridAxis& axis) {
  return sites_.requirement(extent.location, fmt::format("a block has no process along `{}`", axis.name.text),
                            "give every block at least 1 process along each axis");
}

}  // namespace wave::frontend::lowering
