// The bound of a group: what a path can start with, plus the number of levels it can pass times what it can gain
// on one level. docs/exact-time.md has the argument.
#include "ir/exact.h"

#include "ir/arithmetic.h"
#include "ir/dependences.h"
#include "ir/effects.h"
#include "ir/interval.h"
#include "ir/operations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::ir {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Extents = std::vector<std::int64_t>;

double cells(const Extents& extents) {
  double result = 1;
  for (const std::int64_t extent : extents) result *= static_cast<double>(extent);
  return result;
}

// The number of levels of theta . p on these extents, counted in steps of the least rise. Nothing if it does not rise
// along every offset, or moves along an axis that wraps.
std::optional<double> levels(const Space& space, const Extents& extents,
                             const std::vector<std::vector<std::int32_t>>& offsets,
                             const std::vector<std::int32_t>& theta) {
  double range = 0;
  for (std::size_t axis = 0; axis < theta.size(); ++axis) {
    if (space.axes[axis].wrap && theta[axis] != 0) return std::nullopt;
    range += std::abs(theta[axis]) * static_cast<double>(extents[axis] - 1);
  }
  double least_rise = infinity;
  for (const auto& offset : offsets) {
    double rise = 0;
    for (std::size_t axis = 0; axis < theta.size(); ++axis) rise -= double{1} * theta[axis] * offset[axis];
    least_rise = std::min(least_rise, rise);
  }
  if (least_rise <= 0) return std::nullopt;
  return std::floor(range / least_rise) + 1;
}

// A dependence along one axis decides the sign of theta there. Most recurrences have one along each, and three axes
// then leave 216 of 2197 to look at.
void narrow(const std::vector<std::int32_t>& offset, std::vector<std::int32_t>& least,
            std::vector<std::int32_t>& most) {
  std::optional<std::size_t> only;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    if (offset[axis] == 0) continue;
    if (only) return;
    only = axis;
  }
  if (!only) return;
  if (offset[*only] < 0)
    least[*only] = std::max(least[*only], 1);
  else
    most[*only] = std::min(most[*only], -1);
}

// The most points that a path of dependences can pass: the best over small hyperplanes, and at most all cells.
double longest_path(const Space& space, const Extents& extents, const std::vector<std::vector<std::int32_t>>& offsets) {
  if (offsets.empty()) return 1;
  double best = cells(extents);
  const std::size_t axes = extents.size();
  const std::int32_t largest = axes <= 3 ? 6 : axes == 4 ? 3 : axes <= 6 ? 1 : 0;
  std::vector<std::int32_t> least(axes, -largest), most(axes, largest);
  for (const auto& offset : offsets) narrow(offset, least, most);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (least[axis] > most[axis]) return best;
  }
  std::vector<std::int32_t> theta = least;
  for (bool more = true; more;) {
    if (const auto found = levels(space, extents, offsets, theta)) best = std::min(best, *found);
    std::size_t axis = axes;
    while (axis > 0 && theta[axis - 1] == most[axis - 1]) --axis, theta[axis] = least[axis];
    more = axis > 0;
    if (more) ++theta[axis - 1];
  }
  return best;
}

// What a cell adds to a neighbour's value on a path through it.
struct Gain {
  double weight = 0;  // the sum of |weights|
  double summands = 0;
  double inherited = 0;  // the error of a source in another group
};

Gain larger(Gain a, Gain b) {
  return {std::max(a.weight, b.weight), std::max(a.summands, b.summands), std::max(a.inherited, b.inherited)};
}

// A general body whose value is `neighbours` values of the group (at most one, or it may double in every cell) plus
// weights. Nothing if the body has another form.
struct Shape {
  int neighbours = 0;
  Gain gain;
};

