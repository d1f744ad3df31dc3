// A root frame with tables, definitions, functions and events. Each refers to what came before it.
#include "tests/random/random_system.h"

#include "ir/builder.h"
#include "tests/random/expressions.h"

#include <string>

namespace wave::test {

using ir::FailureKind;
using ir::ScalarType;
using ir::ValueId;

namespace {

const std::vector<ScalarType> all_types = {ScalarType::real, ScalarType::integer, ScalarType::boolean,
                                           ScalarType::real};

class Generator {
 public:
  Generator(std::uint64_t seed, const Options& options)
      : options_(options), choose_(seed), b_(system_), expressions_(b_, choose_, options) {}

  ir::System run() {
    Surroundings around;
    around.frame = ir::System::root_frame;
    add_tables(around);
    add_bindables(around);
    for (int i = 0; i < options_.definitions; ++i) {
      if (options_.frames && choose_.chance(0.25)) add_function(around);
      if (options_.events && choose_.chance(0.4)) add_events(around);
      add_definition(around);
    }
    add_roots(around);
    return std::move(system_);
  }

 private:
  std::string name(const char* stem, std::size_t number) { return stem + std::to_string(number); }

  // Values for some of the keys, and another for all others.
  ir::Table some_of(ir::Table grid) {
    ir::Table table{grid.name, std::vector<std::vector<double>>(grid.keys.size()), {}, grid.interpolation, false};
    table.otherwise = choose_.tame_real();
    for (std::size_t cell = 0; cell < grid.values.size(); ++cell) {
      if (cell > 0 && !choose_.chance(0.6)) continue;
      const std::size_t row = grid.keys.back().size();
      table.keys.front().push_back(grid.keys.front()[grid.keys.size() == 1 ? cell : cell / row]);
      if (grid.keys.size() > 1) table.keys.back().push_back(grid.keys.back()[cell % row]);
      table.values.push_back(grid.values[cell]);
    }
    return table;
  }

  void add_tables(Surroundings& around) {
    for (std::size_t i = 0, count = choose_.below(3); i < count; ++i) {
      ir::Table table;
      table.name = name("table", i);
      table.interpolation = static_cast<ir::Interpolation>(choose_.below(4));
      table.extend = choose_.chance(0.5);
      std::size_t cells = 1;
      for (std::size_t axis = 0, axes = 1 + choose_.below(2); axis < axes; ++axis) {
        std::vector<double> keys{choose_.chance(0.5) ? 1.0 : -20.5};
        if (table.interpolation == ir::Interpolation::logarithmic) keys[0] = 0.5;
        for (std::size_t k = choose_.below(4); k > 0; --k)
          keys.push_back(keys.back() + 0.5 + static_cast<double>(choose_.below(50)));
        cells *= keys.size();
        table.keys.push_back(keys);
      }
      for (; cells > 0; --cells) table.values.push_back(0.25 + static_cast<double>(choose_.below(1000)) / 3);
      if (table.interpolation == ir::Interpolation::exact) table = some_of(std::move(table));
      around.tables.push_back(b_.table(table));
    }
  }

  void add_bindables(Surroundings& around) {
    for (std::size_t i = 0; i < 3; ++i) {
      const ValueId value = i < 2 ? b_.integer(choose_.between(2, 5)) : b_.real(choose_.tame_real());
      around.definitions.push_back(b_.define(around.frame, name(i < 2 ? "n" : "w", i), value, {}, true));
    }
  }

  void add_definition(Surroundings& around) {
    const ValueId body = expressions_.of(choose_.one_of(all_types), around);
    around.definitions.push_back(b_.define(around.frame, name("d", system_.definitions.size()), body));
  }

  // --- functions ---

  void add_function(Surroundings& outer) {
    Surroundings inner = outer;
    inner.frame = b_.frame(name("f", system_.frames.size()), outer.frame);
    Surroundings::Function function{inner.frame, {}, {}};
    for (std::size_t i = 0, count = choose_.below(4); i < count; ++i) {
      function.parameters.push_back(choose_.one_of(all_types));
      inner.parameters.push_back(b_.parameter(inner.frame, name("p", i), function.parameters.back()));
    }
    if (choose_.chance(0.3)) {
      add_recursion(outer, inner, function);
      return;
    }
    inner.functions.clear();  // otherwise the costs of nested calls would multiply
    for (std::size_t i = choose_.below(3); i > 0; --i) add_definition(inner);
    if (options_.events && choose_.chance(0.4)) add_events(inner);
    add_definition(inner);
    function.result = inner.definitions.back();
    outer.functions.push_back(function);
  }

