// Groups of events on one to three axes, where one group often reads another.
#include "tests/random/recurrences.h"

#include "ir/builder.h"
#include "ir/operations.h"
#include "tests/random/choices.h"

#include <algorithm>

namespace wave::test {

namespace {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : choose_(seed), b_(system_) {}

  ir::System write() {
    for (int i = 0; i < 3; ++i)
      extents_.push_back(bindable("n" + std::to_string(i), b_.integer(choose_.between(1, 9))));
    for (int i = 0; i < 4; ++i) costs_.push_back(bindable("c" + std::to_string(i), b_.real(choose_.tame_real())));
    add_space();
    std::vector<ir::EventId> before;
    for (std::size_t group = 0, groups = 1 + choose_.below(2); group < groups; ++group) {
      before = add_group(before);
      for (const ir::EventId event : before) add_roots(event);
    }
    return std::move(system_);
  }

 private:
  ValueId bindable(const std::string& name, ValueId value) {
    return b_.reference(b_.define(ir::System::root_frame, name, value, {}, true));
  }
  ir::SiteId site(FailureKind kind) { return b_.site(kind, {}); }

  void add_space() {
    ir::Space space{"P", ir::System::root_frame, {}};
    static const char* const names[] = {"i", "j", "k"};
    const std::size_t axes = choose_.chance(0.1) ? 1 : choose_.chance(0.7) ? 2 : 3;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::int64_t first = choose_.chance(0.7) ? 1 : choose_.between(-2, 2);
      const ValueId last = b_.add(extents_[axis], b_.integer(first - 1), site(FailureKind::integer_overflow));
      space.axes.push_back({names[axis],
                            b_.binder(names[axis]),
                            b_.integer(first),
                            last,
                            choose_.chance(0.05),
                            {},
                            site(FailureKind::extent_not_positive)});
    }
    for (std::size_t axis = 0; axis < axes; ++axis) {
      order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(choose_.below(axis + 1)), axis);
      rising_.push_back(choose_.chance(0.7));
    }
    space_ = b_.space(space);
  }
  const ir::Space& space() const { return system_[space_]; }
  ValueId index(std::size_t axis) { return b_.index(space().axes[axis].binder); }
  ValueId real_index(std::size_t axis) { return b_.to_real(index(axis)); }
  std::size_t any_axis() { return choose_.below(space().axes.size()); }
  ValueId cost() { return choose_.one_of(costs_); }

  // --- costs ---

  ValueId along(std::size_t axis) {
    if (choose_.chance(0.03)) {  // fails somewhere if the extents are large
      const ValueId less =
          b_.subtract(index(axis), b_.integer(choose_.between(5, 60)), site(FailureKind::integer_overflow));
      return b_.divide(cost(), b_.to_real(less), site(FailureKind::division_by_zero));
    }
    const ValueId modulus = b_.binary(BinaryOp::modulo, index(axis), b_.integer(choose_.between(2, 5)),
                                      site(FailureKind::division_by_zero));
    if (choose_.chance(0.4)) return b_.select(b_.equal(modulus, b_.integer(1)), cost(), cost());
    if (choose_.chance(0.5)) return b_.multiply(cost(), b_.to_real(modulus));
    return b_.add(cost(), b_.multiply(b_.real(choose_.tame_real()), real_index(axis)));
  }

  ValueId weight() {
    if (choose_.chance(0.3)) return cost();
    if (choose_.chance(0.2)) return b_.real(choose_.tame_real());
    if (choose_.chance(0.6)) return along(any_axis());
    const ValueId both = choose_.chance(0.5) ? b_.multiply(along(any_axis()), along(any_axis()))
                                             : b_.maximum({along(any_axis()), along(any_axis())});
    return choose_.chance(0.7) ? both : b_.select(guard(), both, weight());
  }

  ValueId guard() {
    const std::size_t axis = any_axis();
    if (choose_.chance(0.4)) return b_.less(index(axis), b_.integer(choose_.between(-1, 30)));
    if (choose_.chance(0.5)) return b_.less(index(any_axis()), index(any_axis()));
    const ValueId modulus = b_.binary(BinaryOp::modulo, index(axis), b_.integer(choose_.between(2, 4)),
                                      site(FailureKind::division_by_zero));
    return b_.equal(modulus, b_.integer(0));
  }

  // --- events ---

  std::vector<std::int32_t> back() {
    std::vector<std::int32_t> offset(space().axes.size(), 0);
    std::vector<std::size_t> plain;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!space().axes[order_[i]].wrap) plain.push_back(i);
    }
    if (plain.empty()) return offset;
    const std::size_t decisive = choose_.one_of(plain);
    const auto distance = static_cast<std::int32_t>(choose_.chance(0.85) ? 1 : 2);
    offset[order_[decisive]] = rising_[order_[decisive]] ? -distance : distance;
    for (std::size_t i = decisive + 1; i < order_.size(); ++i) {
      if (choose_.chance(0.3)) offset[order_[i]] = static_cast<std::int32_t>(choose_.between(-2, 2));
    }
    return offset;
  }

  std::vector<std::int32_t> anywhere() {
    std::vector<std::int32_t> offset(space().axes.size(), 0);
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      if (choose_.chance(0.3)) offset[axis] = static_cast<std::int32_t>(choose_.between(-2, 2));
    }
    return offset;
  }

  static bool is_zero(const std::vector<std::int32_t>& offset) {
    return std::all_of(offset.begin(), offset.end(), [](std::int32_t d) { return d == 0; });
  }

  std::vector<ir::EventId> add_group(const std::vector<ir::EventId>& before) {
    std::vector<ir::EventId> events;
    const bool plain = choose_.chance(0.6);
    for (std::size_t i = 0, count = 1 + choose_.below(3); i < count; ++i) {
      ir::Event event;
      event.name = "e" + std::to_string(system_.events.size());
      event.type = plain || choose_.chance(0.7) ? ScalarType::real
                   : choose_.chance(0.5)        ? ScalarType::integer
                                                : ScalarType::boolean;
      event.frame = ir::System::root_frame;
      event.space = space_;
      event.site = site(FailureKind::all_absent);
      events.push_back(b_.event(event));
    }
    for (std::size_t i = 0; i < events.size(); ++i) fill(events, i, before, plain);
    return events;
  }

  std::vector<ir::Neighbour> neighbours(const std::vector<ir::EventId>& events, std::size_t own,
                                        const std::vector<ir::EventId>& before) {
    std::vector<ir::Neighbour> found;
    for (std::size_t i = 1 + choose_.below(3); i > 0; --i) {
      ir::Neighbour next{choose_.one_of(events), back()};
      if (is_zero(next.offset) || (own > 0 && choose_.chance(0.3))) {
        if (own == 0) continue;
        next = {events[choose_.below(own)], std::vector<std::int32_t>(space().axes.size(), 0)};
      }
      found.push_back(next);
    }
    if (!before.empty() && choose_.chance(0.6))
      found.push_back({choose_.one_of(before),
                       choose_.chance(0.5) ? anywhere() : std::vector<std::int32_t>(space().axes.size(), 0)});
    return found;
  }

  void fill(const std::vector<ir::EventId>& events, std::size_t own, const std::vector<ir::EventId>& before,
            bool plain) {
    const ir::EventId id = events[own];
    const std::vector<ir::Neighbour> around = neighbours(events, own, before);
    if (system_[id].type == ScalarType::real && (plain || choose_.chance(0.4))) return add_constraints(id, around);
    const bool exact = system_[id].type == ScalarType::real && choose_.chance(0.5);
    const ValueId body = exact ? exact_body(around) : general_body(system_[id].type, around);
    system_[id].body = body;
    system_[id].exact = exact;
    if (!choose_.chance(0.95)) return;
    const ValueId otherwise = exact ? quantized() : other(system_[id].type);
    system_[id].otherwise = {otherwise};
  }

  void add_constraints(ir::EventId id, const std::vector<ir::Neighbour>& around) {
    std::vector<ir::Constraint> constraints;
    for (const ir::Neighbour& node : around) {
      if (system_[node.event].type != ScalarType::real) continue;
      ir::Constraint constraint{node.event, node.offset, {}, {}, {}};
      for (std::size_t i = choose_.below(4); i > 0; --i) constraint.weights.push_back(weight());
      if (choose_.chance(0.15)) constraint.guard = guard();
      constraints.push_back(constraint);
    }
    if (choose_.chance(0.15)) {
      ir::Constraint constant{{}, {}, {weight()}, {}, {}};
      if (choose_.chance(0.5)) constant.guard = guard();
      constraints.push_back(constant);
    }
    std::vector<ValueId> otherwise;
    if (choose_.chance(0.97)) {
      for (std::size_t i = 1 + choose_.below(2); i > 0; --i) otherwise.push_back(weight());
    }
    system_[id].constraints = constraints;
    system_[id].otherwise = otherwise;
    system_[id].exact = true;
  }

  ValueId quantized() { return b_.quantize(weight(), site(FailureKind::weight_not_finite)); }

  ValueId exact_body(const std::vector<ir::Neighbour>& around) {
    std::vector<ValueId> operands;
    for (const ir::Neighbour& node : around) {
      if (system_[node.event].type == ScalarType::real)
        operands.push_back(b_.add(b_.neighbour(node.event, node.offset), quantized()));
    }
    if (operands.empty() || choose_.chance(0.3)) operands.push_back(quantized());
    return choose_.chance(0.5) ? b_.minimum(operands) : b_.maximum(operands);
  }

  ValueId general_body(ScalarType type, const std::vector<ir::Neighbour>& around) {
    std::vector<ValueId> operands;
    for (const ir::Neighbour& node : around) operands.push_back(as(type, b_.neighbour(node.event, node.offset)));
    if (operands.empty() || choose_.chance(0.4)) operands.push_back(other(type));
    ValueId sum = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i) sum = combined(type, sum, operands[i]);
    return choose_.chance(0.2) ? b_.select(guard(), sum, other(type)) : sum;
  }

  ValueId combined(ScalarType type, ValueId a, ValueId b) {
    switch (type) {
      case ScalarType::real:
        if (choose_.chance(0.4)) return b_.maximum({a, b});
        return choose_.chance(0.5) ? b_.add(b_.multiply(a, b_.real(0.5)), b)
                                   : b_.subtract(a, b_.multiply(b, b_.real(0.25)));
      case ScalarType::integer:
        return choose_.chance(0.5) ? b_.maximum({a, b})
                                   : b_.binary(BinaryOp::modulo, b_.add(a, b, site(FailureKind::integer_overflow)),
                                               b_.integer(1009), site(FailureKind::division_by_zero));
      case ScalarType::boolean: return choose_.chance(0.5) ? b_.logical_and(a, b) : b_.logical_or(a, b_.logical_not(b));
    }
    return a;
  }

  ValueId as(ScalarType type, ValueId value) {
    const ScalarType is = b_.type(value);
    if (is == type) return value;
    switch (type) {
      case ScalarType::real:
        return is == ScalarType::integer ? b_.to_real(value) : b_.select(value, cost(), b_.real(1));
      case ScalarType::integer:
        return is == ScalarType::real ? b_.select(b_.less(value, cost()), b_.integer(3), index(any_axis()))
                                      : b_.select(value, b_.integer(2), b_.integer(7));
      case ScalarType::boolean:
        return is == ScalarType::real ? b_.less(value, cost()) : b_.less(value, b_.integer(500));
    }
    return value;
  }

  ValueId other(ScalarType type) {
    switch (type) {
      case ScalarType::real: return weight();
      case ScalarType::integer:
        return b_.add(index(any_axis()), b_.integer(choose_.between(-3, 9)), site(FailureKind::integer_overflow));
      case ScalarType::boolean: return guard();
    }
    return {};
  }

  // --- roots ---

  void add_roots(ir::EventId event) {
    std::vector<ValueId> last, mixed;
    std::vector<ir::Level> all, line;
    std::vector<ValueId> all_indices, line_indices;
    const std::size_t along = any_axis();
    const bool reads_all = choose_.chance(0.35), reads_line = choose_.chance(0.5);
    for (std::size_t axis = 0; axis < space().axes.size(); ++axis) {
      const ir::Axis& of = space().axes[axis];
      last.push_back(of.last);
      const auto level = [&] {
        ir::Level level;
        level.binder = b_.binder(of.name);
        level.first = of.first;
        level.last = of.last;
        level.step = b_.integer(1);
        level.site = site(FailureKind::no_progress);
        return level;
      };
      all.push_back(level());
      all_indices.push_back(b_.index(all.back().binder));
      if (axis == along) {
        line.push_back(level());
        line_indices.push_back(b_.index(line.back().binder));
      } else {
        line_indices.push_back(choose_.chance(0.5) ? of.last : of.first);
      }
    }
    const auto read = [&](const std::vector<ValueId>& indices) {
      return b_.read(event, indices, site(FailureKind::index_off_grid));
    };
    const ValueId corner = read(last);
    b_.root({system_[event].name + " at the end", {{{}, {corner}}}, {}});
    if (reads_line) {
      const ValueId value = read(line_indices);
      b_.root({system_[event].name + " along a line", {{line, {value}}}, {}});
    }
    if (reads_all) {
      const ValueId value = read(all_indices);
      b_.root({system_[event].name, {{all, {value}}}, {}});
    }
  }

  Choices choose_;
  ir::System system_;
  ir::Builder b_;
  std::vector<ValueId> extents_, costs_;
  ir::SpaceId space_;
  std::vector<std::size_t> order_;
  std::vector<bool> rising_;
};

}  // namespace

ir::System random_recurrence(std::uint64_t seed) { return Writer(seed).write(); }

std::vector<backend::Binding> random_extents(const ir::System& system, std::uint64_t seed, std::int64_t largest) {
  Choices choose(seed * 0x9e3779b97f4a7c15u + 1);
  const bool three_axes = std::any_of(system.spaces.begin(), system.spaces.end(),
                                      [](const ir::Space& space) { return space.axes.size() > 2; });
  std::vector<backend::Binding> bindings;
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    if (!system.definitions[i].bindable) continue;
    if (system.definitions[i].type == ScalarType::integer) {
      const std::int64_t most = three_axes ? std::max<std::int64_t>(1, largest / 3) : largest;
      bindings.emplace_back(ir::DefinitionId{i}, ir::Scalar::of(choose.between(
                                                     1, choose.chance(0.2) ? std::min<std::int64_t>(4, most) : most)));
    } else if (choose.chance(0.5)) {
      bindings.emplace_back(ir::DefinitionId{i}, ir::Scalar::of(choose.tame_real()));
    }
  }
  return bindings;
}

}  // namespace wave::test
