// Everything is evaluated in the order in which the event's group would evaluate it (ir/schedule.h), and in
// definitions, whose failures carry no indices, as the group's do not: so the first failure is the same.
#include "backend/closed_form/symbolic/replacement.h"

#include "ir/effects.h"
#include "ir/operations.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace wave::backend::closed_form {

using ir::BinaryOp;
using ir::UnaryOp;
using ir::ValueId;

namespace {

constexpr double longest = 0x1p40;   // steps along an axis: all sums of distances are exact in a double
constexpr double farthest = 0x1p52;  // first and last index of an axis: so are differences of indices

ir::DefinitionId definition_of(const ir::Builder& builder, ValueId reference) {
  return std::get<ir::Reference>(builder.system()[reference].node).definition;
}

}  // namespace

ReplacementBuilder::ReplacementBuilder(ir::Builder& builder, const UniformGroup& uniform)
    : b_(builder), uniform_(uniform), event_(builder.system()[uniform.main]) {
  replacement_.name = "equal paths";
  define_axes();
  define_weights();
  define_bound();
  define_costs();
}

Replacement ReplacementBuilder::replacement(ir::EventId event) const {
  Replacement result = replacement_;
  result.event = event;
  return result;
}

// --- pieces ---

ValueId ReplacementBuilder::define(const std::string& what, ValueId body) {
  return b_.reference(b_.define(event_.frame, event_.name + ": " + what, body, event_.location));
}

ValueId ReplacementBuilder::all(const std::vector<ValueId>& conditions) {
  ValueId result = b_.boolean(true);
  for (const ValueId condition : conditions) result = b_.logical_and(result, condition);
  return result;
}

// What a definition of the event's frame says, so that it is evaluated once, and fails without the reader's indices.
ValueId ReplacementBuilder::own(ValueId value, const std::string& what) {
  const ir::Node& node = b_.system()[value].node;
  const bool is_leaf = std::holds_alternative<ir::Constant>(node) || std::holds_alternative<ir::Parameter>(node) ||
                       std::holds_alternative<ir::Reference>(node);
  return is_leaf ? value : define(what, value);
}

// --- extents ---

void ReplacementBuilder::define_axes() {
  const ir::Space space = b_.system()[event_.space];
  std::vector<ValueId> in_order;
  ValueId cells = b_.real(1);
  for (const ir::Axis& axis : space.axes) {
    const ValueId first = own(axis.first, axis.name + " begins"), last = own(axis.last, axis.name + " ends");
    const ValueId from = b_.to_real(first), to = b_.to_real(last);
    const ValueId steps = b_.subtract(to, from);
    in_order.push_back(b_.less_equal(first, last));
    in_order.push_back(b_.less_equal(steps, b_.real(longest)));
    in_order.push_back(b_.less_equal(b_.real(-farthest), from));
    in_order.push_back(b_.less_equal(to, b_.real(farthest)));
    axes_.push_back({first, last, steps});
    cells = b_.multiply(cells, b_.add(steps, b_.real(1)));
  }
  replacement_.fits = definition_of(b_, define("extents are in order", all(in_order)));
  replacement_.cells = definition_of(b_, define("cells", cells));
}

bool ReplacementBuilder::extents_may_fail(const ir::Effects& effects) const {
  const ir::Space& space = b_.system()[event_.space];
  return std::any_of(space.axes.begin(), space.axes.end(),
                     [&](const ir::Axis& axis) { return effects.may_fail(axis.first) || effects.may_fail(axis.last); });
}

// Is there a cell that has a neighbour one step along these axes?
ValueId ReplacementBuilder::is_met(const std::vector<std::uint32_t>& axes) {
  std::vector<ValueId> conditions;
  for (const std::uint32_t axis : axes) conditions.push_back(b_.less(axes_[axis].first, axes_[axis].last));
  return all(conditions);
}

ValueId ReplacementBuilder::is_met(const ir::Constraint& constraint) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < constraint.offset.size(); ++axis) {
    if (constraint.offset[axis] != 0) axes.push_back(axis);
  }
  return is_met(axes);
}

// --- weights ---

void ReplacementBuilder::define_weights() {
  std::vector<ValueId> finite;
  for (const ir::EventId id : uniform_.events) {
    const ir::Event event = b_.system()[id];
    for (const ir::Constraint& constraint : event.constraints)
      check_weights(constraint.weights, is_met(constraint), finite);
    if (id == uniform_.main && uniform_.constants.empty()) check_weights(event.otherwise, b_.boolean(true), finite);
  }
  replacement_.holds = definition_of(b_, define("weights are finite", all(finite)));  // until the bound is known
}