  // result(n, ...) = if n <= 0 then base else step(result(n - 1, ...)); now and then the recursion never ends.
  void add_recursion(Surroundings& outer, Surroundings& inner, Surroundings::Function function) {
    const ir::ParameterId depth = b_.parameter(inner.frame, "depth", ScalarType::integer);
    function.parameters.push_back(ScalarType::integer);
    const ScalarType type = choose_.one_of(all_types);
    function.result = b_.declare(inner.frame, name("r", system_.definitions.size()), type);
    Surroundings base = inner;
    base.functions.clear();
    const ir::SiteId site = expressions_.site(FailureKind::recursion_too_deep);
    std::vector<ValueId> arguments;
    for (const auto parameter : inner.parameters) arguments.push_back(b_.parameter_value(parameter));
    const std::int64_t step = choose_.chance(0.05) ? 0 : 1;
    arguments.push_back(
        b_.subtract(b_.parameter_value(depth), b_.integer(step), expressions_.site(FailureKind::integer_overflow)));
    const ValueId deeper = b_.call(inner.frame, function.result, arguments, site);
    const ValueId other = expressions_.of(type, base);
    const ValueId is_done = b_.less_equal(b_.parameter_value(depth), b_.integer(0));
    const ValueId combined = type == ScalarType::boolean ? b_.logical_or(deeper, other)
                             : choose_.chance(0.5)
                                 ? b_.maximum({deeper, other})
                                 : b_.add(other, deeper, expressions_.site(FailureKind::integer_overflow));
    b_.set_body(function.result, b_.select(is_done, expressions_.of(type, base), combined));
    outer.functions.push_back(function);
  }

  // --- events ---

  // Offsets point back along the first axis of this order on which they are not zero, in the direction given here.
  struct Order {
    std::vector<std::size_t> axes;
    std::vector<bool> rising;
  };

  ir::SpaceId add_space(const Surroundings& around) {
    ir::Space space{name("P", system_.spaces.size()), around.frame, {}};
    for (std::size_t i = 0, axes = 1 + choose_.below(3); i < axes; ++i) {
      static const char* const names[] = {"i", "j", "k"};
      const std::int64_t first = choose_.chance(0.7) ? 1 : choose_.between(-2, 2);
      ValueId last = b_.integer(first + choose_.between(0, 5));
      std::vector<ir::DefinitionId> extents;
      for (const auto id : around.definitions) {
        if (system_[id].bindable && system_[id].type == ScalarType::integer) extents.push_back(id);
      }
      if (first == 1 && !extents.empty() && choose_.chance(0.6)) last = b_.reference(choose_.one_of(extents));
      if (choose_.chance(options_.wild / 5)) last = expressions_.small_integer(around);
      space.axes.push_back({names[i],
                            b_.binder(names[i]),
                            b_.integer(first),
                            last,
                            choose_.chance(0.2),
                            {},
                            expressions_.site(FailureKind::extent_not_positive)});
    }
    return b_.space(space);
  }

  Order random_order(std::size_t axes) {
    Order order;
    for (std::size_t i = 0; i < axes; ++i) {
      order.axes.insert(order.axes.begin() + static_cast<std::ptrdiff_t>(choose_.below(i + 1)), i);
      order.rising.push_back(choose_.chance(0.7));
    }
    return order;
  }

