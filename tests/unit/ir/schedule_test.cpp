// Groups, loop orders, bounds, and which cells are read.
#include "ir/schedule.h"

#include "ir/builder.h"
#include "ir/dependences.h"
#include "ir/exact.h"
#include "ir/operations.h"
#include "ir/printer.h"

#include <catch2/catch.hpp>

using namespace wave::ir;

namespace {

struct GridSystem {
  System system;
  Builder b{system};
  SiteId site = b.site(FailureKind::all_absent, {});
  SpaceId grid;

  explicit GridSystem(std::vector<std::int64_t> extents = {4, 4}, std::vector<bool> wrap = {false, false}) {
    Space space{"P", {0}, {}};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      const std::string name(1, static_cast<char>('i' + axis));
      space.axes.push_back({name, b.binder(name), b.integer(1), b.integer(extents[axis]), wrap[axis], {}, site});
    }
    grid = b.space(space);
  }
  EventId event(const std::string& name) {
    Event event;
    event.name = name;
    event.type = ScalarType::real;
    event.frame = {0};
    event.space = grid;
    event.site = site;
    event.exact = true;
    return b.event(event);
  }
  void constrain(EventId target, EventId source, std::vector<std::int32_t> offset, std::vector<ValueId> weights) {
    system[target].constraints.push_back({source, std::move(offset), std::move(weights), {}, {}});
  }
  Schedule schedule_of(std::vector<std::vector<std::int32_t>> offsets) {
    const EventId e = event("e");
    for (auto& offset : offsets) constrain(e, e, offset, {b.real(1)});
    return schedule(system, event_groups(system).back());
  }
  Exactness exactness_of(const EventGroup& group, std::vector<std::int64_t> last) {
    return exactness(
        system, group, std::vector<std::int64_t>(last.size(), 1), last,
        [&](DefinitionId id) -> std::variant<Scalar, Failure> { return b.as_constant(system[id].body).value(); });
  }
};

}  // namespace

TEST_CASE("a sweep from the north-west is rows in order, keeping one") {
  GridSystem f;
  const Schedule plan = f.schedule_of({{-1, 0}, {0, -1}});
  CHECK(plan.kind == ScheduleKind::rows);
  CHECK(plan.order == std::vector<std::uint32_t>{0, 1});
  CHECK(plan.rising == std::vector<bool>{true, true});
  CHECK(plan.history == 1);
}

TEST_CASE("loops fall where dependences point ahead, and change places where they must") {
  CHECK(GridSystem().schedule_of({{1, 0}, {0, -1}}).rising == std::vector<bool>{false, true});
  const Schedule swapped = GridSystem().schedule_of({{-1, -1}, {1, -1}, {0, -2}});
  CHECK(swapped.order == std::vector<std::uint32_t>{1, 0});
  CHECK(swapped.history == 2);
}

TEST_CASE("a hyperplane is found where no order of axes exists, else cells come on demand") {
  const Schedule plane = GridSystem().schedule_of({{-2, 1}, {1, -2}});
  CHECK(plane.kind == ScheduleKind::hyperplane);
  CHECK(plane.theta == std::vector<std::int32_t>{1, 1});
  CHECK(GridSystem().schedule_of({{-1, 0}, {1, 0}}).kind == ScheduleKind::on_demand);
  CHECK(GridSystem().schedule_of({{0, 0}}).kind == ScheduleKind::on_demand);
}

TEST_CASE("along a wrapped axis no dependence decides") {
  CHECK(GridSystem({4, 4}, {false, true}).schedule_of({{-1, -1}, {-1, 1}}).kind == ScheduleKind::rows);
  CHECK(GridSystem({4, 4}, {false, true}).schedule_of({{0, -1}}).kind == ScheduleKind::on_demand);
}

TEST_CASE("events that need each other are one group, after the groups that it reads") {
  GridSystem f;
  const EventId a = f.event("a"), c = f.event("c"), d = f.event("d");
  f.constrain(a, c, {0, 0}, {});
  f.constrain(c, a, {-1, 0}, {});
  f.constrain(a, d, {0, 0}, {});
  const auto groups = event_groups(f.system);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].events == std::vector<EventId>{d});
  CHECK(groups[1].events == std::vector<EventId>{c, a});  // c before a at each point
}

TEST_CASE("the bound is the hyperplanes of a path times the dearest step") {
  GridSystem f;
  const EventId e = f.event("e");
  const auto w = f.b.reference(f.b.define({0}, "W", f.b.real(100)));
  f.constrain(e, e, {-1, 0}, {w, f.b.real(10)});
  f.constrain(e, e, {0, -1}, {w, f.b.real(-20)});
  f.system[e].otherwise = {f.b.real(7)};
  const auto exact = f.exactness_of(event_groups(f.system)[0], {4, 5});
  CHECK(exact.exact);
  CHECK(exact.bound == 7 + 8 * 120);
  CHECK(exact.quantum == 0x1p-42);  // 967 < 2^10
  CHECK(exact.error == (1 + 8 * 2) * 0x1p-43);
}

