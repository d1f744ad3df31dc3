// Takes the bounds of an event apart: which go back one place along an axis, and where paths begin.
#include "backend/closed_form/paths.h"

#include "backend/closed_form/combination.h"

#include <algorithm>
#include <map>

namespace wave::backend::closed_form {

namespace {

using Offset = std::vector<std::int32_t>;

// The axis that a step goes along; nothing where it moves along several, or by more than one place.
std::optional<std::size_t> axis_of(const Offset& offset) {
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < offset.size(); ++i) {
    if (offset[i] == 0) continue;
    if (axis || std::abs(offset[i]) != 1) return std::nullopt;
    axis = i;
  }
  return axis;
}

class PathFinder {
 public:
  PathFinder(const Problem& problem, const Form& form) : problem_(problem), form_(form) {}

  std::optional<Paths> find() {
    paths_.quantum = problem_.quantum;
    paths_.negated = form_.negated;
    if (!set_axes()) return std::nullopt;
    CellFunctions functions(problem_, paths_.axes);
    // Guards are evaluated in every cell, whether the source is there or not.
    for (const Bound& bound : form_.bounds) {
      if (bound.guard.valid() && !functions.holds_everywhere(bound.guard, paths_.box()).has_value())
        return std::nullopt;
    }
    for (const auto& [axis, bounds] : by_axis_) {
      if (!add_step(functions, axis, bounds)) return std::nullopt;
    }
    if (!add_start(functions)) return std::nullopt;
    return std::move(paths_);
  }

 private:
  using Bounds = std::vector<const Bound*>;

  // As all that begin with a verb here: false where the group is of another form.
  bool set_axes() {
    const ir::Space& space = problem_.system[problem_.group.space];
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      paths_.axes.push_back(
          {space.axes[axis].binder, problem_.first[axis], 1, problem_.last[axis] - problem_.first[axis] + 1, false});
    }
    for (const Bound& bound : form_.bounds) {
      if (!bound.has_source) {
        constants_.push_back(&bound);
        continue;
      }
      const auto is_there = has_source(space, bound.offset);
      if (!is_there) return false;
      if (!*is_there) continue;
      const auto axis = axis_of(bound.offset);
      if (!axis || !set_direction(*axis, bound.offset[*axis])) return false;
      by_axis_[*axis].push_back(&bound);
    }
    return true;
  }