  // An offset that points back along the order. Now and then it is skewed, so that perhaps no order of axes makes it
  // point back.
  std::vector<std::int32_t> back(const ir::Space& space, const Order& order) {
    std::vector<std::int32_t> offset(space.axes.size(), 0);
    if (options_.cycles && choose_.chance(0.03)) {
      for (auto& d : offset) d = static_cast<std::int32_t>(choose_.between(-1, 1));
      return offset;
    }
    std::vector<std::size_t> plain;  // places in the order of axes that do not wrap
    for (std::size_t i = 0; i < order.axes.size(); ++i) {
      if (!space.axes[order.axes[i]].wrap) plain.push_back(i);
    }
    if (plain.empty()) return offset;
    const std::size_t decisive = choose_.one_of(plain);
    const auto distance = static_cast<std::int32_t>(choose_.chance(0.8) ? 1 : choose_.between(2, 3));
    offset[order.axes[decisive]] = order.rising[order.axes[decisive]] ? -distance : distance;
    for (std::size_t i = decisive + 1; i < order.axes.size(); ++i) {
      if (choose_.chance(0.3)) offset[order.axes[i]] = static_cast<std::int32_t>(choose_.between(-2, 2));
    }
    return offset;
  }

  // Some events on one space. They may read each other further back, and earlier ones at the same point.
  void add_events(Surroundings& around) {
    const ir::SpaceId space_id = add_space(around);
    const Order order = random_order(system_[space_id].axes.size());
    std::vector<ir::EventId> events;
    for (std::size_t i = 0, count = 1 + choose_.below(3); i < count; ++i) {
      ir::Event event;
      event.name = name("e", system_.events.size());
      event.type = choose_.chance(0.7) ? ScalarType::real : choose_.one_of(all_types);
      event.frame = around.frame;
      event.space = space_id;
      event.site = expressions_.site(FailureKind::all_absent);
      events.push_back(b_.event(event));
    }
    for (std::size_t i = 0; i < events.size(); ++i) fill(events, i, order, around);
    for (const ir::EventId event : events) around.readable.push_back(event);
  }

  ir::Neighbour neighbour(const std::vector<ir::EventId>& events, std::size_t own, const Order& order) {
    const ir::Space& space = system_[system_[events[own]].space];
    if (own > 0 && choose_.chance(0.3)) {
      return {events[choose_.below(own)], std::vector<std::int32_t>(space.axes.size(), 0)};
    }
    auto offset = back(space, order);
    const bool is_own_point = offset == std::vector<std::int32_t>(offset.size(), 0);
    if (is_own_point && own > 0) return {events[choose_.below(own)], offset};
    return {choose_.one_of(events), offset};
  }

  void fill(const std::vector<ir::EventId>& events, std::size_t own, const Order& order, const Surroundings& outer) {
    const ir::EventId id = events[own];
    Surroundings inside = outer;
    inside.in_event = true;
    for (const ir::Axis& axis : system_[system_[id].space].axes) inside.binders.push_back(axis.binder);
    Surroundings with_neighbours = inside;
    for (std::size_t i = 1 + choose_.below(3); i > 0; --i) {
      const ir::Neighbour node = neighbour(events, own, order);
      const bool is_itself = node.event == id && node.offset == std::vector<std::int32_t>(node.offset.size(), 0);
      if (!is_itself) with_neighbours.neighbours.push_back(node);
    }
    const ScalarType type = system_[id].type;
    const bool is_constraints = type == ScalarType::real && choose_.chance(0.6);
    if (is_constraints) {
      add_constraints(id, inside, with_neighbours);
    } else if (type == ScalarType::real && choose_.chance(0.4)) {
      add_exact_body(id, inside, with_neighbours);
    } else {
      const ValueId body = expressions_.of(type, with_neighbours);
      system_[id].body = body;
    }
    if (!choose_.chance(0.92) || system_[id].exact) return;
    const ValueId otherwise = type == ScalarType::real ? expressions_.weight(inside) : expressions_.of(type, inside);
    system_[id].otherwise = {otherwise};
  }

  void add_constraints(ir::EventId id, const Surroundings& inside, const Surroundings& with_neighbours) {
    std::vector<ir::Constraint> constraints;
    for (const ir::Neighbour& node : with_neighbours.neighbours) {
      if (system_[node.event].type != ScalarType::real) continue;
      ir::Constraint constraint{node.event, node.offset, {}, {}, {}};
      for (std::size_t i = choose_.below(4); i > 0; --i) constraint.weights.push_back(expressions_.weight(inside));
      if (choose_.chance(0.3)) constraint.guard = expressions_.of(ScalarType::boolean, inside);
      constraints.push_back(constraint);
    }
    if (choose_.chance(0.4)) {
      ir::Constraint constant{{}, {}, {expressions_.weight(inside)}, {}, {}};
      if (choose_.chance(0.7)) constant.guard = expressions_.of(ScalarType::boolean, inside);
      constraints.push_back(constant);
    }
    system_[id].constraints = constraints;
    set_exact_else(id, inside);
  }