// A weight is evaluated, and has to be finite, where some cell needs it.
void ReplacementBuilder::check_weights(const std::vector<ValueId>& weights, ValueId is_needed,
                                       std::vector<ValueId>& conditions) {
  for (const ValueId weight : weights) {
    if (!weights_.count(weight)) weights_[weight] = own(weight, "weight " + std::to_string(weights_.size() + 1));
    const ValueId infinity = b_.real(std::numeric_limits<double>::infinity());
    const ValueId is_finite = b_.less(b_.unary(UnaryOp::absolute, weights_[weight]), infinity);
    conditions.push_back(b_.logical_or(b_.logical_not(is_needed), is_finite));
  }
}

// --- the bound, by the operations of ir::exactness ---

ValueId ReplacementBuilder::magnitude(const std::vector<ValueId>& weights) {
  ValueId sum = b_.real(0);
  bool is_first = true;
  for (const ValueId weight : weights) {
    const ValueId size = b_.unary(UnaryOp::absolute, weights_.at(weight));
    sum = is_first ? size : b_.add(sum, size);
    is_first = false;
  }
  return sum;
}

ValueId ReplacementBuilder::rounded(const std::vector<ValueId>& weights) {
  ValueId sum = b_.real(0);
  bool is_first = true;
  for (const ValueId weight : weights) {
    const ValueId on_quantum = b_.binary(BinaryOp::round_to, weights_.at(weight), quantum_);
    sum = is_first ? on_quantum : b_.add(sum, on_quantum);
    is_first = false;
  }
  return sum;
}

ValueId ReplacementBuilder::start(bool rounded_to_quantum) {
  if (uniform_.constants.empty()) return rounded_to_quantum ? rounded(event_.otherwise) : magnitude(event_.otherwise);
  std::vector<ValueId> sums;
  for (const std::uint32_t i : uniform_.constants) {
    const auto& weights = event_.constraints[i].weights;
    sums.push_back(rounded_to_quantum ? rounded(weights) : magnitude(weights));
  }
  return b_.maximum(std::move(sums));
}

bool ReplacementBuilder::has_straight(const UniformStep& diagonal) const {
  return std::any_of(uniform_.straight.begin(), uniform_.straight.end(), [&](const UniformStep& step) {
    return std::find(diagonal.axes.begin(), diagonal.axes.end(), step.axes.front()) != diagonal.axes.end();
  });
}

// The cells on the longest path: all steps along the axes that have one; a diagonal apart takes those of its shortest
// axis.
ValueId ReplacementBuilder::levels() {
  ValueId sum = b_.real(1);
  for (const UniformStep& step : uniform_.straight) sum = b_.add(sum, steps(step.axes.front()));
  for (const UniformStep& step : uniform_.diagonal) {
    if (has_straight(step)) continue;
    std::vector<ValueId> lengths;
    for (const std::uint32_t axis : step.axes) lengths.push_back(steps(axis));
    sum = b_.add(sum, b_.minimum(std::move(lengths)));
  }
  return sum;
}

void ReplacementBuilder::define_bound() {
  ValueId gain, summands;  // on one level: of every event once
  std::size_t first_summands = uniform_.constants.empty() ? event_.otherwise.size() : 0;
  for (const ir::EventId id : uniform_.events) {
    const ir::Event event = b_.system()[id];
    std::vector<ValueId> sums{b_.real(0)}, counts{b_.real(0)};
    for (const ir::Constraint& constraint : event.constraints) {
      if (!constraint.source.valid()) {
        first_summands = std::max(first_summands, constraint.weights.size());
        continue;
      }
      const ValueId count = b_.real(static_cast<double>(constraint.weights.size()));
      sums.push_back(b_.select(is_met(constraint), magnitude(constraint.weights), b_.real(0)));
      counts.push_back(b_.select(is_met(constraint), count, b_.real(0)));
    }
    const ValueId step = b_.maximum(std::move(sums)), most = b_.maximum(std::move(counts));
    gain = gain.valid() ? b_.add(gain, step) : step;
    summands = summands.valid() ? b_.add(summands, most) : most;
  }
  const ValueId path = define("longest path", levels());
  const ValueId bound = define("bound", b_.add(start(false), b_.multiply(path, gain)));
  quantum_ = define("quantum", b_.unary(UnaryOp::quantum_of, bound));
  const ValueId is_exact = b_.less(b_.real(0), quantum_);
  // Large enough that no pass inlines it, because reports ask whether it has been evaluated.
  const ValueId both = b_.logical_and(b_.reference(replacement_.holds), is_exact);
  const ValueId holds = define("paths are equal", b_.select(both, b_.boolean(true), b_.boolean(false)));
  const ValueId all_summands = b_.add(b_.real(static_cast<double>(first_summands)), b_.multiply(path, summands));
  const ValueId error = define("error", b_.multiply(b_.multiply(all_summands, quantum_), b_.real(0.5)));
  replacement_.holds = definition_of(b_, holds);
  replacement_.bound = definition_of(b_, bound);
  replacement_.quantum = definition_of(b_, quantum_);
  replacement_.error = definition_of(b_, error);
}

