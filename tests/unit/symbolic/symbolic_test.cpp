// Compares recurrences as expressions with the same recurrences evaluated cell by cell.
#include "backend/closed_form/symbolic/symbolic.h"

#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/verify.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/environment.h"
#include "tests/unit/symbolic/uniform_systems.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace wave;
using backend::closed_form::replace_recurrences;
using backend::closed_form::Symbolic;
using ir::ValueId;
using parity::Model;

namespace {

struct Result {
  std::string difference;
  std::size_t roots = 0, failures = 0;
};

// Evaluates each root on its own, and then all roots together.
Result compare_directly(const ir::System& system, const Symbolic& symbolic) {
  const auto direct = backend::make_interpreter(system);
  const auto replaced = backend::make_interpreter(symbolic.system);
  Result result;
  const auto direct_all = direct->start({}, {}), replaced_all = replaced->start({}, {});
  for (std::uint32_t i = 0; i < system.roots.size(); ++i) {
    const ir::RootId root{i};
    const auto expected = direct->start({}, {})->evaluate(root);
    ++result.roots;
    result.failures += std::holds_alternative<ir::Failure>(expected);
    for (const auto& found : {replaced->start({}, {})->evaluate(root), replaced_all->evaluate(root)}) {
      const std::string difference = parity::difference(system, expected, found);
      if (!difference.empty()) result.difference = "root `" + system.roots[i].name + "`: " + difference;
    }
    const std::string together = parity::difference(system, direct_all->evaluate(root), expected);
    if (!together.empty()) result.difference = "together: " + together;
  }
  return result;
}

// StartP with these steps on n x m points; only the corner is read.
Model corner(std::int64_t n, std::int64_t m) {
  Model model;
  parity::add_start(model, n, m);
  return model;
}

ir::EventId first_event() { return ir::EventId{0}; }

bool is_replaced(const Model& model) { return !replace_recurrences(model.system).replaced.empty(); }

}  // namespace

TEST_CASE("random uniform recurrences have the same bits and the same failures as expressions") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(400);
  std::size_t replaced = 0, events = 0, roots = 0, failures = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const ir::System system = test::random_uniform_system(seed);
    REQUIRE(ir::verify(system) == std::vector<std::string>{});
    const Symbolic symbolic = replace_recurrences(system);
    INFO("seed " << seed);
    REQUIRE(ir::verify(symbolic.system) == std::vector<std::string>{});
    const Result result = compare_directly(system, symbolic);
    REQUIRE(result.difference == "");
    replaced += symbolic.replaced.size();
    events += system.events.size();
    roots += result.roots;
    failures += result.failures;
  }
  INFO(replaced << " of " << events << " events, " << failures << " of " << roots << " roots failed alike");
  CHECK(replaced * 3 > events);
  CHECK(failures * 2 < roots);
  CHECK(failures > 0);
}

