// Evaluates slice by slice, in quanta. It stops when every cell has its value of one period before plus a rate of its
// own, and the rates prove that this continues (docs/shortcuts.md, "Steady growth").
#include "backend/closed_form/growth.h"

#include "backend/closed_form/thresholds.h"

#include <algorithm>
#include <numeric>

namespace wave::backend::closed_form {

namespace {

// What a cell may come from.
struct Operand {
  bool has_source = false;
  Places offset;        // in places; along the long axis at most 0
  CellFunction weight;  // where the source is there
};

class Slices {
 public:
  Slices(double quantum, bool negated) : quantum_(quantum), negated_(negated) {}

  // False where the proof does not cover the problem.
  [[nodiscard]] bool prepare(const Problem& problem, const Form& form) {
    if (!set_axes(problem, form)) return false;
    CellFunctions functions(problem, axes_);
    for (const Bound& bound : form.bounds) {
      // Guards are evaluated in every cell, whether the source is there or not.
      if (bound.guard.valid() && !functions.holds_everywhere(bound.guard, box_).has_value()) return false;
      if (!add_operand(functions, bound)) return false;
    }
    if (form.has_otherwise) {
      otherwise_ = functions.sum(form.otherwise, box_);
      if (!otherwise_) return false;
    }
    return find_period();
  }

  // True where a certificate was found.
  bool evaluate(const Problem& problem) {
    const double per_slice = static_cast<double>(cells_ * operands_.size());
    const double most = std::min({problem.most_cells / per_slice, static_cast<double>(axes_[long_].extent - 1),
                                  static_cast<double>(most_values) / static_cast<double>(cells_)});
    const std::int64_t of_costs = period_;
    for (std::int64_t count = settled_ + 2 * (std::max(of_costs, history_) + of_costs);
         static_cast<double>(count) <= most; count += count / 2) {
      while (slices() < count) {
        if (problem.surroundings.look_at_clock) problem.surroundings.look_at_clock();
        if (!add_slice()) return false;
      }
      // The best cycle of cells may take several periods of the costs.
      for (std::int64_t times = 1; times <= most_periods_of_growth; ++times) {
        period_ = times * of_costs;
        const std::int64_t window = std::max(period_, history_);
        if (settled_ + 2 * (window + period_) <= count && repeats(window) && goes_on()) return true;
      }
    }
    return false;
  }

  double at(std::span<const std::int64_t> indices) const {
    Places places;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      places.push_back((indices[axis] - axes_[axis].origin) * axes_[axis].direction);
    }
    const std::size_t cell = cell_of(places);
    const std::int64_t slice = places[long_];
    if (slice < slices()) return time(value(slice, cell));
    const std::int64_t rounds = (slice - slices()) / period_ + 1;
    return time(Wide{value(slice - rounds * period_, cell)} + Wide{rounds} * rate(cell));
  }

 private:
  double time(Wide quanta) const { return static_cast<double>(negated_ ? -quanta : quanta) * quantum_; }