// --- the expression ---

// What a constraint adds to the main event's value where its source is.
ValueId ReplacementBuilder::after(const ir::Constraint& constraint) {
  const ValueId own = rounded(constraint.weights);
  const auto delay = delay_.find(constraint.source);
  return delay == delay_.end() ? own : b_.add(delay->second, own);
}

// 0 where no cell takes the step: its weights are not evaluated then.
ValueId ReplacementBuilder::dearest(const UniformStep& step) {
  std::vector<ValueId> sums;
  for (const std::uint32_t i : step.constraints) sums.push_back(after(event_.constraints[i]));
  return b_.select(is_met(step.axes), b_.maximum(std::move(sums)), b_.real(0));
}

void ReplacementBuilder::define_costs() {
  const bool begins_anywhere = !uniform_.constants.empty();
  start_ = define("start", start(true));
  for (const ir::EventId id : uniform_.events) {
    if (id == uniform_.main) continue;
    const ir::Event event = b_.system()[id];
    std::vector<ValueId> sums;
    for (const ir::Constraint& constraint : event.constraints) sums.push_back(after(constraint));
    delay_[id] = define("delay of " + event.name, b_.maximum(std::move(sums)));
  }
  for (const UniformStep& step : uniform_.straight) {
    ValueId cost = dearest(step);
    if (begins_anywhere) cost = b_.maximum({b_.real(0), cost});
    straight_.push_back(define("step " + std::to_string(straight_.size() + 1), cost));
  }
  for (const UniformStep& step : uniform_.diagonal) {
    diagonal_.push_back(define("diagonal " + std::to_string(diagonal_.size() + 1), dearest(step)));
  }
}

ValueId ReplacementBuilder::condition(const std::vector<ValueId>& indices) {
  std::vector<ValueId> conditions{b_.reference(replacement_.fits)};
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    conditions.push_back(b_.less_equal(axes_[axis].first, indices[axis]));
    conditions.push_back(b_.less_equal(indices[axis], axes_[axis].last));
  }
  conditions.push_back(b_.reference(replacement_.holds));
  return all(conditions);
}

ValueId ReplacementBuilder::at(ir::EventId event, const std::vector<ValueId>& indices) {
  const auto delay = delay_.find(event);
  return delay == delay_.end() ? path_to(indices) : b_.add(path_to(indices), delay->second);
}

ValueId ReplacementBuilder::path_to(const std::vector<ValueId>& indices) {
  std::vector<ValueId> distance;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const ValueId here = b_.to_real(indices[axis]);
    distance.push_back(uniform_.rises[axis] ? b_.subtract(here, b_.to_real(axes_[axis].first))
                                            : b_.subtract(b_.to_real(axes_[axis].last), here));
  }
  std::vector<ValueId> straight_cost(indices.size());
  for (std::size_t i = 0; i < straight_.size(); ++i) straight_cost[uniform_.straight[i].axes.front()] = straight_[i];
  ValueId sum = start_;
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    std::vector<ValueId> lengths;
    for (const std::uint32_t axis : uniform_.diagonal[i].axes) lengths.push_back(distance[axis]);
    const ValueId most = b_.minimum(lengths);
    ValueId without, with = b_.multiply(most, diagonal_[i]);
    for (const std::uint32_t axis : uniform_.diagonal[i].axes) {
      const ValueId cost = std::exchange(straight_cost[axis], ValueId{});
      if (!cost.valid()) continue;
      const ValueId all_steps = b_.multiply(distance[axis], cost);
      without = without.valid() ? b_.add(without, all_steps) : all_steps;
      with = b_.add(with, b_.multiply(b_.subtract(distance[axis], most), cost));
    }
    if (!without.valid() && !uniform_.constants.empty()) without = b_.real(0);
    sum = b_.add(sum, without.valid() ? b_.maximum({without, with}) : with);
  }
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    if (straight_cost[axis].valid()) sum = b_.add(sum, b_.multiply(distance[axis], straight_cost[axis]));
  }
  return sum;
}

}  // namespace wave::backend::closed_form