TEST_CASE("index-dependent weights are bounded over the indices") {
  GridSystem f;
  const EventId e = f.event("e");
  const auto i = f.b.to_real(f.b.index(f.system[f.grid].axes[0].binder));
  f.constrain(e, e, {0, -1}, {f.b.subtract(f.b.multiply(i, f.b.real(3)), f.b.real(1))});
  CHECK(f.exactness_of(event_groups(f.system)[0], {4, 5}).bound == 5 * 11);
}

TEST_CASE("nothing bounds a weight that may be anything, nor a value that doubles") {
  GridSystem f;
  const EventId e = f.event("e"), g = f.event("g");
  const auto i = f.b.to_real(f.b.index(f.system[f.grid].axes[0].binder));
  f.constrain(e, {}, {}, {f.b.divide(f.b.real(1), f.b.subtract(i, f.b.real(2.5)), f.site)});
  const auto before = f.b.neighbour(g, {-1, 0});
  f.system[g].body = f.b.add(before, before);
  for (const auto& group : event_groups(f.system)) CHECK(!f.exactness_of(group, {4, 5}).exact);
}

TEST_CASE("the quantum of nothing is 2^-52") {
  GridSystem f;
  const EventId e = f.event("e");
  f.system[e].otherwise = {f.b.real(0)};
  CHECK(f.exactness_of(event_groups(f.system)[0], {4, 5}).quantum == 0x1p-52);
}

TEST_CASE("what is read of an event: points, lines, everything") {
  GridSystem f;
  const EventId e = f.event("e"), g = f.event("g");
  f.constrain(e, e, {-1, 0}, {f.b.real(1)});
  const auto n = f.b.reference(f.b.define({0}, "n", f.b.integer(4)));
  f.b.define({0}, "corner", f.b.read(e, {n, n}, f.site));
  const auto k = f.b.binder("k");
  const Level level{k, f.b.integer(1), n, f.b.integer(1), false, {}, f.site};
  f.b.define({0}, "last row",
             f.b.reduce(ReduceKind::maximum, {level}, f.b.read(e, {n, f.b.index(k)}, f.site), {}, f.site));
  auto patterns = read_patterns(f.system)[e.index];
  REQUIRE(patterns.size() == 2);
  CHECK(patterns[0].axes == std::vector<std::optional<ValueId>>{n, n});
  CHECK(patterns[1].axes == std::vector<std::optional<ValueId>>{n, std::nullopt});
  f.constrain(g, e, {0, 0}, {f.b.real(1)});
  patterns = read_patterns(f.system)[e.index];
  REQUIRE(patterns.size() == 3);
  CHECK(patterns[2].axes == std::vector<std::optional<ValueId>>{std::nullopt, std::nullopt});
}

TEST_CASE("weights that look at no index are hoisted where a cell needs them") {
  GridSystem f;
  const EventId e = f.event("e");
  const auto w = f.b.reference(f.b.define({0}, "W", f.b.real(100)));
  const auto i = f.b.to_real(f.b.index(f.system[f.grid].axes[0].binder));
  f.constrain(e, e, {-1, 0}, {w, i});
  f.system[e].otherwise = {f.b.real(7)};
  const auto list = hoisted(f.system, event_groups(f.system)[0], FreeBinders(f.system));
  REQUIRE(list.size() == 2);
  CHECK(list[0].value == w);
  CHECK(list[0].offset == std::vector<std::int32_t>{-1, 0});
  CHECK(!list[1].offset);  // the first cell certainly needs the `else`
}

TEST_CASE("a recurrence prints as constraints, with its schedule") {
  GridSystem f;
  const EventId start = f.event("start");
  const auto w = f.b.reference(f.b.define({0}, "W", f.b.real(100), {}, true));
  f.constrain(start, start, {-1, 0}, {w, f.b.real(2.5)});
  f.system[start].otherwise = {f.b.real(0)};
  CHECK(print(f.system) ==
        "frame root()\n"
        "  param W: real = 100.0\n"
        "  space P[i in 1..4, j in 1..4]\n"
        "  event start[i, j] over P: real, exact\n"
        "    start[i, j] >= start[i-1, j] + W + 2.5\n"
        "    else 0.0\n");
  CHECK(print_schedule(f.system) ==
        "group start over P\n"
        "  order:   rows i outer, j inner\n"
        "  because: every dependence points back: (-1, 0)\n"
        "  keeps:   1 earlier slice of i\n"
        "  costs:   start uniform\n"
        "  hoisted: W\n"
        "  hoisted: 2.5\n"
        "  hoisted: 0.0\n");
}