  // The minimum or maximum of neighbours plus weights.
  void add_exact_body(ir::EventId id, const Surroundings& inside, const Surroundings& with_neighbours) {
    std::vector<ValueId> operands;
    const auto quantized = [&] {
      return b_.quantize(expressions_.weight(inside), expressions_.site(FailureKind::weight_not_finite));
    };
    for (const ir::Neighbour& node : with_neighbours.neighbours) {
      if (system_[node.event].type != ScalarType::real) continue;
      operands.push_back(b_.add(b_.neighbour(node.event, node.offset), quantized()));
    }
    operands.push_back(quantized());
    ValueId body = choose_.chance(0.5) ? b_.minimum(operands) : b_.maximum(operands);
    if (choose_.chance(0.3)) body = b_.select(expressions_.of(ScalarType::boolean, with_neighbours), body, quantized());
    system_[id].body = body;
    system_[id].exact = true;
    if (choose_.chance(0.7)) {
      const ValueId otherwise = quantized();
      system_[id].otherwise = {otherwise};
    }
  }

  void set_exact_else(ir::EventId id, const Surroundings& inside) {
    system_[id].exact = true;
    if (!choose_.chance(0.95)) return;
    std::vector<ValueId> weights;
    for (std::size_t i = 1 + choose_.below(2); i > 0; --i) weights.push_back(expressions_.weight(inside));
    system_[id].otherwise = weights;
  }

  // --- roots: every definition, every event as a whole, as lines and as points ---

  void add_roots(const Surroundings& around) {
    for (const ir::DefinitionId id : around.definitions) {
      const ValueId value = b_.reference(id);
      b_.root({system_[id].name, {{{}, {value}}}, {}});
    }
    for (std::uint32_t i = 0; i < system_.events.size(); ++i) {
      const ir::EventId event{i};
      if (system_[event].frame != ir::System::root_frame) continue;
      Surroundings inside = around;
      const ValueId point = expressions_.read(event, inside);
      b_.root({system_[event].name + " at a point", {{{}, {point}}}, {}});
      if (choose_.chance(0.7)) add_whole(event);
    }
    const ValueId first = expressions_.of(ScalarType::real, around);
    const ValueId second = expressions_.of(ScalarType::boolean, around);
    b_.root({"mixed", {{{}, {first, second}}}, expressions_.of(ScalarType::boolean, around)});
  }

  void add_whole(ir::EventId event) {
    ir::RowBlock block;
    std::vector<ValueId> indices;
    const ir::Space& space = system_[system_[event].space];
    for (const ir::Axis& axis : space.axes) {
      ir::Level level;
      level.binder = b_.binder(axis.name);
      level.first = axis.first;
      level.last = axis.last;
      level.step = b_.integer(1);
      level.site = expressions_.site(FailureKind::no_progress);
      block.levels.push_back(level);
      indices.push_back(b_.index(level.binder));
    }
    block.columns = indices;
    block.columns.push_back(b_.read(event, indices, expressions_.site(FailureKind::index_off_grid)));
    b_.root({system_[event].name, {block}, {}});
  }

  const Options options_;
  Choices choose_;
  ir::System system_;
  ir::Builder b_;
  Expressions expressions_;
};

}  // namespace

ir::System random_system(std::uint64_t seed, const Options& options) { return Generator(seed, options).run(); }

std::vector<backend::Binding> random_bindings(const ir::System& system, std::uint64_t seed) {
  Choices choose(seed ^ 0x62696e64);
  std::vector<backend::Binding> bindings;
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    const ir::Definition& definition = system.definitions[i];
    if (!definition.bindable || choose.chance(0.5)) continue;
    const ir::Scalar value = definition.type == ScalarType::integer
                                 ? ir::Scalar::of(choose.between(1, 7))
                                 : ir::Scalar::of(choose.chance(0.1) ? choose.wild_real() : choose.tame_real());
    bindings.push_back({ir::DefinitionId{i}, value});
  }
  return bindings;
}

}  // namespace wave::test
