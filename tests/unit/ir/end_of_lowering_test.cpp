// The passes that end lowering: which arguments they drop and keep, and which recurrences get a second form.
#include "ir/builder.h"
#include "ir/dependences.h"
#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

using namespace wave::ir;

namespace {

constexpr FrameId root = System::root_frame;

struct RecurrenceSystem {
  System system;
  Builder b{system};
  SpaceId grid;
  EventId event;

  explicit RecurrenceSystem(std::int64_t first = 1) {
    Space space{"P", root, {}};
    const ValueId n = parameter("n", b.integer(4));
    for (const char* const name : {"i", "j"}) {
      space.axes.push_back(
          {name, b.binder(name), b.integer(first), n, false, {}, site(FailureKind::extent_not_positive)});
    }
    grid = b.space(space);
    Event made;
    made.name = "start";
    made.type = ScalarType::real;
    made.frame = root;
    made.space = grid;
    made.site = site(FailureKind::all_absent);
    made.exact = true;
    made.otherwise = {b.real(0)};
    event = b.event(made);
    const ValueId point = b.read(event, {n, n}, site(FailureKind::index_off_grid));
    b.root({"corner", {{{}, {point}}}, {}});
  }

  SiteId site(FailureKind kind) { return b.site(kind, {}); }
  ValueId parameter(const std::string& name, ValueId value) {
    return b.reference(b.define(root, name, value, {}, true));
  }
  ValueId index(std::size_t axis) { return b.index(system[grid].axes[axis].binder); }
  ValueId before(ValueId value) { return b.subtract(value, b.integer(1), site(FailureKind::integer_overflow)); }
  ValueId divide(ValueId a, ValueId by) {
    return b.binary(BinaryOp::floor_divide, a, by, site(FailureKind::division_by_zero));
  }
  ValueId call(DefinitionId body, std::vector<ValueId> arguments) {
    return b.call(system[body].frame, body, std::move(arguments), site(FailureKind::recursion_too_deep));
  }
  void constrain(std::vector<std::int32_t> offset, ValueId weight, EventId source = {}) {
    system[event].constraints.push_back({source.valid() ? source : event, std::move(offset), {weight}, {}, {}});
  }

  // f(k: int) = 5
  DefinitionId blind(const std::string& name = "f") {
    const FrameId frame = b.frame(name, root);
    b.parameter(frame, "k", ScalarType::integer);
    return b.define(frame, name, b.real(5));
  }
};

ValueId weight_of(const System& system, std::size_t constraint = 0, EventId event = {0}) {
  return system[event].constraints.at(constraint).weights.at(0);
}

bool looks_at_index(const System& system, ValueId value) { return !FreeBinders(system).of(value).empty(); }

void check(const System& system) {
  for (const std::string& complaint : verify(system)) FAIL_CHECK(complaint);
}

}  // namespace

TEST_CASE("an argument that nothing looks at goes with its parameter") {
  RecurrenceSystem f;
  f.constrain({-1, 0}, f.call(f.blind(), {f.before(f.index(0))}));
  const System after = drop_unused_arguments(f.system);
  check(after);
  CHECK(after.parameters.empty());
  CHECK(!looks_at_index(after, weight_of(after)));
}

TEST_CASE("an argument goes that is handed on to where nothing looks at it") {
  RecurrenceSystem f;
  const DefinitionId inner = f.blind("inner");
  const FrameId outer = f.b.frame("outer", root);
  const ParameterId i = f.b.parameter(outer, "i", ScalarType::integer),
                    j = f.b.parameter(outer, "j", ScalarType::integer);
  const ValueId sum = f.b.add(f.call(inner, {f.b.parameter_value(i)}), f.b.to_real(f.b.parameter_value(j)));
  const DefinitionId body = f.b.define(outer, "outer", sum);
  f.constrain({-1, 0}, f.call(body, {f.before(f.index(0)), f.index(1)}));
  const System after = drop_unused_arguments(f.system);
  check(after);
  REQUIRE(after.parameters.size() == 1);
  CHECK(after.parameters[0].name == "j");
  CHECK(FreeBinders(after).of(weight_of(after)) == std::vector<BinderId>{after[f.grid].axes[1].binder});
}

TEST_CASE("what recursion hands to itself is not looked at by that") {
  RecurrenceSystem f;
  const FrameId frame = f.b.frame("f", root);
  const ParameterId times = f.b.parameter(frame, "times", ScalarType::integer),
                    k = f.b.parameter(frame, "k", ScalarType::integer);
  const DefinitionId body = f.b.declare(frame, "f", ScalarType::real);
  const ValueId fewer = f.before(f.b.parameter_value(times));
  f.b.set_body(body, f.b.select(f.b.less(f.b.parameter_value(times), f.b.integer(1)), f.b.real(1),
                                f.call(body, {fewer, f.b.parameter_value(k)})));
  f.constrain({-1, 0}, f.call(body, {f.b.integer(3), f.index(0)}));
  const System after = drop_unused_arguments(f.system);
  check(after);
  REQUIRE(after.parameters.size() == 1);
  CHECK(after.parameters[0].name == "times");
}

