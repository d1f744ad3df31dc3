// Events one after the other, each of which may read the events before it.
#include "tests/unit/symbolic/uniform_systems.h"

#include "ir/operations.h"
#include "tests/parity/systems.h"
#include "tests/random/choices.h"

#include <limits>
#include <string>

namespace wave::test {

namespace {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ValueId;

class Generator {
 public:
  Generator(std::uint64_t seed, const UniformOptions& options) : choose_(seed), options_(options) {}

  ir::System run() {
    const std::size_t count = 1 + choose_.below(3);
    for (std::size_t i = 0; i < count; ++i) add_event(ir::System::root_frame);
    if (choose_.chance(0.4)) add_function();
    for (const ir::EventId event : events_) add_roots(event);
    return std::move(model_.system);
  }

 private:
  ir::SiteId site(FailureKind kind) { return b_.site(kind, Location{}); }
  std::string fresh(const std::string& name) { return name + std::to_string(++names_); }
  ValueId divide(ValueId a, ValueId b) { return b_.divide(a, b, site(FailureKind::division_by_zero)); }

  // --- extents ---

  ValueId bound_of_axis(ir::FrameId frame, std::int64_t value) {
    if (options_.failures && choose_.chance(0.02)) return failing_integer();
    if (frame != ir::System::root_frame && choose_.chance(0.5)) return b_.parameter_value(size_);
    if (choose_.chance(0.3)) return b_.integer(value);
    const ValueId definition = model_.parameter(fresh("n"), b_.integer(value));
    return choose_.chance(0.3)
               ? b_.add(definition, b_.integer(choose_.between(0, 1)), site(FailureKind::integer_overflow))
               : definition;
  }

  ValueId failing_integer() {
    return b_.binary(BinaryOp::floor_divide, b_.integer(1),
                     model_.parameter(fresh("z"), b_.integer(choose_.between(0, 1))),
                     site(FailureKind::division_by_zero));
  }

  ir::SpaceId add_space(ir::FrameId frame, std::size_t rank, bool wraps) {
    ir::Space space{fresh("P"), frame, {}};
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::int64_t first = choose_.chance(0.6) ? 1 : choose_.between(-3, 4);
      const std::int64_t extent = options_.failures && choose_.chance(0.02) ? 0
                                  : choose_.chance(0.25)                    ? 1
                                                                            : choose_.between(2, 6);
      const std::string name(1, static_cast<char>('i' + axis));
      space.axes.push_back({name,
                            b_.binder(name),
                            choose_.chance(0.7) ? b_.integer(first) : bound_of_axis(frame, first),
                            bound_of_axis(frame, first + extent - 1),
                            wraps && choose_.chance(0.5),
                            {},
                            site(FailureKind::extent_not_positive)});
    }
    return b_.space(std::move(space));
  }

  // --- weights ---

  ValueId real_parameter(double value) { return model_.parameter(fresh("w"), b_.real(value)); }

  ValueId plain_weight() {
    switch (choose_.below(6)) {
      case 0: return b_.real(static_cast<double>(choose_.between(-20, 60)));
      case 1: return b_.real(choose_.tame_real());
      case 2: return b_.add(real_parameter(choose_.tame_real()), real_parameter(choose_.tame_real()));
      case 3: return b_.real(0);
      default: return real_parameter(choose_.tame_real());
    }
  }

  ValueId extreme_weight() {
    switch (choose_.below(7)) {
      case 0: return real_parameter(1e-310);
      case 1: return real_parameter(choose_.chance(0.5) ? 1e290 : 1e303);
      case 2: return real_parameter(-0.0);
      case 3: return options_.failures ? real_parameter(std::numeric_limits<double>::infinity()) : plain_weight();
      case 4: return options_.failures ? real_parameter(std::numeric_limits<double>::quiet_NaN()) : plain_weight();
      case 5:
        return options_.failures ? divide(b_.real(1), real_parameter(static_cast<double>(choose_.between(0, 1))))
                                 : plain_weight();
      default: return real_parameter(1e12 / 7);
    }
  }

  // A sum over a loop, so that an interval could not be a single point.
  ValueId looped_weight() {
    const ir::BinderId binder = b_.binder(fresh("k"));
    const ValueId body = b_.multiply(b_.to_real(b_.index(binder)), real_parameter(choose_.tame_real()));
    return b_.reduce(ir::ReduceKind::sum, {model_.level(binder, b_.integer(1), b_.integer(choose_.between(0, 4)))},
                     body, {}, {});
  }

  ValueId weight(ir::FrameId frame) {
    if (choose_.chance(0.03)) return extreme_weight();
    if (choose_.chance(0.1)) return looped_weight();
    if (frame != ir::System::root_frame && choose_.chance(0.4)) return b_.parameter_value(cost_);
    if (!events_.empty() && choose_.chance(0.12)) return read(choose_.one_of(events_), {}, 0.02);
    return plain_weight();
  }