class Bounds {
 public:
  Bounds(const System& system, const EventGroup& group, const Extents& first, const Extents& last,
         const DefinitionValue& value_of, const ParameterValue& parameter_of, const HoistedValue& hoisted_of,
         std::size_t nesting)
      : system_(system),
        group_(group),
        value_of_(value_of),
        parameter_of_(parameter_of),
        hoisted_of_(hoisted_of),
        nesting_(nesting),
        intervals_(system, {value_of, parameter_of, [this](EventId event) { return event_interval(event); }}) {
    const Space& space = system[group.space];
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
      extents_.push_back(last[axis] - first[axis] + 1);
      intervals_.bind(space.axes[axis].binder, {static_cast<double>(first[axis]), static_cast<double>(last[axis])});
    }
  }

  Exactness compute() {
    if (group_.reads_itself) return {};
    Gain start, level;
    std::vector<std::vector<std::int32_t>> offsets;
    for (const EventId id : group_.events) {
      const Event& event = system_[id];
      if (event.type != ScalarType::real) continue;
      if (!event.exact) return {};
      Gain step;
      if (!(event.general() ? add_body(event, start, step) : add_constraints(id, start, step))) return {};
      level = {level.weight + step.weight, level.summands + step.summands, 0};
    }
    for (const EventId id : group_.events) {
      for (const Dependence& dependence : dependences(system_, id)) {
        const bool moves =
            std::any_of(dependence.offset.begin(), dependence.offset.end(), [](auto d) { return d != 0; });
        if (moves && is_own(dependence.source)) offsets.push_back(dependence.offset);
      }
    }
    const double steps = longest_path(system_[group_.space], extents_, offsets);
    return finish(start.weight + steps * level.weight, start.summands + steps * level.summands, start.inherited);
  }

 private:
  bool is_own(EventId event) const {
    return std::find(group_.events.begin(), group_.events.end(), event) != group_.events.end();
  }

  // `may_be_hoisted`: unless it comes after a weight that may be absent.
  Gain sum(const std::vector<ValueId>& weights, bool may_be_hoisted) {
    Gain gain;
    for (const ValueId weight : weights) {
      may_be_hoisted = may_be_hoisted && hoisted_of_ && !may_be_absent(system_, weight);
      const auto known = may_be_hoisted ? hoisted_of_(weight) : std::nullopt;
      const double magnitude = known ? std::fabs(*known) : intervals_.evaluate(weight).magnitude();
      gain = {gain.weight + magnitude, gain.summands + 1, 0};
    }
    return gain;
  }

  // No cell has a neighbour at this offset.
  bool is_never_there(const std::vector<std::int32_t>& offset) const {
    const Space& space = system_[group_.space];
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (!space.axes[axis].wrap && std::abs(std::int64_t{offset[axis]}) >= extents_[axis]) return true;
    }
    return false;
  }

  // It is a constant that every cell has.
  bool is_always_there(const Constraint& constraint) const {
    return !constraint.source.valid() && !constraint.guard.valid() &&
           std::none_of(constraint.weights.begin(), constraint.weights.end(),
                        [&](ValueId w) { return may_be_absent(system_, w); });
  }

  bool add_constraints(EventId id, Gain& start, Gain& step) {
    const Event& event = system_[id];
    bool needs_else = true, first_cell_needs_else = true;
    for (const Constraint& constraint : event.constraints) {
      first_cell_needs_else = first_cell_needs_else && constraint.source == id;
      if (constraint.source.valid() && is_never_there(constraint.offset)) continue;
      needs_else = needs_else && !is_always_there(constraint);
      Gain gain = sum(constraint.weights, !constraint.guard.valid());
      if (constraint.source.valid() && is_own(constraint.source)) {
        step = larger(step, gain);
        continue;
      }
      if (constraint.source.valid()) {
        gain = {gain.weight + event_interval(constraint.source).magnitude(), gain.summands + 1,
                errors_[constraint.source]};
      }
      start = larger(start, gain);
    }
    if (needs_else) start = larger(start, sum(event.otherwise, first_cell_needs_else));
    return std::isfinite(start.weight) && std::isfinite(step.weight);
  }

  bool add_body(const Event& event, Gain& start, Gain& step) {
    const auto body = shape(event.body, 0);
    if (!body || body->neighbours > 1) return false;
    start = larger(start, body->gain);
    step = larger(step, body->gain);
    for (const ValueId value : event.otherwise) {
      const auto otherwise = shape(value, 0);
      if (!otherwise || otherwise->neighbours > 0) return false;
      start = larger(start, otherwise->gain);
    }
    return std::isfinite(start.weight) && std::isfinite(step.weight);
  }

  std::optional<Shape> shape(ValueId value, std::size_t depth) {
    constexpr std::size_t most_depth = 1000;
    if (depth > most_depth) return std::nullopt;
    if (const auto known = shapes_.find(value); known != shapes_.end()) return known->second;
    return shapes_[value] = shape_of(value, depth);
  }

  std::optional<Shape> shape_of(ValueId value, std::size_t depth) {
    const Node& node = system_[value].node;
    if (const auto* n = std::get_if<Neighbour>(&node)) {
      return is_own(n->event) ? std::optional(Shape{1, {}}) : std::nullopt;
    }
    if (const auto* n = std::get_if<Constant>(&node)) {
      return n->value.type == ScalarType::real && n->value.real == 0 ? std::optional(Shape{}) : std::nullopt;
    }
    if (const auto* n = std::get_if<Unary>(&node)) {
      if (n->op == UnaryOp::quantize) return Shape{0, {intervals_.evaluate(n->operand).magnitude(), 1, 0}};
      return n->op == UnaryOp::negate || n->op == UnaryOp::absolute ? shape(n->operand, depth + 1) : std::nullopt;
    }
    if (const auto* n = std::get_if<Binary>(&node)) {
      if (n->op != BinaryOp::add && n->op != BinaryOp::subtract) return std::nullopt;
      const auto a = shape(n->left, depth + 1), b = shape(n->right, depth + 1);
      if (!a || !b) return std::nullopt;
      return Shape{std::min(2, a->neighbours + b->neighbours),
                   {a->gain.weight + b->gain.weight, a->gain.summands + b->gain.summands, 0}};
    }
    if (const auto* n = std::get_if<Maximum>(&node)) return either(n->operands, depth);
    if (const auto* n = std::get_if<Minimum>(&node)) return either(n->operands, depth);
    if (const auto* n = std::get_if<Select>(&node)) {
      return n->is_shortcut ? shape(n->if_false, depth + 1) : either({n->if_true, n->if_false}, depth);
    }
    if (const auto* n = std::get_if<Check>(&node)) return shape(n->value, depth + 1);
    if (std::holds_alternative<Fail>(node)) return Shape{};
    return std::nullopt;
  }

  std::optional<Shape> either(const std::vector<ValueId>& values, std::size_t depth) {
    Shape result;
    for (const ValueId value : values) {
      const auto one = shape(value, depth + 1);
      if (!one) return std::nullopt;
      result = {std::max(result.neighbours, one->neighbours), larger(result.gain, one->gain)};
    }
    return result;
  }

  // The bound of the values of an event of another group, by that group's own bound.
  Interval event_interval(EventId id) {
    constexpr std::size_t most_nesting = 64;
    if (is_own(id) || nesting_ >= most_nesting) return {};
    if (const auto known = others_.find(id); known != others_.end()) return known->second;
    Interval result;
    for (const EventGroup& group : groups()) {
      if (std::find(group.events.begin(), group.events.end(), id) == group.events.end()) continue;
      if (system_[id].type != ScalarType::real || !encloses_own_frame(group.frame)) break;
      Extents first, last;
      if (!extents(group.space, first, last)) break;
      const Exactness other = Bounds(system_, group, first, last, value_of_, parameter_of_, {}, nesting_ + 1).compute();
      if (other.exact) result = {-other.bound, other.bound};
      errors_[id] = other.error;
    }
    others_[id] = result;
    return result;
  }

  bool encloses_own_frame(FrameId frame) const {
    for (FrameId inner = group_.frame; inner.valid(); inner = system_[inner].parent) {
      if (inner == frame) return true;
    }
    return false;
  }

  bool extents(SpaceId space, Extents& first, Extents& last) {
    constexpr double largest = 0x1p53;
    for (const Axis& axis : system_[space].axes) {
      const Interval low = intervals_.evaluate(axis.first), high = intervals_.evaluate(axis.last);
      if (low.is_empty() || high.is_empty() || !(low.magnitude() < largest) || !(high.magnitude() < largest))
        return false;
      first.push_back(static_cast<std::int64_t>(low.low));
      last.push_back(std::max(first.back(), static_cast<std::int64_t>(high.high)));
    }
    return true;
  }

  const std::vector<EventGroup>& groups() {
    if (groups_.empty()) groups_ = event_groups(system_);
    return groups_;
  }

  static Exactness finish(double bound, double summands, double inherited) {
    Exactness result;
    result.quantum = arithmetic::quantum_of(bound);
    if (result.quantum == 0) return result;
    result.exact = true;
    result.bound = bound;
    result.error = summands * result.quantum / 2 + inherited;
    return result;
  }

  const System& system_;
  const EventGroup& group_;
  const DefinitionValue& value_of_;
  const ParameterValue& parameter_of_;
  const HoistedValue& hoisted_of_;
  std::size_t nesting_;
  std::unordered_map<EventId, Interval> others_;
  std::unordered_map<EventId, double> errors_;
  std::unordered_map<ValueId, std::optional<Shape>> shapes_;
  std::vector<EventGroup> groups_;
  Extents extents_;
  IntervalEvaluator intervals_;
};

}  // namespace

Exactness exactness(const System& system, const EventGroup& group, const std::vector<std::int64_t>& first,
                    const std::vector<std::int64_t>& last, const DefinitionValue& value_of,
                    const ParameterValue& parameter_of, const HoistedValue& hoisted_of) {
  return Bounds(system, group, first, last, value_of, parameter_of, hoisted_of, 0).compute();
}

}  // namespace wave::ir