TEST_CASE("an argument that one branch looks at stays") {
  RecurrenceSystem f;
  const FrameId frame = f.b.frame("f", root);
  const ParameterId k = f.b.parameter(frame, "k", ScalarType::integer);
  const ValueId flag = f.parameter("flag", f.b.integer(0));
  const DefinitionId body = f.b.define(
      frame, "f", f.b.select(f.b.less(f.b.integer(0), flag), f.b.to_real(f.b.parameter_value(k)), f.b.real(2)));
  f.constrain({-1, 0}, f.call(body, {f.index(0)}));
  const System after = drop_unused_arguments(f.system);
  CHECK(after.parameters.size() == 1);
  CHECK(looks_at_index(after, weight_of(after)));
}

TEST_CASE("an argument that may fail stays, though nothing looks at it") {
  RecurrenceSystem f;
  const DefinitionId body = f.blind();
  SECTION("a division") {
    f.constrain({-1, 0}, f.call(body, {f.divide(f.index(0), f.parameter("z", f.b.integer(0)))}));
  }
  SECTION("a sum that may overflow") {
    f.constrain(
        {-1, 0},
        f.call(body, {f.b.add(f.index(0), f.parameter("z", f.b.integer(1)), f.site(FailureKind::integer_overflow))}));
  }
  SECTION("a large step") {
    f.constrain(
        {-1, 0},
        f.call(body, {f.b.add(f.index(0), f.b.integer(std::int64_t{1} << 40), f.site(FailureKind::integer_overflow))}));
  }
  CHECK(drop_unused_arguments(f.system).parameters.size() == 1);
}

TEST_CASE("an index may overflow where its axis does not begin near 0") {
  RecurrenceSystem f(std::int64_t{1} << 62);
  f.constrain({-1, 0}, f.call(f.blind(), {f.b.add(f.index(0), f.b.integer(1), f.site(FailureKind::integer_overflow))}));
  CHECK(drop_unused_arguments(f.system).parameters.size() == 1);
}

TEST_CASE("an argument that may be absent stays") {
  RecurrenceSystem f;
  const FrameId frame = f.b.frame("f", root);
  f.b.parameter(frame, "x", ScalarType::real);
  const DefinitionId body = f.b.define(frame, "f", f.b.real(5));
  f.constrain({-1, 0}, f.call(body, {f.b.neighbour(f.event, {0, -1})}));
  CHECK(drop_unused_arguments(f.system).parameters.size() == 1);
}

TEST_CASE("a function of several indices is written out in costs, and those of one stay") {
  RecurrenceSystem f;
  const FrameId inner = f.b.frame("g", root), outer = f.b.frame("f", root);
  const DefinitionId square = [&] {
    const ValueId k = f.b.to_real(f.b.parameter_value(f.b.parameter(inner, "k", ScalarType::integer)));
    return f.b.define(inner, "g", f.b.multiply(k, k));
  }();
  const ValueId i = f.b.parameter_value(f.b.parameter(outer, "i", ScalarType::integer));
  const ValueId j = f.b.parameter_value(f.b.parameter(outer, "j", ScalarType::integer));
  const ValueId local = f.b.reference(f.b.define(outer, "local", f.b.add(f.call(square, {j}), f.b.real(1))));
  const DefinitionId product = f.b.define(outer, "f", f.b.multiply(f.call(square, {i}), local));
  SECTION("written out") {
    f.constrain({-1, 0}, f.call(product, {f.before(f.index(0)), f.index(1)}));
    const System after = expand_calls(f.system);
    check(after);
    const auto* const result = std::get_if<Binary>(&after[weight_of(after)].node);
    REQUIRE(result != nullptr);
    REQUIRE(std::holds_alternative<Call>(after[result->left].node));
    CHECK(FreeBinders(after).of(result->left) == std::vector<BinderId>{after[f.grid].axes[0].binder});
    CHECK(FreeBinders(after).of(result->right) == std::vector<BinderId>{after[f.grid].axes[1].binder});
  }
  SECTION("not with an argument that may fail") {
    f.constrain({-1, 0}, f.call(product, {f.divide(f.index(0), f.parameter("z", f.b.integer(1))), f.index(1)}));
    const System after = expand_calls(f.system);
    CHECK(std::holds_alternative<Call>(after[weight_of(after)].node));
  }
  SECTION("not one that calls itself") {
    f.b.set_body(product, f.b.add(local, f.call(product, {i, j})));
    f.constrain({-1, 0}, f.call(product, {f.index(0), f.index(1)}));
    const System after = expand_calls(f.system);
    CHECK(std::holds_alternative<Call>(after[weight_of(after)].node));
  }
}

