#include "tests/unit/closed_form/random_recurrence.h"

#include "ir/operations.h"
#include "tests/random/choices.h"

namespace wave::test {

namespace {

using ir::ValueId;

class Writer {
 public:
  Writer(parity::Model& model, std::uint64_t seed) : m_(model), b_(model.build), choose_(seed) {}

  ir::EventId write() {
    const std::size_t axes = choose_.chance(0.7) ? 2 : choose_.chance(0.5) ? 3 : 1;
    static const char* const names[] = {"i", "j", "k"};
    std::vector<std::string> axis_names(names, names + axes);
    std::vector<ValueId> extents;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      extent_.push_back(choose_.chance(0.1) ? 1 : choose_.between(1, axes == 3 ? 6 : axes == 2 ? 12 : 40));
      extents.push_back(b_.integer(extent_.back()));
    }
    grid_ = m_.grid(axis_names, extents);
    const ir::EventId event = m_.event("start", grid_);
    style_ = choose_.below(6);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      if (axes > 1 && choose_.chance(0.04)) continue;  // no step leads along this axis
      add_step(event, axis);
    }
    if (choose_.chance(0.05)) add_longer_step(event);
    if (m_.system[event].constraints.empty()) add_step(event, 0);
    add_start(event);
    if (choose_.chance(0.2)) write_as_body(event);
    return event;
  }

 private:
  void add_step(ir::EventId event, std::size_t axis) {
    std::vector<std::int32_t> offset(extent_.size(), 0);
    offset[axis] = choose_.chance(0.8) ? -1 : 1;
    offset_.resize(extent_.size(), -1);
    offset_[axis] = offset[axis];
    const std::size_t times = choose_.chance(0.1) ? 2 : 1;
    const ValueId condition = times == 2 ? truth(choose_.below(extent_.size())) : ValueId{};
    for (std::size_t i = 0; i < times; ++i) {
      std::vector<ValueId> weights;
      for (std::size_t count = 1 + choose_.below(3); count > 0; --count) weights.push_back(weight(axis));
      m_.constrain(event, event, offset, weights, i == 0 ? condition : b_.logical_not(condition));
    }
  }

  // A step back by more than one place, which no proof covers where the grid is long enough for it.
  void add_longer_step(ir::EventId event) {
    std::vector<std::int32_t> offset(extent_.size(), 0);
    offset_.resize(extent_.size(), -1);
    for (std::size_t axis = 0; axis < extent_.size(); ++axis) {
      offset[axis] = offset_[axis] * (extent_.size() == 1 || choose_.chance(0.2) ? 2 : 1);
    }
    m_.constrain(event, event, offset, {weight(0)});
  }

  // The same recurrence as a maximum or minimum of sums, or its mirror image.
  void write_as_body(ir::EventId id) {
    ir::Event& event = m_.system[id];
    std::vector<ValueId> operands;
    for (const ir::Constraint& constraint : event.constraints) {
      if (constraint.guard.valid()) return;
      ValueId sum = constraint.source.valid() ? b_.neighbour(id, constraint.offset) : ValueId{};
      for (const ValueId weight : constraint.weights) {
        const ValueId rounded = b_.quantize(weight, m_.site(ir::FailureKind::weight_not_finite));
        sum = !sum.valid() ? rounded : choose_.chance(0.7) ? b_.add(sum, rounded) : b_.subtract(sum, rounded);
      }
      operands.push_back(sum);
    }
    event.otherwise = {b_.quantize(event.otherwise.front(), m_.site(ir::FailureKind::weight_not_finite))};
    event.body = choose_.chance(0.7) ? b_.minimum(operands) : b_.maximum(operands);
    event.constraints.clear();
  }