TEST_CASE("a uniform recurrence of 10^9 x 10^9 is an expression") {
  const Model model = corner(1'000'000'000, 1'000'000'000);
  const auto engine = backend::make_interpreter(model.system, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
  const auto evaluation = engine->start({}, {});
  const auto rows = std::get<backend::Rows>(evaluation->evaluate(ir::RootId{0}));
  const auto reports = evaluation->reports();
  REQUIRE(reports.size() == 1);
  const auto rounded = [&](double weight) { return std::nearbyint(weight / reports[0].quantum) * reports[0].quantum; };
  const double down = rounded(420e6) + rounded(141.4e6) + rounded(94.1e6),
               right = rounded(420e6) + rounded(70.3e6) + rounded(141.4e6);
  const double steps = 999'999'999;
  CHECK(rows.cells[0].real == steps * down + steps * right);
  CHECK(rows.cells[1].real == steps * right);
  CHECK(reports[0].event == "start");
  CHECK(reports[0].schedule == "closed form: equal paths, as an expression");
  CHECK(reports[0].cells == 1e18);
}

TEST_CASE("what is reported of an expression is what is reported of the cells") {
  const Model model = corner(17, 5);
  const auto direct = backend::make_interpreter(model.system)->start({}, {});
  const auto shortcut_engine =
      backend::make_interpreter(model.system, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
  const auto direct_engine = backend::make_interpreter(model.system);
  const auto cells = direct_engine->start({}, {}), expression = shortcut_engine->start({}, {});
  CHECK(expression->reports().empty());
  CHECK(parity::difference(model.system, cells->evaluate(ir::RootId{0}), expression->evaluate(ir::RootId{0})) == "");
  const auto expected = cells->reports(), found = expression->reports();
  REQUIRE(expected.size() == 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].cells == expected[0].cells);
  CHECK(found[0].bound == expected[0].bound);
  CHECK(found[0].quantum == expected[0].quantum);
  CHECK(found[0].error == expected[0].error);
}

TEST_CASE("recurrences that are not quite uniform stay as they are") {
  Model model = corner(4, 5);
  CHECK(is_replaced(model));
  ir::Event& start = model.system[first_event()];
  const ValueId i = model.index(start.space, 0);

  SECTION("a weight looks at an index") { start.constraints[1].weights.push_back(model.build.to_real(i)); }
  SECTION("the else looks at an index") { start.otherwise = {model.build.to_real(i)}; }
  SECTION("a guard") { start.constraints[0].guard = model.build.less(i, model.build.integer(9)); }
  SECTION("an offset of two") { start.constraints[0].offset = {-2, 0}; }
  SECTION("an axis that wraps") { model.system.spaces[start.space.index].axes[1].wrap = true; }
  SECTION("both ways along an axis") { model.constrain(first_event(), first_event(), {1, 0}, {model.build.real(1)}); }
  SECTION("a diagonal that one axis has for itself") { start.constraints[0].offset = {-1, -1}; }
  SECTION("a source in another group") {
    const ir::EventId other = model.event("other", start.space);
    model.system[other].exact = true;
    model.system[other].otherwise = {model.build.real(1)};
    model.constrain(first_event(), other, {-1, 0}, {model.build.real(1)});
  }
  SECTION("nothing where everything is absent") { start.otherwise.clear(); }
  CHECK_FALSE(is_replaced(model));
}

TEST_CASE("starts and finishes that follow each other are expressions") {
  Model model;
  ir::Builder& b = model.build;
  const ValueId n = model.parameter("n", b.integer(1'000'000'000));
  const ir::SpaceId grid = model.grid({"i", "j"}, {n, n});
  const ir::EventId start = model.event("start", grid), finish = model.event("finish", grid);
  model.constrain(start, finish, {-1, 0}, {model.parameter("a", b.real(1))});
  model.constrain(start, finish, {0, -1}, {model.parameter("b", b.real(2))});
  model.system[start].otherwise = {b.real(0)};
  model.constrain(finish, start, {0, 0}, {model.parameter("w", b.real(4))});
  model.root("corner", {model.read(finish, {n, n})});
  const auto engine = backend::make_interpreter(model.system, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
  const auto evaluation = engine->start({}, {});
  const auto rows = std::get<backend::Rows>(evaluation->evaluate(ir::RootId{0}));
  CHECK(rows.cells[0].real == 999'999'999.0 * (1 + 2 + 4 + 4) + 4);
  CHECK(evaluation->reports().size() == 2);
}

TEST_CASE("one weight off by a quantum moves the expression by as many quanta as steps") {
  Model model = corner(1000, 1000);
  const auto engine = backend::make_interpreter(model.system, {.shortcuts = true, .cpu = {}, .cache_folder = {}});
  const double quantum = [&] {
    const auto evaluation = engine->start({}, {});
    evaluation->evaluate(ir::RootId{0});
    return evaluation->reports().at(0).quantum;
  }();
  const auto value = [&](double work) {
    const auto outcome = engine->start({{model.definition("W"), ir::Scalar::of(work)}}, {})->evaluate(ir::RootId{0});
    return std::get<backend::Rows>(outcome).cells[0].real;
  };
  CHECK(value(420e6 + quantum) == value(420e6) + 1998 * quantum);
}

// As a model that has processors on nodes, and a recurrence whose domain is not the grid of these.
TEST_CASE(
    "a condition in which a check alone can fail is asked with that check, and costs that repeat are expressions") {
  for (std::int64_t nodes = -1; nodes <= 3; ++nodes) {
    INFO(nodes << " processors on a node");
    Model model = corner(9, 5);
    ir::Builder& b = model.build;
    const ValueId given = model.parameter("given", b.integer(nodes));
    const ValueId checked =
        b.check(b.less_equal(b.integer(1), given), given, model.site(ir::FailureKind::outside_range));
    const ValueId count = b.reference(b.define(ir::System::root_frame, "count", checked));
    ir::Event& start = model.system[first_event()];
    const ValueId i = model.index(start.space, 0);
    const auto node_of = [&](ValueId place) {
      return b.binary(ir::BinaryOp::floor_divide, place, count, model.site(ir::FailureKind::division_by_zero));
    };
    const ValueId is_same = b.logical_and(
        b.binary(ir::BinaryOp::not_equal, count, b.integer(1)),
        b.equal(node_of(i), node_of(b.subtract(i, b.integer(1), model.site(ir::FailureKind::integer_overflow)))));
    model.system[first_event()].constraints[0].weights.push_back(b.select(is_same, b.real(1), b.real(2)));
    const ir::System split = ir::split_choices(model.system);
    CHECK(split.events.size() == 2);
    CHECK(replace_recurrences(split).replaced.size() == 1);
    CHECK(compare_directly(model.system, replace_recurrences(split)).difference == "");
    CHECK(compare_directly(model.system, replace_recurrences(split)).failures == (nodes < 1 ? 1 : 0));
  }
}