  bool set_axes(const Problem& problem, const Form& form) {
    const ir::Space& space = problem.system[problem.group.space];
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      axes_.push_back(
          {space.axes[axis].binder, problem.first[axis], 1, problem.last[axis] - problem.first[axis] + 1, false});
      wrap_.push_back(space.axes[axis].wrap);
      if (axes_[axis].extent > axes_[long_].extent) long_ = axis;
    }
    if (wrap_[long_]) return false;
    double cells = 1;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      if (axis != long_) cells *= static_cast<double>(axes_[axis].extent);
    }
    if (cells > static_cast<double>(most_cells_of_slice)) return false;
    cells_ = static_cast<std::size_t>(cells);
    for (const Bound& bound : form.bounds) {
      if (bound.has_source && !set_direction(problem, long_, bound.offset[long_])) return false;
    }
    // Within a slice, cells are evaluated along the axes.
    for (const Bound& bound : form.bounds) {
      if (!bound.has_source || bound.offset[long_] != 0) continue;
      for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
        if (bound.offset[axis] != 0 && wrap_[axis]) return false;
        if (!set_direction(problem, axis, bound.offset[axis])) return false;
      }
    }
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      box_.first.push_back(0);
      box_.last.push_back(axes_[axis].extent - 1);
    }
    return true;
  }

  bool set_direction(const Problem& problem, std::size_t number, std::int32_t offset) {
    CellAxis& axis = axes_[number];
    if (offset == 0) return true;
    const std::int64_t direction = offset < 0 ? 1 : -1;
    if (axis.moves && axis.direction != direction) return false;
    axis.moves = true;
    axis.direction = direction;
    axis.origin = direction > 0 ? problem.first[number] : problem.last[number];
    return true;
  }

  bool add_operand(CellFunctions& functions, const Bound& bound) {
    Operand operand{bound.has_source, Places(axes_.size(), 0), {}};
    Box domain = box_;
    for (std::size_t axis = 0; bound.has_source && axis < axes_.size(); ++axis) {
      operand.offset[axis] = bound.offset[axis] * axes_[axis].direction;
      if (wrap_[axis]) continue;
      if (std::abs(operand.offset[axis]) >= axes_[axis].extent) return true;  // its source is nowhere
      domain.first[axis] = std::max<std::int64_t>(0, -operand.offset[axis]);
      domain.last[axis] -= std::max<std::int64_t>(0, operand.offset[axis]);
    }
    const bool moves = std::any_of(operand.offset.begin(), operand.offset.end(), [](std::int64_t o) { return o != 0; });
    if (bound.has_source && !moves) return false;
    history_ = std::max(history_, -operand.offset[long_]);
    if (bound.guard.valid()) {
      operand.weight = functions.zero(domain);
      operand.weight.table = functions.greatest({{bound.guard, bound.summands}}, domain);
      if (!operand.weight.table) return false;
    } else {
      auto weight = functions.sum(bound.summands, domain);
      if (!weight) return false;
      operand.weight = *std::move(weight);
    }
    operands_.push_back(std::move(operand));
    return true;
  }

  // All costs repeat with it from `settled_` on, to the end.
  bool find_period() {
    const auto include = [&](const IndexFunction& function) {
      const Piece& piece = function.pieces().back();
      if (piece.increment != 0 && piece.length() > piece.period()) return false;
      settled_ = std::max(settled_, piece.first);
      period_ = std::lcm(period_, piece.period());
      return period_ <= most_values / static_cast<std::int64_t>(cells_);
    };
    const auto include_weight = [&](const CellFunction& weight) {
      return include(weight.parts[long_]) && (!weight.table || include(weight.table->classes[long_]));
    };
    for (const Operand& operand : operands_) {
      if (!include_weight(operand.weight)) return false;
    }
    return !otherwise_ || include_weight(*otherwise_);
  }

  std::int64_t slices() const { return static_cast<std::int64_t>(values_.size() / cells_); }
  std::int64_t value(std::int64_t slice, std::size_t cell) const {
    return values_[static_cast<std::size_t>(slice) * cells_ + cell];
  }
  std::int64_t rate(std::size_t cell) const { return value(slices() - 1, cell) - value(slices() - 1 - period_, cell); }

  // Of a slice; the last axis is contiguous.
  std::size_t cell_of(const Places& places) const {
    std::size_t cell = 0;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      if (axis != long_)
        cell = cell * static_cast<std::size_t>(axes_[axis].extent) + static_cast<std::size_t>(places[axis]);
    }
    return cell;
  }

  template <class Visit>
  void for_each_cell(std::int64_t slice, Visit visit) {
    Places places(axes_.size(), 0);
    places[long_] = slice;
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      visit(cell, places);
      std::size_t axis = axes_.size();
      while (axis-- > 0) {
        if (axis == long_) continue;
        if (++places[axis] < axes_[axis].extent) break;
        places[axis] = 0;
      }
    }
  }

  // Calls visit(bound, slice and cell of the source or -1) for every operand that is there.
  template <class Visit>
  void for_each_operand(const Places& places, Visit visit) {
    Places source = places;
    for (const Operand& operand : operands_) {
      bool is_there = true;
      for (std::size_t axis = 0; axis < axes_.size() && is_there; ++axis) {
        source[axis] = places[axis] + operand.offset[axis];
        const std::int64_t extent = axes_[axis].extent;
        if (wrap_[axis]) source[axis] = (source[axis] % extent + extent) % extent;
        is_there = source[axis] >= 0 && source[axis] < extent;
      }
      if (!is_there) continue;
      std::int64_t weight = 0;
      if (operand.weight.table) {
        weight = operand.weight.table->at(places);
        if (weight == absent) continue;
      }
      for (std::size_t axis = 0; axis < axes_.size(); ++axis) weight += operand.weight.parts[axis].at(places[axis]);
      if (!operand.has_source) {
        visit(weight, std::optional<std::size_t>());
      } else {
        const std::size_t cell = cell_of(source);
        visit(value(source[long_], cell) + weight, std::optional(cell));
      }
    }
  }

  // False where a cell has no operand, and nothing that holds otherwise.
  bool add_slice() {
    const std::int64_t slice = slices();
    values_.resize(values_.size() + cells_);
    bool has_values = true;
    for_each_cell(slice, [&](std::size_t cell, const Places& places) {
      if (!has_values) return;
      std::int64_t greatest = absent;
      for_each_operand(places,
                       [&](std::int64_t bound, std::optional<std::size_t>) { greatest = std::max(greatest, bound); });
      if (greatest == absent) {
        has_values = otherwise_.has_value();
        if (!has_values) return;
        greatest = otherwise_->at(places);
      }
      values_[static_cast<std::size_t>(slice) * cells_ + cell] = greatest;
    });
    return has_values;
  }

  // In the last `window` slices every cell has grown by its rate since one period before.
  bool repeats(std::int64_t window) const {
    for (std::int64_t slice = slices() - window; slice < slices(); ++slice) {
      for (std::size_t cell = 0; cell < cells_; ++cell) {
        if (value(slice, cell) - value(slice - period_, cell) != rate(cell)) return false;
      }
    }
    return true;
  }

  // In the last period no operand grows faster than its cell, and one that grows as fast has the cell's value.
  bool goes_on() {
    bool result = true;
    for (std::int64_t slice = slices() - period_; slice < slices() && result; ++slice) {
      for_each_cell(slice, [&](std::size_t cell, const Places& places) {
        bool is_kept = false, is_absent = true;
        for_each_operand(places, [&](std::int64_t bound, std::optional<std::size_t> source) {
          const std::int64_t speed = source ? rate(*source) : 0;
          is_absent = false;
          result = result && speed <= rate(cell);
          is_kept = is_kept || (speed == rate(cell) && bound == value(slice, cell));
        });
        if (is_absent) is_kept = rate(cell) == 0;
        result = result && is_kept;
      });
    }
    return result;
  }

  double quantum_;
  bool negated_;
  std::vector<CellAxis> axes_;
  std::vector<bool> wrap_;
  Box box_;
  std::size_t long_ = 0;
  std::size_t cells_ = 1;  // of a slice
  std::vector<Operand> operands_;
  std::optional<CellFunction> otherwise_;
  std::int64_t history_ = 1;  // slices that an operand may look back
  std::int64_t settled_ = 0, period_ = 1;
  std::vector<std::int64_t> values_;  // slice by slice
};

class ByGrowth final : public Solution {
 public:
  explicit ByGrowth(std::unique_ptr<Slices> slices) : Solution("steady growth"), slices_(std::move(slices)) {}
  double at(std::span<const std::int64_t> indices) const override { return slices_->at(indices); }
  double seconds_per_read() const override { return least_seconds_per_read; }

 private:
  std::unique_ptr<Slices> slices_;
};

}  // namespace

std::unique_ptr<Solution> solve_by_growth(const Problem& problem, const Form& form) {
  double cells = 1, longest = 1;
  for (std::size_t axis = 0; axis < problem.first.size(); ++axis) {
    const double extent = static_cast<double>(problem.last[axis] - problem.first[axis]) + 1;
    cells *= extent;
    longest = std::max(longest, extent);
  }
  if (problem.most_cells < fewest_slices * (cells / longest)) return nullptr;
  auto slices = std::make_unique<Slices>(problem.quantum, form.negated);
  if (!slices->prepare(problem, form) || !slices->evaluate(problem)) return nullptr;
  return std::make_unique<ByGrowth>(std::move(slices));
}

}  // namespace wave::backend::closed_form