TEST_CASE("a recurrence that a choice makes uniform has a second form") {
  RecurrenceSystem f;
  const ValueId processes = f.parameter("D", f.b.integer(1));
  const ValueId is_several = f.b.binary(BinaryOp::not_equal, processes, f.b.integer(1));
  const ValueId same = f.b.logical_and(
      is_several, f.b.equal(f.divide(f.before(f.index(0)), f.b.integer(2)), f.divide(f.index(0), f.b.integer(2))));
  f.constrain({-1, 0}, f.b.select(same, f.b.real(1), f.b.real(2)));
  const System after = split_choices(f.system);
  check(after);
  REQUIRE(after.events.size() == 2);
  CHECK(looks_at_index(after, weight_of(after, 0, {0})));
  CHECK(!looks_at_index(after, weight_of(after, 0, {1})));
  CHECK(after.events[1].constraints[0].source == EventId{1});
  const auto* const choice = std::get_if<Select>(&after[after.roots[0].blocks[0].columns[0]].node);
  REQUIRE(choice != nullptr);
  CHECK(std::get<Read>(after[choice->if_true].node).event == EventId{1});
  CHECK(std::get<Read>(after[choice->if_false].node).event == EventId{0});
}

TEST_CASE("what follows a recurrence of two forms has two, too") {
  RecurrenceSystem f;
  const ValueId is_several = f.b.binary(BinaryOp::not_equal, f.parameter("D", f.b.integer(1)), f.b.integer(1));
  f.constrain({-1, 0}, f.b.select(is_several, f.b.to_real(f.index(0)), f.b.real(2)));
  Event follower = f.system[f.event];
  follower.name = "finish";
  follower.otherwise.clear();
  follower.constraints = {{f.event, {0, 0}, {f.b.to_real(f.index(1))}, {}, {}}};
  f.b.event(follower);
  const System after = split_choices(f.system);
  check(after);
  REQUIRE(after.events.size() == 4);
  std::size_t of_second_form = 0;
  for (const Event& event : after.events)
    of_second_form += event.name == "finish" && event.constraints[0].source != f.event ? 1 : 0;
  CHECK(of_second_form == 1);
}

TEST_CASE("no second form where it would not help, or its condition could fail") {
  RecurrenceSystem f;
  const ValueId k = f.parameter("k", f.b.integer(1)), several = f.b.less(f.b.integer(1), k);
  SECTION("both branches look at the index") {
    f.constrain({-1, 0}, f.b.select(several, f.b.to_real(f.index(0)), f.b.to_real(f.before(f.index(0)))));
  }
  SECTION("the weight looks at it elsewhere") {
    f.constrain({-1, 0}, f.b.add(f.b.to_real(f.index(0)), f.b.select(several, f.b.to_real(f.index(0)), f.b.real(1))));
  }
  SECTION("the condition looks at it") {
    f.constrain({-1, 0}, f.b.select(f.b.less(f.index(0), k), f.b.to_real(f.index(0)), f.b.real(1)));
  }
  SECTION("the condition may fail") {
    f.constrain({-1, 0}, f.b.select(f.b.less(f.b.integer(1), f.divide(f.b.integer(7), k)), f.b.to_real(f.index(0)),
                                    f.b.real(1)));
  }
  CHECK(split_choices(f.system).events.size() == 1);
}

TEST_CASE("a condition that fails as the extents do may be asked first") {
  RecurrenceSystem f;
  const ValueId failing = f.divide(f.b.integer(7), f.parameter("k", f.b.integer(1)));
  Axis& axis = f.system.spaces[f.grid.index].axes[1];
  axis.last = f.b.check(f.b.less_equal(f.b.integer(1), failing), axis.last, f.site(FailureKind::require_failed));
  f.constrain({-1, 0}, f.b.select(f.b.less(f.b.integer(1), failing), f.b.to_real(f.index(0)), f.b.real(1)));
  CHECK(split_choices(f.system).events.size() == 2);
}

TEST_CASE("a failing check shows the sides of its comparison after every pass, and nothing where it showed none") {
  RecurrenceSystem f;
  const ValueId n = f.parameter("d", f.b.integer(5));
  const BinderId k = f.b.binder("k");
  const ValueId rest = f.b.binary(BinaryOp::modulo, n, f.b.integer(3), f.site(FailureKind::division_by_zero));
  const ValueId named = f.b.reference(f.b.define(root, "ok", f.b.less(n, f.b.integer(2))));
  const ValueId real = f.b.to_real(f.b.index(k));
  const ValueId compared = f.b.check(f.b.equal(rest, f.b.integer(1)), real, f.site(FailureKind::require_failed));
  const ValueId asked = f.b.check(named, real, f.site(FailureKind::require_failed));
  for (const ValueId body : {compared, asked}) {
    const Level level{k, f.b.integer(1), n, f.b.integer(1), false, {}, f.site(FailureKind::no_progress)};
    f.b.root({"sum", {{{}, {f.b.reduce(ReduceKind::sum, {level}, body, {}, {})}}}, {}});
  }
  const System after = run_passes(f.system);
  check(after);
  const auto shows_sides = [&](std::size_t number) {
    const auto& sum = std::get<Reduce>(after[after.roots[number].blocks[0].columns[0]].node);
    const auto* compares = std::get_if<Binary>(&after[std::get<Check>(after[sum.body].node).condition].node);
    return compares && compares->op != BinaryOp::logical_and;
  };
  CHECK(shows_sides(1));
  CHECK(!shows_sides(2));
}