  // False where no cell has a place to go back to; nothing where there are places around an axis.
  std::optional<bool> has_source(const ir::Space& space, const Offset& offset) const {
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (offset[axis] != 0 && space.axes[axis].wrap) return std::nullopt;
      if (std::abs(std::int64_t{offset[axis]}) >= paths_.axes[axis].extent) return false;
    }
    return true;
  }

  bool set_direction(std::size_t number, std::int32_t offset) {
    CellAxis& axis = paths_.axes[number];
    const std::int64_t direction = offset < 0 ? 1 : -1;
    if (axis.moves && axis.direction != direction) return false;
    axis.moves = true;
    axis.direction = direction;
    axis.origin = direction > 0 ? problem_.first[number] : problem_.last[number];
    return true;
  }

  bool add_step(CellFunctions& functions, std::size_t axis, const Bounds& bounds) {
    Box domain = paths_.box();
    domain.first[axis] = 1;
    auto weight = greatest(functions, bounds, domain);
    if (!weight) return false;
    paths_.steps.push_back({axis, *std::move(weight)});
    return true;
  }

  // One of the bounds at least holds everywhere.
  static std::optional<CellFunction> greatest(CellFunctions& functions, const Bounds& bounds, const Box& domain) {
    const Bound& only = *bounds.front();
    if (bounds.size() == 1) {
      const auto is_always = only.guard.valid() ? functions.holds_everywhere(only.guard, domain) : std::optional(true);
      if (!is_always) return std::nullopt;
      if (*is_always) return functions.sum(only.summands, domain);
    }
    CellFunction result = functions.zero(domain);
    result.table = table(functions, bounds, domain);
    return result.table && !has_absent(*result.table) ? std::optional(std::move(result)) : std::nullopt;
  }

  static std::optional<ClassTable> table(CellFunctions& functions, const Bounds& bounds, const Box& domain) {
    std::vector<CellFunctions::Guarded> guarded;
    for (const Bound* bound : bounds) guarded.push_back({bound->guard, bound->summands});
    return functions.greatest(guarded, domain);
  }

  static bool has_absent(const ClassTable& table) {
    return std::find(table.values.begin(), table.values.end(), absent) != table.values.end();
  }

  Box corner() const {
    Box result = paths_.box();
    for (std::size_t axis = 0; axis < paths_.axes.size(); ++axis) {
      if (paths_.axes[axis].moves) result.last[axis] = 0;
    }
    return result;
  }

  // Where nothing moves back: a constant, or what holds otherwise.
  bool add_start(CellFunctions& functions) {
    if (constants_.empty()) return form_.has_otherwise && add_otherwise(functions);
    const bool is_guarded =
        std::any_of(constants_.begin(), constants_.end(), [](const Bound* bound) { return bound->guard.valid(); });
    return is_guarded ? add_guarded_start(functions) : add_start_everywhere(functions);
  }

  bool add_otherwise(CellFunctions& functions) {
    auto start = functions.sum(form_.otherwise, corner());
    if (start) paths_.start = *std::move(start);
    return start.has_value();
  }

  // Constants that hold at corners alone.
  bool add_guarded_start(CellFunctions& functions) {
    const auto everywhere = table(functions, constants_, paths_.box());
    if (!everywhere || !is_at_corner(*everywhere)) return false;
    paths_.start = functions.zero(corner());
    auto start = table(functions, constants_, corner());
    if (!start) return false;
    const bool is_absent =
        std::all_of(start->values.begin(), start->values.end(), [](std::int64_t x) { return x == absent; });
    if (is_absent && form_.has_otherwise) return add_otherwise(functions);
    if (has_absent(*start)) return false;
    paths_.start.table = std::move(start);
    return true;
  }

  bool is_at_corner(const ClassTable& table) const {
    // Per axis and class: is there a place of it other than 0, where the axis moves?
    std::vector<std::vector<bool>> leaves(paths_.axes.size());
    for (std::size_t axis = 0; axis < paths_.axes.size(); ++axis) {
      leaves[axis].assign(static_cast<std::size_t>(table.counts[axis]), false);
      for (const Piece& piece : table.classes[axis].pieces()) {
        for (std::int64_t i = 0; i < piece.period(); ++i) {
          const bool repeats = piece.first + i + piece.period() <= piece.last;
          const bool is_other = piece.first + i > 0 || repeats;
          if (is_other && paths_.axes[axis].moves)
            leaves[axis][static_cast<std::size_t>(piece.values[static_cast<std::size_t>(i)])] = true;
        }
      }
    }
    for (std::size_t cell = 0; cell < table.values.size(); ++cell) {
      if (table.values[cell] == absent) continue;
      std::size_t rest = cell;
      for (std::size_t axis = paths_.axes.size(); axis-- > 0;) {
        const auto count = static_cast<std::size_t>(table.counts[axis]);
        if (leaves[axis][rest % count]) return false;
        rest /= count;
      }
    }
    return true;
  }

  // Constants at every place: beginning later must not be better than coming from the corner, by induction from the
  // place before along the first axis that has one.
  bool add_start_everywhere(CellFunctions& functions) {
    auto everywhere = greatest(functions, constants_, paths_.box());
    if (!everywhere) return false;
    Box domain = paths_.box();
    for (const Step& step : paths_.steps) {
      domain.first[step.axis] = 1;
      Places back(paths_.axes.size(), 0);
      Combination gain(domain);
      gain.add(*everywhere, 1, back);
      gain.add(step.weight, -1, back);
      back[step.axis] = 1;
      gain.add(*everywhere, -1, back);
      const auto range = gain.range();
      if (!range || range->high > 0) return false;
      domain.first[step.axis] = domain.last[step.axis] = 0;
    }
    paths_.start = *std::move(everywhere);
    return true;
  }

  const Problem& problem_;
  const Form& form_;
  Paths paths_;
  std::map<std::size_t, Bounds> by_axis_;
  Bounds constants_;
};

}  // namespace

Box Paths::box() const {
  Box result;
  for (const CellAxis& axis : axes) {
    result.first.push_back(0);
    result.last.push_back(axis.extent - 1);
  }
  return result;
}

const CellFunction* Paths::along(std::size_t axis) const {
  for (const Step& step : steps) {
    if (step.axis == axis) return &step.weight;
  }
  return nullptr;
}

std::optional<Paths> find_paths(const Problem& problem, const Form& form) { return PathFinder(problem, form).find(); }

double PathSolution::at(std::span<const std::int64_t> indices) const {
  Places places;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    places.push_back((indices[axis] - paths_->axes[axis].origin) * paths_->axes[axis].direction);
  }
  return paths_->time(quanta(places));
}

}  // namespace wave::backend::closed_form