  std::vector<ValueId> weights(ir::FrameId frame) {
    std::vector<ValueId> result;
    const std::size_t count = choose_.chance(0.1) ? 0 : 1 + choose_.below(3);
    for (std::size_t i = 0; i < count; ++i) result.push_back(weight(frame));
    return result;
  }

  // --- events ---

  void add_event(ir::FrameId frame) {
    const bool misses = options_.near_misses && choose_.chance(0.3);
    const std::size_t rank = 1 + choose_.below(3);
    const std::size_t miss = misses ? choose_.below(6) : 6;
    const ir::SpaceId space = add_space(frame, rank, miss == 0);
    const ir::EventId event = model_.event(fresh("E"), space, ir::ScalarType::real, frame);
    std::vector<std::int32_t> direction;
    for (std::size_t axis = 0; axis < rank; ++axis) direction.push_back(choose_.chance(0.7) ? -1 : 1);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      for (std::size_t count = choose_.chance(0.12) ? 0 : choose_.chance(0.15) ? 2 : 1; count > 0; --count) {
        std::vector<std::int32_t> offset(rank, 0);
        offset[axis] = direction[axis];
        model_.constrain(event, event, offset, weights(frame));
      }
    }
    if (rank > 1 && choose_.chance(0.4)) add_diagonal(event, direction, frame);
    if (choose_.chance(0.2)) add_constant(event, frame);
    model_.system[event].exact = true;
    if (!choose_.chance(options_.failures ? 0.03 : 0)) model_.system[event].otherwise = {weight(frame)};
    if (choose_.chance(0.2)) model_.system[event].otherwise.push_back(weight(frame));
    spoil(event, miss, frame);
    if (choose_.chance(0.3)) add_followers(event, frame);
    (frame == ir::System::root_frame ? events_ : inner_).push_back(event);
  }

  // Some steps go through events that are at the same place and only add weights.
  void add_followers(ir::EventId event, ir::FrameId frame) {
    std::vector<ir::EventId> known{event};
    const ir::SpaceId space = model_.system[event].space;
    for (std::size_t count = 1 + choose_.below(2); count > 0; --count) {
      const ir::EventId follower = model_.event(fresh("F"), space, ir::ScalarType::real, frame);
      const std::vector<std::int32_t> here(model_.system[space].axes.size(), 0);
      for (std::size_t i = 1 + choose_.below(2); i > 0; --i)
        model_.constrain(follower, choose_.one_of(known), here, weights(frame));
      if (choose_.chance(0.1)) model_.system[follower].otherwise = {plain_weight()};
      known.push_back(follower);
      (frame == ir::System::root_frame ? events_ : inner_).push_back(follower);
    }
    for (ir::Constraint& constraint : model_.system[event].constraints) {
      if (constraint.source == event && choose_.chance(0.6)) constraint.source = choose_.one_of(known);
    }
    if (choose_.chance(0.8))
      model_.system[event].otherwise = {model_.parameter(fresh("o"), b_.real(choose_.tame_real()))};
  }

  void add_diagonal(ir::EventId event, const std::vector<std::int32_t>& direction, ir::FrameId frame) {
    std::vector<std::int32_t> offset;
    int moved = 0;
    for (const std::int32_t d : direction) {
      offset.push_back(choose_.chance(0.8) ? d : 0);
      moved += offset.back() != 0 ? 1 : 0;
    }
    if (moved > 1) model_.constrain(event, event, offset, weights(frame));
  }

  void add_constant(ir::EventId event, ir::FrameId frame) {
    model_.constrain(event, {}, {}, {weight(frame), plain_weight()});
    auto& constraints = model_.system[event].constraints;
    std::swap(constraints.back(), constraints[choose_.below(constraints.size())]);
  }

  // Adds something that the proof does not cover, so that the event must stay as it is.
  void spoil(ir::EventId event, std::size_t miss, ir::FrameId frame) {
    const ir::SpaceId space = model_.system[event].space;
    const std::size_t rank = model_.system[space].axes.size();
    const ValueId index = model_.index(space, choose_.below(rank));
    auto& constraints = model_.system[event].constraints;
    std::vector<std::int32_t> offset(rank, 0);
    offset[choose_.below(rank)] = -2;
    if (miss == 1) constraints.push_back({event, offset, {plain_weight()}, {}, {}});
    if (constraints.empty()) return;
    ir::Constraint& one = constraints[choose_.below(constraints.size())];
    if (miss == 2) one.weights.push_back(b_.to_real(index));
    if (miss == 3) one.guard = b_.less(index, b_.integer(choose_.between(0, 4)));
    if (miss == 4) model_.system[event].otherwise = {b_.to_real(index)};
    if (miss == 5 && !events_.empty() && frame == ir::System::root_frame) {
      one.weights.push_back(read(choose_.one_of(events_), {index}, 0));
    }
  }