  void add_start(ir::EventId event) {
    if (choose_.chance(0.1)) {  // paths may begin at every cell
      m_.constrain(event, ir::EventId{}, std::vector<std::int32_t>(extent_.size(), 0),
                   {choose_.chance(0.7) ? b_.real(0) : weight(0)});
    } else if (choose_.chance(0.15)) {  // a condition singles out the first cell
      ValueId is_first;
      for (std::size_t axis = 0; axis < extent_.size(); ++axis) {
        const ValueId here = b_.equal(index(axis), b_.integer(1));
        is_first = axis == 0 ? here : b_.logical_and(is_first, here);
      }
      m_.constrain(event, ir::EventId{}, std::vector<std::int32_t>(extent_.size(), 0), {amount()}, is_first);
    }
    m_.system[event].otherwise = {choose_.chance(0.8) ? amount() : weight(0)};
    m_.system[event].exact = true;
  }

  ValueId index(std::size_t axis) { return m_.index(grid_, axis); }
  ir::SiteId site() { return m_.site(ir::FailureKind::integer_overflow); }
  ValueId amount() {
    return b_.real(choose_.chance(0.5) ? static_cast<double>(choose_.between(0, 6)) : choose_.tame_real());
  }

  // What the weight of a step along `axis` looks at depends on the style of the system: nothing, its own axis, the
  // others, or classes of both.
  ValueId weight(std::size_t axis) {
    const std::size_t other = (axis + 1 + choose_.below(std::max<std::size_t>(1, extent_.size() - 1))) % extent_.size();
    switch (style_) {
      case 0: return choose_.chance(0.5) ? amount() : function(axis);
      case 1: return choose_.chance(0.3) ? function(axis) : function(other);
      case 2: return b_.select(b_.equal(chunk(axis, 2), b_.integer(0)), amount(), b_.add(function(axis), amount()));
      case 3: return b_.select(b_.logical_and(truth(axis), truth(other)), amount(), amount());
      case 4: return b_.multiply(b_.to_real(b_.add(chunk(axis, 3), chunk(other, 4), site())), amount());
      default: return choose_.chance(0.5) ? function(other) : b_.add(function(axis), function(other));
    }
  }

  ValueId chunk(std::size_t axis, std::int64_t size) {
    return b_.binary(choose_.chance(0.5) ? ir::BinaryOp::floor_divide : ir::BinaryOp::modulo, index(axis),
                     b_.integer(size), site());
  }

  ValueId truth(std::size_t axis) {
    switch (choose_.below(4)) {
      case 0: return b_.less_equal(index(axis), b_.integer(choose_.between(1, extent_[axis])));
      case 1: return b_.equal(chunk(axis, choose_.between(2, 4)), b_.integer(choose_.between(0, 2)));
      case 2: return b_.equal(index(axis), b_.integer(choose_.between(1, extent_[axis])));
      default: return b_.boolean(choose_.chance(0.5));
    }
  }

  // A function of one index.
  ValueId function(std::size_t axis) {
    switch (choose_.below(8)) {
      case 0: return amount();
      case 7: {  // may fail somewhere
        const ValueId here = b_.equal(index(axis), b_.integer(choose_.between(-9, 12)));
        return b_.check(b_.logical_not(here), amount(), m_.site(ir::FailureKind::require_failed));
      }
      case 1: return b_.multiply(b_.to_real(index(axis)), amount());
      case 2: return b_.select(truth(axis), amount(), amount());
      case 3: return b_.multiply(b_.to_real(chunk(axis, choose_.between(2, 5))), amount());
      case 4: return b_.divide(amount(), b_.to_real(index(axis)), site());
      case 5: return b_.multiply(b_.to_real(index(axis)), b_.real(static_cast<double>(choose_.between(-2, 5))));
      default: {
        const ValueId x = b_.to_real(b_.subtract(index(axis), b_.integer(choose_.between(1, 9)), site()));
        return b_.multiply(x, x);
      }
    }
  }

  parity::Model& m_;
  ir::Builder& b_;
  Choices choose_;
  ir::SpaceId grid_;
  std::vector<std::int64_t> extent_;
  std::vector<std::int32_t> offset_;  // of the steps, by axis
  std::size_t style_ = 0;
};

}  // namespace

ir::EventId add_random_recurrence(parity::Model& model, std::uint64_t seed) { return Writer(model, seed).write(); }

}  // namespace wave::test