  // A function with its own events, called with several arguments.
  void add_function() {
    frame_ = b_.frame(fresh("f"), ir::System::root_frame);
    size_ = b_.parameter(frame_, "size", ir::ScalarType::integer);
    cost_ = b_.parameter(frame_, "cost", ir::ScalarType::real);
    add_event(frame_);
    const ir::DefinitionId result = b_.define(frame_, "result", read(inner_.front(), {}, 0.05));
    const ir::BinderId binder = b_.binder(fresh("k"));
    const ValueId call = b_.call(frame_, result, {b_.index(binder), b_.to_real(b_.index(binder))},
                                 site(FailureKind::recursion_too_deep));
    model_.root(fresh("calls"), {call}, {model_.level(binder, b_.integer(choose_.between(0, 1)), b_.integer(5))});
    const ValueId once =
        b_.call(frame_, result, {b_.integer(3), b_.real(choose_.tame_real())}, site(FailureKind::recursion_too_deep));
    functions_.push_back(once);
  }

  // --- reads ---

  // A point near the grid, made of `indices` first, and constants and parameters for the rest.
  ValueId read(ir::EventId event, std::vector<ValueId> indices, double wild) {
    const ir::Space space = model_.system[model_.system[event].space];
    indices.resize(std::min(indices.size(), space.axes.size()));
    while (indices.size() < space.axes.size()) {
      const ir::Axis& axis = space.axes[indices.size()];
      const bool is_visible = space.frame == ir::System::root_frame || inner_.size() > 0;
      if (choose_.chance(wild)) {
        indices.push_back(choose_.chance(0.5) && options_.failures ? failing_integer()
                                                                   : b_.integer(choose_.between(-4, 9)));
      } else if (is_visible && choose_.chance(0.93)) {
        indices.push_back(choose_.chance(0.7) ? axis.last : axis.first);
      } else {
        indices.push_back(b_.integer(choose_.between(1, 2)));
      }
    }
    return model_.read(event, std::move(indices));
  }

  void add_roots(ir::EventId event) {
    model_.root_of_all(fresh("all"), event);
    model_.root(fresh("points"), {read(event, {}, 0.05), b_.add(read(event, {}, 0.05), b_.real(1))});
    const ir::BinderId binder = b_.binder(fresh("k"));
    const ValueId inside = read(event, {b_.index(binder)}, 0.02);
    const ir::Axis axis = model_.system[model_.system[event].space].axes[0];
    const bool strays = choose_.chance(0.3);
    const ir::Level level = model_.level(binder, strays ? b_.integer(choose_.between(-1, 1)) : axis.first,
                                         strays ? b_.integer(3) : axis.last);
    const ValueId sum = b_.reduce(ir::ReduceKind::sum, {level}, inside, {}, {});
    model_.root(fresh("sum"), {sum});
    model_.root(fresh("loop"), {inside, b_.to_real(b_.index(binder))}, {level});
    add_reader(event);
    if (!functions_.empty()) model_.root(fresh("function"), {functions_.front()});
  }

  // A recurrence whose weights read the event, so that its bound knows nothing about the shortcut.
  void add_reader(ir::EventId event) {
    const ir::SpaceId space = add_space(ir::System::root_frame, 1, false);
    const ir::EventId reader = model_.event(fresh("R"), space);
    const ValueId index = model_.index(space, 0);
    const bool may_be_absent = choose_.chance(0.3);
    ValueId weight = read(event, choose_.chance(0.7) ? std::vector<ValueId>{index} : std::vector<ValueId>{}, 0.05);
    if (may_be_absent) {
      auto node = std::get<ir::Read>(model_.system[weight].node);
      node.site = {};
      weight = b_.node(node, ir::ScalarType::real);
    }
    model_.constrain(reader, reader, {-1}, {weight, b_.real(choose_.tame_real())});
    if (choose_.chance(0.5)) model_.constrain(reader, {}, {}, {plain_weight()});
    model_.system[reader].otherwise = {plain_weight()};
    model_.root_of_all(fresh("reader"), reader);
  }

  parity::Model model_;
  ir::Builder& b_ = model_.build;
  Choices choose_;
  const UniformOptions& options_;
  std::vector<ir::EventId> events_, inner_;
  ir::FrameId frame_;
  ir::ParameterId size_, cost_;
  std::vector<ValueId> functions_;
  int names_ = 0;
};

}  // namespace

ir::System random_uniform_system(std::uint64_t seed, const UniformOptions& options) {
  return Generator(seed, options).run();
}

}  // namespace wave::test
